"""Comparisons of sizes of which nothing is known, decided one way and the other.

Whether ``n`` is less than 4 is not known of a program that treats its first four elements apart. A plan is right if it
is right whichever way that is, so the verifier looks at both where it needs to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from weft.analysis.access.structure import Region
from weft.analysis.values.linear import Form

MOST_CASES = 64
"""How many cases are looked at before the plan counts as not proven."""

Proves: TypeAlias = Callable[[Form, Region], bool]
"""Whether a form is proven not to be negative wherever a region runs."""


class Cases:
    """What is proven in one case, and what else would have to be known.

    Parameters
    ----------
    proves
        What holds in all cases.
    fixed
        The names whose values are the same in the whole program: only these can be told apart by cases.
    within
        The case that this one is part of, if any: what holds there is not asked for again.
    assumed
        The form that is not negative in this case, besides those of the case that it is part of.
    """

    def __init__(
        self, proves: Proves, fixed: frozenset[str], within: Cases | None = None, assumed: Form | None = None
    ) -> None:
        self._always = proves
        self.fixed = fixed
        self._within = within
        before = within.assumed if within is not None else ()
        self.assumed: tuple[Form, ...] = before if assumed is None else (*before, assumed)
        self._sums = tuple(_new_sums(before, assumed)) if assumed is not None else ()
        self._known: dict[tuple[Form, Region], bool] = {}
        self.asked: dict[Form, int] = {}
        """Comparisons that are open, and how often they were asked for."""

    def proves(self, form: Form, region: Region) -> bool:
        """Whether a form is not negative in this case wherever a region runs."""
        if self._follows(form, region):
            return True
        if form.value is None and form.names <= self.fixed and not self._follows(-form - 1, region):
            self.asked[form] = self.asked.get(form, 0) + 1
        return False

    def _follows(self, form: Form, region: Region) -> bool:
        key = (form, region)
        if key not in self._known:
            outside = self._within._follows if self._within is not None else self._always
            sums = (form - one for one in self._sums)
            self._known[key] = outside(form, region) or any(self._always(less, region) for less in sums)
        return self._known[key]

    def again(self) -> Cases:
        """The same case, of which nothing was asked yet."""
        return Cases(self._always, self.fixed, self)

    def split(self, region: Region) -> Iterator[Cases]:
        """The two cases of the comparison that was asked for most, without what cannot be; none if all is known."""
        if not self.asked:
            return
        question = max(self.asked, key=lambda form: self.asked[form])
        for answer in (question, -question - 1):
            if not self._follows(-answer - 1, region):
                yield Cases(self._always, self.fixed, self, answer)


def _new_sums(before: tuple[Form, ...], assumed: Form) -> Iterator[Form]:
    """Sums of one or two forms that are not negative, of which one was not known before."""
    yield assumed
    for other in (*before, assumed):
        yield assumed + other
