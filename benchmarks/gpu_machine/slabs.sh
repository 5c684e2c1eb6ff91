#!/bin/bash
# Slabs on a GPU: answers first, then what passes and calls reach of the bus's rate, measured in the same run with PyTorch's
# pinned memory; bytes and times of time loops beyond memory.
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

@weft.jit(device="cuda")
def add(a, b, c):
    for i in range(len(c)):
        c[i] = a[i] + b[i]

@weft.jit(device="cuda")
def jacobi(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u

@weft.jit(device="cuda")
def heat(u, v, steps):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                for k in range(1, u.shape[2] - 1):
                    v[i, j, k] = 0.125 * (u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1])
        u, v = v, u

def best(call, repeat=5):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)

def bus():
    import torch
    n = 1 << 28
    a, b = (torch.empty(n, dtype=torch.uint8, pin_memory=True) for _ in range(2))
    x, y = (torch.empty(n, dtype=torch.uint8, device="cuda") for _ in range(2))
    one, two = torch.cuda.Stream(), torch.cuda.Stream()
    def run(*which):
        torch.cuda.synchronize(); start = time.perf_counter()
        for _ in range(4):
            if "in" in which:
                with torch.cuda.stream(one): x.copy_(a, non_blocking=True)
            if "out" in which:
                with torch.cuda.stream(two): b.copy_(y, non_blocking=True)
        torch.cuda.synchronize()
        return 4 * len(which) * n / (time.perf_counter() - start)
    for w in (("in",), ("out",), ("in", "out")): run(*w)
    return run("in"), run("out"), run("in", "out")

rate_in, rate_out, rate_both = bus()
print(f"bus GB/s: in {rate_in/1e9:.1f} out {rate_out/1e9:.1f} both {rate_both/1e9:.1f}")

def bound(i, o):
    return max(i / rate_in, o / rate_out, (i + o) / rate_both)

def report(name, call, part, arrays, inout):
    size = sum(a.nbytes for a in arrays)
    with weft.device("cuda", memory_limit=int(size // part)):
        start = time.perf_counter(); call(); first = time.perf_counter() - start
        start = time.perf_counter(); call(); second = time.perf_counter() - start
        call()
        with weft.profile() as p:
            call()
        seconds = best(call)
    kinds = {}
    for e in p.events: kinds[e.kind] = kinds.get(e.kind, 0) + (e.bytes if "copy" in e.kind or e.kind == "allocate" else 1)
    print(f"{name} limit 1/{part}: {kinds} calls {first*1e3:.1f} {second*1e3:.1f} .. {seconds*1e3:.2f} ms, bus allows {bound(*inout)*1e3:.2f}: {bound(*inout)/seconds:.3f}", flush=True)

n = 1 << 26
rng0 = np.random.default_rng(3)
def plain(*shape): return np.ones(shape, np.float32)
for kind, make in (("plain", plain),):
    x, y, c = make(n), make(n), make(n)
    want = 2.0 * x[:99] + y[:99]
    with weft.device("cuda", memory_limit=x.nbytes // 2): saxpy(2.0, x, y)
    assert np.array_equal(y[:99], want) and np.all(y == want[0]), "saxpy"
    report(f"{kind} saxpy", lambda: saxpy(1.0, x, y), 4, (x, y), (2 * x.nbytes, x.nbytes))
    for part in (1.01, 4):
        report(f"{kind} add", lambda: add(x, y, c), part, (x, y, c), (2 * x.nbytes, x.nbytes))
    assert np.array_equal(c, x + y), "add"
    u, v = make(1 << 13, 1 << 13), make(1 << 13, 1 << 13)
    report(f"{kind} stencil", lambda: stencil(u, v), 4, (u, v), (u.nbytes, v.nbytes))
    whole = best(lambda: add(x, y, c))
    b = bound(2 * x.nbytes, x.nbytes)
    a1, b1, c1 = make(n), make(n), make(n)
    timed = []
    for _ in range(5):
        start = time.perf_counter(); add(a1, b1, c1); timed.append(time.perf_counter() - start)
    print("fresh arrays, calls in turn: " + " ".join(f"{s*1e3:.1f}" for s in timed))
    del a1, b1, c1
    print(f"{kind} add without a limit: {whole*1e3:.2f} ms, {b/whole:.3f} of the bus", flush=True)

a, b, c = (weft.empty(n, np.float32) for _ in range(3))
timed = []
for k in range(5):
    a[...] = float(k); b[...] = 1.0; weft.synchronize()
    start = time.perf_counter(); add(a, b, c); x = np.asarray(c); weft.synchronize(); timed.append(time.perf_counter() - start)
    assert np.all(x == k + 1.0); del x
print("weft.empty, a and b new each time, c read: " + " ".join(f"{s*1e3:.2f}" for s in timed) + f" ms, {bound(2 * 4 * n, 4 * n) / min(timed):.3f} of the bus", flush=True)
timed = []
for k in range(4):
    start = time.perf_counter(); add(a, b, c); weft.synchronize(); timed.append(time.perf_counter() - start)
print("weft.empty, nothing changed: " + " ".join(f"{s*1e3:.2f}" for s in timed) + " ms: stays there")
del a, b, c
big_u, big_v = weft.array(rng0.random((1 << 12, 1 << 12), np.float32)), weft.zeros((1 << 12, 1 << 12), np.float32)
one, two = np.asarray(big_u).copy(), np.asarray(big_v).copy()
jacobi(one, two, 40)
with weft.device("cuda", memory_limit=one.nbytes // 2):
    start = time.perf_counter(); jacobi(big_u, big_v, 40); weft.synchronize(); spent = time.perf_counter() - start
print("weft.array beyond memory equal", np.array_equal(np.asarray(big_u), one), np.array_equal(np.asarray(big_v), two), f"{spent*1e3:.1f} ms")
rng = np.random.default_rng(0)
u = rng.random((1 << 12, 1 << 12), np.float32); v = u.copy()
u1, v1 = u.copy(), v.copy()
steps = 64
jacobi(u1, v1, steps)
size = 2 * u.nbytes
with weft.device("cuda", memory_limit=size // 4):
    with weft.profile() as p: jacobi(u, v, steps)
    print("jacobi equal", np.array_equal(u, u1) and np.array_equal(v, v1))
    moved = sum(e.bytes for e in p.events if "copy" in e.kind)
    print(f"jacobi {steps} steps: {moved/1e9:.2f} GB, limit of the floor {1.2*steps/16*size/1e9:.2f} GB", flush=True)
    print(f"  {best(lambda: jacobi(u, v, steps), 3)*1e3:.1f} ms")
u3, v3 = rng.random((320, 320, 320), np.float32), np.zeros((320, 320, 320), np.float32)
u4, v4 = u3.copy(), v3.copy()
heat(u4, v4, 64)
size = 2 * u3.nbytes
with weft.device("cuda", memory_limit=size // 4):
    with weft.profile() as p: heat(u3, v3, 64)
    print("heat 3d equal", np.array_equal(u3, u4) and np.array_equal(v3, v4))
    moved = sum(e.bytes for e in p.events if "copy" in e.kind)
    print(f"heat 64 steps: {moved/1e9:.2f} GB, floor {1.2*64/16*size/1e9:.2f} GB; {best(lambda: heat(u3, v3, 64), 3)*1e3:.1f} ms, in memory ", end="")
print(f"{best(lambda: heat(u4, v4, 64), 3)*1e3:.1f} ms")
print(f"  in memory {best(lambda: jacobi(u1, v1, steps), 3)*1e3:.1f} ms")
PY
PYTHONPATH=$PYTHONPATH:. timeout 120 python3 $here/slabs.py
