"""The signature of a view under one rule and method: the only reader of signatures."""

from __future__ import annotations

import functools
import inspect
import re
import sys
import typing as t
from dataclasses import dataclass

from pydantic import AliasChoices
from pydantic import AliasPath
from pydantic import Field
from pydantic.fields import FieldInfo

from ._annotations import ALIASES
from ._annotations import Shape
from ._annotations import members
from ._annotations import shapes_of
from ._annotations import with_upload_file
from .exceptions import SignatureError
from .params import UNDEFINED_TYPE
from .params import Location
from .params import Param

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Iterable
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask.views import View

#: No annotation at all, which is not the same as ``None``.
EMPTY: t.Final = inspect.Parameter.empty

#: The methods whose arguments are read from the body unless told otherwise.
BODY_METHODS: t.Final = frozenset({"POST", "PUT", "PATCH"})


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of one view under one rule.

    :param name: its name in Python.
    :param location: where in the request it is read from.
    :param annotation: its type as it was written, metadata included; ``Any`` if none.
    :param fields: what its special function and its default say, to follow the type.
    :param field: its default, aliases and constraints, merged by Pydantic.
    :param marker: what the special function was told beyond that.
    """

    name: str
    location: Location
    annotation: t.Any
    fields: tuple[FieldInfo, ...]
    field: FieldInfo
    marker: Param

    @property
    def required(self) -> bool:
        """Whether a request without it is refused."""
        return self.field.is_required()

    @property
    def untyped(self) -> bool:
        """Whether any value will do, as it came."""
        return self.annotation is t.Any


@dataclass(frozen=True, slots=True)
class Signature:
    """What a view takes from a request, and what it says it returns.

    :param view: the name of the view, as messages show it: ``"show_user()"``.
    :param arguments: the arguments that are read from the request, in their order.
    :param returns: the return annotation, ``EMPTY`` where there is none.
    """

    view: str
    arguments: tuple[Argument, ...]
    returns: t.Any


@dataclass(frozen=True, slots=True)
class Subject:
    """The function whose signature counts, found behind what wraps it.

    :param function: the innermost function.
    :param signature: of the view as it is called, without ``self``.
    :param name: as messages show it: ``"show_user()"``, ``"Users.get()"``.
    :param wrapped: whether a decorator stands around the function, which may supply
        arguments of its own.
    :param bound: the arguments that ``functools.partial`` has decided.
    """

    function: Callable[..., t.Any]
    signature: inspect.Signature
    name: str
    wrapped: bool
    bound: frozenset[str]


def find_subject(view: Callable[..., t.Any], method: str) -> Subject:
    """The function behind a view, for one method.

    A class-based view has a function per method; a decorator made with
    ``functools.wraps``, a ``functools.partial`` and an object with ``__call__`` stand
    for the function inside.
    """
    view_class = getattr(view, "view_class", None)
    if view_class is not None:
        return _method_subject(view_class, method)
    function, bound = _innermost(view)
    name = getattr(function, "__name__", type(view).__name__)
    return Subject(
        function, _signature_of(view), f"{name}()", hasattr(view, "__wrapped__"), bound
    )


def _method_subject(view_class: type[View], method: str) -> Subject:
    attribute = _method_attribute(view_class, method)
    function = getattr(view_class, attribute)
    signature = _signature_of(function)
    if not isinstance(inspect.getattr_static(view_class, attribute), staticmethod):
        signature = _without_self(signature)
    name = f"{view_class.__name__}.{attribute}()"
    wrapped = hasattr(function, "__wrapped__") or bool(view_class.decorators)
    return Subject(_innermost(function)[0], signature, name, wrapped, frozenset())


def _method_attribute(view_class: type, method: str) -> str:
    names = (method.lower(), "get" if method == "HEAD" else "", "dispatch_request")
    return next(name for name in names if name and hasattr(view_class, name))


def _without_self(signature: inspect.Signature) -> inspect.Signature:
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].kind not in (
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    ):
        parameters = parameters[1:]
    return signature.replace(parameters=parameters)


def _innermost(view: t.Any) -> tuple[Callable[..., t.Any], frozenset[str]]:
    """The function inside, and the names that ``functools.partial`` has bound."""
    bound: set[str] = set()
    while not (inspect.isfunction(view) or inspect.isbuiltin(view)) or hasattr(
        view, "__wrapped__"
    ):
        if isinstance(view, functools.partial):
            bound |= view.keywords.keys()
            view = view.func
        elif hasattr(view, "__wrapped__"):
            view = view.__wrapped__
        elif inspect.ismethod(view):
            view = view.__func__
        else:
            view = type(view).__call__
    return view, frozenset(bound)


def _signature_of(view: Callable[..., t.Any]) -> inspect.Signature:
    # Python 3.14 evaluates annotations when they are asked for. They are read with
    # read_hints(), which can say which name is missing.
    if sys.version_info >= (3, 14):
        import annotationlib

        return inspect.signature(view, annotation_format=annotationlib.Format.STRING)
    return inspect.signature(view)


def read_signature(
    subject: Subject,
    *,
    method: str,
    provided: Collection[str],
    namespace: Mapping[str, t.Any] | None = None,
) -> Signature:
    """The arguments that a view reads from requests of one method.

    :param provided: the names that the URL provides: variables of the rule and defaults.
    :param namespace: local names that annotations may use.
    :raises SignatureError: if an argument or its annotation can't be read.
    """
    hints = read_hints(subject, namespace)
    reader = _Reader(subject, method, provided, hints)
    parameters = subject.signature.parameters.values()
    found = [reader.read(parameter) for parameter in parameters]
    arguments = tuple(argument for argument in found if argument is not None)
    _refuse_shared_names(subject, arguments)
    return Signature(subject.name, arguments, hints.get("return", EMPTY))


VARIADIC: t.Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def takes_any_keyword(subject: Subject) -> bool:
    """Whether a view has ``**kwargs``, where URL variables may go."""
    kinds = [parameter.kind for parameter in subject.signature.parameters.values()]
    return inspect.Parameter.VAR_KEYWORD in kinds


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns the parameters of one function into arguments."""

    subject: Subject
    method: str
    provided: Collection[str]
    hints: Mapping[str, t.Any]

    def read(self, parameter: inspect.Parameter) -> Argument | None:
        """The argument that a parameter is, or ``None`` where it is Python's own."""
        name = parameter.name
        if parameter.kind in VARIADIC or name in self.subject.bound:
            return None
        annotation = self.hints.get(name, EMPTY)
        marker, annotation = self._marker(parameter, annotation)
        location = self._location(parameter, annotation, marker)
        if location is None:
            return None
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise SignatureError(
                f"{name!r} of {self.subject.name} is positional-only, but views are"
                " called with keyword arguments. Remove the '/' from its signature."
            )
        annotation = t.Any if annotation is EMPTY else with_upload_file(annotation)
        fields = self._fields(parameter, marker)
        field = self._merge(name, annotation, fields)
        marker = marker or Param(location, UNDEFINED_TYPE, field)
        return Argument(name, location, annotation, fields, field, marker)

    def _marker(
        self, parameter: inspect.Parameter, annotation: t.Any
    ) -> tuple[Param | None, t.Any]:
        """The marker of a parameter, and its annotation without the marker."""
        found, annotation = _split_markers(annotation)
        if isinstance(parameter.default, Param):
            found = [*found, parameter.default]
        if len(found) > 1:
            raise SignatureError(
                f"{parameter.name!r} of {self.subject.name} has two locations. Keep one."
            )
        if not found:
            return None, annotation
        return found[0], self._type(parameter, annotation, found[0])

    def _type(
        self, parameter: inspect.Parameter, annotation: t.Any, marker: Param
    ) -> t.Any:
        if marker.type is UNDEFINED_TYPE:
            return annotation
        if annotation is not EMPTY and annotation != marker.type:
            raise SignatureError(
                f"{parameter.name!r} of {self.subject.name} is annotated"
                f" {show_type(annotation)!r}, but its {_call(marker)} says"
                f" {show_type(marker.type)!r}. Give the type once, as the annotation."
            )
        return marker.type

    def _location(
        self, parameter: inspect.Parameter, annotation: t.Any, marker: Param | None
    ) -> Location | None:
        if self._is_provided(parameter.name, marker):
            return Location.PATH
        if marker is not None:
            self._refuse_unknown_variable(parameter.name, marker)
            return marker.location
        if annotation is not EMPTY:
            return self._implicit(annotation)
        if parameter.default is not EMPTY or self.subject.wrapped:
            return None
        return self._implicit(t.Any)

    def _is_provided(self, name: str, marker: Param | None) -> bool:
        if marker is None:
            return name in self.provided
        if marker.location is Location.PATH:
            return path_name(name, marker.field) in self.provided
        if name in self.provided:
            raise SignatureError(
                f"the URL provides {name!r}, but {self.subject.name} reads it with"
                f" {_call(marker)}. Use Path(), or rename the argument and keep its"
                f" name in the request with alias={name!r}."
            )
        return False

    def _refuse_unknown_variable(self, name: str, marker: Param) -> None:
        if marker.location is not Location.PATH:
            return
        missing = path_name(name, marker.field)
        raise SignatureError(
            f"{self.subject.name} reads {missing!r} with Path(), but the rule has no"
            f" variable of that name. Add '<{missing}>' to the rule, or read the argument"
            " from elsewhere."
        )

    def _implicit(self, annotation: t.Any) -> Location:
        shapes = shapes_of(annotation) if annotation is not t.Any else set()
        if Shape.FILE in shapes or _is_file_list(annotation, shapes):
            return Location.FILE
        return Location.BODY if self.method in BODY_METHODS else Location.QUERY

    def _fields(
        self, parameter: inspect.Parameter, marker: Param | None
    ) -> tuple[FieldInfo, ...]:
        declared = () if marker is None else (marker.field,)
        if parameter.default is EMPTY or isinstance(parameter.default, Param):
            return declared
        if marker is not None and not marker.field.is_required():
            raise SignatureError(
                f"{parameter.name!r} of {self.subject.name} has two defaults, one in"
                f" its {_call(marker)}. Keep the one after '='."
            )
        return (*declared, Field(parameter.default))

    def _merge(
        self, name: str, annotation: t.Any, fields: tuple[FieldInfo, ...]
    ) -> FieldInfo:
        try:
            return FieldInfo.from_annotation(t.Annotated[(annotation, *fields)] if fields else annotation)
        except (TypeError, ValueError) as error:
            raise SignatureError(f"{name!r} of {self.subject.name}: {error}") from error


def _split_markers(annotation: t.Any) -> tuple[list[Param], t.Any]:
    """``Annotated[int, Query(ge=1)]`` gives ``[Query(ge=1)]`` and ``int``."""
    while isinstance(annotation, ALIASES) and _holds_marker(annotation.__value__):
        annotation = annotation.__value__
    if t.get_origin(annotation) is not t.Annotated:
        return [], annotation
    metadata = annotation.__metadata__
    markers = [item for item in metadata if isinstance(item, Param)]
    rest = [item for item in metadata if not isinstance(item, Param)]
    inner, plain = _split_markers(annotation.__origin__)
    return inner + markers, t.Annotated[(plain, *rest)] if rest else plain


def _holds_marker(annotation: t.Any) -> bool:
    return bool(_split_markers(annotation)[0])


def path_name(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias or field.alias
    return alias if isinstance(alias, str) else name


def _is_file_list(annotation: t.Any, shapes: Collection[Shape]) -> bool:
    if Shape.LIST not in shapes:
        return False
    items = [item for tp in members(annotation) for item in t.get_args(tp)]
    return any(Shape.FILE in shapes_of(item) for item in items if item is not ...)


def _call(marker: Param) -> str:
    return f"{marker.location.value.capitalize()}()"


def show_type(annotation: t.Any) -> str:
    """A type as its author wrote it: ``"list[Item]"``."""
    if isinstance(annotation, type) and not t.get_args(annotation):
        return annotation.__qualname__.rpartition(".")[2]
    arguments = t.get_args(annotation)
    origin = t.get_origin(annotation)
    if isinstance(origin, type) and arguments and origin.__module__ != "types":
        inner = ", ".join(show_type(argument) for argument in arguments)
        return f"{show_type(origin)}[{inner}]"
    return str(annotation).replace("typing.", "")


def _refuse_shared_names(subject: Subject, arguments: Sequence[Argument]) -> None:
    seen: dict[tuple[Location, str], str] = {}
    for argument in arguments:
        if argument.location is Location.BODY or Shape.MODEL in shapes_of(
            argument.annotation
        ):
            continue
        key = (argument.location, wire_name(argument).lower())
        if key in seen:
            raise SignatureError(
                f"{seen[key]!r} and {argument.name!r} of {subject.name} are both read"
                f" from {wire_name(argument)!r} of the {argument.location.value}. Give"
                " one of them another alias."
            )
        seen[key] = argument.name


def wire_name(argument: Argument) -> str:
    """The name of an argument in the request: its alias, or made from its own name.

    ``x_token`` of a header is ``"X-Token"``.
    """
    alias = argument.field.validation_alias or argument.field.alias
    if isinstance(alias, AliasChoices):
        alias = alias.choices[0]
    if isinstance(alias, AliasPath):
        alias = str(alias.path[0])
    if alias is not None:
        return alias
    if argument.location is Location.HEADER and argument.marker.convert_underscores:
        return header_name(argument.name)
    return argument.name


def header_name(name: str) -> str:
    """``"x_token"`` becomes ``"X-Token"``."""
    return name.replace("_", "-").title()


def read_hints(
    subject: Subject, namespace: Mapping[str, t.Any] | None
) -> dict[str, t.Any]:
    """The annotations of a view, resolved.

    :raises SignatureError: if one names something that does not exist at run time.
    """
    local = dict(namespace or {})
    try:
        return t.get_type_hints(subject.function, localns=local, include_extras=True)
    except NameError as error:
        message = _missing_name(subject, getattr(error, "name", None) or str(error))
        raise SignatureError(message) from error
    except (TypeError, SyntaxError) as error:
        raise SignatureError(
            f"an annotation of {subject.name} is no type: {error}."
        ) from error


def _missing_name(subject: Subject, missing: str) -> str:
    word = re.compile(rf"\b{re.escape(missing)}\b")
    texts = {name: str(text) for name, text in _annotation_texts(subject.function)}
    found = [name for name, text in texts.items() if word.search(text)]
    where = f"the annotation of {found[0]!r} in" if found else "an annotation of"
    if found == ["return"]:
        where = "the return annotation of"
    return (
        f"{where} {subject.name} names {missing!r}, which is not defined when the route"
        " is registered. Import it outside 'if TYPE_CHECKING'."
    )


def _annotation_texts(function: Callable[..., t.Any]) -> Iterable[tuple[str, t.Any]]:
    if sys.version_info >= (3, 14):
        import annotationlib

        texts = annotationlib.get_annotations(
            function, format=annotationlib.Format.STRING
        )
        return texts.items()
    return function.__annotations__.items()
