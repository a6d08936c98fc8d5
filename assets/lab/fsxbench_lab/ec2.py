"""What moto's EC2 lacks: placement groups, user data in later launch template versions, images named by a parameter, guards of an account."""

from __future__ import annotations

import secrets
from typing import Any

from moto.core.responses import ActionResult, EmptyResult
from moto.ec2.models.launch_templates import LaunchTemplateVersion
from moto.ec2.responses import EC2Response
from moto.ec2.utils import parse_user_data
from moto.ssm.models import ssm_backends

from .aws import ApiError

_STRATEGIES = ("cluster", "partition", "spread")


def _groups(response: EC2Response) -> dict[str, dict[str, Any]]:
    backend = response.ec2_backend
    if not hasattr(backend, "fsxbench_placement_groups"):
        backend.fsxbench_placement_groups = {}
    return backend.fsxbench_placement_groups


def _create(response: EC2Response) -> ActionResult:
    name, strategy = response._get_param("GroupName"), response._get_param("Strategy") or "cluster"
    groups = _groups(response)
    if name in groups:
        raise ApiError("InvalidPlacementGroup.Duplicate", f"The placement group '{name}' already exists.")
    if strategy not in _STRATEGIES:
        raise ApiError("InvalidParameterValue", f"Strategy must be one of {', '.join(_STRATEGIES)}, got {strategy}")
    identifier = f"pg-{secrets.token_hex(9)[:17]}"
    groups[name] = {
        "GroupName": name,
        "GroupId": identifier,
        "GroupArn": f"arn:aws:ec2:{response.region}:{response.current_account}:placement-group/{name}",
        "Strategy": strategy,
        "State": "available",
        "Tags": [],
    }
    count = response._get_param("PartitionCount")
    if count:
        groups[name]["PartitionCount"] = int(count)
    return ActionResult({"PlacementGroup": groups[name]})


def _describe(response: EC2Response) -> ActionResult:
    groups = _groups(response)
    names = response._get_param("GroupNames") or list(groups)
    return ActionResult({"PlacementGroups": [_find(groups, name) for name in names]})


def _delete(response: EC2Response) -> EmptyResult:
    groups = _groups(response)
    del groups[_find(groups, response._get_param("GroupName"))["GroupName"]]
    return EmptyResult()


def _find(groups: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    if name not in groups:
        raise ApiError("InvalidPlacementGroup.Unknown", f"The Placement Group '{name}' is unknown.")
    return groups[name]


def _default_key(_: EC2Response) -> ActionResult:
    return ActionResult({"KmsKeyId": "alias/aws/ebs"})


def _block_public_access(response: EC2Response) -> ActionResult:
    options = {"AwsAccountId": response.current_account, "AwsRegion": response.region, "State": "default-state"}
    return ActionResult({"VpcBlockPublicAccessOptions": {**options, "InternetGatewayBlockMode": "off"}})


def _no_reservations(_: EC2Response) -> ActionResult:
    return ActionResult({"CapacityReservations": []})


_original_version = LaunchTemplateVersion.__init__


def _version(self: LaunchTemplateVersion, template: Any, number: int, data: dict[str, Any], description: str) -> None:
    # moto wraps only the first version's user data, and fails on the others when it starts an instance.
    wrapped = {**data, "UserData": parse_user_data(data["UserData"])} if isinstance(data.get("UserData"), str) else data
    _original_version(self, template, number, wrapped, description)


_BY_PARAMETER = "resolve:ssm:"


def _image_id(self: LaunchTemplateVersion) -> str:
    # Resolved when an instance is launched: a later change of the parameter affects neither instances nor templates.
    image = self.data.get("ImageId", "")
    if not image.startswith(_BY_PARAMETER):
        return image
    backend = self.template.ec2_backend
    found = ssm_backends[backend.account_id][backend.region_name].get_parameter(image.removeprefix(_BY_PARAMETER))
    if found is None:
        raise ApiError("InvalidAMIID.NotFound", f"The parameter of the image does not exist: {image}")
    return found.value


def install() -> None:
    """Patch moto's EC2."""
    LaunchTemplateVersion.image_id = property(_image_id)
    LaunchTemplateVersion.__init__ = _version
    EC2Response.create_placement_group = _create
    EC2Response.describe_placement_groups = _describe
    EC2Response.delete_placement_group = _delete
    EC2Response.get_ebs_default_kms_key_id = _default_key
    EC2Response.describe_capacity_reservations = _no_reservations
    EC2Response.describe_vpc_block_public_access_options = _block_public_access
