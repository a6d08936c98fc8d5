"""A stack with the names of CloudFormation's API."""

from __future__ import annotations

import json
from typing import Any

from .stack import Stack


def pairs(parameters: dict[str, Any]) -> list[dict[str, str]]:
    return [{"ParameterKey": key, "ParameterValue": plain(value)} for key, value in parameters.items()]


def plain(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, list) else json.dumps(value)


def describe(stack: Stack) -> dict[str, Any]:
    described: dict[str, Any] = {
        "StackId": stack.id,
        "StackName": stack.name,
        "CreationTime": stack.created_at,
        "StackStatus": stack.status,
        "DisableRollback": False,
        "NotificationARNs": [],
        "Capabilities": stack.capabilities,
        "Tags": stack.tags,
        "EnableTerminationProtection": stack.termination_protection,
        "Outputs": [{**output, "OutputValue": plain(output["OutputValue"])} for output in stack.outputs],
        "Parameters": [
            {
                "ParameterKey": key,
                "ParameterValue": plain(stack.parameters.get(key, stack.template["Parameters"][key].get("Default"))),
                "ResolvedValue": plain(value),
            }
            for key, value in list(stack.resolved_parameters.items())
        ],
    }
    if stack.updated_at:
        described["LastUpdatedTime"] = stack.updated_at
    if stack.status_reason:
        described["StackStatusReason"] = stack.status_reason
    if "Description" in stack.template:
        described["Description"] = stack.template["Description"]
    return described


def resources(stack: Stack) -> list[dict[str, Any]]:
    return [
        {
            "StackName": stack.name,
            "StackId": stack.id,
            "LogicalResourceId": resource.logical_id,
            "PhysicalResourceId": resource.made.physical_id,
            "ResourceType": resource.type,
            "Timestamp": resource.changed_at,
            "ResourceStatus": resource.status,
            "DriftInformation": {"StackResourceDriftStatus": "NOT_CHECKED"},
        }
        for resource in list(stack.resources.values())
    ]
