"""What moto has not implemented is answered as an error of the client's kind, by name.

moto answers 500, which every SDK tries again and again before it gives up.
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
    """Change moto's dispatch."""
    BaseResponse.call_action = _call_action
