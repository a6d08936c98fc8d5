"""IAM decides what users and roles may call; the lab's own key may call everything."""

from __future__ import annotations

import json
import uuid
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from conftest import Deployment, Server

from fsxbench_lab.permissions import allows


def statement(action: str, resource: str = "*", effect: str = "Allow", **more: Any) -> dict[str, Any]:
    return {"Version": "2012-10-17", "Statement": [{"Effect": effect, "Action": action, "Resource": resource, **more}]}


@pytest.mark.parametrize(
    ("documents", "resource", "expected"),
    [
        ([], "arn:aws:s3:::a/b", False),
        ([statement("s3:Get*")], "arn:aws:s3:::a/b", True),
        ([statement("S3:getobject")], None, True),
        ([statement("s3:GetObject", "arn:*:s3:::a/*")], "arn:aws:s3:::a/b", True),
        ([statement("s3:GetObject", "arn:*:s3:::a/*")], "arn:aws:s3:::c/b", False),
        ([statement("s3:GetObject", "arn:*:s3:::a/*")], None, True),
        ([statement("s3:GetObjectVersion")], None, False),
        ([statement("*"), statement("s3:*", effect="Deny")], None, False),
        ([statement("*"), statement("s3:*", effect="Deny", Condition={"Bool": {}})], None, True),
        ([{"Statement": {"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"}}], None, True),
        ([{"Statement": {"Effect": "Allow", "NotAction": "s3:*", "Resource": "*"}}], None, False),
    ],
)
def test_a_denial_wins_and_the_rest_is_denied(documents: list[dict[str, Any]], resource: str | None, expected: bool) -> None:
    assert allows(documents, "s3:GetObject", resource) is expected


def test_a_user_may_call_what_its_policy_allows_and_a_stack_needs_its_role_to(server: Server) -> None:
    iam, name = server.client("iam"), f"user-{uuid.uuid4().hex[:8]}"
    iam.create_user(UserName=name)
    key = iam.create_access_key(UserName=name)["AccessKey"]

    def of(service: str, token: str | None = None, pair: dict[str, str] = key) -> Any:
        return boto3.client(
            service,
            region_name="us-east-1",
            endpoint_url=server.endpoint,
            aws_access_key_id=pair["AccessKeyId"],
            aws_secret_access_key=pair["SecretAccessKey"],
            aws_session_token=token,
            config=Config(retries={"max_attempts": 1, "mode": "standard"}, s3={"addressing_style": "path"}),
        )

    assert of("sts").get_caller_identity()["Arn"].endswith(name)
    for service, call, action in (
        ("ec2", "describe_instances", "ec2:DescribeInstances"),
        ("fsx", "describe_file_systems", "fsx:DescribeFileSystems"),
        ("cloudwatch", "list_metrics", "cloudwatch:ListMetrics"),
        ("s3", "list_buckets", "s3:ListAllMyBuckets"),
        ("efs", "describe_file_systems", "elasticfilesystem:DescribeFileSystems"),
        ("logs", "describe_log_groups", "logs:DescribeLogGroups"),
        ("stepfunctions", "list_state_machines", "states:ListStateMachines"),
        ("cloudformation", "list_stacks", "cloudformation:ListStacks"),
    ):
        with pytest.raises(ClientError, match=f"not authorized to perform: {action}"):
            getattr(of(service), call)()
        iam.put_user_policy(UserName=name, PolicyName="p", PolicyDocument=json.dumps(statement(action)))
        getattr(of(service), call)()

    role = f"role-{uuid.uuid4().hex[:8]}"
    arn = iam.create_role(RoleName=role, AssumeRolePolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": []}))["Role"]["Arn"]
    stack = Deployment(server.client("cloudformation"))
    topic = {"Resources": {"T": {"Type": "AWS::SNS::Topic", "Properties": {}}}}
    stack.client.create_stack(StackName=stack.name, TemplateBody=json.dumps(topic), RoleARN=arn)
    assert stack.wait() == "ROLLBACK_COMPLETE"
    reasons = [event.get("ResourceStatusReason", "") for event in stack.client.describe_stack_events(StackName=stack.name)["StackEvents"]]
    assert any(f"{role}/AWSCloudFormation is not authorized to perform: sns:CreateTopic" in reason for reason in reasons)
