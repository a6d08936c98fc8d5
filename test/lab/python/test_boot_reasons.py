"""Machines that fail to boot: the real user data, a fake `aws` and `cfn-signal`, and what the stack's events say in the end."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from conftest import HANG_SECONDS, ROOT, Deployment, Server, until

ASSETS = ROOT / "assets"
CLIENTS = 2
STACK = {
    "Handle": {"Type": "AWS::CloudFormation::WaitConditionHandle"},
    "Condition": {
        "Type": "AWS::CloudFormation::WaitCondition",
        "Properties": {"Handle": {"Ref": "Handle"}, "Count": {"Ref": "Count"}, "Timeout": str(HANG_SECONDS)},
    },
    "Group": {"Type": "AWS::SNS::Topic"},
}
PARAMETERS = {"Count": {"Type": "Number", "Default": CLIENTS}}

# As AWS's own: a reason reaches a wait condition only (CloudFormation user guide, cfn-signal).
CFN_SIGNAL = f"""#!{sys.executable}
import argparse, json, urllib.request
parser = argparse.ArgumentParser()
for name in ("success", "reason", "id", "stack", "resource", "region"):
    parser.add_argument(f"--{{name}}")
parser.add_argument("url", nargs="?")
given = parser.parse_args()
status = "SUCCESS" if given.success == "true" else "FAILURE"
if given.url:
    signal = {{"Status": status, "Reason": given.reason or "", "UniqueId": given.id, "Data": ""}}
    headers = {{"Content-Type": ""}}
    request = urllib.request.Request(given.url, json.dumps(signal).encode(), headers, method="PUT")
    urllib.request.urlopen(request)
"""
AWS = """#!/bin/bash
if [[ "$1" == s3 ]]; then cp "$FSXBENCH_TEST_BUNDLE" "${!#}"; fi
"""


def _steps(script: str, pattern: str) -> list[str]:
    found = re.search(pattern, (ASSETS / script).read_text())
    assert found is not None
    return found[1].split()


CLIENT = _steps("client/bin/boot", r"client_steps=\(([^)]*)\)")
BUILDER = _steps("client/bin/boot", r"builder_steps=\(([^)]*)\)")
SERVER = _steps("server/bin/boot", r"for step in ([^;]*);")
CASES = [
    *[("client", "bin/boot", "bin", step) for step in CLIENT],
    *[("builder", "bin/boot", "bin", step) for step in BUILDER if step not in CLIENT],
    *[("client", "server/bin/boot", "server/bin", step) for step in SERVER],
]


@pytest.fixture(scope="module")
def booting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("booting"), FSXBENCH_LAB_BOOTS="true")
    yield started
    started.process.terminate()
    started.process.wait(HANG_SECONDS)


class Machine:
    """A made-up machine that runs the real user data."""

    def __init__(self, folder: Path) -> None:
        self.root, self.fakes, self.bundle = folder / "root", folder / "fakes", folder / "bundle"
        for path in (self.root / "var/lib/cloud/data", self.fakes):
            path.mkdir(parents=True)
        (self.root / "var/lib/cloud/data/instance-id").write_text("i-0abc\n")
        for name in ("bin", "lib", "server/bin", "server/lib"):
            shutil.copytree(ASSETS / "client" / name, self.bundle / name)
        shutil.copy(ASSETS / "client/tools.tsv", self.bundle)
        for name, text in {
            "aws": AWS,
            "cfn-signal": CFN_SIGNAL,
            "sleep": "#!/bin/bash\n",
            "shutdown": "#!/bin/bash\n",
            "setenforce": "#!/bin/bash\n",
        }.items():
            self._write(self.fakes / name, text)

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def boot(self, url: str, role: str, boot: str, **variables: str) -> int:
        """Run the user data; returns its exit status."""
        archive = self.bundle.with_suffix(".zip")
        with zipfile.ZipFile(archive, "w") as written:
            for path in sorted(self.bundle.rglob("*")):
                written.write(path, path.relative_to(self.bundle))
        needed = ("CACHE_URL", "KEY_PARAMETER", "NETWORK_CIDR", "LOG_GROUP", "REGION", "STACK")
        environment = {
            "PATH": f"{self.fakes}:{os.environ['PATH']}",
            **{f"FSXBENCH_{name}": name.lower() for name in needed},
            "FSXBENCH_ARMS": "[]",
            "FSXBENCH_IOR_VERSION": "3.3.0",
            "FSXBENCH_OPENMPI_VERSION": "4.1.8",
            "FSXBENCH_BUNDLE_URL": "s3://assets/bundle.zip",
            "FSXBENCH_TEST_BUNDLE": str(archive),
            "FSXBENCH_ROOT": str(self.root),
            "FSXBENCH_HOME": str(self.root / "opt/fsxbench"),
            "FSXBENCH_ROLE": role,
            "FSXBENCH_BOOT": boot,
            "FSXBENCH_SIGNAL_URL": url,
            "FSXBENCH_SIGNAL_RESOURCE": "Group",
            **variables,
        }
        script = ["bash", str(ASSETS / "client/user-data.sh")]
        return subprocess.run(script, env=environment, capture_output=True, timeout=HANG_SECONDS).returncode

    def stub(self, folder: str, steps: list[str], failing: str | None) -> None:
        """Put steps into the bundle of which one fails as each of ours does: with `die` of common.sh."""
        for step in steps:
            body = f'source "$FSXBENCH_HOME/lib/common.sh"\ndie "cannot do its work"\n' if step == failing else ""
            self._write(self.bundle / folder / step, f"#!/bin/bash\n{body}")


def _begin(server: Server) -> tuple[Deployment, str]:
    deployment = Deployment(server.client("cloudformation"))
    body = json.dumps({"Parameters": PARAMETERS, "Resources": STACK})
    # It answers when the stack is done, or after a while.
    Thread(target=deployment.client.create_stack, kwargs={"StackName": deployment.name, "TemplateBody": body}).start()
    until("the handle", lambda: deployment.status() is not None and "Group" in deployment.ids())
    return deployment, deployment.ids()["Handle"]


@pytest.mark.parametrize(("role", "boot", "folder", "step"), CASES, ids=lambda value: value)
def test_a_failed_step_is_the_reason_in_the_stacks_events(
    booting: Server, tmp_path: Path, role: str, boot: str, folder: str, step: str
) -> None:
    machine = Machine(tmp_path)
    # A server sends its logs with the client's program.
    machine.stub("bin", [*CLIENT, *BUILDER], step if folder == "bin" else None)
    machine.stub("server/bin", SERVER, step if folder == "server/bin" else None)
    deployment, url = _begin(booting)
    assert machine.boot(url, role, boot) != 0
    assert deployment.wait() == "ROLLBACK_COMPLETE"
    expected = f"WaitCondition received failed message: '{step}: cannot do its work' for uniqueId: i-0abc"
    assert expected in deployment.reasons().splitlines()


def test_a_bundle_that_cannot_be_fetched_is_the_reason_too(booting: Server, tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine._write(machine.fakes / "aws", "#!/bin/bash\necho 'fatal error: (403) Forbidden' >&2\nexit 1\n")
    deployment, url = _begin(booting)
    assert machine.boot(url, "client", "bin/boot") != 0
    assert deployment.wait() == "ROLLBACK_COMPLETE"
    assert "'user-data: cannot fetch s3://assets/bundle.zip: may the instance role read it" in deployment.reasons()


def test_a_stack_is_done_when_all_its_machines_are_and_changes_its_size_later(booting: Server, tmp_path: Path) -> None:
    deployment, url = _begin(booting)
    for number in range(CLIENTS):
        machine = Machine(tmp_path / str(number))
        (machine.root / "var/lib/cloud/data/instance-id").write_text(f"i-{number}\n")
        machine.stub("bin", CLIENT, None)
        assert deployment.status() == "CREATE_IN_PROGRESS"
        assert machine.boot(url, "client", "bin/boot") == 0
    assert deployment.wait() == "CREATE_COMPLETE"
    # As `cdk deploy` does: a parameter keeps its value.
    later = {"Parameters": {"Count": {"Type": "Number", "Default": 9}}, "Resources": {**STACK, "More": STACK["Group"]}}
    given = [{"ParameterKey": "Count", "UsePreviousValue": True}]
    deployment.client.update_stack(StackName=deployment.name, TemplateBody=json.dumps(later), Parameters=given)
    assert deployment.wait() == "UPDATE_COMPLETE", deployment.reasons()


def test_a_signal_without_a_machine_shows_its_id(booting: Server) -> None:
    deployment, _ = _begin(booting)
    deployment.client.signal_resource(
        StackName=deployment.name,
        LogicalResourceId="Condition",
        UniqueId="launch: You have requested more vCPU capacity than your current",
        Status="FAILURE",
    )
    assert deployment.wait() == "ROLLBACK_COMPLETE"
    assert "FAILURE signal with UniqueId launch: You have requested more vCPU capacity" in deployment.reasons()


def test_a_lab_whose_machines_do_not_boot_does_not_wait(stack: Deployment) -> None:
    assert stack.apply(STACK, Parameters=PARAMETERS) == "CREATE_COMPLETE", stack.reasons()
