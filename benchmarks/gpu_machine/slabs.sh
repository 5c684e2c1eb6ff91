#!/bin/bash
# More data than device memory: the rate of the bus that a pass in slabs reaches, against one copy of the same bytes.
here=$(mktemp -d)
cat > $here/slabs.py <<'PY'
import time
import numpy as np
import weft

@weft.jit(device="cuda")
def saxpy(a, x, y):
    for i in range(len(x)):
        y[i] = a * x[i] + y[i]

@weft.jit(device="cuda")
def stencil(u, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])

def best(call, repeat=4):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)

n = 1 << 27
x, y = np.ones(n, np.float32), np.ones(n, np.float32)
u, v = np.ones((1 << 13, 1 << 14), np.float32), np.zeros((1 << 13, 1 << 14), np.float32)
for name, call, arrays, moved in (
    ("saxpy", lambda: saxpy(2.0, x, y), (x, y), 3 * x.nbytes),
    ("stencil", lambda: stencil(u, v), (u, v), 2 * u.nbytes),
):
    size = sum(a.nbytes for a in arrays)
    whole = best(call)
    for part in (4, 16):
        with weft.device("cuda", memory_limit=size // part):
            with weft.profile() as p:
                call()
            slabs = best(call)
        launches = sum(e.kind == "launch" for e in p.events)
        crossed = sum(e.bytes for e in p.events if e.kind in ("copy_in", "copy_out"))
        print(f"{name} limit 1/{part}: {launches} slabs, {crossed / 1e9:.2f} GB, {slabs * 1e3:.1f} ms "
              f"{crossed / slabs / 1e9:.1f} GB/s; whole {whole * 1e3:.1f} ms {moved / whole / 1e9:.1f} GB/s")
PY
PYTHONPATH=$PYTHONPATH:. timeout 120 python3 $here/slabs.py
