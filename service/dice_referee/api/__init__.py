"""The operations, and the pipeline that every request takes.

An operation reads the request, asks the game and answers. This package holds no rule of a game and
no text; only ``problems.py`` has the statuses of problems.
"""
