"""``python -m benchmarks.refusals``: what refused requests cost beside accepted ones.

Each request is sent in a process of its own, whose peak is that of the whole process:
what Pydantic allocates is not seen from Python. The peak before the request is
subtracted, the rest of the application included.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import sys
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from importlib.metadata import version
from ipaddress import IPv4Address
from time import process_time

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Json,
    create_model,
)

import flask_signature
from flask_signature import Body, Form

from . import machine

#: The processes for each request. The fastest counts, and the largest peak.
ROUNDS: t.Final = 3

JSON: t.Final = "application/json"
FORM: t.Final = "application/x-www-form-urlencoded"

Wide: t.Any = create_model("Wide", **{f"f{n}": (int, ...) for n in range(50)})


class Node(BaseModel):
    """A model that contains itself."""

    value: int
    left: Node | None = None
    right: Node | None = None


class TwoLists(BaseModel):
    """A model with two lists."""

    numbers: list[int] = []
    others: list[int] = []


class Closed(BaseModel):
    """A model that allows no other keys."""

    model_config = ConfigDict(extra="forbid")

    name: str = "a"


class Open(BaseModel):
    """A model that keeps other keys, with a type that can't hold any value."""

    model_config = ConfigDict(extra="allow")

    age: timedelta = timedelta()


class Cat(BaseModel):
    """A model with a tag."""

    kind: t.Literal["cat"]


class Dog(BaseModel):
    """Another one."""

    kind: t.Literal["dog"]


def check(value: t.Any) -> t.Any:
    """A validator, which changes nothing."""
    return value


#: Types that are not read as simple values are, and a value of each.
OTHER_TYPES: t.Final[list[tuple[t.Any, t.Any]]] = [
    (t.Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cat"}),
    (t.Annotated[int, BeforeValidator(check)], 1),
    (t.Annotated[Cat, AfterValidator(check)], {"kind": "cat"}),
    (IPv4Address, "127.0.0.1"),
    (Fraction, "1/2"),
    (Sequence[int], [1]),
    (Json[int], "1"),
]


def union_of(models: int, fields: int) -> t.Any:
    """A union of some models with so many required fields."""
    made = [
        create_model(f"M{m}", **{f"m{m}f{n}": (int, ...) for n in range(fields)})
        for m in range(models)
    ]
    return t.Union[tuple(made)]  # noqa: UP007


def nested(levels: int) -> t.Any:
    """A model with two references to one with two references, and so on."""
    model: t.Any = create_model("Level0", value=(int, ...))
    for level in range(1, levels):
        model = create_model(f"Level{level}", a=(model, ...), b=(model | None, None))
    return model


def items(item: str, size: int) -> str:
    """A JSON list of one item, of about so many bytes."""
    return f"[{','.join([item] * (size // (len(item) + 1)))}]"


def deep(levels: int, leaf: str) -> str:
    """A node in a node in a node, each with the same value but the last."""
    node = f'{{"value":{leaf}}}'
    for _ in range(levels):
        node = f'{{"value":1,"left":{node},"right":{{"value":{leaf}}}}}'
    return node


def keys(count: int) -> str:
    """So many keys of an object, from the second."""
    return "".join(f',"k{n}":1' for n in range(count))


@dataclass(frozen=True)
class Case:
    """A type, and two requests of about the same size.

    :param tp: of the argument.
    :param refused: makes a body that does not fit.
    :param accepted: makes one that does.
    """

    tp: t.Callable[[], t.Any]
    refused: t.Callable[[], str]
    accepted: t.Callable[[], str]
    content_type: str = JSON


Other: t.Any = create_model(
    "Other", **{f"f{n}": (OTHER_TYPES[n % 7][0], ...) for n in range(49)}
)
OTHER_OBJECT: t.Final = json.dumps({f"f{n}": OTHER_TYPES[n % 7][1] for n in range(49)})
WIDE_OBJECT: t.Final = json.dumps({f"f{n}": 1 for n in range(50)})
UNION_ITEM: t.Final = json.dumps({f"m0f{n}": 1 for n in range(30)})
TAIL: t.Final = WIDE_OBJECT[1:-1]
MB: t.Final = 1_000_000

CASES: t.Final[dict[str, Case]] = {
    "50 required fields, a long list beside them": Case(
        lambda: Wide,
        lambda: f'{{"x":{items("{}", MB)}}}',
        lambda: f'{{"x":{items("{}", MB)},{TAIL}}}',
    ),
    "the same, 10 MB": Case(
        lambda: Wide,
        lambda: f'{{"x":{items("{}", 10 * MB)}}}',
        lambda: f'{{"x":{items("{}", 10 * MB)},{TAIL}}}',
    ),
    "the same, 10 KB": Case(
        lambda: Wide,
        lambda: f'{{"x":{items("{}", MB // 100)}}}',
        lambda: f'{{"x":{items("{}", MB // 100)},{TAIL}}}',
    ),
    "the same, 1 MB, fields of many types": Case(
        lambda: Other,
        lambda: f'{{"x":{items("{}", MB)}}}',
        lambda: f'{{"x":{items("{}", MB)},{OTHER_OBJECT[1:-1]}}}',
    ),
    "a list of models with 50 required fields": Case(
        lambda: list[Wide],
        lambda: items("{}", MB),
        lambda: items(WIDE_OBJECT, MB),
    ),
    "the same, 10 KB, of items": Case(
        lambda: list[Wide],
        lambda: items("{}", MB // 100),
        lambda: items(WIDE_OBJECT, MB // 100),
    ),
    "a model in itself, 90 deep": Case(
        lambda: Node,
        lambda: deep(90, '"' + "a" * 160 + '"'),
        lambda: deep(90, '"' + "0" * 159 + '1"'),
    ),
    "a list of models in themselves": Case(
        lambda: list[Node],
        lambda: items(deep(10, '"a"'), MB),
        lambda: items(deep(10, "1"), MB),
    ),
    "a union of 6 models": Case(
        lambda: list[union_of(6, 5)],
        lambda: items("{}", MB),
        lambda: items('{"m0f0":1,"m0f1":1,"m0f2":1,"m0f3":1,"m0f4":1}', MB),
    ),
    "one of 6 models, a long list beside it": Case(
        lambda: union_of(6, 5),
        lambda: f'{{"x":{items("{}", MB)}}}',
        lambda: (
            f'{{"x":{items("{}", MB)},"m5f0":1,"m5f1":1,"m5f2":1,"m5f3":1,"m5f4":1}}'
        ),
    ),
    "two lists": Case(
        lambda: TwoLists,
        lambda: (
            f'{{"numbers":{items("null", MB // 2)},"others":{items("null", MB // 2)}}}'
        ),
        lambda: (
            f'{{"numbers":{items("1234", MB // 2)},"others":{items("1", MB // 2)}}}'
        ),
    ),
    "a dict of models with 50 required fields": Case(
        lambda: dict[str, Wide],
        lambda: "{" + ",".join(f'"{n}":{{}}' for n in range(MB // 11)) + "}",
        lambda: "{" + ",".join(f'"{n}":{WIDE_OBJECT}' for n in range(MB // 480)) + "}",
    ),
    "the same, a key of 1 MB": Case(
        lambda: dict[str, Wide],
        lambda: f'{{"{"k" * MB}":{{}}}}',
        lambda: f'{{"{"k" * MB}":{WIDE_OBJECT}}}',
    ),
    "a union of 20 models with 30 fields in two lists, 3 KB": Case(
        lambda: tuple[list[union_of(20, 30)], list[union_of(20, 30)]],
        lambda: f"[{items('{}', 1600)},{items('{}', 1600)}]",
        lambda: f"[{items(UNION_ITEM, 1600)},{items(UNION_ITEM, 1600)}]",
    ),
    "unknown keys, 10 MB": Case(
        lambda: Closed,
        lambda: '{"name":"a"' + keys(MB) + "}",
        lambda: '{"name":"' + "a" * 11 * MB + '"}',
    ),
    "a form of a model that keeps other names": Case(
        lambda: t.Annotated[Open, Form()],
        lambda: "age=1e300" + "".join(f"&k{n}=1" for n in range(14_000)),
        lambda: "age=P1D" + "".join(f"&k{n}=1" for n in range(14_000)),
        FORM,
    ),
    "18 levels of models, two references each": Case(
        lambda: nested(18),
        lambda: '{"a":' * 17 + '{"value":"a"}' + "}" * 17,
        lambda: '{"a":' * 17 + '{"value":1}' + "}" * 17,
    ),
    "a number in whose place a long list is": Case(
        lambda: t.Annotated[int, Body(embed=True)],
        lambda: f'{{"value":{items("{}", MB)}}}',
        lambda: f'{{"value":1,"x":{items("{}", MB)}}}',
    ),
}


def measure(name: str, kind: str) -> dict[str, float]:
    """The milliseconds of a request and the megabytes of its peak, in this process."""
    case = CASES[name]
    app = flask_signature.Flask("refusals")
    app.config["MAX_FORM_MEMORY_SIZE"] = app.config["MAX_CONTENT_LENGTH"] = None

    def view(value: t.Any) -> str:
        return "accepted"

    view.__annotations__["value"] = case.tp()
    start = process_time()
    app.post("/")(view)
    registered = process_time() - start
    client = app.test_client()
    client.post("/", data="{}", content_type=case.content_type)
    body = getattr(case, kind)().encode()
    # The garbage of what came before is not that of the request.
    gc.collect()
    before, start = _peak(), process_time()
    response = client.post("/", data=body, content_type=case.content_type)
    spent = process_time() - start
    return {
        "status": response.status_code,
        "registration": registered * 1000,
        "ms": spent * 1000,
        "MB": _peak() - before,
        "KB": len(body) / 1000,
    }


def _peak() -> float:
    """The most memory that the process has had, in megabytes."""
    with open("/proc/self/status") as lines:
        (peak,) = (line.split()[1] for line in lines if line.startswith("VmHWM"))
    return int(peak) / 1024


def run(name: str, kind: str) -> dict[str, float]:
    """The same of :data:`ROUNDS` new processes."""
    found = [_run_once(name, kind) for _ in range(ROUNDS)]
    best = min(found, key=lambda each: each["ms"])
    return {**best, "MB": max(each["MB"] for each in found)}


def _run_once(name: str, kind: str) -> dict[str, float]:
    # A fork has imported everything, and has a peak of its own.
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(measure(name, kind)))
    process.start()
    found: dict[str, float] = receiver.recv()
    process.join()
    return found


def main() -> None:
    """Print a table of all cases, or of one run of each as JSON."""
    if "--json" in sys.argv:
        kinds = ("accepted", "refused")
        found = {
            name: {kind: _run_once(name, kind) for kind in kinds} for name in CASES
        }
        print(json.dumps(found))
        return
    versions = [f"{name} {version(name)}" for name in ("pydantic", "Werkzeug")]
    print(f"{machine.today()}, {machine.describe_machine()}, {', '.join(versions)}\n")
    print("| body | KB | accepted | refused |")
    print("|---|--:|--:|--:|")
    for name in CASES:
        cells = []
        for kind in ("accepted", "refused"):
            found = run(name, kind)
            if (found["status"] < 400) != (kind == "accepted"):
                raise RuntimeError(f"{name}, {kind}: {found}")
            cells.append(f"{found['ms']:.0f} ms, {found['MB']:.0f} MB")
        print("|", " | ".join([name, f"{found['KB']:.0f}", *cells]), "|", flush=True)


if __name__ == "__main__":
    main()
