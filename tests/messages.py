"""What an author is told: the message of a refusal, and the place at its end."""

from __future__ import annotations

import os
import typing as t

import pytest

from flask_signature import SignatureError

if t.TYPE_CHECKING:
    from collections.abc import Callable


def message_of(register: Callable[[], t.Any]) -> str:
    """All of what a refusal says."""
    with pytest.raises(SignatureError) as caught:
        register()
    return str(caught.value)


def place_of(function: t.Any) -> str:
    """The end of a message: the file and line where a function was written."""
    code = function.__code__
    return f"({os.path.relpath(code.co_filename)}, line {code.co_firstlineno})"
