"""The inbound plan of a view: what is read from where, and what can't be read.

A signature and a path template go in, an :class:`.InboundPlan` comes out; the
compilation of an operation calls it.
"""

from __future__ import annotations

import typing as t
from contextlib import suppress
from dataclasses import replace
from functools import partial
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
from .._types.annotations import accept_instances, read_type, show_type
from .._types.models import model_config
from ..exceptions import SignatureError
from ..params import Location
from .binding import Binding, bind_argument, check_names
from .body import (
    MAX_SHARED,
    check_constraints,
    check_types,
    compile_body,
    keywords_adapter,
    shared_adapter,
    shared_key,
)
from .limits import BoundedValidator
from .plan import InboundPlan, unreadable_names
from .readers import FORM_LOCATIONS, LOCATIONS, Source

if t.TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Hashable,
        Iterator,
        Mapping,
        Sequence,
    )

    from .._routing.route import PathTemplate
    from .._signature.argument import Argument, Signature
    from .._types.adapters import Adapter
    from .plan import Refuse

    #: The names of a location that something else reads.
    KnownNames: t.TypeAlias = Mapping[Location, frozenset[str]]

    #: The bindings of some arguments, and the sources and the validator of these.
    ReadParts: t.TypeAlias = tuple[
        Mapping[str, Binding], tuple[Source, ...], BoundedValidator | None
    ]

MULTIPART: t.Final = "multipart/form-data"

#: Nothing else reads names of the request.
NOTHING_KNOWN: t.Final[KnownNames] = MappingProxyType({})

NO_NAMES: t.Final = name_set(())


def compile_inbound(
    signature: Signature,
    known: KnownNames = NOTHING_KNOWN,
    *,
    template: PathTemplate,
    method: str,
    provided: Collection[str],
    is_preprocessed: bool,
    refuse: Refuse,
    needs_content_type: Callable[[], bool],
) -> InboundPlan:
    """The plan that reads the arguments of a signature.

    :param known: names that something else reads, which are no extra fields of a model.
    :param template: the rule, whose converters make values of some types. An argument
        of just that type is not validated again.
    :param method: for messages, and because TRACE has no body.
    :param provided: the names that the URL provides.
    :param is_preprocessed: whether a function may replace what a converter has made.
    :param refuse: makes the exception of a request with some errors.
    :param needs_content_type: whether a body without a content type is a 415, rather
        than read as JSON.
    :raises SignatureError: if a location can't carry an argument, or two exclude each
        other.
    """
    provided_types: Mapping[str, type] = {}
    if template.converters:
        signature, provided_types = fit_path(signature, template)
    if is_preprocessed:
        provided_types = {}
    _check_bodies(signature, method)
    compile_plan = partial(
        _compile_plan,
        signature,
        [item for item in signature.arguments if _is_bound(item, provided_types)],
        known=known,
        provided=frozenset(provided),
        refuse=refuse,
        needs_content_type=needs_content_type,
    )
    return compile_plan(NO_NAMES, compile_variant=compile_plan)


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
    types = {
        name: CONVERTER_TYPES[type(converter)]
        for name, converter in template.converters.items()
        if type(converter) in CONVERTER_TYPES
    }
    # A custom converter may look up an object of any class, such as one of an ORM.
    custom = template.converters.keys() - types.keys()
    arguments: list[Argument] = []
    for argument in signature.arguments:
        variable = path_name(argument) if argument.location is Location.PATH else ""
        if variable in types:
            _check_converter(argument, variable, types[variable])
        if variable in custom:
            accepted = accept_instances(argument.type.annotation)
            argument = replace(argument, type=read_type(accepted))
        arguments.append(argument)
    if custom:
        signature = replace(signature, arguments=tuple(arguments))
    return signature, types


#: The types that no value of a converter fits, by what the converter makes.
IMPOSSIBLE: t.Final[dict[type, tuple[tuple[type, ...], str]]] = {
    int: ((str, bytes, UUID), "no integer"),
    float: ((str, bytes, UUID), "no float"),
    UUID: ((str, bytes, int, float, bool), "no UUID"),
}


def _check_converter(argument: Argument, variable: str, provides: type) -> None:
    """Refuse an argument whose type no value of its converter fits.

    :raises SignatureError: if it does not, since every request would fail.
    """
    types, no_value = IMPOSSIBLE.get(provides, ((), ""))
    if argument.field.metadata or not all(tp in types for tp in argument.type.members):
        return
    shown = show_type(argument.type.annotation)
    article = "an" if shown[:1] in "aeioAEIO" else "a"
    converter, advice = CONVERTERS_OF_TYPES.get(shown), "Change the annotation."
    if converter is not None:
        advice = f"Use '<{converter}:{variable}>' or change the annotation."
    raise SignatureError(
        f"the rule converts {variable!r} with {provides.__name__.lower()!r}, but"
        f" {argument.owner} declares '{argument.name}: {shown}', and"
        f" {no_value} is {article} {shown}. {advice}"
    )


#: The converters of Werkzeug by the types of what they make, as messages show them.
CONVERTERS_OF_TYPES: t.Final = {
    "UUID": "uuid",
    "float": "float",
    "int": "int",
    "str": "string",
}


def _check_bodies(signature: Signature, method: str) -> None:
    view, arguments = signature.view, signature.arguments
    bodies = [item for item in arguments if item.location is Location.BODY]
    forms = [item for item in arguments if item.location in FORM_LOCATIONS]
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


def _is_bound(argument: Argument, provided_types: Mapping[str, type]) -> bool:
    """Whether the adapter of a plan validates an argument.

    A body has an adapter of its own, and a converter may have made the right type.
    """
    if argument.location is not Location.PATH or argument.fields:
        return argument.location is not Location.BODY
    provided = provided_types.get(argument.name)
    return not argument.type.is_anything and provided is not argument.type.annotation


def _compile_plan(
    signature: Signature,
    bound: Sequence[Argument],
    passed: frozenset[str],
    *,
    known: KnownNames,
    provided: frozenset[str],
    refuse: Refuse,
    needs_content_type: Callable[[], bool],
    compile_variant: Callable[[frozenset[str]], InboundPlan] | None = None,
) -> InboundPlan:
    """The plan without what is passed. Its adapter validates what is bound."""
    arguments = signature.arguments
    bindings, sources, validator = parts_of(signature.view, bound, known, passed=passed)
    check_names(arguments)
    bodies = [item for item in arguments if item.location is Location.BODY]
    body = None
    if any(item.key not in passed for item in bodies):
        body = compile_body(bodies, passed, needs_content_type)
    form_types, accepted_form_types = _form_types(signature, bindings, passed)
    unreadable = None
    if validator is not None and form_types:
        unreadable = unreadable_names(validator.adapter, bindings.values())
    return InboundPlan(
        signature=signature,
        sources=sources,
        validator=validator,
        body=body,
        form_types=form_types,
        accepted_form_types=accepted_form_types,
        reads_long_values=any(map(_may_hold_many, bindings.values())),
        unreadable_names=unreadable,
        renamed=_renamed(bound, bindings),
        bindings=bindings,
        refuse=refuse,
        is_noop=not (validator or body or signature.injected),
        expected=name_set(provided | signature.injected),
        passable=name_set({item.key for item in arguments} - provided),
        compile_variant=compile_variant,
        variants={},
    )


#: What reads the arguments of other views, by all that makes a difference for it.
_known_parts: dict[Hashable, ReadParts] = {}


def parts_of(
    view: str,
    arguments: Sequence[Argument],
    known: KnownNames = NOTHING_KNOWN,
    *,
    passed: Collection[str] = NO_NAMES,
) -> ReadParts:
    """What reads arguments outside of a JSON body: see :class:`InboundPlan`.

    It is the same for views that declare them alike.

    :param known: names that something else reads.
    :param passed: the names of those that callers supply.
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
    parts = None if passed else _known_parts.get(key)
    if parts is not None:
        return parts
    bindings = {item.key: bind_argument(item) for item in arguments}
    sources = _compile_sources(arguments, bindings, passed=passed, known=known)
    read = [item for item in arguments if item.key not in passed]
    adapter = _compile_adapter(view, read, bindings) if read else None
    parts = bindings, sources, BoundedValidator(adapter) if adapter else None
    if None not in types and not passed and len(_known_parts) < MAX_SHARED:
        _known_parts[key] = parts
    return parts


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
        read = compile_reader(
            [field for binding in found for field in binding.fields],
            reads_all_names=any(binding.reads_all_names for binding in found),
            ignored=_names_in(location, arguments, bindings)
            | known.get(location, NO_NAMES),
        )
        optional = found[0].is_model and not members[0].field.is_required()
        compiled.append(Source(part, read, optional))
    return tuple(compiled)


def _names_in(
    location: Location, arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> frozenset[str]:
    """The names of all arguments there, which are no extra fields of a model."""
    shared = FORM_LOCATIONS if location in FORM_LOCATIONS else {location}
    return frozenset(
        field.name_or_prefix
        for argument in arguments
        if argument.location in shared
        for field in bindings[argument.key].fields
    )


def _compile_adapter(
    view: str, arguments: Sequence[Argument], bindings: Mapping[str, Binding]
) -> Adapter:
    """The adapter of the arguments outside of a JSON body."""
    aliases = {item.key: bindings[item.key].alias for item in arguments}
    # Flask reads the values of the URL, and no reader, which would convert them.
    conversions = {
        item.key: bindings[item.key].fields[0].convert
        for item in arguments
        if item.location is Location.PATH
    }
    if not any(conversions.values()):
        # The error says which argument Pydantic can't read.
        with suppress(*PYDANTIC_ERRORS):
            shared = shared_adapter(arguments, aliases)
            if shared is not None:
                return shared
    more: dict[str, list[t.Any]] = {}
    for argument in arguments:
        check_constraints(argument)
        convert = conversions.get(argument.key)
        more[argument.key] = [BeforeValidator(convert)] if convert else []
        more[argument.key].append(Field(validation_alias=aliases[argument.key]))
    own = keywords_adapter(arguments, more)
    # No type that is shared raises an error.
    check_types(view, own)
    return own


def _form_types(
    signature: Signature, bindings: Mapping[str, Binding], passed: Collection[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The content types of a form: those to describe, and those to accept."""
    forms = [item for item in signature.arguments if item.location in FORM_LOCATIONS]
    if all(item.key in passed for item in forms):
        return (), ()
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
            f"the form of {signature.view} has the media type {names}. Use {known}."
        )
    one = (str(declared.pop()),)
    return one, one


#: The locations whose size is that of the query, or of the body of a request.
MEASURED: t.Final = (Location.QUERY, *sorted(FORM_LOCATIONS))


def _may_hold_many(binding: Binding) -> bool:
    """Whether an argument, neither of the query nor of a form, may have many values.

    What they cost is bounded by the size of all headers and of the path.
    """
    if binding.source.startswith(MEASURED):
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


def find_tables(plan: InboundPlan) -> Iterator[str]:
    """What is wrong with the arguments of models that are tables of SQLModel.

    Such a model takes any value for its fields.
    """
    for argument in plan.signature.arguments:
        items = argument.type.item.models if argument.type.item else ()
        for model in (*argument.type.models, *items):
            config: Mapping[str, t.Any] = t.cast("t.Any", model_config(model))
            if config.get("table"):
                yield (
                    f"{argument.name!r} of {argument.owner} is {show_type(model)!r},"
                    " which SQLModel does not validate, since it is a table. Take a"
                    " model without table=True, and make the row of it."
                )
