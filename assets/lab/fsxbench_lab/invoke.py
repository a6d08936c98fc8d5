"""Runs a custom resource handler in a child process, against the emulator."""

from __future__ import annotations

import hmac
import http.server
import json
import os
import secrets
import shutil
import sys
import tempfile
import threading
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

from .aws import Emulator, LabError
from .children import Child
from .door import Refused, answer_refusal, check

# Lambda's maximum timeout.
_TIMEOUT_SECONDS = 900
_RUNNERS = Path(__file__).parent / "handlers"


def invoke_custom_resource(emulator: Emulator, account: str, region: str, event: dict[str, Any]) -> dict[str, Any]:
    """Send `event` to the function named by its ServiceToken and return the response that the handler put to the ResponseURL."""
    from moto.awslambda.utils import get_backend

    backend = get_backend(account, region)
    function = backend.get_function(event["ServiceToken"])
    runtime = function.run_time or ""
    language = next((name for name in ("nodejs", "python") if runtime.startswith(name)), None)
    if language is None:
        raise LabError(f"fsxbench lab: custom resources with runtime {runtime} are not supported")

    with _Listener() as listener, tempfile.TemporaryDirectory(prefix="fsxbench-handler-") as folder:
        code = Path(folder, "code")
        _extract(function.code_bytes, code)
        layers = _unpacked(tuple(backend.layers_versions_by_arn(layer["Arn"]).code_bytes for layer in function.layers))
        # BucketDeployment's handler calls its layer's AWS CLI by absolute path, so pass the layer's location.
        environment = {
            **_base_environment(emulator, region),
            **{key: str(value) for key, value in function.environment_vars.items()},
            "LAMBDA_TASK_ROOT": str(code),
            "FSXBENCH_LAYERS": str(layers),
            "_HANDLER": function.handler,
            "AWS_LAMBDA_FUNCTION_NAME": function.function_name,
            "PYTHONPATH": os.pathsep.join([str(code), str(layers / "python")]),
        }
        executable = sys.executable if language == "python" else shutil.which("node")
        if executable is None:
            raise LabError("fsxbench lab: node is not on PATH, but custom resource handlers need it")
        runner = _RUNNERS / ("run.py" if language == "python" else "run.cjs")
        child = Child([executable, str(runner)], environment, str(code))
        request = json.dumps({**event, "ResponseURL": listener.url})
        timeout = min(int(function.timeout or 3) * 4, _TIMEOUT_SECONDS)
        code_or_none, _, error = child.communicate(request, timeout)
        if listener.answer is not None:
            return listener.answer
        reason = f"timed out after {timeout} s" if code_or_none is None else f"ended with {code_or_none}"
        raise LabError(f"handler of {event['LogicalResourceId']} {reason}: {error[-1500:].strip()}")


def _base_environment(emulator: Emulator, region: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "NODE_PATH") if name in os.environ}
    return {
        **kept,
        "AWS_ENDPOINT_URL": emulator.endpoint,
        "AWS_REGION": region,
        "AWS_DEFAULT_REGION": region,
        "AWS_ACCESS_KEY_ID": emulator.access_key,
        "AWS_SECRET_ACCESS_KEY": "lab",
        "AWS_EC2_METADATA_DISABLED": "true",
    }


_unpacking = threading.Lock()
_folders: dict[tuple[bytes, ...], tempfile.TemporaryDirectory[str]] = {}


def _unpacked(layers: tuple[bytes, ...]) -> Path:
    """Unpack layers once for all handlers, which must not change them, as on Lambda: that of the AWS CLI takes seconds."""
    with _unpacking:
        if layers not in _folders:
            folder = tempfile.TemporaryDirectory(prefix="layers-", dir=os.environ["FSXBENCH_STATE"])
            for layer in layers:
                _extract(layer, Path(folder.name))
            _folders[layers] = folder
        return Path(_folders[layers].name)


def _extract(archive: bytes, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(BytesIO(archive)) as source:
        source.extractall(target)
        for item in source.infolist():
            mode = item.external_attr >> 16
            if mode & 0o111:
                (target / item.filename).chmod(mode & 0o777)


class _Listener:
    """Receives the single PUT that a handler sends to its ResponseURL, whose path is a secret."""

    def __init__(self) -> None:
        self.answer: dict[str, Any] | None = None
        path = f"/{secrets.token_urlsafe(32)}"
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_PUT(self) -> None:  # noqa: N802 - named by the base class
                try:
                    port = self.server.server_address[1]
                    check(self.path, self.headers, port, lambda target, _: hmac.compare_digest(target.encode(), path.encode()))
                except Refused as refused:
                    return answer_refusal(self, refused)
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.answer = json.loads(body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}{path}"

    def __enter__(self) -> _Listener:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
