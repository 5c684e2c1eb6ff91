"""How a dict is held: its keys are constants, its values a tuple."""

from __future__ import annotations

from collections.abc import Sequence

from weft.frontend.calls.library_dicts import Dict
from weft.frontend.values import mutable
from weft.frontend.values.scope import Context
from weft.frontend.values.values import Instance, Static, Value

NAMES = ("$keys", "$values", "$outside")
INSIDE, OUTSIDE = Static("an argument, or made in compiled code"), Static("captured")


def new(ctx: Context, keys: Sequence[Static], values: Sequence[Value]) -> Instance:
    """A dict of these items."""
    return mutable.instance(ctx, Dict, NAMES, (tuple(keys), tuple(values), INSIDE))


def captured(keys: Sequence[Static], values: Sequence[Value]) -> Instance:
    """A dict that is found anew at every call."""
    return Instance(Dict, NAMES, (tuple(keys), tuple(values), OUTSIDE))
