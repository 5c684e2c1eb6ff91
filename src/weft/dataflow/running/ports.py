"""Ports of a run: queues of tokens that several threads may use. Single tokens go through a way of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.running.feeding import tokens
from weft.runtime._stub import Tokens

if TYPE_CHECKING:
    from weft.dataflow.analysis.network import Node
    from weft.dataflow.running.run import Run

PATIENCE = 60.0
"""Seconds that a push or pop waits by default."""

SLACK = 4096
"""Single tokens that are collected before a batch is looked for."""


class Port:
    """Tokens in the order in which they came, in arrays and, the newest or oldest ones, one by one.

    Attributes
    ----------
    name
        Of the input, or of the output.
    dtype
        Of its tokens.
    period
        Its tokens in a period.
    """

    def __init__(self, run: Run, name: str, dtype: Any, period: int, node: Node, otherwise: Callable[..., Any]) -> None:
        self.run = run
        self.name = name
        self.dtype = np.dtype(dtype)
        self.period = period
        self.node = node
        self.chunks: deque[Any] = deque()
        self.count = 0
        self.loose = Tokens(self.dtype.kind, self.dtype.itemsize, SLACK, otherwise)

    def __len__(self) -> int:
        return self.count + len(self.loose)

    def append(self, chunk: Any) -> None:
        """Put an array behind the others."""
        if len(chunk):
            self.chunks.append(chunk)
            self.count += len(chunk)

    def take(self, wanted: int) -> Any:
        """The first tokens as one array."""
        parts = []
        while wanted:
            chunk = self.chunks.popleft()
            if len(chunk) > wanted:
                self.chunks.appendleft(chunk[wanted:])
                chunk = chunk[:wanted]
            parts.append(chunk)
            wanted -= len(chunk)
            self.count -= len(chunk)
        if len(parts) == 1:
            return np.ascontiguousarray(parts[0])
        return np.concatenate(parts) if parts else np.empty(0, self.dtype)

    def clear(self) -> None:
        """Forget all tokens."""
        self.chunks.clear()
        self.loose.clear()
        self.count = 0


class InPort(Port):
    """An input of a run.

    Attributes
    ----------
    push
        ``push(value, timeout=60)`` puts a token or a vector of tokens in, and waits while the ports are full. It raises
        a `StreamError` for tokens of another type or shape, a `TimeoutError` where nobody popped for `timeout` seconds
        or no other thread is there that could (nothing was put in then), and a `ClosedError` after the run was closed
        or an actor failed.
    """

    def __init__(self, run: Run, name: str, dtype: Any, period: int, node: Node) -> None:
        super().__init__(run, name, dtype, period, node, self._push)
        self.push: Callable[..., None] = self.loose.push

    def _push(self, value: Any, timeout: float | None = PATIENCE) -> None:
        """Put in what is no single number of Python's, or where many of these wait already."""
        self.run.push_to(self, tokens(value, self.dtype), timeout)

    def try_push(self, value: Any) -> bool:
        """Put tokens in where that is possible at once, and say whether it was."""
        return self.run.try_push_to(self, tokens(value, self.dtype))

    def put(self, chunk: Any) -> None:
        """Put a copy of a vector in, whatever there is."""
        self.append(chunk.copy())

    def keep(self, chunk: Any) -> None:
        """Copy what is left of a vector that was put in as it was: it is the caller's."""
        if self.chunks and np.may_share_memory(self.chunks[-1], chunk):
            self.chunks[-1] = self.chunks[-1].copy()

    def settle(self) -> None:
        """Make an array of the tokens that came one by one: other threads may append meanwhile."""
        waiting = len(self.loose)
        if waiting:
            chunk = np.empty(waiting, self.dtype)
            self.loose.move_to(chunk)
            self.append(chunk)


class OutPort(Port):
    """An output of a run.

    Attributes
    ----------
    get
        ``get(timeout=60)`` gives one token as a Python number, and raises as `pop` does.
    """

    def __init__(self, run: Run, name: str, dtype: Any, period: int, node: Node) -> None:
        super().__init__(run, name, dtype, period, node, self._get)
        self.get: Callable[..., Any] = self.loose.get

    def pop(self, count: int | None = None, timeout: float | None = PATIENCE) -> Any:
        """Take tokens out: so many, by default those of a period; wait until they are there.

        Raises
        ------
        TimeoutError
            There are too few after `timeout` seconds, or no other thread is there that could push.
        ClosedError
            There will never be so many; fewer can still be taken.
        """
        return self.run.pop_from(self, self.period if count is None else count, timeout)

    def try_pop(self, count: int | None = None) -> Any:
        """So many tokens where they are there or can be computed at once; otherwise None."""
        return self.run.try_pop_from(self, self.period if count is None else count)

    def _get(self, timeout: float | None = PATIENCE) -> Any:
        """One token where none is ready, or where they have a type that goes no other way."""
        if self.dtype == np.float16:
            return self.run.pop_from(self, 1, timeout).item()
        self.run.refill(self, timeout)
        return self.get(timeout)

    def settle(self) -> None:
        """Put the tokens that were to go one by one before the others again."""
        waiting = len(self.loose)
        if waiting:
            chunk = np.empty(waiting, self.dtype)
            self.loose.move_to(chunk)
            self.chunks.appendleft(chunk)
            self.count += waiting
