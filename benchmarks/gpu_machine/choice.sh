#!/bin/bash
set +e
export WEFT_CACHE_DIR=$(mktemp -d)
PY=python3
timeout 25 $PY - <<'P'
import time, weft
from weft.runtime import copying, speedometer
for device in ("cpu", "cuda"):
    began = time.monotonic()
    if device != "cpu":
        copying.measure(device)
    speed = speedometer.measure(device)
    print(device, f"{time.monotonic() - began:.1f} s, call {1e6 * speed.call:.2f} us, sequential {1e9 * speed.sequential:.2f} ns")
    print("  memory", *(f"{size:.0f}:{1e6 * s:.2f}us" for size, s in speed.memory))
    print("  arithmetic", *(f"{n:.0f}:{1e6 * s:.2f}us" for n, s in speed.arithmetic))
    print("  costs", {k: round(v, 2) for k, v in speed.costs.items()})
P
timeout 62 $PY -m benchmarks.break_even --devices cuda --budget 55 --powers 8,10,12,14,16,18,20,22,24,26,28 --json ${OUT:-.}/break_even.json --plot ${OUT:-.}/break_even.svg 2>&1 | grep -a -v warning
