"""EFS: file systems, their policies and their mount targets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from conftest import Deployment

Aws = Callable[[str], Any]

STATEMENT = {"Effect": "Deny", "Principal": {"AWS": "*"}, "Action": "*"}
POLICY = {"Version": "2012-10-17", "Statement": [STATEMENT]}


def file_system(**properties: Any) -> dict[str, Any]:
    return {"Type": "AWS::EFS::FileSystem", "Properties": {"Encrypted": True, **properties}}


class TestEfs:
    @pytest.fixture
    def mounted(self, aws: Aws) -> dict[str, Any]:
        subnet = aws("ec2").describe_subnets()["Subnets"][0]
        group = aws("ec2").describe_security_groups(Filters=[{"Name": "vpc-id", "Values": [subnet["VpcId"]]}])
        properties = {
            "FileSystemId": {"Ref": "Fs"},
            "SubnetId": subnet["SubnetId"],
            "SecurityGroups": [group["SecurityGroups"][0]["GroupId"]],
        }
        return {"Type": "AWS::EFS::MountTarget", "Properties": properties}

    def test_a_file_system_is_there_with_its_mount_target_and_goes_with_its_stack(
        self, stack: Deployment, aws: Aws, mounted: dict[str, Any]
    ) -> None:
        fs = file_system(ThroughputMode="provisioned", ProvisionedThroughputInMibps=256, FileSystemPolicy=POLICY)
        assert stack.apply({"Fs": fs, "Target": mounted}) == "CREATE_COMPLETE", stack.reasons()
        identifier = stack.ids()["Fs"]
        found = aws("efs").describe_file_systems(FileSystemId=identifier)["FileSystems"][0]
        assert (found["ThroughputMode"], found["ProvisionedThroughputInMibps"]) == ("provisioned", 256)
        assert found["Encrypted"] is True
        assert json.loads(aws("efs").describe_file_system_policy(FileSystemId=identifier)["Policy"]) == POLICY
        targets = aws("efs").describe_mount_targets(FileSystemId=identifier)["MountTargets"]
        assert [target["SubnetId"] for target in targets] == [mounted["Properties"]["SubnetId"]]
        stack.delete()
        with pytest.raises(ClientError, match="FileSystemNotFound"):
            aws("efs").describe_file_systems(FileSystemId=identifier)

    def test_another_policy_leaves_the_file_system_and_another_mode_replaces_it(
        self, stack: Deployment, aws: Aws
    ) -> None:
        stack.apply({"Fs": file_system(FileSystemPolicy=POLICY)})
        before = stack.ids()["Fs"]
        other = {**POLICY, "Statement": [{**STATEMENT, "Sid": "Other"}]}
        assert stack.apply({"Fs": file_system(FileSystemPolicy=other)}) == "UPDATE_COMPLETE", stack.reasons()
        assert stack.ids()["Fs"] == before
        assert "Other" in aws("efs").describe_file_system_policy(FileSystemId=before)["Policy"]
        stack.apply({"Fs": file_system(FileSystemPolicy=other, ThroughputMode="elastic")})
        assert stack.ids()["Fs"] != before

    def test_a_property_that_it_would_not_carry_out_is_refused(self, stack: Deployment) -> None:
        stack.apply({"Fs": file_system(ReplicationConfiguration={})})
        assert "does not support ReplicationConfiguration" in stack.reasons()
