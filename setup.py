"""What ``setup.cfg`` can't say: what depends on where the project is.

``[addresses]`` of ``setup.cfg`` is the one place that names the address of the
repository and that of the site. Without one, what would need it is left out.
"""

from __future__ import annotations

import re
from configparser import ConfigParser
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent

#: A link or a picture whose target is in the repository.
LINK = re.compile(r"(!?)\[([^\]]*)\]\(((?:\.\./)*[\w.][^):\s]*)\)")


def read_addresses() -> dict[str, str]:
    """The addresses that there are: ``repository`` and ``site``."""
    config = ConfigParser(interpolation=None)
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return {name: url.rstrip("/") for name, url in config["addresses"].items() if url}


def readme(repository: str) -> str:
    """The README for the package index, where a path leads nowhere.

    :param repository: its address, ``""`` where there is none: a link is its text then,
        and a picture is left out.
    """

    def change(found: re.Match[str]) -> str:
        is_picture, text, path = found.groups()
        if not repository:
            return "" if is_picture else text
        kind = "raw" if is_picture else "blob"
        return f"{is_picture}[{text}]({repository}/{kind}/main/{path})"

    return LINK.sub(change, (ROOT / "README.md").read_text(encoding="utf-8"))


def main() -> None:
    """Build the distribution."""
    addresses = read_addresses()
    repository, site = addresses.get("repository", ""), addresses.get("site", "")
    urls = {
        "Documentation": site,
        "Changes": f"{site}/changes.html" if site else "",
        "Source": repository,
        "Issues": f"{repository}/issues" if repository else "",
    }
    setup(
        long_description=readme(repository),
        project_urls={name: url for name, url in urls.items() if url},
    )


main()
