"""Step Functions: executions really run, in moto's interpreter.

It lacks an engine for JSONata and quotes, hands on times that later states cannot use, and waits for whole seconds only.
"""

from __future__ import annotations

import json
import time
from datetime import datetime, timezone
from typing import Any

from jsonata.jsonata import Jsonata
from moto.core.config import default_user_config
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service import state_task_service_aws_sdk
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_aws_sdk import (
    StateTaskServiceAwsSdk,
)
from moto.stepfunctions.parser.asl.component.state.wait.wait_function.wait_function import WaitFunction
from moto.stepfunctions.parser.asl.eval import states, variable_store
from moto.stepfunctions.parser.asl.jsonata import jsonata

from .aws import Emulator
from .pace import MINUTE_SECONDS

_ask = StateTaskServiceAwsSdk._eval_service_task


def _evaluate(expression: str) -> Any:
    try:
        return Jsonata(expression).evaluate(None)
    except Exception as error:
        raise jsonata.JSONataException("UNKNOWN", str(error)) from error


def _declarations(bindings: dict[str, Any]) -> str:
    """As moto's, which does not escape texts."""
    return "".join(f"{name}:={json.dumps(value, default=str)};" for name, value in bindings.items())


def _as_json(value: Any) -> Any:
    """Times as the service writes them: in ISO 8601."""
    if isinstance(value, dict):
        return {key: _as_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_json(inner) for inner in value]
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


def _ask_service(task: StateTaskServiceAwsSdk, env: Any, **arguments: Any) -> None:
    _ask(task, env, **arguments)
    env.stack.append(_as_json(env.stack.pop()))


def _wait(function: WaitFunction, env: Any) -> None:
    end = time.monotonic() + function._get_wait_seconds(env=env) * MINUTE_SECONDS / 60
    while env.is_running() and (left := end - time.monotonic()) > 0:
        # Set for a moment when the execution ends.
        env.program_state_event.wait(left)


def install(emulator: Emulator) -> None:
    """Complete moto's interpreter, and have executions run."""
    default_user_config["stepfunctions"] = {"execute_state_machine": True}
    jsonata._eval_jsonata = _evaluate
    for module in (states, variable_store, jsonata):
        module.encode_jsonata_variable_declarations = _declarations
    StateTaskServiceAwsSdk._eval_service_task = _ask_service
    # moto's client has neither the lab's key nor its host.
    state_task_service_aws_sdk.boto_client_for = lambda region, service, state_credentials=None: emulator.client(
        service, region, validates=False
    )
    WaitFunction._eval_body = _wait
