"""FSx: file systems and their links to S3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError
from conftest import Deployment

Aws = Callable[[str], Any]


def subnet(aws: Aws) -> str:
    return aws("ec2").describe_subnets()["Subnets"][0]["SubnetId"]


class TestFsx:
    @pytest.fixture
    def file_system(self, stack: Deployment, aws: Aws) -> dict[str, Any]:
        properties = {
            "FileSystemType": "LUSTRE",
            "FileSystemTypeVersion": "2.15",
            "StorageCapacity": 1200,
            "SubnetIds": [subnet(aws)],
            "Tags": [{"Key": "Arm", "Value": "lz4"}],
            "LustreConfiguration": {
                "DeploymentType": "PERSISTENT_1",
                "PerUnitStorageThroughput": 50,
                "DataCompressionType": "LZ4",
            },
        }
        return {"Type": "AWS::FSx::FileSystem", "Properties": properties}

    def test_a_file_system_is_available_with_what_was_declared(
        self, stack: Deployment, aws: Aws, file_system: Any
    ) -> None:
        names = {"Dns": "DNSName", "Mount": "LustreMountName", "Arn": "ResourceARN"}
        outputs = {key: {"Value": {"Fn::GetAtt": ["Fs", name]}} for key, name in names.items()}
        assert stack.apply({"Fs": file_system}, Outputs=outputs) == "CREATE_COMPLETE", stack.reasons()
        found = aws("fsx").describe_file_systems(FileSystemIds=[stack.ids()["Fs"]])["FileSystems"][0]
        lustre = found["LustreConfiguration"]
        assert (found["Lifecycle"], found["StorageType"], found["StorageCapacity"]) == ("AVAILABLE", "SSD", 1200)
        assert (lustre["DeploymentType"], lustre["DataCompressionType"]) == ("PERSISTENT_1", "LZ4")
        assert {"Key": "Arm", "Value": "lz4"} in found["Tags"]
        assert stack.outputs() == {"Dns": found["DNSName"], "Mount": lustre["MountName"], "Arn": found["ResourceARN"]}
        stack.delete()
        with pytest.raises(ClientError, match="FileSystemNotFound"):
            aws("fsx").describe_file_systems(FileSystemIds=[found["FileSystemId"]])

    def test_what_fsx_can_update_stays_the_same_file_system(
        self, stack: Deployment, aws: Aws, file_system: Any
    ) -> None:
        stack.apply({"Fs": file_system})
        before = stack.ids()["Fs"]
        file_system["Properties"]["LustreConfiguration"]["PerUnitStorageThroughput"] = 100
        file_system["Properties"]["StorageCapacity"] = 2400
        assert stack.apply({"Fs": file_system}) == "UPDATE_COMPLETE", stack.reasons()
        found = aws("fsx").describe_file_systems(FileSystemIds=[before])["FileSystems"][0]
        assert found["LustreConfiguration"]["PerUnitStorageThroughput"] == 100
        assert found["StorageCapacity"] == 2400

    def test_what_fsx_cannot_update_becomes_another_file_system(
        self, stack: Deployment, aws: Aws, file_system: Any
    ) -> None:
        stack.apply({"Fs": file_system})
        before = stack.ids()["Fs"]
        file_system["Properties"]["LustreConfiguration"]["DeploymentType"] = "PERSISTENT_2"
        stack.apply({"Fs": file_system})
        assert stack.ids()["Fs"] != before
        assert before not in [item["FileSystemId"] for item in aws("fsx").describe_file_systems()["FileSystems"]]

    def test_without_a_property_that_fsx_cannot_update_it_becomes_another_file_system(
        self, stack: Deployment, file_system: Any
    ) -> None:
        lustre = file_system["Properties"]["LustreConfiguration"]
        lustre["CopyTagsToBackups"] = True
        stack.apply({"Fs": file_system})
        before = stack.ids()["Fs"]
        del lustre["CopyTagsToBackups"]
        assert stack.apply({"Fs": file_system}) == "UPDATE_COMPLETE", stack.reasons()
        assert stack.ids()["Fs"] != before

    def test_a_link_to_s3_lives_and_goes_with_its_stack(self, stack: Deployment, aws: Aws, file_system: Any) -> None:
        link = {
            "Type": "AWS::FSx::DataRepositoryAssociation",
            "Properties": {
                "FileSystemId": {"Ref": "Fs"},
                "FileSystemPath": "/in",
                "DataRepositoryPath": "s3://bucket/in",
                "BatchImportMetaDataOnCreate": True,
            },
        }
        assert stack.apply({"Fs": file_system, "Link": link}) == "CREATE_COMPLETE", stack.reasons()
        found = aws("fsx").describe_data_repository_associations()["Associations"]
        assert [item["FileSystemPath"] for item in found] == ["/in"]
        filters = [{"Name": "file-system-id", "Values": [stack.ids()["Fs"]]}]
        others = [{"Name": "file-system-id", "Values": ["fs-0123456789abcdef0"]}]
        assert aws("fsx").describe_data_repository_associations(Filters=filters)["Associations"] == found
        assert aws("fsx").describe_data_repository_associations(Filters=others)["Associations"] == []
        assert aws("fsx").describe_data_repository_tasks(Filters=others)["DataRepositoryTasks"] == []
        (task,) = aws("fsx").describe_data_repository_tasks(Filters=filters)["DataRepositoryTasks"]
        assert (task["Type"], task["Lifecycle"]) == ("IMPORT_METADATA_FROM_REPOSITORY", "SUCCEEDED")
        stack.delete()
        assert aws("fsx").describe_data_repository_associations()["Associations"] == []

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"StorageCapacity": 0}, "StorageCapacity must be positive, got 0"),
            ({"StorageCapacity": None}, "StorageCapacity is required"),
            ({"FileSystemType": "WINDOWS"}, "file systems of type WINDOWS are not supported"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, aws: Aws, change: dict[str, Any], message: str) -> None:
        request = {"FileSystemType": "LUSTRE", "StorageCapacity": 1200, "SubnetIds": [subnet(aws)], **change}
        with pytest.raises(ClientError, match=message):
            aws("fsx").create_file_system(**{key: value for key, value in request.items() if value is not None})

    def test_capacity_never_shrinks(self, aws: Aws) -> None:
        created = aws("fsx").create_file_system(FileSystemType="LUSTRE", StorageCapacity=2400, SubnetIds=[subnet(aws)])
        identifier = created["FileSystem"]["FileSystemId"]
        with pytest.raises(ClientError, match="StorageCapacity can only grow, from 2400 GiB, got 1200"):
            aws("fsx").update_file_system(FileSystemId=identifier, StorageCapacity=1200)
        with pytest.raises(ClientError, match="got 2400"):
            aws("fsx").update_file_system(FileSystemId=identifier, StorageCapacity=2400)
        # The first generation's mount name is fixed; the others have one that nobody can guess.
        assert created["FileSystem"]["LustreConfiguration"]["MountName"] == "fsx"
        aws("fsx").delete_file_system(FileSystemId=identifier)

    def test_openzfs_leaves_a_final_backup_with_its_tags_unless_declined(self, stack: Deployment, aws: Aws) -> None:
        fsx = aws("fsx")
        configuration = {"DeploymentType": "SINGLE_AZ_2", "ThroughputCapacity": 160, "CopyTagsToBackups": True}
        properties = {
            "FileSystemType": "OPENZFS",
            "StorageCapacity": 64,
            "SubnetIds": [subnet(aws)],
            "OpenZFSConfiguration": configuration,
            "Tags": [{"Key": "fsxbench:stack", "Value": "StorageBench"}],
        }
        stack.apply({"Fs": {"Type": "AWS::FSx::FileSystem", "Properties": properties}})
        identifier = stack.ids()["Fs"]
        stack.delete()
        [backup] = [item for item in fsx.describe_backups()["Backups"] if item["FileSystem"]["FileSystemId"] == identifier]
        # What CloudFormation itself put on the file system is copied nowhere.
        assert backup["Tags"] == properties["Tags"]
        fsx.delete_backup(BackupId=backup["BackupId"])
        plain = fsx.create_file_system(**{**properties, "OpenZFSConfiguration": {**configuration, "CopyTagsToBackups": False}})
        volume = plain["FileSystem"]["OpenZFSConfiguration"]["RootVolumeId"]
        assert [item["VolumeId"] for item in fsx.describe_volumes(VolumeIds=[volume])["Volumes"]] == [volume]
        assert fsx.describe_volumes(VolumeIds=["fsvol-0123456789abcdef0"])["Volumes"] == []
        fsx.delete_file_system(FileSystemId=plain["FileSystem"]["FileSystemId"])
        [backup] = fsx.describe_backups()["Backups"]
        assert backup["Tags"] == []
        fsx.delete_backup(BackupId=backup["BackupId"])
        declined = fsx.create_file_system(**properties)["FileSystem"]["FileSystemId"]
        fsx.delete_file_system(FileSystemId=declined, OpenZFSConfiguration={"SkipFinalBackup": True})
        assert fsx.describe_backups()["Backups"] == []
