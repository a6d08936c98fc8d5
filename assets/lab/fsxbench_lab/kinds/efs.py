"""EFS: file systems, their policies and their mount targets."""

from __future__ import annotations

import json

from ..aws import call
from .base import Context, Made, Properties, Replaced, known_as, refuse_unknown, tag_list, without

_POLICY = "FileSystemPolicy"
_BACKUP = "BackupPolicy"
_KNOWN = {
    "Encrypted",
    "PerformanceMode",
    "ThroughputMode",
    "ProvisionedThroughputInMibps",
    "AvailabilityZoneName",
    "FileSystemTags",
    _POLICY,
    _BACKUP,
}


@known_as("AWS::EFS::FileSystem")
class FileSystem:
    """A file system. Only its policy can be changed in place here; the emulator knows no UpdateFileSystem."""

    def create(self, context: Context, properties: Properties) -> Made:
        refuse_unknown(context, properties, _KNOWN)
        request = {
            "CreationToken": context.name(64),
            "Backup": properties.get(_BACKUP, {}).get("Status") == "ENABLED",
            "Tags": tag_list(context, {"Tags": properties.get("FileSystemTags", [])}),
            **without(properties, _POLICY, _BACKUP, "FileSystemTags"),
        }
        answer = call(context.client("efs"), "create_file_system", request)
        made = Made(answer["FileSystemId"], {"FileSystemId": answer["FileSystemId"], "Arn": answer["FileSystemArn"]})
        self._put_policy(context, made, properties)
        return made

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        if without(old, _POLICY) != without(new, _POLICY) or _POLICY not in new:
            return None
        self._put_policy(context, made, new)
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("efs").delete_file_system(FileSystemId=made.physical_id)

    def _put_policy(self, context: Context, made: Made, properties: Properties) -> None:
        if _POLICY in properties:
            request = {"FileSystemId": made.physical_id, "Policy": json.dumps(properties[_POLICY])}
            call(context.client("efs"), "put_file_system_policy", request)


@known_as("AWS::EFS::MountTarget")
class MountTarget(Replaced):
    """Where clients of a subnet reach a file system."""

    def create(self, context: Context, properties: Properties) -> Made:
        answer = call(context.client("efs"), "create_mount_target", properties)
        return Made(answer["MountTargetId"], {"Id": answer["MountTargetId"], "IpAddress": answer["IpAddress"]})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("efs").delete_mount_target(MountTargetId=made.physical_id)
