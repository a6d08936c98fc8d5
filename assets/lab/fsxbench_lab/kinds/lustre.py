"""FSx: file systems of Lustre and OpenZFS, and data repository associations. The API itself is in `fsx.py`."""

from __future__ import annotations

from ..aws import call
from .base import Context, Made, Properties, Replaced, known_as, tag_list, without


@known_as("AWS::FSx::FileSystem")
class FileSystem:
    """A file system of FSx; one of OpenZFS is replaced when it changes."""

    def create(self, context: Context, properties: Properties) -> Made:
        openzfs = properties.get("OpenZFSConfiguration")
        # CloudFormation's own: what goes with the file system when it is deleted.
        own = {} if openzfs is None else {"OpenZFSConfiguration": without(openzfs, "Options")}
        tags = {"Tags": tag_list(context, properties)}
        file_system = call(context.client("fsx"), "create_file_system", {**properties, **own, **tags})["FileSystem"]
        attributes = {"DNSName": file_system["DNSName"], "ResourceARN": file_system["ResourceARN"]}
        if "LustreConfiguration" in file_system:
            attributes["LustreMountName"] = file_system["LustreConfiguration"]["MountName"]
        else:
            attributes["RootVolumeId"] = file_system["OpenZFSConfiguration"]["RootVolumeId"]
        return Made(file_system["FileSystemId"], attributes)

    def update(self, context: Context, made: Made, old: Properties, new: Properties) -> Made | None:
        changing = ("LustreConfiguration", "StorageCapacity", "Tags")
        if without(old, *changing) != without(new, *changing):
            return None
        before, after = (item.get("LustreConfiguration", {}) for item in (old, new))
        changed = {key: value for key, value in after.items() if before.get(key) != value}
        # Properties that UpdateFileSystem accepts; any other change needs a replacement, as in CloudFormation's reference.
        if (set(before) ^ set(after) | set(changed)) - _UPDATABLE:
            return None
        request: Properties = {"FileSystemId": made.physical_id}
        if changed:
            request["LustreConfiguration"] = changed
        if old.get("StorageCapacity") != new.get("StorageCapacity"):
            request["StorageCapacity"] = new["StorageCapacity"]
        call(context.client("fsx"), "update_file_system", request)
        if old.get("Tags") != new.get("Tags"):
            arn = made.attributes["ResourceARN"]
            call(context.client("fsx"), "tag_resource", {"ResourceARN": arn, "Tags": tag_list(context, new)})
        return made

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("fsx").delete_file_system(FileSystemId=made.physical_id)


_UPDATABLE = {
    "WeeklyMaintenanceStartTime",
    "DailyAutomaticBackupStartTime",
    "AutomaticBackupRetentionDays",
    "AutoImportPolicy",
    "DataCompressionType",
    "PerUnitStorageThroughput",
    "MetadataConfiguration",
    "ThroughputCapacity",
    "DataReadCacheConfiguration",
}


@known_as("AWS::FSx::DataRepositoryAssociation")
class DataRepositoryAssociation(Replaced):
    """A link between a directory of a file system and an S3 prefix."""

    def create(self, context: Context, properties: Properties) -> Made:
        answer = call(context.client("fsx"), "create_data_repository_association", properties)["Association"]
        return Made(
            answer["AssociationId"], {"AssociationId": answer["AssociationId"], "ResourceARN": answer["ResourceARN"]}
        )

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("fsx").delete_data_repository_association(AssociationId=made.physical_id)
