"""Programs that tests run in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys


def printed_by(*arguments: str, **environ: str) -> str:
    """What a Python program prints, which imports what we can, and ends well.

    :param environ: variables besides our own.
    """
    ended = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environ},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout
