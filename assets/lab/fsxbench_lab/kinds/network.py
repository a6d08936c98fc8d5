"""EC2 networking: each part is also deleted through the API, so that a destroyed stack leaves nothing behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..aws import call
from .base import (
    ApiKind,
    Context,
    Made,
    Properties,
    Replaced,
    known_as,
    registry,
    tag_list,
    without,
)


def tag(context: Context, resource_id: str, properties: Properties) -> None:
    """Tag an EC2 resource, including CloudFormation's own tags, which the API rejects, so this uses the model."""
    from moto.ec2.models import ec2_backends

    tags = {item["Key"]: item["Value"] for item in tag_list(context, properties)}
    ec2_backends[context.account][context.region].create_tags([resource_id], tags)


class Ec2Kind:
    """A generic EC2 type: tags are added after creation, and may change in place."""

    def __init__(self, inner: ApiKind, tagged: str | None = None, modify: Any = None) -> None:
        self.inner, self.tagged, self.modify = inner, tagged, modify

    def create(self, context: Context, properties: Properties) -> Made:
        made = self.inner.create(context, without(properties, "Tags", *_MODIFIED))
        self._finish(context, made, properties)
        return made

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if without(old, "Tags", *_MODIFIED) != without(new, "Tags", *_MODIFIED):
            return None
        self._finish(context, made, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        self.inner.delete(context, made, properties)

    def _finish(self, context: Context, made: Made, properties: Properties) -> None:
        if self.modify:
            self.modify(context, made, properties)
        tag(context, str(made.attributes[self.tagged]) if self.tagged else made.physical_id, properties)


# Set by a second call, after creation.
_MODIFIED = ("EnableDnsHostnames", "EnableDnsSupport", "MapPublicIpOnLaunch")


def _vpc_attributes(context: Context, made: Made, properties: Properties) -> None:
    for name in ("EnableDnsSupport", "EnableDnsHostnames"):
        if name in properties:
            call(
                context.client("ec2"),
                "modify_vpc_attribute",
                {"VpcId": made.physical_id, name: {"Value": properties[name]}},
            )
    groups = context.client("ec2").describe_security_groups(
        Filters=[{"Name": "vpc-id", "Values": [made.physical_id]}, {"Name": "group-name", "Values": ["default"]}]
    )["SecurityGroups"]
    made.attributes = {**made.attributes, "DefaultSecurityGroup": groups[0]["GroupId"]}


def _subnet_attributes(context: Context, made: Made, properties: Properties) -> None:
    if "MapPublicIpOnLaunch" in properties:
        request = {"SubnetId": made.physical_id, "MapPublicIpOnLaunch": {"Value": properties["MapPublicIpOnLaunch"]}}
        call(context.client("ec2"), "modify_subnet_attribute", request)


def _endpoint(context: Context, properties: Properties) -> Properties:
    request = without(properties, "PolicyDocument")
    if "PolicyDocument" in properties:
        request["PolicyDocument"] = json.dumps(properties["PolicyDocument"])
    return request


def _ec2(create: str, ref: str, delete: str, key: str, attributes: dict[str, str], **more: Any) -> ApiKind:
    return ApiKind("ec2", create, ref, delete, {key: "Ref"}, attributes, **more)


registry.update(
    {
        "AWS::EC2::VPC": Ec2Kind(
            _ec2(
                "create_vpc", "Vpc.VpcId", "delete_vpc", "VpcId", {"VpcId": "Vpc.VpcId", "CidrBlock": "Vpc.CidrBlock"}
            ),
            modify=_vpc_attributes,
        ),
        "AWS::EC2::Subnet": Ec2Kind(
            _ec2(
                "create_subnet",
                "Subnet.SubnetId",
                "delete_subnet",
                "SubnetId",
                {name: f"Subnet.{name}" for name in ("SubnetId", "VpcId", "AvailabilityZone", "CidrBlock")},
            ),
            modify=_subnet_attributes,
        ),
        "AWS::EC2::InternetGateway": Ec2Kind(
            _ec2(
                "create_internet_gateway",
                "InternetGateway.InternetGatewayId",
                "delete_internet_gateway",
                "InternetGatewayId",
                {"InternetGatewayId": "InternetGateway.InternetGatewayId"},
            )
        ),
        "AWS::EC2::RouteTable": Ec2Kind(
            _ec2(
                "create_route_table",
                "RouteTable.RouteTableId",
                "delete_route_table",
                "RouteTableId",
                {"RouteTableId": "RouteTable.RouteTableId"},
            )
        ),
        "AWS::EC2::EIP": Ec2Kind(
            ApiKind(
                "ec2",
                "allocate_address",
                "PublicIp",
                "release_address",
                {"AllocationId": "AllocationId"},
                {"AllocationId": "AllocationId", "PublicIp": "PublicIp"},
            ),
            tagged="AllocationId",
        ),
        "AWS::EC2::SubnetRouteTableAssociation": ApiKind(
            "ec2",
            "associate_route_table",
            "AssociationId",
            "disassociate_route_table",
            {"AssociationId": "Ref"},
            {"Id": "AssociationId"},
        ),
    }
)


def end_instances(context: Context, instances: list[str], end: Callable[[], object]) -> None:
    """Call `end`, which terminates some instances; then delete their volumes and interfaces, as AWS does by default and moto does not."""
    client = context.of_service("ec2")
    attached = [{"Name": "attachment.instance-id", "Values": instances}]
    volumes = {item["VolumeId"] for item in client.describe_volumes(Filters=attached)["Volumes"]}
    interfaces = {instance["InstanceId"]: _interfaces(instance) for instance in _instances(client, instances)}
    end()
    for volume in client.describe_volumes()["Volumes"]:
        if volume["VolumeId"] in volumes and not volume["Attachments"]:
            client.delete_volume(VolumeId=volume["VolumeId"])
    for instance in _instances(client, instances):
        if instance["State"]["Name"] == "terminated":
            delete_interfaces(context, interfaces[instance["InstanceId"]])


def _instances(client: Any, identifiers: list[str]) -> list[dict[str, Any]]:
    reservations = client.describe_instances(InstanceIds=identifiers)["Reservations"]
    return [instance for reservation in reservations for instance in reservation["Instances"]]


def _interfaces(instance: dict[str, Any]) -> list[str]:
    return [item["NetworkInterfaceId"] for item in instance["NetworkInterfaces"]]


def delete_interfaces(context: Context, interfaces: list[str]) -> None:
    """Delete the network interfaces that still exist."""
    client = context.of_service("ec2")
    for item in client.describe_network_interfaces()["NetworkInterfaces"]:
        if item["NetworkInterfaceId"] in interfaces:
            client.delete_network_interface(NetworkInterfaceId=item["NetworkInterfaceId"])


@known_as("AWS::EC2::NatGateway")
class NatGateway(Replaced):
    """A NAT gateway. moto keeps its network interface after deletion."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = without(properties, "Tags")
        gateway = call(context.client("ec2"), "create_nat_gateway", request)["NatGateway"]["NatGatewayId"]
        tag(context, gateway, properties)
        return Made(gateway, {"NatGatewayId": gateway})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        client = context.client("ec2")
        gateway = client.describe_nat_gateways(NatGatewayIds=[made.physical_id])["NatGateways"][0]
        client.delete_nat_gateway(NatGatewayId=made.physical_id)
        delete_interfaces(context, [item["NetworkInterfaceId"] for item in gateway["NatGatewayAddresses"]])


@known_as("AWS::EC2::VPCEndpoint")
class VpcEndpoint:
    """A gateway or interface endpoint; its subnets and route tables may change in place."""

    _LISTS = ("RouteTableIds", "SubnetIds", "SecurityGroupIds")

    def create(self, context: Context, properties: Properties) -> Made:
        request = _endpoint(context, without(properties, "Tags"))
        endpoint = call(context.client("ec2"), "create_vpc_endpoint", request)["VpcEndpoint"]
        tag(context, endpoint["VpcEndpointId"], properties)
        entries = [
            f"{entry.get('HostedZoneId', 'Z')}:{entry.get('DnsName', '')}" for entry in endpoint.get("DnsEntries", [])
        ]
        return Made(endpoint["VpcEndpointId"], {"Id": endpoint["VpcEndpointId"], "DnsEntries": entries})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        changing = (*self._LISTS, "PolicyDocument", "Tags")
        if without(old, *changing) != without(new, *changing) or ("PolicyDocument" in old) != ("PolicyDocument" in new):
            return None
        request: Properties = {"VpcEndpointId": made.physical_id}
        for name in self._LISTS:
            before, after = old.get(name, []), new.get(name, [])
            request[f"Add{name}"] = [item for item in after if item not in before]
            request[f"Remove{name}"] = [item for item in before if item not in after]
        if "PolicyDocument" in new:
            request["PolicyDocument"] = json.dumps(new["PolicyDocument"])
        context.client("ec2").modify_vpc_endpoint(**request)
        tag(context, made.physical_id, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        client = context.client("ec2")
        endpoint = client.describe_vpc_endpoints(VpcEndpointIds=[made.physical_id])["VpcEndpoints"][0]
        try:
            client.delete_vpc_endpoints(VpcEndpointIds=[made.physical_id])
        except client.exceptions.ClientError:
            # moto creates routes only with the endpoint, not for tables added later, and then fails to find them here.
            tables = endpoint.get("RouteTableIds", [])
            client.modify_vpc_endpoint(VpcEndpointId=made.physical_id, RemoveRouteTableIds=tables)
            client.delete_vpc_endpoints(VpcEndpointIds=[made.physical_id])
        delete_interfaces(context, endpoint.get("NetworkInterfaceIds", []))


@known_as("AWS::EC2::VPCGatewayAttachment")
class GatewayAttachment(Replaced):
    """An internet gateway's attachment."""

    def create(self, context: Context, properties: Properties) -> Made:
        call(context.client("ec2"), "attach_internet_gateway", properties)
        return Made(f"IGW|{properties['VpcId']}", {"AttachmentType": "IGW"})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        call(context.client("ec2"), "detach_internet_gateway", properties)


@known_as("AWS::EC2::Route")
class Route(Replaced):
    """A route; its id is its table and its destination."""

    def create(self, context: Context, properties: Properties) -> Made:
        call(context.client("ec2"), "create_route", properties)
        destination = next(properties[name] for name in _DESTINATIONS if name in properties)
        return Made(f"{properties['RouteTableId']}|{destination}", {"CidrBlock": destination})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        request = {name: properties[name] for name in ("RouteTableId", *_DESTINATIONS) if name in properties}
        call(context.client("ec2"), "delete_route", request)


_DESTINATIONS = ("DestinationCidrBlock", "DestinationIpv6CidrBlock", "DestinationPrefixListId")


def _permission(rule: Properties) -> Properties:
    """Convert a template's rule to the API's IpPermission."""
    permission: Properties = {"IpProtocol": rule["IpProtocol"]}
    permission.update({name: rule[name] for name in ("FromPort", "ToPort") if name in rule})
    described = {"Description": rule["Description"]} if "Description" in rule else {}
    if "CidrIp" in rule:
        permission["IpRanges"] = [{"CidrIp": rule["CidrIp"], **described}]
    if "CidrIpv6" in rule:
        permission["Ipv6Ranges"] = [{"CidrIpv6": rule["CidrIpv6"], **described}]
    for name in ("SourcePrefixListId", "DestinationPrefixListId"):
        if name in rule:
            permission["PrefixListIds"] = [{"PrefixListId": rule[name], **described}]
    for name in ("SourceSecurityGroupId", "DestinationSecurityGroupId"):
        if name in rule:
            permission["UserIdGroupPairs"] = [{"GroupId": rule[name], **described}]
    return permission


class SecurityGroupRule(Replaced):
    """One rule of a security group, in one direction."""

    def __init__(self, direction: str) -> None:
        self.direction = direction

    def create(self, context: Context, properties: Properties) -> Made:
        request = {"GroupId": properties["GroupId"], "IpPermissions": [_permission(properties)]}
        answer = call(context.client("ec2"), f"authorize_security_group_{self.direction}", request)
        rule = answer["SecurityGroupRules"][0]["SecurityGroupRuleId"]
        return Made(rule, {"Id": rule})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        request = {"GroupId": properties["GroupId"], "IpPermissions": [_permission(properties)]}
        call(context.client("ec2"), f"revoke_security_group_{self.direction}", request)


registry["AWS::EC2::SecurityGroupIngress"] = SecurityGroupRule("ingress")
registry["AWS::EC2::SecurityGroupEgress"] = SecurityGroupRule("egress")


@known_as("AWS::EC2::SecurityGroup")
class SecurityGroup:
    """A security group with its inline rules. Declared egress replaces the default allow-all rule."""

    def create(self, context: Context, properties: Properties) -> Made:
        client = context.client("ec2")
        request = {
            "GroupName": properties.get("GroupName") or context.name(),
            "Description": properties["GroupDescription"],
            "VpcId": properties["VpcId"],
        }
        group = call(client, "create_security_group", request)["GroupId"]
        if properties.get("SecurityGroupEgress"):
            everything = client.describe_security_groups(GroupIds=[group])["SecurityGroups"][0]["IpPermissionsEgress"]
            client.revoke_security_group_egress(GroupId=group, IpPermissions=everything)
        self._rules(context, group, {}, properties)
        tag(context, group, properties)
        return Made(group, {"GroupId": group, "VpcId": properties["VpcId"]})

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        changing = ("Tags", "SecurityGroupIngress", "SecurityGroupEgress")
        if without(old, *changing) != without(new, *changing):
            return None
        self._rules(context, made.physical_id, old, new)
        tag(context, made.physical_id, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ec2").delete_security_group(GroupId=made.physical_id)

    def _rules(self, context: Context, group: str, old: Properties, new: Properties) -> None:
        client = context.client("ec2")
        for direction in ("ingress", "egress"):
            name = f"SecurityGroup{direction.capitalize()}"
            before, after = old.get(name, []), new.get(name, [])
            for method, rules in (
                ("revoke", [rule for rule in before if rule not in after]),
                ("authorize", [rule for rule in after if rule not in before]),
            ):
                if rules:
                    request = {"GroupId": group, "IpPermissions": [_permission(rule) for rule in rules]}
                    call(client, f"{method}_security_group_{direction}", request)


@known_as("AWS::EC2::FlowLog")
class FlowLog(Replaced):
    """A flow log of one VPC, subnet or interface."""

    def create(self, context: Context, properties: Properties) -> Made:
        request = {**without(properties, "Tags", "ResourceId"), "ResourceIds": [properties["ResourceId"]]}
        log = call(context.client("ec2"), "create_flow_logs", request)["FlowLogIds"][0]
        tag(context, log, properties)
        return Made(log, {"Id": log})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ec2").delete_flow_logs(FlowLogIds=[made.physical_id])
