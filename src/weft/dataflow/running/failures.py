"""Which actor an exception comes from, and in which of its firings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from weft.dataflow.errors import ActorError
from weft.ir.location import Location

if TYPE_CHECKING:
    from weft.dataflow.analysis.network import Node
    from weft.dataflow.program import Generated
    from weft.dataflow.running.engine import Engine

_COUNTER = re.compile(r"((?:firing_of|round)_\w+) = (\d+)")
_IN_BATCH = re.compile(r"in firing (\d+) of this batch")


def name_firing(error: BaseException, engine: Engine) -> None:
    """Tell an exception of the compiled program its actor and firing; host actors do that themselves."""
    text = "\n".join([str(error), *getattr(error, "__notes__", ())])
    for made in engine.programs.made():
        found = re.search(rf'File "{re.escape(made.file)}", line (\d+)', text)
        place = made.firings.get(int(found[1])) if found else None
        if place is not None:
            _tell(error, text, engine, made, *place)


def _tell(error: BaseException, text: str, engine: Engine, made: Generated, node: Node, number: str) -> None:
    past = _past(engine, made, node)
    if isinstance(error, ActorError):
        error.message = _IN_BATCH.sub(lambda found: f"in firing {past + int(found[1])}", error.message)
        error.location = _definition(node)
    elif hasattr(error, "add_note"):
        counters = {name: int(value) for name, value in _COUNTER.findall(text)}
        error.add_note(f"in {_firing(number, counters, past)}the actor {node.name}")


def _firing(number: str, counters: dict[str, int], past: int) -> str:
    """The words for a firing; nothing where an exception does not tell the loops around it."""
    try:
        return f"firing {past + eval(number, {}, dict(counters))} of "  # our own text: sums of loop counters
    except NameError:
        return ""


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
