"""One emulator for all tests, on a free port; each test makes stacks under names of its own."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config

ROOT = Path(__file__).resolve().parents[3]
# A guard against what hangs, not a guess of how fast a machine is: tests wait for events. The same for jest and bats.
HANG_SECONDS: int = json.loads((ROOT / "test" / "support" / "hang-guard.json").read_text())["seconds"]
# The key that the emulator accepts.
SECRET = secrets.token_hex(16)
sys.path.insert(0, str(ROOT / "assets" / "lab"))


def until(what: str, look: Callable[[], bool]) -> None:
    """Look until something holds; fails naming what did not come."""
    deadline = time.monotonic() + HANG_SECONDS
    while not look():
        assert time.monotonic() < deadline, f"gave up after {HANG_SECONDS} s waiting for {what}"
        time.sleep(0.05)


class Server:
    """The emulator under test."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.port_file = folder / "emulator.port"
        self.log = folder / "emulator.log"
        environment = {
            **os.environ,
            "AWS_ACCESS_KEY_ID": SECRET,
            "FSXBENCH_HOME": "/a/home",
            "FSXBENCH_STATE": str(folder),
            "NODE_PATH": str(ROOT / "node_modules"),
            "PYTHONDONTWRITEBYTECODE": "1",
            **variables,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fsxbench_lab", "--port-file", str(self.port_file)],
            cwd=ROOT / "assets" / "lab",
            env=environment,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
        )
        until("the emulator's port", self._listens)
        self.endpoint = f"http://127.0.0.1:{self.port_file.read_text()}"

    def _listens(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return self.port_file.exists()

    def client(self, service: str) -> Any:
        return boto3.client(
            service,
            region_name="us-east-1",
            endpoint_url=self.endpoint,
            aws_access_key_id=SECRET,
            aws_secret_access_key="test",
            config=Config(retries={"max_attempts": 1, "mode": "standard"}, s3={"addressing_style": "path"}),
        )


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("emulator"))
    yield started
    started.process.terminate()
    started.process.wait(HANG_SECONDS)


@pytest.fixture
def aws(server: Server) -> Callable[[str], Any]:
    return server.client


class Deployment:
    """A stack of a test."""

    def __init__(self, client: Any) -> None:
        self.client, self.name = client, f"Test{uuid.uuid4().hex[:8]}"

    def apply(self, resources: dict[str, Any], **template: Any) -> str:
        """Create or update the stack; returns the status that it ends in."""
        body = json.dumps({"Resources": resources, **template})
        method = self.client.update_stack if self.status() else self.client.create_stack
        method(StackName=self.name, TemplateBody=body)
        return self.wait()

    def wait(self) -> str:
        until(f"the end of {self.name}", lambda: not (self.status() or "gone").endswith("IN_PROGRESS"))
        return self.status() or "gone"

    def status(self) -> str | None:
        try:
            return self.client.describe_stacks(StackName=self.name)["Stacks"][0]["StackStatus"]
        except self.client.exceptions.ClientError:
            return None

    def outputs(self) -> dict[str, str]:
        stack = self.client.describe_stacks(StackName=self.name)["Stacks"][0]
        return {item["OutputKey"]: item["OutputValue"] for item in stack["Outputs"]}

    def ids(self) -> dict[str, str]:
        """Logical to physical ids."""
        found = self.client.describe_stack_resources(StackName=self.name)["StackResources"]
        return {item["LogicalResourceId"]: item["PhysicalResourceId"] for item in found}

    def reasons(self) -> str:
        """Every reason that the stack's events give."""
        events = self.client.describe_stack_events(StackName=self.name)["StackEvents"]
        return "\n".join(event.get("ResourceStatusReason", "") for event in events)

    def delete(self) -> None:
        self.client.delete_stack(StackName=self.name)
        assert self.wait() == "gone", self.reasons()


@pytest.fixture
def stack(server: Server) -> Iterator[Deployment]:
    deployment = Deployment(server.client("cloudformation"))
    yield deployment
    if deployment.status():
        deployment.client.delete_stack(StackName=deployment.name)
