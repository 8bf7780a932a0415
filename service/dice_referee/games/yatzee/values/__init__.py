"""Values of positions and choices, the value tables behind them, and the bots."""
