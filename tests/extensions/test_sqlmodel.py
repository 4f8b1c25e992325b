"""Models of SQLModel: those that are tables validate nothing."""

from __future__ import annotations

import re
import typing as t
import warnings
from collections.abc import Iterator

import pytest
from sqlalchemy.pool import StaticPool
from sqlmodel import Field, Session, SQLModel, create_engine

from flask_signature import Depends, Flask, Form, Query, SignatureWarning


class HeroIn(SQLModel):
    name: str
    age: int


class Hero(HeroIn, table=True):
    id: int | None = Field(default=None, primary_key=True)


class HeroOut(SQLModel):
    name: str
    age: int


def read_hero(hero: Hero) -> Hero:
    return hero


#: An annotation, and the function whose argument the table is.
TAKEN: dict[str, t.Any] = {
    "body": (Hero, "create"),
    "optional": (Hero | None, "create"),
    "list": (list[Hero], "create"),
    "form": (t.Annotated[Hero, Form()], "create"),
    "query": (t.Annotated[Hero, Query()], "create"),
    "dependency": (t.Annotated[str, Depends(read_hero)], "read_hero"),
}


def register(annotation: t.Any) -> None:
    def create(hero): ...

    create.__annotations__["hero"] = annotation
    Flask(__name__).post("/", response_model=list[Hero])(create)


@pytest.mark.parametrize(("annotation", "owner"), TAKEN.values(), ids=TAKEN)
def test_table_as_an_argument_is_a_warning(annotation, owner):
    message = f"'hero' of {owner}() is 'Hero', which SQLModel does not validate"

    with pytest.warns(SignatureWarning, match=re.escape(message)) as caught:
        register(annotation)

    assert len(caught) == 1


@pytest.mark.parametrize("annotation", [HeroIn, list[HeroIn], dict[str, int]])
def test_another_model_is_none(annotation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register(annotation)


@pytest.fixture
def db() -> Iterator[Session]:
    engine = create_engine(
        "sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool
    )
    SQLModel.metadata.create_all(engine)
    with Session(engine) as session:
        yield session


@pytest.mark.parametrize("refreshes", [False, True])
def test_row_is_empty_after_a_commit_until_it_is_refreshed(app, client, db, refreshes):
    def create(hero: HeroIn) -> Hero:
        row = Hero.model_validate(hero)
        db.add(row)
        db.commit()
        if refreshes:
            db.refresh(row)
        return row

    app.post("/rows")(create)
    app.post("/models", response_model=HeroOut, endpoint="models")(create)
    sent = {"name": "ann", "age": 3}

    assert client.post("/models", json=sent).json == sent
    row = client.post("/rows", json=sent).json
    assert row == ({**sent, "id": 2} if refreshes else {})
    assert client.post("/rows", json={**sent, "age": "x"}).status_code == 422
