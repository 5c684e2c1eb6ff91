"""What there is to see of a specialisation: its IR, how its loops are laid out, its generated source, its assembly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from weft.ir import nodes as n
from weft.ir.forms.text import to_text
from weft.ir.location import ADDED
from weft.ir.visit import blocks_of, walk
from weft.runtime.counting.demands import loops_of_one_thread
from weft.runtime.devices.accelerators import is_accelerator

if TYPE_CHECKING:
    from weft.runtime.dispatch.specialisation import Specialisation

MAPPINGS = {
    "sequential": "one after the other",
    "parallel": "on threads",
    "turns": "on threads, which take turns with what is carried",
    "lanes": "in vector lanes",
    "unroll": "unrolled",
    "rolled": "one after the other",
    "blocks": "over blocks",
    "threads": "over the threads of a block",
}
"""How the iterations of a loop run, in words, by `For.mapping`."""
ON_ONE_THREAD = (
    "on one thread: other threads could not undo their updates if an earlier iteration raises or reads the element"
)
"""How a parallel loop runs whose updates threads would have to undo."""

TILED = "in tiles on threads, what tiles give folded in order; a short loop one after the other"
"""How the iterations of a loop run that `weft.transform.scan.tiles` has cut."""


def ir(specialisation: Specialisation) -> str:
    """The program after all passes, as text."""
    return to_text(specialisation.program())


def schedule(specialisation: Specialisation) -> str:
    """One line for each loop, indented as the loops are nested; for devices the directives of every kernel."""
    device = specialisation.device
    if is_accelerator(device):
        return "\n".join(_device_lines(specialisation))
    lines = [
        f"{'  ' * depth}{loop.label} (line {loop.location.line}): {how}"
        for loop, depth, how in loops_of(specialisation)
    ]
    return "\n".join(lines)


def loops_of(specialisation: Specialisation) -> Iterator[tuple[n.For | n.While, int, str]]:
    """As `loops`, with what is done to sums of products on the processor."""
    from weft.backends.c import toolchain
    from weft.transform.parallel.reduction_interchange import reduction_interchange
    from weft.transform.vector.tensor_contractions import Registers, tiles_of

    program, disable = specialisation.program(), specialisation.request.options.disable
    tiles: dict[str, str] = {}
    if "tensor_contractions" not in disable:
        turned = program if "reduction_interchange" in disable else reduction_interchange(program)
        tiles = tiles_of(turned, Registers(*toolchain.vector_registers()))
    alone = loops_of_one_thread(specialisation)
    for loop, depth, how in loops(program):
        if loop.label in alone and how == MAPPINGS["parallel"]:
            how = ON_ONE_THREAD
        yield loop, depth, f"{how}, {tiles[loop.label]}" if loop.label in tiles else how


def _device_lines(specialisation: Specialisation) -> Iterator[str]:
    from weft.schedule.directives import describe

    for nest in specialisation.placement().nests:
        if nest.location == ADDED:
            continue
        how = describe(nest.schedule) if nest.kernel else nest.reason
        yield f"{nest.label} (line {nest.line}) on {nest.device}: {how}"


def loops(program: n.Program) -> Iterator[tuple[n.For | n.While, int, str]]:
    """Every loop of a program with its depth and how its iterations run, in source order."""
    labels = (s.label.rpartition(".") for s in walk(program.body) if isinstance(s, (n.For, n.While)))
    return _loops(program.body, 0, False, frozenset(label for label, _, part in labels if part in ("rounds", "turns")))


def _loops(
    block: n.Block, depth: int, shared: bool, tiled: frozenset[str]
) -> Iterator[tuple[n.For | n.While, int, str]]:
    """`shared`: the threads are busy with a loop around this block, so that another one runs on each of them."""
    for statement in block.statements:
        if isinstance(statement, (n.For, n.While)) and statement.label.rpartition(".")[0] in tiled:
            continue
        if isinstance(statement, (n.For, n.While)):
            mapping = statement.mapping if isinstance(statement, n.For) else "sequential"
            how = MAPPINGS[mapping]
            if mapping == "parallel" and shared:
                folds = isinstance(statement, n.For) and statement.args
                how = f"{'a fold' if folds else 'parallel'}, inside the thread of the loop around it"
            yield statement, depth, TILED if statement.label in tiled else how
            for inner in blocks_of(statement):
                yield from _loops(inner, depth + 1, shared or mapping == "parallel", tiled)
        else:
            for inner in blocks_of(statement):
                yield from _loops(inner, depth, shared, tiled)


def source(specialisation: Specialisation) -> str:
    """The generated source: of the host part, then of the kernels."""
    device = specialisation.device
    if not is_accelerator(device):
        return specialisation.artifact().source
    from weft.runtime.devices import accelerators

    placement = specialisation.with_host_loops(specialisation.placement())
    host, kernels = accelerators.generate(placement, device, specialisation.request.options.fastmath)
    return f"{host.source}\n{kernels}"


def assembly(specialisation: Specialisation) -> str:
    """The assembly that the C compiler makes of the program, or of its host part."""
    from weft.backends.c import toolchain

    return toolchain.assembly(specialisation.artifact().source)
