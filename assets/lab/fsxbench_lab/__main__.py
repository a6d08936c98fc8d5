"""Starts the emulator: `python -m fsxbench_lab --port N`. It listens on this machine only.

Environment: variables for commands sent through SSM (FSXBENCH_HOME, FSXBENCH_STATE, FSXBENCH_CLIENT_CONFIG),
and NODE_PATH, where custom resource handlers find the AWS SDK.
"""

from __future__ import annotations

import argparse
import atexit
import logging
import os
import sys


def main() -> None:
    parser = argparse.ArgumentParser(prog="fsxbench_lab", description="fsxbench's AWS emulator")
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    # `cdk bootstrap` attaches AWS managed policies, which moto lacks without this.
    os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"
    os.environ["MOTO_PORT"] = str(port)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    # A line per request would hide failures.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)

    from moto import backends
    from moto.server import main as serve

    from . import (
        children,
        cloudformation,
        ec2,
        fsx,
        metrics,
        policy,
        scheduler,
        ssm,
        stepfunctions,
        unsupported,
    )
    from .aws import Emulator

    # On every request moto scans its own folder for the services it can emulate.
    modules = tuple(backends.list_of_moto_modules())
    backends.list_of_moto_modules = lambda: modules
    emulator = Emulator(f"http://127.0.0.1:{port}")
    unsupported.install()
    ec2.install()
    fsx.install()
    metrics.install()
    policy.install()
    cloudformation.install(emulator)
    ssm.install(emulator)
    stepfunctions.install()
    scheduler.install(emulator)
    atexit.register(children.kill_all)
    serve(["--host", "127.0.0.1", "--port", str(port)])


if __name__ == "__main__":
    main()
