"""Where and with what a run was made, without saying whose machine it was."""

from __future__ import annotations

import os
import platform
from datetime import datetime, timezone
from pathlib import Path


def describe_machine() -> str:
    """``"2 cores of AMD EPYC, Linux, CPython 3.13.0"``."""
    cores = os.cpu_count() or 1
    noun = "core" if cores == 1 else "cores"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cores} {noun} of {_processor()}, {platform.system()}, {python}"


def today() -> str:
    """The date of the run, in UTC: ``"2031-01-31"``."""
    return datetime.now(timezone.utc).date().isoformat()


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
