"""An application and the requests that it gets, as plain data.

``drawing.py`` and ``drawing_requests.py`` draw them, ``building.py`` makes an
application of one with any classes, ``sending.py`` sends the requests.
"""

from __future__ import annotations

import typing as t

Options: t.TypeAlias = "dict[str, t.Any]"


class Function(t.NamedTuple):
    """A function of an application: what it does, and how it ends.

    :param label: what it is called in the record, ``"before_request:bp.1"``.
    :param steps: names of ``STEPS``.
    :param outcome: a name of ``OUTCOMES``, or of the table of its kind.
    """

    label: str
    steps: tuple[str, ...] = ()
    outcome: str = "none"
    is_async: bool = False


class Hook(t.NamedTuple):
    """A function that Flask calls: ``"before_request"``, ``"teardown_appcontext"``."""

    kind: str
    function: Function


class ErrorHandler(t.NamedTuple):
    """A function for an error: ``404``, or a name of ``ERRORS``."""

    key: int | str
    function: Function
    is_for_app: bool = False


class Rule(t.NamedTuple):
    rule: str
    endpoint: str
    function: Function
    options: Options = {}


class Blueprint(t.NamedTuple):
    """A blueprint, with the options of its constructor, and those inside of it."""

    name: str
    options: Options = {}
    hooks: tuple[Hook, ...] = ()
    handlers: tuple[ErrorHandler, ...] = ()
    rules: tuple[Rule, ...] = ()
    children: tuple[Blueprint, ...] = ()


class Receiver(t.NamedTuple):
    """A function that is connected to a signal, and raises or not."""

    signal: str
    outcome: str = "none"


class Override(t.NamedTuple):
    """A method that is overridden or patched.

    :param where: ``"subclass"``, ``"instance"``, ``"class"`` (of Flask, for the time of
        the requests), or ``"context"`` (a class of ``flask.ctx``).
    """

    name: str
    where: str


class Change(t.NamedTuple):
    """What changes before the request of that number: a name of ``CHANGES``."""

    before: int
    kind: str
    name: str = ""


class Request(t.NamedTuple):
    """One request, and the way it takes: a name of ``WAYS``."""

    way: str = "wsgi"
    method: str = "GET"
    path: str = "/"
    base_url: str = "http://localhost/"
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    data: bytes | None = None
    environ: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    cookies: tuple[str, ...] = ()
    within: str = ""
    reads: str = "all"


class Application(t.NamedTuple):
    options: Options = {}
    #: Whether an application of ours has the default status of Flask.
    is_plain: bool = False
    config: Options = {}
    classes: tuple[str, ...] = ()
    overrides: tuple[Override, ...] = ()
    hooks: tuple[Hook, ...] = ()
    handlers: tuple[ErrorHandler, ...] = ()
    rules: tuple[Rule, ...] = ()
    blueprints: tuple[Blueprint, ...] = ()
    receivers: tuple[Receiver, ...] = ()
    middleware: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    #: Views of ours, by name, and whether ``init_app()`` is called.
    typed: tuple[str, ...] = ()
    is_initialized: bool = False
    #: What each event records of the request: names of ``LOOKS``.
    looks: tuple[str, ...] = ()
    requests: tuple[Request, ...] = ()
