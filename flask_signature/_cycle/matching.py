"""The rule of a path, found without a closure and a list for each of its parts."""

from __future__ import annotations

import re
import typing as t
from functools import lru_cache

from werkzeug import routing
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.exceptions import NotFound
from werkzeug.routing import NoMatch
from werkzeug.routing import RequestRedirect
from werkzeug.routing import ValidationError

if t.TYPE_CHECKING:
    from collections.abc import Callable


#: The name of a group that holds the value of a variable begins with this.
VALUE: t.Final = "__werkzeug_"

#: The groups of a part that are in the order of their numbers in each Werkzeug.
MOST_GROUPS: t.Final = 10


class Map(routing.Map):
    """A :class:`werkzeug.routing.Map` that remembers the paths without variables.

    :ivar static: the rules of such a path. The lists are those of Werkzeug's matcher,
        and hold what is added later.
    """

    def __init__(self, *args: t.Any, **options: t.Any) -> None:
        self.static: dict[str, list[routing.Rule]] = {}
        super().__init__(*args, **options)


class MapAdapter(routing.MapAdapter):
    """A :class:`werkzeug.routing.MapAdapter` that finds most rules in fewer steps.

    It takes the turns that Werkzeug's matcher takes. Where that would turn back,
    redirect or refuse, the path is left to it.
    """

    map: Map

    # Typed by Werkzeug in two overloads.
    def match(
        self,
        path_info: str | None = None,
        method: str | None = None,
        return_rule: t.Any = False,
        query_args: t.Any = None,
        websocket: t.Any = None,
    ) -> t.Any:
        """The rule and the values of its variables, as Werkzeug returns them."""
        url_map = self.map
        rules: list[routing.Rule] = []
        values: list[str] = []
        refusing: list[routing.Rule] = []
        if (
            return_rule
            and path_info is method is query_args is websocket is None
            and self.subdomain == ""
            and not self.websocket
            and self.default_method.isupper()
            # Nothing public tells whether the rules are in their order.
            and not url_map._remap
        ):
            rules = url_map.static.get(self.path_info) or self._walk(values)
        for rule in rules:
            if rule.methods is not None and self.default_method not in rule.methods:
                refusing.append(rule)
            elif rule.websocket or rule.alias or rule.redirect_to is not None:
                break
            else:
                try:
                    arguments = _convert(rule, values) if rule._converters else {}
                except ValidationError as error:
                    _refuse(refusing, error)
                if rule.defaults:
                    arguments.update(rule.defaults)
                # Nothing public has them. Another thread may be adding or sorting them.
                known = url_map._rules_by_endpoint.get(rule.endpoint, ())
                if next(iter(known), rule) is not rule:
                    self._redirect_default(rule, arguments)
                return rule, arguments
        return super().match(path_info, method, return_rule, query_args, websocket)

    def _walk(self, values: list[str]) -> list[routing.Rule]:
        """The rules that a path leads to without a turn back.

        :param values: those of the variables are added to it.
        """
        path = self.path_info
        # Werkzeug lets a path begin with any number of slashes, or with none.
        if path[:1] != "/" or path[:2] == "//":
            return []
        state = self.map._matcher._root
        # Nothing public has the states of the matcher. The first part is the subdomain.
        for part in f"/{path}".split("/"):
            following = state.static.get(part)
            if following is None:
                following = _follow(state.dynamic, part, values)
                if following is None:
                    return []
            state = following
        if not values:
            self.map.static[path] = state.rules
        return state.rules

    def _redirect_default(
        self, rule: routing.Rule, arguments: dict[str, t.Any]
    ) -> None:
        """Redirect to the rule that has these arguments as its defaults.

        :raises RequestRedirect: to it.
        """
        if self.map.redirect_defaults:
            method, query = self.default_method, self.query_args or {}
            url = self.get_default_redirect(rule, method, arguments, query)
            if url is not None:
                raise RequestRedirect(url)


def _follow(transitions: list[t.Any], part: str, values: list[str]) -> t.Any:
    """The state that a part leads to through a variable, ``None`` where none is known.

    :param transitions: each a part of a rule, and the state that it leads to.
    :param values: those of the variables are added to it.
    """
    for rule_part, following in transitions:
        if rule_part.final or rule_part.suffixed:
            # It takes more than one part of the path.
            return None
        match_part, groups = read_pattern(rule_part.content)
        if groups is None:
            return None
        match = match_part(part)
        if match is not None:
            for group in groups:
                values.append(match[group])
            return following
    return None


@lru_cache(maxsize=1024)
def read_pattern(
    content: str,
) -> tuple[Callable[[str], re.Match[str] | None], tuple[str, ...] | None]:
    """What matches a part of a path, and the groups of the variables, in order.

    There are none if they are many: Werkzeug 3.0 gives them another order.
    """
    pattern = re.compile(content)
    groups = [name for name in pattern.groupindex if name.startswith(VALUE)]
    return pattern.match, tuple(groups) if len(groups) <= MOST_GROUPS else None


def _convert(rule: routing.Rule, values: list[str]) -> dict[str, t.Any]:
    """The values of the variables as the view gets them.

    :raises ValidationError: if a converter refuses one.
    """
    arguments, remaining = {}, iter(values)
    # Nothing public has the converters of a rule.
    for name, converter in rule._converters.items():
        arguments[name] = converter.to_python(next(remaining))
    return arguments


def _refuse(refusing: list[routing.Rule], error: ValidationError) -> t.NoReturn:
    """Raise what Werkzeug raises where no rule is left.

    :param refusing: the rules for other methods.
    :raises MethodNotAllowed: if there are any.
    :raises NotFound: if there are none.
    """
    methods: set[str] = set()
    for rule in refusing:
        methods.update(rule.methods or ())
    # An exception is asked for what was raised before it.
    try:
        raise NoMatch(methods, False) from error
    except NoMatch:
        if methods:
            raise MethodNotAllowed(valid_methods=list(methods)) from None
        raise NotFound() from None
