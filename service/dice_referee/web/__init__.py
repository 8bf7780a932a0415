"""The pages: playground, documentation and the embeddable element.

They are clients of the API. Their files in ``static`` are served to browsers: ``shared`` has the
files of all pages, ``games`` the table of each game, ``table`` the tables at which people play,
``text`` their text mode, and ``element``, ``playground`` and ``reading`` the files of a page or
family of pages. Files beside these folders have fixed addresses.
"""
