"""Requirements: schemes joined by ``&`` and ``|``, and their spelling.

Source: OpenAPI 3.1, Security Requirement Object.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from inspect import iscoroutinefunction

from typing_extensions import TypeVar, TypeVarTuple, Unpack

from ..exceptions import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from werkzeug.datastructures import WWWAuthenticate
    from werkzeug.wrappers import Request

    from ..typing import ResponsesOption


T = TypeVar("T", default=t.Any)

A = TypeVar("A")

B = TypeVar("B")

C = TypeVar("C")

Ts = TypeVarTuple("Ts")


class Malformed(Enum):
    """The type of :data:`MALFORMED`, for type checkers.

    .. versionadded:: 0.2
    """

    MALFORMED = "malformed"


#: Something was sent that can't be a credential.
MALFORMED: t.Final = Malformed.MALFORMED

#: ``("abc",)``, for Basic ``("user", "password")``, ``None`` where nothing was sent.
Credentials: t.TypeAlias = "tuple[str, ...] | Malformed | None"

#: A scheme, all of the parts, or any of them.
RequirementKind: t.TypeAlias = t.Literal["scheme", "all", "any"]


class Operand(t.Generic[T]):
    """What ``|`` and ``&`` combine: a scheme or a requirement."""

    @t.overload
    def __or__(self, other: None) -> Requirement[T | None]: ...
    @t.overload
    def __or__(self, other: Operand[A]) -> Requirement[T | A]: ...
    @t.overload
    def __or__(self, other: str) -> Requirement[t.Any]: ...
    def __or__(self, other: t.Any) -> Requirement[t.Any]:
        return any_requirement((self, other))

    @t.overload
    def __ror__(self, other: None) -> Requirement[T | None]: ...
    @t.overload
    def __ror__(self, other: str) -> Requirement[t.Any]: ...
    def __ror__(self, other: t.Any) -> Requirement[t.Any]:
        return any_requirement((other, self))

    @t.overload
    def __and__(self, other: AllOf[Unpack[Ts]]) -> AllOf[T, Unpack[Ts]]: ...
    @t.overload
    def __and__(self, other: Operand[A]) -> AllOf[T, A]: ...
    @t.overload
    def __and__(self, other: str) -> AllOf[T, t.Any]: ...
    def __and__(self, other: t.Any) -> AllOf[Unpack[tuple[t.Any, ...]]]:
        return all_of((self, other))

    def __rand__(self, other: str) -> AllOf[t.Any, T]:
        return all_of((other, self))

    def as_requirement(self) -> Requirement[T]:
        """The requirement of this alone."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class SecurityScheme(Operand[T]):
    """What is common to all schemes. Two are the same only if they are one object.

    :param name: of the scheme in the document.
    :param verify: a function that takes what was sent and returns whose it is,
        ``None`` or ``False`` if it is not valid. Further arguments are dependencies.
    :param get_scopes: a function that takes what ``verify=`` returned and returns the
        scopes that were granted, as a list or as a string such as ``"read write"``.
    :param authenticate: a function that reads the request by other means and returns
        who sent it, ``None`` for no user. Its arguments are dependencies.
    :param responses: what these abort with, as the option of a route, for the
        description of each operation that requires the scheme.
    :param deprecated: whether clients are to use another one. OpenAPI 3.2 says it.
    :raises SignatureError: if these can't be combined, or are no functions.

    Source: OpenAPI 3.1, Security Scheme Object.

    .. versionadded:: 0.1
    """

    name: str
    description: str | None = field(default=None, kw_only=True)
    # Not shown, since a partial function shows the secrets that are bound to it.
    verify: Callable[..., t.Any] | None = field(default=None, kw_only=True, repr=False)
    get_scopes: Callable[[T], Iterable[str] | str] | None = field(
        default=None, kw_only=True, repr=False
    )
    authenticate: Callable[..., t.Any] | None = field(
        default=None, kw_only=True, repr=False
    )
    responses: ResponsesOption = field(default_factory=dict, kw_only=True, repr=False)
    deprecated: bool = field(default=False, kw_only=True)

    #: What ``verify=`` takes first, for error messages.
    credentials: t.ClassVar[str] = "token"

    def __post_init__(self) -> None:
        if problem := _find_problem(self):
            raise scheme_error(self, problem)

    @property
    def verifies(self) -> bool:
        """Whether requests are checked; the scheme only describes otherwise."""
        return self.verify is not None or self.authenticate is not None

    def scopes(self, *scopes: str) -> Requirement[T]:
        """The scheme with scopes or roles: ``login.scopes("orders:read")``.

        :raises SignatureError: if one is no string.
        """
        if not all(isinstance(scope, str) for scope in scopes):
            message = "scopes() takes strings. Write scopes('read', 'write')."
            raise scheme_error(self, message)
        names = tuple(dict.fromkeys(scopes))
        return Requirement("scheme", name=self.name, scheme=self, scope_names=names)

    def as_requirement(self) -> Requirement[T]:
        """The scheme without scopes."""
        return self.scopes()

    def describe(self) -> dict[str, t.Any]:
        """The Security Scheme Object."""
        described = {"description": self.description, **self._members()}
        described["deprecated"] = self.deprecated or None
        return {key: value for key, value in described.items() if value is not None}

    def read_credentials(self, request: Request) -> Credentials:
        """What a request sends for the scheme: the first arguments of ``verify=``.

        ``None`` where nothing was sent, ``MALFORMED`` where that can't be a credential.
        """
        raise NotImplementedError

    def challenge(
        self, error: str | None = None, scopes: Sequence[str] = ()
    ) -> WWWAuthenticate:
        """What a 401 or 403 asks for, in its ``WWW-Authenticate`` header.

        :param error: ``"invalid_token"`` or ``"insufficient_scope"``.
        :param scopes: those that are needed.

        Source: RFC 9110, 11.6.1; RFC 6750, 3.
        """
        raise NotImplementedError

    def _members(self) -> dict[str, t.Any]:
        raise NotImplementedError


#: How the functions of a scheme are given.
EXAMPLES: t.Final = {
    "verify": "verify=find_user, with 'def find_user({})'",
    "get_scopes": "get_scopes=lambda user: user.scopes",
    "authenticate": "authenticate=find_user, with 'def find_user()'",
}


def _find_problem(scheme: SecurityScheme[t.Any]) -> str:
    """What can't be called or combined, ``""`` where there is nothing to refuse."""
    examples = {k: text.format(scheme.credentials) for k, text in EXAMPLES.items()}
    for name, value in vars(scheme).items():
        if name not in EXAMPLES and callable(value):
            return f"{name}= is a function. Write {examples['verify']}."
    for name, example in examples.items():
        value = getattr(scheme, name)
        if value is not None and not callable(value):
            # The value itself may be a secret that was meant for something else.
            return (
                f"{name}= is of type {type(value).__name__!r}, which can't be called."
                f" Give a function: {example}."
            )
    if iscoroutinefunction(scheme.get_scopes):
        return (
            "get_scopes= is a coroutine function. Write it with 'def', and load what"
            " it needs in verify=."
        )
    if scheme.verify is not None and scheme.authenticate is not None:
        return (
            "there are both verify= and authenticate=. Give verify= to check the"
            " credentials that are read for you, or authenticate= to read the request"
            " yourself."
        )
    if scheme.get_scopes is not None and not scheme.verifies:
        return (
            "there is get_scopes=, but nothing that finds whose scopes they are. Add"
            f" {examples['verify']}."
        )
    if scheme.responses and not scheme.verifies:
        return (
            "responses= describes what verify= aborts with, which is not there. Add it,"
            " or declare these on the routes."
        )
    return ""


def scheme_error(scheme: SecurityScheme[t.Any], problem: str) -> SignatureError:
    """The error that names a scheme: ``HTTPBearer('token'): ...``."""
    return SignatureError(f"{type(scheme).__name__}({scheme.name!r}): {problem}")


@dataclass(frozen=True)
class Requirement(Operand[T]):
    """What a request has to bring: a scheme, all of several parts, or any of them.

    :param kind: ``"scheme"`` for a scheme, ``"all"`` for ``a & b``, ``"any"`` for
        ``a | b``. Without any members that one requires nothing.
    :param members: what is combined, ``None`` where ``a | None`` has it.
    :param name: of the scheme.
    :param scheme: ``None`` where only its name is known.
    :param scope_names: the scopes that are needed.
    :raises SignatureError: if two schemes in it have the same name.

    Source: OpenAPI 3.1, Security Requirement Object.

    .. versionadded:: 0.1
    """

    kind: RequirementKind
    members: tuple[Requirement[t.Any] | None, ...] = ()
    name: str = field(default="", kw_only=True)
    scheme: SecurityScheme[T] | None = field(default=None, kw_only=True)
    scope_names: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        found: dict[str, SecurityScheme[t.Any]] = {}
        for leaf in self.leaves():
            scheme = leaf.scheme
            if scheme and found.setdefault(leaf.name, scheme) is not scheme:
                raise SignatureError(
                    f"A requirement has two schemes of the name {leaf.name!r}. Use one"
                    " object in both places, or give them different names."
                )

    @cached_property
    def parts(self) -> tuple[Requirement[t.Any], ...]:
        """What is combined, without ``None``."""
        return tuple(part for part in self.members if part is not None)

    @property
    def is_optional(self) -> bool:
        """Whether ``None`` is among the alternatives."""
        return None in self.members

    @cached_property
    def alternatives(self) -> Sequence[Alternative]:
        """Scheme and scopes by name, in order, of which a request satisfies one.

        ``token | None`` is ``({"token": (token, ())}, {})``.
        """
        return tuple(_without_duplicates(found for found, _ in self._choices))

    @cached_property
    def _choices(self) -> Sequence[Choice]:
        if self.kind == "scheme":
            return [({self.name: (self.scheme, self.scope_names)}, frozenset())]
        nothing: Choice = ({}, frozenset(leaf.name for leaf in self.leaves()))
        groups = [part._choices if part else [nothing] for part in self.members]
        if self.kind == "any":
            return [choice for group in groups for choice in group]
        found: Sequence[Choice] = [({}, frozenset())]
        for group in groups:
            pairs = [_both(one, other) for one in found for other in group]
            possible = [pair for pair in pairs if pair[1].isdisjoint(pair[0])]
            found = _without_duplicates(possible)
        return found

    def implies(self, other: Requirement[t.Any]) -> bool:
        """Whether who satisfies this satisfies another requirement, too.

        ``token & key`` implies ``token``. It does not imply ``login | None``: a client
        may send a wrong login as well.
        """
        return all(
            any(_has_all_of(one, choice) for choice in other._choices)
            for one in self._choices
        )

    def leaves(self) -> Iterator[Requirement[t.Any]]:
        """The schemes in the requirement, in order, each with its scopes."""
        if self.kind == "scheme":
            yield self
        for part in self.parts:
            yield from part.leaves()

    def as_requirement(self) -> Requirement[T]:
        """The requirement itself."""
        return self


class AllOf(Requirement[tuple[Unpack[Ts]]], t.Generic[Unpack[Ts]]):
    """What ``a & b`` requires: all of its parts. It gives a flat tuple.

    .. versionadded:: 0.2
    """

    # ``a & b & c`` is no pair of a pair and c, which is what the base class has.
    @t.overload  # type: ignore[override]
    def __and__(self, other: AllOf[A, B]) -> AllOf[Unpack[Ts], A, B]: ...
    @t.overload
    def __and__(self, other: AllOf[A, B, C]) -> AllOf[Unpack[Ts], A, B, C]: ...
    @t.overload
    def __and__(self, other: Operand[A]) -> AllOf[Unpack[Ts], A]: ...
    @t.overload
    def __and__(self, other: str) -> AllOf[Unpack[Ts], t.Any]: ...
    def __and__(self, other: t.Any) -> t.Any:
        return all_of((self, other))


def any_requirement(values: Iterable[t.Any]) -> Requirement[t.Any]:
    """The requirement of one of several, ``None`` for none at all.

    :raises SignatureError: if one can't be a part of a requirement.
    """
    members = dict.fromkeys(member for value in values for member in _choices(value))
    only = next(iter(members)) if len(members) == 1 else None
    return only or Requirement("any", tuple(members))


def _choices(value: t.Any) -> tuple[Requirement[t.Any] | None, ...]:
    part = None if value is None else read_operand(value)
    return part.members if part and part.kind == "any" else (part,)


def all_of(values: Iterable[t.Any]) -> AllOf[Unpack[tuple[t.Any, ...]]]:
    """The requirement of all of several.

    :raises SignatureError: if one can't be a part of a requirement.
    """
    members: list[Requirement[t.Any] | None] = []
    for value in values:
        part = any_requirement([]) if value is None else read_operand(value)
        if part.kind == "any" and not part.parts:
            message = "'&' joins schemes. Write 'token | None' for an optional one."
            raise SignatureError(message)
        members += part.members if part.kind == "all" else (part,)
    return AllOf("all", tuple(members))


def read_operand(value: t.Any) -> Requirement[t.Any]:
    """The requirement of a scheme, of its name, or of schemes that are combined."""
    if isinstance(value, Operand):
        return value.as_requirement()
    if isinstance(value, str):
        return Requirement("scheme", name=value)
    raise SignatureError(
        f"security={value!r} is no security requirement. Use a scheme such as"
        " HTTPBearer('token', verify=find_user), schemes joined with '&' and '|', or"
        " the name of one."
    )


#: Scheme and scopes by name. A scheme that is not known yet is ``None``.
Alternative: t.TypeAlias = (
    "Mapping[str, tuple[SecurityScheme[t.Any] | None, tuple[str, ...]]]"
)

#: An alternative, and the names of schemes for which a request of it sends nothing:
#: who sends a credential to ``token | None`` is held to it.
Choice: t.TypeAlias = "tuple[Alternative, frozenset[str]]"


def _has_all_of(one: Choice, other: Choice) -> bool:
    (sent, absent), (needed, without) = one, other
    return without <= absent and all(
        name in sent and set(sent[name][1]).issuperset(scopes)
        for name, (_, scopes) in needed.items()
    )


def _both(one: Choice, other: Choice) -> Choice:
    """Two choices in one, where a scheme in both has the scopes of both."""
    joined = {**one[0], **other[0]}
    for name in one[0].keys() & other[0].keys():
        (scheme, scopes), (same, more) = one[0][name], other[0][name]
        united = tuple(dict.fromkeys(scopes + more))
        joined[name] = (same if scheme is None else scheme, united)
    return joined, one[1] | other[1]


def _without_duplicates(items: Iterable[T]) -> Sequence[T]:
    found: list[T] = []
    for item in items:
        if item not in found:
            found.append(item)
    return found


#: The problem of an object that only describes.
UNCHECKED: t.Final = (
    "security= takes schemes that check requests, and this one has neither verify= nor"
    " authenticate=. Add verify=; or, where a decorator checks them, describe it in"
    " SIGNATURE_SECURITY_SCHEMES and write its name, security={!r}."
)


def as_requirement(value: t.Any) -> Requirement[t.Any]:
    """The requirement that an option says, in any of its spellings.

    A scheme, schemes that are combined, ``None`` for nothing, the name of one of the
    configuration's schemes, a list of alternatives, or OpenAPI's ``[{"token": []}]``.

    :raises SignatureError: if it is none of these, or empty.
    """
    if value is None:
        return any_requirement([None])
    if isinstance(value, (Mapping, list, tuple, str)) and not value:
        raise SignatureError(
            f"security={value!r} is empty. Write what is required, or security=None on"
            " a route or a blueprint that is open."
        )
    if isinstance(value, Mapping):
        return _read_object(value)
    if isinstance(value, (list, tuple)):
        # In OpenAPI's spelling {} is the alternative of nothing.
        return any_requirement(
            as_requirement(None if item == {} else item) for item in value
        )
    return read_operand(value)


def read_security(value: t.Any) -> Requirement[t.Any]:
    """The requirement of the option ``security=``. ``None`` removes that of the scope.

    :raises SignatureError: if it is no security requirement, or has a scheme that
        checks no request.
    """
    if value is None:
        return any_requirement([])
    requirement = as_requirement(value)
    for leaf in requirement.leaves():
        if leaf.scheme is not None and not leaf.scheme.verifies:
            message = UNCHECKED.format(leaf.name)
            raise scheme_error(leaf.scheme, message)
    return requirement


def _read_object(value: Mapping[t.Any, t.Any]) -> Requirement[t.Any]:
    """The requirement of a Security Requirement Object: ``{"token": ["read"]}``.

    Source: OpenAPI 3.1, Security Requirement Object.
    """
    for name, scopes in value.items():
        if isinstance(scopes, str):
            raise SignatureError(
                f"security={value!r}: the scopes of {name!r} are a string. Write a"
                f" list: {{{name!r}: {scopes.split()!r}}}."
            )
    leaves = [
        Requirement[t.Any]("scheme", name=str(name), scope_names=tuple(scopes))
        for name, scopes in value.items()
    ]
    return all_of(leaves) if len(leaves) > 1 else leaves[0]
