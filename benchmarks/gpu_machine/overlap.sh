#!/bin/bash
here=$(mktemp -d)
# Lanes, time limits and failures on a GPU: tests, then how far copies, kernels and Python overlap. About a minute.
set -u
python3 -m pytest --all -q --no-header -m gpu tests/runtime/test_arrays_gpu.py 2>&1 | tail -3
cat > $here/async_overlap.py <<'PY'
import time
import numpy as np
import weft

@weft.jit(device="cuda")
def long(x, n):
    for i in range(x.shape[0]):
        s = x[i]
        for k in range(n):
            s = s * 0.999 + 0.5
        x[i] = s

@weft.jit(device="cuda")
def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]

def best(call, times=5):
    found = []
    for _ in range(times):
        weft.synchronize()
        start = time.perf_counter()
        call()
        weft.synchronize()
        found.append(time.perf_counter() - start)
    return min(found) * 1e3

def python(milliseconds):
    end = time.perf_counter() + milliseconds / 1e3
    while time.perf_counter() < end:
        pass

w = weft.zeros(1 << 16)
long(w, 1000)
n = max(1000, int(1000 * 50 / best(lambda: long(w, 1000))))
kernel = best(lambda: long(w, n))
both = best(lambda: (long(w, n), python(50)))
print(f"kernel {kernel:.1f} ms, with 50 ms of Python {both:.1f} ms (at most 55 for 50)")

big, out = weft.zeros(1 << 26), weft.zeros(1 << 26)
def send():
    big[0] = 1.0  # the host's copy is the newer one
    doubled(big, out)
send()
copy = best(send)
overlapped = best(lambda: (long(w, n), send()))
print(f"copy in and a kernel behind it {copy:.1f} ms; beside the long kernel {overlapped:.1f} ms "
      f"(apart {kernel + copy:.1f}, at best {max(kernel, copy):.1f}; the small kernel queues behind the long one)")
def fetch():
    doubled(big, out)
    out[0]
fetch()
home = best(fetch)
def beside():
    doubled(big, out)
    long(w, n)
    out[0]
print(f"copy out {home:.1f} ms; with a long kernel queued behind {best(beside):.1f} ms (at best {max(home, kernel):.1f})")
x, y = weft.zeros(1000), weft.zeros(1000)
doubled(x, y)
start = time.perf_counter()
for _ in range(2000):
    doubled(x, y)
print(f"a call on device arrays {(time.perf_counter() - start) / 2000 * 1e6:.2f} us")
a = np.ones(1 << 22)
b = np.zeros(1 << 22)
for _ in range(3):
    doubled(a, b)
with weft.profile() as p:
    doubled(a, b)
print(p.table())
PY
timeout 100 python3 $here/async_overlap.py
