"""The inbound plan of a view: what is read from where, and what is refused.

A signature and a path template go in, an :class:`.InboundPlan` comes out; the
compilation of an operation calls it.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from uuid import UUID

from pydantic import BeforeValidator, Field
from werkzeug.routing import (
    AnyConverter,
    FloatConverter,
    IntegerConverter,
    PathConverter,
    UnicodeConverter,
    UUIDConverter,
)

from .._common import name_set
from .._http.request import URLENCODED
from .._signature.argument import path_name
from .._types.adapters import PYDANTIC_ERRORS
from .._types.annotations import accept_instances, show_type
from .._types.argument_type import read_type
from ..exceptions import SignatureError
from ..params import Location
from .binding import Binding, bind_argument, check_names
from .body import (
    MAX_SHARED,
    annotated_type,
    check_constraints,
    check_types,
    compile_body,
    keywords_adapter,
    shared_adapter,
    shared_key,
)
from .failures import unreadable_names
from .limits import BoundedValidator
from .plan import InboundPlan, PlanVariants
from .readers import FORM_LOCATIONS, LOCATIONS, Source

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from .._routing.path_template import PathTemplate
    from .._signature.argument import Argument, Signature
    from .._types.adapters import Adapter
    from .failures import Names
    from .plan import Refuse


MULTIPART: t.Final = "multipart/form-data"

#: Nothing else reads names of the request.
NOTHING_KNOWN: t.Final[KnownNames] = MappingProxyType({})


def compile_inbound(
    signature: Signature,
    *,
    template: PathTemplate,
    method: str,
    provided: Collection[str],
    is_preprocessed: bool,
    refuse: Refuse,
    needs_content_type: Callable[[], bool],
    known: Mapping[Location, frozenset[str]] = NOTHING_KNOWN,
) -> InboundPlan:
    """The plan that reads the arguments of a signature.

    :param template: the rule, whose converters make values of some types. An argument
        of just that type is not validated again.
    :param method: for messages, and because TRACE has no body.
    :param provided: the names that the URL provides.
    :param is_preprocessed: whether a function may replace what a converter has made.
    :param refuse: makes the exception of a request with some errors.
    :param needs_content_type: whether a body without a content type is refused, rather
        than read as JSON.
    :param known: names that something else reads, which are no extra fields of a model.
    :raises SignatureError: if a location can't carry an argument, or two exclude each
        other.
    """
    provided_types: Mapping[str, type] = {}
    if template.converters:
        signature, provided_types = fit_path(signature, template)
    if is_preprocessed:
        provided_types = {}
    view, arguments = signature.view, signature.arguments
    bodies = [item for item in arguments if item.location is Location.BODY]
    forms = [item for item in arguments if item.location in FORM_LOCATIONS]
    _check_bodies(view, bodies, forms, method=method)
    read = [x for x in arguments if _is_validated_with_parts(x, provided_types)]
    parts = parts_of(view, read, known)
    if len(arguments) > 1:
        check_names(arguments, parts.bindings)
    bound = _BoundArguments(
        signature,
        parts=parts,
        known=known,
        provided=name_set(provided),
        refuse=refuse,
        needs_content_type=needs_content_type,
    )
    plan = bound()
    _check_body_types(view, plan)
    return plan


NO_NAMES: t.Final = name_set(())


@dataclass(frozen=True, slots=True)
class _BoundArguments:
    """The arguments of a view, from which its plans are compiled.

    :param parts: what reads those that the adapter of a plan validates.
    :param known: names that something else reads.
    :param provided: the names that the URL provides.
    """

    signature: Signature
    parts: Parts
    known: Mapping[Location, frozenset[str]]
    provided: frozenset[str]
    refuse: Refuse
    needs_content_type: Callable[[], bool]

    def __call__(self, passed: frozenset[str] = NO_NAMES) -> InboundPlan:
        """The plan that reads all arguments but those that are passed.

        :param passed: the names of those that somebody else supplies.
        """
        arguments, parts = self.signature.arguments, self.parts
        bindings, view = parts.bindings, self.signature.view
        bound = [item for item in arguments if item.key in bindings]
        if passed:
            parts = compile_parts(
                view, bound, bindings, passed=passed, known=self.known
            )
        bodies = [item for item in arguments if item.location is Location.BODY]
        body = None
        if any(item.key not in passed for item in bodies):
            body = compile_body(bodies, passed, self.needs_content_type)
        form_types, accepted_form_types = self._form_types(passed)
        names: Names = {}
        if parts.validator is not None and form_types:
            names = unreadable_names(parts.validator.adapter, bindings.values())
        return InboundPlan(
            arguments=arguments,
            sources=parts.sources,
            validator=parts.validator,
            body=body,
            form_types=form_types,
            accepted_form_types=accepted_form_types,
            reads_long_values=any(map(_is_long, bindings.values())),
            unreadable_names=names,
            renamed=_renamed(bound, bindings),
            bindings=bindings,
            refuse=self.refuse,
            is_noop=not (parts.validator or body or self.signature.injected),
            expected=name_set(self.provided | self.signature.injected),
            variants=None if passed else self._variants(),
        )

    def _variants(self) -> PlanVariants:
        names = name_set(item.key for item in self.signature.arguments)
        return PlanVariants(self.signature, name_set(names - self.provided), self)

    def _form_types(
        self, passed: Collection[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        arguments = self.signature.arguments
        forms = [item for item in arguments if item.location in FORM_LOCATIONS]
        if all(item.key in passed for item in forms):
            return (), ()
        return _form_types(self.signature.view, forms, self.parts.bindings)


def _check_bodies(
    view: str, bodies: Sequence[Argument], forms: Sequence[Argument], *, method: str
) -> None:
    for argument in bodies:
        check_constraints(argument)
    if bodies and forms:
        other = "a file" if forms[0].location is Location.FILE else "a form"
        raise SignatureError(
            f"{view} takes {bodies[0].name!r} from a JSON body and {forms[0].name!r}"
            f" from {other}. A request has one body. Declare {bodies[0].name!r} with"
            " Form() to receive both as multipart."
        )
    in_body = [*bodies, *forms]
    if method == "TRACE" and in_body:
        raise SignatureError(
            f"{view} reads {in_body[0].name!r} from the body, but a TRACE request has"
            " none. Read it from the query, or use another method."
        )


def _check_body_types(view: str, plan: InboundPlan) -> None:
    body = plan.body
    if body is not None and body.json is not None:
        check_types(view, body.json.adapter, body.whole)
    if body is not None and body.raw is not None:
        check_types(view, body.raw, body.arguments[0].name)


def _is_validated_with_parts(
    argument: Argument, provided_types: Mapping[str, type]
) -> bool:
    """Whether the adapter validates an argument.

    A body has an adapter of its own, and a converter may have made the right type.
    """
    if argument.location is not Location.PATH or argument.fields:
        return argument.location is not Location.BODY
    provided = provided_types.get(argument.name)
    return not argument.type.is_anything and provided is not argument.type.annotation


def _form_types(
    view: str, forms: Sequence[Argument], bindings: Mapping[str, Binding]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The content types of a form: those to describe, and those to accept."""
    files = any(bindings[item.key].sends_files for item in forms)
    strings = any(bindings[item.key].sends_strings for item in forms)
    fitting = (MULTIPART,) if files else (URLENCODED, MULTIPART)
    declared = {item.marker.media_type for item in forms} - {None}
    if not declared:
        return fitting, (URLENCODED, MULTIPART) if strings else fitting
    if len(declared) > 1 or not declared.issubset(fitting):
        names = " and ".join(sorted(repr(item) for item in declared))
        known = " or ".join(repr(item) for item in fitting)
        raise SignatureError(
            f"the form of {view} has the media type {names}. Use {known}."
        )
    one = (str(declared.pop()),)
    return one, one


def _is_long(binding: Binding) -> bool:
    """Whether a header, a cookie or a variable of the URL may hold many values."""
    if binding.source.startswith(Location.PATH):
        return binding.is_split
    if not binding.source.startswith((Location.HEADER, Location.COOKIE)):
        return False
    has_many = any(item.many or item.convert for item in binding.fields)
    return binding.reads_all_names or binding.is_split or has_many


def _renamed(
    arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> tuple[str, ...]:
    return tuple(
        bindings[item.key].fields[0].name
        for item in arguments
        if item.location is Location.PATH
        and bindings[item.key].fields[0].name != item.name
    )


if t.TYPE_CHECKING:
    #: The names of a location that something else reads.
    KnownNames: t.TypeAlias = Mapping[Location, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Parts:
    """What reads the arguments outside of a JSON body: see :class:`InboundPlan`."""

    bindings: Mapping[str, Binding]
    sources: tuple[Source, ...]
    validator: BoundedValidator | None


#: What reads the arguments of other views, by all that makes a difference for it.
_known_parts: dict[Hashable, Parts] = {}


def parts_of(
    view: str, arguments: Sequence[Argument], known: KnownNames = NOTHING_KNOWN
) -> Parts:
    """What reads some arguments, the same for views that declare them alike.

    :param known: names that something else reads.
    :raises SignatureError: if an argument can't be read.
    """
    types = [shared_key(item) for item in arguments]
    # Not every option of a marker is among those of its field.
    options = [
        (
            *(item.key, item.name, item.location, item.marker.convert_underscores),
            *(item.marker.style, item.marker.content_types),
        )
        for item in arguments
    ]
    key = (*types, *options, *known.items())
    parts = _known_parts.get(key)
    if parts is None:
        bindings = {item.key: bind_argument(item, view) for item in arguments}
        parts = compile_parts(view, arguments, bindings, known=known)
        if None not in types and len(_known_parts) < MAX_SHARED:
            _known_parts[key] = parts
    return parts


def compile_parts(
    view: str,
    arguments: Sequence[Argument],
    bindings: Mapping[str, Binding],
    *,
    passed: Collection[str] = NO_NAMES,
    known: KnownNames,
) -> Parts:
    """What reads arguments, but those that are passed.

    :param passed: the names of those that somebody else supplies.
    :param known: names that something else reads.
    :raises SignatureError: if the type of one can't be read.
    """
    read = [item for item in arguments if item.key not in passed]
    sources = _compile_sources(arguments, bindings, passed=passed, known=known)
    if not read:
        return Parts(bindings, sources, None)
    adapter = _compile_adapter(view, read, bindings)
    return Parts(bindings, sources, BoundedValidator(adapter))


def _compile_adapter(
    view: str, arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> Adapter:
    """The adapter of the arguments outside of a JSON body."""
    if not any(_path_conversion(item, bindings[item.key]) for item in arguments):
        aliases = {item.key: bindings[item.key].alias for item in arguments}
        # The error says which argument Pydantic can't read.
        with suppress(*PYDANTIC_ERRORS):
            shared = shared_adapter(arguments, aliases)
            if shared is not None:
                return shared
    bound = {item.key: _bound_type(item, bindings[item.key]) for item in arguments}
    for argument in arguments:
        check_constraints(argument)
    own = keywords_adapter(arguments, bound)
    # No type that is shared is among those that are refused.
    check_types(view, own)
    return own


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


def _compile_sources(
    arguments: Sequence[Argument],
    bindings: Mapping[str, Binding],
    *,
    passed: Collection[str],
    known: KnownNames,
) -> tuple[Source, ...]:
    """The sources of some arguments, one for each part of the input."""
    parts: dict[str, list[Argument]] = {}
    for argument in arguments:
        if argument.location is not Location.PATH and argument.key not in passed:
            parts.setdefault(bindings[argument.key].source, []).append(argument)
    compiled = []
    for part, members in parts.items():
        found = [bindings[argument.key] for argument in members]
        location = members[0].location
        compile_reader = LOCATIONS[location].compile_reader
        assert compile_reader is not None
        own = {item.key for item in members}
        others = [item for item in arguments if item.key not in own]
        read = compile_reader(
            [field for binding in found for field in binding.fields],
            reads_all_names=any(binding.reads_all_names for binding in found),
            ignored=_names_of(part, others, bindings) | known.get(location, NO_NAMES),
        )
        optional = found[0].is_model and not members[0].field.is_required()
        compiled.append(Source(part, read, optional))
    return tuple(compiled)


def _names_of(
    part: str, others: Sequence[Argument], bindings: Mapping[str, Binding]
) -> frozenset[str]:
    """The names of arguments beside a part, which are no extra fields of a model."""
    location = Location(part.partition("#")[0])
    shared = FORM_LOCATIONS if location in FORM_LOCATIONS else {location}
    return frozenset(
        field.name_or_prefix
        for argument in others
        if argument.location in shared
        for field in bindings[argument.key].fields
    )


#: What the converters of Werkzeug make. A custom converter may make anything.
CONVERTER_TYPES: t.Final[dict[type, type]] = {
    UnicodeConverter: str,
    PathConverter: str,
    AnyConverter: str,
    IntegerConverter: int,
    FloatConverter: float,
    UUIDConverter: UUID,
}


def fit_path(
    signature: Signature, template: PathTemplate
) -> tuple[Signature, dict[str, type]]:
    """The signature whose arguments accept what custom converters make.

    Also the types of what the other converters make: ``{"user_id": int}``.

    :raises SignatureError: if no value of a converter fits the type of its argument.
    """
    check_converters(signature, template)
    provided_types = converter_types(template)
    return _accept_instances(signature, template, provided_types), provided_types


def converter_types(template: PathTemplate) -> dict[str, type]:
    """The types of what the converters make, by variable, without custom converters."""
    return {
        name: CONVERTER_TYPES[type(converter)]
        for name, converter in template.converters.items()
        if type(converter) in CONVERTER_TYPES
    }


def _accept_instances(
    signature: Signature, template: PathTemplate, provided_types: Mapping[str, type]
) -> Signature:
    """The signature with arguments that accept what a custom converter makes.

    Such a converter may look up an object of any class, such as one of an ORM.

    :param provided_types: of what the other converters make.
    """
    custom = template.converters.keys() - provided_types.keys()
    if not custom:
        return signature
    arguments = [
        replace(argument, type=read_type(accept_instances(argument.type.annotation)))
        if argument.location is Location.PATH and path_name(argument) in custom
        else argument
        for argument in signature.arguments
    ]
    return replace(signature, arguments=tuple(arguments))


#: The types that no value of a converter fits, by what the converter makes.
IMPOSSIBLE: t.Final[dict[type, tuple[tuple[type, ...], str]]] = {
    int: ((str, bytes, UUID), "no integer"),
    float: ((str, bytes, UUID), "no float"),
    UUID: ((str, bytes, int, float, bool), "no UUID"),
}


def check_converters(signature: Signature, template: PathTemplate) -> None:
    """Refuse an argument whose type no value of its converter fits.

    :raises SignatureError: if there is one, since every request would fail.
    """
    for argument in signature.arguments:
        if argument.location is not Location.PATH:
            continue
        variable = path_name(argument)
        converter = template.converters.get(variable)
        provides = CONVERTER_TYPES.get(type(converter), object)
        if provides not in IMPOSSIBLE:
            continue
        types, no_value = IMPOSSIBLE[provides]
        if argument.field.metadata or not all(
            tp in types for tp in argument.type.members
        ):
            continue
        shown = show_type(argument.type.annotation)
        raise SignatureError(
            f"the rule converts {variable!r} with {provides.__name__.lower()!r}, but"
            f" {argument.owner} declares '{argument.name}: {shown}', and"
            f" {no_value} is {_article(shown)} {shown}."
            f" {_other_converter(variable, shown)}"
        )


#: The converters of Werkzeug by the types of what they make, as messages show them.
CONVERTERS_OF_TYPES: t.Final = {
    "UUID": "uuid",
    "float": "float",
    "int": "int",
    "str": "string",
}


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeioAEIO" else "a"


def _other_converter(name: str, shown: str) -> str:
    converter = CONVERTERS_OF_TYPES.get(shown)
    if converter is None:
        return "Change the annotation."
    return f"Use '<{converter}:{name}>' or change the annotation."
