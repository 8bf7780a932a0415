"""Parsing at the border: JSON bodies, query strings and the fields of request schemas.

This package knows shapes and no rules: a game declares its requests with these fields.
"""
