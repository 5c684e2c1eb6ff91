"""What is known of the kernels of a program: how they access memory, what they need, how full they make the device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from weft.cost.memory.addresses import UNKNOWN, Contents
from weft.cost.memory.banks import SharedAccesses, shared_accesses
from weft.cost.memory.classes import AccessClass, access_classes, block_of
from weft.cost.memory.waves import in_waves
from weft.ir import nodes as n
from weft.machine.facts import Facts
from weft.machine.occupancy import LIMITS, Occupancy, Resources, limits_of, occupancy
from weft.plan.place import Placed, Placement, kernels_of
from weft.report.advice import Advice, advise
from weft.runtime.counting.contents import contents_of
from weft.runtime.counting.sizes import Sizes, of_call
from weft.runtime.devices import accelerators
from weft.runtime.dispatch.specialisation import Specialisation
from weft.schedule.directives import Schedule
from weft.schedule.legality import asked_bytes
from weft.schedule.versions import soon_version, version_for


@dataclass(frozen=True)
class KernelReport:
    """A loop that runs on a device.

    Attributes
    ----------
    name, line
        Of the kernel, and of its loop in the source.
    schedule
        How it is laid out.
    threads
        Threads of a block.
    accesses
        How it accesses memory, for the sizes of the arguments.
    advice
        What would make its accesses cheaper.
    is_known
        Whether all sizes follow from the arguments; 1024 stands for those that do not.
    resources
        What the compiler says that it needs; None on devices whose compilers do not.
    occupancy
        How many blocks run at a time, and what keeps it from more; None where nothing is known of the device.
    shared
        What the accesses of a block to shared memory cost.
    """

    name: str
    line: int
    schedule: Schedule
    threads: int
    accesses: tuple[AccessClass, ...]
    advice: tuple[Advice, ...]
    is_known: bool = True
    resources: Resources | None = None
    occupancy: Occupancy | None = None
    shared: SharedAccesses = SharedAccesses(0, 0)

    def __str__(self) -> str:
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        yield f"{self.threads} threads a block"
        if self.resources:
            yield f"{self.resources.registers} registers a thread, {self.resources.shared} bytes of shared memory"
            if self.resources.spill_stores or self.resources.spill_loads:
                yield f"spills {self.resources.spill_stores} bytes, read back {self.resources.spill_loads}"
        if self.occupancy:
            share, blocks = f"{100 * self.occupancy.share:.0f} %", self.occupancy.blocks
            yield f"occupancy {share}: {blocks} blocks at a time, limited by {self.occupancy.limiter}"
        if self.shared.requests:
            yield f"bank conflicts {100 * self.shared.conflicts / self.shared.steps:.0f} %"


def kernel_reports(specialisation: Specialisation, leaves: Sequence[object]) -> Iterator[KernelReport]:
    """The kernels of a specialisation for the flat arguments of a call; they are compiled, not run."""
    if not specialisation.placement().kernel_names:
        return
    needs = specialisation.resources(lambda placement: frozenset(_versions(placement, leaves).values()))
    placement = specialisation.placement()
    sizes = Sizes(placement.program, of_call(placement.program, leaves))
    facts = accelerators.facts_of(specialisation.device)
    laid_out = {kernel.name: kernel for kernel in kernels_of(placement.program)}
    names = _versions(placement, leaves)
    held = contents_of(placement.program, placement.nests, sizes, leaves)
    for nest in placement.nests:
        if nest.kernel:
            kernel, contents = laid_out[names[nest.kernel]], held.get(nest.kernel, UNKNOWN)
            resources = _with_asked(needs.get(kernel.name), kernel)
            report = _report(nest, prod(kernel.group), sizes, contents, resources, facts)
            yield replace(report, name=kernel.name)


def _versions(placement: Placement, leaves: Sequence[object]) -> dict[str, str]:
    """The names of the versions of kernels that would run in a call that ends soon, by the names of the kernels."""
    sizes = Sizes(placement.program, of_call(placement.program, leaves))
    laid_out = {kernel.name: kernel for kernel in kernels_of(placement.program)}
    found = {}
    for nest in placement.nests:
        if nest.kernel:
            kernel = laid_out[nest.kernel if nest.kernel in laid_out else _version_of(nest, sizes)]
            found[nest.kernel] = (soon_version(kernel) or kernel).name
    return found


def _version_of(nest: Placed, sizes: Sizes) -> str:
    """The name of the version of a kernel that runs for some sizes, with arrays that begin at aligned addresses."""
    assert nest.offloaded is not None
    written = nest.offloaded.kernel
    known, _ = sizes.of_kernel(written, nest.offloaded.operands)
    block = block_of(written, nest.schedule, known)
    return version_for(block.kernel, block.sizes).name


def _with_asked(needs: Resources | None, kernel: n.Kernel) -> Resources | None:
    """What a kernel needs, with the shared memory that its launch asks for: of that the compiler does not know."""
    return replace(needs, shared=needs.shared + asked_bytes(kernel)) if needs else None


def _report(
    nest: Placed, threads: int, sizes: Sizes, contents: Contents, resources: Resources | None, facts: Facts
) -> KernelReport:
    assert nest.offloaded is not None
    kernel = nest.offloaded.kernel
    known, is_known = sizes.of_kernel(kernel, nest.offloaded.operands)
    classes = access_classes(kernel, nest.schedule, known, contents)
    is_listed = facts.architecture in LIMITS
    full = occupancy(threads, resources, limits_of(facts.architecture)) if resources and is_listed else None
    if full is not None:
        classes = in_waves(classes, kernel, nest.schedule, known, full.blocks * facts.cores, facts.cache)
    return KernelReport(
        nest.kernel,
        nest.line,
        nest.schedule,
        threads,
        classes,
        tuple(advise(kernel, nest.schedule, classes, known, contents)),
        is_known,
        resources,
        full,
        shared_accesses(kernel, nest.schedule, known, contents),
    )
