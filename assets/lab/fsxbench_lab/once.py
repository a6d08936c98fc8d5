"""What botocore and moto read anew for each session, service or partition is read once: a good part of what a start and first requests take."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import botocore.session
import moto.core.utils
from moto.iam.models import IAMBackend

_managed_policies = IAMBackend._init_aws_policies


def _policies_of_own_partition(self: IAMBackend) -> list[Any]:
    # moto looks for an access key in all partitions, and would make 1,500 policies for each.
    return _managed_policies(self) if self.region_name == "aws" else []


def _leave_out_openapi() -> None:
    # moto checks what is imported into API Gateway, which nothing here has, by a package that takes a seventh of a start.
    for name, member in (("openapi_spec_validator", "validate"), ("openapi_spec_validator.validation.exceptions", "OpenAPIValidationError")):
        sys.modules[name] = ModuleType(name)
        setattr(sys.modules[name], member, ValueError)


def install() -> None:
    """Give all sessions and services one loader, which keeps what it has read. moto makes sessions while it is imported: this comes before the rest of it."""
    loader = moto.core.utils.create_loader()
    moto.core.utils.create_loader = lambda: loader
    botocore.session.create_loader = lambda *_: loader
    IAMBackend._init_aws_policies = _policies_of_own_partition
    _leave_out_openapi()
