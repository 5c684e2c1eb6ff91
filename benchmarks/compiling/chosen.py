"""The names `jit` and `prange` of the compiler that is measured: the environment variable COMPILER says which."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

jit: Any
prange: Any

if os.environ.get("COMPILER", "weft").startswith("numba"):
    import numba

    jit = partial(numba.njit, parallel=os.environ["COMPILER"] == "numba-parallel")
    prange = numba.prange
else:
    import weft

    jit, prange = weft.jit, range
