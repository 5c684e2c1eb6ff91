"""Every change of text can be made, and what found it once finds it again; `make faults` tries all of them."""

import hashlib

import pytest

from .finders import FINDERS, still_finds
from .patches import PATCHES
from .patching import Patch, TargetGone, patched, source_of

NAMES = [patch.name for patch in PATCHES]
QUICK = sorted(NAMES, key=lambda name: hashlib.sha256(name.encode()).digest())[:8]
"""Those that are tried in every run of the tests."""


def _marked(name):
    return pytest.param(name, marks=() if name in QUICK else pytest.mark.slow)


def test_names_are_given_once():
    assert len(set(NAMES)) == len(NAMES) >= 100


@pytest.mark.parametrize("patch", PATCHES, ids=NAMES)
def test_the_text_that_is_changed_is_there(patch):
    compile(patched(patch, source_of(patch)), patch.target, "exec")


@pytest.mark.parametrize("old", ["no such text", "form"])
def test_a_text_that_is_not_there_once_is_missed(old):
    patch = Patch("gone", "weft.analysis.values.solve:is_modest", old, "")
    with pytest.raises(TargetGone):
        patched(patch, source_of(patch))


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", [_marked(name) for name in NAMES if name in FINDERS])
def test_the_fault_is_found_again(name, tmp_path):
    assert still_finds(name, FINDERS[name], tmp_path), FINDERS[name]
