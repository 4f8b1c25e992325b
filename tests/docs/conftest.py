"""The site, built once, and the browser that looks at it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pages import DOCS

#: Where the site is built; somewhere temporary, if nothing is said.
SITE = "SITE"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, which was built without a warning."""
    folder = Path(os.environ.get(SITE) or tmp_path_factory.mktemp("site"))
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", DOCS, folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder
