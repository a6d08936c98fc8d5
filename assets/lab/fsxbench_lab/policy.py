"""Bucket policies: moto denies a request for every statement with a Condition.

`enforceSSL` would then deny every request, since the lab has no TLS. So only statements without Condition are enforced.
"""

from __future__ import annotations

import json
from typing import Any

from moto.iam.access_control import IAMPolicy, PermissionResult
from moto.s3.models import FakeBucket


def _get_permission(bucket: FakeBucket, action: str, resource: str) -> Any:
    if bucket.policy is None:
        return PermissionResult.NEUTRAL
    document = json.loads(bucket.policy.decode())
    statements = document["Statement"] if isinstance(document["Statement"], list) else [document["Statement"]]
    unconditional = [statement for statement in statements if "Condition" not in statement]
    return IAMPolicy(json.dumps({**document, "Statement": unconditional})).is_action_permitted(action, resource)


def install() -> None:
    """Patch moto's bucket."""
    FakeBucket.get_permission = _get_permission
