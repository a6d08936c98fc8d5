"""The engine's record of a stack."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from .kinds import Made
from .template import parse

_TYPE = "AWS::CloudFormation::Stack"


@dataclass
class Resource:
    """A resource created by a stack."""

    logical_id: str
    type: str
    definition: dict[str, Any]
    properties: dict[str, Any]
    made: Made
    status: str = "CREATE_COMPLETE"
    changed_at: datetime = field(default_factory=lambda: datetime.now(timezone.utc))


@dataclass
class Stack:
    """A stack as CloudFormation's API reports it."""

    id: str
    name: str
    status: str
    created_at: datetime
    template_text: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    resolved_parameters: dict[str, Any] = field(default_factory=dict)
    tags: list[dict[str, str]] = field(default_factory=list)
    capabilities: list[str] = field(default_factory=list)
    role: str | None = None
    status_reason: str | None = None
    updated_at: datetime | None = None
    termination_protection: bool = False
    resources: dict[str, Resource] = field(default_factory=dict)
    outputs: list[dict[str, Any]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    signals: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    @property
    def template(self) -> dict[str, Any]:
        return parse(self.template_text) if self.template_text else {"Resources": {}}

    def change(self, status: str, reason: str | None = None) -> None:
        """Set the stack's own status, with an event."""
        self.status, self.status_reason = status, reason
        self.tell(self.name, _TYPE, self.id, status, reason)

    def tell(
        self, logical_id: str, resource_type: str, physical_id: str, status: str, reason: str | None = None
    ) -> None:
        """Add an event."""
        event = {
            "StackId": self.id,
            "EventId": f"{logical_id}-{status}-{secrets.token_hex(8)}",
            "StackName": self.name,
            "LogicalResourceId": logical_id,
            "PhysicalResourceId": physical_id,
            "ResourceType": resource_type,
            "Timestamp": datetime.now(timezone.utc),
            "ResourceStatus": status,
        }
        self.events.append({**event, "ResourceStatusReason": reason} if reason else event)
