"""Runs pieces of a loop at the same time: the first on the thread of the call, each other one on its own thread."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

Work: TypeAlias = "Callable[..., Any]"
Arguments: TypeAlias = "tuple[Any, ...]"
Outcome: TypeAlias = "tuple[Any, BaseException | None]"
Order: TypeAlias = "tuple[Work, Arguments, int, SimpleQueue[tuple[int, Outcome]]]"


class Workers:
    """Threads that begin when they are first needed, and end with this object."""

    def __init__(self) -> None:
        self._orders: list[SimpleQueue[Order | None]] = []

    def run(self, work: Work, arguments: Sequence[Arguments]) -> list[Any]:
        """What a function gives for some arguments each, once all are done.

        Raises
        ------
        BaseException
            That of the first one, in order, that raised.
        """
        if len(arguments) == 1:
            return [work(*arguments[0])]
        done: SimpleQueue[tuple[int, Outcome]] = SimpleQueue()
        self._begin(len(arguments) - 1)
        for k in range(1, len(arguments)):
            self._orders[k - 1].put((work, arguments[k], k, done))
        outcomes: list[Outcome] = [_outcome(work, arguments[0])] * len(arguments)
        stopped: BaseException | None = None
        waiting = len(arguments) - 1
        while waiting:
            try:
                k, outcomes[k] = done.get()
                waiting -= 1
            except KeyboardInterrupt as error:  # raised when all are done
                stopped = error
        raised = stopped or next((error for _, error in outcomes if error is not None), None)
        if raised is not None:
            raise raised
        return [value for value, _ in outcomes]

    def _begin(self, count: int) -> None:
        while len(self._orders) < count:
            orders: SimpleQueue[Order | None] = SimpleQueue()
            Thread(target=_work, args=(orders,), name="weft-split", daemon=True).start()
            weakref.finalize(self, orders.put, None)
            self._orders.append(orders)


def _outcome(work: Work, arguments: Arguments) -> Outcome:
    try:
        return work(*arguments), None
    except BaseException as error:
        return None, error


def _work(orders: SimpleQueue[Order | None]) -> None:
    while (order := orders.get()) is not None:
        work, arguments, k, done = order
        done.put((k, _outcome(work, arguments)))
        del order, work, arguments, done  # nothing of a call stays


def timed(
    entry: Callable[..., object],
    given: Sequence[object],
    own: Sequence[object],
    rows: Callable[[], tuple[int, ...]],
) -> tuple[float, object]:
    """Run a piece; the seconds that it took, and what it gave.

    Parameters
    ----------
    entry
        What runs it.
    given, own
        The arguments of all pieces, and those of this one.
    rows
        Gives those of this one that say which rows of arrays it reads.
    """
    begun = time.perf_counter()
    found = entry(*given, *own, *rows())
    return time.perf_counter() - begun, found
