"""Every part of the frontend that others import can be the first one: its modules import one another."""

from __future__ import annotations

import subprocess
import sys

FORKS = """
import importlib, os, sys
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        importlib.import_module(name)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(name)
"""
ENTRIES = ("program", "control.parallel", "calls.pattern_words", "values.lists")


def test_any_part_may_be_imported_first():
    names = [f"weft.frontend.{name}" for name in ENTRIES]
    done = subprocess.run([sys.executable, "-c", FORKS, *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
