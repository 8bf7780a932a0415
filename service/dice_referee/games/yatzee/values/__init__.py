"""Values of positions and choices (O10 to O15), their value tables, and the bots."""
