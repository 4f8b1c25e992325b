"""Pages that are written for readers of the repository and of the site.

What the site shows of ``CHANGES.md``, ``CONTRIBUTING.md`` and the benchmarks is the
file itself. A block of code whose first line is the name of its file has that as its
caption. A link from a page to one of them leads to its page. A link to any other
file outside of ``docs/``, which the site does not have, is its text.
"""

from __future__ import annotations

import re
import typing as t
from os.path import relpath
from pathlib import Path

if t.TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT: t.Final = Path(__file__).parents[2]

#: The file that is shown as a page, by the name of the page.
COPIED: t.Final = {
    "benchmarks": "benchmarks/README.md",
    "changes": "CHANGES.md",
    "contributing": "CONTRIBUTING.md",
    "security-policy": "SECURITY.md",
}

PAGE_OF: t.Final = {path: f"docs/{name}.md" for name, path in COPIED.items()}

LINK: t.Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)")
#: How SECURITY.md names the form, whose address it does not know.
FORM: t.Final = re.compile(
    r"the\s+form\s+for\s+security\s+advisories\s+of\s+the\s+place\s+where\s+this"
    r"\s+repository\s+is\s+hosted"
)

#: The first line of a block that names its file.
FILE: t.Final = re.compile(
    r"^```(\w+)\n(?:#|//|<!--) (\.?[\w./-]+\.\w+|Dockerfile|\.\w+)(?: -->)?\n",
    re.MULTILINE,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx read every page by way of :func:`read_page`."""
    app.connect("source-read", read_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def read_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put a page into ``source``, of which the one item is its text."""
    path = ROOT / COPIED.get(docname, f"docs/{docname}.md")
    if docname in COPIED:
        app.env.note_dependency(str(path))
        text = path.read_text(encoding="utf-8")
        repository = app.config.html_theme_options.get("source_repository", "")
        source[0] = with_address(text, repository)
    page = ROOT / "docs" / f"{docname}.md"

    def change(found: re.Match[str]) -> str:
        return _change_link(found, path.parent, page.parent)

    source[0] = LINK.sub(change, source[0])
    # As code: a caption is Markdown, in which "__init__" is bold.
    source[0] = FILE.sub(r"```{code-block} \1\n:caption: `\2`\n\n", source[0])


def with_address(text: str, repository: str) -> str:
    """A text with a link to the form for advisories, where the repository has one.

    :param repository: its address, ``""`` where there is none.
    """
    if not repository:
        return text
    link = f"[the form for security advisories]({repository}/security/advisories/new)"
    return FORM.sub(link, text)


def _change_link(found: re.Match[str], old: Path, new: Path) -> str:
    """A link, for the site.

    :param old: the folder from which the file says where it leads.
    :param new: the folder of the page.
    """
    is_picture, text, target, fragment = found.groups()
    path = (old / target).resolve()
    if not path.is_relative_to(ROOT) or not path.exists():
        return found[0]  # for Sphinx to complain about
    name = path.relative_to(ROOT).as_posix()
    name = PAGE_OF.get(name, name)
    if not is_picture and not name.startswith("docs/"):
        return text
    return f"{is_picture}[{text}]({relpath(ROOT / name, new)}{fragment or ''})"
