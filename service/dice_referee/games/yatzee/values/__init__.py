"""The worth of positions and choices, the value tables it rests on, and bots."""
