"""What `explain` predicts of memory is what hardware counters say, where the driver lets the profiler read them."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from benchmarks import gpu_counters
from benchmarks.gpu_cases import CASES
from benchmarks.gpu_counters import METRICS, WITHIN, Comparison, Unreadable, comparisons, counted_in, first_launches

PRINTED = """==PROF== Profiling "triad_0"
"ID","Process ID","Kernel Name","Grid Size","Metric Name","Metric Unit","Metric Value"
"0","1","triad_0(const float *, long)","(4, 2, 1)","dram__bytes_read.sum","byte","1,024"
"0","1","triad_0(const float *, long)","(4, 2, 1)","dram__bytes_write.sum","byte","512"
"1","1","triad_0(const float *, long)","(1, 1, 1)","dram__bytes_read.sum","byte","32"
"""


def test_counters_are_read_by_launch():
    assert counted_in(PRINTED.splitlines()) == [
        ("triad_0", {"blocks": 8, "dram__bytes_read": 1024, "dram__bytes_write": 512}),
        ("triad_0", {"blocks": 1, "dram__bytes_read": 32}),
    ]


def test_launches_belong_to_cases_in_turn():
    predicted = [
        ("a", {"a_0": {}}),
        ("b", {"b_0": {}, "b_1": {}}),
        ("b again", {"b_0": {}, "b_1": {}}),
        ("c", {"c_0": {}}),
    ]
    launches = [(name, {}) for name in ("a_0", "a_0", "other", "b_0", "b_1", "b_0", "b_1", "c_0", "c_0")]
    found = [(case, kernel) for case, kernel, _ in first_launches(predicted, launches)]
    assert found == [("a", "a_0"), ("b", "b_0"), ("b", "b_1"), ("b again", "b_0"), ("b again", "b_1"), ("c", "c_0")]


def test_a_prediction_is_near_within_its_part_or_where_it_is_little_of_the_whole():
    assert Comparison("", "", "sectors loaded", 109, 100, 100).is_near
    assert not Comparison("", "", "sectors loaded", 111, 100, 100).is_near
    assert Comparison("", "", "sectors loaded", 0, 9, 1000).is_near
    assert not Comparison("", "", "spills", 1, 0, 0).is_near
    assert WITHIN["bank conflicts"] == 0.2
    assert not Comparison("", "", "bank conflicts", 0, 2, 100).is_near
    assert Comparison("", "", "bytes of memory", 0, 4096, 4096).is_near
    assert not Comparison("", "", "bytes of memory", 0, 2**15, 2**15).is_near


def profiler(printed, predicted):
    """What stands for `subprocess.run`: a profiler that knows three counters, and the program that it runs."""

    def run(command, **_):
        if "--query-metrics" in command:
            return CompletedProcess(command, 0, "dram__bytes_read  a\ndram__bytes_write  b\nlts__t_bytes  c\n", "")
        Path(command[command.index("--run") + 1]).write_text(json.dumps(predicted), encoding="utf-8")
        return CompletedProcess(command, 0, printed, "")

    return run


@pytest.fixture
def profiled(monkeypatch):
    def with_output(printed):
        predicted = [("triad", {"triad_0": dict.fromkeys(METRICS, 0.0) | {"bytes of memory": 1500}})]
        monkeypatch.setattr(gpu_counters.shutil, "which", lambda name: name)
        monkeypatch.setattr(gpu_counters.subprocess, "run", profiler(printed, predicted))
        gpu_counters._known_counters.cache_clear()

    yield with_output
    gpu_counters._known_counters.cache_clear()


def test_predicted_and_counted_figures_meet(profiled):
    profiled(PRINTED)
    (found,) = [c for c in comparisons(["triad"]) if c.counted]
    assert (found.case, found.kernel, found.what) == ("triad", "triad_0", "bytes of memory")
    assert (found.predicted, found.counted, found.is_near) == (1500, 1536, True)


@pytest.mark.parametrize("printed", ["", "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission"])
def test_a_profiler_that_counts_nothing_is_no_comparison(profiled, printed):
    profiled(printed)
    with pytest.raises(Unreadable, match=printed[:9] or "nothing"):
        list(comparisons(["triad"]))


@pytest.fixture(scope="module")
def compared():
    try:
        return list(comparisons([case.name for case in CASES]))
    except Unreadable as problem:
        pytest.skip(str(problem))


APART = {
    "segmented sums": "how many tiles there are is computed from what arrays hold",
    "packing": "what is kept follows from the values; tiles ask others for what they have while they wait",
    "scan": "tiles ask others for what they have while they wait",
    "bodies": "blocks of one multiprocessor that read the same tiles at about the same time fetch them once",
    "product": "the second-level cache does not hold all strips, and blocks of one multiprocessor share some",
    "convolution": "the first-level cache does not hold what five blocks read again",
    "product float32 1024": "blocks that read the same at the same time ask the second-level cache once",
    "product float32 4095": "copies of single elements wait for banks; stores to one sector are merged",
    "sparse product": "rows are taken to be of one length, columns to be anywhere",
}
"""Rows that are not predicted within the bounds yet, by how their names begin, and why."""


@pytest.mark.gpu
@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_predictions_are_what_the_hardware_counts(compared, name):
    found = [c for c in compared if c.case == name]
    assert found
    far = [c for c in found if not c.is_near]
    if far and (reason := next((why for start, why in APART.items() if name.startswith(start)), "")):
        pytest.xfail(reason)
    assert not far
