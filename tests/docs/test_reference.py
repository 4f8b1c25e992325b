"""The reference has an entry for everything that a user may write or be shown."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing as t
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from docs.messages import messages, parts_of
from pages import DOCS
from pydantic_core import PydanticKnownError
from pydantic_core.core_schema import ErrorType
from sphinx.util.inventory import InventoryFile

import flask_signature
import flask_signature.errors
import flask_signature.security
import flask_signature.typing
from flask_signature._common import UNSET
from flask_signature._inbound.readers import CONTENT_TYPE_ERROR
from flask_signature._routing.declaration import (
    NOTHING_DECLARED,
    OPTIONS,
    SCOPE_OPTIONS,
)
from flask_signature._settings import PREFIX, Settings
from flask_signature.app import APP_OPTIONS
from flask_signature.openapi.routes import openapi_command
from flask_signature.security.schemes import TokenOptions
from flask_signature.typing import BodyOptions, FileOptions, HeaderOptions, QueryOptions

FIELD_OPTIONS: t.Final = (QueryOptions, HeaderOptions, BodyOptions, FileOptions)

#: Modules whose texts are a part of the description.
DESCRIBED: t.Final = ("openapi/content", "openapi/responses")

#: What no user can bring about.
INTERNAL: t.Final = {"There is nothing to await."}

REFERENCE: t.Final = DOCS / "reference"


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
    for name, value in vars(flask_signature.typing).items():
        is_ours = inspect.isclass(value) and "flask_signature" in value.__module__
        if is_ours and not name.startswith("_"):
            yield f"flask_signature.typing.{name}"


def methods(value: type) -> t.Iterator[str]:
    """The names of a class's own public methods and properties.

    What overrides a method of Flask's is in the documentation of Flask.
    """
    kinds = (FunctionType, classmethod, staticmethod, property)
    bases = [kind for kind in value.__mro__ if kind.__module__.startswith("flask.")]
    for name, member in vars(value).items():
        is_override = any(name in vars(base) for base in bases)
        if not (name.startswith("_") or is_override) and isinstance(member, kinds):
            yield name


@pytest.fixture(scope="session")
def entries(site: Path) -> set[str]:
    """The names that have an entry in the reference."""
    with (site / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, path: path)
    kinds = [kind for kind in inventory if kind.startswith("py:")]
    return {name for kind in kinds for name in inventory[kind]}


def sections(page: str) -> dict[str, str]:
    """The text below each heading of a page that is a name, by that name."""
    text = (REFERENCE / f"{page}.md").read_text(encoding="utf-8")
    parts = re.split(r"^#+ (.+)$", text, flags=re.MULTILINE)
    named = zip(parts[1::2], parts[2::2], strict=True)
    return {title.strip("`"): text for title, text in named if title[0] == "`"}


def field_of(section: str, name: str) -> str:
    """What a section says beside a name, ``""`` where it does not have it."""
    found = re.search(rf"^- \*\*{name}:\*\* (.+)$", section, re.MULTILINE)
    return found[1] if found else ""


def written(value: object) -> str:
    """The default of an option or a setting as Python writes it."""
    return f"`{value!r}`".replace("'", '"')


def default_of(field: dataclasses.Field[t.Any]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def test_each_public_name_has_an_entry(entries: set[str]) -> None:
    assert set(public_names()) - entries == set()


def test_each_option_of_a_route_has_an_entry_with_its_default() -> None:
    found = sections("options")

    assert set(found) == OPTIONS | {"fast_dispatch"}
    for name in OPTIONS:
        default = getattr(NOTHING_DECLARED, name)
        if default is not UNSET and default:
            assert field_of(found[name], "Default").startswith(written(default)), name
        assert field_of(found[name], "Type"), name


def test_the_entry_of_an_option_says_where_it_may_be_given() -> None:
    for name, section in sections("options").items():
        places = field_of(section, "Also for")
        assert ("blueprint" in places) == (name in SCOPE_OPTIONS), name
        assert ("application" in places) == (name in APP_OPTIONS), name


def test_each_option_of_a_special_function_has_an_entry() -> None:
    text = (REFERENCE / "parameters.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    found = {name for row in rows for name in re.findall(r"`(\w+)`", row)}

    keys = [kind.__required_keys__ | kind.__optional_keys__ for kind in FIELD_OPTIONS]
    assert found == set().union(*keys)


def test_each_option_of_a_security_scheme_has_an_entry() -> None:
    text = (REFERENCE / "security.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)

    assert set(found) == TokenOptions.__required_keys__ | TokenOptions.__optional_keys__


def test_each_setting_has_an_entry_with_its_default() -> None:
    found = sections("settings")
    fields = dataclasses.fields(Settings)
    settings = {PREFIX + item.name.upper(): item for item in fields}

    assert set(found) == set(settings)
    for name, item in settings.items():
        default = field_of(found[name], "Default")
        assert default.startswith(written(default_of(item))), name
        assert field_of(found[name], "Type"), name


def test_each_option_of_the_command_has_an_entry() -> None:
    options = {name for item in openapi_command([]).params for name in item.opts}

    assert set(sections("command")) == options | {"--help"}


def test_each_type_of_an_error_has_an_entry_with_its_message() -> None:
    text = (REFERENCE / "error-types.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^`].*) \|$", text, re.MULTILINE))
    ours = {CONTENT_TYPE_ERROR[0]: CONTENT_TYPE_ERROR[1]}
    known = t.get_args(ErrorType)

    assert set(rows) == {*known, *ours}
    assert {name: rows[name] for name in ours} == ours
    for name in known:
        assert rows[name] == message_template(name), name


def test_each_message_has_an_entry() -> None:
    pages = [REFERENCE / f"{name}.md" for name in ("messages", "command")]
    page = plain("".join(path.read_text(encoding="utf-8") for path in pages))

    known = {item.help for item in openapi_command([]).params} | INTERNAL

    missing = [
        f"{module}: {part}"
        for module, message in messages()
        if not module.startswith(DESCRIBED) and message not in known
        for part in parts_of(message)
        if plain(part) not in page
    ]
    assert missing == []


def plain(text: str) -> str:
    """A text without Markdown's backslashes, on one line."""
    return " ".join(text.replace("\\", "").split()).rstrip(".")


def message_template(name: str) -> str:
    """The message of one of Pydantic's errors, with names for its values."""
    context: dict[str, t.Any] = {}
    while True:
        try:
            return PydanticKnownError(name, context).message_template  # type: ignore[arg-type]
        except TypeError as error:
            # "greater_than: 'gt' required in context", and then of which type.
            missing = re.search(r"'(\w+)'", str(error))
            assert missing
            context[missing[1]] = "x" if missing[1] not in context else 1
