"""A view that is being registered, and each of its methods with what was declared.

Another rule of a known endpoint has what was declared for that.
"""

from __future__ import annotations

import typing as t
import warnings

from .._inbound.path import CONVERTER_TYPES
from .._once import name_set
from .._routing.declaration import JOINED_OPTIONS
from .._routing.path_template import read_rule, show_rule
from .._signature.source import locate
from .._signature.unwrap import unwrap_view
from ..exceptions import SignatureError, SignatureWarning
from .method_options import options_of
from .store import choose_operation

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Flask

    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from .._routing.route import Route
    from .._signature.unwrap import ViewCallable
    from .method_options import MethodOptions
    from .operation import Operation, ViewFunction
    from .registry import Registry


class Target(t.NamedTuple):
    """One method of a registration, and what is said of it to its author.

    :param declaration: of the route, its endpoint and its blueprints.
    :param earlier: the operation whose declaration it has, if there is one.
    :param provided: the names that the URL provides: variables and defaults.
    :param rule: the method and the path: ``"GET /users/{user_id}"``.
    """

    registration: Registration
    method: str
    view_callable: ViewCallable
    template: PathTemplate
    declaration: Declaration
    earlier: Operation | None
    provided: frozenset[str]
    rule: str

    def missing_problem(self, name: str) -> str:
        """The problem of a variable of the URL that no argument takes."""
        converter = self.template.converters.get(name)
        tp = CONVERTER_TYPES.get(type(converter), str).__name__
        return (
            f"the URL provides {name!r}, but {self.view_callable.name} has no argument"
            f" of that name. Add '{name}: {tp}' to the view, or accept it with"
            " '**kwargs'."
        )

    def locate(self, problem: str) -> str:
        """A problem with the rule and the place of the view."""
        return locate(self.rule, problem, self.view_callable)

    def warn(self, problem: str) -> None:
        """Warn of a view where it is defined, which is where its author looks."""
        warning = SignatureWarning(self.locate(problem))
        code = getattr(self.view_callable.function, "__code__", None)
        if code is None:
            warnings.warn(warning, stacklevel=2)
        else:
            warnings.warn_explicit(
                warning, SignatureWarning, code.co_filename, code.co_firstlineno
            )


class Registration(t.NamedTuple):
    """A view that is being registered.

    :param earlier: the operations whose declarations hold for the rule, too, if it is
        another one of their endpoint; for another method of a class that of their rule.
    :param scopes: the declarations of the blueprints around it by their names, from the
        inside out.
    :param namespace: the local names that the view's annotations may use.
    """

    app: Flask
    registry: Registry
    route: Route
    view: ViewFunction
    earlier: Sequence[Operation]
    scopes: Mapping[str, Declaration]
    namespace: Mapping[str, t.Any] | None

    def find_target(self, method: str) -> Target:
        """One method with its rule read.

        :raises SignatureError: if the rule can't be read, or it can't be told what was
            declared.
        """
        view_callable = unwrap_view(self.view, method)
        attribute = view_callable.attribute
        same = [x for x in self.earlier if x.view_callable.attribute == attribute]
        earlier = choose_operation(same, method)
        rules = [x.route.declaration for x in self.earlier]
        if (same and earlier is None) or (not same and rules[1:] != rules[:-1]):
            raise self.conflict(method, view_callable, AMBIGUOUS)
        declaration = self._declare(earlier, self._read_options(method, view_callable))
        template = self._read_template(method, view_callable)
        return Target(
            self,
            method,
            view_callable,
            template,
            declaration,
            earlier,
            provided=name_set(template.variables | self.route.provided),
            rule=f"{method} {template.path}",
        )

    def _read_options(self, method: str, view_callable: ViewCallable) -> MethodOptions:
        try:
            return options_of(view_callable)
        except SignatureError as error:
            rule = f"{method} {show_rule(self.route.rule)}"
            raise SignatureError(locate(rule, str(error), view_callable)) from None

    def _read_template(self, method: str, view_callable: ViewCallable) -> PathTemplate:
        rule = self.route.rule
        try:
            return read_rule(
                rule,
                self.route.domain,
                url_map=self.app.url_map,
                known=self.registry.converters,
            )
        except SignatureError as error:
            message = locate(f"{method} {rule}", str(error), view_callable)
            raise SignatureError(message) from None

    def _declare(self, earlier: Operation | None, own: MethodOptions) -> Declaration:
        """The declaration of an operation: of its route, endpoint and blueprints.

        :param own: the options of the method of a class.
        """
        declared, known = self.route.declaration, frozenset[str]()
        if earlier is not None:
            declared, known = declared.added_to(earlier.declaration), earlier.scopes
            # What is joined was joined when the view was compiled.
            own = {name: own[name] for name in own.keys() - JOINED_OPTIONS}
        elif self.earlier:
            # Another method of the class, which has the options of the rule alone.
            declared = declared.added_to(self.earlier[0].route.declaration)
        declared = declared.for_method(own)
        for name, scope in self.scopes.items():
            if name not in known:
                declared = declared.within(scope)
        return declared

    def conflict(
        self, method: str, view_callable: ViewCallable, why: str
    ) -> SignatureError:
        """The error of another rule of an endpoint that can't be one."""
        rule = f"{method} {show_rule(self.route.rule)}"
        problem = (
            f"{view_callable.name} has another rule of the endpoint"
            f" {self.route.endpoint!r}, {why}. Register the view itself, with the"
            " options of this rule."
        )
        return SignatureError(locate(rule, problem, view_callable))


#: Why a rule is refused that may have more than one declaration.
AMBIGUOUS: t.Final = "but it can't be told which of the declarations there holds for it"
