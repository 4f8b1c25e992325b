"""What both Pydantics are asked, and where they do not say the same.

An annotation is source text over ``declarations``; a value is what JSON may hold.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

INFINITY = float("inf")
MAC_UUID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"  # of version 1
RANDOM_UUID = "886313e1-3b8a-4372-9b90-0c9aee199e5d"  # of version 4


@dataclass(frozen=True)
class Case:
    newer: str
    older: str
    value: t.Any

    def __str__(self) -> str:
        return f"{self.newer} of {self.value!r:.40}"


def ask(annotation: str, *values: t.Any, older: str | None = None) -> list[Case]:
    """A case for each value of one annotation.

    :param older: how Pydantic 1 spells the annotation, if otherwise.
    """
    return [Case(annotation, older or annotation, value) for value in values]


def ask_each(annotations: t.Iterable[str], *values: t.Any) -> list[Case]:
    """A case for each value of each annotation."""
    return [case for annotation in annotations for case in ask(annotation, *values)]


def constrained(type_: str, newer: str, *values: t.Any, older: str = "") -> list[Case]:
    """A case for each value of a type with constraints: ``"int", "gt=1"``."""
    annotation = "t.Annotated[{}, Field({})]".format
    return ask(
        annotation(type_, newer), *values, older=annotation(type_, older or newer)
    )


URLS = ("pydantic.AnyUrl", "pydantic.AnyHttpUrl", "pydantic.HttpUrl")
ADDRESSES = (
    *(f"pydantic.IPvAny{kind}" for kind in ("Address", "Interface", "Network")),
    *(f"ipaddress.IPv4{kind}" for kind in ("Address", "Interface", "Network")),
    *(f"ipaddress.IPv6{kind}" for kind in ("Address", "Interface", "Network")),
)
PETS = "t.Annotated[t.Union[Cat, Dog], Field(discriminator='kind')]"
JUDGED = ("assertion", "subclass", "code", "arguments", "nothing", "braces", "")
COLORS = (
    "x",
    "#12",
    "rgb(300, 1, 1)",
    "rgb(1, 1, a)",
    "rgba(1, 1, 1, 5)",
    "hsl(1, 1, 1)",
)

#: Every entry is the same: ``loc``, ``msg``, ``type`` and ``ctx``.
EQUAL = [
    # None, where it is not allowed.
    *ask_each(["int", "str", "t.List[int]", "Letter", "te.Literal['a']", "Item"], None),
    *ask_each(["uuid.UUID", "datetime.date", "pydantic.AnyUrl", "t.Callable"], None),
    *ask_each(["Parcel", "Point", "Movie", "pydantic.EmailStr", "pathlib.Path"], None),
    *ask_each(ADDRESSES, None),
    *ask("t.List[int]", [1, None]),
    *ask("t.Annotated[t.Union[Cat, Dog], Field(discriminator='kind')]", None),
    # Numbers.
    *ask("int", "x", "", "1.5", "9" * 5000, [], {}, "inf"),
    *ask("pydantic.StrictInt", "5", 1.5, True),
    *ask("float", "x", "", [], {}),
    *ask("pydantic.StrictFloat", "5"),
    *ask("bool", "x", "", 2, 1.5, [], {}),
    *ask("pydantic.StrictBool", "yes", 1),
    *ask("Decimal", "x", [], {}),
    *constrained("int", "gt=1", 1, "x"),
    *constrained("int", "ge=1", 0),
    *constrained("int", "lt=1", 1),
    *constrained("int", "le=1", 2),
    *constrained("int", "multiple_of=2", 1),
    *constrained("float", "gt=0", 0),
    *constrained("float", "ge=0.1", 0),
    *constrained("float", "lt=1e300", 1e301),
    *constrained("float", "multiple_of=0.5", 0.7),
    *constrained("float", "multiple_of=2", 0.7),
    *constrained("float", "allow_inf_nan=False", "inf", "nan", INFINITY),
    *constrained("Decimal", "gt=2", 1),
    *constrained("Decimal", "gt=Decimal('1.50')", 1),
    *constrained("Decimal", "le=Decimal('1E+2')", 101),
    *constrained("Decimal", "multiple_of=Decimal('0.5')", "0.7"),
    *constrained("Decimal", "max_digits=3", "1234", "1.234"),
    *constrained("Decimal", "decimal_places=1", "1.23"),
    *constrained("Decimal", "max_digits=3, decimal_places=1", "123", "1.23", "1.234"),
    # Text and bytes.
    *ask("str", [], {}),
    *ask("pydantic.StrictStr", 5),
    *ask("bytes", [], {}),
    *constrained("str", "min_length=3, max_length=4", "a", "abcde"),
    *constrained("bytes", "min_length=3, max_length=4", "a", "abcde"),
    *constrained("pydantic.SecretStr", "min_length=3, max_length=4", "a", "abcde"),
    *constrained("pydantic.SecretBytes", "min_length=3, max_length=4", "a", "abcde"),
    *constrained("str", "pattern='^a'", "b", older="regex='^a'"),
    *constrained("str", "pattern='^a{2}[\"]$'", "b", older="regex='^a{2}[\"]$'"),
    # One of a few values.
    *ask("Letter", "b", 2, [], {}),
    *ask("Level", "3", 3),
    *ask("te.Literal['a']", "b", 1, []),
    *ask("te.Literal['a', \"it's, or\", 1, True, 'b\\n', '\\'\"', -2]", "b", 7),
    *ask("te.Literal[Letter.A, Letter.ODD]", "b"),
    *ask("te.Literal[Level.LOW]", 2),
    *ask("t.List[None]", ["x"]),
    # Containers.
    *ask_each(["t.List[int]", "t.Set[int]", "t.FrozenSet[int]"], "x", 5, {}, ["x"]),
    *ask_each(["t.Tuple[int, ...]", "list", "set", "frozenset", "tuple"], "x", 5, {}),
    *ask_each(["t.Dict[str, int]", "t.Mapping[str, int]"], "x", 5, ["x"], {"a": "x"}),
    *ask_each(["t.DefaultDict[str, int]", "t.Counter[str]", "dict"], "x", 5, ["x"]),
    *ask("t.Deque[int]", "x", 5, {}, ["x"]),
    *ask("t.Sequence[int]", ["x"]),
    *ask("t.List[t.List[int]]", [[1, "x"], 5]),
    *ask("t.Tuple[int, str]", [1, 2, 3], ["x", "y"], "x", {}),
    *ask("t.Tuple[()]", [1]),
    *constrained("t.List[int]", "min_length=2", [1], older="min_items=2"),
    *constrained("t.Set[int]", "min_length=2", [1], older="min_items=2"),
    *constrained("t.FrozenSet[int]", "min_length=2", [1], older="min_items=2"),
    *constrained("t.List[int]", "max_length=1", [1, 2], older="max_items=1"),
    *constrained("t.Set[int]", "max_length=1", [1, 2], older="max_items=1"),
    *constrained("t.FrozenSet[int]", "max_length=1", [1, 2], older="max_items=1"),
    # Models and their kin.
    *ask("Item", {}, {"size": "x"}, {"size": None}, {"size": 1, "note": []}, 5, "x"),
    *ask("Closed", {}, {"size": 1, "b": 2, "c": None}, {"size": "x", "b": 2}),
    *ask("t.List[Item]", [{"size": 1}, {"size": "x"}, None, 5]),
    *ask("t.Dict[str, Item]", {"a": {"size": "x"}, "b": None}),
    *ask("Parcel", {"weight": "x"}, 5, "x"),
    *ask("Point", 5, "x", [1, 2, 3]),
    *ask("Movie", {}, {"year": "x"}),
    *ask(PETS, {}),
    # Dates and times.
    *ask("datetime.date", "x", "", "2000-13-01", "2000-01-01T12:00:00", [], {}),
    *ask("datetime.time", "x", "", "25:00", [], {}),
    *ask("datetime.datetime", "x", "", "2000-13-01T00:00", [], {}),
    *ask("datetime.timedelta", "x", "", [], {}),
    *ask("pydantic.PastDate", "3000-01-01", "x"),
    *ask("pydantic.FutureDate", "2000-01-01", "x"),
    *ask(
        "t.Annotated[datetime.date, Field(gt=datetime.date(2000, 1, 1))]",
        "1999-01-01",
        older="pydantic.condate(gt=datetime.date(2000, 1, 1))",
    ),
    # Addresses of the network.
    *ask_each(URLS, "", "x", "//x", "http://", "http://a:99999"),
    *ask("pydantic.AnyHttpUrl", "ftp://x.com"),
    *ask("pydantic.HttpUrl", "http://x.com/" + "a" * 2083),
    *ask("pydantic.RedisDsn", "http://x.com"),
    *ask_each(ADDRESSES, "x", "", "300.1.1.1", "1.1.1.1/33", "::g", [], {}),
    *ask("pydantic.EmailStr", "x", "", "a@", "@b", "a@b..c", "a" * 3000 + "@b.com"),
    *ask("pydantic.NameEmail", "x", "A <a@>", "a@b c"),
    # Other things that a text may be.
    *ask("uuid.UUID", "x", "", 5, []),
    *ask_each(["pydantic.UUID3", "pydantic.UUID4", "pydantic.UUID5"], MAC_UUID, "x"),
    *ask("pydantic.UUID1", RANDOM_UUID),
    *ask("pydantic.ByteSize", "x", ""),
    *ask("Color", *COLORS, 5, [1, 2], [1, 2, 300], ["x", 1, 2], [5, 2, 3, 9]),
    *ask("PaymentCardNumber", "x", "4242x24242424242", "4242424242424240"),
    *ask("PaymentCardNumber", "3700000000000007"),
    *ask("pathlib.Path", 5, [], {}),
    *ask("t.Pattern", "(", []),
    *ask("pydantic.Json", "{", "", 5, []),
    *ask("pydantic.Json[int]", "{", '"x"'),
    *ask("pydantic.Json[t.List[int]]", "5", '["x"]'),
    *ask("t.Hashable", [], {}),
    *ask("type", "x"),
    # What an author's validator raises.
    *ask("Judged", *({"how": how} for how in JUDGED)),
]
#: The entries are the same, but for the ``loc``, which stays that of Pydantic 2.
ELSEWHERE = {
    "Pydantic 2 says which member of a union it tried": [
        *ask("t.Union[int, bool]", "x", []),
        *ask("t.Union[int, t.List[int]]", "x", ["x"]),
        *ask("t.Union[Cat, Dog]", {}, {"kind": "cow"}),
        *ask(PETS, {"kind": "cat"}),
    ],
    "Pydantic 2 says which key of a dict is wrong": [
        *ask("t.Dict[te.Literal['a'], int]", {"b": 1})
    ],
}
#: The entries are not the same.
DIFFERENT = {
    "what was sent is never returned, nor what tells it": [
        *ask(PETS, {"kind": "cow"}, {"kind": None}, {"kind": 5}),
        *ask_each(URLS, "http://a b", "http://[::1"),
        *ask("pydantic.ByteSize", "9 zz"),
        *ask("pydantic.FilePath", "/"),
        *ask("pydantic.DirectoryPath", "/dev/null"),
        *ask("t.Callable", "x", 5),
        *ask("pydantic.ImportString", "x.y", "", older="pydantic.PyObject"),
        *ask("Judged", {"how": "attributes"}, {"how": "json"}),
    ],
    "Pydantic 1 took a number for its text, Pydantic 2 does not": [
        *ask("str", 5, 1.5, True),
        *ask("bytes", 5),
        *ask_each(URLS, 5),
        *ask("pydantic.EmailStr", 5),
        *ask("pydantic.NameEmail", 5),
        *ask("t.Pattern", 5),
        *ask("PaymentCardNumber", 5),
        *constrained("pydantic.SecretStr", "min_length=3", 5),
    ],
    "Pydantic 1 cut a number or a time off, Pydantic 2 does not": [
        *ask("int", 1.5),
        *ask("datetime.date", 1.5, True),
        *ask("datetime.datetime", True),
    ],
    "Pydantic 2 says the same of every number that is not finite": [
        *ask("int", INFINITY),
        *ask("Decimal", "inf", "nan", INFINITY),
    ],
    "a limit of a float comes as a float, whether its author wrote 0 or 0.0": [
        *constrained("float", "gt=0.0", 0)
    ],
    "Pydantic 2 takes an integer for a strict float": ask("pydantic.StrictFloat", 1),
    "Pydantic 2 takes text for bytes in JSON": ask("pydantic.StrictBytes", "x"),
    "Pydantic 2 makes one check of two: first an integer, then a member": [
        *ask("Level", "x", [])
    ],
    "Pydantic 2 makes no difference between None and any other constant": [
        *ask("te.Literal[None]", "x")
    ],
    "Pydantic 2 names each item that a tuple lacks, not the length": [
        *ask("t.Tuple[int, str]", [1], [])
    ],
    "Pydantic 1 named the fields that have a default among those missing": [
        *ask("Point", [], ["x"])
    ],
    "Pydantic 2 reads a named tuple from a dict": [
        *ask("Point", {}, {"x": 1}, {"x": "a"}, {"x": 1, "z": 1})
    ],
    "Pydantic 1 gave the words of Python": [
        *ask("Parcel", {}),
        *ask("set", [[1]]),
        *ask("Movie", 5),
        *ask("pydantic.ByteSize", []),
        *ask("datetime.date", "nan"),
    ],
    "Pydantic 1 let the exception out": [
        *ask("t.Set[t.Any]", [[1]]),
        *ask("datetime.timedelta", "9" * 400),
    ],
    "Pydantic 1 made a dict of an empty list": [*ask("Item", []), *ask("Movie", [])],
    "Pydantic 1 took a list for the arguments of a dataclass": [
        *ask("Parcel", [], ["x"])
    ],
    "Pydantic 1 read a discriminator from anything": ask(PETS, 5, []),
    "Pydantic 2 reports a key beside its value": ask("t.Dict[int, int]", {"a": "x"}),
    "Pydantic 1 refused None once, Pydantic 2 in each member of a union": [
        *ask("t.Union[int, t.List[int]]", None)
    ],
    "Pydantic 1 allowed None, or Pydantic 2 does": [
        *ask("pydantic.Json", None),
        *ask("t.Hashable", None),
    ],
    "Pydantic 2 has a list for every sequence in JSON": ask("t.Sequence[int]", "x", 5),
    "Pydantic 1 had an error for a deque, but for the bare class alone": [
        *ask("collections.deque", "x")
    ],
    "a duration without a part is none": ask("datetime.timedelta", "P"),
    "Pydantic 1 looked at the scheme first": ask("pydantic.FileUrl", "http://"),
    "Pydantic 1 called a port that is no number something after the URL": [
        *ask_each(URLS, "http://a:b")
    ],
    "Pydantic 2 knows that there is no such address": [
        *ask_each(URLS, "http://1.2.3.999")
    ],
    "Pydantic 2 makes a URL of it": [
        *ask_each(URLS, "http://x.com/ a"),
        *ask("pydantic.AnyUrl", "http://x.com/" + "a" * 65536),
        *ask("pydantic.HttpUrl", "http://x", "http://-x-.com"),
    ],
    "Pydantic 2 asks for no user": ask("pydantic.PostgresDsn", "postgresql://h"),
    "Pydantic 2 makes no difference between no path and another kind of path": [
        *ask("pydantic.FilePath", "/no/such/path"),
        *ask("pydantic.DirectoryPath", "/no/such/path"),
    ],
    "Pydantic 2 does not say which class, where JSON can hold none": [
        *ask("t.Type[int]", "x"),
        *ask("enum.Enum", "x"),
        *ask("enum.IntEnum", "x"),
        *ask("Keeper", {"pet": "x"}),
    ],
    "Pydantic 2 has no such constraint": [
        *constrained("t.List[int]", "min_length=1", [1, 1], older="unique_items=True")
    ],
}
#: The types of Pydantic 1 that no case brings about.
UNSEEN = {
    "type_error.iterable": "an Iterable in a request is refused at registration",
    "type_error.none.allowed": "Pydantic 1 raised it nowhere",
}
#: The types of Pydantic 1 that an answer of ours never has.
UNSAID = {
    "type_error.deque": "Pydantic 1 called a deque of something a sequence",
    "type_error.iterable": "an Iterable in a request is refused at registration",
    "type_error.none.allowed": "Pydantic 1 raised it nowhere",
    "value_error.decimal.not_finite": "not told from another number that is not finite",
    "value_error.list.unique_items": "Pydantic 2 has no such constraint",
    "value_error.path.not_exists": "not told from another kind of path",
    "value_error.url.userinfo": "Pydantic 2 asks for no user",
}
