"""Reports actions that moto has not implemented, and those that IAM denies, as client errors, by name.

moto returns 500 for the former, which every SDK retries before it gives up, and XML for the latter, which services with JSON do not speak.
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
        refused = ApiError("UnsupportedOperation", message)
    except ApiError as error:
        refused = error
    status, headers, body = response.serialized(ActionResult(refused))
    return status, {**headers, "status": status}, body


def install() -> None:
    """Patch moto's dispatch."""
    BaseResponse.call_action = _call_action
