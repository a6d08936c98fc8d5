"""Starts the emulator: `python -m fsxbench_lab --port N`. It listens on this machine only.

Environment: what commands sent through SSM are to see (FSXBENCH_HOME, FSXBENCH_STATE, FSXBENCH_CLIENT_CONFIG),
and NODE_PATH, where the handlers of custom resources find the AWS SDK.
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
    # `cdk bootstrap` attaches AWS's own policies; without this, moto does not know them.
    os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"
    os.environ["MOTO_PORT"] = str(port)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    # One line for each request is noise that hides what failed.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)

    from moto import backends
    from moto.server import main as serve

    from . import children, cloudformation, ec2, fsx, metrics, policy, ssm, unsupported
    from .aws import Emulator

    # At every request moto looks through its own folder for what it can emulate.
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
    atexit.register(children.kill_all)
    serve(["--host", "127.0.0.1", "--port", str(port)])


if __name__ == "__main__":
    main()
