#!/bin/bash
here=$(mktemp -d)
# Occupancy against the driver, shared arrays and dealt loops on the GPU, access classes against the hardware's counters.
timeout 60 python3 -m pytest --all -q -m gpu tests/backends/test_cuda_occupancy.py tests/backends/test_shared_arrays.py 2>&1 | tail -8
cat > $here/access_rows.py <<'P'
import time, numpy as np, weft
from weft.schedule import Bind
def softmax(x, out):
    for i in range(x.shape[0]):
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += np.exp(x[i, j])
        for j in range(x.shape[1]):
            out[i, j] = np.exp(x[i, j]) / total
def smooth(a, out):
    for i in range(a.shape[0]):
        t = np.empty(4096, np.float32)
        for j in range(4096):
            t[j] = a[i, j] * np.float32(2)
        for j in range(1, 4095):
            out[i, j] = t[j - 1] + t[j + 1]
host = np.random.default_rng(0).random((16384, 4096), dtype=np.float32)
x, out = weft.array(host), weft.zeros(host.shape, np.float32)
for f, schedules in ((softmax, (None, (Bind("i", "x", 256),))), (smooth, (None,))):
    for schedule in schedules:
        g = weft.jit(f, device="cuda", schedule=schedule or ())
        times = []
        for _ in range(6):
            weft.synchronize(); t = time.perf_counter(); g(x, out); weft.synchronize(); times.append(time.perf_counter() - t)
        print(f.__name__, "dealt" if schedule is None else "one thread a row", f"{2 * host.nbytes / min(times) / 1e9:.0f} GB/s")
P
timeout 120 python3 $here/access_rows.py 2>&1 | tail -6
PYTHONPATH=$PYTHONPATH:. timeout 200 python3 -W ignore -m benchmarks.gpu_counters
