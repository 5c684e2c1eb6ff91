"""What is said of loops and calls that are cut: the pieces that ran, and how the next call is going to be cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weft.split.kernel_calls import KernelCall

if TYPE_CHECKING:
    from weft.runtime.dispatch.specialisation import Specialisation
    from weft.split.cutting import Phase


@dataclass(frozen=True)
class Piece:
    """A part of a loop that a device ran.

    Attributes
    ----------
    loop
        The loop.
    device
        Where it ran.
    start, stop
        Its first iteration and the one behind its last.
    seconds
        How long it took, copies included.
    """

    loop: str
    device: str
    start: int
    stop: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.loop}: {self.start} to {self.stop} on {self.device}, {1e3 * self.seconds:.3f} ms"


@dataclass(frozen=True)
class Cut:
    """A loop that is going to be cut.

    Attributes
    ----------
    phase
        The loop.
    bounds
        Its first iteration and the one behind its last.
    pieces
        The bounds of the piece of each device.
    is_measured
        Whether shares are by what calls before have measured; otherwise they are equal.
    examine
        Gives, for a device and the bounds of a piece, what would run it and its flat arguments.
    times
        How often it runs, in steps around it that all are like the first.
    stays
        For how many of these times its arrays stay on the devices.
    small
        A device into which they do not fit, so that they do not stay; else empty.
    """

    phase: Phase
    bounds: tuple[int, int]
    pieces: tuple[tuple[str, tuple[int, int]], ...]
    is_measured: bool
    examine: Callable[[str, tuple[int, int]], tuple[Specialisation, tuple[object, ...]]]
    times: int = 1
    stays: int = 1
    small: str = ""

    @property
    def rounds(self) -> int:
        """How often pieces go through their iterations at most: those of scans are folded first."""
        return 1 if self.phase.scan is None else 2


@dataclass(frozen=True)
class KernelCut:
    """A call of a kernel that is going to be cut along its grid.

    Attributes
    ----------
    call
        The call.
    division
        Its pieces; None where its grid has no points.
    operands
        Its arguments.
    times
        How often it runs, in steps around it that all are like the first.
    """

    call: KernelCall
    division: Any
    operands: tuple[Any, ...]
    times: int = 1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the operands."""
        return tuple(part.name for part in self.call.kernel.parameters)
