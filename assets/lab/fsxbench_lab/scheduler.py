"""EventBridge Scheduler: schedules of a rate really start their state machine, at once and then each period:
https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
import uuid
from typing import Any

from moto.core.utils import unix_time
from moto.scheduler.models import scheduler_backends

from .aws import Emulator, LabError
from .pace import MINUTE_SECONDS

_LOG = logging.getLogger(__name__)
_MINUTES = {"minute": 1, "hour": 60, "day": 1440}
_RATE = re.compile(r"rate\((\d+) (minute|hour|day)s?\)")


def period(expression: str) -> float:
    """Seconds between two starts."""
    found = _RATE.fullmatch(expression)
    if found is None:
        raise LabError(f"fsxbench lab: the schedule {expression} is not supported, only rate(…)")
    return int(found[1]) * _MINUTES[found[2]] * MINUTE_SECONDS


class Clock:
    """Starts what is due, once a second."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self.next: dict[str, float] = {}

    def run(self) -> None:
        while True:
            try:
                self._tick()
            except Exception:
                _LOG.exception("a schedule could not be followed")
            time.sleep(1)

    def _tick(self) -> None:
        schedules = [
            (region, schedule)
            for regions in list(scheduler_backends.values())
            for region, backend in list(regions.items())
            for group in list(backend.schedule_groups.values())
            for schedule in list(group.schedules.values())
        ]
        for region, schedule in schedules:
            now = unix_time()
            if schedule.state != "ENABLED" or now < self.next.get(schedule.arn, schedule.creation_date):
                continue
            self.next[schedule.arn] = now + period(schedule.schedule_expression)
            self._start(region, schedule.target)

    def _start(self, region: str, target: dict[str, Any]) -> None:
        if ":stateMachine:" not in target["Arn"]:
            raise LabError(f"fsxbench lab: a schedule cannot start {target['Arn']}, only state machines")
        self.emulator.client("stepfunctions", region).start_execution(
            stateMachineArn=target["Arn"], name=str(uuid.uuid4()), input=target.get("Input") or json.dumps({})
        )


def install(emulator: Emulator) -> None:
    """Follow schedules from now on."""
    threading.Thread(target=Clock(emulator).run, name="scheduler", daemon=True).start()
