"""The right compiler finds nothing to complain of in any program of the corpus, by any check."""

import pytest

from .checks import CHECKS
from .corpus import CORPUS

LONG = ("least", "total")
"""Loops so long that threads take part: for machine code only."""

PAIRS = [(check, name) for check in CHECKS for name in CORPUS if name not in LONG or check.startswith("machine code")]


@pytest.mark.parametrize(("check", "name"), PAIRS, ids=lambda text: text.replace(" ", "_"))
def test_programs_of_the_corpus(check, name, own_store):
    assert CHECKS[check]([CORPUS[name]]) == []
