"""Each link of the site leads somewhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
import runpy
import shutil
import typing as t
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pages import DOCS, ROOT, name_of
from project import FILE, blocks_of

#: Where HTML says what a browser fetches by itself.
FETCHED: t.Final = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "srcset",
    "video": "src",
    "link": "href",
}

#: Files that are read in the repository, outside of the site.
FILES: t.Final = [*sorted(ROOT.glob("*.md")), ROOT / "benchmarks" / "README.md"]

#: The caption of a block of code.
CAPTION: t.Final = re.compile(
    r'class="code-block-caption"><span class="caption-text">(.+?)</span><a '
)

#: What is written for the site alone.
PAGES: t.Final = sorted(DOCS.rglob("*.md"))

LINK: t.Final = re.compile(r"\]\(([^)\s]+)\)")


class Page(HTMLParser):
    """What a page of the site leads to, what it fetches, and its fragments."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.ids: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids |= {value for key in ("id", "name") if (value := values.get(key))}
        if tag == "a" and (link := values.get("href")):
            self.links.append(link)
        if (key := FETCHED.get(tag)) and (url := values.get(key)):
            self.fetched.append(url)


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Page]:
    return {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}


def test_each_page_of_the_documentation_is_on_the_site(site: Path) -> None:
    sources = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")}
    built = {path.relative_to(site).with_suffix("") for path in site.rglob("*.html")}

    assert sources <= built


def test_each_link_leads_to_a_page_and_a_place_in_it(pages: dict[Path, Page]) -> None:
    broken = [
        (path.name, link)
        for path, page in pages.items()
        for link in page.links
        if not _leads_somewhere(path, link, pages)
    ]
    assert broken == []


def _leads_somewhere(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    url = urlsplit(link)
    if url.scheme:
        # Other sites are asked by the environment "links", which needs a network.
        return url.scheme in ("http", "https", "mailto")
    target = (path.parent / unquote(url.path)).resolve() if url.path else path
    if not target.exists():
        return False
    return not url.fragment or unquote(url.fragment) in pages[target].ids


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_block_with_the_name_of_its_file_has_it_as_its_caption(site, page):
    named = [FILE.match(text) for _, text in blocks_of(page)]
    built = site / page.relative_to(DOCS).with_suffix(".html")
    captions = [
        re.sub("<[^>]+>", "", caption)
        for caption in CAPTION.findall(built.read_text("utf-8"))
    ]

    assert captions == [found[1] for found in named if found]


def test_nothing_is_fetched_from_another_site(site, pages):
    fetched = {url for page in pages.values() for url in page.fetched}
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    fetched |= set(re.findall(r"(?:url\(|@import )['\"]?([^'\")]+)", styles))

    assert fetched
    assert {url for url in fetched if re.match("(https?:)?//", url)} == set()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_of_the_repository_links_to_files_that_exist(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    local = [urlsplit(link).path for link in links if not urlsplit(link).scheme]

    assert [link for link in local if not (path.parent / link).exists()] == []


def test_edit_links_need_the_address_of_the_repository(tmp_path: Path) -> None:
    shutil.copytree(DOCS / "_site", tmp_path / "docs" / "_site")
    shutil.copy(DOCS / "conf.py", tmp_path / "docs")
    settings = (ROOT / "setup.cfg").read_text(encoding="utf-8")
    (tmp_path / "setup.cfg").write_text(settings, encoding="utf-8")
    without = runpy.run_path(str(tmp_path / "docs" / "conf.py"))
    settings = settings.replace(
        "\nrepository =\n", "\nrepository = https://forge.test\n"
    )
    (tmp_path / "setup.cfg").write_text(settings, encoding="utf-8")
    named = runpy.run_path(str(tmp_path / "docs" / "conf.py"))

    assert without["html_theme_options"] == {}
    assert named["html_theme_options"] == {
        "source_repository": "https://forge.test",
        "source_branch": "main",
        "source_directory": "docs/",
    }


def test_form_for_advisories_needs_it_too() -> None:
    with_address = runpy.run_path(str(DOCS / "_site" / "pages.py"))["with_address"]
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

    assert with_address(text, "") == text
    named = with_address(text, "https://forge.test")
    assert "](https://forge.test/security/advisories/new)" in named
    assert "is hosted" not in named
