"""State machines that wait."""

from __future__ import annotations

import time
from threading import Event
from types import SimpleNamespace

import pytest
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.seconds import Seconds

from fsxbench_lab import stepfunctions
from fsxbench_lab.aws import Emulator


@pytest.fixture(autouse=True)
def _install() -> None:
    stepfunctions.install(Emulator("http://127.0.0.1:9", "unused"))


def _waited(seconds: int, running: bool = True) -> float:
    began = time.monotonic()
    Seconds(seconds)._eval_body(SimpleNamespace(is_running=lambda: running, program_state_event=Event()))
    return time.monotonic() - began


def test_a_minute_takes_as_long_as_the_lab_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stepfunctions, "MINUTE_SECONDS", 0.6)
    assert 0.2 <= _waited(20) < 20


def test_a_second_takes_a_second_unless_the_lab_says_otherwise() -> None:
    assert 1 <= _waited(1)


def test_an_execution_that_has_been_stopped_waits_no_longer() -> None:
    assert _waited(3600, running=False) < 3600
