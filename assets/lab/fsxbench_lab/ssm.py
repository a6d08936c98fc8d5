"""Run Command: the shell script of a command document really runs on this machine, in a child process per instance.

The children inherit the server's environment, which locates the client's scripts (FSXBENCH_HOME …),
and use the emulator as AWS.
"""

from __future__ import annotations

import json
import os
import threading
import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

import yaml
from moto.core.responses import ActionResult
from moto.ec2.models import ec2_backends
from moto.ssm.responses import SimpleSystemManagerResponse

from .aws import ApiError, Emulator
from .children import Child
from .document import checked, substitute

# Output limits of GetCommandInvocation (SSM API reference: GetCommandInvocation).
_OUTPUT_LIMIT, _ERROR_LIMIT = 24_000, 8_000
_DEFAULT_STEP_SECONDS = 3600
_TERMINAL = ("Success", "Failed", "TimedOut", "Cancelled")


class Invocation:
    """A command on one instance."""

    def __init__(self, command: Command, instance_id: str) -> None:
        self.command, self.instance_id = command, instance_id
        self.status, self.code = "Pending", -1
        self.output = self.error = self.plugin = ""
        self.started_at: datetime | None = None
        self.ended_at: datetime | None = None

    def run(self, steps: list[dict[str, Any]], environment: dict[str, str]) -> None:
        """Run the document's steps until one fails."""
        self.status, self.started_at = "InProgress", _now()
        status, code = "Success", 0
        for step in steps:
            self.plugin = step["name"]
            inputs = step["inputs"]
            seconds = float(inputs.get("timeoutSeconds", _DEFAULT_STEP_SECONDS))
            script = "\n".join(inputs["runCommand"])
            child = Child(["sh"], environment, inputs.get("workingDirectory") or "/")
            exit_code, output, error = child.communicate(script, seconds)
            self.output, self.error = self.output + output, self.error + error
            if exit_code is None:
                # As the agent reports a step that it killed.
                status, code = "TimedOut", 137
                break
            if exit_code != 0:
                status, code = "Failed", exit_code
                break
        self.code, self.ended_at = code, _now()
        self.status = status

    def describe(self) -> dict[str, Any]:
        """The response of GetCommandInvocation."""
        elapsed = (self.ended_at or _now()) - self.started_at if self.started_at else timedelta()
        return {
            "CommandId": self.command.id,
            "InstanceId": self.instance_id,
            "Comment": self.command.comment,
            "DocumentName": self.command.document,
            "DocumentVersion": "$DEFAULT",
            "PluginName": self.plugin,
            "ResponseCode": self.code,
            "ExecutionStartDateTime": _iso(self.started_at),
            "ExecutionElapsedTime": f"PT{elapsed.total_seconds():.3f}S",
            "ExecutionEndDateTime": _iso(self.ended_at),
            "Status": self.status,
            "StatusDetails": self.status,
            "StandardOutputContent": self.output[:_OUTPUT_LIMIT],
            "StandardOutputUrl": "",
            "StandardErrorContent": self.error[:_ERROR_LIMIT],
            "StandardErrorUrl": "",
        }


class Command:
    """A command, on all of its instances."""

    def __init__(
        self, document: str, comment: str, parameters: dict[str, list[str]], instances: list[str], timeout: int
    ) -> None:
        self.id = str(uuid.uuid4())
        self.document, self.comment, self.parameters, self.timeout = document, comment, parameters, timeout
        self.requested_at = _now()
        self.invocations = {instance: Invocation(self, instance) for instance in instances}

    @property
    def status(self) -> str:
        statuses = [invocation.status for invocation in self.invocations.values()]
        if any(status not in _TERMINAL for status in statuses):
            return "Pending" if all(status == "Pending" for status in statuses) else "InProgress"
        return next((status for status in ("Failed", "TimedOut", "Cancelled") if status in statuses), "Success")

    def describe(self) -> dict[str, Any]:
        """The Command of SendCommand and ListCommands."""
        ended = [invocation for invocation in self.invocations.values() if invocation.status in _TERMINAL]
        return {
            "CommandId": self.id,
            "DocumentName": self.document,
            "DocumentVersion": "$DEFAULT",
            "Comment": self.comment,
            "ExpiresAfter": self.requested_at + timedelta(seconds=self.timeout),
            "Parameters": self.parameters,
            "InstanceIds": list(self.invocations),
            "Targets": [],
            "RequestedDateTime": self.requested_at,
            "Status": self.status,
            "StatusDetails": self.status if self.invocations else "NoInstancesInTag",
            "MaxConcurrency": "50",
            "MaxErrors": "0",
            "TargetCount": len(self.invocations),
            "CompletedCount": len(ended),
            "ErrorCount": sum(invocation.status != "Success" for invocation in ended),
            "DeliveryTimedOutCount": 0,
            "TimeoutSeconds": self.timeout,
        }


class RunCommand:
    """SSM's Run Command."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self.commands: dict[str, Command] = {}

    def send(self, response: SimpleSystemManagerResponse) -> ActionResult:
        name = response._get_param("DocumentName")
        given = response._get_param("Parameters") or {}
        instances = self._instances(response)
        document = self._document(response.region, name)
        steps = [step for step in document.get("mainSteps", []) if step["action"] == "aws:runShellScript"]
        others = [step["action"] for step in document.get("mainSteps", []) if step not in steps]
        if others or not steps:
            raise ApiError(
                "InvalidDocument", f"fsxbench lab: document action {', '.join(others) or '(none)'} is not supported"
            )
        parameters = checked(document.get("parameters", {}), given)
        steps = [substitute(step, parameters) for step in steps]
        command = Command(
            name,
            response._get_param("Comment") or "",
            given,
            instances,
            int(response._get_param("TimeoutSeconds") or 3600),
        )
        self.commands[command.id] = command
        environment = self._environment(response.region)
        for instance, invocation in command.invocations.items():
            arguments = (steps, {**environment, "FSXBENCH_INSTANCE_ID": instance})
            threading.Thread(target=invocation.run, args=arguments, name=f"command on {instance}", daemon=True).start()
        return ActionResult({"Command": command.describe()})

    def get(self, response: SimpleSystemManagerResponse) -> ActionResult:
        command = self._command(response._get_param("CommandId"))
        instance, plugin = response._get_param("InstanceId"), response._get_param("PluginName")
        invocation = command.invocations.get(instance)
        if invocation is None or plugin not in (None, "", invocation.plugin):
            raise ApiError("InvocationDoesNotExist", "")
        return ActionResult(invocation.describe())

    def list_commands(self, response: SimpleSystemManagerResponse) -> ActionResult:
        wanted, instance = response._get_param("CommandId"), response._get_param("InstanceId")
        found = [self._command(wanted)] if wanted else list(self.commands.values())
        found = [command for command in found if not instance or instance in command.invocations]
        return ActionResult({"Commands": [command.describe() for command in found]})

    def list_invocations(self, response: SimpleSystemManagerResponse) -> ActionResult:
        wanted, instance = response._get_param("CommandId"), response._get_param("InstanceId")
        details = str(response._get_param("Details")).lower() == "true"
        found = [self._command(wanted)] if wanted else list(self.commands.values())
        rows = []
        for command in found:
            for invocation in command.invocations.values():
                if instance and invocation.instance_id != instance:
                    continue
                described = invocation.describe()
                row = {
                    key: described[key]
                    for key in ("CommandId", "InstanceId", "Comment", "DocumentName", "Status", "StatusDetails")
                }
                row["RequestedDateTime"] = command.requested_at
                if details:
                    plugin = {"Name": invocation.plugin, "Status": invocation.status, "ResponseCode": invocation.code}
                    row["CommandPlugins"] = [{**plugin, "Output": invocation.output[:2500]}]
                rows.append(row)
        return ActionResult({"CommandInvocations": rows})

    def describe_instances(self, response: SimpleSystemManagerResponse) -> ActionResult:
        """Every running instance counts as managed, as with an agent in its image and a suitable profile."""
        wanted = {
            value
            for item in response._get_param("Filters") or []
            if item.get("Key") == "InstanceIds"
            for value in item["Values"]
        }
        rows = [
            {
                "InstanceId": instance.id,
                "PingStatus": "Online",
                "LastPingDateTime": _now(),
                "AgentVersion": "3.3.0.0",
                "IsLatestVersion": True,
                "PlatformType": "Linux",
                "PlatformName": "Amazon Linux",
                "PlatformVersion": "2023",
                "ResourceType": "EC2Instance",
                "IPAddress": instance.private_ip,
                "ComputerName": f"ip-{instance.private_ip.replace('.', '-')}.ec2.internal",
            }
            for instance in self._running(response)
            if not wanted or instance.id in wanted
        ]
        return ActionResult({"InstanceInformationList": rows})

    def cancel(self, response: SimpleSystemManagerResponse) -> ActionResult:
        raise ApiError("UnsupportedOperation", "fsxbench lab: CancelCommand is not supported")

    def _command(self, command_id: str) -> Command:
        if command_id not in self.commands:
            raise ApiError("InvalidCommandId", "")
        return self.commands[command_id]

    @staticmethod
    def _running(response: SimpleSystemManagerResponse) -> list[Any]:
        reservations = ec2_backends[response.current_account][response.region].all_reservations()
        return [item for reservation in reservations for item in reservation.instances if item.state == "running"]

    def _instances(self, response: SimpleSystemManagerResponse) -> list[str]:
        running = self._running(response)
        wanted = list(response._get_param("InstanceIds") or [])
        tagged = False
        known = {item.id for item in running}
        for target in response._get_param("Targets") or []:
            key, values = target["Key"], target["Values"]
            if key == "InstanceIds":
                wanted += values
            elif key.startswith("tag:"):
                # Several tags must all be there.
                running = [item for item in running if _tag(item, key[4:]) in values]
                tagged = True
            else:
                raise ApiError("InvalidTarget", f"fsxbench lab: target {key} is not supported")
        if tagged:
            wanted += [item.id for item in running]
        missing = [item for item in wanted if item not in known]
        # By tags nobody may be found (Systems Manager user guide, monitor-commands: NoInstancesInTag).
        if missing or not (wanted or response._get_param("Targets")):
            raise ApiError("InvalidInstanceId", f"Instances {missing} not in a valid state for account")
        return wanted

    def _document(self, region: str, name: str) -> dict[str, Any]:
        client = self.emulator.client("ssm", region)
        try:
            document = client.get_document(Name=name)
        except client.exceptions.ClientError as error:
            raise ApiError("InvalidDocument", f"Document with name {name} does not exist.") from error
        return (
            json.loads(document["Content"])
            if document["DocumentFormat"] == "JSON"
            else yaml.safe_load(document["Content"])
        )

    def _environment(self, region: str) -> dict[str, str]:
        return {
            **os.environ,
            "AWS_ENDPOINT_URL": self.emulator.endpoint,
            "AWS_REGION": region,
            "AWS_DEFAULT_REGION": region,
            "AWS_ACCESS_KEY_ID": self.emulator.access_key,
            "AWS_SECRET_ACCESS_KEY": "lab",
            "AWS_EC2_METADATA_DISABLED": "true",
        }


def _tag(instance: Any, key: str) -> str | None:
    return next((item["value"] for item in instance.get_tags() if item["key"] == key), None)


def _now() -> datetime:
    return datetime.now(timezone.utc)


def _iso(moment: datetime | None) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z") if moment else ""


def install(emulator: Emulator) -> RunCommand:
    """Replace moto's Run Command, which runs nothing."""
    run_command = RunCommand(emulator)
    for name, method in {
        "send_command": run_command.send,
        "get_command_invocation": run_command.get,
        "list_commands": run_command.list_commands,
        "list_command_invocations": run_command.list_invocations,
        "describe_instance_information": run_command.describe_instances,
        "cancel_command": run_command.cancel,
    }.items():
        setattr(SimpleSystemManagerResponse, name, lambda response, method=method: method(response))
    return run_command
