"""Host actors: ordinary Python that fires between the loops of the compiled program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.dataflow.analysis.infer import is_scalar
from weft.dataflow.analysis.network import Node
from weft.dataflow.analysis.rates import Rate, total
from weft.dataflow.errors import ActorError


@dataclass
class Firings:
    """The firings of a host actor in one run.

    Attributes
    ----------
    state
        Behind them.
    count
        Of all so far.
    batch
        Of those before the batch that runs.
    calls
        What the calls of this batch gave: the firings of each, and the tokens for each array.
    place
        The next of these calls, where the batch runs again because an actor failed: nothing fires twice.
    failed
        What the last firing raised.
    """

    state: Any
    count: int = 0
    batch: int = 0
    calls: list[tuple[int, list[Any]]] = field(default_factory=list)
    place: int = 0
    failed: BaseException | None = None


class HostActor:
    """What the program calls for the firings of one host actor: a step of Python for a whole batch.

    Attributes
    ----------
    runs
        The firings in each run.
    copies
        To how many arrays the tokens of each output go.
    """

    def __init__(self, node: Node) -> None:
        self.__name__ = node.name
        self.node = node
        self.runs: dict[int, Firings] = {}
        self.copies: tuple[int, ...] = ()

    def begin(self, run: int) -> None:
        """A new batch begins."""
        own = self.runs[run]
        own.batch, own.place = own.count, 0
        own.calls.clear()

    def repeat(self, run: int) -> None:
        """The batch begins again."""
        self.runs[run].place = 0

    def __call__(
        self, run: int, phase: int, count: int, bases: tuple[int, ...], reads: tuple[Any, ...], writes: tuple[Any, ...]
    ) -> None:
        own = self.runs[run]
        done = self._again(own, phase, count, bases, writes)
        if done == count:
            return
        firing = phase + done
        try:
            while firing < phase + count:
                self._fire(own, phase, firing, bases, reads, writes)
                own.count += 1
                firing += 1
        except Exception as error:
            own.failed = error
            if hasattr(error, "add_note"):
                error.add_note(f"in firing {own.count} of the host actor {self.node.name}")
            raise
        finally:
            tokens = [
                array[base : base + self._tokens(port, phase, firing)].copy()
                for port, array, base in zip(self._ports(), writes, bases, strict=True)
            ]
            own.calls[own.place :] = [(firing - phase, tokens)]
            own.place += 1

    def _again(self, own: Firings, phase: int, count: int, bases: tuple[int, ...], writes: tuple[Any, ...]) -> int:
        """Give what firings of this call gave before, and say how many did."""
        if own.place == len(own.calls):
            return 0
        known, tokens = own.calls[own.place]
        firings = min(known, count)
        for port, array, base, found in zip(self._ports(), writes, bases, tokens, strict=True):
            size = self._tokens(port, phase, phase + firings)
            array[base : base + size] = found[:size]
        own.place += firings == count
        return firings

    def _ports(self) -> list[int]:
        """The output of each array that tokens go to."""
        return [port for port, copies in enumerate(self.copies) for _ in range(copies)]

    def _tokens(self, port: int, phase: int, end: int) -> int:
        """What the firings from a phase on give."""
        rate = self.node.produces[port]
        return total(rate, end) - total(rate, phase)

    def _fire(
        self,
        own: Firings,
        phase: int,
        firing: int,
        bases: tuple[int, ...],
        reads: tuple[Any, ...],
        writes: tuple[Any, ...],
    ) -> None:
        node, actor = self.node, self.node.actor
        assert actor is not None
        given = [
            self._taken(rate, peek, array, phase, firing)
            for rate, peek, array in zip(node.consumes, node.peeks, reads, strict=True)
        ]
        if actor.has_state:
            given.append(own.state)
        result = actor.function(*given)
        wanted = len(node.produces) + actor.has_state
        items = list(result) if isinstance(result, tuple) and wanted != 1 else [result] if wanted else []
        if len(items) != wanted:
            raise ActorError(f"{node.name} returned {len(items)} values, and says that it has {wanted}")
        if actor.has_state:
            own.state = items.pop()
        place = 0
        for port, rate in enumerate(node.produces):
            for array, base in zip(writes[place : place + self.copies[port]], bases[place:], strict=False):
                self._given(port, rate, items[port], array, base, phase, firing)
            place += self.copies[port]

    @staticmethod
    def _taken(rate: Rate, peek: int, array: Any, phase: int, firing: int) -> Any:
        start = total(rate, firing) - total(rate, phase)
        if is_scalar(rate, peek):
            return array[start]
        return array[start : start + (peek if len(rate) == 1 else rate[firing % len(rate)])]

    def _given(self, port: int, rate: Rate, value: Any, array: Any, base: int, phase: int, firing: int) -> None:
        found = np.asarray(value)
        count = rate[firing % len(rate)]
        wanted: tuple[int, ...] = () if rate == (1,) else (count,)
        if found.shape != wanted:
            raise ActorError(
                f"{self.node.name} returned an array of shape {found.shape} for output {port + 1}, and says that it "
                f"produces {count} token{'s' * (count != 1)}"
            )
        if not _is_held(found, value, array.dtype):
            raise ActorError(
                f"{self.node.name} returned {found.dtype}, and its output {port + 1} is a stream of {array.dtype}",
                hint=f"say @actor(..., dtype=np.{found.dtype})" if found.dtype.kind in "biufc" else "return numbers",
            )
        start = base + total(rate, firing) - total(rate, phase)
        if wanted:
            array[start : start + count] = found
        else:
            array[start] = found


def _is_held(found: Any, value: Any, dtype: Any) -> bool:
    """Whether an output holds what an actor returned: floats are rounded to its type, integers keep their value."""
    if np.can_cast(found.dtype, dtype, "safe"):
        return True
    if not np.can_cast(found.dtype, dtype, "same_kind") and not (found.dtype.kind == "i" and dtype.kind == "u"):
        return False
    return dtype.kind not in "iu" or bool(np.array_equal(found.astype(dtype), found))
