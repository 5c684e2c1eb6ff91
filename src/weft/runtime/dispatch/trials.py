"""``schedule="measure"``: the schedules of a function's kernels that were the fastest, measured once a size class.

Each candidate runs on copies of the arguments, and what counts is the time of its kernels on the device. The best one
is kept in the store by function, device and size class. What writes to captured variables or calls Python is not
measured and runs under the default schedules; so does a function whose trial raises, which then raises in the call.
"""

from __future__ import annotations

import copy
import itertools
import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from weft.compile import lock
from weft.compile.store import default_store, key_of
from weft.errors import ArgumentError, Error
from weft.ir import nodes as n
from weft.ir.visit import walk
from weft.runtime import _stub
from weft.runtime.devices import accelerators, ledger
from weft.runtime.dispatch.specialisation import Specialisation, package_identity

if TYPE_CHECKING:
    from weft.runtime.dispatch.callee import Callee
    from weft.schedule.directives import Schedule

log = logging.getLogger(__name__)

MOST = 16
"""Schedules of a kernel that are measured at most."""
TIMES = 3
"""Runs of each, of which the shortest counts."""

_known: dict[str, Schedule] = {}


def callee_for(callee: Callee, arguments: Mapping[str, object], may_run: bool) -> Callee:
    """What runs a call of a function that is to be measured: the same one under the schedules that were the fastest.

    Where nothing was measured yet for arguments like these, it is now if the function `may_run`; else the default ones.
    """
    plain = callee.scheduled(())
    specialisation, _, leaves = plain.examine(arguments)
    if not accelerators.is_accelerator(specialisation.device):
        return plain
    request, device = specialisation.request, specialisation.device
    size = _stub.size_class(tuple(leaves))
    key = key_of(request.digest, request.options.key(), accelerators.identity(device), size, package_identity())
    with lock.lock:
        found = _known.get(key)
        if found is None:
            stored = default_store().get("measured", key)
            found = stored if isinstance(stored, tuple) else None
        if found is None and may_run:
            found = _fastest(callee, specialisation, arguments)
            default_store().put("measured", key, found)
        if found is not None:
            _known[key] = found
    return callee.scheduled(found or ())


def _fastest(callee: Callee, specialisation: Specialisation, arguments: Mapping[str, object]) -> Schedule:
    """The best schedules of all kernels, found one kernel after the other."""
    best: Schedule = ()
    if not _is_repeatable(specialisation, arguments):
        return best
    for kernel, schedules in kernels_to_try(specialisation):
        trials: dict[Schedule, float] = {}
        for schedule in itertools.islice(schedules, MOST):
            try:
                trials[schedule] = seconds_of(callee.scheduled((*best, *schedule)), arguments)
            except (ArgumentError, Error) as refusal:  # the device or its compiler does not take it
                log.info("%s is not measured under %s: %s", kernel, schedule, refusal)
            except Exception:  # that of the user's program, which the call itself will raise
                return ()
        if trials:
            best = (*best, *min(trials, key=lambda schedule: trials[schedule]))
    return best


def kernels_to_try(specialisation: Specialisation) -> Iterator[tuple[str, Iterator[Schedule]]]:
    """The names of the kernels of a program, and their legal schedules, the default first; of a nest with a second
    kernel for few blocks, only the first. Nests that only stand beside others, for few points, have no loops that a
    schedule could name."""
    from weft.tune.alternatives import alternatives

    nests = {nest.label: nest for nest in reversed(specialisation.placement().nests)}
    named = {s.label for s in walk(specialisation.program().body) if isinstance(s, (n.For, n.While))}
    for nest in reversed(nests.values()):
        if nest.others:
            yield nest.kernel, iter(nest.others)
        elif nest.offloaded is not None and nest.label in named:
            yield nest.kernel, alternatives(nest.offloaded.kernel, nest.device)


def _is_repeatable(specialisation: Specialisation, arguments: Mapping[str, object]) -> bool:
    """Whether a run on copies of the arguments leaves no trace."""
    compiled = specialisation.compiled()
    written = (s for s, leaf in zip(compiled.sources, compiled.leaves, strict=True) if leaf.written)
    own = all(source.kind == "argument" for source in written)
    apart = all(_is_copied(value) for value in arguments.values())
    return own and apart and not compiled.writes and not specialisation.source_program.externals


def _is_copied(value: object) -> bool:
    """Whether a copy of an object of another library, which shows an array, has memory of its own."""
    address = _address_of(value)
    return address is None or not address or _address_of(copy.deepcopy(value)) != address


def _address_of(value: object) -> int | None:
    shown = getattr(value, "__cuda_array_interface__", None)
    return int(shown["data"][0]) if isinstance(shown, Mapping) else None


def seconds_of(callee: Callee, arguments: Mapping[str, object]) -> float:
    """The shortest time that the kernels of a call take, on copies of its arguments, once they are compiled."""
    from weft.runtime.devices import queues

    callee.call(copy.deepcopy(dict(arguments)))
    shortest = float("inf")
    for _ in range(TIMES):
        given = copy.deepcopy(dict(arguments))
        callee.call(given)  # the device is then at work, and has seen the copies: as in the middle of a program
        seen = ledger.start()
        try:
            callee.call(given)
            queues.synchronize()
        finally:
            ledger.stop(seen)
        shortest = min(shortest, sum(event.seconds for event in seen if event.kind == "launch"))
    return shortest
