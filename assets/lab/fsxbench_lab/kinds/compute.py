"""EC2's machines: launch templates, placement groups, key pairs."""

from __future__ import annotations

from ..aws import call
from .base import (
    ApiKind,
    Context,
    Made,
    Properties,
    Replaced,
    known_as,
    registry,
    without,
)
from .network import end_instances, tag

registry["AWS::EC2::PlacementGroup"] = ApiKind(
    "ec2",
    "create_placement_group",
    "GroupName",
    "delete_placement_group",
    {"GroupName": "Ref"},
    {"GroupName": "GroupName"},
    name="GroupName",
    request=lambda context, properties: without(properties, "Tags", "SpreadLevel"),
)


@known_as("AWS::EC2::LaunchTemplate")
class LaunchTemplate:
    """A launch template; changed data become its next version, as in CloudFormation."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = {
            "LaunchTemplateName": properties.get("LaunchTemplateName") or context.name(),
            "LaunchTemplateData": properties["LaunchTemplateData"],
        }
        template = call(context.client("ec2"), "create_launch_template", request)["LaunchTemplate"]
        tag(context, template["LaunchTemplateId"], {})
        return self._made(template["LaunchTemplateId"], 1)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if old.get("LaunchTemplateName") != new.get("LaunchTemplateName"):
            return None
        request = {"LaunchTemplateId": made.physical_id, "LaunchTemplateData": new["LaunchTemplateData"]}
        answer = call(context.client("ec2"), "create_launch_template_version", request)
        return self._made(made.physical_id, answer["LaunchTemplateVersion"]["VersionNumber"])

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ec2").delete_launch_template(LaunchTemplateId=made.physical_id)

    @staticmethod
    def _made(template: str, version: int) -> Made:
        attributes = {"LaunchTemplateId": template, "LatestVersionNumber": str(version), "DefaultVersionNumber": "1"}
        return Made(template, attributes)


@known_as("AWS::EC2::KeyPair")
class KeyPair(Replaced):
    """A key pair; CloudFormation keeps the private half in Parameter Store at /ec2/keypair/<id>."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = {"KeyName": properties["KeyName"]}
        request.update({name: properties[name] for name in ("KeyType", "KeyFormat") if name in properties})
        if "PublicKeyMaterial" in properties:
            imported = {"KeyName": properties["KeyName"], "PublicKeyMaterial": properties["PublicKeyMaterial"].encode()}
            pair = call(context.client("ec2"), "import_key_pair", imported)
        else:
            pair = call(context.client("ec2"), "create_key_pair", request)
            context.client("ssm").put_parameter(
                Name=f"/ec2/keypair/{pair['KeyPairId']}", Type="SecureString", Value=pair["KeyMaterial"]
            )
        return Made(pair["KeyName"], {"KeyPairId": pair["KeyPairId"], "KeyFingerprint": pair["KeyFingerprint"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ec2").delete_key_pair(KeyName=made.physical_id)
        if "PublicKeyMaterial" not in properties:
            context.client("ssm").delete_parameter(Name=f"/ec2/keypair/{made.attributes['KeyPairId']}")


@known_as("AWS::EC2::Instance")
class Instance(Replaced):
    """A single instance, such as a bastion."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = {**without(properties, "Tags", "AvailabilityZone"), "MinCount": 1, "MaxCount": 1}
        instance = call(context.client("ec2"), "run_instances", request)["Instances"][0]
        tag(context, instance["InstanceId"], properties)
        return Made(
            instance["InstanceId"],
            {
                "InstanceId": instance["InstanceId"],
                "PrivateIp": instance["PrivateIpAddress"],
                "VpcId": instance["VpcId"],
            },
        )

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        instances = [made.physical_id]
        end_instances(context, instances, lambda: context.client("ec2").terminate_instances(InstanceIds=instances))
