"""One method of a registration, and what is said of it to its author."""

from __future__ import annotations

import typing as t
import warnings

from .._signature.source import locate
from ..exceptions import SignatureWarning

if t.TYPE_CHECKING:
    from .._routing.declaration import Declaration
    from .._routing.path_template import PathTemplate
    from .._signature.unwrap import ViewCallable
    from .registration import Registration


class Target(t.NamedTuple):
    """One method of a registration, with its rule read."""

    registration: Registration
    method: str
    view_callable: ViewCallable
    template: PathTemplate
    declaration: Declaration

    @property
    def rule(self) -> str:
        """The method and the path: ``"GET /users/{user_id}"``."""
        return f"{self.method} {self.template.path}"

    @property
    def provided(self) -> set[str]:
        """The names that the URL provides: variables and defaults."""
        return {*self.template.variables, *self.registration.route.provided}

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
