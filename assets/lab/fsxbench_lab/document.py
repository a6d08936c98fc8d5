"""The parameters of an SSM document: validated as by SSM, and substituted into the document."""

from __future__ import annotations

import re
from typing import Any

from .aws import ApiError

_PARAMETER = re.compile(r"\{\{\s*([A-Za-z0-9]+)\s*\}\}")


def checked(declared: dict[str, Any], given: dict[str, list[str]]) -> dict[str, Any]:
    """The document's parameters with their values, or SSM's InvalidParameters error."""
    unknown = set(given) - set(declared)
    if unknown:
        raise ApiError("InvalidParameters", f"Parameter(s) {', '.join(sorted(unknown))} not defined in the document")
    values: dict[str, Any] = {}
    for name, parameter in declared.items():
        if name not in given and "default" not in parameter:
            raise ApiError("InvalidParameters", f"Parameter {name} is required")
        value = given.get(name, parameter.get("default"))
        if parameter.get("type") != "StringList" and isinstance(value, list):
            value = value[0]
        for item in value if isinstance(value, list) else [value]:
            pattern, allowed = parameter.get("allowedPattern"), parameter.get("allowedValues")
            if pattern and not re.search(pattern, str(item)):
                raise ApiError("InvalidParameters", f"Parameter {name} does not match {pattern}, got {item}")
            if allowed and item not in allowed:
                raise ApiError("InvalidParameters", f"Parameter {name} must be one of {allowed}, got {item}")
        values[name] = value
    return values


def substitute(value: Any, parameters: dict[str, Any]) -> Any:
    if isinstance(value, list):
        found: list[Any] = []
        for item in value:
            replaced = substitute(item, parameters)
            found += replaced if isinstance(replaced, list) and isinstance(item, str) else [replaced]
        return found
    if isinstance(value, dict):
        return {key: substitute(inner, parameters) for key, inner in value.items()}
    if not isinstance(value, str):
        return value
    whole = _PARAMETER.fullmatch(value)
    if whole and whole.group(1) in parameters:
        return parameters[whole.group(1)]
    return _PARAMETER.sub(
        lambda match: str(parameters[match.group(1)]) if match.group(1) in parameters else match.group(0), value
    )
