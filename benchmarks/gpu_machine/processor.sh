#!/bin/bash
# Speed floors of the processor, for 16 idle cores, about 95 s: programs that were short of 0.95 of parallel C, at sizes whose calls
# take about 1 ms and more, minimum over alternating calls; then how evenly threads are loaded, and what waking them costs.
# Run in the root of the repository with PYTHONPATH and the stub set up. Prints one line for each program and size.
set -u
here=$(mktemp -d)
export WEFT_CACHE_DIR=$here/weft XDG_CACHE_HOME=$here/cache OMP_WAIT_POLICY=PASSIVE OPENBLAS_NUM_THREADS=1
PY=${PYTHON:-python3}
cat > "$here/measure.py" <<'PYTHON'
import sys, time
sys.path[:0] = ["."]
import numpy as np
from benchmarks.implementations import HandWrittenC, Weft
from benchmarks.native import available
from benchmarks.programs import PROGRAMS
from benchmarks.steady import Candidate, compare

DEADLINE = time.perf_counter() + float(sys.argv[1])
PLAN = {
    "triangular": (20, 22, 24), "gather": (20, 22, 24), "sparse_product": (20, 22, 24), "prefix_sum": (20, 22, 24),
    "histogram": (20, 22, 24), "nbody": (22, 24), "black_scholes": (20, 22, 24), "mandelbrot": (20, 22, 24),
    "row_sums": (22, 24), "vector_add": (16, 18, 20, 24), "stencil": (18, 24), "raytracer": (22,), "fft": (20,),
    "odd_even_sort": (12,), "emboss": (24,),
}  # fmt: skip
jobs = [(name, 1 << power) for name, powers in PLAN.items() for power in powers if name in PROGRAMS]
for number, (name, size) in enumerate(jobs):
    left = DEADLINE - time.perf_counter()
    if left < 1:
        print("out of time before", name, size)
        break
    share = left / (len(jobs) - number)
    begun = time.perf_counter()
    program = PROGRAMS[name]
    calls, answers = {}, []
    for one in [Weft(), *(HandWrittenC(c) for c in available())]:
        arguments = program.inputs(size)
        call = one.prepare(program, arguments)
        if call is None:
            continue
        call()
        answers.append(Candidate(one, 0.0, [arguments[k].copy() for k in program.results]))
        calls[one.name] = call
    wrong = [(c.implementation.name, why[:80]) for c, why in compare(program, max(size, 2048), answers) if why]
    times = {key: [] for key in calls}
    while time.perf_counter() - begun < share or len(times["weft"]) < 5:
        for key, call in calls.items():
            call()  # wakes the threads
            start = time.perf_counter()
            call()
            times[key].append(time.perf_counter() - start)
    low = {key: min(values) for key, values in times.items()}
    mid = {key: float(np.median(values)) for key, values in times.items()}
    rest = [key for key in low if key != "weft"]
    best, middle = min(low[k] for k in rest), min(mid[k] for k in rest)
    print(f"{name:15s} 2^{size.bit_length() - 1:<3d} C/W min {best / low['weft']:5.2f} median {middle / mid['weft']:5.2f}"
          f"  weft {low['weft'] * 1e6:9.1f} us  C {best * 1e6:9.1f} us  n {len(times['weft'])} {wrong or ''}", flush=True)
PYTHON
timeout 95 "$PY" "$here/measure.py" "${SECONDS_OF_WORK:-85}" 2>&1 | tail -60
rm -rf "$here"
