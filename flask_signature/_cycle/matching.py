"""The rule of a path, found without a URL adapter.

Where Werkzeug's matcher would turn back, redirect or refuse, the request is Flask's.
"""

from __future__ import annotations

import itertools
import re
import typing as t

from werkzeug import routing
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.routing import NoMatch, ValidationError

if t.TYPE_CHECKING:
    from collections.abc import Sequence

#: The name of a group that holds the value of a variable begins with this.
VALUE: t.Final = "__werkzeug_"

#: The groups of a part that are in the order of their numbers in each Werkzeug.
MOST_GROUPS: t.Final = 10

#: The methods whose rules are remembered: a client may send any. HEAD and OPTIONS have
#: responses that Flask makes.
REMEMBERED: t.Final = frozenset({"DELETE", "GET", "PATCH", "POST", "PUT"})

#: The methods that a map may have of its own.
REPLACEABLE: t.Final = frozenset({"bind", "bind_to_environ", "update"})


class RuleEntry:
    """A rule for one method.

    :ivar refusing: the methods of the rules for the same path before it.
    :ivar calls: a view function and what the application knows of it.
    """

    __slots__ = ("calls", "converters", "defaults", "endpoint", "refusing", "rule")

    def __init__(self, rule: routing.Rule, refusing: set[str]) -> None:
        self.rule = rule
        self.refusing = refusing
        # Nothing public has the converters of a rule.
        self.converters = tuple(rule._converters.items())
        self.defaults = rule.defaults
        self.endpoint = rule.endpoint
        # In one object, as another thread may replace it.
        self.calls: tuple[t.Any, t.Any] = (None, None)

    def match(self, request: t.Any, values: Sequence[str]) -> None:
        """Do what ``context.match_request()`` does, with the values of variables."""
        arguments = {}
        try:
            try:
                # There is a value for each converter.
                for (name, converter), value in zip(self.converters, values):  # noqa: B905
                    arguments[name] = converter.to_python(value)
            except ValidationError as error:
                self._refuse(error)
        except HTTPException as error:
            request.routing_exception = error
        else:
            if self.defaults:
                arguments.update(self.defaults)
            request.url_rule, request.view_args = self.rule, arguments

    def _refuse(self, error: ValidationError) -> t.NoReturn:
        """Raise what Werkzeug raises, which also keeps what was raised before it."""
        try:
            raise NoMatch(self.refusing, False) from error
        except NoMatch:
            if self.refusing:
                raise MethodNotAllowed(valid_methods=list(self.refusing)) from None
            raise NotFound() from None


class State:
    """What may follow in a path: a state of Werkzeug's matcher.

    :ivar static: the state that follows, by the part of the path.
    :ivar turns: for a part with variables: what matches it, the groups that hold the
        values, in the order of the rule, and the state that follows; ``None`` where
        Werkzeug's matcher alone takes the turn.
    :ivar rules: those of a path that ends here.
    :ivar entries: of these, by the method.
    """

    __slots__ = ("entries", "rules", "static", "turns")

    def __init__(self, state: t.Any) -> None:
        self.static = {part: State(item) for part, item in state.static.items()}
        self.turns: list[tuple[t.Any, tuple[int, ...], State | None]] = []
        self.rules: list[routing.Rule] = state.rules
        self.entries: dict[str, RuleEntry] = {}
        for part, following in state.dynamic:
            pattern = re.compile(part.content)
            named = pattern.groupindex.items()
            groups = [number for name, number in named if name.startswith(VALUE)]
            # It takes more than one part of the path, or Werkzeug 3.0 gives the groups
            # another order.
            if part.final or part.suffixed or len(groups) > MOST_GROUPS:
                self.turns.append((re.compile("").match, (), None))
                break
            self.turns.append((pattern.match, tuple(groups), State(following)))


class Map(routing.Map):
    """A :class:`werkzeug.routing.Map` that remembers the rules of requests.

    :ivar known: the entries by the method and the path, if that has no variables, and
        the state before a path, once it was read.
    """

    known: tuple[dict[tuple[str, str], RuleEntry], list[State]]

    def __setattr__(self, name: str, value: t.Any) -> None:
        super().__setattr__(name, value)
        # Adding a rule sets an attribute, too.
        vars(self)["known"] = ({}, [])

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        vars(self)["known"] = ({}, [])

    def find(self, method: str, path: str, values: list[str]) -> RuleEntry | None:
        """The entry of a path, ``None`` where Werkzeug has to match it.

        :param values: those of the variables are added to it.
        """
        # Others are set where a rule is added meanwhile.
        entries, first = self.known
        found = entries.get((method, path))
        if found is not None:
            return found
        # Nothing public tells whether the rules are in their order, or has the states
        # of the matcher. The first is of the subdomain.
        if not first and not self._remap and "" in self._matcher._root.static:
            first.append(State(self._matcher._root.static[""]))
        state = _walk(first[0], path, values) if first else None
        if state is None:
            return None
        found = state.entries.get(method) or self._choose(state, method)
        if found is not None and not values:
            entries[method, path] = found
        return found

    def _choose(self, state: State, method: str) -> RuleEntry | None:
        """The entry of a method, ``None`` where Werkzeug has to match it."""
        refusing: set[str] = set()
        for rule in state.rules:
            if rule.methods is None or method in rule.methods:
                if method not in REMEMBERED or not self._is_usual(rule):
                    return None
                entry = state.entries[method] = RuleEntry(rule, refusing)
                return entry
            refusing |= rule.methods
        return None

    def _is_usual(self, rule: routing.Rule) -> bool:
        """Whether a rule is for requests, and redirects none of them."""
        # Nothing public has the rules of an endpoint. Another thread may be adding one.
        known = [*self._rules_by_endpoint.get(rule.endpoint, ())]
        before = itertools.takewhile(lambda other: other is not rule, known)
        return (
            REPLACEABLE.isdisjoint(vars(self))
            and not (self.host_matching or self.default_subdomain)
            and not (rule.websocket or rule.alias or rule.redirect_to is not None)
            and type(rule).provides_defaults_for is routing.Rule.provides_defaults_for
            and not any(other.defaults for other in before)
        )


def _walk(state: State, path: str, values: list[str]) -> State | None:
    """The state that a path leads to without a turn back, ``None`` where there is none.

    :param values: those of the variables are added to it.
    """
    # Werkzeug lets a path begin with any number of slashes.
    if path[:2] == "//":
        return None
    for part in path.split("/"):
        following = state.static.get(part)
        if following is None:
            for match_part, groups, next_state in state.turns:
                match = match_part(part)
                if match is not None:
                    for group in groups:
                        values.append(match[group])
                    following = next_state
                    break
            else:
                return None
        # Only Werkzeug takes this turn.
        if following is None:
            return None
        state = following
    return state
