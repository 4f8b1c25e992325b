"""The arguments of a view, read from its parameters and its annotations.

The compilation of an operation calls :func:`read_signature`; no other room reads
signatures.
"""

from __future__ import annotations

import inspect
import typing as t
from copy import copy
from dataclasses import dataclass

from pydantic import Field
from pydantic.fields import FieldInfo

from .._once import name_set
from .._types.annotations import annotate, show_type
from .._types.argument_type import read_type
from .._types.causes import author_error
from .._types.models import alias_paths
from ..dependencies import InjectedArgument
from ..exceptions import SignatureError
from ..params import UNDEFINED_TYPE, Location, Param
from ..security import Scopes
from ..typing import UploadFile
from .argument import EMPTY, Argument, Signature, variable_names
from .hints import read_hints
from .markers import MARKERS, SUPPLIERS, call_of, read_markers
from .others import OtherArguments

if t.TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from .._types.argument_type import ArgumentType
    from .unwrap import ViewCallable

#: The methods whose arguments are read from the body by default.
BODY_METHODS: t.Final = frozenset({"POST", "PUT", "PATCH"})

VARIADIC: t.Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


#: The field of an argument without options.
EMPTY_FIELD: t.Final[FieldInfo] = Field()

#: The markers of arguments without a special function.
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
    :param is_decorated: whether decorators stand around the reading of the request.
    :param registered: what is being registered, for a message: ``"blueprint"``.
    :raises SignatureError: if an argument or its annotation can't be read.
    """
    hints, unresolved = read_hints(view_callable, namespace, registered=registered)
    others = OtherArguments(view_callable, provided)
    is_decorated = is_decorated or view_callable.wrapped
    reader = SignatureReader(
        view_callable, method, provided, hints, others, is_decorated
    )
    parameters = view_callable.signature.parameters.values()
    found = [reader.read(parameter) for parameter in parameters]
    arguments = tuple(argument for argument in found if argument is not None)
    return Signature(
        view_callable.name,
        arguments,
        hints.get("return", EMPTY),
        injected=name_set(others.injected),
        optional=name_set(others.optional),
        supplied=tuple(others.supplied),
        unresolved=unresolved,
    )


@dataclass(slots=True)
class SignatureReader:
    """Turns the parameters of one function into arguments.

    :param others: those that are not read from the request.
    :param is_decorated: whether a decorator may supply what has no annotation.
    """

    view_callable: ViewCallable
    method: str
    provided: Collection[str]
    hints: Mapping[str, t.Any]
    others: OtherArguments
    is_decorated: bool

    def read(self, parameter: inspect.Parameter) -> Argument | None:
        """The argument of a parameter, ``None`` if it is not read from the request."""
        name = parameter.name
        if parameter.kind in VARIADIC or name in self.view_callable.bound:
            return None
        marker, written = self._marker(parameter, self.hints.get(name, EMPTY))
        if isinstance(marker, InjectedArgument):
            self.others.inject(parameter)
            return None
        if isinstance(marker, SUPPLIERS) or written is Scopes:
            self.others.supply(parameter, written, marker)
            return None
        tp = read_type(_full_type(written, marker))
        fields = self._fields(parameter, marker)
        field = self._merge(name, tp, fields)
        variable = self._variable(name, marker, field)
        if variable is not None:
            location: Location | None = Location.PATH
            field = _with_alias(field, variable)
        else:
            is_written = written is not EMPTY
            location = self._location(parameter, tp if is_written else None, marker)
        if location is None:
            return None
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise self.others.positional_only(parameter)
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

    def _marker(
        self, parameter: inspect.Parameter, annotation: t.Any
    ) -> tuple[t.Any, t.Any]:
        """The marker of a parameter, and its annotation without the marker."""
        name = f"{parameter.name!r} of {self.view_callable.name}"
        found, annotation = read_markers(name, annotation, parameter.default)
        if isinstance(parameter.default, MARKERS):
            found = [*found, parameter.default]
        if len(found) > 1:
            raise SignatureError(
                f"{name} has two locations,"
                f" {call_of(found[0])} and {call_of(found[1])}. Keep one."
            )
        if not found:
            return None, annotation
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
                f"{parameter.name!r} of {self.view_callable.name} is annotated"
                f" {show_type(annotation)!r}, but its {call_of(marker)} says"
                f" {show_type(marker.type)!r}. Give the type once, as the annotation."
            )
        return marker.type

    def _variable(
        self, name: str, marker: Param | None, field: FieldInfo
    ) -> str | None:
        """The variable of the URL that an argument takes, ``None`` if there is none."""
        if marker is not None and marker.location is not Location.PATH:
            self._check_not_provided(name, marker)
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
        if name in self.provided:
            raise SignatureError(
                f"the URL provides {name!r}, but {self.view_callable.name} takes the"
                f" argument of that name by its alias {meant!r}. Remove the alias, or"
                " give the variable that name."
            )
        return None

    def _check_not_provided(self, name: str, marker: Param) -> None:
        if name in self.provided:
            raise SignatureError(
                f"the URL provides {name!r}, but {self.view_callable.name} reads it"
                f" with {call_of(marker)}. Use Path(), or rename the argument and keep"
                f" its name in the request with alias={name!r}."
            )

    def _location(
        self,
        parameter: inspect.Parameter,
        tp: ArgumentType | None,
        marker: Param | None,
    ) -> Location | None:
        """The location of an argument that the URL does not provide.

        ``None`` is for an argument that is not read: it has a default and no
        annotation, or a decorator supplies it.
        """
        if marker is not None:
            return marker.location
        if tp is not None:
            return self._implicit(tp)
        if parameter.default is not EMPTY or self.is_decorated:
            return None
        return self._implicit(read_type(t.Any))

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
                f"{parameter.name!r} of {self.view_callable.name} has two defaults, one"
                f" in its {call_of(marker)}. Keep the one after '='."
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
            problem = str(error).partition("\n")[0].rstrip(".")
            raise SignatureError(
                f"{name!r} of {self.view_callable.name}: {problem}."
            ) from author_error(error)


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
