"""The table of kernels comes from what the benchmark printed; what is short of its floor is marked."""

import pytest

from benchmarks.gpu_table import BEGIN, END, Figure, figures_in, main, replaced, table

LOG = """NVIDIA H200; copy 4241 GB/s
transpose                            default          532.4 us  4033.31 GB/s      0.956 of copy (floor 0.93)
transpose, odd                       default          803.1 us  2674.25 GB/s      0.631 of copy (floor 0.74)
permutation 512x512x1024, unaligned  default         1005.8 us  2135.12 GB/s      0.503 of copy (floor 0.72)
product float32                      default         3053.9 us    45.00 TFLOP/s   0.885 of library (floor 0.85)
product float32                      libraries       2653.8 us    51.79 TFLOP/s   0.800 of library (floor 0.85)
product float32, odd                 libraries       2636.6 us    52.09 TFLOP/s   1.063 of library (floor 0.68)
segmented sums                       default          579.9 us  1851.57 GB/s      0.439 of copy
bodies                               default        20625.6 us    16.66 TFLOP/s   0.325 of library
scan                                 WRONG by 3.5     710.4 us  3022.94 GB/s      0.716 of copy (floor 0.70)
row scans                            FAILED: the GPU refused
"""


@pytest.fixture
def figures():
    return {(name, column): figure for name, column, figure in figures_in(LOG.splitlines())}


def test_a_figure_is_known_by_its_row_and_form(figures):
    assert figures["transpose", "as it is"] == Figure(0.956, 0.93)
    assert figures["transpose", "odd"] == Figure(0.631, 0.74)
    assert figures["product float32", "with libraries"] == Figure(0.8, 0)
    assert ("product float32", "odd") not in figures


def test_what_is_short_of_its_floor_has_a_star(figures):
    assert str(figures["transpose", "as it is"]) == "0.956"
    assert str(figures["transpose", "odd"]) == "0.631 *"
    assert str(figures["segmented sums", "as it is"]) == "0.439"


def test_rows_without_a_ceiling_are_in_teraflops(figures):
    assert str(figures["bodies", "as it is"]) == "16.7 *"


def test_what_is_wrong_or_failed_is_no_figure(figures):
    assert str(figures["scan", "as it is"]) == "wrong"
    assert str(figures["row scans", "as it is"]) == "failed"


def test_the_rows_are_those_of_the_benchmark_in_its_order(figures):
    head, rule, *rows = table(figures)
    assert [row.split(" |")[0] for row in rows][:3] == [
        "| product float32",
        "| transpose",
        "| permutation 512x512x1024",
    ]
    assert all(row.count("|") == head.count("|") == rule.count("|") for row in rows)
    assert "| transpose | 0.956 | 0.93 | 0.631 * | - | - | - | - |" in rows


def test_a_table_takes_the_place_of_another(tmp_path):
    log, text = tmp_path / "log", tmp_path / "text.md"
    log.write_text(LOG)
    text.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    for _ in range(2):
        main([str(log), "--into", str(text)])
    assert "old" not in text.read_text()
    assert text.read_text().count("| transpose |") == 1
    assert text.read_text().startswith(f"before\n{BEGIN}\n") and text.read_text().endswith(f"{END}\nafter\n")
    with pytest.raises(ValueError, match="substring"):
        replaced("no comments", [])
