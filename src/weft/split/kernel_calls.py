"""Calls of kernels that users wrote, in functions on several devices: each is cut along its grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeGuard

from weft.errors import Error, UnsupportedError, add_location
from weft.ir import nodes as n
from weft.ir.interface import Returns
from weft.ir.kernel_calls import KernelStep, kernel_step
from weft.ir.location import Location
from weft.ir.python_calls import BoundStep

if TYPE_CHECKING:
    from weft.split.calls import Ran


@dataclass(frozen=True)
class KernelCall:
    """A call of a kernel, to be cut.

    Attributes
    ----------
    label, location
        The name of the kernel and the call.
    kernel
        What the user made by `weft.kernel`.
    bounds
        The program that returns its operands.
    writes
        The names of the arguments that the program writes.
    """

    label: str
    location: Location
    kernel: Any
    bounds: n.Program
    writes: tuple[str, ...]

    def run(self, operands: Sequence[object], devices: Sequence[str], gives_up_bits: bool) -> list[Ran]:
        """Run it on those of some devices that can; its pieces.

        Raises
        ------
        Error
            It cannot be cut, with its place in the source.
        """
        try:
            found: list[Ran] = self.kernel.run_in_split(operands, self._able(devices), gives_up_bits)
        except Error as error:
            raise add_location(error, self.location) from None
        return found

    def examine(self, operands: Sequence[object], devices: Sequence[str], gives_up_bits: bool) -> Any:
        """How it is going to be cut; None where its grid has no points."""
        try:
            return self.kernel.division_of(operands, self._able(devices), gives_up_bits)
        except Error as error:
            raise add_location(error, self.location) from None

    def _able(self, devices: Sequence[str]) -> list[str]:
        """The devices that can run it."""
        found = [name for name in devices if name.partition(":")[0] == self.kernel.device]
        if not found:
            raise UnsupportedError(
                f"the kernel {self.label} runs on none of {', '.join(devices)}",
                self.location,
                hint=f"name devices of the kind {self.kernel.device}",
            )
        return found


def is_call(statement: n.Statement, program: n.Program) -> TypeGuard[n.External]:
    """Whether a statement is a call of a kernel that runs on a device."""
    if not isinstance(statement, n.External):
        return False
    step = kernel_step(program.externals, statement.reference)
    return step is not None and not step.on_host


def is_item(statement: n.Statement, program: n.Program) -> TypeGuard[n.For | n.External]:
    """Whether a statement is a loop, or a call of a kernel: what runs in pieces."""
    return isinstance(statement, n.For) or is_call(statement, program)


def call_of(program: n.Program, call: n.External, own: n.Program, writes: tuple[str, ...]) -> KernelCall:
    """A call of a kernel.

    Parameters
    ----------
    program
        The program.
    call
        One of its statements.
    own
        The program with the results of loops before the call as arguments.
    writes
        What the program writes.
    """
    step: Mapping[str, object] = program.externals
    bound = step[call.reference]
    assert isinstance(bound, BoundStep) and isinstance(bound.step, KernelStep)
    place = next(k for k, statement in enumerate(own.body.statements) if statement is call)
    before = tuple(s for s in own.body.statements[:place] if not is_item(s, program))
    returns = Returns("tuple", (Returns("leaf"),) * len(call.operands))
    bounds = replace(own, body=n.Block(before, call.operands), returns=returns)
    return KernelCall(bound.step.name, call.location, bound.function, bounds, writes)
