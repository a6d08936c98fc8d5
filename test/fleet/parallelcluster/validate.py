"""Asks ParallelCluster's own schema and validators about cluster configurations, without AWS.

usage: validate.py <CONFIGURATIONS.json     a JSON array of configurations; runs in the lab's Python, with ParallelCluster on PYTHONPATH

Prints a JSON array with, for each configuration, {accepted, problems: [{level, validator, message}], ran: [validator…], skipped: [validator…]}.
A validator that asks AWS something of the account is skipped, never passed. What AWS documents alike for every account is answered here: instance
types from moto's copy of DescribeInstanceTypes, the architecture of the official image.
"""

import asyncio
import gzip
import json
import os
import sys
from importlib.resources import files

# Before any import of pcluster, which reads them. Nothing may leave this machine: a client that is made all the same finds nobody. What the user has
# configured does not matter, and may be wrong: boto3 refuses a profile that does not exist.
for name in ("AWS_PROFILE", "AWS_DEFAULT_PROFILE"):
    os.environ.pop(name, None)
os.environ.update(
    AWS_CONFIG_FILE=os.devnull,
    AWS_SHARED_CREDENTIALS_FILE=os.devnull,
    AWS_DEFAULT_REGION="us-east-1",
    AWS_ACCESS_KEY_ID="none",
    AWS_SECRET_ACCESS_KEY="none",
    AWS_EC2_METADATA_DISABLED="true",
    AWS_ENDPOINT_URL="http://127.0.0.1:1",
    AWS_MAX_ATTEMPTS="1",
)

from marshmallow import ValidationError  # noqa: E402
from pcluster.aws.aws_api import AWSApi  # noqa: E402
from pcluster.aws.aws_resources import FsxStorageInfo, ImageInfo, InstanceTypeInfo  # noqa: E402
from pcluster.aws.common import AWSClientError  # noqa: E402
from pcluster.config.common import Resource  # noqa: E402
from pcluster.schemas.cluster_schema import ClusterSchema  # noqa: E402
from pcluster.validators.common import AsyncValidator, FailureLevel, ValidationResult  # noqa: E402
from pcluster.validators import iam_validators  # noqa: E402

NEEDS_AWS = "asks the account for"
IMAGE = "ami-0123456789abcdef0"


class NeedsAws(Exception):
    """What only an account can tell."""


class Account:
    """A service of which nothing is known."""

    def __init__(self, service):
        self.service = service

    def __getattr__(self, operation):
        def ask(*_, **__):
            raise NeedsAws(f"{NEEDS_AWS} {self.service}.{operation}")

        return ask


class Ec2(Account):
    def __init__(self):
        super().__init__("ec2")
        data = files("moto.ec2.resources").joinpath("instance_types.json.gz").read_bytes()
        self.types = json.loads(gzip.decompress(data))

    def get_instance_type_info(self, name):
        found = self.types.get(name)
        if found is None:
            raise AWSClientError("describe_instance_types", f"The instance type '{name}' does not exist")
        return InstanceTypeInfo(found)

    def get_supported_architectures(self, name):
        return self.get_instance_type_info(name).supported_architecture()

    def list_instance_types(self):
        return list(self.types)

    def describe_capacity_reservations(self, *_):
        return []

    def get_official_image_id(self, os, architecture, filters=None):
        self.architecture = architecture
        return IMAGE

    def describe_image(self, ami_id):
        # That of the newest release: a root volume of 50 GB.
        return ImageInfo(
            {
                "ImageId": IMAGE,
                "Name": "aws-parallelcluster-3.16.1-amzn2023-hvm",
                "Architecture": self.architecture,
                "State": "available",
                "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"VolumeSize": 50}}],
            }
        )

    # One subnet, in the VPC of everything.
    def get_subnet_avail_zone(self, _):
        return "us-east-1a"

    def get_subnets_az_mapping(self, ids):
        return dict.fromkeys(ids, "us-east-1a")

    def get_subnet_vpc(self, _):
        return "vpc-0123456789abcdef0"


class Fsx(Account):
    def __init__(self):
        super().__init__("fsx")

    def get_file_systems_info(self, ids):
        known = {
            "FileSystemType": "LUSTRE",
            "SubnetIds": ["subnet-0123456789abcdef0"],
            "NetworkInterfaceIds": ["eni-0123456789abcdef0"],
        }
        return [FsxStorageInfo({**known, "FileSystemId": one}) for one in ids]


class Api:
    aws_region = "us-east-1"

    def __init__(self):
        self.ec2, self.fsx = Ec2(), Fsx()

    def __getattr__(self, service):
        return Account(service)


class Answers:
    """What the validators of one configuration said."""

    def __init__(self):
        self.ran, self.skipped = set(), set()

    def of(self, validator_class, arguments):
        validator = validator_class()
        try:
            if issubclass(validator_class, AsyncValidator):
                failures = asyncio.get_event_loop().run_until_complete(validator.execute_async(**arguments))
            else:
                failures = validator.execute(**arguments)
        except NeedsAws:
            self.skipped.add(validator.type)
            return []
        except Exception as error:  # an answer as good as any: ParallelCluster itself makes an error of it
            failures = [ValidationResult(str(error), FailureLevel.ERROR, validator.type)]
        # Some make a message of whatever is raised.
        if any(NEEDS_AWS in failure.message for failure in failures):
            self.skipped.add(validator.type)
            return []
        self.ran.add(validator.type)
        return failures

    def validate_self(self, resource, context, _suppressors):
        resource._validators.clear()
        try:
            resource._register_validators(context)
        except NeedsAws:
            self.skipped.add(f"further validators of {type(resource).__name__}")
        for validator_class, arguments in resource._validators:
            resource._validation_failures.extend(self.of(validator_class, arguments))


def ask_account(*_, **__):
    raise NeedsAws(f"{NEEDS_AWS} iam")


def messages(found, path=""):
    """The leaves of marshmallow's nested messages, each with its path."""
    if isinstance(found, dict):
        return [one for key, value in found.items() for one in messages(value, f"{path}/{key}")]
    if isinstance(found, list):
        return [one for value in found for one in messages(value, path)]
    return [f"{path.lstrip('/')}: {found}"]


def judge(configuration):
    answers = Answers()
    try:
        cluster = ClusterSchema(cluster_name="fsxbench").load(configuration)
    except ValidationError as error:
        problems = [{"level": "ERROR", "validator": "schema", "message": text} for text in messages(error.messages)]
        return {"accepted": False, "problems": problems, "ran": [], "skipped": []}
    Resource._validate_self = lambda self, context, suppressors: answers.validate_self(self, context, suppressors)
    failures = cluster.validate()
    return {
        "accepted": all(failure.level != FailureLevel.ERROR for failure in failures),
        "problems": [
            {"level": failure.level.name, "validator": failure.validator_type, "message": failure.message}
            for failure in failures
        ],
        "ran": sorted(answers.ran - answers.skipped),
        "skipped": sorted(answers.skipped),
    }


def main():
    # It makes its own client.
    iam_validators.IamPolicyValidator._validate = ask_account
    AWSApi._instance = Api()
    asyncio.set_event_loop(asyncio.new_event_loop())
    json.dump([judge(one) for one in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main()
