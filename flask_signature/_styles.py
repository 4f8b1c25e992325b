"""The styles of OpenAPI: how a list or a model is written as one parameter.

The options of a special function go in, a :class:`Style` comes out.

Source: OpenAPI 3.1, Parameter Object, Style Values.
"""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from collections.abc import Mapping


class Style(t.NamedTuple):
    """A style, and whether each item or field has a name of its own."""

    name: str
    explode: bool


#: The style of a model whose fields are parameters.
EXPLODED_FORM: t.Final = Style("form", explode=True)

#: That of a model whose fields have names such as ``order[name]``.
DEEP_OBJECT: t.Final = Style("deepObject", explode=True)

#: That of a header.
SIMPLE: t.Final = Style("simple", explode=False)

#: The styles that OpenAPI has for a location, the default first.
STYLES: t.Final[Mapping[str, tuple[Style, ...]]] = {
    "query": (
        EXPLODED_FORM,
        Style("form", explode=False),
        Style("spaceDelimited", explode=False),
        Style("pipeDelimited", explode=False),
        DEEP_OBJECT,
    ),
    "header": (SIMPLE, Style("simple", explode=True)),
}


def find_style(
    styles: tuple[Style, ...], name: str | None, explode: bool | None
) -> Style | None:
    """The first of some styles that fits, ``None`` where nothing was chosen.

    :raises ValueError: if there is none.
    """
    if name is None and explode is None:
        return None
    names = [*dict.fromkeys(style.name for style in styles)]
    name = names[0] if name is None else name
    if name not in names:
        known = " or ".join(map(repr, names))
        raise ValueError(f"OpenAPI has no style {name!r} there. Use {known}")
    for style in styles:
        if style.name == name and explode in (style.explode, None):
            return style
    raise ValueError(
        f"OpenAPI has no style {name!r} with explode={explode!r}. Remove explode="
    )
