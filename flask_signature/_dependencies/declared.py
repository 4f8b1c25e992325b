"""What is declared for a view besides its signature."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask

    from ..security import Requirement
    from .overrides import DependencyOverrides


class Declared(t.NamedTuple):
    """What is declared for a view besides its signature.

    :param guards: the items of ``dependencies=``, the outermost first.
    :param requirement: of ``security=``, ``None`` where nothing says any.
    :param parameters: the names of all arguments of the view.
    :param takes_more: whether the view takes further variables of the URL.
    :param provided: the names that the URL provides.
    :param namespace: the local names around the view.
    :param overrides: of the application, ``None`` where it has none.
    :param runs_coroutines: whether the application can run coroutine functions, called
        where one stands for a dependency.
    """

    app: Flask
    endpoint: str
    guards: Sequence[t.Any]
    requirement: Requirement[t.Any] | None
    parameters: Collection[str]
    takes_more: bool
    provided: Collection[str]
    namespace: Mapping[str, t.Any] | None
    overrides: DependencyOverrides | None
    runs_coroutines: Callable[[], bool]
