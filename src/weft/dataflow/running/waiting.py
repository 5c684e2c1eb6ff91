"""What is wrong where a push or a pop waits for too long, or would wait for what nobody does."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from weft.dataflow.errors import StreamError
from weft.errors import TimeoutError

if TYPE_CHECKING:
    from weft.dataflow.running.ports import InPort
    from weft.dataflow.running.run import Run


TABLE = "weft table"
"""The name of the thread that shows the rates of a run."""

LOOK = 1.0
"""Seconds after which a thread that waits looks whether there are others."""


def is_alone() -> bool:
    """Whether this thread is the only one: what it waits for will never come."""
    own = threading.current_thread()
    return all(thread is own or thread.name == TABLE for thread in threading.enumerate())


def _waits(timeout: float | None, alone: bool) -> str:
    if not alone:
        return f"waited for {timeout} seconds"
    return "would wait for ever" if timeout is None else f"would wait for {timeout} seconds in vain"


def push_failed(run: Run, port: InPort, timeout: float | None, alone: bool) -> TimeoutError:
    """Somebody must pop, or push into another input."""
    full = [f"{p.name} holds {len(p)} tokens" for p in run.outputs if run.is_full(p)]
    starved = [p.name for p in run.inputs.values() if len(p) < run.engine.needed(p.node, 1)]
    return TimeoutError(
        f"push into {port.name} {_waits(timeout, alone)}",
        cause=f"{' and '.join(full)}, and {_nobody(alone)} pops"
        if full
        else f"{_nobody(alone)} pushes into {', '.join(starved)}",
        hint="pop before you push more, pop in another thread, or start(capacity=...) with more periods"
        if full
        else "push into all inputs",
    )


def _nobody(alone: bool) -> str:
    return "no other thread is there that" if alone else "nobody"


def pop_failed(run: Run, timeout: float | None, alone: bool) -> TimeoutError:
    """Tokens are missing."""
    lacking = [
        f"{port.name} holds {len(port)} tokens, and a period needs {run.engine.needed(port.node, 1)}"
        for port in run.inputs.values()
    ]
    return TimeoutError(
        f"pop {_waits(timeout, alone)}",
        cause="; ".join(lacking) + ", and no other thread is there that pushes" * alone,
        hint="push more tokens, or close() the run",
    )


def ended_early(run: Run) -> StreamError:
    """Tokens are left when the streams end: one stream is shorter than another, or a period is not full."""
    ports = list(run.inputs.values())
    short = next((port for port in ports if port.count < run.engine.needed(port.node, 1)), ports[0])
    long = next((port for port in ports if port.count >= run.engine.needed(port.node, 1)), None)
    needed = run.engine.needed(short.node, 1)
    if long is not None:
        message = f"the stream {short.name} ends before {long.name}: {long.count} tokens of {long.name} are left"
        cause = f"a period takes {needed} tokens of {short.name}, and {short.count} are left"
    else:
        short = next(port for port in ports if port.count)
        needed = run.engine.needed(short.node, 1)
        first = "the first period" if run.engine.needs_first else "a period"
        message = (
            f"the stream {short.name} ends in the middle of a period: {short.count} tokens are left, and {first} "
            f"takes {needed}"
        )
        cause = ""
    hint = 'say tail="drop" to leave them out, or tail="pad" to have zeros follow'
    return StreamError(message, cause=cause, hint=hint)
