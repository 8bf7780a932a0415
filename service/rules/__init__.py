"""Room 1: the language that all games share.

Law of the room: standard library only; no input or output, no clock, no randomness. What a game
needs of the outside (dice, cards, time) is an argument.
"""
