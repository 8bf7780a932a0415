"""What both doors share about HTTP: headers, request ids, entity tags, logs and metrics.

Law of the room: it imports neither Flask nor a game. Whoever creates an answer dresses it, exactly
once; what is relayed passes untouched.
"""
