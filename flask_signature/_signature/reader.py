"""A view's signature, read once: its arguments, each with its marker.

A function and the rule that it is registered for go in, a :class:`Signature` comes out;
the compilation of an operation, a dependency and an error handler call it. Markers of
other frameworks, and annotations that no argument has, raise an error.
"""

from __future__ import annotations

import inspect
import typing as t
from copy import copy
from dataclasses import dataclass, field
from inspect import isfunction
from types import EllipsisType

from pydantic import Field
from pydantic.fields import FieldInfo
from typing_extensions import NotRequired, ReadOnly, Required

from .._common import name_set
from .._types.annotations import annotate, is_class, read_type, show_type
from .._types.models import alias_paths
from .._types.problems import author_error, first_line
from ..dependencies import (
    DependencyMarker,
    Depends,
    Injected,
    InjectedArgument,
    declare_injected,
)
from ..exceptions import SignatureError
from ..params import (
    ALIASES,
    SPECIAL_FUNCTIONS,
    UNDEFINED_TYPE,
    Location,
    Param,
    check_framework,
)
from ..security import Scopes, SecurityScheme
from ..security.requirement import Operand
from ..typing import UploadFile
from .argument import EMPTY, Argument, Signature, SuppliedArgument, variable_names
from .hints import read_hints

if t.TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from .._types.annotations import ArgumentType
    from .views import ViewCallable


#: The methods whose arguments are read from the body by default.
BODY_METHODS: t.Final = frozenset({"POST", "PUT", "PATCH", "QUERY"})

VARIADIC: t.Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

#: The field of an argument without options.
EMPTY_FIELD: t.Final[FieldInfo] = Field()

#: The options of arguments without a marker.
DEFAULT_MARKERS: t.Final = {
    location: Param(location, UNDEFINED_TYPE, EMPTY_FIELD) for location in Location
}

#: The types of arguments without an annotation, which elsewhere is ``Any``.
DEFAULT_TYPES: t.Final = {Location.FILE: UploadFile}


def read_signature(
    view_callable: ViewCallable,
    *,
    method: str,
    provided: Collection[str],
    namespace: Mapping[str, t.Any] | None = None,
    registered: str = "route",
    is_decorated: bool = False,
) -> Signature:
    """The arguments that a view reads from requests of one method.

    :param provided: the names that the URL provides: variables and defaults.
    :param namespace: local names that annotations may use.
    :param is_decorated: whether decorators are around the reading of the request.
    :param registered: what is being registered, for a message: ``"blueprint"``.
    :raises SignatureError: if an argument or its annotation can't be read.
    """
    hints, unresolved = read_hints(view_callable, namespace, registered=registered)
    is_decorated = is_decorated or view_callable.wrapped
    reader = SignatureReader(view_callable, method, provided, hints, is_decorated)
    parameters = view_callable.signature.parameters.values()
    found = [reader.read(parameter) for parameter in parameters]
    arguments = tuple(argument for argument in found if argument is not None)
    return Signature(
        view_callable.name,
        arguments,
        hints.get("return", EMPTY),
        injected=name_set(reader.injected),
        optional=name_set(reader.optional),
        supplied=tuple(reader.supplied),
        unresolved=unresolved,
    )


@dataclass(slots=True)
class SignatureReader:
    """Turns the parameters of one function into arguments.

    :param provided: the names that the URL provides.
    :param is_decorated: whether a decorator may supply what has no annotation.
    :ivar injected: the names of those that have to be passed to the function.
    :ivar optional: the names of those that may be.
    :ivar supplied: those that dependencies and security requirements supply.
    """

    view_callable: ViewCallable
    method: str
    provided: Collection[str]
    hints: Mapping[str, t.Any]
    is_decorated: bool
    injected: list[str] = field(default_factory=list)
    optional: list[str] = field(default_factory=list)
    supplied: list[SuppliedArgument] = field(default_factory=list)

    def read(self, parameter: inspect.Parameter) -> Argument | None:
        """The argument of a parameter, ``None`` if it is not read from the request."""
        name = parameter.name
        if parameter.kind in VARIADIC or name in self.view_callable.bound:
            return None
        marker, written = self._marker(parameter, self.hints.get(name, EMPTY))
        if isinstance(marker, InjectedArgument):
            self._inject(parameter)
            return None
        if isinstance(marker, SUPPLIERS) or written is Scopes:
            self._supply(parameter, written, marker)
            return None
        tp = read_type(_full_type(written, marker))
        fields = self._fields(parameter, marker)
        field = self._merge(name, tp, fields)
        variable = self._variable(name, marker, field)
        if variable is not None:
            location, field = Location.PATH, _with_alias(field, variable)
        elif marker is None and written is EMPTY and (fields or self.is_decorated):
            # It has a default and no annotation, or a decorator supplies it.
            return None
        else:
            location = marker.location if marker else self._implicit(tp)
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise self._positional_only(parameter)
        if location is Location.BODY and tp.members != (tp.annotation,):
            tp = read_type(tp.annotation, in_json=True)
        marker = marker or DEFAULT_MARKERS[location]
        return Argument(
            key=name,
            name=name,
            owner=self.view_callable.name,
            location=location,
            type=tp,
            fields=fields,
            field=field,
            marker=marker,
        )

    def _inject(self, parameter: inspect.Parameter) -> None:
        """Keep the name of an argument that is not read from the request."""
        name = parameter.name
        self._check_not_provided(
            name,
            "declares it with Injected(), so that nothing of the request can be its"
            " value. Rename one of them.",
        )
        is_default = isinstance(parameter.default, InjectedArgument)
        if is_default:
            declare_injected(parameter.default, self._show(parameter))
        is_required = is_default or parameter.default is EMPTY
        # A decorator below the route may supply it.
        is_required = is_required and not self.view_callable.wrapped
        (self.injected if is_required else self.optional).append(name)

    def _supply(
        self, parameter: inspect.Parameter, annotation: t.Any, marker: t.Any
    ) -> None:
        """Keep an argument that a dependency or a security scheme supplies."""
        name, shown = parameter.name, self._show(parameter)
        problem = f"declares it with {call_of(marker)}. Rename one of them."
        self._check_not_provided(name, problem)
        if isinstance(parameter.default, Operand):
            raise SignatureError(
                f"{shown} has {call_of(marker)} as its default. Write Annotated[...,"
                " scheme], so that its type is known."
            )
        if parameter.default is not EMPTY and parameter.default is not marker:
            raise SignatureError(
                f"{shown} has a default, but is always supplied by {call_of(marker)}."
                f" Remove the default.{_optional_hint(parameter.default, marker)}"
            )
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise self._positional_only(parameter)
        self.supplied.append(SuppliedArgument(name, annotation, marker or Scopes))

    def _positional_only(self, parameter: inspect.Parameter) -> SignatureError:
        """The error of an argument that has no name to whoever calls the function."""
        return SignatureError(
            f"{self._show(parameter)} is positional-only, but is passed by its name."
            " Remove the '/' from its signature."
        )

    def _show(self, parameter: inspect.Parameter) -> str:
        """An argument, for messages: ``"'limit' of show()"``."""
        return f"{parameter.name!r} of {self.view_callable.name}"

    def _marker(
        self, parameter: inspect.Parameter, annotation: t.Any
    ) -> tuple[t.Any, t.Any]:
        """The marker of a parameter, and its annotation without the marker."""
        name = self._show(parameter)
        found, annotation = read_markers(name, annotation, parameter.default)
        if isinstance(parameter.default, MARKERS):
            found = [*found, parameter.default]
        if len(found) > 1:
            raise SignatureError(
                f"{name} has two locations,"
                f" {call_of(found[0])} and {call_of(found[1])}. Keep one."
            )
        if not found:
            default = parameter.default
            is_default = default is not EMPTY and not isinstance(default, FieldInfo)
            is_silent = annotation is t.Any or annotation is object
            # It says no more than the default does.
            return None, EMPTY if is_default and is_silent else annotation
        if not isinstance(found[0], Param):
            return found[0], annotation
        if found[0].problem is not None:
            raise SignatureError(f"{name}: {found[0].problem}")
        return found[0], self._type(parameter, annotation, found[0])

    def _type(
        self, parameter: inspect.Parameter, annotation: t.Any, marker: Param
    ) -> t.Any:
        if marker.type is UNDEFINED_TYPE:
            return annotation
        if annotation is not EMPTY and annotation != marker.type:
            raise SignatureError(
                f"{self._show(parameter)} is annotated {show_type(annotation)!r}, but"
                f" its {call_of(marker)} says {show_type(marker.type)!r}. Give the type"
                " once, as the annotation."
            )
        return marker.type

    def _variable(
        self, name: str, marker: Param | None, field: FieldInfo
    ) -> str | None:
        """The variable of the URL that an argument takes, ``None`` if there is none."""
        if marker is not None and marker.location is not Location.PATH:
            self._check_not_provided(
                name,
                f"reads it with {call_of(marker)}. Use Path(), or rename the argument"
                f" and keep its name in the request with alias={name!r}.",
            )
            return None
        if marker is None and not self.provided:
            return None
        names = variable_names(name, field)
        for variable in names:
            if variable in self.provided:
                # The variable may belong to another argument, which has its name; this
                # one then has an alias in the query.
                others = self.view_callable.signature.parameters.keys() - {name}
                if marker is None and variable in others:
                    continue
                return variable
        meant = names[0] if names else name
        if marker is not None:
            raise SignatureError(
                f"{self.view_callable.name} reads {meant!r} with Path(), but the rule"
                f" has no variable of that name. Add '<{meant}>' to the rule, or read"
                " the argument from elsewhere."
            )
        self._check_not_provided(
            name,
            f"takes the argument of that name by its alias {meant!r}. Remove the alias,"
            " or give the variable that name.",
        )
        return None

    def _check_not_provided(self, name: str, problem: str) -> None:
        """Refuse an argument that is no variable, but has the name of one."""
        if name in self.provided:
            view = self.view_callable.name
            raise SignatureError(f"the URL provides {name!r}, but {view} {problem}")

    def _implicit(self, tp: ArgumentType) -> Location:
        if tp.has_files:
            return Location.FILE
        return Location.BODY if self.method in BODY_METHODS else Location.QUERY

    def _fields(
        self, parameter: inspect.Parameter, marker: Param | None
    ) -> tuple[FieldInfo, ...]:
        declared = () if marker is None else (marker.field,)
        if parameter.default is EMPTY or isinstance(parameter.default, Param):
            return declared
        if isinstance(parameter.default, FieldInfo):
            return (*declared, parameter.default)
        if marker is not None and not marker.field.is_required():
            raise SignatureError(
                f"{self._show(parameter)} has two defaults, one in its"
                f" {call_of(marker)}. Keep the one after '='."
            )
        return (*declared, Field(parameter.default))

    def _merge(
        self, name: str, tp: ArgumentType, fields: tuple[FieldInfo, ...]
    ) -> FieldInfo:
        if len(fields) < 2 and tp.is_class:
            # There is nothing to merge.
            return fields[0] if fields else EMPTY_FIELD
        try:
            return FieldInfo.from_annotation(annotate(tp.annotation, fields))
        except (TypeError, ValueError) as error:
            message = f"{name!r} of {self.view_callable.name}: {first_line(error)}"
            raise SignatureError(message) from author_error(error)


def _full_type(written: t.Any, marker: Param | None) -> t.Any:
    """The type of an argument, also without an annotation."""
    if written is not EMPTY:
        return written
    return t.Any if marker is None else DEFAULT_TYPES.get(marker.location, t.Any)


def _with_alias(field: FieldInfo, variable: str) -> FieldInfo:
    """The field with the variable as its one alias, unless it has no other."""
    if alias_paths(field) in ([], [[variable]]):
        return field
    field = copy(field)
    field.alias = field.validation_alias = variable
    return field


if t.TYPE_CHECKING:
    Supplier: t.TypeAlias = DependencyMarker | Operand[t.Any]
    Marker: t.TypeAlias = Param | InjectedArgument | Supplier

#: What qualifies a variable or a key of a TypedDict, and is no part of a type.
UNREAD_QUALIFIERS: t.Final = (t.Final, t.ClassVar, NotRequired, ReadOnly, Required)

#: What may be written as an annotation, and can't be one of an argument.
NOT_TYPES: t.Final = (str, bytes, int, float, list, tuple, dict, set, EllipsisType)

#: What marks an argument that is supplied when the view is called.
SUPPLIERS: t.Final = (DependencyMarker, Operand)

#: What marks an argument: where it is read from, or that it is not read.
MARKERS: t.Final = (Param, InjectedArgument, *SUPPLIERS)

#: Those functions that return a marker.
MARKER_FUNCTIONS: t.Final = (*SPECIAL_FUNCTIONS, Injected, Depends)


def call_of(marker: t.Any) -> str:
    """A marker as its author wrote it, without the options: ``"Query()"``."""
    if isinstance(marker, InjectedArgument):
        return "Injected()"
    if isinstance(marker, DependencyMarker):
        return "Depends()"
    if isinstance(marker, SecurityScheme):
        return f"{type(marker).__name__}({marker.name!r})"
    if not isinstance(marker, Param):
        return "a security requirement" if marker is not None else "Scopes"
    return f"{marker.location.value.capitalize()}()"


def read_markers(
    name: str, annotation: t.Any, default: t.Any
) -> tuple[list[Marker], t.Any]:
    """The markers in the annotation of an argument, and the annotation without them.

    :param name: of the argument, for messages.
    :raises SignatureError: if a marker can have no effect where it is, or the
        annotation is no type.
    """
    _check_called(name, default)
    if annotation is not EMPTY:
        _check_named(name, default)
    check_framework(name, default)
    if is_class(annotation):
        check_framework(name, annotation)
        return [], annotation
    markers, plain = split_markers(annotation)
    for value in _metadata(plain):
        check_framework(name, value)
        _check_called(name, value)
        if not markers:
            _check_named(name, value)
    if not is_class(plain):
        _check_type(name, plain)
    return markers, plain


def _check_called(name: str, value: t.Any) -> None:
    """Refuse the function of a marker itself, in place of what it returns."""
    # A default may be anything, also something that can't be compared.
    if isfunction(value) and value in MARKER_FUNCTIONS:
        call = "Depends(function)" if value is Depends else f"{value.__name__}()"
        raise SignatureError(
            f"{name} is declared with {value.__name__}, which was not called."
            f" Write {call}."
        )
    if is_scheme_class(value):
        raise SignatureError(
            f"{name} is declared with the class {value.__name__}, which is no scheme."
            f" Write {value.__name__}('token', verify=...), or another name."
        )


def is_scheme_class(value: t.Any) -> bool:
    """Whether a value is the class of a security scheme, in place of a scheme."""
    return isinstance(value, type) and issubclass(value, SecurityScheme)


def _check_named(name: str, value: t.Any) -> None:
    """Refuse a function where Pydantic looks for none: it is meant to be depended on.

    :raises SignatureError: if there is one.
    """
    if isfunction(value):
        shown = value.__name__
        shown = shown if shown.isidentifier() else "function"
        raise SignatureError(
            f"{name} is declared with a function that is not called,"
            f" {value.__name__}(). Write Depends({shown})."
        )


def _check_type(name: str, annotation: t.Any) -> None:
    """Refuse what is no type, and a marker inside of one."""
    if isinstance(annotation, Operand):
        raise SignatureError(
            f"{name} is annotated with {call_of(annotation)}, which is no type. Write"
            " Annotated[User, scheme], with the type of what it gives."
        )
    if t.get_origin(annotation) in UNREAD_QUALIFIERS:
        (inside,) = t.get_args(annotation)
        raise SignatureError(
            f"{name} is annotated {show_type(annotation)!r}, which says something of a"
            f" name and not of its value. Write {show_type(inside)!r}."
        )
    if annotation in UNREAD_QUALIFIERS or isinstance(annotation, NOT_TYPES):
        raise SignatureError(
            f"{name} is annotated {show_type(annotation)!r}, which is no type. Write"
            " that of the argument."
        )
    for part in _parts(annotation):
        check_framework(name, part)
    inner = _find_inner(annotation)
    if inner is not None:
        raise SignatureError(
            f"{name} has its {call_of(inner)} inside of its type. Put it around the"
            f" whole type: Annotated[..., {call_of(inner)}]."
        )


def split_markers(annotation: t.Any) -> tuple[list[Marker], t.Any]:
    """``Annotated[int, Query(ge=1)]`` gives ``[Query(ge=1)]`` and ``int``."""
    if is_class(annotation):
        return [], annotation
    while isinstance(annotation, ALIASES) and split_markers(annotation.__value__)[0]:
        annotation = annotation.__value__
    if t.get_origin(annotation) is not t.Annotated:
        return [], annotation
    markers = [item for item in annotation.__metadata__ if isinstance(item, MARKERS)]
    rest = [item for item in annotation.__metadata__ if not isinstance(item, MARKERS)]
    inner, plain = split_markers(annotation.__origin__)
    return inner + markers, annotate(plain, rest)


def find_special(annotation: t.Any, default: t.Any) -> t.Any:
    """A marker of an argument, or its function itself; ``None`` if it has none.

    :param annotation: with the markers around it and in it.
    """
    markers, plain = split_markers(annotation)
    for value in (default, *markers, *_metadata(plain)):
        is_marker = isinstance(value, (Param, *SUPPLIERS))
        if is_marker or any(value is one for one in (*SPECIAL_FUNCTIONS, Depends)):
            return value
    return _find_inner(plain)


def _find_inner(annotation: t.Any) -> Marker | None:
    """A marker inside of a type, as in ``Annotated[int, Query()] | None``."""
    return next((x for x in _parts(annotation) if isinstance(x, MARKERS)), None)


def _parts(annotation: t.Any) -> Iterator[t.Any]:
    """What is inside of a type: the items of a list, and their metadata."""
    for item in t.get_args(annotation):
        yield item
        yield from _parts(item)


def _metadata(annotation: t.Any) -> tuple[t.Any, ...]:
    # Pydantic's metaclass is slow to find that a model lacks an attribute.
    return () if is_class(annotation) else getattr(annotation, "__metadata__", ())


def _optional_hint(default: t.Any, marker: t.Any) -> str:
    """How an optional scheme is written, ``""`` where none is meant."""
    if default is not None or not isinstance(marker, Operand):
        return ""
    return " Write Annotated[User | None, scheme | None] if no credentials are needed."
