"""The smallest and largest value of an index over the iterations of loops, by what is known outside of them."""

from __future__ import annotations

from weft.analysis.access.structure import Loop, Region
from weft.analysis.values.linear import Form
from weft.analysis.values.ranges import Ranges
from weft.analysis.values.solve import is_modest
from weft.dataclass import dataclass
from weft.ir import nodes as n


@dataclass(frozen=True)
class Hull:
    """Bounds of a form over a domain.

    Attributes
    ----------
    low, high
        Forms that bound it from below and from above; each alone is a valid bound, the first is the simplest.
    exact
        Whether the first ones are values that it takes, as soon as the domain is not empty.
    """

    low: tuple[Form, ...]
    high: tuple[Form, ...]
    exact: bool


def hull(ranges: Ranges, form: Form, region: Region, loop: Loop | None = None) -> Hull | None:
    """The hull of a form over all runs of a region, or over those within one iteration around a loop.

    Parameters
    ----------
    ranges
        The ranges of the program.
    form
        An index at `region`.
    region
        Where it is used.
    loop
        The outermost of the loops to sweep; None sweeps all loops around the region.

    Returns
    -------
    Hull or None
        None where one side has no bound but that of the type. Bounds are forms of variables defined outside of the
        loop.
    """
    key = form, region, loop
    if key in ranges.hulls:
        return ranges.hulls[key]  # type: ignore[no-any-return]
    found = _hull(ranges, form, region, loop)
    if ranges.is_settled():
        ranges.hulls[key] = found
    return found


def _hull(ranges: Ranges, form: Form, region: Region, loop: Loop | None) -> Hull | None:
    swept = region.loops[region.loops.index(loop) :] if loop is not None else region.loops
    if not swept:
        return Hull((form,), (form,), True)

    def unknown(name: str) -> bool:
        names = name.names() if hasattr(name, "names") else (name,)
        return any(ranges.structure.is_inside(inner, swept[0]) for inner in names)

    prover = ranges.prover(region)
    plain = ranges.simplified(form, region)
    low = [bound for bound in prover.lower_bounds(plain, unknown) if is_modest(bound)]
    high = [-bound for bound in prover.lower_bounds(-plain, unknown) if is_modest(bound)]
    if not low or not high:
        return None
    return Hull(_simplest_first(low), _simplest_first(high), _is_exact(ranges, plain, region, swept))


def _simplest_first(forms: list[Form]) -> tuple[Form, ...]:
    return tuple(sorted(forms, key=lambda form: (len(form.terms), str(form))))


def _is_exact(ranges: Ranges, form: Form, region: Region, swept: tuple[Loop, ...]) -> bool:
    """Whether the extremes are taken: a linear form over a box of counters, all of whose points are visited."""
    counters: set[str] = set()
    for loop in swept:
        if not isinstance(loop.node, n.For) or loop.node.exit is not None:
            return False
        bounds = ranges.forms.of(loop.node.start).names | ranges.forms.of(loop.node.stop).names
        if any(ranges.structure.is_inside(name, swept[0]) for name in bounds):
            return False
        counters.add(loop.node.index.name)
    inside = {name for name in form.names if ranges.structure.is_inside(name, swept[0])}
    return inside <= counters and inside <= form.symbols and _is_unguarded(region, swept[0])


def _is_unguarded(region: Region, loop: Loop) -> bool:
    for inner in region.chain():
        if inner is loop.body:
            return True
        if not isinstance(inner.owner, n.For):
            return False
    return False
