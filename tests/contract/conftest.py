"""Tests of schemathesis as pytest runs them today."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keeps an attribute that schemathesis writes and that pytest no longer has."""
    if item.path.name == "test_schemathesis.py":
        vars(item)["_nodeid"] = item.nodeid
