"""Yatzee with six dice (rules Y1 to Y4): rolls, the score sheet, turns and whole games."""
