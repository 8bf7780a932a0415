"""Tests of schemathesis have ids of their own."""

import pytest
from schemathesis.pytest.plugin import SchemathesisFunction


def pytest_itemcollected(item: pytest.Item) -> None:
    """Adds the operation's name, which pytest no longer puts into ids."""
    if isinstance(item, SchemathesisFunction) and item.id.params is None:
        item._id = item.id.with_params(item.operation_label)
