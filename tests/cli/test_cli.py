"""The command `weft`."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import weft
from weft.cli import main
from weft.compile.store import default_store


def test_version(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert capsys.readouterr().out == f"weft {weft.__version__}\n"


def test_the_package_is_the_command_too():
    ran = subprocess.run([sys.executable, "-m", "weft", "--version"], capture_output=True, text=True)
    assert ran.stdout.strip() == f"weft {weft.__version__}" and ran.returncode == 0, ran


def test_without_a_command_it_says_how_it_is_used(capsys):
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == 2
    assert "usage: weft" in capsys.readouterr().err


def test_devices_lists_the_processor(capsys):
    assert main(["devices"]) == 0
    output = capsys.readouterr().out
    assert "cpu" in output
    assert "interpreter" in output


def test_cache_shows_what_is_there(own_store, capsys):
    store = default_store()
    store.put("program", "ab12", tuple(range(1000)))
    store.put("program", "cd34", 1)
    assert main(["cache"]) == 0
    assert re.search(r"program\W+2\W", capsys.readouterr().out)


def test_cache_is_cleared(own_store, capsys):
    default_store().put("program", "ab12", 1)
    assert main(["cache", "--clear"]) == 0
    assert capsys.readouterr().out.startswith("entries deleted: 1 (")
    assert default_store().entries() == []


def test_empty_cache(own_store, capsys):
    assert main(["cache"]) == 0
    assert "0 bytes of 1.0 GiB" in capsys.readouterr().out


def test_an_error_is_printed_and_is_status_1(monkeypatch, capsys):
    def fail() -> list[object]:
        raise weft.DeviceError("the driver [of the GPU] is gone")

    monkeypatch.setattr(weft, "devices", fail, raising=False)
    assert main(["devices"]) == 1
    assert "DeviceError: the driver [of the GPU] is gone" in capsys.readouterr().err


def test_demo_gets_its_options(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr("weft.demo.run", lambda *options: asked.append(options) or 0)
    assert main(["demo", "--quick", "--output", str(tmp_path)]) == 0
    assert asked == [(tmp_path, True)]


@pytest.mark.opencl
def test_devices_measures_copies(capsys, own_store, monkeypatch):
    from weft.cost.speed import estimated_processor
    from weft.runtime.devices import calibration, copying

    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(copying.measure, "__defaults__", ((4096, 65536),))
    monkeypatch.setattr(calibration, "measure", lambda device: estimated_processor(device, 8))
    assert main(["devices", "--measure"]) == 0
    shown = capsys.readouterr().out
    assert "64.0 KiB" in shown and "in GB/s" in shown and "pinned" in shown
    assert "a call" in shown and "96.0 GB/s" in shown
    assert copying.load("opencl").seconds("out", "pageable", 4096) > 0
