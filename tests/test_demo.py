"""The main job: `weft demo`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from weft import demo
from weft.errors import Error

pytest.importorskip("matplotlib")


def small_jobs() -> list[demo.Job]:
    return [replace(job, arguments=job.reduced) for job in demo._jobs(quick=True)]


def test_demo_writes_pictures_and_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    jobs = small_jobs()
    monkeypatch.setattr(demo, "_jobs", lambda quick: jobs)
    monkeypatch.setenv("COLUMNS", "100")
    assert demo.run(tmp_path / "out", quick=True) == 0
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"embossed.png", "blurred.png", "mandelbrot.png"}
    lines = capsys.readouterr().out.splitlines()
    assert sum("checked" in line for line in lines) >= len(jobs)
    assert all(sum(job.title in line for line in lines) >= 1 for job in jobs)
    assert any({"job", "device", "speed", "answer"} <= set(line.split()) for line in lines)
    assert any(" x NumPy" in line for line in lines) and any(" x CPython" in line for line in lines)
    assert max(map(len, lines)) <= 100 or any("Pictures in" in line for line in lines)
    assert not any("…" in line for line in lines)


def test_a_wrong_answer_stops_the_demo() -> None:
    job = small_jobs()[0]
    right = np.arange(12.0)
    demo._check(job, "CPython", (right,), (right.copy(),))
    with pytest.raises(Error, match="differs from that of CPython by up to 1"):
        demo._check(job, "CPython", (right,), (right + 1.0,))


def test_without_matplotlib_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    monkeypatch.setattr("weft.examples.photograph.load", lambda: __import__("matplotlib"))
    with pytest.raises(Error, match=r'pip install "weft\[demo\]"'):
        demo.run(tmp_path)
