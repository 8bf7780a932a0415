"""Answers as lines of text, made from the documents of JSON answers.

``findings`` describes findings, ``problems`` formats problems as lines, ``speech`` orders the
sentences of a game about a position, and ``report`` describes everything else. The sentences of
each game are in its ``speech.py``.
"""
