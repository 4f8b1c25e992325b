"""An application as the tools of an agent, by the program of the how-to page."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import typing as t
from collections.abc import Iterator

import pytest
import uvicorn
from fastmcp import Client
from fastmcp.exceptions import ToolError
from pages import DOCS, run_examples

PAGE = DOCS / "howto" / "agents.md"

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def names() -> Iterator[dict[str, t.Any]]:
    """The names that the programs of the page define."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield run_examples(PAGE, monkeypatch, "fastmcp")


@pytest.fixture(scope="module")
def url(names: dict[str, t.Any]) -> Iterator[str]:
    """The address of the server on the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(names["server"], log_level="warning")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


def call(url: str, name: str, arguments: dict[str, t.Any], **options: t.Any) -> t.Any:
    """What a tool gives to an agent that is connected by HTTP."""

    async def send() -> t.Any:
        async with Client(f"{url}/mcp/", **options) as agent:
            return await agent.call_tool(name, arguments)

    return asyncio.run(send())


def test_credential_of_the_agent_is_that_of_the_request(url: str) -> None:
    order = {"book_id": 1, "copies": 2}

    made = call(url, "shop_order", order, auth="t-ann")

    assert made.structured_content == {"buyer": "ann", "title": "Emma"}
    with pytest.raises(ToolError, match="HTTP error 401"):
        call(url, "shop_order", order)
    with pytest.raises(ToolError, match="HTTP error 401"):
        call(url, "shop_order", order, auth="t-eve")


def test_refusal_is_that_of_the_page(url: str) -> None:
    (shown,) = re.findall(r"(?ms)^```text\n(.*?)^```", PAGE.read_text(encoding="utf-8"))

    with pytest.raises(ToolError) as caught:
        call(url, "shop_order", {"book_id": 1, "copies": 20}, auth="t-ann")

    assert str(caught.value).split() == shown.split()


def test_application_is_served_beside_the_tools(url: str) -> None:
    import httpx2

    assert httpx2.get(f"{url}/stock").json() == {"books": 2}
    assert httpx2.get(f"{url}/docs").status_code == 200
