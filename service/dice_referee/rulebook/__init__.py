"""Dice, rulesets, options, findings and chance, shared by all games.

Standard library only. This package does no input or output, reads no clock and draws no random
numbers.
"""
