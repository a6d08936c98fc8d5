"""Reports actions that moto has not implemented as client errors, by name.

moto returns 500, which every SDK retries before it gives up.
"""

from __future__ import annotations

from typing import Any

from moto.core.responses import ActionResult, BaseResponse

from .aws import ApiError

_original = BaseResponse.call_action


def _call_action(response: BaseResponse) -> Any:
    try:
        return _original(response)
    except NotImplementedError as error:
        message = f"fsxbench lab: {response.service_name} {response._get_action()} is not supported ({error})"
        status, headers, body = response.serialized(ActionResult(ApiError("UnsupportedOperation", message)))
        return status, {**headers, "status": status}, body


def install() -> None:
    """Patch moto's dispatch."""
    BaseResponse.call_action = _call_action
