"""What is wrong where a push or a pop waited for too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.dataflow.errors import StreamError
from weft.errors import TimeoutError

if TYPE_CHECKING:
    from weft.dataflow.running.ports import InPort
    from weft.dataflow.running.run import Run


def push_failed(run: Run, port: InPort, timeout: float | None) -> TimeoutError:
    """Somebody must pop, or push into another input."""
    full = [f"{p.name} holds {len(p)} tokens" for p in run.outputs if run.is_full(p)]
    starved = [p.name for p in run.inputs.values() if len(p) < run.engine.needed(p.node, 1)]
    return TimeoutError(
        f"push into {port.name} waited for {timeout} seconds",
        cause=f"{' and '.join(full)}, and nobody pops" if full else f"nobody pushes into {', '.join(starved)}",
        hint="pop in another thread, or start(capacity=...) with more periods" if full else "push into all inputs",
    )


def pop_failed(run: Run, timeout: float | None) -> TimeoutError:
    """Tokens are missing."""
    lacking = [
        f"{port.name} holds {len(port)} tokens, and a period needs {run.engine.needed(port.node, 1)}"
        for port in run.inputs.values()
    ]
    return TimeoutError(
        f"pop waited for {timeout} seconds", cause="; ".join(lacking), hint="push more tokens, or close() the run"
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
