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
        name = self.document(stack, [f"bash -c '{child}' & bash -c '{child}'"], timeoutSeconds="1")
        found = self.finish(aws, self.send(aws, name, instance), instance)
        assert found["Status"] == "TimedOut"
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
