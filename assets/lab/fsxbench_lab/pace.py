"""How fast the lab's own clocks go: those of schedules and of state machines that wait.

Environment: FSXBENCH_LAB_MINUTE_SECONDS, how many seconds a minute of theirs takes (default 60; tests have no time).
"""

from __future__ import annotations

import os

MINUTE_SECONDS = float(os.environ.get("FSXBENCH_LAB_MINUTE_SECONDS", "60"))
