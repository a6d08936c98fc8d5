"""S3: policies and settings of buckets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from conftest import Deployment

Aws = Callable[[str], Any]


class TestS3:
    def test_a_policy_that_demands_tls_does_not_lock_the_lab_out(self, stack: Deployment, aws: Aws) -> None:
        deny = {"Effect": "Deny", "Principal": "*", "Action": "s3:*", "Resource": "*"}
        tls = {**deny, "Condition": {"Bool": {"aws:SecureTransport": "false"}}}
        policy = {
            "Type": "AWS::S3::BucketPolicy",
            "Properties": {"Bucket": {"Ref": "Bucket"}, "PolicyDocument": {"Statement": [tls]}},
        }
        assert stack.apply({"Bucket": {"Type": "AWS::S3::Bucket"}, "Policy": policy}) == "CREATE_COMPLETE"
        bucket = stack.ids()["Bucket"]
        aws("s3").put_object(Bucket=bucket, Key="a", Body=b"a")
        aws("s3").delete_object(Bucket=bucket, Key="a")
        assert "SecureTransport" in aws("s3").get_bucket_policy(Bucket=bucket)["Policy"]
        stack.delete()

    def test_a_denial_without_condition_is_obeyed(self, stack: Deployment, aws: Aws) -> None:
        deny = {"Effect": "Deny", "Principal": "*", "Action": "s3:PutObject", "Resource": "*"}
        policy = {
            "Type": "AWS::S3::BucketPolicy",
            "Properties": {"Bucket": {"Ref": "Bucket"}, "PolicyDocument": {"Statement": [deny]}},
        }
        stack.apply({"Bucket": {"Type": "AWS::S3::Bucket"}, "Policy": policy})
        with pytest.raises(ClientError, match="403"):
            aws("s3").put_object(Bucket=stack.ids()["Bucket"], Key="a", Body=b"a")
        stack.delete()

    def test_a_bucket_has_the_settings_that_were_declared(self, stack: Deployment, aws: Aws) -> None:
        days = [{"StorageClass": "STANDARD_IA", "TransitionInDays": 30}]
        rules = [
            {
                "Id": "old",
                "Status": "Enabled",
                "Prefix": "runs/",
                "Transitions": days,
                "NoncurrentVersionExpiration": {"NoncurrentDays": 9},
            }
        ]
        block = {
            "BlockPublicAcls": True,
            "BlockPublicPolicy": True,
            "IgnorePublicAcls": True,
            "RestrictPublicBuckets": True,
        }
        properties = {
            "VersioningConfiguration": {"Status": "Enabled"},
            "PublicAccessBlockConfiguration": block,
            "LifecycleConfiguration": {"Rules": rules},
            "Tags": [{"Key": "team", "Value": "storage"}],
        }
        assert stack.apply({"Bucket": {"Type": "AWS::S3::Bucket", "Properties": properties}}) == "CREATE_COMPLETE", (
            stack.reasons()
        )
        client, bucket = aws("s3"), stack.ids()["Bucket"]
        assert client.get_bucket_versioning(Bucket=bucket)["Status"] == "Enabled"
        tags = {tag["Key"]: tag["Value"] for tag in client.get_bucket_tagging(Bucket=bucket)["TagSet"]}
        assert tags["team"] == "storage"
        assert tags["aws:cloudformation:stack-name"] == stack.name
        assert client.get_public_access_block(Bucket=bucket)["PublicAccessBlockConfiguration"] == block
        rule = client.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"][0]
        assert rule["ID"] == "old"
        assert rule["Transitions"] == [{"Days": 30, "StorageClass": "STANDARD_IA"}]
        assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 9}
