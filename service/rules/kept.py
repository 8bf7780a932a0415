"""What a document that was kept is checked by, when it is read back."""


def check(holds: bool) -> None:
    """Raise ValueError unless this holds: then nobody can have kept the document like this."""
    if not holds:
        raise ValueError("no game can stand like this")
