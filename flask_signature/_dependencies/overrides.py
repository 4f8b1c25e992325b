"""What tests have called in the place of dependencies: ``app.dependency_overrides``."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from collections.abc import MutableMapping

from ..exceptions import SignatureError
from ..security import Requirement
from ..security import SecurityScheme
from .callables import check_function
from .callables import name_of
from .identity import key_of

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Mapping


class Overridable(t.Protocol):
    """An operation whose dependencies may be overridden."""

    def override(self, fakes: Mapping[t.Any, t.Any]) -> None:
        """Call others in the place of some dependencies.

        :raises SignatureError: if one takes something that the other does not.
        """


class DependencyOverrides(MutableMapping[t.Any, "Callable[..., t.Any]"]):
    """What is called in the place of dependencies: ``overrides[get_db] = fake``.

    The keys are dependencies, functions of ``verify=`` and ``authenticate=``, and
    security schemes. Each operation that uses one is compiled anew when an item is set
    or removed; its description does not change.

    .. versionadded:: 0.2
    """

    def __init__(self) -> None:
        self._given: dict[t.Any, t.Any] = {}
        self._fakes: dict[t.Any, Callable[..., t.Any]] = {}
        self._operations: list[Overridable] = []

    def __getitem__(self, dependency: t.Any) -> Callable[..., t.Any]:
        return self._fakes[key_of(dependency)]

    def __setitem__(self, dependency: t.Any, fake: Callable[..., t.Any]) -> None:
        """Call a function in the place of a dependency.

        :raises SignatureError: if it takes something that the dependency does not, or
            stands for what no operation can depend on.
        """
        _check_overridden(dependency)
        check_function(fake, shown="dependency_overrides")
        key = key_of(dependency)
        self._apply({**self._fakes, key: fake})
        self._given[key] = dependency

    def __delitem__(self, dependency: t.Any) -> None:
        key = key_of(dependency)
        self._apply(
            {other: fake for other, fake in self._fakes.items() if other != key}
            if key in self._fakes
            else _missing(dependency)
        )
        del self._given[key]

    def __iter__(self) -> Iterator[t.Any]:
        return iter([*self._given.values()])

    def __len__(self) -> int:
        return len(self._fakes)

    def __repr__(self) -> str:
        # A partial function would show the secrets that are bound to it.
        names = [name_of(item) if callable(item) else repr(item) for item in self]
        return f"DependencyOverrides([{', '.join(names)}])"

    def add(self, operation: Overridable) -> None:
        """Keep an operation, and call in it what is set so far."""
        operation.override(self._fakes)
        self._operations.append(operation)

    def _apply(self, fakes: dict[t.Any, Callable[..., t.Any]]) -> None:
        changed: list[Overridable] = []
        try:
            for operation in [*self._operations]:
                changed.append(operation)
                operation.override(fakes)
        except BaseException:
            for operation in changed:
                operation.override(self._fakes)
            raise
        self._fakes = fakes


def _check_overridden(dependency: t.Any) -> None:
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


def _missing(dependency: t.Any) -> t.NoReturn:
    raise KeyError(dependency)
