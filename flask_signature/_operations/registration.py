"""A view that is being registered, and each of its methods with what was declared.

A function that Flask has in place of a view may be registered again under another rule.
The view is then compiled with what was declared for the function.
"""

from __future__ import annotations

import typing as t
import warnings

from .._inbound.path import CONVERTER_TYPES
from .._routing.declaration import JOINED_OPTIONS
from .._routing.declaration import RESPONSE_OPTIONS
from .._routing.path_template import read_rule
from .._routing.path_template import show_rule
from .._signature.source import locate
from .._signature.unwrap import unwrap_view
from ..exceptions import SignatureError
from ..exceptions import SignatureWarning
from .decorators import Routes
from .method_options import options_of
from .store import shared_scopes

if t.TYPE_CHECKING:
    from collections.abc import Collection
    from collections.abc import Mapping
    from collections.abc import Sequence

    from flask import Flask

    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from .._routing.route import Route
    from .._signature.unwrap import ViewCallable
    from .method_options import MethodOptions
    from .operation import Operation
    from .operation import ViewFunction
    from .registry import Registry
    from .store import InstalledFunction

#: Why a function can't be registered again that would send something else.
CHANGED: t.Final = "which sends what its own route says, so that {} can't be changed"


class Target(t.NamedTuple):
    """One method of a registration, and what is said of it to its author.

    :param declaration: of the route, its function and its blueprints.
    :param earlier: the operation compiled before, if a function is registered again.
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

    :param function: that is registered.
    :param view: the view, behind a function that Flask has in its place.
    :param installed: the function or one that it wraps, if Flask has it already.
    :param wrappers: what stands around that one, from the outside in.
    :param scopes: the declarations of the blueprints around it by their names, from the
        inside out.
    :param namespace: the local names that the view's annotations may use.
    """

    app: Flask
    registry: Registry
    route: Route
    function: ViewFunction
    view: ViewFunction
    installed: InstalledFunction | None
    wrappers: Sequence[t.Any]
    scopes: Mapping[str, Declaration]
    namespace: Mapping[str, t.Any] | None

    @property
    def compiles_all(self) -> bool:
        """Whether the application is one of ours, and no plain one."""
        return isinstance(self.app, Routes)

    def find_target(self, method: str) -> Target | None:
        """One method with its rule read, ``None`` where the function has none for it.

        :raises SignatureError: if the rule can't be read, or it can't be told what was
            declared.
        """
        view_callable = unwrap_view(self.view, method)
        earlier = self._find_earlier(method, view_callable)
        if earlier is None and self.installed is not None:
            return None
        own = self._read_options(method, view_callable)
        if self.wrappers:
            view_callable = view_callable.within(self.wrappers)
        declaration = self._declare(earlier, own)
        template = self._read_template(method, view_callable)
        return Target(
            self,
            method,
            view_callable,
            template,
            declaration,
            earlier,
            provided=template.variables | self.route.provided,
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

    def _find_earlier(
        self, method: str, view_callable: ViewCallable
    ) -> Operation | None:
        """The operation whose declaration holds for a method of an installed function.

        There is none for OPTIONS that came with the methods of a rule, to which Flask
        responds.

        :raises SignatureError: if there are several, which are declared differently.
        """
        if self.installed is None:
            return None
        first, *rest = self.installed.find(method)
        if method == "OPTIONS" != first.method and len(self.route.methods) > 1:
            return None
        if all(operation.declaration == first.declaration for operation in rest):
            return first
        why = f"but it can't be told which of its declarations is meant for {method}"
        raise self.conflict(method, view_callable, why)

    def _declare(self, earlier: Operation | None, own: MethodOptions) -> Declaration:
        """The declaration of an operation: of the route, its function and blueprints.

        :param own: the options of the method of a class.
        :raises SignatureError: if other parts of a value would be sent than before.
        """
        declared = self.route.declaration
        if earlier is None:
            return self._within_scopes(declared.for_method(own), ())
        changed = sorted(RESPONSE_OPTIONS & declared.given_options().keys())
        if changed:
            why = CHANGED.format(repr(changed[0]))
            raise self.conflict(earlier.method, earlier.view_callable, why)
        added = declared.added_to(earlier.declaration)
        # What is joined was joined when the view was compiled.
        winning = {name: own[name] for name in own.keys() - JOINED_OPTIONS}
        return self._within_scopes(added.for_method(winning), earlier.scopes)

    def decorate(self) -> ViewFunction:
        """The function in the decorators that it does not have yet."""
        operations = self.installed.operations if self.installed else ()
        known = shared_scopes(operations)
        declared = self._within_scopes(self.route.declaration, known)
        return declared.decorate(self.function)

    def _within_scopes(
        self, declared: Declaration, known: Collection[str]
    ) -> Declaration:
        for name, scope in self.scopes.items():
            if name not in known:
                declared = declared.within(scope)
        return declared

    def conflict(
        self, method: str, view_callable: ViewCallable, why: str
    ) -> SignatureError:
        """The error of a function that can't be registered again under the rule."""
        rule = f"{method} {show_rule(self.route.rule)}"
        problem = (
            f"{view_callable.name} is registered again with the function that stands"
            f" for it, {why}. Register the view itself, with the options of this rule."
        )
        return SignatureError(locate(rule, problem, view_callable))
