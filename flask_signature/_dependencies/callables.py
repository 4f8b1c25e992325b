"""A dependency as its author gave it: what is called, its signature and its kind."""

from __future__ import annotations

import contextlib
import inspect
import typing as t
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from types import MethodType

from pydantic.dataclasses import is_pydantic_dataclass
from typing_extensions import is_typeddict
from werkzeug.wrappers import Response

from .._common import UNSET
from .._inbound.compile import parts_of
from .._inbound.readers import environ_key
from .._signature.argument import EMPTY, path_name, request_paths
from .._signature.hints import known_hints, read_hints
from .._signature.reader import (
    MARKER_FUNCTIONS,
    MARKERS,
    call_of,
    find_special,
    is_scheme_class,
    read_signature,
)
from .._signature.views import (
    ViewCallable,
    bound_by,
    layers_of,
    signature_of,
    source_location,
    unwrap_view,
)
from .._types.annotations import (
    is_anything,
    is_base_model,
    is_class,
    members,
    show_type,
    unwrap,
)
from ..exceptions import SignatureError
from ..params import Location, check_framework
from ..security import Requirement, SecurityScheme

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping

    from pydantic.fields import FieldInfo

    from .._signature.argument import Argument, Signature
    from ..dependencies import DependencyMarker

#: What a dependency returns when it is called: a value, or what has to be run first.
#: What a decorated generator function returns is looked at: it may be either.
CallableKind: t.TypeAlias = t.Literal[
    "value", "generator", "coroutine", "asynchronous generator", "unknown"
]

#: The kinds that run until their first value, and go on when they are closed.
GENERATORS: t.Final[frozenset[CallableKind]] = frozenset(
    {"generator", "asynchronous generator", "unknown"}
)

#: The kinds that an event loop runs.
ASYNCHRONOUS_KINDS: t.Final[frozenset[CallableKind]] = frozenset(
    {"coroutine", "asynchronous generator"}
)


def find_function(
    marker: DependencyMarker, annotation: t.Any, *, shown: str
) -> t.Callable[..., t.Any]:
    """What a marker means to be called: its function, or the annotated class.

    :param shown: the argument, for messages: ``"'db' of show()"``.
    :raises SignatureError: if it is none.
    """
    function = marker.dependency
    if function is UNSET:
        function = unwrap(annotation)
        if not _makes_objects(function):
            raise SignatureError(
                f"{shown} is declared with Depends(), which names no function, and its"
                " annotation is no class to make an object of. Write"
                " Depends(function)."
            )
    check_function(function, shown=shown)
    return t.cast("t.Callable[..., t.Any]", function)


def _makes_objects(annotation: t.Any) -> bool:
    """Whether an annotation is a class of the author's, and may be called."""
    cls = class_of(annotation)
    if cls is None or cls is EMPTY or is_anything(annotation):
        return False
    return cls.__module__ != "builtins" and not inspect.isabstract(cls)


def check_function(function: t.Any, *, shown: str) -> None:
    """Refuse what is no dependency.

    :param shown: who asks for it, for messages.
    :raises SignatureError: if it is a model, a security scheme, or can't be called.
    """
    check_framework(shown, function)
    is_scheme = isinstance(function, (SecurityScheme, Requirement))
    if is_scheme or is_scheme_class(function):
        raise SignatureError(
            f"{shown} depends on a security scheme. Write Annotated[User, scheme] in a"
            " signature, or security=scheme on a route or a blueprint."
        )
    if inspect.isfunction(function) and function in MARKER_FUNCTIONS:
        name = function.__name__
        raise SignatureError(
            f"{shown} depends on {name}, which was not called. Write Depends(function)."
        )
    if isinstance(function, MARKERS) or not callable(function):
        raise SignatureError(
            f"{shown} depends on {_show_callable(function)}, which can't be called."
            " Give the function itself, without the parentheses of a call:"
            " Depends(function)."
        )
    cls: t.Any = class_of(function)
    if is_base_model(cls) or is_pydantic_dataclass(cls) or is_typeddict(cls):
        name = function.__name__
        raise SignatureError(
            f"{shown} depends on the model {name}, so that a value of the request that"
            f" does not fit would be an error of the server. Write Annotated[{name},"
            " Query()]."
        )
    if _is_unbound(function):
        owner, method = function.__qualname__.split(".")[-2:]
        raise SignatureError(
            f"{shown} depends on {owner}.{method}(), a method of no object. Name that"
            f" of one: Depends({owner}().{method})."
        )
    if decorator := _context_manager_of(function):
        raise SignatureError(
            f"{shown} depends on {unwrap_dependency(function).name}, which is decorated"
            f" with {decorator}. Remove the decorator: a generator function is a"
            " dependency as it is."
        )


def check_overridden(dependency: t.Any) -> None:
    """Refuse a key that would leave a test without the fake that it asks for."""
    if isinstance(dependency, SecurityScheme):
        return
    is_requirement = isinstance(dependency, Requirement)
    is_alias = t.get_origin(dependency) is t.Annotated
    if is_requirement or is_alias or not callable(dependency):
        raise SignatureError(
            "dependency_overrides has a key that nothing depends on. Use the function"
            " or the class that is called, or a security scheme: 'login' instead of"
            " 'login.scopes(...)', and 'login', 'token' or both instead of 'login |"
            " token'."
        )


def _show_callable(value: object) -> str:
    """A value for a message, which may be long or secret: its type alone."""
    if isinstance(value, MARKERS):
        return call_of(value)
    return "None" if value is None else f"a value of type {type(value).__name__!r}"


def _is_unbound(function: t.Any) -> bool:
    """Whether a function is a method that was taken from its class."""
    if not inspect.isfunction(function):
        return False
    owner = function.__qualname__.rpartition(".")[0]
    if not owner or owner.endswith("<locals>"):
        return False
    return next(iter(inspect.signature(function).parameters), "") == "self"


def _context_manager_of(function: t.Any) -> str:
    """The decorator that makes context managers of a generator, ``""`` without one."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_filename != contextlib.__file__:
        return ""
    is_asynchronous = inspect.isasyncgenfunction(layers_of(function)[-1])
    return "asynccontextmanager" if is_asynchronous else "contextmanager"


def unwrap_dependency(function: t.Callable[..., t.Any]) -> ViewCallable:
    """The function behind a dependency, whose signature counts.

    That of a class is the function that makes its instances.
    """
    cls = class_of(function)
    if cls is None:
        return unwrap_view(function, "GET")
    init: t.Any = cls.__init__  # type: ignore[misc]
    new: t.Any = cls.__new__
    has_new = init is object.__init__ and new is not object.__new__
    maker = new if has_new else init
    # A class without such a function has nothing to be read.
    is_written = inspect.isfunction(maker)
    called = function if isinstance(function, partial) else cls
    return ViewCallable(
        maker if is_written else cls,
        signature_of(called) if is_written else inspect.Signature(),
        f"{cls.__name__}()",
        hasattr(maker, "__wrapped__"),
        bound_by(layers_of(function)),
    )


def class_of(function: t.Any) -> type | None:
    """The class that is called, ``None`` where it is no class: ``list[int]`` is one."""
    while isinstance(function, partial):
        function = function.func
    cls = t.get_origin(function) or function
    return cls if isinstance(cls, type) and callable(function) else None


def kind_of(function: t.Callable[..., t.Any]) -> CallableKind:
    """What a dependency returns when it is called."""
    if class_of(function) is not None:
        return "value"
    outer: t.Any = function
    while isinstance(outer, partial):
        outer = outer.func
    if not inspect.isroutine(outer):
        # An object, whose class has the function that runs.
        outer = type(outer).__call__
    if (kind := _own_kind(outer)) is not None:
        return kind
    inner = _own_kind(layers_of(outer)[-1])
    # What a decorated generator function returns, its decorator decides.
    return "unknown" if inner == "generator" else inner or "value"


def _own_kind(function: t.Any) -> CallableKind | None:
    if inspect.iscoroutinefunction(function):
        return "coroutine"
    if inspect.isasyncgenfunction(function):
        return "asynchronous generator"
    return "generator" if inspect.isgeneratorfunction(function) else None


#: The locations that a view alone reads, as messages show them.
BODIES: t.Final = {
    Location.BODY: "the body",
    Location.FORM: "a form",
    Location.FILE: "a file",
}


def read_function(
    view_callable: ViewCallable,
    *,
    provided: Collection[str],
    namespace: Mapping[str, t.Any] | None,
    credentials: int = 0,
) -> Signature:
    """What a dependency takes.

    :param provided: the names that the URL provides.
    :param namespace: the local names around the view.
    :param credentials: so many of its arguments are credentials, the first ones.
    :raises SignatureError: if that can't be read, with the place of the function.
    """
    given = _first(view_callable, credentials)
    is_local = "<locals>" in getattr(view_callable.function, "__qualname__", "")
    try:
        signature = read_signature(
            replace(view_callable, bound=view_callable.bound | given),
            method="GET",
            provided=provided,
            namespace=namespace if is_local else None,
            registered="view",
        )
        _check(signature)
    except SignatureError as error:
        place = source_location(view_callable.function)
        name = view_callable.name
        message = f"{error} The dependency {name} is in {place}."
        raise SignatureError(message) from error.__cause__
    _check_credentials(view_callable, given, namespace if is_local else None)
    return signature


def _first(view_callable: ViewCallable, credentials: int) -> frozenset[str]:
    """The names of the arguments that are given by position.

    :raises SignatureError: if there are not as many.
    """
    names = view_callable.positional
    if len(names) < credentials and not view_callable.takes_more:
        what = (
            "a credential, but does not take it. Make it the first of its arguments."
            if credentials == 1
            else "a user name and a password, but does not take both. Make them the"
            " first of its arguments."
        )
        raise SignatureError(f"{view_callable.name} verifies {what}")
    return frozenset(names[:credentials])


def _check_credentials(
    view_callable: ViewCallable,
    given: Collection[str],
    namespace: Mapping[str, t.Any] | None,
) -> None:
    """Refuse a credential where a marker says that something else is meant."""
    if not given:
        return
    hints, _ = read_hints(view_callable, namespace, registered="view")
    parameters = view_callable.signature.parameters
    for name in sorted(given):
        marker = find_special(hints.get(name, EMPTY), parameters[name].default)
        if marker is not None:
            raise SignatureError(
                f"{name!r} of {view_callable.name} is given a credential, for it is"
                f" among the first arguments, but is declared with {call_of(marker)}."
                " Put the credentials first."
            )


def _check(signature: Signature) -> None:
    for argument in signature.arguments:
        if argument.location in BODIES:
            raise SignatureError(
                f"{argument.name!r} of {signature.view} is read from"
                f" {BODIES[argument.location]}, which a dependency can't read: a"
                " request has one body, and that is the view's. Read it in the view."
            )
    for name in sorted(signature.injected | signature.optional):
        raise SignatureError(
            f"{name!r} of {signature.view} is declared with Injected(), but a"
            " dependency gets nothing from callers. Declare it in the view, or write"
            " Depends()."
        )
    # What can't be read is said of this function, and not of the views that use it.
    arguments = [
        item for item in signature.arguments if item.location is not Location.PATH
    ]
    parts_of(signature.view, arguments)


def paths_of(argument: Argument) -> list[list[str | int]]:
    """The paths to an argument; the names of headers without regard to case.

    A model whose fields have names of their own has none.
    """
    if argument.has_field_names:
        return [[""]]
    if argument.location is Location.PATH:
        return [[path_name(argument)]]
    paths = request_paths(argument)
    if argument.location is not Location.HEADER:
        return paths
    return [[environ_key(str(first)), *rest] for first, *rest in paths]


def are_alike(one: Argument, other: Argument) -> bool:
    """Whether two arguments of one location have the same name, type and default."""
    has_same_names = paths_of(one) == paths_of(other)
    has_same_style = one.marker.style == other.marker.style
    # The field has what else is in Annotated, whoever it is from.
    first, second = (
        item.__origin__ if t.get_origin(item) is t.Annotated else item
        for item in (one.type.annotation, other.type.annotation)
    )
    # int | None and Optional[int] are equal, and objects of different classes.
    if not (has_same_names and has_same_style and bool(first == second)):
        return False
    return _are_same_fields(one.field, other.field)


def _are_same_fields(one: FieldInfo, other: FieldInfo) -> bool:
    names = ("default", "default_factory", "validate_default", "discriminator")
    same = all(_are_equal(getattr(one, name), getattr(other, name)) for name in names)
    if not same or len(one.metadata) != len(other.metadata):
        return False
    pairs = zip(one.metadata, other.metadata, strict=True)
    return all(_are_equal(*pair) or _have_equal_attributes(*pair) for pair in pairs)


def _have_equal_attributes(one: object, other: object) -> bool:
    """Whether two objects without an equality of their own were made alike.

    Those of Pydantic for a pattern and other constraints are such.
    """
    attributes = getattr(one, "__dict__", None)
    same_type = type(one) is type(other) and type(one).__eq__ is object.__eq__
    return same_type and bool(attributes) and _are_equal(attributes, vars(other))


def _are_equal(one: t.Any, other: t.Any) -> bool:
    if one is other:
        return True
    try:
        return type(one) is type(other) and bool(one == other)
    except Exception:
        # A default may be of any class, and refuse to be compared.
        return False


def differing(one: Argument, other: Argument) -> str:
    name = request_paths(other)[0][0]
    return (
        f"{one.name!r} of {one.owner} and {other.name!r} of {other.owner} are both read"
        f" from {name!r} of the {other.location.value}, but declared differently. Give"
        " them the same type, constraints and default"
        f"{'' if other.location is Location.PATH else ', or one of them an alias'}."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Identity:
    """The key of an object, equal for that object alone."""

    of: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.of is self.of

    def __hash__(self) -> int:
        return id(self.of)


def key_of(function: t.Any) -> Hashable:
    """What is equal for two callables that mean the same dependency.

    Their own equality does not count: tuples of two classes may be equal.
    """
    if isinstance(function, MethodType):
        return MethodType, key_of(function.__func__), Identity(function.__self__)
    if t.get_origin(function) is not None:
        return _value_key(function)
    key = _dataclass_key(function)
    return Identity(function) if key is None else key


def _dataclass_key(value: t.Any) -> Hashable | None:
    """The key of a frozen dataclass, by all that it consists of; ``None`` otherwise."""
    cls = type(value)
    options = vars(cls).get("__dataclass_params__")
    is_builtin = any(base.__module__ == "builtins" for base in cls.__mro__[:-1])
    if options is None or not (options.frozen and options.eq) or is_builtin:
        return None
    # What __post_init__() adds counts, but for what is computed when it is asked for.
    names = {item.name for item in fields(value)} | {*getattr(value, "__dict__", ())}
    kept = [
        (name, _value_key(getattr(value, name, None)))
        for name in sorted(names)
        if not isinstance(getattr(cls, name, None), (property, cached_property))
    ]
    return cls, tuple(kept)


def _value_key(value: t.Any) -> Hashable:
    """What is equal for two values of the same type and value, also inside of them."""
    cls = type(value)
    if t.get_origin(value) is not None:
        inside = map(_value_key, t.get_args(value))
        return cls, _value_key(t.get_origin(value)), tuple(inside)
    if isinstance(value, tuple):
        return cls, tuple(map(_value_key, value))
    if isinstance(value, frozenset):
        return cls, frozenset(map(_value_key, value))
    if (key := _dataclass_key(value)) is not None:
        return key
    try:
        hash(value)
    except TypeError:
        return Identity(value)
    return cls, value


def check_annotation(guard: Callable[..., t.Any]) -> None:
    """Refuse a guard that can return nothing but a refusal, which is not read.

    :raises SignatureError: if its annotation says so.
    """
    view_callable = unwrap_dependency(guard)
    annotation = known_hints(view_callable.function).get("return", t.Any)
    if isinstance(guard, type):
        annotation = guard
    elif kind_of(guard) in GENERATORS:
        annotation, *_ = *t.get_args(annotation), t.Any
    returned = members(annotation)
    if all(map(_is_refusal, returned)):
        shown = " | ".join(map(show_type, returned))
        raise SignatureError(
            f"{view_callable.name} is in dependencies=, but can return nothing but"
            f" {shown!r}, which refuses no request. Raise an exception, or call"
            " abort()."
        )


def _is_refusal(annotation: t.Any) -> bool:
    """Whether a type is that of a response, of an exception, or of ``False``."""
    arguments, origin = t.get_args(annotation), t.get_origin(annotation)
    if origin is tuple:
        return len(arguments) in (2, 3) and arguments[1] is int
    if origin is t.Literal:
        return all(item is False for item in arguments)
    return is_class(annotation) and issubclass(annotation, (Response, BaseException))
