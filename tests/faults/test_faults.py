"""Every planted fault is found by the check that is named beside it, and the right compiler gives no complaint."""

import pytest

from . import corpus, corpus_must_and_may
from .checks import CHECKS
from .faults import FAULTS
from .planting import planted

CORPUS = corpus.CORPUS | corpus_must_and_may.CORPUS


@pytest.fixture
def empty_store(tmp_path, monkeypatch):
    """Code compiled with a fault must not stay in the store."""
    monkeypatch.setenv("WEFT_CACHE_DIR", str(tmp_path))


def test_there_are_at_least_twenty_faults():
    assert len({fault.name for fault in FAULTS}) >= 20


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_right_compiler_passes(fault, empty_store):
    assert CHECKS[fault.check](CORPUS[name] for name in fault.programs) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_is_found(fault, empty_store):
    with planted(fault):
        complaints = CHECKS[fault.check](CORPUS[name] for name in fault.programs)
    assert complaints, f"{fault.name}: {fault.check} found nothing"
