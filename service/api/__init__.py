"""The operations, and the pipeline that every request takes.

An operation reads the request, asks the game and answers; no rule of a game and no text stands
here, and the statuses of problems stand in ``problems.py`` alone.
"""
