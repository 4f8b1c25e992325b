"""The graph of an operation: its dependencies, each of which is read once.

Functions and their markers go in; nodes come out, and the arguments of the view and its
dependencies, those that are declared alike as one.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from .._common import UNSET
from .._inbound.readers import environ_key
from .._routing.declaration import is_exception, read_responses_option
from .._signature.argument import path_name, request_paths
from ..dependencies import DependencyMarker
from ..exceptions import SignatureError
from ..params import Location, check_framework
from ..security import Scopes, as_requirement
from .callables import (
    ASYNCHRONOUS_KINDS,
    GENERATORS,
    check_annotation,
    check_function,
    find_function,
    key_of,
    kind_of,
    read_function,
    unwrap_dependency,
)

if t.TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Collection,
        Hashable,
        Iterable,
        Mapping,
    )

    from pydantic.fields import FieldInfo

    from .._signature.argument import Argument, Signature, SuppliedArgument
    from .._signature.views import ViewCallable
    from ..security import Requirement, SecurityScheme
    from ..typing import DependencyScope
    from .callables import CallableKind


@dataclass(slots=True)
class Graph:
    """The dependencies of one operation, while they are read.

    :param view: the name of the view, as messages show it.
    :param arguments: of the view and of all that is read.
    :param provided: the names that the URL provides.
    :param namespace: the local names around the view, which the annotations of a local
        function may use.
    :param demands: the security requirements in signatures, in order.
    """

    view: str
    arguments: SharedArguments
    provided: Collection[str]
    namespace: Mapping[str, t.Any] | None
    demands: list[Demand] = field(default_factory=list)
    _shared: dict[Hashable, Node] = field(default_factory=dict)
    _keys: set[str] = field(default_factory=set)
    _reading: dict[Hashable, str] = field(default_factory=dict)

    def copy(self) -> Graph:
        """One that reads more, while this one stays as it is."""
        return replace(
            self,
            arguments=replace(self.arguments, by_key={**self.arguments.by_key}),
            demands=[*self.demands],
            _shared={**self._shared},
            _keys={*self._keys},
            _reading={},
        )

    def read_view(self, signature: Signature) -> dict[str, Node]:
        """The dependencies of the view, by the names of its arguments.

        :raises SignatureError: if one can't be read.
        """
        found: dict[str, Node] = {}
        for item in signature.supplied:
            if isinstance(item.marker, DependencyMarker):
                found[item.name] = self.supply(item, signature.view, key=item.name)
            else:
                self._demand(item, signature.view, key=item.name)
        return found

    def read_guard(self, guard: t.Any) -> Node:
        """The node of an item of ``dependencies=``.

        :raises SignatureError: if it can't be read.
        """
        marker = guard if isinstance(guard, DependencyMarker) else None
        marker = marker or DependencyMarker(guard)
        shown = f"dependencies= of {self.view}"
        if marker.dependency is UNSET:
            raise SignatureError(
                f"{shown} has Depends(), which names no function. Write"
                " Depends(function)."
            )
        check_function(marker.dependency, shown=shown)
        check_annotation(marker.dependency)
        node = self._read(marker.dependency, marker)
        node.is_guard = True
        return node

    def read_scheme(self, scheme: SecurityScheme[t.Any]) -> Node:
        """The node of the function of a security scheme, which is no dependency itself.

        :raises SignatureError: if it can't be read.
        """
        function = scheme.verify or scheme.authenticate
        assert function is not None
        check_function(function, shown=f"the scheme {scheme.name!r}")
        key = self._free_key(f"security {scheme.name}")
        return self._make(function, key, unwrap_dependency(function), scheme=scheme)

    def supply(self, item: SuppliedArgument, owner: str, *, key: str = "") -> Node:
        """The node of an argument with ``Depends()``."""
        shown = f"{item.name!r} of {owner}"
        function = find_function(item.marker, item.annotation, shown=shown)
        return self._read(function, item.marker, key=key)

    def _demand(self, item: SuppliedArgument, owner: str, *, key: str) -> None:
        """Keep a security requirement of a signature."""
        shown = f"{item.name!r} of {owner}"
        if item.marker is Scopes:
            raise SignatureError(
                f"{shown} is annotated Scopes, which only a function of verify= or"
                " authenticate= is given. Remove it."
            )
        requirement = as_requirement(item.marker)
        self.demands.append(Demand(key, requirement, item.annotation, shown))

    def _read(
        self, function: Callable[..., t.Any], marker: DependencyMarker, *, key: str = ""
    ) -> Node:
        """The node of a dependency, the same for all that share it.

        :param key: where its value goes, if nothing else has asked for it before.
        """
        identity, view_callable = key_of(function), unwrap_dependency(function)
        name = view_callable.name
        if identity in self._reading:
            names = [*self._reading.values()]
            circle = names[[*self._reading].index(identity) :]
            raise SignatureError(
                f"{name} depends on itself: {' -> '.join([*circle, name])}. Remove one"
                " of these dependencies."
            )
        node = self._shared.get(identity) if marker.use_cache else None
        if node is None:
            self._reading[identity] = name
            key = self._free_key(key or f"dependency {name}")
            node = self._make(function, key, view_callable)
            node.scope = marker.scope
            del self._reading[identity]
        if marker.use_cache:
            self._shared[identity] = node
        check_options(node, marker)
        node.responses.update(read_responses_option(name, marker.responses))
        node.raises += [cls for cls in marker.raises if cls not in node.raises]
        return node

    def _free_key(self, wanted: str) -> str:
        """A key that no other dependency and no argument has."""
        key, number = wanted, 1
        while key in self._keys:
            number += 1
            key = f"{wanted} {number}"
        self._keys.add(key)
        return key

    def _make(
        self,
        function: Callable[..., t.Any],
        key: str,
        view_callable: ViewCallable,
        *,
        scheme: SecurityScheme[t.Any] | None = None,
    ) -> Node:
        """The node of a function, which is read.

        :param view_callable: the function, with its signature.
        :param scheme: whose credentials the first arguments of ``verify=`` are.
        """
        credentials = 0
        if scheme is not None and scheme.verify is not None:
            credentials = len(scheme.credentials.split(","))
        signature = read_function(
            view_callable,
            provided=self.provided,
            namespace=self.namespace,
            credentials=credentials,
        )
        name = view_callable.name
        node = Node(
            key=key,
            function=function,
            name=name,
            kind=kind_of(function),
            scheme=scheme,
            credentials=credentials,
            is_taken=scheme is None,
        )
        for argument in signature.arguments:
            node.reads[argument.name] = self.arguments.add(argument)
        for item in signature.supplied:
            if isinstance(item.marker, DependencyMarker):
                node.needs[item.name] = self.supply(item, name)
            elif item.marker is Scopes and scheme is not None:
                node.scopes = (*node.scopes, item.name)
            else:
                node.allowed[item.name] = self._free_key(f"{key}.{item.name}")
                self._demand(item, name, key=node.allowed[item.name])
        return node


@dataclass(eq=False, kw_only=True)
class Node:
    """One call of a dependency in an operation.

    :param key: where its value goes, which no other node of the operation has.
    :param name: as messages show it: ``"get_db()"``.
    :param reads: the keys of what it takes from the request, by its own names.
    :param needs: the dependencies that supply its arguments, by its own names.
    :param allowed: the keys of what its security requirements supply, likewise.
    :param scheme: that it verifies, ``None`` for a dependency.
    :param credentials: so many of its arguments are given by position, the first ones.
    :param scopes: the names of its arguments that are the scopes asked for.
    :param responses: models by status, of those that ask for it.
    :param raises: exceptions, likewise.
    :param is_guard: whether it is in ``dependencies=``.
    :param is_taken: whether something is called with its value, and may run that.
    """

    key: str
    function: Callable[..., t.Any]
    name: str
    kind: CallableKind
    scope: DependencyScope = "function"
    reads: dict[str, str] = field(default_factory=dict)
    needs: dict[str, Node] = field(default_factory=dict)
    allowed: dict[str, str] = field(default_factory=dict)
    scheme: SecurityScheme[t.Any] | None = None
    credentials: int = 0
    scopes: tuple[str, ...] = ()
    responses: dict[t.Any, t.Any] = field(default_factory=dict)
    raises: list[type[Exception]] = field(default_factory=list)
    is_guard: bool = False
    is_taken: bool = True

    @cached_property
    def _takes(self) -> Iterable[tuple[str, str]]:
        """The keys of what it is called with, by its own names."""
        needs = {name: inner.key for name, inner in self.needs.items()}
        return tuple({**self.reads, **needs, **self.allowed}.items())

    def arguments(self, values: Mapping[str, t.Any]) -> dict[str, t.Any]:
        """What the dependency is called with.

        :raises TypeError: if a variable of the URL was removed.
        """
        try:
            return {name: values[key] for name, key in self._takes}
        except KeyError as error:
            raise TypeError(
                f"{self.name} takes {error.args[0]!r}, which was removed from the"
                " variables of the URL."
            ) from None


#: Nothing is overridden.
NO_FAKES: t.Final[Mapping[str, Node]] = MappingProxyType({})


def within(
    roots: Iterable[Node],
    fakes: Mapping[str, Node] = NO_FAKES,
    *,
    without: Iterable[str] = (),
) -> list[Node]:
    """Some nodes and what they depend on, each once, after what it depends on itself.

    :param fakes: what is called in the place of some, by their keys.
    :param without: the keys of nodes to leave out, with what they alone need.
    """
    waiting = [(node, False) for node in reversed([*roots])]
    seen, found = {*without}, []
    while waiting:
        node, is_read = waiting.pop()
        if is_read:
            found.append(node)
        elif node.key not in seen:
            seen.add(node.key)
            node = fakes.get(node.key, node)
            waiting.append((node, True))
            waiting += [(item, False) for item in reversed(node.needs.values())]
    return found


@dataclass(frozen=True, slots=True)
class Demand:
    """A security requirement in a signature, and where what it gives goes.

    :param annotation: of the argument.
    :param shown: the argument, for messages: ``"'user' of show()"``.
    """

    key: str
    requirement: Requirement[t.Any]
    annotation: t.Any
    shown: str


def check_options(node: Node, marker: DependencyMarker) -> None:
    """Refuse options that a dependency can't have.

    :raises SignatureError: if there is a reason to.
    """
    if not isinstance(marker.raises, (list, tuple, set)) or not all(
        map(is_exception, marker.raises)
    ):
        raise SignatureError(
            f"{node.name} has raises={marker.raises!r}, which is no list of exceptions."
            " Write raises=[NotEnough]."
        )
    for cls in marker.raises:
        check_framework(f"raises= of {node.name}", cls)
    if marker.scope not in ("function", "request"):
        raise SignatureError(
            f'{node.name} has the scope {marker.scope!r}. Write scope="function" or'
            ' scope="request".'
        )
    if node.scope != marker.scope:
        raise SignatureError(
            f"{node.name} is declared with two scopes, {node.scope!r} and"
            f" {marker.scope!r}. Write the same one everywhere."
        )
    if node.scope == "function":
        return
    if node.kind not in GENERATORS:
        raise SignatureError(
            f'{node.name} has scope="request", but is no generator function, so that'
            " there is nothing to close. Remove the scope."
        )
    if node.kind in ASYNCHRONOUS_KINDS:
        raise SignatureError(
            f'{node.name} has scope="request" and is asynchronous, but its event loop'
            " has ended when the body is sent. Write it with 'def'."
        )
    check_outlived(node)


def check_outlived(node: Node) -> None:
    """Refuse a generator that depends on one which is closed before.

    :raises SignatureError: if it does.
    """
    if node.scope == "function" or node.kind not in GENERATORS:
        return
    for used in within(node.needs.values()):
        if used.scope == "function" and used.kind in GENERATORS:
            raise SignatureError(
                f'{node.name} has scope="request", but depends on {used.name},'
                " which is closed before. Give that the same scope."
            )


@dataclass(slots=True)
class SharedArguments:
    """The arguments of several functions, by their keys.

    :param names: those that are no keys of a dependency's arguments: of the arguments
        of the view, and of variables of the URL.
    """

    names: Collection[str]
    by_key: dict[str, Argument] = field(default_factory=dict)

    def add(self, argument: Argument) -> str:
        """The key of a dependency's argument, which may be that of another one.

        :raises SignatureError: if another function declares it differently.
        """
        place = (argument.location, _paths_of(argument)[0][0])
        for known in self.by_key.values():
            if (known.location, _paths_of(known)[0][0]) == place:
                if are_alike(known, argument):
                    return known.key
                if not argument.has_field_names:
                    raise SignatureError(_differing(known, argument))
        if argument.location is Location.PATH:
            variable = path_name(argument)
            argument = replace(argument, key=variable, name=variable)
        else:
            argument = replace(argument, key=self._free_key(argument))
        self.by_key[argument.key] = argument
        return argument.key

    def _free_key(self, argument: Argument) -> str:
        """A key that nothing else has: the name, so that a value of it may be passed.

        That is no identifier where the view has an argument of that name, and begins
        otherwise than the key of any value that is no argument.
        """
        key, number = argument.name, 1
        full = f"argument {argument.owner}.{argument.name}"
        while key in self.by_key or key in self.names:
            key = full if number == 1 else f"{full} {number}"
            number += 1
        return key


def _paths_of(argument: Argument) -> list[list[str | int]]:
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
    has_same_names = _paths_of(one) == _paths_of(other)
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


def _differing(one: Argument, other: Argument) -> str:
    name = request_paths(other)[0][0]
    return (
        f"{one.name!r} of {one.owner} and {other.name!r} of {other.owner} are both read"
        f" from {name!r} of the {other.location.value}, but declared differently. Give"
        " them the same type, constraints and default"
        f"{'' if other.location is Location.PATH else ', or one of them an alias'}."
    )
