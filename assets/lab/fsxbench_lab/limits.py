"""Template limits that CloudFormation enforces before it creates anything, from the table used to test the stacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .aws import LabError

_TABLE = json.loads((Path(__file__).resolve().parents[3] / "lib" / "common" / "aws" / "serviceLimits.json").read_text())


def _sections(template: dict[str, Any]) -> dict[str, int]:
    return {name: len(template.get(name.capitalize(), {})) for name in ("resources", "outputs", "parameters")}


def _batches(template: dict[str, Any]) -> dict[str, int]:
    policies = {name: definition.get("UpdatePolicy", {}) for name, definition in template["Resources"].items()}
    return {name: int(policy.get("AutoScalingRollingUpdate", {}).get("MaxBatchSize", 1)) for name, policy in policies.items()}


def check(template: dict[str, Any]) -> None:
    """Raise LabError for a template that exceeds a limit."""
    found = [(name, "Template format error", count) for name, count in _sections(template).items()]
    found += [("updateBatch", name, size) for name, size in _batches(template).items()]
    for limit, where, value in found:
        maximum, unit = _TABLE[limit]["max"], _TABLE[limit]["unit"]
        if value > maximum:
            raise LabError(f"{where}: {value} {unit}, at most {maximum}")
