"""What crosses the wire, for every game alike: schema fields, query forms and JSON itself.

Law of the room: it knows shapes and no rules. A game's ``wire.py`` declares its requests with these
fields; both doors read bodies and queries with these functions, so there is one meaning of each.
What games answer alike is put together here too, from the modules of each.
"""
