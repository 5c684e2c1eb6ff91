"""The table of peers: what is not installed is named, and ratios are those of turns."""

import pytest

from benchmarks.gpu_cases import CASES
from benchmarks.gpu_peers import Figure, Run, against_best, is_right, merged, table
from benchmarks.peers import MODULES, all_peers

TIMES = [1.0, 1.1, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 5.0, 1.0]


def figures(**times):
    return {name: Figure("row", name, times=list(given)) for name, given in times.items()}


def test_every_peer_is_there_or_says_why_it_is_not():
    found = {peer.name: peer for peer in all_peers()}
    assert set(found) == {name for _, names in MODULES.values() for name in names}
    assert all(peer.ways or "pip install" in peer.missing for peer in found.values())


def test_the_best_peer_is_the_one_with_the_smallest_median():
    found = against_best(figures(Weft=TIMES, one=[2 * t for t in TIMES], other=[3 * t for t in TIMES]))
    assert found == ("one", 2, 2, 2)


def test_the_interval_leaves_out_the_two_extremes_of_eleven_turns():
    other = [2.0] * 9 + [9.0, 0.1]
    name, middle, low, high = against_best(figures(Weft=[1.0] * 11, other=other))
    assert (name, middle, low, high) == ("other", 2, 2, 2)


def test_our_own_calls_of_libraries_are_no_peer():
    assert (
        against_best({"Weft": Figure("row", "Weft", times=[1.0]), "Weft, libraries": Figure("row", "", times=[1.0])})
        is None
    )


def test_an_answer_that_is_no_number_is_wrong():
    assert is_right(1e-6, "float32")
    assert not is_right(1e-6, "float64")
    assert not is_right(float("nan"), "float32")
    assert not is_right(1, "int32")


@pytest.mark.parametrize("flops", [0, 1e12])
def test_a_row_that_somebody_cannot_do_has_a_cell(flops):
    case = next(c for c in CASES if bool(c.flops) == bool(flops))
    by_peer = figures(Weft=[1e-3] * 11, fast=[2e-3] * 11) | {"gone": Figure("row", "gone", "absent")}
    *_, line = table([(case, by_peer)], 4e12)
    assert "| absent |" in line
    assert "2.00 (2.00 to 2.00) of fast" in line


def test_runs_with_different_peers_become_one_table():
    case = next(c for c in CASES if not c.flops)
    first = figures(Weft=[1e-3] * 11, one=[2e-3] * 11) | {"other": Figure(case.name, "other", "absent")}
    second = figures(Weft=[2e-3] * 11, one=[1e-3] * 11, other=[3e-3] * 11)
    header, _, line = merged([Run(4e12, {case.name: first}), Run(4e12, {case.name: second})])
    assert header == "| work | Weft | one | other | Weft beside the best |"
    assert line.endswith(" | 1.50 (1.50 to 1.50) of other |")  # beside the Weft of the same run
    weft, other = (float(line.split("|")[column]) for column in (2, 4))
    assert weft == pytest.approx(3 * other, rel=0.01)
