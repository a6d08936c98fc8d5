"""FSx's API beyond moto's, for Lustre and OpenZFS: states, mount names, updates, links to S3, root volumes, final backups.

Rejects nonsensical requests and those that conflict with other resources. Configurations that AWS would reject are checked by the
constructs, at synth.
"""

from __future__ import annotations

import json
import secrets
import string
import time
from typing import Any

from moto.core.exceptions import JsonRESTError
from moto.ec2.models import ec2_backends
from moto.fsx.exceptions import FileSystemNotFound
from moto.fsx.models import Backup, FileSystem, FSxBackend
from moto.fsx.responses import FSxResponse

_original_init = FileSystem.__init__
_original_to_dict = FileSystem.to_dict
_original_delete = FSxBackend.delete_file_system
_original_backup_to_dict = Backup.to_dict
_UPDATABLE = {
    "WeeklyMaintenanceStartTime",
    "DailyAutomaticBackupStartTime",
    "AutomaticBackupRetentionDays",
    "AutoImportPolicy",
    "DataCompressionType",
    "LogConfiguration",
    "RootSquashConfiguration",
    "PerUnitStorageThroughput",
    "MetadataConfiguration",
    "ThroughputCapacity",
    "DataReadCacheConfiguration",
}


class BadRequest(JsonRESTError):
    """FSx's error for an invalid request."""

    def __init__(self, message: str) -> None:
        super().__init__("BadRequest", message)


class InvalidNetworkSettings(JsonRESTError):
    """FSx's error for security groups that block the servers' traffic."""

    def __init__(self, message: str) -> None:
        super().__init__("InvalidNetworkSettings", message)


def _permits(rule: Any, group: str, *, efa: bool) -> bool:
    """True if a rule counts: for EFA all traffic with the named group, otherwise Lustre's ports with anyone."""
    if efa:
        return rule.ip_protocol == "-1" and rule.source_group.get("GroupId") == group
    return rule.ip_protocol == "-1" or (rule.ip_protocol == "tcp" and rule.from_port <= 988 <= rule.to_port)


def _check_groups(groups: list[Any], *, efa: bool) -> None:
    """Reject groups as FSx does at creation. Source: docs.aws.amazon.com/fsx/latest/LustreGuide/cannot-create-fs.html"""
    for direction in ("ingress_rules", "egress_rules"):
        if any(_permits(rule, group.id, efa=efa) for group in groups for rule in getattr(group, direction)):
            continue
        raise InvalidNetworkSettings(
            "Insufficient security group permissions to create an EFA-enabled file system. "
            "Update security group to allow all internal inbound and outbound traffic."
            if efa
            else "The file system cannot be created because the default security group in the subnet provided or the "
            "provided security groups do not permit Lustre LNET network traffic on port 988"
        )


def _init(self: FileSystem, *args: Any, **options: Any) -> None:
    kind = options.get("file_system_type")
    if kind not in ("LUSTRE", "OPENZFS"):
        raise BadRequest(f"fsxbench lab: file systems of type {kind} are not supported, only LUSTRE and OPENZFS")
    configuration = dict(options.get("lustre_configuration") or {})
    capacity = options.get("storage_capacity")
    if capacity is None and options.get("storage_type") != "INTELLIGENT_TIERING":
        raise BadRequest("StorageCapacity is required")
    if capacity is not None and capacity <= 0:
        raise BadRequest(f"StorageCapacity must be positive, got {capacity}")
    if not options.get("subnet_ids"):
        raise BadRequest("SubnetIds must hold one subnet")
    backend: FSxBackend = options["backend"]
    ec2 = ec2_backends[backend.account_id][backend.region_name]
    subnets = ec2.get_subnet(options["subnet_ids"][0])
    # Without any it has the VPC's default group, which allows its own traffic.
    groups = [ec2.get_security_group_from_id(group) for group in options.get("security_group_ids") or []]
    if groups and kind == "LUSTRE":
        _check_groups(groups, efa=configuration.get("EfaEnabled") is True)
    _original_init(self, *args, **options)
    self.file_system_id = f"fs-{secrets.token_hex(9)[:17]}"
    self.dns_name = f"{self.file_system_id}.fsx.{backend.region_name}.amazonaws.com"
    self.resource_arn = f"arn:aws:fsx:{backend.region_name}:{backend.account_id}:file-system/{self.file_system_id}"
    if options.get("tags"):
        backend.tagger.tag_resource(self.resource_arn, options["tags"])
    self.storage_type = options.get("storage_type") or "SSD"
    self.fsxbench = {
        "OwnerId": backend.account_id,
        "CreationTime": time.time(),
        "Lifecycle": "AVAILABLE",
        "VpcId": subnets.vpc_id,
        "NetworkInterfaceIds": [f"eni-{secrets.token_hex(9)[:17]}"],
        "AdministrativeActions": [],
    }
    if kind == "OPENZFS":
        self.open_zfs_configuration = _openzfs(self, options.get("open_zfs_configuration") or {})
        return
    self.fsxbench["FileSystemTypeVersion"] = "2.15"
    # SCRATCH_1's mount name is fixed; the others have eight characters that AWS chooses:
    # https://docs.aws.amazon.com/fsx/latest/LustreGuide/mounting.html.
    letters = string.ascii_lowercase + string.digits
    scratch_1 = configuration.get("DeploymentType", "SCRATCH_1") == "SCRATCH_1"
    mount_name = "fsx" if scratch_1 else "".join(secrets.choice(letters) for _ in range(8))
    self.lustre_configuration = {
        "DeploymentType": "SCRATCH_1",
        "DataCompressionType": "NONE",
        "CopyTagsToBackups": False,
        "WeeklyMaintenanceStartTime": "7:06:00",
        **configuration,
        "MountName": mount_name,
    }


def _openzfs(self: FileSystem, asked: dict[str, Any]) -> dict[str, Any]:
    """What FSx answers of an OpenZFS file system; its root volume is a resource of its own."""
    root = asked.get("RootVolumeConfiguration") or {}
    self.fsxbench_root = {
        "VolumeId": f"fsvol-{secrets.token_hex(9)[:17]}",
        "VolumeType": "OPENZFS",
        "Lifecycle": "AVAILABLE",
        "FileSystemId": self.file_system_id,
        "OpenZFSConfiguration": {"DataCompressionType": "NONE", "RecordSizeKiB": 128, "VolumePath": "/fsx", **root},
    }
    return {
        "DiskIopsConfiguration": {"Mode": "AUTOMATIC", "Iops": 3 * self.storage_capacity},
        **{key: value for key, value in asked.items() if key != "RootVolumeConfiguration"},
        "RootVolumeId": self.fsxbench_root["VolumeId"],
    }


def _to_dict(self: FileSystem) -> dict[str, Any]:
    return {**_original_to_dict(self), **self.fsxbench}


def _create_file_system(self: FSxBackend, **options: Any) -> FileSystem:
    version = options.pop("file_system_type_version", None)
    options.pop("client_request_token", None)
    file_system = FileSystem(account_id=self.account_id, region_name=self.region_name, backend=self, **options)
    if version:
        file_system.fsxbench["FileSystemTypeVersion"] = version
    self.file_systems[file_system.file_system_id] = file_system
    return file_system


def _delete_file_system(self: FSxBackend, file_system_id: str, **options: Any) -> Any:
    """OpenZFS leaves a final backup unless the call declines it, with the tags if they are to be copied.

    Source: docs.aws.amazon.com/fsx/latest/APIReference/API_DeleteFileSystemOpenZFSConfiguration.html
    """
    system = _find(self, file_system_id)
    declined = (options.get("open_zfs_configuration") or {}).get("SkipFinalBackup")
    if system.file_system_type == "OPENZFS" and not declined:
        copied = system.open_zfs_configuration.get("CopyTagsToBackups")
        tags = self.list_tags_for_resource(system.resource_arn) if copied else []
        own = [tag for tag in tags if not tag["Key"].startswith("aws:")]
        backup = self.create_backup(file_system_id, None, None, own)
        backup.fsxbench = {"Lifecycle": "AVAILABLE", "Type": "USER_INITIATED", "FileSystem": system.to_dict()}
    return _original_delete(self, file_system_id, **options)


def _backup_to_dict(self: Backup) -> dict[str, Any]:
    return {**_original_backup_to_dict(self), **getattr(self, "fsxbench", {})}


def _find(backend: FSxBackend, file_system_id: str) -> FileSystem:
    if file_system_id not in backend.file_systems:
        raise FileSystemNotFound(file_system_id)
    return backend.file_systems[file_system_id]


def _describe_file_systems(response: FSxResponse) -> str:
    # moto omits missing file systems; FSx returns FileSystemNotFound.
    parameters = json.loads(response.body)
    backend = response.fsx_backend
    wanted = parameters.get("FileSystemIds") or list(backend.file_systems)
    return json.dumps({"FileSystems": [_find(backend, item).to_dict() for item in wanted]})


def _describe_volumes(response: FSxResponse) -> str:
    wanted = json.loads(response.body).get("VolumeIds")
    roots = [getattr(item, "fsxbench_root", None) for item in response.fsx_backend.file_systems.values()]
    return json.dumps({"Volumes": [root for root in roots if root and (not wanted or root["VolumeId"] in wanted)]})


def _update_file_system(response: FSxResponse) -> str:
    parameters = json.loads(response.body)
    file_system = _find(response.fsx_backend, parameters["FileSystemId"])
    changes = parameters.get("LustreConfiguration", {})
    unknown = set(changes) - _UPDATABLE
    if unknown:
        raise BadRequest(f"LustreConfiguration cannot be updated in {', '.join(sorted(unknown))}")
    capacity = parameters.get("StorageCapacity")
    if capacity is not None:
        if capacity <= file_system.storage_capacity:
            raise BadRequest(f"StorageCapacity can only grow, from {file_system.storage_capacity} GiB, got {capacity}")
        file_system.storage_capacity = capacity
    file_system.lustre_configuration = {**file_system.lustre_configuration, **changes}
    wanted = {"LustreConfiguration": changes, **({"StorageCapacity": capacity} if capacity is not None else {})}
    action = {
        "AdministrativeActionType": "FILE_SYSTEM_UPDATE",
        "RequestTime": time.time(),
        "Status": "COMPLETED",
        "TargetFileSystemValues": wanted,
    }
    file_system.fsxbench["AdministrativeActions"].append(action)
    return json.dumps({"FileSystem": file_system.to_dict()})


def _associations(backend: FSxBackend) -> dict[str, dict[str, Any]]:
    if not hasattr(backend, "fsxbench_associations"):
        backend.fsxbench_associations = {}
    return backend.fsxbench_associations


def _create_data_repository_association(response: FSxResponse) -> str:
    parameters = json.loads(response.body)
    backend = response.fsx_backend
    if _find(backend, parameters["FileSystemId"]).storage_type == "INTELLIGENT_TIERING":
        # Source: docs.aws.amazon.com/fsx/latest/APIReference/API_DataRepositoryAssociation.html
        raise BadRequest("Data repository associations are not supported on Intelligent-Tiering file systems")
    if not parameters["DataRepositoryPath"].startswith("s3://"):
        raise BadRequest(f"DataRepositoryPath must begin with s3://, got {parameters['DataRepositoryPath']}")
    identifier = f"dra-{secrets.token_hex(9)[:17]}"
    association = {
        **{key: value for key, value in parameters.items() if key != "ClientRequestToken"},
        "AssociationId": identifier,
        "Lifecycle": "AVAILABLE",
        "CreationTime": time.time(),
        "ResourceARN": f"arn:aws:fsx:{backend.region_name}:{backend.account_id}:association/{parameters['FileSystemId']}/{identifier}",
    }
    _associations(backend)[identifier] = association
    if parameters.get("BatchImportMetaDataOnCreate"):
        # There is no bucket behind it: nothing is imported, at once.
        task = {
            "TaskId": f"task-{secrets.token_hex(9)[:17]}",
            "Type": "IMPORT_METADATA_FROM_REPOSITORY",
            "FileSystemId": parameters["FileSystemId"],
            "Lifecycle": "SUCCEEDED",
            "CreationTime": time.time(),
            "Status": {"TotalCount": 0, "SucceededCount": 0, "FailedCount": 0},
        }
        association["LabTask"] = task
    return json.dumps({"Association": _described(association)})


def _described(association: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in association.items() if key != "LabTask"}


def _describe_data_repository_tasks(response: FSxResponse) -> str:
    filters = {item["Name"]: item["Values"] for item in json.loads(response.body).get("Filters", [])}
    systems = filters.get("file-system-id")
    tasks = [item["LabTask"] for item in _associations(response.fsx_backend).values() if "LabTask" in item]
    return json.dumps({"DataRepositoryTasks": [task for task in tasks if not systems or task["FileSystemId"] in systems]})


def _describe_data_repository_associations(response: FSxResponse) -> str:
    parameters = json.loads(response.body)
    wanted = parameters.get("AssociationIds")
    filters = {item["Name"]: item["Values"] for item in parameters.get("Filters", [])}
    systems = filters.get("file-system-id")
    found = [
        item
        for item in _associations(response.fsx_backend).values()
        if (not wanted or item["AssociationId"] in wanted) and (not systems or item["FileSystemId"] in systems)
    ]
    return json.dumps({"Associations": [_described(item) for item in found]})


def _delete_data_repository_association(response: FSxResponse) -> str:
    identifier = json.loads(response.body)["AssociationId"]
    if _associations(response.fsx_backend).pop(identifier, None) is None:
        raise JsonRESTError("DataRepositoryAssociationNotFound", f"Association '{identifier}' does not exist.")
    return json.dumps({"AssociationId": identifier, "Lifecycle": "DELETING"})


def install() -> None:
    """Patch moto's FSx."""
    FileSystem.__init__ = _init
    FileSystem.to_dict = _to_dict
    FSxBackend.create_file_system = _create_file_system
    FSxBackend.delete_file_system = _delete_file_system
    Backup.to_dict = _backup_to_dict
    FSxResponse.describe_file_systems = _describe_file_systems
    FSxResponse.describe_volumes = _describe_volumes
    FSxResponse.update_file_system = _update_file_system
    FSxResponse.create_data_repository_association = _create_data_repository_association
    FSxResponse.describe_data_repository_associations = _describe_data_repository_associations
    FSxResponse.describe_data_repository_tasks = _describe_data_repository_tasks
    FSxResponse.delete_data_repository_association = _delete_data_repository_association
