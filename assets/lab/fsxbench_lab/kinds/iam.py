"""IAM: roles, their policies, instance profiles."""

from __future__ import annotations

import json
from typing import Any

from ..aws import call
from .base import Context, Made, Properties, Replaced, known_as, refuse_unknown, without

_TARGETS = {"Roles": ("role", "RoleName"), "Users": ("user", "UserName"), "Groups": ("group", "GroupName")}


@known_as("AWS::IAM::Role")
class Role:
    """A role with its managed and inline policies."""

    def create(self, context: Context, properties: Properties) -> Made:
        known = {"RoleName", "AssumeRolePolicyDocument", "ManagedPolicyArns", "Policies", "Path", "Description"}
        refuse_unknown(context, properties, {*known, "MaxSessionDuration", "PermissionsBoundary", "Tags"})
        request = without(properties, "ManagedPolicyArns", "Policies")
        request["RoleName"] = properties.get("RoleName") or context.name(64)
        request["AssumeRolePolicyDocument"] = json.dumps(properties["AssumeRolePolicyDocument"])
        role = call(context.client("iam"), "create_role", request)["Role"]
        self._policies(context, role["RoleName"], {}, properties)
        return Made(role["RoleName"], {"Arn": role["Arn"], "RoleId": role["RoleId"]})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        changing = ("ManagedPolicyArns", "Policies", "AssumeRolePolicyDocument")
        if without(old, *changing) != without(new, *changing):
            return None
        document = json.dumps(new["AssumeRolePolicyDocument"])
        context.client("iam").update_assume_role_policy(RoleName=made.physical_id, PolicyDocument=document)
        self._policies(context, made.physical_id, old, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        self._policies(context, made.physical_id, properties, {})
        context.client("iam").delete_role(RoleName=made.physical_id)

    def _policies(self, context: Context, role: str, old: Properties, new: Properties) -> None:
        client = context.client("iam")
        before, after = set(old.get("ManagedPolicyArns", [])), set(new.get("ManagedPolicyArns", []))
        for arn in before - after:
            client.detach_role_policy(RoleName=role, PolicyArn=arn)
        for arn in after - before:
            client.attach_role_policy(RoleName=role, PolicyArn=arn)
        inline = {policy["PolicyName"]: policy for policy in new.get("Policies", [])}
        for policy in old.get("Policies", []):
            if policy["PolicyName"] not in inline:
                client.delete_role_policy(RoleName=role, PolicyName=policy["PolicyName"])
        for name, policy in inline.items():
            client.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(policy["PolicyDocument"]))


def _each_target(context: Context, properties: Properties, verb: str, request: Properties) -> None:
    for name, (kind, key) in _TARGETS.items():
        for target in properties.get(name, []):
            getattr(context.client("iam"), verb.replace("*", kind))(**{key: target}, **request)


@known_as("AWS::IAM::Policy")
class Policy:
    """An inline policy on roles, users or groups."""

    def create(self, context: Context, properties: Properties) -> Made:
        document = json.dumps(properties["PolicyDocument"])
        request = {"PolicyName": properties["PolicyName"], "PolicyDocument": document}
        _each_target(context, properties, "put_*_policy", request)
        return Made(properties["PolicyName"], {"Id": properties["PolicyName"]})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        self.delete(context, made, old)
        return self.create(context, new)

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        _each_target(context, properties, "delete_*_policy", {"PolicyName": properties["PolicyName"]})


@known_as("AWS::IAM::ManagedPolicy")
class ManagedPolicy(Replaced):
    """A customer-managed policy and its attachments."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = without(properties, "ManagedPolicyName", *_TARGETS)
        request["PolicyName"] = properties.get("ManagedPolicyName") or context.name()
        request["PolicyDocument"] = json.dumps(properties["PolicyDocument"])
        arn = call(context.client("iam"), "create_policy", request)["Policy"]["Arn"]
        _each_target(context, properties, "attach_*_policy", {"PolicyArn": arn})
        return Made(arn, {"PolicyArn": arn})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        _each_target(context, properties, "detach_*_policy", {"PolicyArn": made.physical_id})
        context.client("iam").delete_policy(PolicyArn=made.physical_id)


@known_as("AWS::IAM::InstanceProfile")
class InstanceProfile(Replaced):
    """An instance profile with its one role."""

    def create(self, context: Context, properties: Properties) -> Made:
        client = context.client("iam")
        request: dict[str, Any] = {"InstanceProfileName": properties.get("InstanceProfileName") or context.name()}
        if "Path" in properties:
            request["Path"] = properties["Path"]
        profile = client.create_instance_profile(**request)["InstanceProfile"]
        for role in properties["Roles"]:
            client.add_role_to_instance_profile(InstanceProfileName=profile["InstanceProfileName"], RoleName=role)
        return Made(profile["InstanceProfileName"], {"Arn": profile["Arn"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        client = context.client("iam")
        for role in properties["Roles"]:
            client.remove_role_from_instance_profile(InstanceProfileName=made.physical_id, RoleName=role)
        client.delete_instance_profile(InstanceProfileName=made.physical_id)


@known_as("AWS::IAM::ServiceLinkedRole")
class ServiceLinkedRole(Replaced):
    """A role that belongs to a service."""

    def create(self, context: Context, properties: Properties) -> Made:
        role = call(context.client("iam"), "create_service_linked_role", properties)["Role"]
        return Made(role["RoleName"], {"RoleName": role["RoleName"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("iam").delete_service_linked_role(RoleName=made.physical_id)
