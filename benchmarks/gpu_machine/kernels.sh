#!/bin/bash
here=$(mktemp -d)
# Occupancy against the driver, shared arrays and dealt loops on the GPU, access classes against the hardware's counters.
timeout 60 python3 -m pytest -q -m gpu tests/backends/test_cuda_occupancy.py tests/backends/test_shared_arrays.py 2>&1 | tail -8
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
cat > $here/access_ncu.py <<'P'
import sys, numpy as np, weft
from benchmarks import gpu_kernels as k
n = 2048
a, b, c = (np.random.default_rng(s).random((n, n), dtype=np.float32) for s in range(3))
v = np.zeros(n, np.float32)
for name, args in (("jacobi", (a, b)), ("product", (a, b, c)), ("transposed", (a, b)), ("row_sums", (a, v)), ("column_sums", (a, v))):
    f = weft.jit(getattr(k, name), device="cuda")
    if sys.argv[1:] == ["predict"]:
        for kernel in weft.explain(f, *args).kernels:
            load = [x for x in kernel.accesses if x.mode == "load"]; store = [x for x in kernel.accesses if x.mode == "store"]
            print(kernel.name, "load sectors", round(sum(x.l1 for x in load) / 32), "requests", round(sum(x.requests for x in load)),
                  "store sectors", round(sum(x.l1 for x in store) / 32), "L2 sectors read", round(sum(x.l2 for x in load) / 32),
                  "DRAM bytes", round(sum(x.dram for x in kernel.accesses)), kernel)
    else:
        f(*args)
P
PYTHONPATH=$PYTHONPATH:. timeout 60 python3 $here/access_ncu.py predict 2>&1 | tail -12
if command -v ncu >/dev/null; then
  PYTHONPATH=$PYTHONPATH:. timeout 120 ncu --csv --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,lts__t_sectors_srcunit_tex_op_read.sum,dram__bytes.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum,sm__warps_active.avg.pct_of_peak_sustained_active python3 $here/access_ncu.py 2>&1 | grep -E '"(l1tex|lts|dram|sm__)' | cut -d, -f5,13- | tail -60
else echo "no ncu"; fi
