"""The inbound plan of a view: its arguments bound, its adapters and readers built.

A signature goes in, an :class:`InboundPlan` comes out; the compilation of an operation
calls it.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from .._http.request import URLENCODED
from .._once import name_set
from ..exceptions import SignatureError
from ..params import Location
from .adapters import check_constraints, check_types
from .body import compile_body
from .conflicts import check_names
from .failures import unreadable_names
from .locations import FORM_LOCATIONS
from .parts import NO_NAMES, NOTHING_KNOWN, Parts, compile_parts, parts_of
from .path import fit_path
from .plan import InboundPlan, PlanVariants

if t.TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from .._routing.path_template import PathTemplate
    from .._signature.argument import Argument, Signature
    from .binding import Binding
    from .failures import Names
    from .plan import Refuse


MULTIPART: t.Final = "multipart/form-data"


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
