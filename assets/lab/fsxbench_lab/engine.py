"""Deploys templates: creates, updates and deletes resources in dependency order, and rolls back failures."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from . import limits
from .aws import Emulator, LabError
from .kinds import Context, Kind, kind_of
from .stack import Resource, Stack
from .template import NO_VALUE, Resolver, creation_order, parse, references

log = logging.getLogger(__name__)
# Deletion is retried as long as it makes progress, and a little longer, since instances take a moment.
_DELETE_ROUNDS = 5


def _outlives_stack(resource: Resource) -> bool:
    return resource.definition.get("DeletionPolicy") in ("Retain", "RetainExceptOnCreate")


def _outlives_rollback(resource: Resource) -> bool:
    # RetainExceptOnCreate deletes resources of the failed deployment; Retain keeps them (CloudFormation docs, DeletionPolicy).
    return resource.definition.get("DeletionPolicy") == "Retain"


@dataclass
class _Journal:
    """Changes made by one deployment, so that they can be rolled back or cleaned up."""

    replaced: list[tuple[Resource, Resource]] = field(default_factory=list)


class Engine:
    """The stacks of one account and Region."""

    def __init__(self, emulator: Emulator, account: str, region: str) -> None:
        self.emulator, self.account, self.region = emulator, account, region
        self.stacks: dict[str, Stack] = {}

    def new_stack(self, name: str, status: str) -> Stack:
        stack_id = f"arn:aws:cloudformation:{self.region}:{self.account}:stack/{name}/{uuid.uuid4()}"
        stack = Stack(stack_id, name, status, datetime.now(timezone.utc))
        self.stacks[stack_id] = stack
        return stack

    def find(self, name_or_id: str) -> Stack | None:
        """A stack by id, including deleted ones, or an existing one by name."""
        if name_or_id in self.stacks:
            return self.stacks[name_or_id]
        living = (stack for stack in list(self.stacks.values()) if stack.status != "DELETE_COMPLETE")
        return next((stack for stack in living if stack.name == name_or_id), None)

    def exports(self) -> dict[str, tuple[str, Any]]:
        """Maps export names to the exporting stack's id and the value."""
        return {
            output["ExportName"]: (stack.id, output["OutputValue"])
            for stack in list(self.stacks.values())
            if stack.status != "DELETE_COMPLETE"
            for output in stack.outputs
            if output.get("ExportName")
        }

    def importers(self, export: str) -> list[str]:
        """Names of the stacks that import `export`."""
        found = []
        for stack in list(self.stacks.values()):
            if stack.status != "DELETE_COMPLETE" and export in self._imports(stack, stack.template):
                found.append(stack.name)
        return found

    def resolve_parameters(self, template: dict[str, Any], given: dict[str, str]) -> dict[str, Any]:
        """The value of each template parameter; those of SSM types are looked up."""
        resolved: dict[str, Any] = {}
        for name, declared in template.get("Parameters", {}).items():
            value = given.get(name, declared.get("Default"))
            if value is None:
                raise LabError(f"Parameters: [{name}] must have values")
            value = str(value)
            allowed = declared.get("AllowedValues")
            if allowed and value not in map(str, allowed):
                raise LabError(f"Parameter '{name}' must be one of AllowedValues")
            kind = declared["Type"]
            if kind.startswith("AWS::SSM::Parameter::Value"):
                value = self._ssm(value)
            if "List" in kind:
                value = [item.strip() for item in value.split(",")]
            resolved[name] = value
        return resolved

    def check_rules(self, stack: Stack | None, template: dict[str, Any], parameters: dict[str, Any]) -> None:
        """Refuse parameters that an assertion of the template's rules forbids, before anything changes."""
        self._resolver(stack or Stack("", "", "", datetime.now(timezone.utc)), template, parameters).check_rules()

    def changes(self, stack: Stack, template: dict[str, Any], parameters: dict[str, Any]) -> list[dict[str, Any]]:
        """The changes of a change set, compared before anything is resolved."""
        old, new = stack.template["Resources"], template["Resources"]
        touched = {name for name, value in parameters.items() if stack.resolved_parameters.get(name) != value}
        found = [("Add", name, new[name]["Type"]) for name in new if name not in stack.resources]
        for name in new:
            if name in stack.resources and (old.get(name) != new[name] or touched & set(references(new[name]))):
                found.append(("Modify", name, new[name]["Type"]))
        found += [("Remove", name, resource.type) for name, resource in stack.resources.items() if name not in new]
        return [
            {"Type": "Resource", "ResourceChange": {"Action": action, "LogicalResourceId": name, "ResourceType": kind}}
            for action, name, kind in found
        ]

    def deploy(self, stack: Stack, template_text: str, given: dict[str, str], *, creating: bool) -> None:
        """Deploy the template; roll back on failure. Never raises: the outcome is the stack's status."""
        verb = "CREATE" if creating else "UPDATE"
        before = replace(stack)
        stack.change(f"{verb}_IN_PROGRESS", "User Initiated")
        journal = _Journal()
        try:
            template = parse(template_text)
            limits.check(template)
            self._check_types(stack, template)
            parameters = self.resolve_parameters(template, given)
            self._apply(stack, template, parameters, journal)
        except Exception as error:  # noqa: BLE001 - any error of a resource's API goes into the stack's status
            reason = _reason(error)
            log.warning("%s: %s", stack.name, reason)
            self._roll_back(stack, before, journal, reason, creating)
            return
        stack.template_text, stack.resolved_parameters = template_text, parameters
        # With defaults, which a later update also keeps (CloudFormation API, Parameter, UsePreviousValue).
        declared = template.get("Parameters", {})
        stack.parameters = {name: given.get(name, str(item.get("Default"))) for name, item in declared.items()}
        stack.updated_at = None if creating else datetime.now(timezone.utc)
        if not creating:
            stack.change("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
        self._remove(stack, [old for old, _ in journal.replaced])
        gone = [
            resource
            for name, resource in stack.resources.items()
            if not self._wanted(stack, template, parameters, name)
        ]
        failed = self._remove(stack, gone)
        for resource in gone:
            stack.resources.pop(resource.logical_id, None)
        stack.change(f"{verb}_COMPLETE", "; ".join(failed) or None)

    def delete(self, stack: Stack) -> None:
        """Delete everything except retained resources. Never raises."""
        used = [
            f"{name} is used by {', '.join(by)}" for name in self._export_names(stack) if (by := self.importers(name))
        ]
        if used:
            stack.change("DELETE_FAILED", f"Cannot delete export {'; '.join(used)}")
            return
        stack.change("DELETE_IN_PROGRESS", "User Initiated")
        failed = self._remove(stack, list(stack.resources.values()))
        if failed:
            stack.change("DELETE_FAILED", f"The following resource(s) failed to delete: {'; '.join(failed)}")
            return
        stack.outputs = []
        stack.change("DELETE_COMPLETE")

    # -- within a deployment ---------------------------------------------------------------------------------------

    def _check_types(self, stack: Stack, template: dict[str, Any]) -> None:
        """Reject unknown types before anything is created, each with an event that names it."""
        unknown = []
        for name, definition in template["Resources"].items():
            try:
                kind_of(definition["Type"])
            except LabError as error:
                stack.tell(name, definition["Type"], "", "CREATE_FAILED", str(error))
                unknown.append(str(error))
        if unknown:
            raise LabError("; ".join(unknown))

    def _apply(self, stack: Stack, template: dict[str, Any], parameters: dict[str, Any], journal: _Journal) -> None:
        resolver = self._resolver(stack, template, parameters)
        resolver.check_rules()
        for name in creation_order(template["Resources"]):
            definition = template["Resources"][name]
            if "Condition" in definition and not resolver.condition(definition["Condition"]):
                continue
            try:
                self._bring(stack, name, definition, resolver, journal)
            except Exception as error:
                failed = "UPDATE_FAILED" if name in stack.resources else "CREATE_FAILED"
                physical = stack.resources[name].made.physical_id if name in stack.resources else ""
                stack.tell(name, definition["Type"], physical, failed, _reason(error))
                raise LabError(f"{name}: {_reason(error)}") from error
        stack.outputs = self._outputs(stack, template, resolver)

    def _bring(
        self, stack: Stack, name: str, definition: dict[str, Any], resolver: Resolver, journal: _Journal
    ) -> None:
        """Create, update, replace or keep one resource."""
        kind = kind_of(definition["Type"])
        properties = resolver.resolve(definition.get("Properties", {}))
        existing = stack.resources.get(name)
        context = self._context(stack, name, definition["Type"])
        if existing is not None and existing.type != definition["Type"]:
            raise LabError("Update of resource type is not permitted. The new template modifies resource type.")
        if existing is not None and existing.properties == properties:
            existing.definition = definition
            return
        if existing is None:
            stack.tell(name, definition["Type"], "", "CREATE_IN_PROGRESS")
            made = kind.create(context, properties)
            status = "CREATE_COMPLETE"
        else:
            stack.tell(name, existing.type, existing.made.physical_id, "UPDATE_IN_PROGRESS")
            changed = kind.update(context, existing.made, existing.properties, properties)
            made = changed or kind.create(context, properties)
            status = "UPDATE_COMPLETE"
        resource = Resource(name, definition["Type"], definition, properties, made, status)
        if existing is not None and made is not existing.made and made.physical_id != existing.made.physical_id:
            journal.replaced.append((existing, resource))
        stack.resources[name] = resource
        stack.tell(name, resource.type, made.physical_id, status)

    def _roll_back(self, stack: Stack, before: Stack, journal: _Journal, reason: str, creating: bool) -> None:
        if creating:
            stack.change("ROLLBACK_IN_PROGRESS", reason)
            failed = self._remove(stack, list(stack.resources.values()), keep=_outlives_rollback)
            stack.outputs = []
            stack.change("ROLLBACK_FAILED" if failed else "ROLLBACK_COMPLETE", "; ".join(failed) or None)
            return
        stack.change("UPDATE_ROLLBACK_IN_PROGRESS", reason)
        for old, new in journal.replaced:
            stack.resources[old.logical_id] = old
        try:
            template, undone = before.template, _Journal()
            self._apply(stack, template, before.resolved_parameters, undone)
        except Exception as error:  # noqa: BLE001
            stack.change("UPDATE_ROLLBACK_FAILED", _reason(error))
            return
        gone = [resource for name, resource in stack.resources.items() if name not in template["Resources"]]
        unwanted = [new for _, new in journal.replaced] + [old for old, _ in undone.replaced]
        failed = self._remove(stack, unwanted + gone, keep=_outlives_rollback)
        for resource in gone:
            stack.resources.pop(resource.logical_id, None)
        stack.change("UPDATE_ROLLBACK_COMPLETE", "; ".join(failed) or None)

    def _remove(
        self, stack: Stack, resources: list[Resource], *, keep: Callable[[Resource], bool] = _outlives_stack
    ) -> list[str]:
        """Delete resources, dependents first. Returns those that could not be deleted, with reasons."""
        definitions = {resource.logical_id: resource.definition for resource in resources}
        rank = {name: index for index, name in enumerate(creation_order(definitions))}
        waiting = sorted(resources, key=lambda resource: -rank[resource.logical_id])
        reasons: dict[int, str] = {}
        for attempt in range(_DELETE_ROUNDS):
            left: list[Resource] = []
            needed: set[str] = set()
            for resource in waiting:
                if resource.logical_id in needed:
                    reasons.setdefault(id(resource), "it is used by a resource that could not be deleted")
                    left.append(resource)
                    needed |= set(references(resource.definition))
                    continue
                kept = keep(resource)
                context = self._context(stack, resource.logical_id, resource.type)
                arguments = (resource.logical_id, resource.type, resource.made.physical_id)
                try:
                    if not kept:
                        kind: Kind = kind_of(resource.type)
                        kind.delete(context, resource.made, resource.properties)
                except Exception as error:  # noqa: BLE001
                    reasons[id(resource)] = _reason(error)
                    left.append(resource)
                    needed |= set(references(resource.definition))
                    continue
                stack.tell(*arguments, "DELETE_SKIPPED" if kept else "DELETE_COMPLETE")
                if stack.resources.get(resource.logical_id) is resource:
                    del stack.resources[resource.logical_id]
            waiting = left
            if not waiting:
                return []
            time.sleep(0.2 * attempt)
        for resource in waiting:
            stack.tell(
                resource.logical_id, resource.type, resource.made.physical_id, "DELETE_FAILED", reasons[id(resource)]
            )
        return [f"{resource.logical_id} ({resource.type}): {reasons[id(resource)]}" for resource in waiting]

    # -- resolving ---------------------------------------------------------------------------------------------------

    def _resolver(self, stack: Stack, template: dict[str, Any], parameters: dict[str, Any]) -> Resolver:
        def resource(name: str) -> Resource:
            if name not in stack.resources:
                raise LabError(f"Template format error: Unresolved resource dependencies [{name}] in the template")
            return stack.resources[name]

        def imported(name: str) -> str:
            exports = self.exports()
            if name not in exports:
                raise LabError(f"No export named {name} found.")
            return exports[name][1]

        pseudo = {
            "AWS::AccountId": self.account,
            "AWS::Region": self.region,
            "AWS::StackId": stack.id,
            "AWS::StackName": stack.name,
            "AWS::URLSuffix": "amazonaws.com",
            "AWS::Partition": "aws",
            "AWS::NotificationARNs": [],
            "AWS::NoValue": NO_VALUE,
        }
        return Resolver(
            template,
            parameters,
            pseudo,
            ref=lambda name: resource(name).made.physical_id,
            attribute=lambda name, attribute: resource(name).made.attribute(attribute),
            imports=imported,
            ssm=self._ssm,
            zones=self._zones,
        )

    def _wanted(self, stack: Stack, template: dict[str, Any], parameters: dict[str, Any], name: str) -> bool:
        definition = template["Resources"].get(name)
        if definition is None:
            return False
        return "Condition" not in definition or self._resolver(stack, template, parameters).condition(
            definition["Condition"]
        )

    def _outputs(self, stack: Stack, template: dict[str, Any], resolver: Resolver) -> list[dict[str, Any]]:
        outputs = []
        for key, declared in template.get("Outputs", {}).items():
            if "Condition" in declared and not resolver.condition(declared["Condition"]):
                continue
            output = {"OutputKey": key, "OutputValue": resolver.resolve(declared["Value"])}
            if "Description" in declared:
                output["Description"] = declared["Description"]
            if "Export" in declared:
                output["ExportName"] = resolver.resolve(declared["Export"]["Name"])
                owner = self.exports().get(output["ExportName"])
                if owner and owner[0] != stack.id:
                    raise LabError(f"Export with name {output['ExportName']} is already exported by stack {owner[0]}")
            outputs.append(output)
        return outputs

    def _imports(self, stack: Stack, value: Any) -> set[str]:
        """Names that a template imports; computed names are resolved if possible."""
        if isinstance(value, list):
            return {name for item in value for name in self._imports(stack, item)}
        if not isinstance(value, dict):
            return set()
        found: set[str] = set()
        for key, inner in value.items():
            if key == "Fn::ImportValue":
                found.add(
                    inner
                    if isinstance(inner, str)
                    else str(self._resolver(stack, stack.template, stack.resolved_parameters).resolve(inner))
                )
            else:
                found |= self._imports(stack, inner)
        return found

    def _export_names(self, stack: Stack) -> list[str]:
        return [output["ExportName"] for output in stack.outputs if output.get("ExportName")]

    def _ssm(self, name: str) -> str:
        return self.emulator.client("ssm", self.region).get_parameter(Name=name, WithDecryption=True)["Parameter"][
            "Value"
        ]

    def _zones(self, region: str) -> list[str]:
        zones = self.emulator.client("ec2", region).describe_availability_zones()["AvailabilityZones"]
        return sorted(zone["ZoneName"] for zone in zones)

    def _context(self, stack: Stack, name: str, resource_type: str) -> Context:
        return Context(
            self.emulator,
            self.region,
            self.account,
            stack.name,
            stack.id,
            name,
            resource_type,
            lambda: list(stack.signals.get(name, [])),
            stack.role,
        )


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, LabError) else f"{type(error).__name__}: {error}"
