"""The reference has an entry for everything that a user may write or be shown."""

from __future__ import annotations

import inspect
import typing as t
from pathlib import Path
from types import FunctionType
from types import ModuleType

import pytest
from sphinx.util.inventory import InventoryFile

import flask_signature
import flask_signature.errors
import flask_signature.security
import flask_signature.typing


def public_names() -> t.Iterator[str]:
    """The names of the public modules, with the public members of their classes."""
    security, errors = flask_signature.security, flask_signature.errors
    modules: list[ModuleType] = [security, errors, flask_signature]
    for module in modules:
        for name in module.__all__:
            value = getattr(module, name)
            if module is flask_signature and name in security.__all__:
                continue
            yield f"{module.__name__}.{name}"
            if inspect.isclass(value):
                yield from (f"{module.__name__}.{name}.{key}" for key in methods(value))


def methods(value: type) -> t.Iterator[str]:
    """The names of a class's own public methods and properties."""
    kinds = (FunctionType, classmethod, staticmethod, property)
    for name, member in vars(value).items():
        if not name.startswith("_") and isinstance(member, kinds):
            yield name


@pytest.fixture(scope="session")
def entries(site: Path) -> set[str]:
    """The names that have an entry in the reference."""
    with (site / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, path: path)
    return {
        name for kind, found in inventory.items() if kind[:3] == "py:" for name in found
    }


def test_each_public_name_has_an_entry(entries: set[str]) -> None:
    assert set(public_names()) - entries == set()
