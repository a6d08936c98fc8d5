"""SSM: Run Command, whose documents run on this computer."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from conftest import Deployment, until

from fsxbench_lab.ssm import Command

Aws = Callable[[str], Any]


def running(name: str) -> list[int]:
    """Processes of that name."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == name.encode():
            found.append(int(process.name))
    return found


class TestRunCommand:
    @pytest.fixture
    def instance(self, aws: Aws) -> Any:
        found = aws("ec2").run_instances(ImageId="ami-03cf127a", MinCount=1, MaxCount=1)["Instances"][0]["InstanceId"]
        yield found
        aws("ec2").terminate_instances(InstanceIds=[found])

    @staticmethod
    def document(stack: Deployment, script: list[str], content: dict[str, Any] | None = None, **inputs: Any) -> str:
        declared = {
            "schemaVersion": "2.2",
            "parameters": {"Name": {"type": "String", "default": "nobody", "allowedPattern": "^[a-z]+$"}},
            "mainSteps": [{"action": "aws:runShellScript", "name": "go", "inputs": {"runCommand": script, **inputs}}],
            **(content or {}),
        }
        document = {"Type": "AWS::SSM::Document", "Properties": {"DocumentType": "Command", "Content": declared}}
        assert stack.apply({"Go": document}) in ("CREATE_COMPLETE", "UPDATE_COMPLETE"), stack.reasons()
        return stack.ids()["Go"]

    @staticmethod
    def finish(aws: Aws, command: str, instance: str) -> dict[str, Any]:
        def invocation() -> dict[str, Any]:
            return aws("ssm").get_command_invocation(CommandId=command, InstanceId=instance)

        until("the end of the command", lambda: invocation()["Status"] not in ("Pending", "InProgress"))
        return invocation()

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
        child = f"exec -a {tmp_path}/child sleep 600"
        inputs = [{"runCommand": [f"bash -c '{child}' & bash -c '{child}'"], "timeoutSeconds": "1"}, {"runCommand": [f"touch {tmp_path}/next"]}]
        steps = [{"action": "aws:runShellScript", "name": f"step{at}", "inputs": each} for at, each in enumerate(inputs)]
        name = self.document(stack, [], {"mainSteps": steps})
        found = self.finish(aws, self.send(aws, name, instance), instance)
        assert (found["Status"], found["ResponseCode"]) == ("TimedOut", 137)
        assert not (tmp_path / "next").exists()
        until("the end of what it had started", lambda: running(f"{tmp_path}/child") == [])

    def test_a_command_is_in_progress_while_it_runs(
        self, stack: Deployment, aws: Aws, instance: str, tmp_path: Path
    ) -> None:
        name = self.document(stack, [f"touch {tmp_path}/begun; until [ -e {tmp_path}/go ]; do sleep 0.05; done"])
        command = self.send(aws, name, instance)
        until("its begin", (tmp_path / "begun").exists)
        assert aws("ssm").list_commands(CommandId=command)["Commands"][0]["Status"] == "InProgress"
        (tmp_path / "go").touch()
        assert self.finish(aws, command, instance)["Status"] == "Success"

    def test_output_is_cut_where_aws_cuts_it(self, stack: Deployment, aws: Aws, instance: str) -> None:
        name = self.document(stack, ["yes | head -c 50000", "yes | head -c 50000 >&2"])
        found = self.finish(aws, self.send(aws, name, instance), instance)
        assert (len(found["StandardOutputContent"]), len(found["StandardErrorContent"])) == (24_000, 8_000)

    def test_a_process_that_the_script_leaves_behind_does_not_hold_it_up(
        self, stack: Deployment, aws: Aws, instance: str, tmp_path: Path
    ) -> None:
        # It says that it runs before the script ends: a script that has ended takes its session along.
        left = f"echo >{tmp_path}/left; exec -a {tmp_path}/child sleep 600"
        name = self.document(stack, [f"setsid bash -c '{left}' & until [ -e {tmp_path}/left ]; do sleep 0.05; done"])
        assert self.finish(aws, self.send(aws, name, instance), instance)["Status"] == "Success"
        # Whether it is still there or has been ended: nobody waited ten minutes for it.
        for pid in running(f"{tmp_path}/child"):
            os.kill(pid, signal.SIGKILL)

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

    def test_steps_follow_one_another_in_their_folders_until_one_fails(
        self, stack: Deployment, aws: Aws, instance: str, tmp_path: Path
    ) -> None:
        scripts = [["echo {{ Name }}; pwd"], ["echo two; echo bad >&2; exit 3"], [f"touch {tmp_path}/third"]]
        steps = [
            {"action": "aws:runShellScript", "name": f"step{at}", "inputs": {"runCommand": script, "workingDirectory": str(tmp_path)}}
            for at, script in enumerate(scripts)
        ]
        command = self.send(aws, self.document(stack, [], {"mainSteps": steps}), instance)
        found = self.finish(aws, command, instance)
        assert (found["Status"], found["ResponseCode"], found["PluginName"]) == ("Failed", 3, "step1")
        assert (found["StandardOutputContent"], found["StandardErrorContent"]) == (f"nobody\n{tmp_path}\ntwo\n", "bad\n")
        assert not (tmp_path / "third").exists()
        ssm = aws("ssm")
        assert ssm.get_command_invocation(CommandId=command, InstanceId=instance, PluginName="step1")["ResponseCode"] == 3
        with pytest.raises(ClientError, match="InvocationDoesNotExist"):
            ssm.get_command_invocation(CommandId=command, InstanceId=instance, PluginName="step0")
        with pytest.raises(ClientError, match="document action aws:runDocument is not supported"):
            steps[2]["action"] = "aws:runDocument"
            self.send(aws, self.document(stack, [], {"mainSteps": steps}), instance)

    def test_values_of_parameters_are_a_list_a_default_or_refused(
        self, stack: Deployment, aws: Aws, instance: str
    ) -> None:
        parameters = {
            "Lines": {"type": "StringList", "default": ["echo none"], "allowedValues": ["echo none", "echo a", "echo b"]},
            "Size": {"type": "String", "default": "", "allowedValues": ["", "1", "2"]},
            "Word": {"type": "String"},
        }
        name = self.document(stack, ["{{ Lines }}", "echo {{Word}}{{ Size }}"], {"parameters": parameters})
        for given, said in (
            ({"Word": ["w"], "Lines": ["echo a", "echo b"], "Size": ["2"]}, "a\nb\nw2\n"),
            ({"Word": ["w", "x"]}, "none\nw\n"),
        ):
            assert self.finish(aws, self.send(aws, name, instance, **given), instance)["StandardOutputContent"] == said
        for wrong, message in (({}, "Word is required"), ({"Word": ["w"], "Size": ["3"]}, "must be one of"), ({"Word": ["w"], "Lines": ["echo a", "id"]}, "got id")):
            with pytest.raises(ClientError, match=message):
                self.send(aws, name, instance, **wrong)


@pytest.mark.parametrize(
    ("of_instances", "status", "completed", "errors"),
    [
        (["Pending", "Pending"], "Pending", 0, 0),
        (["Pending", "InProgress"], "InProgress", 0, 0),
        (["Failed", "Pending"], "InProgress", 1, 1),
        (["Success", "Success"], "Success", 2, 0),
        (["Success", "Cancelled"], "Cancelled", 2, 1),
        (["TimedOut", "Cancelled", "Success"], "TimedOut", 3, 2),
        (["TimedOut", "Failed"], "Failed", 2, 2),
        ([], "Success", 0, 0),
    ],
)
def test_a_command_is_what_its_worst_instance_is_once_all_have_ended(
    of_instances: list[str], status: str, completed: int, errors: int
) -> None:
    command = Command("Document", "", {}, [f"i-{at}" for at in range(len(of_instances))], 60)
    for invocation, own in zip(command.invocations.values(), of_instances, strict=True):
        invocation.status = own
    found = command.describe()
    counts = [found[key] for key in ("Status", "TargetCount", "CompletedCount", "ErrorCount")]
    assert counts == [status, len(of_instances), completed, errors]


class TestFleet:
    """A command on several instances, as the expiry of a stack sends one: by tags, and then asked for its outcome."""

    @pytest.fixture
    def fleet(self, aws: Aws) -> Any:
        def launch(**tags: str) -> str:
            specification = {"ResourceType": "instance", "Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
            request = {"ImageId": "ami-03cf127a", "MinCount": 1, "MaxCount": 1, "TagSpecifications": [specification]}
            return aws("ec2").run_instances(**request)["Instances"][0]["InstanceId"]

        name = f"fleet-{os.urandom(4).hex()}"
        both = [launch(Fleet=name, Role="leader") for _ in range(2)]
        yield name, both, launch(Fleet=name, Role="client"), launch(Fleet="other", Role="leader")
        aws("ec2").terminate_instances(InstanceIds=self.managed(aws))

    @staticmethod
    def managed(aws: Aws) -> list[str]:
        return [row["InstanceId"] for row in aws("ssm").describe_instance_information()["InstanceInformationList"]]

    def test_those_with_all_tags_run_it_and_each_is_counted_by_its_end(self, stack: Deployment, aws: Aws, fleet: Any) -> None:
        fleet_name, (good, bad), client, _ = fleet
        ssm = aws("ssm")
        script = [f'[ "$FSXBENCH_INSTANCE_ID" = {bad} ] || exit 0; echo out; echo err >&2; exit 3']
        name = TestRunCommand.document(stack, script)
        targets = [{"Key": "tag:Fleet", "Values": [fleet_name]}, {"Key": "tag:Role", "Values": ["leader", "head"]}]
        sent = ssm.send_command(DocumentName=name, Targets=targets, Comment="why", TimeoutSeconds=120)["Command"]
        assert (sent["InstanceIds"], sent["Comment"]) == ([good, bad], "why")
        assert (sent["ExpiresAfter"] - sent["RequestedDateTime"]).total_seconds() == 120
        for each in (good, bad):
            TestRunCommand.finish(aws, sent["CommandId"], each)
        [command] = ssm.list_commands(CommandId=sent["CommandId"])["Commands"]
        counts = [command[key] for key in ("Status", "StatusDetails", "TargetCount", "CompletedCount", "ErrorCount")]
        assert counts == ["Failed", "Failed", 2, 2, 1]
        rows = ssm.list_command_invocations(CommandId=sent["CommandId"], InstanceId=bad, Details=True)["CommandInvocations"]
        [plugin] = rows[0].pop("CommandPlugins")
        assert [(row["InstanceId"], row["Status"], row["RequestedDateTime"]) for row in rows] == [(bad, "Failed", sent["RequestedDateTime"])]
        assert (plugin["ResponseCode"], plugin["Output"]) == (3, "out\n")
        assert sent["CommandId"] in [each["CommandId"] for each in ssm.list_commands()["Commands"]]
        assert [each["CommandId"] for each in ssm.list_commands(InstanceId=good)["Commands"]] == [sent["CommandId"]]
        assert ssm.list_commands(InstanceId=client)["Commands"] == []

        nobody = [*targets[:1], {"Key": "tag:Role", "Values": ["nobody"]}]
        sent = ssm.send_command(DocumentName=name, Targets=nobody)["Command"]
        assert (sent["InstanceIds"], sent["Status"], sent["StatusDetails"]) == ([], "Success", "NoInstancesInTag")
        named = {"InstanceIds": [good], "Targets": [{"Key": "InstanceIds", "Values": [good, client]}]}
        assert ssm.send_command(DocumentName=name, **named)["Command"]["InstanceIds"] == [good, client]
        with pytest.raises(ClientError, match="target resource-groups:Name is not supported"):
            ssm.send_command(DocumentName=name, Targets=[{"Key": "resource-groups:Name", "Values": ["a"]}])

    def test_an_instance_that_is_stopped_is_not_managed(self, stack: Deployment, aws: Aws, fleet: Any) -> None:
        _, (good, bad), client, other = fleet
        assert {good, bad, client, other} <= set(self.managed(aws))
        aws("ec2").stop_instances(InstanceIds=[client])
        assert client not in self.managed(aws)
        with pytest.raises(ClientError, match=f"InvalidInstanceId.*{client}"):
            aws("ssm").send_command(DocumentName=TestRunCommand.document(stack, ["true"]), InstanceIds=[good, client])
