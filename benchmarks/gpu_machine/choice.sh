#!/bin/bash
# device="auto" against each device, all sizes; the processor and the GPU are measured first, with a store of their own.
set +e
export WEFT_CACHE_DIR=$(mktemp -d)
PY=${PYTHON:-python3}
timeout 60 $PY - <<'P'
import time, weft
from weft.runtime.devices import calibration, copying
for device in ("cpu", "cuda"):
    began = time.monotonic()
    if device != "cpu":
        copying.measure(device)
    speed = calibration.measure(device)
    print(device, f"{time.monotonic() - began:.1f} s, call {1e6 * speed.call:.2f} us, sequential {1e9 * speed.sequential:.2f} ns")
    for name in ("memory", "arithmetic", "chained"):
        print(f"  {name}", *(f"{size:.0f}:{1e6 * s:.2f}us" for size, s in getattr(speed, name)))
    print("  costs", {k: round(v, 2) for k, v in speed.costs.items()})
P
timeout 200 $PY -m benchmarks.break_even --devices cuda --budget 150 --json ${OUT:-.}/break_even.json --plot ${OUT:-.}/break_even.svg 2>&1 | grep -a -v warning
