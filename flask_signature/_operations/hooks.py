"""Functions that Flask calls around views, which are not parsed: they are refused.

A method that registers such a function goes in, one that looks at the function first
comes out. The application and the blueprint are decorated with :func:`checks_hooks`.
"""

from __future__ import annotations

import functools
import typing as t
from functools import partial

from ..exceptions import SignatureError
from ..params import SPECIAL_FUNCTIONS
from ..params import Location
from ..params import Param

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Iterator
    from collections.abc import Mapping

    from .._signature.unwrap import ViewCallable

C = t.TypeVar("C")
F = t.TypeVar("F")

#: The methods that take a hook as their one argument.
HOOKS: t.Final = (
    "before_request",
    "after_request",
    "teardown_request",
    "before_app_request",
    "after_app_request",
    "teardown_app_request",
    "context_processor",
    "app_context_processor",
    "url_value_preprocessor",
    "app_url_value_preprocessor",
    "url_defaults",
    "app_url_defaults",
    "teardown_appcontext",
)

#: The methods that return a decorator for a hook.
DECORATORS: t.Final = ("errorhandler", "app_errorhandler")

#: The method that takes a hook as its second argument.
REGISTER: t.Final = "register_error_handler"

#: The methods whose hooks may be dependencies instead.
BEFORE: t.Final = ("before_request", "before_app_request")

DEPENDENCIES: t.Final = (
    ", or give the function to dependencies= of the application or the blueprint."
)

#: What a hook reads instead of an argument, by the location of that.
SOURCES: t.Final = {
    Location.PATH: "flask.request.view_args",
    Location.QUERY: "flask.request.args",
    Location.HEADER: "flask.request.headers",
    Location.COOKIE: "flask.request.cookies",
    Location.BODY: "flask.request.get_json()",
    Location.FORM: "flask.request.form",
    Location.FILE: "flask.request.files",
}


def checks_hooks(cls: type[C]) -> type[C]:
    """The class, whose methods that register hooks refuse those with markers."""
    for name in (*HOOKS, *DECORATORS, REGISTER):
        original = getattr(cls, name, None)
        if original is not None:
            setattr(cls, name, _checked(cls, name, original))
    return cls


def _checked(cls: type, name: str, original: Callable[..., t.Any]) -> t.Any:
    """A method that checks a hook before it calls the one it stands for."""
    is_own = name in vars(cls)

    @functools.wraps(original)
    def register(self: t.Any, *args: t.Any, **kwargs: t.Any) -> t.Any:
        for value in (*args, *kwargs.values()):
            check_hook(name, value)
        # That of the base class may have been replaced since.
        method = partial(original, self) if is_own else getattr(super(cls, self), name)
        result = method(*args, **kwargs)
        return _checks_first(name, result) if name in DECORATORS else result

    return register


def _checks_first(name: str, decorator: Callable[[F], F]) -> Callable[[F], F]:
    """A decorator that checks a hook before it calls the one it stands for."""

    @functools.wraps(decorator)
    def register(function: F) -> F:
        check_hook(name, function)
        return decorator(function)

    return register


def check_hook(method: str, function: t.Any) -> None:
    """Refuse a hook that has a marker, which is an object to it and no value.

    :param method: that registers it, for a message.
    :param function: the hook; another argument of the method is let through.
    :raises SignatureError: if an argument has one.
    """
    if not _may_have_marker(function):
        return
    from .._signature.source import source_location
    from .._signature.unwrap import unwrap_view

    hook = unwrap_view(function, "")
    for name, marker in _markers(hook):
        place = source_location(hook.function)
        if not _is_location(marker):
            raise SignatureError(
                f"{method}(): {hook.name} declares {name!r} with a dependency or a"
                " security scheme, but only views have these. Give the function to"
                f" dependencies= of the application or the blueprint. ({place})"
            )
        is_called = isinstance(marker, Param)
        location = marker.location if is_called else Location(marker.__name__.lower())
        shown = f"{location.value.capitalize()}{'()' if is_called else ''}"
        raise SignatureError(
            f"{method}(): {hook.name} declares {name!r} with {shown}, but only views"
            f" are parsed. Remove {name!r}, and read it"
            f" from '{SOURCES.get(location, 'flask.request')}' in the function"
            f"{DEPENDENCIES if method in BEFORE else '.'}"
            f" ({place})"
        )


def _is_location(marker: t.Any) -> bool:
    """Whether a marker says where in the request an argument is read from."""
    return isinstance(marker, Param) or marker in SPECIAL_FUNCTIONS


def _may_have_marker(function: t.Any) -> bool:
    """Whether a function is worth a closer look: most hooks have no arguments."""
    if not callable(function) or isinstance(function, type):
        return False
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__"):
        return True
    return bool(code.co_argcount or code.co_kwonlyargcount)


def _markers(hook: ViewCallable) -> Iterator[tuple[str, t.Any]]:
    """The arguments of a hook that have a marker, or a special function itself."""
    from .._signature.hints import known_hints
    from .._signature.markers import find_special

    parameters = hook.signature.parameters.values()
    own = [item for item in parameters if item.name not in hook.bound]
    hints: Mapping[str, t.Any] = {}
    if any(item.annotation is not item.empty for item in own):
        hints = known_hints(hook.function)
    for item in own:
        found = find_special(hints.get(item.name, t.Any), item.default)
        if found is not None:
            yield item.name, found
