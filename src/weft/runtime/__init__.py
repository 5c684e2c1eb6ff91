"""What runs compiled programs: calls, coherent arrays, devices, and the entry stub in C."""

from importlib import import_module
from pathlib import Path

from weft.runtime.sources import check_built_from_sources

check_built_from_sources(getattr(import_module("weft.runtime._stub"), "sources", ""), Path(__file__).parent / "native")
