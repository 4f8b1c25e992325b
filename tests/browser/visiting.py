"""What the tests in a browser share."""

from __future__ import annotations

import typing as t
from collections.abc import Callable
from dataclasses import dataclass, field

if t.TYPE_CHECKING:
    from playwright.sync_api import Page

#: Starts a server for an application, below a prefix if one is given.
Serve: t.TypeAlias = Callable[..., str]


@dataclass
class Visit:
    """A page, and what happened on it.

    :param complaints: what its console says, violations of its policy among it.
    :param urls: of every request that it sent.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)

    def open(self, url: str) -> None:
        """Go to a page and wait until the description is shown."""
        self.page.goto(url)
        self.page.locator(".opblock").first.wait_for()
