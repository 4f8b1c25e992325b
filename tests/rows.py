"""Tables of requests: a view, the request that it gets, and what becomes of it."""

from __future__ import annotations

import functools
import typing as t
from collections.abc import Callable

import pytest
from client import client_of, echo, refusals

if t.TYPE_CHECKING:
    from client import Refusal

V = t.TypeVar("V", bound=Callable[..., t.Any])

#: What a test takes that holds each row against :func:`check_row`.
NAMES: t.Final = ("view", "method", "rule", "sent", "answer")


class Rows(list[t.Any]):
    """A table, whose rows are written above views without a body.

    Such a view shows the arguments that it is called with.
    """

    def of(self, route: str) -> Callable[[t.Any, t.Any], Callable[[V], V]]:
        """What makes a row of a view for a route: ``GET /``."""
        return functools.partial(self.add, route)

    def add(
        self, route: str, sent: t.Any, answer: t.Any, *, name: str = "row"
    ) -> Callable[[V], V]:
        """A request, and what becomes of it.

        :param sent: a query, ``"?n=1"``, a path, or the options of the test client, or
            what makes these.
        :param answer: the arguments of the view, a list of refusals, or the status of
            an error whose body is a message.
        """

        def decorate(view: V) -> V:
            values = (view, *route.split(), sent, answer)
            self.append(pytest.param(*values, id=f"{name}-{view.__name__}"))
            return view

        return decorate


def at(location: str, **kinds: str) -> list[Refusal]:
    """Refusals of values of one location, by their names."""
    return [([location, name], kind) for name, kind in kinds.items()]


def shown(view: Callable[..., t.Any]) -> Callable[..., t.Any]:
    """The view with a body that shows its arguments."""

    @functools.wraps(view)
    def show(**arguments: t.Any) -> dict[str, t.Any]:
        return echo(**arguments)

    return show


def check_row(
    view: t.Any, method: str, rule: str, *, sent: t.Any, answer: t.Any
) -> None:
    """Assert what becomes of a request."""
    options = sent() if callable(sent) else sent
    options = options if isinstance(options, dict) else {"path": options}
    path = options.get("path", "")
    options = {**options, "path": path if path.startswith("/") else rule + path}
    client = client_of(shown(view), rule, method, config={}, status_code=200)

    response = client.open(method=method, **options)

    if isinstance(answer, int):
        assert response.status_code == answer
        assert set(response.get_json()) == {"message"}
    elif isinstance(answer, list):
        assert refusals(response) == answer
    else:
        assert response.status_code == 200, response.text
        assert response.get_json() == answer
