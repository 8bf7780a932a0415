"""Values of positions and choices (O5, O6, O16), their value tables, and the bots."""
