"""What a device owes the host, and the host may have changed meanwhile, against a model (`debts.c`)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("debts.c")
RUNTIME = Path(__file__).parents[2] / "src" / "weft" / "runtime" / "native" / "support"
SEQUENCES = 4000


@pytest.mark.sample(0)
def test_nothing_is_lost_or_overwritten_however_steps_follow_one_another(tmp_path):
    """Kernels, copies of parts, writes of the host that an exception may end, evictions, and kernels that fail."""
    target = tmp_path / "debts"
    flags = ["-std=gnu11", "-O1", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-Wno-unused-function"]
    subprocess.run(["gcc", *flags, f"-I{RUNTIME}", str(SOURCE), "-o", str(target), "-lm"], check=True)
    ran = subprocess.run([str(target), "1", str(SEQUENCES)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
