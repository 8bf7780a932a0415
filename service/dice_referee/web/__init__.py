"""The pages: playground, documentation and the embeddable element.

They are clients of the API. Their files lie in ``static`` and are served as they are: in ``shared``
those of all pages, in ``games`` the table of a game, in ``table`` the tables that people play at,
and in ``element``, ``playground`` and ``reading`` those of one page or family. Files beside these
folders have fixed addresses.
"""
