"""Answers as lines of text, made of the documents that are answered as JSON.

``voice`` says sentences to a listener, ``findings`` words findings, ``speech`` orders what a game
says of one position, ``report`` tells the rest. Each game has its sentences in its ``speech.py``.
"""
