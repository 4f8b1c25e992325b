"""The names that Flask and Werkzeug give to what a view returns.

They are often imported for type checkers alone. The reader of annotations asks for one
that is not defined when the view is registered.
"""

from __future__ import annotations

import re
import types
import typing as t

from flask import typing as ft
from werkzeug.datastructures import Headers
from werkzeug.wrappers import Response

from .._types.sources import is_defined_in
from .._types.sources import source_of

if t.TYPE_CHECKING:
    from collections.abc import Iterator

#: What the aliases of ``flask.typing`` name without defining it when the program runs.
NAMED_BY_ALIASES: t.Final[dict[str, t.Any]] = {
    "Headers": Headers,
    "Response": Response,
    "WSGIApplication": t.Callable[..., t.Any],
}

#: The aliases of ``flask.typing`` for a return value and its parts.
ALIASES: t.Final[dict[str, t.Any]] = {
    name: getattr(ft, name)
    for name in ("HeaderValue", "HeadersValue", "ResponseReturnValue", "ResponseValue")
    if hasattr(ft, name)
}

_ALIASES = types.SimpleNamespace(__annotations__=ALIASES)

#: The types by their names, those that the aliases are made of among them.
TYPES: t.Final[dict[str, t.Any]] = {
    **t.get_type_hints(_ALIASES, NAMED_BY_ALIASES),
    **NAMED_BY_ALIASES,
    "BaseResponse": Response,
    "WerkzeugResponse": Response,
}

#: The modules that stand before the dot, as they are usually imported.
MODULES: t.Final = ("flask", "flask_typing", "ft", "typing", "werkzeug", "wrappers")

#: An import: ``from flask import (...)``, ``import flask.typing as ft``.
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<source>[\w.]+)[ \t]+)?import[ \t]+"
    r"(?P<names>\([^)]*\)|[^\n(]*)",
    re.MULTILINE,
)

#: The packages whose names these are.
OWNERS: t.Final = ("flask", "werkzeug", "_typeshed", "wsgiref")


class _Module:
    """Stands for a module of Flask or Werkzeug that is not imported."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> t.Any:
        if name in TYPES:
            return TYPES[name]
        if name in MODULES or name == "response":
            return self
        if name.startswith("__"):
            raise AttributeError(name)
        # Another module is meant, which is missing.
        raise NameError(f"name {self._name!r} is not defined", name=self._name)


def find_flask_name(
    name: str, function: t.Callable[..., t.Any], written: t.Any
) -> t.Any:
    """What a name means to Flask, ``None`` where it means nothing.

    :param function: that uses the name. Its module may define it later, or import it
        from elsewhere for type checkers.
    :param written: the return annotation, whose parts may be strings.
    """
    if name not in TYPES and name not in MODULES:
        return None
    if _names_itself(written, name) and _is_of_others(function, name):
        return None
    return TYPES[name] if name in TYPES else _Module(name)


def _is_of_others(function: t.Callable[..., t.Any], name: str) -> bool:
    """Whether a module defines a name, or imports it from a package of others."""
    source = source_of(function)
    if is_defined_in(source, name):
        return True
    packages = {package for bound, package in _imports(source) if bound == name}
    # A relative import, of no name before the dot, is from the function's own package.
    own = {function.__module__.partition(".")[0]} if "" in packages else set()
    return bool(packages) and (packages | own).isdisjoint(OWNERS)


def _imports(source: str) -> Iterator[tuple[str, str]]:
    """The names that a module imports, each with the package that it is from.

    ``import flask.typing as ft`` gives ``("ft", "flask")``.
    """
    for match in IMPORT.finditer(source):
        listed = re.sub(r"#.*", "", match["names"].strip("()"))
        for item in listed.split(","):
            path, _, bound = item.strip().partition(" as ")
            package = (match["source"] or path).partition(".")[0]
            whole = path if match["source"] else package
            yield bound.strip() or whole.strip(), package


def _names_itself(annotation: t.Any, name: str) -> bool:
    """Whether an annotation names something, and not an alias in it."""
    word = re.compile(rf"\b{name}\b")
    return any(word.search(string) for string in _strings(annotation))


def _strings(annotation: t.Any) -> Iterator[str]:
    """The strings in an annotation, without those of the aliases."""
    if isinstance(annotation, str):
        yield annotation
    elif isinstance(annotation, t.ForwardRef):
        if not any(annotation is reference for reference in REFERENCES):
            yield annotation.__forward_arg__
    else:
        for argument in t.get_args(annotation):
            yield from _strings(argument)


def _references(annotation: t.Any) -> Iterator[t.ForwardRef]:
    if isinstance(annotation, t.ForwardRef):
        yield annotation
    for argument in t.get_args(annotation):
        yield from _references(argument)


#: The references in the aliases, which are Flask's own whatever a module defines.
REFERENCES: t.Final = [
    reference for alias in ALIASES.values() for reference in _references(alias)
]
