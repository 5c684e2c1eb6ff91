"""The benchmark of data movement runs from end to end, on whatever device there is, and says what it found."""

import json
import os
from pathlib import Path

import pytest

from benchmarks import gpu_data

pytestmark = pytest.mark.opencl


@pytest.fixture
def compiled_fast(monkeypatch):
    """Kernels of which nobody measures how fast they are, in a store beside that of others."""
    monkeypatch.setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable")
    monkeypatch.setenv("WEFT_CACHE_DIR", str(Path(os.environ["WEFT_CACHE_DIR"]) / "compiled-fast"))


@pytest.mark.sample(0)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("compiled_fast")
def test_all_sections_run_and_check_their_answers(tmp_path, capsys):
    target = tmp_path / "figures.json"
    gpu_data.main(["--device", "opencl", "--small", "--table", "--json", str(target)])
    data = json.loads(target.read_text())
    names = [row["what"] for row in data["rows"]]
    assert {"into", "out_of", "both"} == set(data["bus"])
    for wanted in (
        "weft.empty arrays",
        "Jacobi",
        "matrix series",
        "n-body",
        "embossing",
        "a call of one kernel",
        "50 ms",
    ):
        assert any(wanted in name for name in names)
    assert "| what | value | goal | note |" in capsys.readouterr().out


def test_the_bound_is_the_slowest_way_of_the_bus():
    bus = gpu_data.Bus(into=10.0, out_of=5.0, both=12.0)
    assert bus.bound(100, 10) == 10.0 and bus.bound(10, 100) == 20.0 and bus.bound(60, 60) == 12.0
    assert bus.in_turn(100, 50) == 20.0


def test_a_row_says_whether_its_goal_is_reached():
    assert "ok" in str(gpu_data.Row("x", 1.0, "ms", 2.0)) and "MISSED" in str(gpu_data.Row("x", 3.0, "ms", 2.0))
