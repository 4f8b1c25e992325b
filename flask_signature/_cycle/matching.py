"""The rule of a path, found without a URL adapter.

A map remembers the rules that have served a path. Where Werkzeug's matcher would turn
back, redirect or refuse, nothing is found, and the request is Flask's.
"""

from __future__ import annotations

import itertools
import re
import typing as t

from werkzeug import routing
from werkzeug.exceptions import MethodNotAllowed, NotFound
from werkzeug.routing import NoMatch, ValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: What matches the value of variables, their groups, and the state that follows.
    Turn: t.TypeAlias = tuple[
        Callable[[str], re.Match[str] | None], tuple[str, ...], t.Any
    ]


#: The name of a group that holds the value of a variable begins with this.
VALUE: t.Final = "__werkzeug_"

#: The groups of a part that are in the order of their numbers in each Werkzeug.
MOST_GROUPS: t.Final = 10

#: The methods whose rules are remembered: a client may send any. HEAD and OPTIONS have
#: responses that Flask makes.
REMEMBERED: t.Final = frozenset({"DELETE", "GET", "PATCH", "POST", "PUT"})

#: The methods that a map may have of its own.
REPLACEABLE: t.Final = frozenset({"bind", "bind_to_environ", "update"})

PROVIDES_DEFAULTS: t.Final = routing.Rule.provides_defaults_for


class Entry:
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

    def convert(self, values: Sequence[str]) -> dict[str, t.Any]:
        """The values of the variables as the view gets them.

        :raises HTTPException: if a converter refuses one.
        """
        arguments = {}
        try:
            for (name, converter), value in zip(self.converters, values, strict=True):
                arguments[name] = converter.to_python(value)
        except ValidationError as error:
            self._refuse(error)
        if self.defaults:
            arguments.update(self.defaults)
        return arguments

    def _refuse(self, error: ValidationError) -> t.NoReturn:
        """Raise what Werkzeug raises, which also keeps what was raised before it."""
        try:
            raise NoMatch(self.refusing, False) from error
        except NoMatch:
            if self.refusing:
                raise MethodNotAllowed(valid_methods=list(self.refusing)) from None
            raise NotFound() from None


class Map(routing.Map):
    """A :class:`werkzeug.routing.Map` that remembers the rules of requests.

    :ivar entries: by the method and the path, if that has no variables, and by the
        identity of the rule and the method; also the turns of states that were met, by
        their identity.
    """

    entries: dict[t.Any, t.Any]

    def __setattr__(self, name: str, value: t.Any) -> None:
        super().__setattr__(name, value)
        # Adding a rule sets an attribute, too.
        vars(self)["entries"] = {}

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        vars(self)["entries"] = {}

    def find(self, method: str, path: str, values: list[str]) -> Entry | None:
        """The entry of a path, ``None`` where Werkzeug has to match it.

        :param values: those of the variables are added to it.
        """
        # Another one is set where a rule is added meanwhile.
        entries = self.entries
        found: Entry | None = entries.get((method, path))
        if found is not None:
            return found
        refusing: set[str] = set()
        for rule in self._walk(path, values, entries):
            if rule.methods is None or method in rule.methods:
                entry: Entry | None = entries.get((id(rule), method))
                if entry is None:
                    if method not in REMEMBERED or not self._is_usual(rule):
                        return None
                    entry = entries[id(rule), method] = Entry(rule, refusing)
                if not values:
                    entries[method, path] = entry
                return entry
            refusing |= rule.methods
        return None

    def _walk(
        self, path: str, values: list[str], turns: dict[t.Any, t.Any]
    ) -> list[routing.Rule]:
        """The rules that a path leads to without a turn back.

        :param values: those of the variables are added to it.
        :param turns: what is known of states by their identity, which is added to.
        """
        # Werkzeug lets a path begin with any number of slashes, or with none. Nothing
        # public tells whether the rules are in their order.
        if path[:1] != "/" or path[:2] == "//" or self._remap:
            return []
        # Nothing public has the states of the matcher. The first is of the subdomain.
        state: t.Any = self._matcher._root.static.get("")
        for part in path.split("/") if state else ():
            following = state.static.get(part)
            if following is None:
                known = turns.get(id(state))
                if known is None:
                    known = turns[id(state)] = _read_turns(state)
                for match_part, groups, next_state in known:
                    match = match_part(part)
                    if match is not None:
                        for group in groups:
                            values.append(match[group])
                        following = next_state
                        break
            if following is None:
                return []
            state = following
        return state.rules if state else []

    def _is_usual(self, rule: routing.Rule) -> bool:
        """Whether a rule is for requests, and redirects none of them."""
        # Nothing public has the rules of an endpoint. Another thread may be adding one.
        known = [*self._rules_by_endpoint.get(rule.endpoint, ())]
        before = itertools.takewhile(lambda other: other is not rule, known)
        return (
            REPLACEABLE.isdisjoint(vars(self))
            and not (self.host_matching or self.default_subdomain)
            and not (rule.websocket or rule.alias or rule.redirect_to is not None)
            and type(rule).provides_defaults_for is PROVIDES_DEFAULTS
            and not any(other.defaults for other in before)
        )


#: A turn that only Werkzeug's matcher takes.
UNKNOWN: t.Final[Turn] = (re.compile("").match, (), None)


def _read_turns(state: t.Any) -> list[Turn]:
    """What matches the variables that follow a state, and which state is next.

    With each the names of the groups that hold the values, in the order of the rule.
    """
    turns: list[Turn] = []
    for rule_part, following in state.dynamic:
        pattern = re.compile(rule_part.content)
        groups = [name for name in pattern.groupindex if name.startswith(VALUE)]
        # It takes more than one part of the path, or Werkzeug 3.0 gives the groups
        # another order.
        if rule_part.final or rule_part.suffixed or len(groups) > MOST_GROUPS:
            return [*turns, UNKNOWN]
        turns.append((pattern.match, tuple(groups), following))
    return turns
