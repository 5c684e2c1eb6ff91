"""`weft tune --replay`."""

from __future__ import annotations

import json

from weft.cli import main


def test_strategies_are_compared_in_a_measured_space(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    entries = {f"{x}": {"x": x, "time": 1.0 + x} for x in range(120)}
    content = {
        "device_name": "paper", "kernel_name": "line", "tune_params_keys": ["x"],
        "tune_params": {"x": list(range(120))}, "cache": entries,
    }  # fmt: skip
    file = tmp_path / "line.json"
    file.write_text(json.dumps(content))
    assert main(["tune", "--replay", str(file), "--strategy", "exhaustive,random", "--seeds", "2"]) == 0
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("line", "paper", "exhaustive", "random"))
    assert printed.count("1.000") >= 5


def test_a_file_that_is_no_cache_is_an_error(tmp_path, capsys):
    file = tmp_path / "line.json"
    file.write_text("{}")
    assert main(["tune", "--replay", str(file)]) == 1
    assert "is no cache of measured points" in capsys.readouterr().err.replace("\n", " ")
