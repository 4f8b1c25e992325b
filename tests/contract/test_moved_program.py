"""A program of FastAPI and the same program here: their documents, and a client."""

from __future__ import annotations

import json
import re
import subprocess
import typing as t

import pytest
from pages import DOCS, run_examples

pytestmark = pytest.mark.filterwarnings("ignore:Using `httpx` with `starlette")

MIGRATION = (DOCS / "migrate" / "fastapi.md").read_text(encoding="utf-8")

#: As FastAPI's template for a full stack generates its client, but for names.
CONFIGURATION = """\
export default {
  input: "./openapi.json",
  output: "./client",
  plugins: [
    "@hey-api/client-axios",
    { name: "@hey-api/sdk", operations: { strategy: "byTags" } },
    { name: "@hey-api/schemas", type: "json" },
  ],
};
"""

PROGRAM = """\
import { Books, Default } from "./client";
import type { BookOut } from "./client";

export async function add(title: string): Promise<BookOut | undefined> {
  await Default.logIn({ body: { username: "ann", password: "secret" } });
  const added = await Books.booksAddBook({ body: { title } });
  await Books.booksChangeBook({ path: { book_id: 1 }, body: { year: 1816 } });
  return added.data;
}
"""

#: Lines that must not compile, and why.
MISTAKES = {
    "a name too few": 'Default.logIn({ body: { password: "secret" } });',
    "another type": "Books.booksAddBook({ body: { title: 1 } });",
}


@pytest.fixture(scope="module")
def documents() -> dict[str, t.Any]:
    """The documents of the two programs by the names of their files."""
    page = DOCS / "migrate" / "fastapi-example.md"
    with pytest.MonkeyPatch.context() as monkeypatch:
        names = run_examples(page, monkeypatch, "fastapi")
    client = names["new_app"].test_client()
    return {
        "before.json": names["old_app"].openapi(),
        "after.json": client.get("/openapi.json").get_json(),
    }


def block(language: str) -> str:
    """The last block of the page in a language."""
    blocks = re.findall(rf"(?ms)^```{language}\n(.*?)^```", MIGRATION)
    return str(blocks[-1])


def test_differences_are_those_of_the_page(node_modules, tmp_path, documents):
    for name, document in documents.items():
        (tmp_path / name).write_text(json.dumps(document), encoding="utf-8")
    script = node_modules / "compare.mjs"
    script.write_text(block("javascript"), encoding="utf-8")

    command = ["node", script, *(tmp_path / name for name in documents)]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert printed.returncode == 0, printed.stderr
    assert printed.stdout == block("text")


def test_generated_client_has_the_types_of_the_program(node_modules, npx, documents):
    folder = node_modules / "moved"
    folder.mkdir()
    document = json.dumps(documents["after.json"])
    (folder / "openapi.json").write_text(document, encoding="utf-8")
    (folder / "config.mjs").write_text(CONFIGURATION, encoding="utf-8")
    subprocess.run(
        [node_modules / "node_modules" / ".bin" / "openapi-ts", "-f", "config.mjs"],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=60,
    )
    options = "--strict --noEmit --skipLibCheck --module esnext --target es2022"
    command = ["tsc", *options.split(), "--moduleResolution", "bundler"]

    (folder / "program.ts").write_text(PROGRAM, encoding="utf-8")
    npx(*command, folder / "program.ts")
    for mistake in MISTAKES.values():
        (folder / "wrong.ts").write_text(PROGRAM + mistake, encoding="utf-8")
        with pytest.raises(AssertionError, match=r"wrong\.ts"):
            npx(*command, folder / "wrong.ts")
