"""Starts the emulator: `python -m fsxbench_lab --port-file FILE`. It listens on this machine only, on a port that the kernel gives it.

The file gets the port: one that somebody else chose could be taken before it is listened to.

Environment: AWS_ACCESS_KEY_ID, the secret without which no request is answered; variables for commands sent through SSM (FSXBENCH_HOME,
FSXBENCH_STATE, FSXBENCH_CLIENT_CONFIG); and NODE_PATH, where custom resource handlers find the AWS SDK.
"""

from __future__ import annotations

import argparse
import atexit
import logging
import os
import signal
import socket
import sys
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="fsxbench_lab", description="fsxbench's AWS emulator")
    parser.add_argument("--port-file", type=Path, required=True)
    port_file: Path = parser.parse_args().port_file
    # The next start reads what this one compiles, and takes half as long. Not beside the sources, which may be read-only.
    sys.pycache_prefix = str(Path(sys.prefix) / "compiled")
    sys.dont_write_bytecode = False
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    port: int = listener.getsockname()[1]
    # `cdk bootstrap` attaches AWS managed policies, which moto lacks without this.
    os.environ["MOTO_IAM_LOAD_MANAGED_POLICIES"] = "true"
    os.environ["MOTO_PORT"] = str(port)
    # No header lets a web page read what is answered.
    os.environ["MOTO_DISABLE_GLOBAL_CORS"] = "true"
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    # A line per request would hide failures.
    logging.getLogger("werkzeug").setLevel(logging.WARNING)

    from . import once

    once.install()

    from moto import backends
    from moto.server import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    from . import (
        children,
        cloudformation,
        door,
        ec2,
        fsx,
        metrics,
        permissions,
        policy,
        quotas,
        scheduler,
        ssm,
        stepfunctions,
        unsupported,
    )
    from .aws import Emulator

    # On every request moto scans its own folder for the services it can emulate.
    modules = tuple(backends.list_of_moto_modules())
    backends.list_of_moto_modules = lambda: modules
    emulator = Emulator(f"http://127.0.0.1:{port}", door.secret())
    door.install()
    unsupported.install()
    ec2.install()
    fsx.install()
    metrics.install()
    permissions.install()
    policy.install()
    quotas.install()
    cloudformation.install(emulator)
    ssm.install(emulator)
    stepfunctions.install(emulator)
    scheduler.install(emulator)
    atexit.register(children.kill_all)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    application = DomainDispatcherApplication(create_backend_app)
    options = {"threaded": True, "request_handler": door.GuardedHandler, "fd": listener.fileno()}
    server = make_server("127.0.0.1", port, application, **options)
    # Each lab has its own file, and one emulator.
    told = port_file.with_suffix(".new")
    told.write_text(str(port))
    told.replace(port_file)
    server.serve_forever()


if __name__ == "__main__":
    main()
