"""Ports of a run: queues of tokens that several threads may use. Single tokens go through a way of their own."""

from __future__ import annotations

from collections import deque
from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.running.feeding import does_not_fit, fits, tokens

if TYPE_CHECKING:
    from weft.dataflow.analysis.network import Node
    from weft.dataflow.running.run import Run

PATIENCE = 60.0
"""Seconds that a push or pop waits by default."""

_PYTHON = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
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

    loose: MutableSequence[Any]

    def __init__(self, run: Run, name: str, dtype: Any, period: int, node: Node) -> None:
        self.run = run
        self.name = name
        self.dtype = np.dtype(dtype)
        self.period = period
        self.node = node
        self.chunks: deque[Any] = deque()
        self.count = 0
        self.python = _PYTHON.get(self.dtype.kind)

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
    """An input of a run."""

    slack = SLACK

    def __init__(self, run: Run, name: str, dtype: Any, period: int, node: Node) -> None:
        super().__init__(run, name, dtype, period, node)
        self.loose: list[Any] = []

    def push(self, value: Any, timeout: float | None = PATIENCE) -> None:
        """Put a token or a vector of tokens in; wait while the ports are full.

        Raises
        ------
        StreamError
            Tokens of another type or shape.
        TimeoutError
            Nobody popped for `timeout` seconds, or no other thread is there that could; nothing was put in.
        ClosedError
            The run was closed, or an actor failed.
        """
        if type(value) is self.python and len(self.loose) < self.slack:
            self.loose.append(value)
        else:
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
        """Make an array of the tokens that came one by one: other threads may append meanwhile.

        One that does not fit is left out, and said; the others keep their order.
        """
        waiting = len(self.loose)
        if waiting:
            found = self.loose[:waiting]
            del self.loose[:waiting]
            try:
                chunk = np.array(found, self.dtype)
            except OverflowError:
                first = next(k for k, token in enumerate(found) if not fits(token, self.dtype))
                self.append(np.array(found[:first], self.dtype))
                self.loose[:0] = found[first + 1 :]
                raise does_not_fit(found[first], self.dtype) from None
            self.append(chunk)


class OutPort(Port):
    """An output of a run."""

    def __init__(self, run: Run, name: str, dtype: Any, period: int, node: Node) -> None:
        super().__init__(run, name, dtype, period, node)
        self.loose: deque[Any] = deque()

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

    def get(self, timeout: float | None = PATIENCE) -> Any:
        """One token as a Python number."""
        try:
            return self.loose.popleft()
        except IndexError:
            self.run.refill(self, timeout)
            return self.get(timeout)

    def settle(self) -> None:
        """Put the tokens that were to go one by one before the others again."""
        waiting = len(self.loose)
        if waiting:
            popleft = self.loose.popleft
            self.chunks.appendleft(np.array([popleft() for _ in range(waiting)], self.dtype))
            self.count += waiting
