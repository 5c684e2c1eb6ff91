"""Whether pieces add sums as a call that is not cut does: by the same kernels.

A loop alone may become another kernel than in its program. Loops that stand behind one another are fused; the steps of
a time loop may run inside of each element. Then a sum is bracketed in another way. So the nests of the whole program
that add floats are compared with those of all pieces: their loops, what they fold, and their schedules. How long the
loops are does not matter, see `weft.transform.whole_loop`. But a sum over the loop that is cut is over the same
iterations, see `weft.plan.partition.apart`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.location import Location
from weft.ir.visit import walk
from weft.plan.partition.apart import is_inexact
from weft.plan.place import Placed, Placement, host_statements
from weft.runtime.devices.accelerators import model
from weft.schedule.directives import adds_in_order, named

if TYPE_CHECKING:
    from weft.split.cutting import Phase

Form: TypeAlias = "tuple[object, ...]"


def disagreement(whole: Placement, pieces: Sequence[Placement]) -> Location | None:
    """Where a sum of floats may have other bits in pieces than in the whole; None where none has.

    Parameters
    ----------
    whole
        The program that is not cut, on a device.
    pieces
        The programs of its pieces, in their order, on a device of the same model.
    """
    ours, theirs = _forms(pieces), _forms([whole])
    folds = {fold for piece in pieces for fold in piece.folds}
    for fold in whole.folds:
        if fold not in folds:
            return fold[0]
    for place in (*ours, *theirs):
        if ours.get(place) != theirs.get(place):
            return place
    return next((loop.location for piece in pieces for loop in _on_host(piece)), None)


def _forms(placements: Sequence[Placement]) -> dict[Location, set[Form]]:
    """The kernels that add floats as they were written and laid out, by the place of their nest."""
    found: dict[Location, set[Form]] = {}
    for placed in (placed for placement in placements for placed in placement.nests):
        if placed.offloaded is not None and any(_folds(placed.offloaded.kernel.body)):
            found.setdefault(placed.location, set()).add(_form(placed, placed.offloaded.kernel))
    return found


def _form(placed: Placed, kernel: n.Kernel) -> Form:
    loops = [s for s in walk(kernel.body) if isinstance(s, (n.For, n.While))]
    numbers = {loop.label: k for k, loop in enumerate(loops)}
    shapes = tuple(
        (loop.location, getattr(loop, "mapping", ""), tuple(getattr(arg, "combine", None) for arg in loop.args))
        for loop in loops
    )
    in_order = adds_in_order(placed.schedule)
    directives = tuple(
        (type(d), tuple(numbers.get(name, name) for name in named(d)), () if in_order else _sizes(d))
        for d in placed.schedule
    )
    return shapes, directives


def _sizes(directive: object) -> tuple[object, ...]:
    return tuple(value for value in vars(directive).values() if not isinstance(value, str))


def _on_host(placement: Placement) -> Iterator[n.For]:
    """Sums that the host would add, in an order that depends on how long the loops around them are."""
    statements = host_statements(placement.program.body)
    for statement in statements:
        if isinstance(statement, n.For) and any(_folds(n.Block((statement,)))):
            yield statement


def _folds(block: n.Block) -> Iterator[n.For]:
    """Loops that add floats in any order."""
    for statement in walk(block):
        if isinstance(statement, n.For) and statement.mapping == "parallel" and any(map(is_inexact, statement.args)):
            yield statement


def check_rounding(name: str, phases: Sequence[Phase], devices: Sequence[str]) -> None:
    """Refuse what rounds differently on devices: which one computes an element is decided by measured times.

    Parameters
    ----------
    name
        The function, for the message.
    phases
        Its loops.
    devices
        The names of the devices.

    Raises
    ------
    UnsupportedError
        The first loop that does.
    """
    for location, what in filter(None, (phase.folds.rounded for phase in phases if phase.groups is None)):
        raise UnsupportedError(
            f"{name} cannot be cut into pieces",
            location,
            cause=f"pieces would add the floats of {what} in another order than a call that is not cut",
            hint="say fastmath=True, or run it on one device",
        )
    if len({model(device) for device in devices}) == 1:
        return
    sums = ((phase.folds.rounded[0], f"the sum {phase.folds.rounded[1]}") for phase in phases if phase.folds.rounded)
    for location, what in (*sums, *filter(None, (phase.rounded for phase in phases))):
        raise UnsupportedError(
            f"{name} cannot be split over {' and '.join(devices)}",
            location,
            cause=f"{what} is rounded differently on devices of different kinds, so results would not repeat",
            hint="name devices of one kind and model, or say fastmath=True",
        )
