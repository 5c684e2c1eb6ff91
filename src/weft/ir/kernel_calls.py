"""Calls of kernels that users wrote by hand: what an `External` that is one refers to, and how a launch holds it.

Such a kernel is a step of the program like a Python function. Its meaning is the user's `reference`. On a device its
launch is a `Launch` whose kernel has the `External` as its body, so that all that is proven of launches holds for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from weft.dataclass import dataclass
from weft.ir.location import UNKNOWN, Location
from weft.ir.python_calls import BoundStep, Step

CPU = "cpu"
MARK = "__weft_kernel__"
"""An attribute that classes of such kernels have."""


@dataclass(frozen=True)
class KernelStep(Step):
    """A call of a kernel that was written by hand.

    Attributes
    ----------
    kind
        The kind of its device: ``cpu``, ``opencl`` or ``cuda``.
    takes_room
        Whether its last argument is memory of a group.
    place
        The call in the source.
    filled
        Of each array that it may write, whether it certainly writes all that the call says.
    """

    kind: str = CPU
    takes_room: bool = False
    place: Location = UNKNOWN
    filled: tuple[bool, ...] = ()

    @property
    def on_host(self) -> bool:
        """Whether it works in the host's memory."""
        return self.kind == CPU

    def call(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Do what the kernel means."""
        function.imitate(operands)  # type: ignore[attr-defined]


def is_foreign(function: object) -> bool:
    """Whether an object is a kernel that a user wrote."""
    return hasattr(type(function), MARK)


def kernel_step(externals: Mapping[str, object], reference: str) -> KernelStep | None:
    """What an external function of a program is, if it is such a kernel."""
    found = externals.get(reference)
    return found.step if isinstance(found, BoundStep) and isinstance(found.step, KernelStep) else None


def works_on_host(step: Step) -> bool:
    """Whether a step needs the arrays of a program on the host."""
    return not isinstance(step, KernelStep) or step.on_host
