"""FSx, SSM, S3 and CloudWatch as the emulator answers for them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
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

    def test_a_link_to_s3_lives_and_goes_with_its_stack(self, stack: Deployment, aws: Aws, file_system: Any) -> None:
        link = {
            "Type": "AWS::FSx::DataRepositoryAssociation",
            "Properties": {
                "FileSystemId": {"Ref": "Fs"},
                "FileSystemPath": "/in",
                "DataRepositoryPath": "s3://bucket/in",
            },
        }
        assert stack.apply({"Fs": file_system, "Link": link}) == "CREATE_COMPLETE", stack.reasons()
        found = aws("fsx").describe_data_repository_associations()["Associations"]
        assert [item["FileSystemPath"] for item in found] == ["/in"]
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
        aws("fsx").delete_file_system(FileSystemId=identifier)


class TestRunCommand:
    @pytest.fixture
    def instance(self, aws: Aws) -> Any:
        found = aws("ec2").run_instances(ImageId="ami-03cf127a", MinCount=1, MaxCount=1)["Instances"][0]["InstanceId"]
        yield found
        aws("ec2").terminate_instances(InstanceIds=[found])

    @staticmethod
    def document(stack: Deployment, script: list[str], **inputs: Any) -> str:
        content = {
            "schemaVersion": "2.2",
            "parameters": {"Name": {"type": "String", "default": "nobody", "allowedPattern": "^[a-z]+$"}},
            "mainSteps": [{"action": "aws:runShellScript", "name": "go", "inputs": {"runCommand": script, **inputs}}],
        }
        document = {"Type": "AWS::SSM::Document", "Properties": {"DocumentType": "Command", "Content": content}}
        assert stack.apply({"Go": document}) == "CREATE_COMPLETE", stack.reasons()
        return stack.ids()["Go"]

    @staticmethod
    def finish(aws: Aws, command: str, instance: str) -> dict[str, Any]:
        deadline = time.monotonic() + 20
        while True:
            found = aws("ssm").get_command_invocation(CommandId=command, InstanceId=instance)
            if found["Status"] not in ("Pending", "InProgress"):
                return found
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def send(self, aws: Aws, name: str, instance: str, **parameters: list[str]) -> str:
        answer = aws("ssm").send_command(DocumentName=name, InstanceIds=[instance], Parameters=parameters)
        return answer["Command"]["CommandId"]

    def test_the_shell_of_the_document_really_runs(
        self, stack: Deployment, aws: Aws, instance: str, tmp_path: Path
    ) -> None:
        script = [
            f"echo hello {{{{ Name }}}} > {tmp_path}/said",
            "echo out; echo err >&2",
            'echo "$FSXBENCH_HOME $AWS_ENDPOINT_URL"',
        ]
        name = self.document(stack, script)
        command = self.send(aws, name, instance, Name=["ada"])
        found = self.finish(aws, command, instance)
        assert (found["Status"], found["ResponseCode"], found["PluginName"]) == ("Success", 0, "go")
        assert (tmp_path / "said").read_text() == "hello ada\n"
        assert found["StandardOutputContent"].splitlines() == ["out", f"/a/home {aws('ssm').meta.endpoint_url}"]
        assert found["StandardErrorContent"] == "err\n"
        rows = aws("ssm").list_command_invocations(CommandId=command, Details=True)["CommandInvocations"]
        assert [(row["InstanceId"], row["Status"]) for row in rows] == [(instance, "Success")]

    def test_a_failing_script_fails_the_command_with_its_code(self, stack: Deployment, aws: Aws, instance: str) -> None:
        name = self.document(stack, ["exit 7"])
        found = self.finish(aws, self.send(aws, name, instance), instance)
        assert (found["Status"], found["ResponseCode"]) == ("Failed", 7)

    def test_a_script_that_takes_too_long_is_ended(
        self, stack: Deployment, aws: Aws, instance: str, tmp_path: Path
    ) -> None:
        name = self.document(stack, [f"(sleep 3; touch {tmp_path}/late) & sleep 60"], timeoutSeconds="1")
        found = self.finish(aws, self.send(aws, name, instance), instance)
        assert found["Status"] == "TimedOut"
        time.sleep(2.5)
        assert not (tmp_path / "late").exists()

    def test_a_command_is_in_progress_while_it_runs(self, stack: Deployment, aws: Aws, instance: str) -> None:
        name = self.document(stack, ["sleep 1"])
        command = self.send(aws, name, instance)
        time.sleep(0.3)
        assert aws("ssm").list_commands(CommandId=command)["Commands"][0]["Status"] == "InProgress"
        assert self.finish(aws, command, instance)["Status"] == "Success"

    def test_output_is_cut_where_aws_cuts_it(self, stack: Deployment, aws: Aws, instance: str) -> None:
        name = self.document(stack, ["yes | head -c 50000", "yes | head -c 50000 >&2"])
        found = self.finish(aws, self.send(aws, name, instance), instance)
        assert (len(found["StandardOutputContent"]), len(found["StandardErrorContent"])) == (24_000, 8_000)

    def test_a_process_that_the_script_leaves_behind_does_not_hold_it_up(
        self, stack: Deployment, aws: Aws, instance: str
    ) -> None:
        name = self.document(stack, ["setsid sleep 5 & echo started"])
        began = time.monotonic()
        assert self.finish(aws, self.send(aws, name, instance), instance)["Status"] == "Success"
        assert time.monotonic() - began < 4

    @pytest.mark.parametrize(
        ("parameters", "code"), [({"Name": ["A;rm"]}, "InvalidParameters"), ({"Nmae": ["x"]}, "InvalidParameters")]
    )
    def test_parameters_are_checked(
        self, stack: Deployment, aws: Aws, instance: str, parameters: Any, code: str
    ) -> None:
        name = self.document(stack, ["true"])
        with pytest.raises(ClientError, match=code):
            aws("ssm").send_command(DocumentName=name, InstanceIds=[instance], Parameters=parameters)

    def test_an_instance_or_a_document_that_is_not_there_is_refused(
        self, stack: Deployment, aws: Aws, instance: str
    ) -> None:
        name = self.document(stack, ["true"])
        with pytest.raises(ClientError, match="InvalidInstanceId"):
            aws("ssm").send_command(DocumentName=name, InstanceIds=["i-0123456789abcdef0"])
        with pytest.raises(ClientError, match="InvalidDocument"):
            aws("ssm").send_command(DocumentName="no-such-document", InstanceIds=[instance])

    def test_a_running_instance_is_a_managed_one(self, aws: Aws, instance: str) -> None:
        rows = aws("ssm").describe_instance_information(Filters=[{"Key": "InstanceIds", "Values": [instance]}])
        assert [row["PingStatus"] for row in rows["InstanceInformationList"]] == ["Online"]


class TestCloudWatch:
    def put(self, aws: Aws, name: str, values: list[tuple[int, float]], start: datetime, **more: Any) -> None:
        dimensions = [{"Name": "StorageTargetId", "Value": "OST0000"}, {"Name": "FileSystemId", "Value": "fs-1"}]
        data = [
            {
                "MetricName": name,
                "Dimensions": dimensions,
                "Timestamp": start + timedelta(seconds=s),
                "Value": v,
                **more,
            }
            for s, v in values
        ]
        aws("cloudwatch").put_metric_data(Namespace="AWS/FSx", MetricData=data)

    def get(self, aws: Aws, name: str, stat: str, start: datetime, period: int = 5) -> list[tuple[float, float]]:
        dimensions = [{"Name": "FileSystemId", "Value": "fs-1"}, {"Name": "StorageTargetId", "Value": "OST0000"}]
        metric = {"Namespace": "AWS/FSx", "MetricName": name, "Dimensions": dimensions}
        query = {"Id": "q", "MetricStat": {"Metric": metric, "Period": period, "Stat": stat}}
        answer = aws("cloudwatch").get_metric_data(
            MetricDataQueries=[query],
            StartTime=start,
            EndTime=start + timedelta(seconds=60),
            ScanBy="TimestampAscending",
        )["MetricDataResults"][0]
        moments = [(moment - start).total_seconds() for moment in answer["Timestamps"]]
        return list(zip(moments, answer["Values"], strict=True))

    START = datetime(2026, 1, 1, 12, 0, 0, tzinfo=timezone.utc)

    def test_points_stand_on_multiples_of_the_period_and_dimensions_in_any_order(self, aws: Aws) -> None:
        self.put(aws, "DiskWriteBytes", [(1, 10), (4, 20), (5, 40), (12, 80)], self.START)
        assert self.get(aws, "DiskWriteBytes", "Sum", self.START) == [(0, 30), (5, 40), (10, 80)]
        late = self.START + timedelta(seconds=2)
        assert self.get(aws, "DiskWriteBytes", "Sum", late)[0] == (-2, 30)

    def test_every_statistic_is_what_its_name_says(self, aws: Aws) -> None:
        self.put(aws, "Stats", [(s, float(s)) for s in range(1, 5)], self.START)
        found = {
            stat: self.get(aws, "Stats", stat, self.START)[0][1]
            for stat in ("Average", "Minimum", "Maximum", "SampleCount", "p50")
        }
        assert found == {"Average": 2.5, "Minimum": 1, "Maximum": 4, "SampleCount": 4, "p50": 2}

    def test_metric_math_is_refused_and_not_silently_empty(self, aws: Aws) -> None:
        with pytest.raises(ClientError, match="metric math is not supported"):
            aws("cloudwatch").get_metric_data(
                MetricDataQueries=[{"Id": "q", "Expression": "1+1"}],
                StartTime=self.START,
                EndTime=self.START + timedelta(seconds=60),
            )


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
        }
        assert stack.apply({"Bucket": {"Type": "AWS::S3::Bucket", "Properties": properties}}) == "CREATE_COMPLETE", (
            stack.reasons()
        )
        client, bucket = aws("s3"), stack.ids()["Bucket"]
        assert client.get_bucket_versioning(Bucket=bucket)["Status"] == "Enabled"
        assert client.get_public_access_block(Bucket=bucket)["PublicAccessBlockConfiguration"] == block
        rule = client.get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"][0]
        assert rule["ID"] == "old"
        assert rule["Transitions"] == [{"Days": 30, "StorageClass": "STANDARD_IA"}]
        assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 9}


class TestCustomResources:
    ROLE = {
        "Type": "AWS::IAM::Role",
        "Properties": {"AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": []}},
    }

    def function(self, runtime: str, code: str) -> dict[str, Any]:
        properties = {"Runtime": runtime, "Handler": "index.handler", "Code": {"ZipFile": code}, "Timeout": 5}
        return {"Type": "AWS::Lambda::Function", "Properties": {**properties, "Role": {"Fn::GetAtt": ["Role", "Arn"]}}}

    def resources(self, runtime: str, code: str, **properties: Any) -> dict[str, Any]:
        token = {"Fn::GetAtt": ["Function", "Arn"]}
        custom = {"Type": "Custom::Thing", "Properties": {"ServiceToken": token, **properties}}
        return {"Role": self.ROLE, "Function": self.function(runtime, code), "Thing": custom}

    PYTHON = """
import json, urllib.request
def handler(event, context):
    with open(event['ResourceProperties']['Log'], 'a') as log:
        log.write(json.dumps([event['RequestType'], event['ResourceProperties']['Flag']]) + '\\n')
    body = {'Status': 'SUCCESS', 'PhysicalResourceId': 'thing', 'Data': {'Answer': '42'}}
    urllib.request.urlopen(urllib.request.Request(event['ResponseURL'], json.dumps(body).encode(), method='PUT'))
"""
    NODE = """
const https = require('https');
exports.handler = async (event) => {
  require('fs').appendFileSync(event.ResourceProperties.Log, JSON.stringify([event.RequestType, event.ResourceProperties.Flag]) + '\\n');
  const url = new URL(event.ResponseURL);
  const body = JSON.stringify({ Status: 'SUCCESS', PhysicalResourceId: 'thing', Data: { Answer: '42' } });
  await new Promise((done, failed) => {
    const request = https.request({ hostname: url.hostname, path: url.pathname, method: 'PUT', headers: { 'content-length': body.length } }, done);
    request.on('error', failed);
    request.end(body);
  });
};
"""

    @pytest.mark.parametrize(("runtime", "code"), [("python3.12", PYTHON), ("nodejs22.x", NODE)])
    def test_the_handler_runs_for_create_update_and_delete(
        self, stack: Deployment, runtime: str, code: str, tmp_path: Path
    ) -> None:
        log = tmp_path / "log"
        outputs = {"Answer": {"Value": {"Fn::GetAtt": ["Thing", "Answer"]}}}
        assert (
            stack.apply(self.resources(runtime, code, Log=str(log), Flag=True), Outputs=outputs) == "CREATE_COMPLETE"
        ), stack.reasons()
        assert stack.outputs() == {"Answer": "42"}
        stack.apply(self.resources(runtime, code, Log=str(log), Flag=False), Outputs=outputs)
        stack.delete()
        heard = [json.loads(line) for line in log.read_text().splitlines()]
        assert heard == [["Create", "true"], ["Update", "false"], ["Delete", "false"]]

    def test_a_handler_that_breaks_fails_the_deployment_with_its_words(self, stack: Deployment) -> None:
        code = "def handler(event, context):\n    raise RuntimeError('out of cheese')\n"
        assert stack.apply(self.resources("python3.12", code)).startswith("ROLLBACK_")
        assert "out of cheese" in stack.reasons()

    def test_a_handler_that_answers_failed_fails_the_deployment(self, stack: Deployment, tmp_path: Path) -> None:
        code = self.PYTHON.replace("SUCCESS", "FAILED")
        resources = self.resources("python3.12", code, Log=str(tmp_path / "log"), Flag=1)
        assert stack.apply(resources).startswith("ROLLBACK_")
        assert "Received response status [FAILED]" in stack.reasons()


def test_a_key_pair_leaves_its_private_half_in_parameter_store_and_takes_it_along(stack: Deployment, aws: Aws) -> None:
    pair = {"Type": "AWS::EC2::KeyPair", "Properties": {"KeyName": f"key-{os.urandom(4).hex()}", "KeyType": "ed25519"}}
    stack.apply({"Key": pair}, Outputs={"Id": {"Value": {"Fn::GetAtt": ["Key", "KeyPairId"]}}})
    name = f"/ec2/keypair/{stack.outputs()['Id']}"
    assert "PRIVATE KEY" in aws("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"]
    stack.delete()
    with pytest.raises(aws("ssm").exceptions.ParameterNotFound):
        aws("ssm").get_parameter(Name=name)


def test_an_alarm_on_alarms_keeps_its_rule_and_goes_with_its_stack(stack: Deployment, aws: Aws) -> None:
    alarm = {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "Namespace": "fsxbench",
            "MetricName": "RunActive",
            "Statistic": "Maximum",
            "Period": 60,
            "EvaluationPeriods": 1,
            "Threshold": 1,
            "ComparisonOperator": "GreaterThanOrEqualToThreshold",
        },
    }
    rule = {"Fn::Join": ["", ['ALARM("', {"Fn::GetAtt": ["One", "Arn"]}, '")']]}
    both = {"Type": "AWS::CloudWatch::CompositeAlarm", "Properties": {"AlarmRule": rule}}
    assert stack.apply({"One": alarm, "Both": both}) == "CREATE_COMPLETE", stack.reasons()
    name = stack.ids()["Both"]
    cloudwatch = aws("cloudwatch")
    [found] = cloudwatch.describe_alarms(AlarmNames=[name], AlarmTypes=["CompositeAlarm"])["CompositeAlarms"]
    assert found["AlarmRule"].startswith('ALARM("arn:aws:cloudwatch:')
    stack.delete()
    assert cloudwatch.describe_alarms(AlarmNames=[name], AlarmTypes=["CompositeAlarm"])["CompositeAlarms"] == []
