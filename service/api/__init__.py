"""Room 4: the resources. Thin views: read the request, ask the game, answer.

Law of the room: no rule of a game and no text stands here; statuses stand in ``problems.py`` alone.
"""
