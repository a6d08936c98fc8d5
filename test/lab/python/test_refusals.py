"""What AWS refuses in the middle of a deployment, and CDK and cfn-lint let pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conftest import Deployment

from fsxbench_lab import limits

Aws = Callable[[str], Any]
PARAMETER = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "one"}}


def network(aws: Aws) -> tuple[str, str]:
    subnet = aws("ec2").describe_subnets()["Subnets"][0]
    return subnet["VpcId"], subnet["SubnetId"]


def group(vpc: str, **rules: Any) -> dict[str, Any]:
    return {"Type": "AWS::EC2::SecurityGroup", "Properties": {"GroupDescription": "Lustre", "VpcId": vpc, **rules}}


def file_system(subnet: str, group_id: Any, **lustre: Any) -> dict[str, Any]:
    configuration = {"DeploymentType": "PERSISTENT_2", "PerUnitStorageThroughput": 125, **lustre}
    return {
        "Type": "AWS::FSx::FileSystem",
        "Properties": {
            "FileSystemType": "LUSTRE",
            "StorageCapacity": 1200,
            "SubnetIds": [subnet],
            "SecurityGroupIds": [group_id],
            "LustreConfiguration": configuration,
        },
    }


GROUP_ID = {"Fn::GetAtt": ["Group", "GroupId"]}
IN_SUBNET = {"IpProtocol": "tcp", "FromPort": 988, "ToPort": 988, "CidrIp": "10.0.0.0/20"}


def rules(**rule: Any) -> dict[str, Any]:
    """Both directions between the group and itself, as resources of their own."""
    ends = {"Ingress": "SourceSecurityGroupId", "Egress": "DestinationSecurityGroupId"}
    return {
        way: {"Type": f"AWS::EC2::SecurityGroup{way}", "Properties": {"GroupId": GROUP_ID, end: GROUP_ID, **rule}}
        for way, end in ends.items()
    }


class TestSecurityGroups:
    @pytest.fixture
    def place(self, aws: Aws) -> tuple[str, str]:
        return network(aws)

    def test_rules_that_come_after_the_file_system_come_too_late(self, stack: Deployment, place: tuple[str, str]) -> None:
        vpc, subnet = place
        closed = group(vpc, SecurityGroupEgress=[{"IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "CidrIp": "0.0.0.0/0"}])
        late = rules(IpProtocol="tcp", FromPort=988, ToPort=988)
        # As a CDK template has them: rules first, but nothing that makes CloudFormation create them first.
        resources = {"Group": closed, **late, "Fs": file_system(subnet, GROUP_ID)}
        assert stack.apply(resources) == "ROLLBACK_COMPLETE"
        assert "do not permit Lustre LNET network traffic on port 988" in stack.reasons()

    def test_rules_that_the_file_system_waits_for_are_in_time(self, stack: Deployment, place: tuple[str, str]) -> None:
        vpc, subnet = place
        late = rules(IpProtocol="tcp", FromPort=988, ToPort=1023)
        waiting = {**file_system(subnet, GROUP_ID), "DependsOn": list(late)}
        assert stack.apply({"Group": group(vpc), **late, "Fs": waiting}) == "CREATE_COMPLETE", stack.reasons()

    def test_rules_in_the_group_itself_are_in_time(self, stack: Deployment, place: tuple[str, str]) -> None:
        vpc, subnet = place
        open_group = group(vpc, SecurityGroupIngress=[IN_SUBNET], SecurityGroupEgress=[IN_SUBNET])
        assert stack.apply({"Fs": file_system(subnet, GROUP_ID), "Group": open_group}) == "CREATE_COMPLETE", stack.reasons()

    def test_for_efa_ranges_do_not_count(self, stack: Deployment, place: tuple[str, str]) -> None:
        vpc, subnet = place
        anyone = {"IpProtocol": "-1", "CidrIp": "0.0.0.0/0"}
        resources = {"Group": group(vpc, SecurityGroupIngress=[anyone]), "Fs": file_system(subnet, GROUP_ID, EfaEnabled=True)}
        assert stack.apply(resources) == "ROLLBACK_COMPLETE"
        assert "Insufficient security group permissions to create an EFA-enabled file system" in stack.reasons()


def test_a_link_to_s3_of_intelligent_tiering_is_refused(stack: Deployment, aws: Aws) -> None:
    _, subnet = network(aws)
    tiering = file_system(subnet, GROUP_ID, ThroughputCapacity=4000)["Properties"]
    del tiering["StorageCapacity"], tiering["SecurityGroupIds"]
    link = {"FileSystemId": {"Ref": "Fs"}, "FileSystemPath": "/data", "DataRepositoryPath": "s3://bucket/in"}
    resources = {
        "Fs": {"Type": "AWS::FSx::FileSystem", "Properties": {**tiering, "StorageType": "INTELLIGENT_TIERING"}},
        "Link": {"Type": "AWS::FSx::DataRepositoryAssociation", "Properties": link},
    }
    assert stack.apply(resources) == "ROLLBACK_COMPLETE"
    assert "not supported on Intelligent-Tiering" in stack.reasons()


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        (
            {"Group": {"Type": "AWS::AutoScaling::AutoScalingGroup", "UpdatePolicy": {"AutoScalingRollingUpdate": {"MaxBatchSize": 200}}}},
            "Group: 200 instances of a batch (MaxBatchSize), at most 100",
        ),
        ({f"P{number}": PARAMETER for number in range(501)}, "501 resources of a template, at most 500"),
    ],
)
def test_a_template_that_passes_a_limit_is_refused_before_anything_is_made(
    stack: Deployment, resources: dict[str, Any], reason: str
) -> None:
    assert stack.apply(resources) == "ROLLBACK_COMPLETE"
    assert reason in stack.reasons()


@pytest.mark.parametrize(("policy", "kept"), [("Retain", True), ("RetainExceptOnCreate", False), ("Delete", False)])
def test_only_what_is_to_be_retained_outlives_a_deployment_that_fails(
    stack: Deployment, aws: Aws, policy: str, kept: bool
) -> None:
    name = f"fsxbench-{stack.name}"
    log = {"Type": "AWS::Logs::LogGroup", "DeletionPolicy": policy, "Properties": {"LogGroupName": name}}
    broken = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": {"Fn::GetAtt": ["Log", "Colour"]}}}
    assert stack.apply({"Log": log, "Broken": broken}) == "ROLLBACK_COMPLETE"
    found = aws("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"]
    assert [item["logGroupName"] for item in found] == ([name] if kept else [])


def test_an_image_that_a_parameter_names_is_looked_up_when_an_instance_is_launched(stack: Deployment, aws: Aws) -> None:
    _, subnet = network(aws)
    first, second = (image["ImageId"] for image in aws("ec2").describe_images()["Images"][:2])
    aws("ssm").put_parameter(Name=f"/test/{stack.name}", Type="String", Value=first, Overwrite=True)
    data = {"ImageId": f"resolve:ssm:/test/{stack.name}", "InstanceType": "c5n.large"}
    template = {"LaunchTemplateId": {"Ref": "Template"}, "Version": {"Fn::GetAtt": ["Template", "LatestVersionNumber"]}}
    sized = {"MinSize": "1", "MaxSize": "1", "VPCZoneIdentifier": [subnet], "LaunchTemplate": template}
    resources = {
        "Template": {"Type": "AWS::EC2::LaunchTemplate", "Properties": {"LaunchTemplateData": data}},
        "Group": {"Type": "AWS::AutoScaling::AutoScalingGroup", "Properties": sized},
    }

    def images() -> list[str]:
        groups = aws("autoscaling").describe_auto_scaling_groups(AutoScalingGroupNames=[stack.ids()["Group"]])
        ids = [item["InstanceId"] for item in groups["AutoScalingGroups"][0]["Instances"]]
        found = aws("ec2").describe_instances(InstanceIds=ids)["Reservations"]
        return sorted(item["ImageId"] for reservation in found for item in reservation["Instances"])

    assert stack.apply(resources) == "CREATE_COMPLETE", stack.reasons()
    assert images() == [first]
    aws("ssm").put_parameter(Name=f"/test/{stack.name}", Type="String", Value=second, Overwrite=True)
    sized.update(MinSize="2", MaxSize="2")
    assert stack.apply(resources) == "UPDATE_COMPLETE", stack.reasons()
    # The one that was there stays what it is.
    assert images() == sorted([first, second])


def test_as_many_resources_and_as_large_batches_as_allowed_are_taken() -> None:
    batch = {"UpdatePolicy": {"AutoScalingRollingUpdate": {"MaxBatchSize": "100", "MinInstancesInService": 500}}}
    limits.check({"Resources": {f"P{number}": batch for number in range(500)}})
