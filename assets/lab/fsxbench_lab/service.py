"""CloudFormation's API in front of the engine."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any
from urllib.parse import unquote, urlparse

from .aws import ApiError, Emulator, LabError
from .describe import describe, pairs, resources
from .engine import Engine
from .stack import Stack
from .template import parse

# A deploying call returns after this time although the work continues; AWS returns at once, and the command line polls.
_ANSWER_AFTER_SECONDS = 20.0
_NO_CHANGES = "The submitted information didn't contain changes. Submit different information to create a change set."


@dataclass
class ChangeSet:
    """A pending change set."""

    id: str
    name: str
    stack: Stack
    creating: bool
    template_text: str
    parameters: dict[str, str]
    tags: list[dict[str, str]]
    changes: list[dict[str, Any]]
    status: str
    execution_status: str
    reason: str | None
    created_at: datetime
    role: str | None


class ValidationError(ApiError):
    """CloudFormation's error for nearly everything."""

    code = "ValidationError"


class Service:
    """The API's actions. Each gets its parameters through a function and returns a document with the API's own names."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self.engines: dict[tuple[str, str], Engine] = {}
        self.change_sets: dict[str, ChangeSet] = {}
        self.lock = threading.Lock()

    def engine(self, account: str, region: str) -> Engine:
        with self.lock:
            return self.engines.setdefault((account, region), Engine(self.emulator, account, region))

    def _stack(self, engine: Engine, name: str) -> Stack:
        stack = engine.find(name)
        if stack is None:
            raise ValidationError(f"Stack with id {name} does not exist")
        return stack

    def _template(self, engine: Engine, get: Callable[..., Any], stack: Stack | None) -> str:
        if get("TemplateBody"):
            return get("TemplateBody")
        if get("TemplateURL"):
            return self._download(engine, get("TemplateURL"))
        if get("UsePreviousTemplate") and stack is not None:
            return stack.template_text
        raise ValidationError("Either Template URL or Template Body must be specified.")

    def _download(self, engine: Engine, url: str) -> str:
        """The template at a path-style or virtual-hosted S3 URL."""
        parsed = urlparse(url)
        host, path = parsed.hostname or "", unquote(parsed.path.lstrip("/"))
        hosted = ".s3." in host or host.endswith(".localhost")
        bucket, key = (host.split(".", 1)[0], path) if hosted else path.split("/", 1)
        return self.emulator.client("s3", engine.region).get_object(Bucket=bucket, Key=key)["Body"].read().decode()

    @staticmethod
    def _parameters(get: Callable[..., Any], stack: Stack | None) -> dict[str, str]:
        given = {}
        for item in get("Parameters") or []:
            name = item["ParameterKey"]
            if str(item.get("UsePreviousValue", "")).lower() == "true":
                if stack is not None and name in stack.parameters:
                    given[name] = stack.parameters[name]
            else:
                given[name] = item["ParameterValue"]
        return given

    # -- change sets -------------------------------------------------------------------------------------------------

    def create_change_set(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        name, stack_name = get("ChangeSetName"), get("StackName")
        stack = engine.find(stack_name)
        creating = get("ChangeSetType") == "CREATE" or (stack is not None and stack.status == "REVIEW_IN_PROGRESS")
        if get("ChangeSetType") == "CREATE" and stack is not None and stack.status != "REVIEW_IN_PROGRESS":
            raise ValidationError(
                f"Stack [{stack_name}] already exists and cannot be created again with the changeSet [{name}]."
            )
        if stack is None and not creating:
            raise ValidationError(f"Stack [{stack_name}] does not exist")
        text = self._template(engine, get, stack)
        given = self._parameters(get, stack)
        template = self._parsed(text)
        try:
            resolved = engine.resolve_parameters(template, given)
            engine.check_rules(stack, template, resolved)
        except LabError as error:
            raise ValidationError(str(error)) from error
        if stack is None:
            stack = engine.new_stack(stack_name, "REVIEW_IN_PROGRESS")
        tags = get("Tags") or []
        changes = engine.changes(stack, template, resolved)
        same = (
            not creating
            and not changes
            and stack.template.get("Outputs") == template.get("Outputs")
            and tags == stack.tags
        )
        identifier = f"arn:aws:cloudformation:{engine.region}:{engine.account}:changeSet/{name}/{uuid.uuid4()}"
        self.change_sets[identifier] = ChangeSet(
            identifier,
            name,
            stack,
            creating,
            text,
            given,
            tags,
            changes,
            "FAILED" if same else "CREATE_COMPLETE",
            "UNAVAILABLE" if same else "AVAILABLE",
            _NO_CHANGES if same else None,
            datetime.now(timezone.utc),
            get("RoleARN"),
        )
        return {"Id": identifier, "StackId": stack.id}

    def _change_set(self, engine: Engine, get: Callable[..., Any]) -> ChangeSet:
        """By id, or by name within a stack, since the command line uses the same name for all of its change sets."""
        name = get("ChangeSetName")
        if name in self.change_sets:
            return self.change_sets[name]
        stack = engine.find(get("StackName") or "")
        found = [item for item in self.change_sets.values() if item.name == name and item.stack is stack]
        if not found:
            raise ApiError("ChangeSetNotFound", f"ChangeSet [{name}] does not exist")
        return found[-1]

    def describe_change_set(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        item = self._change_set(engine, get)
        return {
            "ChangeSetName": item.name,
            "ChangeSetId": item.id,
            "StackId": item.stack.id,
            "StackName": item.stack.name,
            "CreationTime": item.created_at,
            "ExecutionStatus": item.execution_status,
            "Status": item.status,
            **({"StatusReason": item.reason} if item.reason else {}),
            "Parameters": pairs(item.parameters),
            "Tags": item.tags,
            "Changes": item.changes,
        }

    def delete_change_set(self, engine: Engine, get: Callable[..., Any]) -> None:
        try:
            del self.change_sets[self._change_set(engine, get).id]
        except ApiError:
            # AWS reports success for a missing change set.
            return

    def list_change_sets(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        stack = self._stack(engine, get("StackName"))
        found = [item for item in self.change_sets.values() if item.stack is stack]
        return {
            "Summaries": [{"ChangeSetId": item.id, "ChangeSetName": item.name, "Status": item.status} for item in found]
        }

    def execute_change_set(self, engine: Engine, get: Callable[..., Any]) -> None:
        item = self._change_set(engine, get)
        if item.execution_status != "AVAILABLE":
            raise ApiError("InvalidChangeSetStatus", f"ChangeSet [{item.id}] cannot be executed in its current status")
        item.execution_status = "EXECUTE_COMPLETE"
        item.stack.tags, item.stack.role = item.tags, item.role or item.stack.role
        for other in [other for other in self.change_sets.values() if other.stack is item.stack]:
            del self.change_sets[other.id]
        self._start(
            lambda: engine.deploy(item.stack, item.template_text, item.parameters, creating=item.creating), item.stack
        )

    # -- stacks ------------------------------------------------------------------------------------------------------

    def create_stack(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        name = get("StackName")
        if engine.find(name) is not None:
            raise ApiError("AlreadyExistsException", f"Stack [{name}] already exists")
        text = self._template(engine, get, None)
        self._parsed(text)
        stack = engine.new_stack(name, "CREATE_IN_PROGRESS")
        stack.tags, stack.role = get("Tags") or [], get("RoleARN")
        given = self._parameters(get, None)
        self._start(lambda: engine.deploy(stack, text, given, creating=True), stack)
        return {"StackId": stack.id}

    def update_stack(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        stack = self._stack(engine, get("StackName"))
        stack.role = get("RoleARN") or stack.role
        text = self._template(engine, get, stack)
        given = self._parameters(get, stack)
        resolved = engine.resolve_parameters(self._parsed(text), given)
        engine.check_rules(stack, parse(text), resolved)
        if not engine.changes(stack, parse(text), resolved) and stack.template.get("Outputs") == parse(text).get(
            "Outputs"
        ):
            raise ValidationError("No updates are to be performed.")
        self._start(lambda: engine.deploy(stack, text, given, creating=False), stack)
        return {"StackId": stack.id}

    def delete_stack(self, engine: Engine, get: Callable[..., Any]) -> None:
        stack = engine.find(get("StackName"))
        if stack is None or stack.status == "DELETE_COMPLETE":
            return
        if stack.termination_protection:
            raise ValidationError(f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled")
        stack.role = get("RoleARN") or stack.role
        self._start(lambda: engine.delete(stack), stack)

    def describe_stacks(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        name = get("StackName")
        living = [stack for stack in list(engine.stacks.values()) if stack.status != "DELETE_COMPLETE"]
        return {"Stacks": [describe(stack) for stack in ([self._stack(engine, name)] if name else living)]}

    def list_stacks(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        wanted = get("StackStatusFilter") or []
        found = [stack for stack in list(engine.stacks.values()) if not wanted or stack.status in wanted]
        keys = ("StackId", "StackName", "CreationTime", "LastUpdatedTime", "StackStatus", "StackStatusReason")
        described = [describe(stack) for stack in found]
        return {"StackSummaries": [{key: item[key] for key in keys if key in item} for item in described]}

    def describe_stack_events(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        return {"StackEvents": self._stack(engine, get("StackName")).events[::-1]}

    def describe_stack_resources(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        stack = self._stack(engine, get("StackName"))
        wanted = get("LogicalResourceId")
        return {"StackResources": [item for item in resources(stack) if wanted in (None, item["LogicalResourceId"])]}

    def describe_stack_resource(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        found = self.describe_stack_resources(engine, get)["StackResources"]
        if not found:
            raise ValidationError(f"Resource {get('LogicalResourceId')} does not exist for stack {get('StackName')}")
        return {"StackResourceDetail": {**found[0], "LastUpdatedTimestamp": found[0]["Timestamp"]}}

    def list_stack_resources(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        stack = self._stack(engine, get("StackName"))
        return {
            "StackResourceSummaries": [{**item, "LastUpdatedTimestamp": item["Timestamp"]} for item in resources(stack)]
        }

    def signal_resource(self, engine: Engine, get: Callable[..., Any]) -> None:
        stack, name = self._stack(engine, get("StackName")), get("LogicalResourceId")
        if not stack.status.endswith("_IN_PROGRESS"):
            raise ValidationError(f"Stack {stack.id} is in {stack.status} state and can not be signaled")
        stack.signals.setdefault(name, []).append((get("Status"), get("UniqueId")))

    def get_template(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        return {
            "TemplateBody": self._stack(engine, get("StackName")).template_text,
            "StagesAvailable": ["Original", "Processed"],
        }

    def get_template_summary(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        stack = engine.find(get("StackName")) if get("StackName") else None
        template = self._parsed(stack.template_text if stack else self._template(engine, get, None))
        parameters = [
            {
                "ParameterKey": name,
                "ParameterType": item["Type"],
                **({"DefaultValue": item["Default"]} if "Default" in item else {}),
            }
            for name, item in template.get("Parameters", {}).items()
        ]
        return {
            "Parameters": parameters,
            "ResourceTypes": sorted({item["Type"] for item in template["Resources"].values()}),
        }

    def list_exports(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        found = engine.exports().items()
        return {
            "Exports": [{"ExportingStackId": owner, "Name": name, "Value": value} for name, (owner, value) in found]
        }

    def list_imports(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        return {"Imports": engine.importers(get("ExportName"))}

    def update_termination_protection(self, engine: Engine, get: Callable[..., Any]) -> dict[str, Any]:
        stack = self._stack(engine, get("StackName"))
        stack.termination_protection = str(get("EnableTerminationProtection")).lower() == "true"
        return {"StackId": stack.id}

    # -- helpers -----------------------------------------------------------------------------------------------------

    @staticmethod
    def _parsed(text: str) -> dict[str, Any]:
        template = parse(text)
        if not isinstance(template, dict) or not template.get("Resources"):
            raise ValidationError("Template format error: At least one Resources member must be defined.")
        return template

    @staticmethod
    def _start(work: Callable[[], None], stack: Stack) -> None:
        thread = threading.Thread(target=work, name=f"deploy {stack.name}", daemon=True)
        thread.start()
        thread.join(_ANSWER_AFTER_SECONDS)
