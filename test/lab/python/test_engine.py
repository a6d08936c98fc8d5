"""Deployments: loud failures, rollback, replacement, exports, change sets as the CDK command line uses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from conftest import Deployment

Aws = Callable[[str], Any]
PARAMETER = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "one"}}


def parameter(value: Any, **more: Any) -> dict[str, Any]:
    return {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": value, **more}}


def value_of(aws: Aws, name: str) -> str:
    return aws("ssm").get_parameter(Name=name)["Parameter"]["Value"]


def test_a_type_that_the_lab_does_not_know_fails_the_deployment_by_name_and_leaves_nothing(stack: Deployment) -> None:
    assert stack.apply({"Known": PARAMETER, "Odd": {"Type": "AWS::Foo::Bar"}}) == "ROLLBACK_COMPLETE"
    assert "fsxbench lab: resource type AWS::Foo::Bar is not supported" in stack.reasons()
    assert stack.ids() == {}


def test_a_property_that_the_lab_does_not_know_fails_the_deployment_by_name(stack: Deployment) -> None:
    bucket = {"Type": "AWS::S3::Bucket", "Properties": {"WebsiteConfiguration": {"IndexDocument": "x"}}}
    assert stack.apply({"Site": bucket}) == "ROLLBACK_COMPLETE"
    assert "AWS::S3::Bucket does not support WebsiteConfiguration" in stack.reasons()


def test_a_misspelt_property_of_a_generic_type_is_refused_by_its_api(stack: Deployment) -> None:
    group = {"Type": "AWS::EC2::PlacementGroup", "Properties": {"Strategi": "cluster"}}
    assert stack.apply({"Group": group}) == "ROLLBACK_COMPLETE"
    assert 'Unknown parameter in input: "Strategi"' in stack.reasons()


def test_an_attribute_that_is_not_known_fails_the_deployment(stack: Deployment) -> None:
    assert stack.apply({"A": PARAMETER, "B": parameter({"Fn::GetAtt": ["A", "Colour"]})}) == "ROLLBACK_COMPLETE"
    assert "unknown attribute Colour" in stack.reasons()


def test_a_changed_value_reaches_the_resources_that_only_refer_to_it(stack: Deployment, aws: Aws) -> None:
    follower = parameter({"Fn::GetAtt": ["First", "Value"]})
    stack.apply({"First": parameter("one"), "Second": follower})
    before = stack.ids()
    assert stack.apply({"First": parameter("two"), "Second": follower}) == "UPDATE_COMPLETE"
    assert stack.ids() == before
    assert value_of(aws, before["Second"]) == "two"


def test_what_cannot_be_changed_in_place_is_replaced_and_the_old_one_removed(stack: Deployment, aws: Aws) -> None:
    group = {"Type": "AWS::EC2::PlacementGroup", "Properties": {"Strategy": "cluster"}}
    stack.apply({"Group": group})
    old = stack.ids()["Group"]
    group["Properties"]["Strategy"] = "spread"
    assert stack.apply({"Group": group}) == "UPDATE_COMPLETE"
    new = stack.ids()["Group"]
    names = [item["GroupName"] for item in aws("ec2").describe_placement_groups()["PlacementGroups"]]
    assert new != old
    assert new in names
    assert old not in names


def test_a_failed_update_brings_back_what_was_and_removes_what_was_new(stack: Deployment, aws: Aws) -> None:
    stack.apply({"First": parameter("one")})
    before = stack.ids()
    broken = {"First": parameter("two"), "New": PARAMETER, "Odd": parameter({"Fn::GetAtt": ["New", "Colour"]})}
    assert stack.apply(broken) == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.ids() == before
    assert value_of(aws, before["First"]) == "one"


def test_a_resource_that_left_the_template_is_removed(stack: Deployment, aws: Aws) -> None:
    stack.apply({"Stays": PARAMETER, "Goes": PARAMETER})
    gone = stack.ids()["Goes"]
    stack.apply({"Stays": PARAMETER})
    assert list(stack.ids()) == ["Stays"]
    with pytest.raises(aws("ssm").exceptions.ParameterNotFound):
        aws("ssm").get_parameter(Name=gone)


def test_what_is_to_be_retained_outlives_its_stack(stack: Deployment, aws: Aws) -> None:
    stack.apply({"Kept": {"Type": "AWS::S3::Bucket", "DeletionPolicy": "Retain"}})
    bucket = stack.ids()["Kept"]
    stack.delete()
    assert bucket in [item["Name"] for item in aws("s3").list_buckets()["Buckets"]]
    aws("s3").delete_bucket(Bucket=bucket)


def test_a_bucket_with_objects_cannot_be_removed_and_the_stack_says_so(stack: Deployment, aws: Aws) -> None:
    stack.apply({"Bucket": {"Type": "AWS::S3::Bucket"}})
    bucket = stack.ids()["Bucket"]
    aws("s3").put_object(Bucket=bucket, Key="a", Body=b"a")
    stack.client.delete_stack(StackName=stack.name)
    assert stack.wait() == "DELETE_FAILED"
    assert "BucketNotEmpty" in stack.reasons()
    aws("s3").delete_object(Bucket=bucket, Key="a")
    stack.delete()


def test_an_export_in_use_keeps_its_stack(stack: Deployment, server: Any) -> None:
    outputs = {"Value": {"Value": {"Ref": "A"}, "Export": {"Name": f"{stack.name}-A"}}}
    stack.apply({"A": PARAMETER}, Outputs=outputs)
    user = Deployment(server.client("cloudformation"))
    user.apply({"B": parameter({"Fn::ImportValue": f"{stack.name}-A"})})
    stack.client.delete_stack(StackName=stack.name)
    assert stack.wait() == "DELETE_FAILED"
    assert user.name in stack.reasons()
    user.delete()
    stack.delete()


class TestChangeSets:
    """As the CDK command line makes them: all with one name."""

    @staticmethod
    def create(stack: Deployment, resources: dict[str, Any], kind: str, **more: Any) -> dict[str, Any]:
        template = json.dumps({"Resources": resources, **more.pop("template", {})})
        arguments = {
            "StackName": stack.name,
            "ChangeSetName": "cdk-deploy",
            "ChangeSetType": kind,
            "TemplateBody": template,
        }
        stack.client.create_change_set(**arguments, **more)
        return stack.client.describe_change_set(StackName=stack.name, ChangeSetName="cdk-deploy")

    def test_executing_the_first_one_keeps_outputs_and_parameters(self, stack: Deployment) -> None:
        template = {"Parameters": {"P": {"Type": "String", "Default": "d"}}, "Outputs": {"O": {"Value": {"Ref": "P"}}}}
        described = self.create(stack, {"A": PARAMETER}, "CREATE", template=template)
        assert described["Status"] == "CREATE_COMPLETE"
        stack.client.execute_change_set(StackName=stack.name, ChangeSetName="cdk-deploy")
        assert stack.wait() == "CREATE_COMPLETE"
        assert stack.outputs() == {"O": "d"}

    def test_nothing_changed_is_told_in_the_words_that_the_command_line_looks_for(self, stack: Deployment) -> None:
        stack.apply({"A": PARAMETER})
        described = self.create(stack, {"A": PARAMETER}, "UPDATE")
        assert described["Status"] == "FAILED"
        assert described["StatusReason"].startswith("The submitted information didn't contain changes.")

    def test_change_sets_of_two_stacks_with_one_name_are_told_apart(self, stack: Deployment, server: Any) -> None:
        other = Deployment(server.client("cloudformation"))
        self.create(stack, {"A": PARAMETER}, "CREATE")
        self.create(other, {"B": PARAMETER}, "CREATE")
        found = stack.client.describe_change_set(StackName=stack.name, ChangeSetName="cdk-deploy")
        assert [change["ResourceChange"]["LogicalResourceId"] for change in found["Changes"]] == ["A"]
        other.client.delete_stack(StackName=other.name)

    def test_deleting_one_that_is_not_there_succeeds(self, stack: Deployment) -> None:
        stack.apply({"A": PARAMETER})
        stack.client.delete_change_set(StackName=stack.name, ChangeSetName="cdk-deploy")

    def test_a_previous_value_is_the_value_itself_also_of_an_ssm_parameter_type(
        self, stack: Deployment, aws: Aws
    ) -> None:
        name = f"/test/{stack.name}"
        aws("ssm").put_parameter(Name=name, Type="String", Value="21")
        template = {"Parameters": {"V": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": name}}}
        self.create(stack, {"A": PARAMETER}, "CREATE", template=template)
        stack.client.execute_change_set(StackName=stack.name, ChangeSetName="cdk-deploy")
        stack.wait()
        previous = [{"ParameterKey": "V", "UsePreviousValue": True}]
        self.create(stack, {"A": parameter({"Ref": "V"})}, "UPDATE", template=template, Parameters=previous)
        stack.client.execute_change_set(StackName=stack.name, ChangeSetName="cdk-deploy")
        assert stack.wait() == "UPDATE_COMPLETE"
        assert value_of(aws, stack.ids()["A"]) == "21"

    def test_a_template_url_with_an_address_instead_of_a_name_is_fetched(
        self, stack: Deployment, aws: Aws, server: Any
    ) -> None:
        bucket = f"templates-{stack.name.lower()}"
        aws("s3").create_bucket(Bucket=bucket)
        aws("s3").put_object(Bucket=bucket, Key="a/b.json", Body=json.dumps({"Resources": {"A": PARAMETER}}))
        stack.client.create_stack(StackName=stack.name, TemplateURL=f"{server.endpoint}/{bucket}/a/b.json")
        assert stack.wait() == "CREATE_COMPLETE"


    def test_the_last_one_of_a_name_counts_and_says_what_changes(self, stack: Deployment) -> None:
        parameters = {"P": {"Type": "String", "Default": "one"}, "Q": {"Type": "String", "Default": "q"}}
        template = {"Parameters": parameters}
        resources = {"A": parameter({"Ref": "P"}), "B": parameter({"Fn::Sub": "${Q}!"}), "C": PARAMETER}
        stack.apply(resources, **template)

        def changes(resources: dict[str, Any], **more: Any) -> list[list[str]]:
            found = self.create(stack, resources, "UPDATE", template=template, **more)
            return [[each["ResourceChange"][key] for key in ("Action", "LogicalResourceId")] for each in found["Changes"]]

        assert changes(resources) == []
        two = [{"ParameterKey": "P", "ParameterValue": "two"}]
        assert changes({**resources, "D": PARAMETER}, Parameters=two) == [["Add", "D"], ["Modify", "A"]]
        assert changes({"A": resources["A"], "C": parameter("two")}) == [["Modify", "C"], ["Remove", "B"]]
        assert self.create(stack, resources, "UPDATE", template=template, Tags=[{"Key": "a", "Value": "b"}])["Status"] == "CREATE_COMPLETE"


def test_a_stack_is_found_by_its_name_while_it_is_there_and_is_listed_afterwards(stack: Deployment, server: Any) -> None:
    client = stack.client
    first = client.create_stack(StackName=stack.name, TemplateBody=json.dumps({"Resources": {"A": PARAMETER}}))["StackId"]
    assert stack.wait() == "CREATE_COMPLETE"
    with pytest.raises(ClientError, match="AlreadyExists"):
        stack.client.create_stack(StackName=stack.name, TemplateBody=json.dumps({"Resources": {"A": PARAMETER}}))
    events = client.describe_stack_events(StackName=stack.name)["StackEvents"]
    assert [events[at]["ResourceStatus"] for at in (0, -1)] == ["CREATE_COMPLETE", "CREATE_IN_PROGRESS"]
    client.update_termination_protection(StackName=stack.name, EnableTerminationProtection=True)
    with pytest.raises(ClientError, match="cannot be deleted while TerminationProtection is enabled"):
        client.delete_stack(StackName=stack.name)
    client.update_termination_protection(StackName=stack.name, EnableTerminationProtection=False)
    stack.delete()

    def listed(*status: str) -> list[str]:
        return [item["StackStatus"] for item in client.list_stacks(StackStatusFilter=status)["StackSummaries"] if item["StackName"] == stack.name]

    stack.apply({"A": PARAMETER, "B": PARAMETER})
    assert sorted(listed()) == ["CREATE_COMPLETE", "DELETE_COMPLETE"]
    assert listed("DELETE_COMPLETE") == ["DELETE_COMPLETE"]
    assert client.describe_stacks(StackName=first)["Stacks"][0]["StackStatus"] == "DELETE_COMPLETE"
    found = [item["StackId"] for item in client.describe_stacks()["Stacks"] if item["StackName"] == stack.name]
    assert found == [client.describe_stacks(StackName=stack.name)["Stacks"][0]["StackId"]] != [first]
    [only] = client.describe_stack_resources(StackName=stack.name, LogicalResourceId="B")["StackResources"]
    assert only["PhysicalResourceId"] == stack.ids()["B"]
    with pytest.raises(ClientError, match="No updates are to be performed"):
        stack.apply({"A": PARAMETER, "B": PARAMETER})
    outputs = {"B": {"Value": {"Ref": "B"}, "Export": {"Name": stack.name}}}
    assert stack.apply({"A": PARAMETER, "B": PARAMETER}, Outputs=outputs) == "UPDATE_COMPLETE"
    other = Deployment(server.client("cloudformation"))
    assert other.apply({"B": PARAMETER}, Outputs=outputs) == "ROLLBACK_COMPLETE"
    assert "is already exported by stack" in other.reasons()
    other.delete()


def test_parameters_are_given_or_defaults_lists_or_refused(stack: Deployment, aws: Aws) -> None:
    declared = {
        "Size": {"Type": "Number", "Default": 1, "AllowedValues": [1, 2]},
        "Zones": {"Type": "CommaDelimitedList", "Default": "a, b"},
    }
    resources = {"A": parameter({"Fn::Join": ["-", [{"Ref": "Size"}, {"Fn::Select": [1, {"Ref": "Zones"}]}]]})}
    body = json.dumps({"Parameters": declared, "Resources": resources})
    stack.client.create_stack(StackName=stack.name, TemplateBody=body)
    assert stack.wait() == "CREATE_COMPLETE", stack.reasons()
    assert value_of(aws, stack.ids()["A"]) == "1-b"

    def update(**values: str) -> None:
        given = [{"ParameterKey": key, "ParameterValue": value} for key, value in values.items()]
        stack.client.update_stack(StackName=stack.name, TemplateBody=body, Parameters=given)

    update(Size="2", Zones="c,d")
    assert stack.wait() == "UPDATE_COMPLETE", stack.reasons()
    assert value_of(aws, stack.ids()["A"]) == "2-d"
    with pytest.raises(ClientError, match="'Size' must be one of AllowedValues"):
        update(Size="3")
    shown = {item["ParameterKey"]: item["ParameterValue"] for item in stack.client.describe_stacks(StackName=stack.name)["Stacks"][0]["Parameters"]}
    assert shown == {"Size": "2", "Zones": "c,d"}


def test_an_action_that_is_not_implemented_is_an_error_that_no_sdk_repeats(aws: Aws) -> None:
    client = aws("cloudtrail")
    with pytest.raises(
        client.exceptions.ClientError, match="fsxbench lab: cloudtrail LookupEvents is not supported"
    ) as error:
        client.lookup_events()
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] < 500


def test_a_fleet_that_shrinks_and_goes_takes_its_volumes_and_interfaces_along(stack: Deployment, aws: Aws) -> None:
    ec2 = aws("ec2")
    subnet = ec2.describe_subnets()["Subnets"][0]["SubnetId"]
    data = {"ImageId": "ami-03cf127a", "InstanceType": "c5n.large", "UserData": "ZWNobw=="}
    disk = {"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 30, "VolumeType": "gp3", "Encrypted": True}}
    template = {
        "Type": "AWS::EC2::LaunchTemplate",
        "Properties": {"LaunchTemplateData": {**data, "BlockDeviceMappings": [disk]}},
    }
    use = {"LaunchTemplateId": {"Ref": "Template"}, "Version": {"Fn::GetAtt": ["Template", "LatestVersionNumber"]}}

    def fleet(size: int) -> dict[str, Any]:
        # A template may write numbers as text.
        properties = {"MinSize": str(size), "MaxSize": str(size), "VPCZoneIdentifier": [subnet], "LaunchTemplate": use}
        return {"Template": template, "Fleet": {"Type": "AWS::AutoScaling::AutoScalingGroup", "Properties": properties}}

    def count() -> tuple[int, int]:
        volumes = [item for item in ec2.describe_volumes()["Volumes"] if item["Size"] == 30]
        interfaces = [
            item for item in ec2.describe_network_interfaces()["NetworkInterfaces"] if item["SubnetId"] == subnet
        ]
        return len(volumes), len(interfaces)

    before = count()
    assert stack.apply(fleet(3)) == "CREATE_COMPLETE", stack.reasons()
    assert count() == (before[0] + 3, before[1] + 3)
    assert stack.apply(fleet(1)) == "UPDATE_COMPLETE", stack.reasons()
    assert count() == (before[0] + 1, before[1] + 1)
    template["Properties"]["LaunchTemplateData"]["UserData"] = "Mg=="
    assert stack.apply(fleet(2)) == "UPDATE_COMPLETE", stack.reasons()
    assert count() == (before[0] + 2, before[1] + 2)
    stack.delete()
    assert count() == before


def test_what_is_used_by_something_that_cannot_be_deleted_stays(stack: Deployment, aws: Aws) -> None:
    follower = {"Type": "AWS::S3::Bucket", "Properties": {"Tags": [{"Key": "uses", "Value": {"Ref": "Used"}}]}}
    stack.apply({"Used": PARAMETER, "Full": follower})
    ids = stack.ids()
    aws("s3").put_object(Bucket=ids["Full"], Key="a", Body=b"a")
    stack.client.delete_stack(StackName=stack.name)
    assert stack.wait() == "DELETE_FAILED"
    assert value_of(aws, ids["Used"]) == "one"
    aws("s3").delete_object(Bucket=ids["Full"], Key="a")
    stack.delete()


def test_an_owner_keeps_a_stack_from_another_before_anything_changes(stack: Deployment) -> None:
    """As lib/constructs/guards.ts writes it, and as `cdk deploy` updates: a parameter keeps its value."""

    def template(owner: str, **more: object) -> str:
        same = {"Assert": {"Fn::Equals": [{"Ref": "Owner"}, owner]}, "AssertDescription": "made by somebody else"}
        return json.dumps(
            {
                "Parameters": {"Owner": {"Type": "String", "Default": owner}},
                "Rules": {"SameOwner": {"Assertions": [same]}},
                "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}, **more},
            }
        )

    def update(owner: str) -> None:
        stack.client.update_stack(
            StackName=stack.name,
            TemplateBody=template(owner, More={"Type": "AWS::SNS::Topic"}),
            Parameters=[{"ParameterKey": "Owner", "UsePreviousValue": True}],
        )

    stack.client.create_stack(StackName=stack.name, TemplateBody=template("alice"))
    assert stack.wait() == "CREATE_COMPLETE"
    with pytest.raises(ClientError, match="made by somebody else"):
        update("bob")
    with pytest.raises(ClientError, match="made by somebody else"):
        stack.client.create_change_set(
            StackName=stack.name,
            ChangeSetName="cdk-deploy-change-set",
            TemplateBody=template("bob", More={"Type": "AWS::SNS::Topic"}),
            Parameters=[{"ParameterKey": "Owner", "UsePreviousValue": True}],
        )
    assert stack.status() == "CREATE_COMPLETE"
    update("alice")
    assert stack.wait() == "UPDATE_COMPLETE"
