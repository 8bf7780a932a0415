"""The pages: playground, documentation and the embeddable element.

They are clients of the API. Their files in ``static`` are served unchanged: ``shared`` has the
files of all pages, ``games`` the table of each game, ``table`` the tables at which people play, and
``element``, ``playground`` and ``reading`` the files of a page or family of pages. Files beside
these folders have fixed addresses.
"""
