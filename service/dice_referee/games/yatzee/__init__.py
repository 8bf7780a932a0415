"""Yatzee with six dice: throws, the score card, turns and whole games; rule numbers Y1 to Y4."""
