"""An answer, and what it has to be before a contender is timed."""

from __future__ import annotations

import json
import typing as t
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Answer:
    """What a contender sent."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = field(default=(), compare=False)


class Expectation(t.Protocol):
    """What an answer has to be."""

    @property
    def constant(self) -> Answer:
        """An answer that is right, for the contender that returns a constant."""

    def is_met_by(self, answer: Answer) -> bool:
        """Whether the answer is right."""


@dataclass(frozen=True, slots=True)
class Text:
    """Status 200 and this text."""

    text: str

    @property
    def constant(self) -> Answer:
        return Answer(200, self.text.encode())

    def is_met_by(self, answer: Answer) -> bool:
        return answer == self.constant


@dataclass(frozen=True, slots=True)
class TextAndHeader:
    """Status 200, this text, and this value of a header."""

    text: str
    header: str
    value: str

    @property
    def constant(self) -> Answer:
        return Answer(200, self.text.encode(), ((self.header, self.value),))

    def is_met_by(self, answer: Answer) -> bool:
        sent = {name.lower(): value for name, value in answer.headers}
        return answer == self.constant and sent[self.header.lower()] == self.value


@dataclass(frozen=True, slots=True)
class Json:
    """Status 200 or 201 and this value, in any spelling of JSON.

    The second is what our class answers to a POST whose view says no status.
    """

    value: t.Any

    @property
    def constant(self) -> Answer:
        return Answer(200, json.dumps(self.value).encode())

    def is_met_by(self, answer: Answer) -> bool:
        return answer.status in (200, 201) and json.loads(answer.body) == self.value


@dataclass(frozen=True, slots=True)
class Refusal:
    """A client error in JSON that names each of these fields.

    Frameworks spell their errors differently, so the shape is theirs.
    """

    fields: frozenset[str]

    @property
    def constant(self) -> Answer:
        errors = [{"loc": ["body", name], "msg": "wrong"} for name in self.fields]
        return Answer(422, json.dumps({"detail": errors}).encode())

    def is_met_by(self, answer: Answer) -> bool:
        if answer.status not in (400, 422):
            return False
        return self.fields <= set(_words(json.loads(answer.body)))


def _words(value: t.Any) -> t.Iterator[str]:
    """Every key and every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, dict):
        yield from value
        yield from _words(list(value.values()))
