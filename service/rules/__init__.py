"""What all games share: dice, rulesets and options, findings, chance.

Standard library only; no input or output, no clock, no randomness. What a game needs of the outside
(dice, cards, time) is an argument.
"""
