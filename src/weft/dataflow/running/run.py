"""A run of a graph: ports that are pushed and popped from any threads, and batches of periods between them.

There is no thread of its own: whoever pushes the last token of a batch, or pops where nothing is ready, runs it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.errors import ClosedError, StreamError
from weft.dataflow.running import batching, waiting
from weft.dataflow.running.engine import MEASURED, Engine
from weft.dataflow.running.options import check_count, check_options
from weft.dataflow.running.ports import PATIENCE, InPort, OutPort
from weft.errors import ArgumentError, TimeoutError

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph

MOST = 1 << 62
"""More periods than there ever are."""

HELD = 64 << 20
"""Bytes that ports hold by default before a push waits."""

AT_ONCE = 32 << 10
"""Bytes of a vector that is run when it is pushed, and not kept for a larger batch."""


class Run:
    """A run of a graph; see `Graph.start`.

    Attributes
    ----------
    inputs
        The input ports by name.
    outputs
        The output ports in order.
    push
        Of the only input, where there is one.
    keeps_tokens
        Whether an actor may keep a part of what was pushed.
    """

    def __init__(
        self, graph: Graph, *, latency: float | None, capacity: int | None, tail: str, memory: int | None
    ) -> None:
        check_options(latency, capacity, tail, memory)
        self.graph = graph
        self.engine = Engine(graph)
        self.latency, self.tail, self.memory = latency, tail, memory
        self.inputs = {
            name: InPort(self, name, graph.types.ports[node, 0], graph.schedule.repetitions[node.number], node)
            for name, node in graph.inputs.items()
        }
        self.outputs = [
            OutPort(self, node.name, graph.dtype_out(k), graph.schedule.repetitions[node.number], node)
            for k, node in enumerate(graph.outputs)
        ]
        self.capacity = self._capacity(capacity)
        self._bytes = graph.bytes_of_period()
        self._look_at = self._periods = 0
        self.keeps_tokens = self.engine.keeps_tokens
        self._changed = threading.Condition(threading.RLock())
        self._ending = False
        self._failure: BaseException | None = None
        self._told = False
        self._started = time.perf_counter()
        if len(self.inputs) == 1:
            (port,) = self.inputs.values()
            self.push: Callable[..., None] = port.push
            self.try_push: Callable[..., bool] = port.try_push
        else:
            self.push, self.try_push = self._push_all, self._no_single

    def _capacity(self, given: int | None) -> int | None:
        """The periods that ports hold; None without end."""
        if given is not None:
            return given or None
        each = sum(port.period * port.dtype.itemsize for port in (*self.inputs.values(), *self.outputs))
        return int(max(4, HELD // max(each, 1)))

    def _push_all(self, *values: Any, timeout: float | None = PATIENCE, **named: Any) -> None:
        """Push into several inputs at once."""
        given = dict(zip(self.inputs, values, strict=False)) | named
        if len(values) + len(named) != len(self.inputs) or set(given) != set(self.inputs):
            raise ArgumentError(f"the run has the inputs {', '.join(self.inputs)}", hint="push into each")
        for name, value in given.items():
            self.inputs[name].push(value, timeout)

    def _no_single(self, *_: Any) -> bool:
        raise ArgumentError("the run has several inputs", hint="use run.inputs[name].try_push(chunk)")

    # ------------------------------------------------------------------------------------------------------- pushing

    def push_to(self, port: InPort, chunk: Any, timeout: float | None) -> None:
        """Put tokens into a port; see `InPort.push`."""
        with self._changed:
            self._check_open()
            if not self._has_room(port):
                self._wait(lambda: self._has_room(port), timeout, partial(waiting.push_failed, self, port), pushes=True)
                self._check_open()
            port.settle()
            if self.keeps_tokens:
                chunk = chunk.copy()
            port.append(chunk)
            self._run_full_batches(chunk.nbytes >= AT_ONCE)
            if not self.keeps_tokens:
                port.keep(chunk)
            self._changed.notify_all()

    def try_push_to(self, port: InPort, chunk: Any) -> bool:
        """See `InPort.try_push`."""
        with self._changed:
            self._check_open()
            if not self._has_room(port):
                return False
            self.push_to(port, chunk, None)
            return True

    def _has_room(self, port: InPort) -> bool:
        if self.capacity is None:
            return True
        if len(port) < self.capacity * port.period:
            return True
        self._make_room()
        return len(port) < self.capacity * port.period

    def _make_room(self) -> None:
        """Run what is pending, until an output is full."""
        while (pending := self._pending()) and not self._any_full():
            self._run_batch(min(self._batch(), pending))

    def _any_full(self) -> bool:
        return any(map(self.is_full, self.outputs))

    def is_full(self, port: OutPort) -> bool:
        """Whether an output holds as much as it may."""
        return self.capacity is not None and len(port) >= self.capacity * port.period

    # ------------------------------------------------------------------------------------------------------- popping

    def pop(self, timeout: float | None = PATIENCE) -> Any:
        """All that is ready, at least a period: an array, or a tuple of arrays where there are several outputs.

        Raises
        ------
        TimeoutError
            Nothing is ready after `timeout` seconds; or at once, where no other thread could push.
        ClosedError
            The run was closed, and all has been taken.
        Exception
            What an actor raised, after all that the periods before gave has been taken.
        """
        with self._changed:
            if not self._any_ready():
                self._wait(self._any_ready, timeout, partial(waiting.pop_failed, self))
            return self._take_all()

    def try_pop(self) -> Any:
        """What is ready, or can be computed at once; None if nothing is."""
        with self._changed:
            if self._any_ready():
                return self._take_all()
            self._raise_failure()
            return None

    def pop_from(self, port: OutPort, count: int, timeout: float | None) -> Any:
        """See `OutPort.pop`."""
        check_count(count, "count", 0)
        with self._changed:
            self._wait(lambda: self._has(port, count), timeout, partial(waiting.pop_failed, self))
            port.settle()
            found = port.take(count)
            self._changed.notify_all()
            return found

    def try_pop_from(self, port: OutPort, count: int) -> Any:
        """See `OutPort.try_pop`."""
        check_count(count, "count", 0)
        with self._changed:
            if self._has(port, count):
                return self.pop_from(port, count, None)
            self._raise_failure()
            return None

    def refill(self, port: OutPort, timeout: float | None) -> None:
        """Make tokens ready to be taken one by one."""
        with self._changed:
            self._wait(lambda: len(port.loose) > 0 or self._has(port, 1), timeout, partial(waiting.pop_failed, self))
            if not len(port.loose):
                port.loose.fill(port.take(port.count))
            self._changed.notify_all()

    def _any_ready(self) -> bool:
        if self.inputs:
            self._make_room()
        elif not any(len(port) for port in self.outputs):
            self._run_pending()
        return any(len(port) for port in self.outputs)

    def _has(self, port: OutPort, count: int) -> bool:
        while len(port) < count and (pending := self._pending()):
            self._run_batch(min(self._batch(), pending))
        return len(port) >= count

    def _take_all(self) -> Any:
        for port in self.outputs:
            port.settle()
        found = tuple(port.take(port.count) for port in self.outputs)
        self._changed.notify_all()
        return found[0] if self.graph.is_single else found

    def _wait(
        self,
        ready: Callable[[], bool],
        timeout: float | None,
        words: Callable[[float | None, bool], TimeoutError],
        pushes: bool = False,
    ) -> None:
        """Wait until something holds, or raise what keeps it from ever holding."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if pushes:
                self._check_open()
            if ready():
                return
            if not pushes:
                self._raise_failure()
                if self._ending:
                    raise ClosedError("the run was closed, and all that it gave has been taken")
            left = waiting.LOOK if until is None else until - time.monotonic()
            alone = left > 0 and waiting.is_alone()
            if left <= 0 or alone:
                raise words(timeout, alone)
            self._changed.wait(min(left, waiting.LOOK))

    def _check_open(self) -> None:
        if self._failure is not None:
            raise ClosedError("the run has stopped: an actor failed", cause=str(self._failure)) from self._failure
        if self._ending:
            raise ClosedError("the run was closed", hint="start another one: graph.start()")

    def _raise_failure(self) -> None:
        if self._failure is None:
            return
        if self._told:
            self._check_open()
        self._told = True
        raise self._failure

    # ------------------------------------------------------------------------------------------------------- running

    def _pending(self) -> int:
        """Whole periods for which all tokens are there; one for ever where the graph has no inputs."""
        if self._failure is not None:
            return 0
        if not self.inputs:
            return 0 if self._ending else 1
        found = MOST
        for port in self.inputs.values():
            port.settle()
            found = min(found, (port.count - self.engine.needed(port.node, 0)) // port.period)
        return max(0, found)

    def _batch(self) -> int:
        """The periods that are to run together: from what the last calls took, found anew when these are others."""
        calls = self.engine.calls
        if calls >= self._look_at:
            self._look_at = calls + (1 if calls < MEASURED else MEASURED)
            wanted = batching.periods(self.engine.seconds, self._bytes, self.memory, self.latency)
            self._periods = min(wanted, self.capacity or wanted)
        return self._periods

    def _run_full_batches(self, at_once: bool) -> None:
        """Run full batches; `at_once`: all that is pending, where a copy for later costs about as much."""
        if not self.inputs:
            return
        while (pending := self._pending()) and not self._any_full():
            batch = self._batch()
            if pending < batch and not at_once:
                return
            self._run_batch(min(batch, pending))

    def _run_pending(self) -> None:
        pending = self._pending()
        while pending:
            self._run_batch(min(self._batch(), pending))
            pending = self._pending() if self.inputs else 0

    def _run_batch(self, periods: int) -> None:
        """Run periods; a failure stops the run, and is told by pop."""
        given = [port.take(self.engine.needed(port.node, periods)) for port in self.inputs.values()]
        blocks, failure = self.engine.run(periods, given)
        for block in blocks:
            for port, tokens in zip(self.outputs, block, strict=True):
                port.append(tokens)
        if failure is not None:
            self._stop(failure)
        self._changed.notify_all()

    def _stop(self, failure: BaseException) -> None:
        """Nothing runs any more; what came out before can be popped, and then the failure."""
        self._failure = failure
        self._release()
        if not isinstance(failure, Exception):
            self._told = True
            self._changed.notify_all()
            raise failure

    def _release(self) -> None:
        self._release_inputs()
        for port in self.inputs.values():
            port.loose.limit = -1
        self.engine.close()

    # -------------------------------------------------------------------------------------------------------- ending

    def close(self) -> None:
        """End the inputs: what is left is run, and can be popped.

        Raises
        ------
        StreamError
            Tokens are left that fill no period, and the run was started with ``tail="error"``.
        """
        with self._changed:
            if self._ending:
                return
            if self.inputs:
                self._run_pending()
            self._ending = True
            for port in self.inputs.values():
                port.loose.limit = -1
            self._changed.notify_all()
            if self._failure is None:
                self._finish_tail()

    def _finish_tail(self) -> None:
        if self.tail == "drop" or not any(port.count for port in self.inputs.values()):
            return
        if self.tail == "error":
            error = waiting.ended_early(self)
            self._release_inputs()
            raise error
        self._ending = False
        periods = max(1, *map(self._periods_left, self.inputs.values()))
        for port in self.inputs.values():
            port.append(np.zeros(self.engine.needed(port.node, periods) - port.count, port.dtype))
        self._run_pending()
        self._ending = True

    def _periods_left(self, port: InPort) -> int:
        """The periods that the tokens of a port are for, the last one perhaps in part."""
        return -((self.engine.needed(port.node, 0) - port.count) // port.period)

    def _release_inputs(self) -> None:
        for port in self.inputs.values():
            port.clear()

    def ready(self) -> Iterator[Any]:
        """Run the periods whose tokens are there, and give what comes out, batch by batch."""
        if not self.inputs:
            raise StreamError(
                "a graph without inputs has no end", hint="take what you need: run = graph.start(); run.pop()"
            )
        while (block := self._next_block()) is not None:
            yield block

    def _next_block(self) -> Any:
        """What the next batch gives; None where too few tokens are there."""
        with self._changed:
            while not any(len(port) for port in self.outputs):
                self._raise_failure()
                pending = self._pending()
                if not pending:
                    return None
                self._run_batch(min(self._batch(), pending))
            return self._take_all()

    def expect(self, tokens: dict[str, int]) -> None:
        """Make an array for each output, long enough for what so many tokens of each input give."""
        self.engine.expect(self._periods_of(tokens))

    def joined(self, port: OutPort, parts: list[Any]) -> Any:
        """The parts of an output as one array. They lie in one array already if `expect` knew of all tokens."""
        space = self.engine.spaces[self.outputs.index(port)] if self.engine.spaces else None
        if space is not None and space.holds(parts):
            return space.array[: space.used]
        return np.concatenate(parts) if parts else np.empty(0, port.dtype)

    def _periods_of(self, tokens: dict[str, int]) -> int:
        """How many periods use so many tokens."""
        ports = self.inputs.values()
        left = [tokens[port.name] - self.engine.needed(port.node, 0) for port in ports]
        if self.tail == "pad":
            return max(1, *(-(-count // port.period) for count, port in zip(left, ports, strict=True)))
        return max(0, min(count // port.period for count, port in zip(left, ports, strict=True)))

    def finish(self) -> None:
        """As `close`, for `ready`."""
        with self._changed:
            self._ending = True
            self._finish_tail()

    def abandon(self) -> None:
        """Give everything back, at once."""
        with self._changed:
            self._ending = True
            self._release()
            for port in self.outputs:
                port.clear()
            self._changed.notify_all()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    def __iter__(self) -> Iterator[Any]:
        """What comes out, until the run is closed."""
        while True:
            try:
                yield self.pop(None)
            except ClosedError:
                return

    @contextmanager
    def watched(self, seconds: float = 1.0, show: Callable[[str], object] = print) -> Iterator[Run]:
        """Show the table of rates again and again while a ``with`` block goes on, and once at its end.

        Parameters
        ----------
        seconds
            Between two tables.
        show
            What is called with each.
        """
        ended = threading.Event()

        def go_on() -> None:
            while not ended.wait(seconds):
                show(str(self))

        thread = threading.Thread(target=go_on, daemon=True, name=waiting.TABLE)
        thread.start()
        try:
            yield self
        finally:
            ended.set()
            thread.join()
            show(str(self))

    def __str__(self) -> str:
        """The rates so far."""
        seconds = time.perf_counter() - self._started
        rows = [f"{self.graph.name}: {self.engine.periods} periods in {seconds:.3g} s, batches of {self._batch()}"]
        for port in (*self.inputs.values(), *self.outputs):
            rate = self.engine.periods * port.period / seconds
            rows.append(f"  {port.name}: {rate:.3g} tokens/s, {len(port)} waiting")
        return "\n".join(rows)
