"""Which actor an exception comes from, in which of its firings, and what the periods before that one give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from weft.dataflow.errors import ActorError
from weft.ir.location import Location

if TYPE_CHECKING:
    from weft.dataflow.analysis.network import Node
    from weft.dataflow.program import Generated
    from weft.dataflow.running.engine import Engine

_COUNTER = re.compile(r"((?:firing_of|round)_\w+) = (\d+)")
_IN_BATCH = re.compile(r"in firing (\d+) of this batch")


def periods_before(
    error: BaseException, engine: Engine, periods: int, inputs: Sequence[Any]
) -> tuple[list[list[Any]], BaseException]:
    """What the periods of a batch give before the first one in which an actor fails, and what that one raises.

    In a batch each actor fires for all periods before the next one does, so another actor may fail in an earlier period
    than the one that failed now. The batch runs again with the periods before; host actors do not fire again.

    Parameters
    ----------
    error
        What the batch raised.
    periods, inputs
        Its length, and the tokens that it got.
    """
    good, bad = 0, periods  # so many periods run well; so many fail
    block: list[list[Any]] = []
    known = name_firing(error, engine)
    if known is None and engine.programs.steady not in engine.programs.warm:
        return block, error  # perhaps it cannot be compiled
    while True:
        if known is not None:
            bad = min(bad, known + 1)
        if bad - good <= 1:
            return block, error
        tried = bad - 1 if known is not None else (good + bad) // 2
        try:
            block = [engine.again(tried, inputs)]
            good = tried
        except Exception as earlier:
            bad, error = tried, earlier
            known = name_firing(earlier, engine)


def name_firing(error: BaseException, engine: Engine) -> int | None:
    """Tell an exception of the compiled program its actor and firing; host actors do that themselves.

    Returns
    -------
    int or None
        The period of its batch in which the actor failed, where that is known.
    """
    schedule, steady = engine.graph.schedule, engine.programs.steady
    text = "\n".join([str(error), *getattr(error, "__notes__", ())])
    for made in engine.programs.made():
        found = re.search(rf'File "{re.escape(made.file)}", line (\d+)', text)
        place = made.firings.get(int(found[1])) if found else None
        if place is not None:
            firing = _tell(error, text, engine, made, *place)
            return None if firing is None else firing // schedule.repetitions[place[0].number]
    for node, host in steady.hosts.items():
        own = host.runs.get(engine.number)
        if own is not None and own.failed is error:
            return (own.count - own.batch) // schedule.repetitions[node.number]
    return None


def _tell(error: BaseException, text: str, engine: Engine, made: Generated, node: Node, number: str) -> int | None:
    """Tell it the firing, and give its number in the batch."""
    past = _past(engine, made, node)
    if isinstance(error, ActorError):
        within = _IN_BATCH.search(error.message)
        error.message = _IN_BATCH.sub(lambda found: f"in firing {past + int(found[1])}", error.message)
        error.location = _definition(node)
        return int(within[1]) if within else None
    counters = {name: int(value) for name, value in _COUNTER.findall(text)}
    firing = _firing(number, counters)
    if hasattr(error, "add_note"):
        error.add_note(f"in {'' if firing is None else f'firing {past + firing} of '}the actor {node.name}")
    return firing


def _firing(number: str, counters: dict[str, int]) -> int | None:
    """The number of a firing; None where an exception does not tell the loops around it."""
    try:
        return int(eval(number, {}, dict(counters)))  # our own text: sums of loop counters
    except NameError:
        return None


def _past(engine: Engine, made: Generated, node: Node) -> int:
    """The firings of a node before the call that failed."""
    if made is not engine.programs.steady:
        return 0
    schedule = engine.graph.schedule
    return schedule.first[node.number] + engine.steady_periods * schedule.repetitions[node.number]


def _definition(node: Node) -> Location:
    assert node.actor is not None
    code = node.actor.function.__code__
    return Location(code.co_filename, code.co_firstlineno, function=node.actor.function.__qualname__)
