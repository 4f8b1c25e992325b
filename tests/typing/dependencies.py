"""Dependencies keep the types of what they supply."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass

from typing_extensions import assert_type

from flask_signature import Blueprint, Depends, Flask, Query


class Session:
    def count(self) -> int:
        return 1


def get_session() -> Iterator[Session]:
    yield Session()


Db = t.Annotated[Session, Depends(get_session, scope="request")]


class Search:
    def __init__(self, db: Db, page: int = Query(1)) -> None:
        self.count = db.count() * page


@dataclass(frozen=True)
class Require:
    role: str

    def __call__(self, db: Db) -> None: ...


app = Flask(__name__, dependencies=[Require("reader"), Depends(get_session)])
bp = Blueprint("bp", __name__, dependencies=[Require("writer")])


@bp.get("/annotated", dependencies=[get_session])
def annotated(db: Db, search: t.Annotated[Search, Depends()]) -> dict[str, t.Any]:
    assert_type(search.count, int)
    return {"count": db.count()}


@bp.get("/default")
def default(
    db: Session = Depends(get_session), search: Search = Depends(use_cache=False)
) -> str:
    assert_type(db, Session)
    return str(search.count)


assert_type(default(Session(), Search(Session())), str)

app.dependency_overrides[get_session] = Session
del app.dependency_overrides[get_session]

Depends(get_session, scope="response")  # type: ignore[arg-type]
Depends("get_session")  # type: ignore[arg-type]
