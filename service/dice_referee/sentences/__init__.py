"""Answers as lines of text, made of the documents that are answered as JSON.

``findings`` words findings, ``problems`` makes lines of problems, ``speech`` orders the sentences
of a game about one position, ``report`` describes all else. Each game has its sentences in its
``speech.py``.
"""
