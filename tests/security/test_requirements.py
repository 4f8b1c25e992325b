"""Requirements: a tree of schemes, and its alternatives."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest
from messages import message_of

from flask_signature.security import (
    APIKey,
    HTTPBasic,
    HTTPBearer,
    Requirement,
    as_requirement,
    read_security,
)

A = HTTPBearer("a")
B = APIKey("b", "X-Key")
C = HTTPBasic("c")
D = HTTPBearer("d")


def show(requirement: Requirement[t.Any]) -> t.Any:
    """A requirement as tuples: ``("any", "a", None)``."""
    if requirement.kind == "scheme":
        return requirement.name
    members = [part and show(part) for part in requirement.members]
    return (requirement.kind, *members)


@pytest.mark.parametrize(
    ("requirement", "tree"),
    [
        (A.scopes(), "a"),
        (A | B, ("any", "a", "b")),
        (A & B, ("all", "a", "b")),
        (A | B | C, ("any", "a", "b", "c")),
        (A | (B | C), ("any", "a", "b", "c")),
        (A & B & C, ("all", "a", "b", "c")),
        (A & (B & C), ("all", "a", "b", "c")),
        ((A & B) & (C & D), ("all", "a", "b", "c", "d")),
        ((A | B) & C, ("all", ("any", "a", "b"), "c")),
        (A | B & C, ("any", "a", ("all", "b", "c"))),
        (A | None, ("any", "a", None)),
        (None | A, ("any", None, "a")),
        (A | None | B, ("any", "a", None, "b")),
        ((A | None) & B, ("all", ("any", "a", None), "b")),
        ((A & B | None) & C, ("all", ("any", ("all", "a", "b"), None), "c")),
        (A | A, "a"),
        (A | None | None, ("any", "a", None)),
        (A & A, ("all", "a", "a")),
        (A | "b", ("any", "a", "b")),
        ("b" | A, ("any", "b", "a")),
        ("b" & A, ("all", "b", "a")),
    ],
    ids=str,
)
def test_operators_make_a_tree(requirement, tree):
    assert show(requirement) == tree


@pytest.mark.parametrize(
    ("value", "tree"),
    [
        (A, "a"),
        ("a", "a"),
        (None, ("any", None)),
        ([A], "a"),
        ([A, None], ("any", "a", None)),
        ((A, "b"), ("any", "a", "b")),
        ([[A, B], C], ("any", "a", "b", "c")),
        ([A & B, C], ("any", ("all", "a", "b"), "c")),
        ({"a": []}, "a"),
        ({"a": [], "b": []}, ("all", "a", "b")),
        ([{"a": []}, {}], ("any", "a", None)),
    ],
    ids=str,
)
def test_every_spelling_is_read(value, tree):
    assert show(as_requirement(value)) == tree


def test_requirement_is_read_as_it_is():
    requirement = A | B
    assert as_requirement(requirement) is requirement
    requirement = HTTPBearer("a", verify=str) | APIKey("b", "X-Key", verify=str)
    assert read_security(requirement) is requirement


def test_none_requires_nothing_which_is_not_optional():
    nothing = read_security(None)
    assert nothing.alternatives == ()
    assert not nothing.is_optional
    assert as_requirement(None).alternatives == ({},)
    assert as_requirement(None).is_optional
    assert nothing != as_requirement(None)


def test_leaf_has_its_scheme_and_scopes():
    leaf = A.scopes("read", "write", "read")
    assert (leaf.kind, leaf.name, leaf.scheme) == ("scheme", "a", A)
    assert leaf.scope_names == ("read", "write")
    assert leaf.parts == ()
    assert not leaf.is_optional
    assert as_requirement({"a": ["read"]}).scheme is None
    assert (A | None | B).parts == (A.scopes(), B.scopes())


def test_leaves_are_in_order():
    requirement = (A.scopes("x") | None) & (B | "e" & C) & A.scopes("y")
    found = [(leaf.name, leaf.scope_names) for leaf in requirement.leaves()]
    assert found == [("a", ("x",)), ("b", ()), ("e", ()), ("c", ()), ("a", ("y",))]
    assert list(A.scopes().leaves()) == [A.scopes()]


ONE, TWO, OTHER = {"a": (A, ())}, {"b": (B, ())}, {"c": (C, ())}


@pytest.mark.parametrize(
    ("requirement", "alternatives"),
    [
        (A.scopes("x"), ({"a": (A, ("x",))},)),
        (A & B, (ONE | TWO,)),
        (A | None, (ONE, {})),
        (None | A, ({}, ONE)),
        ((A | B) & (C | None), (ONE | OTHER, ONE, TWO | OTHER, TWO)),
        ((A | B) & (A | B), (ONE, ONE | TWO, TWO)),
        (A.scopes("x") & A.scopes("y", "x"), ({"a": (A, ("x", "y"))},)),
        (A.scopes("x") | A, ({"a": (A, ("x",))}, ONE)),
        ("a" & A, (ONE,)),
        (A & "a", (ONE,)),
        (as_requirement("a"), ({"a": (None, ())},)),
    ],
    ids=str,
)
def test_alternatives_say_what_one_request_may_bring(requirement, alternatives):
    assert requirement.alternatives == alternatives
    assert [*map(list, requirement.alternatives)] == [*map(list, alternatives)]


def test_what_is_built_alike_is_equal():
    assert (A.scopes("x") | B) & C == (A.scopes("x") | B) & C
    assert hash((A | B) & C) == hash((A | B) & C)
    assert A | B != B | A
    assert A | B != A & B
    assert A.scopes("x") != A.scopes("y")
    assert HTTPBearer("a").scopes() != A.scopes()
    assert A | None != None | A


def test_requirement_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        (A | B).kind = "all"


@pytest.mark.parametrize(
    "combine",
    [
        lambda one, other: one | other,
        lambda one, other: one & other,
        lambda one, other: (one & B) | (C & other.scopes("x")),
        lambda one, other: as_requirement([one, B, other]),
    ],
    ids=["or", "and", "inside", "list"],
)
def test_two_schemes_of_one_name_are_refused(combine):
    assert message_of(lambda: combine(A, HTTPBearer("a"))) == (
        "A requirement has two schemes of the name 'a'. Use one object in both places,"
        " or give them different names."
    )


@pytest.mark.parametrize(
    "combine",
    [
        lambda: A | 3,
        lambda: 3 | A,
        lambda: A & 3,
        lambda: 3 & A,
        lambda: as_requirement(3),
        lambda: as_requirement([A, 3]),
    ],
)
def test_what_is_no_scheme_is_refused(combine):
    assert message_of(combine) == (
        "security=3 is no security requirement. Use a scheme such as"
        " HTTPBearer('token', verify=find_user), schemes joined with"
        " '&' and '|', or the name of one."
    )


@pytest.mark.parametrize("nothing", [None, as_requirement(None), read_security(None)])
def test_nothing_is_no_part_of_all(nothing):
    assert message_of(lambda: A & nothing) == (
        "'&' joins schemes. Write 'token | None' for an optional one."
    )


def test_string_of_scopes_is_refused():
    assert message_of(lambda: as_requirement({"a": "read write"})) == (
        "security={'a': 'read write'}: the scopes of 'a' are a string. Write a list:"
        " {'a': ['read', 'write']}."
    )
