"""The pages: playground, documentation and the embeddable element.

They are clients of the API. Their files lie in ``static`` and are served as they are.
"""
