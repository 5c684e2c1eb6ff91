"""Functions of the library in programs whose code is kept from an earlier process."""

from __future__ import annotations

import os
import subprocess
import sys

TEXT = "import numpy as np, weft\nprint(weft.jit(lambda a: np.sort(a))(np.array([2.0, 1.0])))\n"


def test_in_the_next_process(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(TEXT, encoding="utf-8")
    store = tmp_path / "store"
    store.mkdir(mode=0o700)
    for _ in range(2):
        environment = {**os.environ, "WEFT_CACHE_DIR": str(store)}
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=120, env=environment)
        assert done.stdout == "[1. 2.]\n", done.stderr
