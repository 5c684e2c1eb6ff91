"""How the loops of a kernel are laid out on hardware: directives, their legality, their lowering, their choice."""

from weft.schedule.directives import (
    Bind,
    Deal,
    Directive,
    Privatise,
    Reorder,
    Scan,
    Schedule,
    Share,
    Slide,
    Split,
    Stage,
    Steps,
    Turn,
    Unroll,
    Vectorise,
    describe,
)

__all__ = [
    "Bind",
    "Deal",
    "Directive",
    "Privatise",
    "Reorder",
    "Scan",
    "Schedule",
    "Share",
    "Slide",
    "Split",
    "Stage",
    "Steps",
    "Turn",
    "Unroll",
    "Vectorise",
    "describe",
]
