"""What a server serves: the shop of the contender that the environment names."""

from __future__ import annotations

import os

from .contender import Contender
from .scenario import SCENARIOS
from .servers import CONTENDER

app = Contender(os.environ[CONTENDER]).app(SCENARIOS[0])
