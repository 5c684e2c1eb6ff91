"""Faults in the text of functions.

The functions were drawn: all of the folders in the order of a hash of their names, at most two of a file, without those
that only choose, estimate, name or report. In each, something was changed that its result depends on: a term dropped,
a sign, a bound off by one, a guard forgotten, a *may* taken for a *must*, a stale fact, operands exchanged. Nobody
looked at the tests for that. Where no program can tell a change from what was there, another one took its place.
"""

from . import analysis, backends, frontend, passes, plan, runtime, schedule

PATCHES = (
    *frontend.PATCHES,
    *analysis.PATCHES,
    *passes.PATCHES,
    *schedule.PATCHES,
    *plan.PATCHES,
    *backends.PATCHES,
    *runtime.PATCHES,
)
"""All of them."""
