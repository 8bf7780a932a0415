"""Values of positions and choices (O13, O14, O18), their value tables, and the bots."""
