"""The pages: playground, documentation and the embeddable element.

They are clients of the API. Their files in ``static`` are served to browsers. Files beside these
folders have fixed addresses.
"""
