"""S3 buckets and their policies, and the container registry of `cdk bootstrap`."""

from __future__ import annotations

import json
import re
from typing import Any

from ..aws import LabError, call
from .base import (
    ApiKind,
    Context,
    Made,
    Properties,
    Replaced,
    known_as,
    refuse_unknown,
    registry,
    tag_list,
    without,
)


def _encryption(value: Properties) -> Properties:
    rules = []
    for rule in value["ServerSideEncryptionConfiguration"]:
        shaped = without(rule, "ServerSideEncryptionByDefault", "BlockedEncryptionTypes")
        if "ServerSideEncryptionByDefault" in rule:
            shaped["ApplyServerSideEncryptionByDefault"] = rule["ServerSideEncryptionByDefault"]
        rules.append(shaped)
    return {"Rules": rules}


def _lifecycle(value: Properties) -> Properties:
    return {"Rules": [_lifecycle_rule(rule) for rule in value["Rules"]]}


def _lifecycle_rule(rule: Properties) -> Properties:
    """Convert a template's flat rule to the API's, which nests filter and expiration."""
    shaped: Properties = {"Status": rule["Status"]}
    if "Id" in rule:
        shaped["ID"] = rule["Id"]
    tags = rule.get("TagFilters", [])
    conditions = {**({"Prefix": rule["Prefix"]} if "Prefix" in rule else {}), **({"Tags": tags} if tags else {})}
    sizes = {name: int(rule[name]) for name in ("ObjectSizeGreaterThan", "ObjectSizeLessThan") if name in rule}
    conditions.update(sizes)
    single = len(conditions) < 2 and not tags
    shaped["Filter"] = (conditions or {"Prefix": ""}) if single else {"And": conditions}
    expiration = {
        api: rule[name]
        for name, api in (("ExpirationInDays", "Days"), ("ExpirationDate", "Date"), ("ExpiredObjectDeleteMarker",) * 2)
        if name in rule
    }
    if expiration:
        shaped["Expiration"] = expiration
    if "Transitions" in rule:
        shaped["Transitions"] = [
            _transition(item, "Days", "TransitionInDays", "TransitionDate") for item in rule["Transitions"]
        ]
    if "NoncurrentVersionExpiration" in rule:
        shaped["NoncurrentVersionExpiration"] = rule["NoncurrentVersionExpiration"]
    if "NoncurrentVersionTransitions" in rule:
        shaped["NoncurrentVersionTransitions"] = [
            _transition(item, "NoncurrentDays", "TransitionInDays", "") for item in rule["NoncurrentVersionTransitions"]
        ]
    if "AbortIncompleteMultipartUpload" in rule:
        shaped["AbortIncompleteMultipartUpload"] = rule["AbortIncompleteMultipartUpload"]
    known = {"Status", "Id", "TagFilters", "Prefix", "ExpirationInDays", "ExpirationDate", "ExpiredObjectDeleteMarker"}
    known |= {
        "Transitions",
        "NoncurrentVersionExpiration",
        "NoncurrentVersionTransitions",
        "AbortIncompleteMultipartUpload",
    }
    unknown = set(rule) - known - set(sizes)
    if unknown:
        raise LabError(f"fsxbench lab: lifecycle rules of AWS::S3::Bucket do not support {', '.join(sorted(unknown))}")
    return shaped


def _transition(item: Properties, days_key: str, days: str, date: str) -> Properties:
    shaped: Properties = {"StorageClass": item["StorageClass"]}
    if days in item:
        shaped[days_key] = item[days]
    if date and date in item:
        shaped["Date"] = item[date]
    if "NewerNoncurrentVersions" in item:
        shaped["NewerNoncurrentVersions"] = item["NewerNoncurrentVersions"]
    return shaped


def _logging(value: Properties) -> Properties:
    return {
        "LoggingEnabled": {
            "TargetBucket": value["DestinationBucketName"],
            "TargetPrefix": value.get("LogFilePrefix", ""),
        }
    }


def _cors(value: Properties) -> Properties:
    names = {"AllowedHeaders", "AllowedMethods", "AllowedOrigins"}
    return {"CORSRules": [{key: inner for key, inner in rule.items() if key in names} for rule in value["CorsRules"]]}


# Template property -> method, member of its request, and conversion of the value.
_SETTINGS: dict[str, tuple[str, str, Any]] = {
    "VersioningConfiguration": ("put_bucket_versioning", "VersioningConfiguration", dict),
    "PublicAccessBlockConfiguration": ("put_public_access_block", "PublicAccessBlockConfiguration", dict),
    "BucketEncryption": ("put_bucket_encryption", "ServerSideEncryptionConfiguration", _encryption),
    "LifecycleConfiguration": ("put_bucket_lifecycle_configuration", "LifecycleConfiguration", _lifecycle),
    "OwnershipControls": ("put_bucket_ownership_controls", "OwnershipControls", dict),
    "LoggingConfiguration": ("put_bucket_logging", "BucketLoggingStatus", _logging),
    "CorsConfiguration": ("put_bucket_cors", "CORSConfiguration", _cors),
    # LogDeliveryWrite in a template is log-delivery-write in the API.
    "AccessControl": ("put_bucket_acl", "ACL", lambda value: re.sub(r"(?<!^)(?=[A-Z])", "-", value).lower()),
}
# Accepted without effect: moto does not keep it, and nothing here publishes S3 metrics.
_WITHOUT_EFFECT = {"MetricsConfigurations"}
_RESET = {
    "LifecycleConfiguration": "delete_bucket_lifecycle",
    "CorsConfiguration": "delete_bucket_cors",
    "PublicAccessBlockConfiguration": "delete_public_access_block",
}


@known_as("AWS::S3::Bucket")
class Bucket:
    """A bucket. As on AWS, it can be deleted only if it is empty."""

    def create(self, context: Context, properties: Properties) -> Made:
        refuse_unknown(context, properties, {"BucketName", "Tags", *_SETTINGS, *_WITHOUT_EFFECT})
        name = properties.get("BucketName") or context.name(63, lower=True)
        request: Properties = {"Bucket": name}
        if context.region != "us-east-1":
            request["CreateBucketConfiguration"] = {"LocationConstraint": context.region}
        context.client("s3").create_bucket(**request)
        self._settings(context, name, {}, properties)
        return Made(
            name,
            {
                "Arn": f"arn:aws:s3:::{name}",
                "DomainName": f"{name}.s3.amazonaws.com",
                "RegionalDomainName": f"{name}.s3.{context.region}.amazonaws.com",
                "WebsiteURL": f"http://{name}.s3-website-{context.region}.amazonaws.com",
            },
        )

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        refuse_unknown(context, new, {"BucketName", "Tags", *_SETTINGS, *_WITHOUT_EFFECT})
        if old.get("BucketName") != new.get("BucketName"):
            return None
        self._settings(context, made.physical_id, old, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("s3").delete_bucket(Bucket=made.physical_id)

    def _settings(self, context: Context, bucket: str, old: Properties, new: Properties) -> None:
        client = context.client("s3")
        for name, (method, member, shape) in _SETTINGS.items():
            if name in new and new[name] != old.get(name):
                call(client, method, {"Bucket": bucket, member: shape(new[name])})
            elif name in old and name not in new:
                if name not in _RESET:
                    raise LabError(f"fsxbench lab: {name} of AWS::S3::Bucket cannot be removed again")
                call(client, _RESET[name], {"Bucket": bucket})
        _tag(context, bucket, new)


def _tag(context: Context, bucket: str, properties: Properties) -> None:
    """Tag a bucket, including CloudFormation's own tags, which the API rejects, so this uses the model."""
    from moto.s3.models import s3_backends

    tags = {item["Key"]: item["Value"] for item in tag_list(context, properties)}
    s3_backends[context.account]["aws"].put_bucket_tagging(bucket, tags)


@known_as("AWS::S3::BucketPolicy")
class BucketPolicy:
    """A bucket policy; see `policy.py` for the part that is enforced."""

    def create(self, context: Context, properties: Properties) -> Made:
        document = json.dumps(properties["PolicyDocument"])
        context.client("s3").put_bucket_policy(Bucket=properties["Bucket"], Policy=document)
        return Made(properties["Bucket"])

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        return self.create(context, new) if old["Bucket"] == new["Bucket"] else None

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("s3").delete_bucket_policy(Bucket=properties["Bucket"])


@known_as("AWS::ECR::Repository")
class Repository(Replaced):
    """A container registry's repository."""

    def create(self, context: Context, properties: Properties) -> Made:
        client = context.client("ecr")
        name = properties.get("RepositoryName") or context.name(lower=True)
        request = {
            "repositoryName": name,
            "imageTagMutability": properties.get("ImageTagMutability", "MUTABLE"),
            "imageScanningConfiguration": {
                "scanOnPush": properties.get("ImageScanningConfiguration", {}).get("ScanOnPush", False)
            },
        }
        repository = call(client, "create_repository", request)["repository"]
        if "LifecyclePolicy" in properties:
            text = properties["LifecyclePolicy"]["LifecyclePolicyText"]
            client.put_lifecycle_policy(repositoryName=name, lifecyclePolicyText=text)
        if "RepositoryPolicyText" in properties:
            client.set_repository_policy(repositoryName=name, policyText=json.dumps(properties["RepositoryPolicyText"]))
        return Made(name, {"Arn": repository["repositoryArn"], "RepositoryUri": repository["repositoryUri"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ecr").delete_repository(repositoryName=made.physical_id, force=True)


def _key_request(context: Context, properties: Properties) -> Properties:
    request = without(
        properties, "KeyPolicy", "EnableKeyRotation", "PendingWindowInDays", "Enabled", "RotationPeriodInDays"
    )
    if "Tags" in properties:
        request["Tags"] = [{"TagKey": item["Key"], "TagValue": item["Value"]} for item in properties["Tags"]]
    return {**request, "Policy": json.dumps(properties["KeyPolicy"])}


@known_as("AWS::KMS::Key")
class Key(Replaced):
    """An encryption key; removing it schedules its deletion, as on AWS."""

    def create(self, context: Context, properties: Properties) -> Made:
        key = call(context.client("kms"), "create_key", _key_request(context, properties))["KeyMetadata"]
        if properties.get("EnableKeyRotation"):
            context.client("kms").enable_key_rotation(KeyId=key["KeyId"])
        return Made(key["KeyId"], {"Arn": key["Arn"], "KeyId": key["KeyId"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        days = int(properties.get("PendingWindowInDays", 30))
        context.client("kms").schedule_key_deletion(KeyId=made.physical_id, PendingWindowInDays=days)


registry["AWS::KMS::Alias"] = ApiKind(
    "kms", "create_alias", "AliasName", "delete_alias", {"AliasName": "Ref"}, {"AliasName": "AliasName"}
)
