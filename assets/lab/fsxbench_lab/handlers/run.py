"""Runs a Python Lambda handler once: the event comes on stdin, _HANDLER names the handler.

BucketDeployment's handler runs the AWS CLI from /opt/awscli, where Lambda unpacks layers; here that is FSXBENCH_LAYERS.
"""

import importlib
import json
import os
import subprocess
import sys
from types import SimpleNamespace

_original = subprocess.Popen.__init__


def _from_layers(self, args, *rest, **options):
    if isinstance(args, (list, tuple)) and str(args[0]).startswith("/opt/"):
        args = [os.environ["FSXBENCH_LAYERS"] + str(args[0])[len("/opt") :], *args[1:]]
        if args[0].endswith("/aws"):
            args = [sys.executable, *args]
    _original(self, args, *rest, **options)


subprocess.Popen.__init__ = _from_layers

module, name = os.environ["_HANDLER"].rsplit(".", 1)
context = SimpleNamespace(
    function_name=os.environ["AWS_LAMBDA_FUNCTION_NAME"],
    log_stream_name="lab",
    get_remaining_time_in_millis=lambda: 60000,
)
getattr(importlib.import_module(module), name)(json.load(sys.stdin), context)
