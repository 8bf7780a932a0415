"""What a person would say: answers as lines of text, made of documents that are answered as JSON.

``voice`` says sentences to a listener, ``findings`` words findings, ``speech`` orders what a game
says of one position, ``report`` tells the rest. Each game has its sentences in its ``speech.py``.
"""
