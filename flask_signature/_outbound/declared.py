"""What ``responses=`` declares, by status."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from dataclasses import field

from ..exceptions import SignatureError
from .annotation import find_ambiguous_type
from .serializer import ResponseSerializer
from .serializer import compile_serializer

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from .._routing.declaration import Declaration
    from .annotation import Returns


@dataclass(frozen=True, slots=True)
class DeclaredResponse:
    """What ``responses=`` declares of one status.

    :param serializer: of its model, ``None`` where there is none.
    :param description: of the response.
    :param headers: Header Objects by name, or types of theirs.
    """

    serializer: ResponseSerializer | None
    description: str | None = None
    headers: Mapping[str, t.Any] = field(default_factory=dict)


def read_responses(declaration: Declaration) -> dict[int | str, DeclaredResponse]:
    """What ``responses=`` declares, by status: a number, ``"4XX"`` or ``"default"``.

    :raises SignatureError: if a status or what it is given can't be understood.
    """
    return {
        read_status(status): _read_declared(status, value)
        for status, value in declaration.responses.items()
    }


def read_status(status: t.Any) -> int | str:
    """A key of ``responses=``: ``404`` for ``"404"``, ``"4XX"`` for ``"4xx"``.

    :raises SignatureError: if it is none.
    """
    name = str(int(status)) if isinstance(status, int) else str(status)
    if name == "default":
        return name
    if len(name) == 3 and name[0] in "12345":
        if name.isascii() and name.isdigit():
            return int(name)
        if name[1:].upper() == "XX":
            return name.upper()
    raise SignatureError(
        f"responses= has the status {status!r}. Use a number such as 404, a class such"
        " as '4XX', or 'default'."
    )


DECLARED_KEYS: t.Final = frozenset({"model", "description", "headers"})


def _read_declared(status: t.Any, value: t.Any) -> DeclaredResponse:
    if not isinstance(value, dict):
        return DeclaredResponse(_optional_serializer(value))
    unknown = sorted(value.keys() - DECLARED_KEYS)
    if unknown:
        raise SignatureError(
            f"responses= says {unknown[0]!r} of {status}. Use 'model', 'description' or"
            " 'headers'."
        )
    return DeclaredResponse(
        _optional_serializer(value.get("model")),
        value.get("description"),
        value.get("headers") or {},
    )


def _optional_serializer(model: t.Any) -> ResponseSerializer | None:
    return None if model is None else compile_serializer(model)


def check_ambiguous(
    view: str, returns: Returns, responses: Mapping[int | str, DeclaredResponse]
) -> None:
    """Refuse a type that is sent as it is, if a value for a declared model may be one.

    :param view: its name, ``"show()"``.
    :raises SignatureError: if there is one.
    """
    if not returns.passthrough:
        return
    serializers = [item.serializer for item in responses.values()]
    for serializer in filter(None, serializers):
        if problem := find_ambiguous_type(returns.passthrough, serializer.model):
            raise SignatureError(f"the return annotation of {view} {problem}")
