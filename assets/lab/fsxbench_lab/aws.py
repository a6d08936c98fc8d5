"""Clients for the emulator itself: resources of a template are created through the same API that users call."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from moto.core.exceptions import ServiceException

# moto's default account; every access key belongs to it unless a role was assumed.
ACCOUNT = "123456789012"


class LabError(Exception):
    """Something that the lab refuses, with a message for the user who deploys."""


class ApiError(ServiceException):
    """An error response of the emulator: code and message. (moto has no model for errors of its own base class.)"""


@dataclass(frozen=True)
class Emulator:
    """The address of the emulator, and an access key that it answers to."""

    endpoint: str
    access_key: str
    session_token: str | None = None

    @functools.cache
    def assuming(self, role: str | None, region: str) -> Emulator:
        """The emulator with the permissions of a role; without one, with those of the root user."""
        if role is None:
            return self
        key = self.client("sts", region).assume_role(RoleArn=role, RoleSessionName="AWSCloudFormation")["Credentials"]
        return Emulator(self.endpoint, key["AccessKeyId"], key["SessionToken"])

    @functools.cache  # one emulator a process: nothing is kept too long
    def client(self, service: str, region: str, validates: bool = True) -> Any:
        """A boto3 client for the emulator. No retries: an error here is a result, not a network glitch."""
        return boto3.client(
            service,
            region_name=region,
            endpoint_url=self.endpoint,
            aws_access_key_id=self.access_key,
            aws_secret_access_key="lab",
            aws_session_token=self.session_token,
            config=Config(
                # Signed addresses name the key as the door expects it.
                signature_version="s3v4" if service == "s3" else None,
                parameter_validation=validates,
                retries={"max_attempts": 1, "mode": "standard"},
                read_timeout=120,
                s3={"addressing_style": "path"},
            ),
        )


def coerce(value: Any, shape: Any) -> Any:
    """Coerce a template's scalars to the API's types: templates may write numbers and booleans as strings, and vice versa.

Unknown members are kept, so that botocore rejects them by name.
    """
    kind = shape.type_name
    if kind == "structure" and isinstance(value, dict):
        return {
            key: coerce(inner, shape.members[key]) if key in shape.members else inner for key, inner in value.items()
        }
    if kind == "list" and isinstance(value, list):
        return [coerce(inner, shape.member) for inner in value]
    if kind == "map" and isinstance(value, dict):
        return {key: coerce(inner, shape.value) for key, inner in value.items()}
    if kind in ("integer", "long") and isinstance(value, (str, float)) and not isinstance(value, bool):
        return int(value)
    if kind in ("float", "double") and isinstance(value, (str, int)) and not isinstance(value, bool):
        return float(value)
    if kind == "boolean" and isinstance(value, str):
        return value.lower() == "true"
    if kind == "string" and isinstance(value, bool):
        return "true" if value else "false"
    if kind == "string" and isinstance(value, (int, float)):
        return str(value)
    return value


def call(client: Any, method: str, request: dict[str, Any]) -> dict[str, Any]:
    """Call `method` with the request's scalars coerced to its input shape."""
    operation = client.meta.method_to_api_mapping[method]
    shape = client.meta.service_model.operation_model(operation).input_shape
    return getattr(client, method)(**(coerce(request, shape) if shape is not None else request))
