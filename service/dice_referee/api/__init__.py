"""The operations, and the pipeline that every request takes.

This package contains no rule of a game and no text. Only ``problems.py`` has the statuses of
problems.
"""
