"""Pictures that follow the colours of the page.

An SVG file in ``docs/pictures/`` becomes a part of the page that shows it, where it may
use the colours of the theme. Elsewhere it is a picture with colours of its own.
"""

from __future__ import annotations

import typing as t
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if t.TYPE_CHECKING:
    from sphinx.application import Sphinx

PICTURES: t.Final = Path(__file__).parents[1] / "pictures"


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx put pictures into their pages."""
    app.add_post_transform(InlinePictures)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class InlinePictures(SphinxPostTransform):
    """Puts the pictures of a page into it."""

    # Before Sphinx copies the files of images.
    default_priority = 5
    formats = ("html",)

    def run(self, **options: t.Any) -> None:
        """Replace each image of :data:`PICTURES` by its SVG."""
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir, image["uri"])
            if path.parent == PICTURES and path.suffix == ".svg":
                self.env.note_dependency(str(path))
                image.replace_self(nodes.raw("", _figure(path, image), format="html"))


def _figure(path: Path, image: nodes.image) -> str:
    svg = path.read_text(encoding="utf-8")
    svg = svg[svg.index("<svg") :]
    label = escape(image.get("alt", ""))
    return f'<figure class="picture" role="img" aria-label="{label}">{svg}</figure>'
