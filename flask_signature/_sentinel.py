"""Values that mean "no value" where ``None`` would be one."""

from __future__ import annotations


class Sentinel:
    """A value that is compared by identity, and shown by its name."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


#: An option that was not given.
UNSET = Sentinel("UNSET")

#: What ``responses=[404]`` declares of a status: the model of the error format.
STANDARD_ERROR = Sentinel("STANDARD_ERROR")
