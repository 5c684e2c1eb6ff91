"""The process that candidates run in, from the side of the tuner: started when needed, ended when it hangs."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import IO, Any, cast

from weft.autotune.measuring.messages import BrokenError, receive, send
from weft.errors import Error

STARTING = 60.0
"""Seconds that a process may take to start, besides the time limit of a candidate."""


class HangError(Exception):
    """A candidate took longer than its time limit."""


class CrashError(Exception):
    """A candidate ended its process."""


class Worker:
    """A process for candidates.

    Parameters
    ----------
    arguments
        What every candidate is called with.
    timeout
        Seconds that a candidate may take, compiling included.
    """

    def __init__(self, arguments: Mapping[str, Any], timeout: float) -> None:
        self._arguments = dict(arguments)
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request.

        Raises
        ------
        HangError
            There was none within the time limit; the process is ended.
        CrashError
            The process ended instead.
        """
        if self._process is None:
            self._process = self._started()
            self._exchange({"do": "keep", "arguments": self._arguments}, STARTING)
        return self._exchange(request, self._timeout)

    def _started(self) -> subprocess.Popen[bytes]:
        here = [path for path in sys.path if path]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys([*here, os.getcwd()]))}
        command = [sys.executable, "-m", "weft.autotune.measuring.worker"]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )

    def _exchange(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            send(process.stdin, request)
            answer = receive(cast("IO[bytes]", _Limited(process.stdout.fileno(), seconds)))
        except HangError:
            self.close()
            raise
        except BrokenError:
            status = self._status()
            self.close()
            raise CrashError(status) from None
        except BaseException:  # Ctrl-C: what is on the way would be taken for the next answer
            self.close()
            raise
        return cast("dict[str, Any]", answer)

    def _status(self) -> str:
        assert self._process is not None
        try:
            code = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            return "it wrote what is no answer"
        return f"it was ended by signal {-code}" if code < 0 else f"it ended with status {code}"

    def limits(self, language: str, device: str) -> dict[str, Any]:
        """What the device allows.

        Raises
        ------
        Error
            The device cannot be used.
        """
        answer = self.ask({"do": "limits", "language": language, "device": device})
        if "error" in answer:
            raise Error(f"the device {device!r} cannot be used", cause=answer["error"])
        return cast("dict[str, Any]", answer["limits"])

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


class _Limited:
    """What comes out of a pipe until a time limit."""

    def __init__(self, pipe: int, seconds: float) -> None:
        self._pipe, self._end = pipe, time.monotonic() + seconds

    def read(self, count: int) -> bytes:
        """Some bytes, at most so many; none where the other side is gone."""
        ready, _, _ = select.select([self._pipe], [], [], max(0.0, self._end - time.monotonic()))
        if not ready:
            raise HangError
        return os.read(self._pipe, min(count, 1 << 20))
