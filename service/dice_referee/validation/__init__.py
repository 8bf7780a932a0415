"""Parsing at the border: JSON bodies, query strings and the fields of request schemas.

This package contains shapes and no rules. A game declares its requests with its fields.
"""
