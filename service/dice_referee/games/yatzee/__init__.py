"""Yatzee with six dice (rules Y1 to Y4): throws, the score card, turns and whole games."""
