"""Answers as lines of text, made from the documents of JSON answers.

The sentences of each game are in its ``speech.py``.
"""
