"""What the tests of dependencies share: a log of what has happened."""

from __future__ import annotations

import functools
import typing as t

import pytest

from flask_signature import Depends

if t.TYPE_CHECKING:
    from collections.abc import Callable


class Log(list[t.Any]):
    """What has happened, and functions that write it down."""

    def noting(self, name: str) -> Callable[[], None]:
        """A guard that writes its name down."""

        def guard() -> None:
            self.append(name)

        return guard

    def opening(self, name: str, depends: t.Any = None) -> t.Any:
        """A generator that commits, or rolls back."""

        def get(inner: t.Any = Depends(depends or (lambda: None))) -> t.Any:
            self.append(f"open {name}")
            try:
                yield name
            except BaseException as error:
                self.append(f"roll back {name}: {type(error).__name__}")
                raise
            else:
                self.append(f"commit {name}")
            finally:
                self.append(f"close {name}")

        get.__name__ = f"get_{name}"
        return get


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def failure(caplog: pytest.LogCaptureFixture) -> Callable[[], t.Any]:
    """Returns the exception that was logged last."""
    return lambda: (caplog.records[-1].exc_info or ())[1]


@pytest.fixture(params=["sync", "async"])
def written(request: pytest.FixtureRequest) -> Callable[[t.Any], t.Any]:
    """Returns a view as it is, or as a coroutine function."""
    return _coroutine_of if request.param == "async" else lambda view: view


def _coroutine_of(view: t.Any) -> t.Any:
    @functools.wraps(view)
    async def run(*args: t.Any, **kwargs: t.Any) -> t.Any:
        return view(*args, **kwargs)

    return run
