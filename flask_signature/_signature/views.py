"""The function that an author wrote, below the decorators, and where it is."""

from __future__ import annotations

import functools
import inspect
import os
import sys
import typing as t
from contextlib import suppress
from dataclasses import dataclass

from flask.views import MethodView

from .._common import name_set

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import FrameType

    from flask.views import View

#: The kinds of arguments that may be passed by position, one value each.
BY_POSITION: t.Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


@dataclass(frozen=True, slots=True)
class ViewCallable:
    """The function behind a view, whose signature and docstring count.

    :param function: the innermost function.
    :param signature: of the view as it is called, without ``self``.
    :param name: as messages show it: ``"show_user()"``, ``"Users.get()"``.
    :param wrapped: whether a decorator is around the function, which may supply
        arguments of its own.
    :param bound: the arguments that ``functools.partial`` has decided.
    :param wrappers: the decorators around the function, from the outside in.
    :param view_class: the class of a method, ``None`` for a function.
    :param attribute: the name of a method in its class, empty for a function.
    """

    function: Callable[..., t.Any]
    signature: inspect.Signature
    name: str
    wrapped: bool
    bound: frozenset[str]
    wrappers: tuple[t.Any, ...] = ()
    view_class: t.Any = None
    attribute: str = ""

    @property
    def positional(self) -> tuple[str, ...]:
        """The arguments that may be passed by position."""
        return tuple(item.name for item in self._parameters if item.kind in BY_POSITION)

    @property
    def takes_more(self) -> bool:
        """Whether it has ``*args``."""
        kind = inspect.Parameter.VAR_POSITIONAL
        return any(item.kind is kind for item in self._parameters)

    def name_arguments(
        self, args: tuple[t.Any, ...], view_args: dict[str, t.Any]
    ) -> tuple[dict[str, t.Any], tuple[t.Any, ...]]:
        """The arguments by name, some of which are passed by position.

        Also those that have no name, of ``*args``.

        :param args: what is passed by position.
        :raises TypeError: if there are too many, or one is passed by name, too.
        """
        names = self.positional
        if len(args) > len(names) and not self.takes_more:
            raise TypeError(
                f"{self.name} takes {len(names)} positional arguments but {len(args)}"
                " were given"
            )
        named = dict(zip(names, args, strict=False))
        for name in named.keys() & view_args.keys():
            raise TypeError(f"{self.name} got multiple values for {name!r}")
        return {**named, **view_args}, args[len(names) :]

    @property
    def _parameters(self) -> Iterable[inspect.Parameter]:
        return self.signature.parameters.values()


def unwrap_view(view: Callable[..., t.Any], method: str) -> ViewCallable:
    """The function behind a view, for one method.

    A class-based view has a function per method; a decorator made with
    ``functools.wraps``, a ``functools.partial`` and an object with ``__call__`` lead to
    the function inside.
    """
    view_class = getattr(view, "view_class", None)
    if isinstance(view_class, type):
        return _unwrap_method(view_class, method)
    if inspect.isfunction(view) and not hasattr(view, "__wrapped__"):
        name = f"{view.__name__}()"
        return ViewCallable(view, signature_of(view), name, False, name_set(()))
    layers = layers_of(view)
    function = layers[-1]
    name = getattr(function, "__name__", type(view).__name__)
    if name == "__call__":
        name = type(view).__name__
    return ViewCallable(
        function,
        signature_of(view),
        f"{name}()",
        _is_wrapped(layers),
        bound_by(layers),
        wrappers=tuple(layers[:-1]),
    )


def find_hidden_view(wrapper: t.Any) -> tuple[Callable[..., t.Any], str] | None:
    """The function in a wrapper that was made without ``functools.wraps``.

    Beside it is what to write for it to be found.

    Such a wrapper takes any arguments, and nothing but its closure leads to the view.
    """
    cells = getattr(wrapper, "__closure__", None)
    if not cells or hasattr(wrapper, "__wrapped__"):
        return None
    kinds = [item.kind for item in signature_of(wrapper).parameters.values()]
    if kinds != [inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD]:
        return None
    found: dict[str, t.Any] = {}
    for name, cell in zip(wrapper.__code__.co_freevars, cells, strict=True):
        # A variable that has no value yet, such as a function that calls itself.
        with suppress(ValueError):
            if inspect.isfunction(cell.cell_contents):
                found[name] = cell.cell_contents
    if len(found) != 1:
        return None
    (name,) = found
    return found[name], (
        f"Put '@functools.wraps({name})' above 'def {wrapper.__name__}' in the"
        " decorator."
    )


def takes_any_keyword(view_callable: ViewCallable) -> bool:
    """Whether a view has ``**kwargs``, where URL variables may go."""
    kind = inspect.Parameter.VAR_KEYWORD
    parameters = view_callable.signature.parameters.values()
    return any(item.kind is kind for item in parameters)


def _unwrap_method(view_class: type[View], method: str) -> ViewCallable:
    attribute = method_attribute(view_class, method)
    function = getattr(view_class, attribute)
    signature = signature_of(function)
    static = inspect.getattr_static(view_class, attribute)
    is_bound = hasattr(type(static), "__get__")
    if is_bound and not isinstance(static, (staticmethod, classmethod)):
        signature = _without_self(signature)
    partial = isinstance(static, functools.partialmethod)
    layers = layers_of(static.func if partial else function)
    bound = bound_by([*layers, *([static] if partial else [])])
    return ViewCallable(
        layers[-1],
        signature,
        f"{view_class.__name__}.{attribute}()",
        _is_wrapped(layers) or bool(view_class.decorators) or chooses(view_class),
        bound,
        wrappers=tuple(layers[:-1]),
        view_class=view_class,
        attribute=attribute,
    )


def chooses(view_class: type) -> bool:
    """Whether a class has a ``dispatch_request()`` of its own that calls its methods.

    It may call any of them, and pass whatever it likes, as a decorator may.
    """
    is_usual = getattr(view_class, "dispatch_request", None) in (
        MethodView.dispatch_request,
        None,
    )
    return issubclass(view_class, MethodView) and not is_usual


def method_attribute(view_class: type, method: str) -> str:
    """The name of the function that a class-based view has for a method of HTTP."""
    if not issubclass(view_class, MethodView):
        return "dispatch_request"
    names = (method.lower(), "get" if method == "HEAD" else "", "dispatch_request")
    return next(name for name in names if name and hasattr(view_class, name))


def _without_self(signature: inspect.Signature) -> inspect.Signature:
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].kind in BY_POSITION:
        parameters = parameters[1:]
    return signature.replace(parameters=parameters)


def layers_of(view: t.Any) -> list[t.Any]:
    """A view and everything that it wraps, from the outside in."""
    layers: list[t.Any] = []
    inside = view
    # An attribute "__wrapped__" that was set by hand may lead back.
    while inside is not None and not any(inside is layer for layer in layers):
        layers.append(inside)
        inside = _inside(inside)
    return layers


def _inside(view: t.Any) -> t.Any:
    """What a callable wraps, ``None`` where it wraps nothing."""
    if isinstance(view, functools.partial):
        return view.func
    if hasattr(view, "__wrapped__"):
        return view.__wrapped__
    if inspect.ismethod(view):
        return view.__func__
    # The __call__ of classes and of C objects is no function, and has no annotations.
    call = None if inspect.isfunction(view) else type(view).__call__
    return call if inspect.isfunction(call) else None


def _is_wrapped(layers: t.Iterable[t.Any]) -> bool:
    return any(hasattr(layer, "__wrapped__") for layer in layers)


def bound_by(layers: t.Iterable[t.Any]) -> frozenset[str]:
    """The arguments that the partials among some layers have decided."""
    kinds = (functools.partial, functools.partialmethod)
    partials = [layer for layer in layers if isinstance(layer, kinds)]
    return name_set(name for partial in partials for name in partial.keywords)


def signature_of(view: Callable[..., t.Any]) -> inspect.Signature:
    try:
        # Python 3.14 evaluates annotations when they are asked for. They are read with
        # read_hints(), which can say which name is missing.
        if sys.version_info >= (3, 14):
            import annotationlib

            return inspect.signature(
                view, annotation_format=annotationlib.Format.STRING
            )
        return inspect.signature(view)
    except ValueError:
        # A callable written in C without a signature gets what the URL provides.
        return inspect.signature(lambda **kwargs: None)


#: The packages that are between an author's call and an error in it.
BETWEEN: t.Final = frozenset({"contextlib", "flask", "flask_signature"})


def locate(rule: str, problem: str, view_callable: ViewCallable) -> str:
    """A problem with the rule before it, and the file and line of the view after it.

    :param rule: the method and the path: ``"GET /users/{user_id}"``.
    """
    return f"{rule}: {problem} ({source_location(view_callable.function)})"


def source_location(function: t.Callable[..., t.Any]) -> str:
    """The file and line of a function or a class: ``"shop/users.py, line 41"``."""
    code = getattr(function, "__code__", None)
    if code is None:
        return _class_location(function) or f"{function!r}"
    return _show_place(code.co_filename, code.co_firstlineno)


def _class_location(cls: t.Any) -> str:
    """The file and line of a class, ``""`` where they can't be found."""
    try:
        file, (_, line) = inspect.getsourcefile(cls), inspect.findsource(cls)
    except (OSError, TypeError):
        return ""
    return _show_place(file or "", line + 1)


def calling_location() -> str:
    """The file and line of the author's call that is running: ``Blueprint(...)``."""
    frame = author_frame()
    return _show_place(frame.f_code.co_filename, frame.f_lineno)


def author_frame() -> FrameType:
    """The frame of the author's call that is running."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _package_of(frame) in BETWEEN:
        frame = frame.f_back
    return frame


def _package_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _show_place(file: str, line: int) -> str:
    path = os.path.relpath(file)
    return f"{file if path.startswith(os.pardir) else path}, line {line}"
