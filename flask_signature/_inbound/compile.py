"""The inbound plan of a view: its arguments bound, its adapters and readers built.

A signature goes in, an :class:`InboundPlan` comes out; the compilation of an operation
calls it.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from dataclasses import dataclass

from pydantic import BeforeValidator
from pydantic import Field

from .._http.multidict import URLENCODED
from .._types.adapters import PYDANTIC_ERRORS
from ..exceptions import SignatureError
from ..params import Location
from .adapters import annotated_type
from .adapters import check_constraints
from .adapters import check_generators
from .adapters import keywords_adapter
from .adapters import shared_adapter
from .binding import Binding
from .binding import bind_argument
from .body import compile_body
from .conflicts import check_names
from .extract import Source
from .fail_fast import FailFastValidator
from .locations import FORM_LOCATIONS
from .locations import LOCATIONS
from .plan import InboundPlan
from .plan import PlanVariants
from .shared_types import shared_type

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Mapping
    from collections.abc import Sequence

    from .._signature.argument import Argument
    from .._signature.argument import Signature
    from .._types.adapters import Adapter
    from .plan import Refuse


MULTIPART: t.Final = "multipart/form-data"


def compile_inbound(
    signature: Signature,
    *,
    method: str,
    provided: Collection[str],
    provided_types: Mapping[str, type],
    refuse: Refuse,
) -> InboundPlan:
    """The plan that reads the arguments of a signature.

    :param method: for messages, and because TRACE has no body.
    :param provided: the names that the URL provides.
    :param provided_types: of what the converters make. An argument of just that type is
        not validated again.
    :param refuse: makes the exception of a request with some errors.
    :raises SignatureError: if a location can't carry an argument, or two exclude each
        other.
    """
    view, arguments = signature.view, signature.arguments
    bodies = [item for item in arguments if item.location is Location.BODY]
    forms = [item for item in arguments if item.location in FORM_LOCATIONS]
    for argument in arguments:
        check_constraints(argument)
    _check_one_body(view, bodies, forms)
    _check_method(view, method, [*bodies, *forms])
    read = [
        item for item in arguments if _is_validated_with_parts(item, provided_types)
    ]
    bindings = {item.name: bind_argument(item, view) for item in read}
    if len(arguments) > 1:
        check_names(view, arguments, bindings)
    bound = _BoundArguments(
        signature, bodies, forms, read, bindings, frozenset(provided), refuse
    )
    plan = bound.compile_plan()
    _check_all_generators(view, plan)
    return plan


@dataclass(frozen=True, slots=True)
class _BoundArguments:
    """The arguments of a view, from which its plans are compiled.

    :param bodies: those of the body.
    :param forms: those of a form.
    :param read: those that the adapter of a plan validates.
    :param bindings: of the latter, by name.
    :param provided: the names that the URL provides.
    """

    signature: Signature
    bodies: Sequence[Argument]
    forms: Sequence[Argument]
    read: Sequence[Argument]
    bindings: Mapping[str, Binding]
    provided: frozenset[str]
    refuse: Refuse

    def compile_plan(self, passed: frozenset[str] = frozenset()) -> InboundPlan:
        """The plan that reads all arguments but those that are passed.

        :param passed: the names of those that somebody else supplies.
        """
        names = {item.name for item in self.signature.arguments} - self.provided
        read = [item for item in self.read if item.name not in passed]
        adapter = _compile_adapter(read, self.bindings) if read else None
        reads_body = any(item.name not in passed for item in self.bodies)
        body = compile_body(self.bodies, passed) if reads_body else None
        form_types, accepted_form_types = self._form_types(passed)
        return InboundPlan(
            arguments=self.signature.arguments,
            sources=_compile_sources(self.read, self.bindings, passed=passed),
            validator=FailFastValidator(adapter) if adapter else None,
            body=body,
            form_types=form_types,
            accepted_form_types=accepted_form_types,
            renamed=_renamed(self.read, self.bindings),
            bindings=self.bindings,
            refuse=self.refuse,
            is_noop=not (adapter or body or self.signature.injected),
            expected=self.provided | self.signature.injected,
            variants=(
                None
                if passed
                else PlanVariants(self.signature, names, self.compile_plan)
            ),
        )

    def _variants(self, names: Collection[str]) -> PlanVariants:
        return PlanVariants(self.signature, names, self.compile_plan)

    def _form_types(
        self, passed: Collection[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if all(item.name in passed for item in self.forms):
            return (), ()
        return _form_types(self.signature.view, self.forms, self.bindings)


def _check_method(view: str, method: str, in_body: Sequence[Argument]) -> None:
    if method == "TRACE" and in_body:
        raise SignatureError(
            f"{view} reads {in_body[0].name!r} from the body, but a TRACE request has"
            " none. Read it from the query, or use another method."
        )


def _check_all_generators(view: str, plan: InboundPlan) -> None:
    body = plan.body
    if plan.validator is not None:
        check_generators(view, plan.validator.adapter)
    if body is not None and body.json is not None:
        check_generators(view, body.json.adapter, body.whole)
    if body is not None and body.raw is not None:
        check_generators(view, body.raw, body.arguments[0].name)


def _compile_adapter(
    arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> Adapter:
    """The adapter of the arguments outside of a JSON body."""
    shared = {item.name: shared_type(item) for item in arguments}
    types = {name: tp for name, tp in shared.items() if tp is not None}
    if len(types) == len(shared) and not any(
        _path_conversion(item, bindings[item.name]) for item in arguments
    ):
        aliases = {name: bindings[name].alias for name in types}
        # The error says which argument Pydantic can't read.
        with suppress(*PYDANTIC_ERRORS):
            return shared_adapter(types, aliases)
    bound = {item.name: _bound_type(item, bindings[item.name]) for item in arguments}
    return keywords_adapter(arguments, bound)


def _path_conversion(
    argument: Argument, binding: Binding
) -> Callable[[t.Any], t.Any] | None:
    """The conversion of a value of the URL, which Flask reads and no reader of ours."""
    if argument.location is not Location.PATH or not binding.fields:
        return None
    return binding.fields[0].convert


def _bound_type(argument: Argument, binding: Binding) -> t.Any:
    alias = Field(validation_alias=binding.alias)
    convert = _path_conversion(argument, binding)
    if convert is not None:
        return annotated_type(argument, BeforeValidator(convert), alias)
    return annotated_type(argument, alias)


def _is_validated_with_parts(
    argument: Argument, provided_types: Mapping[str, type]
) -> bool:
    """Whether the adapter validates an argument.

    A body has an adapter of its own, and a converter may have made the right type.
    """
    if argument.location is not Location.PATH or argument.fields:
        return argument.location is not Location.BODY
    provided = provided_types.get(argument.name)
    return not argument.untyped and provided is not argument.annotation


def _check_one_body(
    view: str, bodies: Sequence[Argument], forms: Sequence[Argument]
) -> None:
    if bodies and forms:
        other = "a file" if forms[0].location is Location.FILE else "a form"
        raise SignatureError(
            f"{view} takes {bodies[0].name!r} from a JSON body and {forms[0].name!r}"
            f" from {other}. A request has one body. Declare {bodies[0].name!r} with"
            " Form() to receive both as multipart."
        )


def _form_types(
    view: str, forms: Sequence[Argument], bindings: Mapping[str, Binding]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The content types of a form: those to describe, and those to accept."""
    files = any(bindings[item.name].sends_files for item in forms)
    fitting = (MULTIPART,) if files else (URLENCODED, MULTIPART)
    declared = {item.marker.media_type for item in forms} - {None}
    if not declared:
        return fitting, (URLENCODED, MULTIPART)
    if len(declared) > 1 or not declared.issubset(fitting):
        names = " and ".join(sorted(repr(item) for item in declared))
        known = " or ".join(repr(item) for item in fitting)
        raise SignatureError(
            f"the form of {view} has the media type {names}. Use {known}."
        )
    one = (str(declared.pop()),)
    return one, one


def _compile_sources(
    arguments: Sequence[Argument],
    bindings: Mapping[str, Binding],
    *,
    passed: Collection[str],
) -> tuple[Source, ...]:
    """The sources of some arguments, one for each part of the input."""
    parts: dict[str, list[Argument]] = {}
    for argument in arguments:
        if argument.location is not Location.PATH and argument.name not in passed:
            parts.setdefault(bindings[argument.name].source, []).append(argument)
    compiled = []
    for part, members in parts.items():
        found = [bindings[argument.name] for argument in members]
        compile_reader = LOCATIONS[members[0].location].compile_reader
        assert compile_reader is not None
        own = {item.name for item in members}
        others = [item for item in arguments if item.name not in own]
        read = compile_reader(
            [field for binding in found for field in binding.fields],
            reads_all_names=any(binding.reads_all_names for binding in found),
            ignored=_names_of(part, others, bindings),
        )
        optional = found[0].is_model and not members[0].required
        compiled.append(Source(part, read, optional))
    return tuple(compiled)


def _names_of(
    part: str, others: Sequence[Argument], bindings: Mapping[str, Binding]
) -> frozenset[str]:
    """The names of arguments beside a part, which are no extra fields of a model."""
    location = Location(part.partition("#")[0])
    shared = FORM_LOCATIONS if location in FORM_LOCATIONS else {location}
    return frozenset(
        field.name
        for argument in others
        if argument.location in shared
        for field in bindings[argument.name].fields
    )


def _renamed(
    arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> tuple[str, ...]:
    return tuple(
        bindings[item.name].fields[0].name
        for item in arguments
        if item.location is Location.PATH
        and bindings[item.name].fields[0].name != item.name
    )
