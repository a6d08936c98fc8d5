"""Child processes that die with the server: each has its own process group, and the kernel kills it with its parent."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import tempfile

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)
_running: set[Child] = set()


def _die_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Child:
    """A child process. The thread that starts it must wait for it, since the kernel ties its lifetime to that thread."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: str) -> None:
        # Files instead of pipes: a process that the command leaves behind would block the reader of a pipe.
        self._output, self._error = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=self._error,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        _running.add(self)

    def communicate(self, text: str, timeout: float) -> tuple[int | None, str, str]:
        """Feed `text` to stdin and wait. Returns exit code (None if killed after `timeout` seconds), stdout and stderr."""
        try:
            try:
                self._process.communicate(text.encode(), timeout=timeout)
                code: int | None = self._process.returncode
            except subprocess.TimeoutExpired:
                self.kill()
                self._process.wait()
                code = None
            return code, self._read(self._output), self._read(self._error)
        finally:
            _running.discard(self)

    def kill(self) -> None:
        """Terminate the child and its process group."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    @staticmethod
    def _read(file: object) -> str:
        file.seek(0)  # type: ignore[attr-defined]
        return file.read().decode("utf-8", "replace")  # type: ignore[attr-defined]


def kill_all() -> None:
    """Terminate every running child."""
    for child in list(_running):
        child.kill()
