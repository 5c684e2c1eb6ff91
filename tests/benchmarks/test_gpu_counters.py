"""What `explain` predicts of memory is what hardware counters say, where the driver lets the profiler read them."""

import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from benchmarks import gpu_counters
from benchmarks.gpu_cases import CASES
from benchmarks.gpu_counters import (
    ASKED,
    AT_ONCE,
    BYPASSED,
    LOADED,
    METRICS,
    WITHIN,
    Comparison,
    Unreadable,
    asked,
    comparisons,
    counted_in,
    first_launches,
    loaded_in,
)

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


def test_launches_belong_to_cases_by_the_marks_between_them():
    predicted = [
        ("a", {"a_0": {}}),
        ("b", {"b_0": {}, "b_1": {}}),
        ("b again", {"b_0": {}, "b_1": {}}),
        ("b alone", {"b_0": {}, "b_1": {}}),
    ]
    mark = "next_case_0"
    names = ("other", mark, "a_0", "a_0", "other", mark, "b_1", "b_0", mark, "b_1", mark, "b_0", "b_0")
    found = [(case, kernel) for case, kernel, _ in first_launches(predicted, [(name, {}) for name in names])]
    assert found == [("a", "a_0"), ("b", "b_1"), ("b", "b_0"), ("b again", "b_1"), ("b alone", "b_0")]


def test_a_prediction_is_near_within_its_part_or_where_it_is_little_of_the_whole():
    assert Comparison("", "", "sectors loaded", 109, 100, 100).is_near
    assert not Comparison("", "", "sectors loaded", 111, 100, 100).is_near
    assert Comparison("", "", "sectors loaded", 0, 9, 1000).is_near
    assert not Comparison("", "", "spills", 1, 0, 0).is_near
    assert WITHIN["bank conflicts"] == 0.2
    assert not Comparison("", "", "bank conflicts", 0, 2, 100).is_near
    assert Comparison("", "", "bytes of memory", 0, 4096, 4096).is_near
    assert not Comparison("", "", "bytes of memory", 0, 2**15, 2**15).is_near


BY_INSTRUCTION = """"Kernel Name","scan_1",
"Address","Source","Predicated-On Thread Instructions Executed","L2 Theoretical Sectors Global"
"0x10","      LDC R1, c[0x0][0x28]","32","0"
"0x20","      LDG.E.128 R4, desc[UR14][R38.64]","8,192","4,096"
"0x30","      LDG.E.64.STRONG.GPU R4, desc[UR14][R38.64]","64","96"
"0x40","      LDGSTS.E.BYPASS.128 [R0], desc[UR14][R38.64]","1,024","-"
"0x50","      STG.E.64.STRONG.GPU desc[UR14][R38.64+0x18], R36","1","7"
"Kernel Name","triad_0",
"Address","Source","Predicated-On Thread Instructions Executed","L2 Theoretical Sectors Global"
"0x10","      LDG.E.128 R4, desc[UR14][R38.64]","1","-"
"""


def test_loads_that_ask_other_blocks_are_counted_apart():
    assert loaded_in(BY_INSTRUCTION.splitlines()) == [(4096, 96, 512), (0, 0, 0)]
    counted = {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld": 4200, LOADED: 4096}
    assert asked({**counted, ASKED: 96}) == 104  # while these were counted, blocks waited a little longer
    assert asked({**counted, ASKED: 96, BYPASSED: 64}) == 40
    assert asked({**counted, ASKED: 0}) == 0


def test_what_blocks_ask_and_what_arrives_is_counted_in_one_run(monkeypatch):
    asked_in_runs, runs = (20, 70, 300), []
    loaded, arrived = AT_ONCE

    def profiled(names, output, report, metrics, *options):
        runs.append(metrics)
        output.write_text(json.dumps([("scan", {"scan_1": dict.fromkeys(METRICS, 0.0)})]))
        return ""

    def shown(report, *options):
        if options:
            return ['"Kernel Name","next_case_0",', *BY_INSTRUCTION.splitlines()[:7]]
        of_loads, of_arrivals = asked_in_runs[:2] if len(runs) == 1 else asked_in_runs[2:] * 2
        rows = [(loaded, 4096 + 512 + of_loads), (arrived, 4096 + 512 + of_arrivals)]
        head = '"ID","Process ID","Kernel Name","Grid Size","Metric Name","Metric Unit","Metric Value"'
        launches = [f'"0","1","next_case_0(long)","(1, 1, 1)","{loaded}.sum","","0"']
        launches += [f'"1","1","scan_1(long)","(1, 1, 1)","{name}.sum","","{count}"' for name, count in rows]
        return [head, *launches]

    monkeypatch.setattr(gpu_counters.shutil, "which", lambda name: name)
    monkeypatch.setattr(gpu_counters, "_known_counters", lambda: frozenset(AT_ONCE))
    monkeypatch.setattr(gpu_counters, "_profiled", profiled)
    monkeypatch.setattr(gpu_counters, "_shown", shown)
    found = {c.what: c.counted for c in comparisons(["scan"])}
    assert found["sectors loaded"] == found["sectors read from L2"] == 4096 + 512
    assert runs[1] == [f"{counter}.sum" for counter in AT_ONCE]


MARK = '"9","1","next_case_0(float *)","(1, 1, 1)","dram__bytes_read.sum","byte","0"'


def profiler(printed, predicted):
    """What stands for `subprocess.run`: a profiler that knows three counters, and the program that it runs."""

    def run(command, **_):
        if "--query-metrics" in command:
            return CompletedProcess(command, 0, "dram__bytes_read  a\ndram__bytes_write  b\nlts__t_bytes  c\n", "")
        if "--import" in command:
            launches = {row[:3] for row in printed.splitlines() if row[1:2].isdigit()}
            marked = printed.replace('\n"0"', f'\n{MARK}\n"0"', 1)
            shown = '"Kernel Name","triad_0",\n' * (len(launches) + 1) if "source" in command else marked
            return CompletedProcess(command, 0, shown, "")
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
    ("bodies", "bodies fastmath"): "a part of what a small kernel stores is in memory when it ends",
    (
        "product float32",
        "product float32 8192",
    ): "two blocks of a multiprocessor find in its first-level cache what both "
    "read while they are at the same place: a sixth to a third of what they load, by run",
    ("product float32 4095",): "stores of one sector by several requests arrive at the second-level cache together; "
    "copies of single elements to shared memory have twice as many conflicts",
    ("product float64",): "memory serves twice what blocks that run at a time share",
    ("convolution 17 x 17",): "the first-level cache does not hold all that blocks read again",
    ("25-point star 512",): "copies to shared memory have 1.1 to 4 times as many conflicts, by run",
}
"""Rows that are not predicted within the bounds yet, or not counted lately, and why."""


def test_reasons_are_given_for_rows_that_there_are():
    assert {name for names in APART for name in names} <= {case.name for case in CASES}


@pytest.mark.gpu
@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_predictions_are_what_the_hardware_counts(compared, name):
    found = [c for c in compared if c.case == name]
    assert found
    far = [c for c in found if not c.is_near]
    if far and (reason := next((why for names, why in APART.items() if name in names), "")):
        pytest.xfail(reason)
    assert not far
