"""The supported resource types, each created, updated and deleted through the emulator's own API."""

from . import (  # noqa: F401
    autoscaling,
    compute,
    ebs,
    efs,
    functions,
    iam,
    lustre,
    messaging,
    monitoring,
    network,
    storage,
    systems,
    waiting,
)
from .base import Context, Kind, Made, kind_of, registry

__all__ = ["Context", "Kind", "Made", "kind_of", "registry"]
