"""Compatibility of schemathesis with the installed pytest."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Provides an attribute that schemathesis writes and that pytest has removed."""
    if item.path.name == "test_schemathesis.py":
        vars(item)["_nodeid"] = item.nodeid
