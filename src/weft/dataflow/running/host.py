"""Host actors: ordinary Python that fires between the loops of the compiled program."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.dataflow.analysis.infer import is_scalar
from weft.dataflow.analysis.network import Node
from weft.dataflow.analysis.rates import Rate, total
from weft.dataflow.errors import ActorError


class HostActor:
    """What the program calls for the firings of one host actor: a step of Python for a whole batch.

    Attributes
    ----------
    states
        The state in each run.
    copies
        To how many arrays the tokens of each output go.
    fired
        The firings of each run so far.
    """

    def __init__(self, node: Node) -> None:
        self.__name__ = node.name
        self.node = node
        self.states: dict[int, Any] = {}
        self.copies: tuple[int, ...] = ()
        self.fired: dict[int, int] = {}

    def __call__(
        self, run: int, phase: int, count: int, bases: tuple[int, ...], reads: tuple[Any, ...], writes: tuple[Any, ...]
    ) -> None:
        for firing in range(phase, phase + count):
            try:
                self._fire(run, phase, firing, bases, reads, writes)
            except Exception as error:
                note = f"in firing {self.fired.get(run, 0)} of the host actor {self.node.name}"
                if hasattr(error, "add_note"):
                    error.add_note(note)
                raise
            self.fired[run] = self.fired.get(run, 0) + 1

    def _fire(
        self,
        run: int,
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
            given.append(self.states[run])
        result = actor.function(*given)
        wanted = len(node.produces) + actor.has_state
        items = list(result) if isinstance(result, tuple) and wanted != 1 else [result] if wanted else []
        if len(items) != wanted:
            raise ActorError(f"{node.name} returned {len(items)} values, and says that it has {wanted}")
        if actor.has_state:
            self.states[run] = items.pop()
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
