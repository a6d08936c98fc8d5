"""Wait conditions: machines put signals into a bucket by a signed address, as on AWS, and the condition reads them there.

Environment: FSXBENCH_LAB_BOOTS, `true` if machines will signal. The emulated ones do not boot, so a condition without signals holds otherwise.
"""

from __future__ import annotations

import json
import os
import time

from ..aws import LabError
from .base import Context, Made, Properties, Replaced, known_as

_POLL_SECONDS = 0.1


def _bucket(context: Context) -> str:
    return f"cloudformation-waitcondition-{context.region}"


@known_as("AWS::CloudFormation::WaitConditionHandle")
class WaitConditionHandle(Replaced):
    """A signed address, which takes a signal from anybody who knows it."""

    def create(self, context: Context, properties: Properties) -> Made:
        client, bucket = context.of_service("s3"), _bucket(context)
        client.create_bucket(Bucket=bucket)
        client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
        key = {"Bucket": bucket, "Key": context.name()}
        return Made(client.generate_presigned_url("put_object", Params=key, ExpiresIn=86_400))

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        """The signals stay, as on AWS."""


@known_as("AWS::CloudFormation::WaitCondition")
class WaitCondition(Replaced):
    """Waits for the signals of its handle, and fails with the reason of the first failure."""

    def create(self, context: Context, properties: Properties) -> Made:
        deadline = time.monotonic() + float(properties["Timeout"])
        count, waits = int(properties.get("Count", 1)), os.environ.get("FSXBENCH_LAB_BOOTS") == "true"
        while True:
            good: set[str] = set()
            for signal in self._signals(context, properties["Handle"]):
                if signal["Status"] == "FAILURE":
                    raise LabError(_failed(signal["Reason"], signal["UniqueId"]))
                good.add(signal["UniqueId"])
            for status, unique_id in context.signals():  # of SignalResource, which has no reason
                if status == "FAILURE":
                    raise LabError(f"Received FAILURE signal with UniqueId {unique_id}")
                good.add(unique_id)
            if len(good) >= count or not waits:
                return Made(f"{context.stack_id}/{context.logical_id}")
            if time.monotonic() > deadline:
                raise LabError(f"WaitCondition timed out. Received {len(good)} conditions when expecting {count}")
            time.sleep(_POLL_SECONDS)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        raise LabError("Update to resource type AWS::CloudFormation::WaitCondition is not supported.")

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        """Nothing is left of it."""

    @staticmethod
    def _signals(context: Context, handle: str) -> list[dict[str, str]]:
        client, bucket = context.of_service("s3"), _bucket(context)
        key = handle.split("?")[0].rsplit("/", 1)[1]
        versions = client.list_object_versions(Bucket=bucket, Prefix=key).get("Versions", [])
        return [
            json.loads(client.get_object(Bucket=bucket, Key=key, VersionId=item["VersionId"])["Body"].read())
            for item in reversed(versions)
        ]


def _failed(reason: str, unique_id: str) -> str:
    return f"WaitCondition received failed message: '{reason}' for uniqueId: {unique_id}"
