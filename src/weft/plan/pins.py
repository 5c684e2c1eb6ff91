"""What the user's pins (see `weft.ir.pins`) mean for the loops of a program that runs on one device and the host."""

from __future__ import annotations

from collections.abc import Sequence

from weft.errors import UnsupportedError
from weft.ir import nodes as n
from weft.ir.pins import Pin, pin_of
from weft.ir.visit import walk


class Pins:
    """The pins of a program.

    Parameters
    ----------
    pins
        What the program says.
    device
        The device that kernels run on.
    usual
        Where loops run that are not pinned.
    """

    def __init__(self, pins: Sequence[Pin], device: str, usual: str) -> None:
        self.pins = pins
        self.device = device
        self.usual = usual

    def why_host(self, loop: n.For) -> str | None:
        """Why the user wants a loop on the host; None where it may run on the device."""
        if not self.pins:
            return f"the call runs on {self.usual!r}" if self.usual != self.device else None
        pin = pin_of(self.pins, loop.location)
        if pin is None and self.usual != self.device:
            return f"it is not pinned, and the call runs on {self.usual!r}"
        if pin is not None and pin.device != self.device:
            return f"the block that starts in line {pin.location.line} is pinned to {pin.device!r}"
        inner = (pin_of(self.pins, s.location) for s in walk(n.Block((loop,))))
        away = next((p for p in inner if p is not None and p.device != self.device), None)
        return (
            f"the block in it that starts in line {away.location.line} is pinned to {away.device!r}" if away else None
        )


def device_for(program: n.Program, usual: str) -> str:
    """The device of a program's kernels: the one of the call, or the one that its blocks are pinned to.

    Raises
    ------
    UnsupportedError
        They are different ones.
    """
    if usual == "interpreter":
        return usual
    device = usual
    for pin in program.pins:
        if pin.device not in ("cpu", device):
            if device != "cpu":
                raise UnsupportedError(
                    f"a block is pinned to {pin.device!r}, and the program uses {device!r} already",
                    pin.location,
                    cause="a compiled function works on the processor and one more device",
                    hint="make two functions of it, one for each device",
                )
            device = pin.device
    return device
