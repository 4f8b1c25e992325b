"""How Sphinx builds the site: ``tox -e docs``, or ``sphinx-build docs SITE``."""

import sys
from configparser import ConfigParser
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "flask_signature"
author = "The flask_signature authors"
copyright = author
version = release = version_of("flask-signature")

extensions = [
    "_site.pages",
    "_site.pictures",
    "_site.search",
    "_site.signatures",
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
]
root_doc = "index"
nitpicky = True
# The names of Python, Flask, Werkzeug and Pydantic stand in signatures, and so do
# private ones. They are no links: the site is built without a network.
nitpick_ignore_regex = [
    (r"py:.*", r"(flask|werkzeug|pydantic|pydantic_core|typing|typing_extensions)\..*"),
    (r"py:.*", r"(collections|enum|ft|t|te)\..*"),
    (r"py:.*", r"flask_signature\.(_.*|.*\.(T|Ts|T_co|Loc|TokenScheme|Operand))"),
    (r"py:.*", r"\w+"),
    (r"py:.*", r".*[\[\]].*"),
]

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 72

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"

# Where the repository and the site are, if they are anywhere yet.
config = ConfigParser(interpolation=None)
config.read(Path(__file__).parents[1] / "setup.cfg", encoding="utf-8")
addresses = dict(config["addresses"])

html_theme = "furo"
html_baseurl = addresses["site"]
html_theme_options = {
    f"source_{name}": value
    for name, value in {
        "repository": addresses["repository"],
        "branch": "main",
        "directory": "docs/",
    }.items()
    if addresses["repository"]
}
html_title = f"flask_signature {version}"
html_static_path = ["static"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_favicon = "static/favicon.svg"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
