"""Yatzee with six dice (rules Y1 to Y4): rolls, the score card, turns and whole games."""
