"""The pages: playground, documentation and the embeddable element.

Clients of the API like any other. What they need is under ``static``; nothing is built.
"""
