"""Identity policies: the lab's own key is the root user's, and IAM decides what users and assumed roles may call.

moto's check knows neither resources of most services nor conditions, so a statement counts if its action does, and its resource where moto tells
the request's. Conditions of Allow statements count as met; Deny statements that have some are left out.
"""

from __future__ import annotations

import functools
import re
from typing import Any
from urllib.parse import unquote

from moto.core.authorization import ActionAuthenticatorMixin
from moto.iam.access_control import IAMPolicy, create_access_key
from moto.s3 import responses as s3
from moto.s3.exceptions import S3ClientError
from moto.utilities.utils import get_partition

from . import door
from .aws import ApiError

# Services that IAM names otherwise than the scope of a signature.
_PREFIXES = {"monitoring": "cloudwatch"}
# Operations that IAM names otherwise (Budgets, Lambda, S3 in the Service Authorization Reference).
_ACTIONS = {
    "budgets:CreateBudget": "budgets:ModifyBudget",
    "budgets:DeleteBudget": "budgets:ModifyBudget",
    "lambda:Invoke": "lambda:InvokeFunction",
    "s3:ListBuckets": "s3:ListAllMyBuckets",
}
# Parts of a bucket that moto takes for the bucket itself, by query parameter.
_PARAMETERS = {"encryption": "EncryptionConfiguration", "ownershipControls": "BucketOwnershipControls", "publicAccessBlock": "BucketPublicAccessBlock"}

_SCOPE = re.compile(r"Credential=([^/,\s]+)/\d+/([^/]+)/([^/]+)/")


@functools.lru_cache(maxsize=4096)
def _pattern(text: str) -> re.Pattern[str]:
    """`*` and `?` as IAM has them; case counts in resources only."""
    return re.compile("".join({"*": ".*", "?": "."}.get(one, re.escape(one)) for one in text))


def _any_matches(patterns: Any, value: str) -> bool:
    return any(_pattern(one).fullmatch(value) for one in ([patterns] if isinstance(patterns, str) else patterns))


def _applies(statement: dict[str, Any], action: str, resource: str | None) -> bool:
    if "NotAction" in statement:
        acts = not _any_matches(_lower(statement["NotAction"]), action.lower())
    else:
        acts = _any_matches(_lower(statement["Action"]), action.lower())
    return acts and (resource is None or "Resource" not in statement or _any_matches(statement["Resource"], resource))


def _lower(actions: Any) -> list[str]:
    return [one.lower() for one in ([actions] if isinstance(actions, str) else actions)]


def allows(documents: list[dict[str, Any]], action: str, resource: str | None) -> bool:
    """IAM's decision: what nothing allows is denied, and a denial wins."""
    statements = [
        statement
        for document in documents
        for statement in (document["Statement"] if isinstance(document["Statement"], list) else [document["Statement"]])
        if _applies(statement, action, resource)
    ]
    denied = any(one["Effect"] == "Deny" and "Condition" not in one for one in statements)
    return not denied and any(one["Effect"] == "Allow" for one in statements)


def _check(response: Any, request_class: type, resource: str = "*") -> None:
    scope = _SCOPE.search(unquote(f"{response.headers.get('Authorization', '')} {response.uri}"))
    if scope is None:
        raise ApiError("AccessDenied", "the signature names no service")
    access_key, region, service = scope.groups()
    if access_key == door.secret():
        return
    action = f"{_PREFIXES.get(service, service)}:{response._get_action()}"
    action = _ACTIONS.get(action, action)
    if action == "sts:GetCallerIdentity":
        return
    key = create_access_key(response.current_account, get_partition(region), access_key, response.headers)
    documents = [IAMPolicy(policy)._policy_json for policy in key.collect_policies()]
    known = None if resource == "*" or resource.endswith(":::*") else resource
    if action == "sts:AssumeRole":
        known = response._get_param("RoleArn")
    if allows(documents, action, known):
        return
    message = f"User: {key.arn} is not authorized to perform: {action}" + ("" if known is None else f" on resource: {known}")
    if service == "s3":
        raise _DeniedByS3("AccessDenied", message)
    raise ApiError("UnauthorizedOperation" if service == "ec2" else "AccessDenied", message)


class _DeniedByS3(S3ClientError):
    code = 403


def install() -> None:
    """Patch moto's check, which is off by default, and which no policy with a resource passes."""
    ActionAuthenticatorMixin._authenticate_and_authorize_action = _check
    for method, verb in (("GET", "Get"), ("PUT", "Put")):
        for name, action in _PARAMETERS.items():
            s3.ACTION_MAP["BUCKET"][method][name] = f"{verb}{action}"
