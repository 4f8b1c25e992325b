"""Requirements at random, held against the table of the documentation.

Trees of tuples are drawn and evaluated here by what the documentation says; the same
trees are built of schemes, declared at random places and asked by requests. Views are
functions and classes of all shapes, of applications that call them in their own way.
"""

from __future__ import annotations

import functools
import re
import typing as t
from dataclasses import dataclass
from functools import reduce
from itertools import product

import pytest
import view_classes
from document import describe, operation
from draws import draws
from hypothesis import given, settings
from hypothesis import strategies as st
from senders import challenges

from flask_signature import Blueprint, Flask, SignatureError
from flask_signature.security import APIKey, HTTPBearer

#: ``("leaf", name, scopes)``, ``("all", parts)``, ``("any", parts, is_optional)``.
Tree: t.TypeAlias = tuple[t.Any, ...]

#: What was sent for a scheme: ``"none"``, ``"wrong"``, ``"malformed"``, or the scopes.
Sent: t.TypeAlias = "str | frozenset[str]"

NAMES: t.Final = ("token", "key", "sid")
SCOPES: t.Final = ("a", "b")


def find(credential: str) -> str | None:
    return credential if credential.startswith("right") else None


def granted(credential: str) -> list[str]:
    return credential.split("-")[1:]


SCHEMES: t.Final = {
    "token": HTTPBearer("token", verify=find, get_scopes=granted),
    "key": APIKey("key", "X-Key", verify=find, get_scopes=granted),
    "sid": APIKey("sid", "sid", "cookie", verify=find, get_scopes=granted),
}

LEAVES = st.tuples(
    st.just("leaf"),
    st.sampled_from(NAMES),
    st.sets(st.sampled_from(SCOPES)).map(lambda scopes: tuple(sorted(scopes))),
)


def one_of(parts: list[Tree], is_optional: bool) -> Tree:
    """``a | b``, in which alternatives are flat."""
    flat = [inner for part in parts for inner in (part[1] if is_any(part) else [part])]
    optional = is_optional or any(is_any(part) and part[2] for part in parts)
    return ("any", flat, optional)


def is_any(tree: Tree) -> bool:
    return tree[0] == "any"


TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: ("all", parts)),
        st.builds(one_of, st.lists(inner, min_size=1, max_size=3), st.just(value=True)),
        st.builds(
            one_of, st.lists(inner, min_size=2, max_size=3), st.just(value=False)
        ),
    ),
    max_leaves=5,
)

STATES = st.one_of(
    st.sampled_from(["none", "wrong", "malformed"]),
    st.frozensets(st.sampled_from(SCOPES)),
)
REQUESTS = st.fixed_dictionaries(dict.fromkeys(NAMES, STATES))


def evaluate(tree: Tree, sent: dict[str, Sent]) -> str:
    """``"holds"``, ``"nobody"``, ``"nothing"``, ``"wrong"`` or ``"lacking"``.

    ``"nobody"`` is what an optional requirement is where nothing was sent.
    """
    kind, *rest = tree
    if kind == "leaf":
        name, scopes = rest
        state = sent[name]
        if not isinstance(state, frozenset):
            return "nothing" if state == "none" else "wrong"
        return "holds" if state.issuperset(scopes) else "lacking"
    verdicts = [evaluate(part, sent) for part in rest[0]]
    if kind == "any":
        otherwise = "nobody" if rest[1] else "nothing"
        order = ("holds", "nobody", "lacking", "wrong")
        return next((item for item in order if item in verdicts), otherwise)
    if "nothing" in verdicts or "wrong" in verdicts:
        return "nothing" if {*verdicts} <= {"nothing", "nobody"} else "wrong"
    if "lacking" in verdicts:
        return "lacking"
    return "nobody" if {*verdicts} == {"nobody"} else "holds"


STATUSES: t.Final = {
    "holds": 200,
    "nobody": 200,
    "nothing": 401,
    "wrong": 401,
    "lacking": 403,
}


ACCEPTED: t.Final = ("holds", "nobody")


def alternatives(tree: Tree) -> list[dict[str, set[str]]]:
    """What is described: schemes with their scopes, of which a request brings one."""
    kind, *rest = tree
    if kind == "leaf":
        return [{rest[0]: {*rest[1]}}]
    groups = [alternatives(part) for part in rest[0]]
    if kind == "any":
        return [*(item for group in groups for item in group), *([{}] * rest[1])]
    return [
        {name: set().union(*(item.get(name, ()) for item in items)) for name in names}
        for items in product(*groups)
        for names in [{name for item in items for name in item}]
    ]


def allows(described: t.Iterable[t.Mapping[str, t.Any]], sent: dict[str, Sent]) -> bool:
    """Whether a request brings one of some alternatives."""
    return any(
        all(
            isinstance(sent[name], frozenset) and sent[name].issuperset(scopes)
            for name, scopes in item.items()
        )
        for item in described
    )


def build(tree: Tree) -> t.Any:
    """The requirement that a tree stands for."""
    kind, *rest = tree
    if kind == "leaf":
        return SCHEMES[rest[0]].scopes(*rest[1])
    parts = [build(part) for part in rest[0]]
    if kind == "all":
        return reduce(lambda one, other: one & other, parts)
    built = reduce(lambda one, other: one | other, parts)
    return built | None if rest[1] else built


def names_in(tree: Tree) -> list[str]:
    """The schemes in the order in which they are written."""
    if tree[0] == "leaf":
        return [tree[1]]
    found = [name for part in tree[1] for name in names_in(part)]
    return list(dict.fromkeys(found))


#: Where a requirement stands, from the inside out, and what may stand there.
PLACES: t.Final = {
    "route": st.none() | st.just("open") | TREES,
    "registration": st.none() | TREES,
    "inner": st.none() | st.just("open") | TREES,
    "outer": st.none() | st.just("open") | TREES,
    "application": st.none() | TREES,
}

Declared: t.TypeAlias = "dict[str, t.Any]"


@dataclass(frozen=True)
class Drawn:
    """How a view is written, and what calls it.

    :param shape: ``"function"``, or how a class is written.
    :param patch: the requirement of a second method of a ``MethodView``.
    :param held: what stands around the function in ``app.view_functions``.
    :param replaces: whether ``ensure_sync()`` of the instance is replaced later on.
    """

    application: type[Flask]
    shape: tuple[str, str]
    is_asynchronous: bool
    is_decorated: bool
    patch: Tree | None
    held: t.Any
    replaces: bool

    @property
    def chooses(self) -> bool:
        """Whether a class has a ``dispatch_request()`` that may call any method."""
        return self.shape[0] == "MethodView" and self.shape[1] != "flask"

    def view(self, of_signature: Tree | None) -> t.Any:
        def show(**values: t.Any) -> str:
            return "shown"

        if of_signature is not None:

            def show(user: t.Any) -> str:
                return "shown"

            # By its name, it can't be found from the class.
            annotation = t.Annotated[t.Any, build(of_signature)]
            show.__annotations__["user"] = annotation
        function: t.Any = show
        if self.is_asynchronous:

            @functools.wraps(show)
            async def function(**values: t.Any) -> str:
                return show(**values)

        name, kind = self.shape
        if name == "View":
            return view_classes.view(
                function, kind=kind, is_decorated=self.is_decorated
            )
        if name == "function":
            return function
        return view_classes.method_view(
            function,
            dispatch=kind,
            is_decorated=self.is_decorated,
            patch=build(self.patch) if self.patch is not None else None,
        )


SHAPES: t.Final = [
    ("function", ""),
    *(("MethodView", name) for name in view_classes.DISPATCHES),
    *(("View", name) for name in view_classes.KINDS),
]
DRAWN = st.builds(
    Drawn,
    application=st.sampled_from(view_classes.APPLICATIONS),
    shape=st.sampled_from(SHAPES),
    is_asynchronous=st.booleans(),
    is_decorated=st.booleans(),
    patch=st.none() | st.none() | TREES,
    held=st.sampled_from(view_classes.HELD),
    replaces=st.booleans(),
)


def make_app(declared: Declared, of_signature: Tree | None, drawn: Drawn) -> Flask:
    def option(place: str) -> dict[str, t.Any]:
        tree = declared[place]
        if tree is None:
            return {}
        return {"security": None if tree == "open" else build(tree)}

    app = drawn.application(__name__)
    if declared["application"] is not None:
        app.config["SIGNATURE_SECURITY"] = build(declared["application"])
    outer = Blueprint("outer", __name__, **option("outer"))
    inner = Blueprint("inner", __name__, **option("inner"))
    inner.add_url_rule("/", "show", drawn.view(of_signature), **option("route"))
    outer.register_blueprint(inner, **option("registration"))
    app.register_blueprint(outer)
    app.init_app()
    functions = app.view_functions
    functions["outer.inner.show"] = drawn.held(functions["outer.inner.show"])
    if drawn.replaces:
        original = app.ensure_sync
        app.ensure_sync = lambda function: original(function)
    return app


def in_force(declared: Declared, of_signature: Tree | None) -> Tree:
    """All that is required: the innermost requirement, and that of the signature."""
    found = next((declared[name] for name in PLACES if declared[name]), "open")
    parts = [tree for tree in (found, of_signature) if tree not in (None, "open")]
    return ("all", parts)


def headers_for(sent: dict[str, Sent]) -> dict[str, str]:
    spellings = {
        "token": ("Authorization", "Bearer {}", "Bearer a b"),
        "key": ("X-Key", "{}", " "),
        "sid": ("Cookie", "sid={}", "sid=a; sid=b"),
    }
    found = {}
    for name, state in sent.items():
        header, usual, malformed = spellings[name]
        if isinstance(state, frozenset):
            found[header] = usual.format("-".join(["right", *sorted(state)]))
        elif state != "none":
            found[header] = malformed if state == "malformed" else usual.format("x")
    return found


@pytest.mark.drawn
@settings(max_examples=draws(160), deadline=None)
@given(
    declared=st.fixed_dictionaries(PLACES),
    of_signature=st.none() | TREES,
    requests=st.lists(REQUESTS, min_size=3, max_size=6),
    drawn=DRAWN,
)
def test_requirements_hold_what_they_say(declared, of_signature, requests, drawn):
    found = next((declared[name] for name in PLACES if declared[name]), None)
    if found == "open":
        of_signature = None
    if drawn.chooses and drawn.patch is not None:
        with pytest.raises(SignatureError, match="differ in security="):
            make_app(declared, of_signature, drawn)
        return
    app = make_app(declared, of_signature, drawn)
    tree = in_force(declared, of_signature)
    client = app.test_client(use_cookies=False)
    described = operation(app, "GET /")
    security = described.get("security", describe(app).get("security", []))
    names = names_in(tree)

    assert ("401" in described["responses"]) == bool(names)
    asks = any(scopes for item in alternatives(tree) for scopes in item.values())
    assert ("403" in described["responses"]) == asks
    for item in security or [{}]:
        # What is described is enough, without anything else.
        brought = {name: frozenset(item[name]) for name in item}
        assert evaluate(tree, dict.fromkeys(NAMES, "none") | brought) in ACCEPTED
    for sent in requests:
        verdict = evaluate(tree, sent)
        for url in ("/", "/?branch"):
            response = client.get(url, headers=headers_for(sent))
            assert response.status_code == STATUSES[verdict], (verdict, sent, url)
        if response.status_code == 200:
            assert allows(security or [{}], sent)
            assert challenges(response) == []
        else:
            check_challenges(challenges(response), names, sent, response.status_code)
        if drawn.shape == ("MethodView", "flask") and drawn.patch is not None:
            verdict = evaluate(drawn.patch, sent)
            patched = client.patch("/", headers=headers_for(sent))
            assert patched.status_code == STATUSES[verdict], (verdict, sent)


def check_challenges(
    asked: list[str], names: list[str], sent: dict[str, Sent], status: int
) -> None:
    """Every scheme asks, in order, and says nothing wrong of what was sent."""
    realms = [re.search('realm="(.+?)"', item)[1] for item in asked]
    assert realms == names
    for name, challenge in zip(names, asked, strict=True):
        if "invalid_token" in challenge:
            assert sent[name] in ("wrong", "malformed")
        if "insufficient_scope" in challenge:
            assert status == 403
            assert isinstance(sent[name], frozenset)
            scopes = re.search('scope="(.*)"', challenge)[1]
            assert not sent[name].issuperset(scopes.split())
