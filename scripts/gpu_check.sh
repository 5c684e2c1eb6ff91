#!/usr/bin/env bash
# Runs the acceptance programs and the device tests on this machine's GPU, through CUDA and through OpenCL.
#
# Needs Python 3.10 or newer with NumPy, pytest, hypothesis, cuda-core and cuda-bindings, and gcc. Nothing is fetched:
# other packages come from wheels in .whl/, where there are any. Ends within 9 minutes; the last lines are the totals.
set -u
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
SITE=${SITE:-$PWD/build/gpu-site}
LIMIT=${LIMIT:-240}
JOBS=${JOBS:-$(nproc)}

export PYTHONPATH="$PWD/src:$SITE${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1
if compgen -G ".whl/*.whl" >/dev/null; then
    "$PYTHON" -m pip install -q --no-index --no-deps --no-compile --upgrade --target "$SITE" .whl/*.whl || exit 1
fi

"$PYTHON" setup.py -q build_ext --inplace || exit 1

# Of all OpenCL drivers only NVIDIA's: a list of vendors of our own, which a container often lacks anyway.
if [ -z "${OCL_ICD_VENDORS:-}" ]; then
    library=$(find /usr/local/nvidia /usr/lib /usr/lib64 -name libnvidia-opencl.so.1 2>/dev/null | head -1)
    vendors=$(mktemp -d)
    echo "$library" >"$vendors/nvidia.icd"
    export OCL_ICD_VENDORS="$vendors" OPENCL_VENDOR_PATH="$vendors"
fi

"$PYTHON" -c '
from weft.backends import cuda, opencl
from weft.backends.cuda import devices as cuda_devices
from weft.backends.opencl import devices as opencl_devices
for facts in (*cuda_devices.discover(), *opencl_devices.discover()):
    print(facts)
'

spread=()
"$PYTHON" -c 'import xdist' 2>/dev/null && spread=(-n "$JOBS")
check() { # name, marker, paths...
    local name=$1 marker=$2 log
    shift 2
    log=$(mktemp)
    CI=1 timeout "$LIMIT" "$PYTHON" -m pytest --all "$@" -m "$marker" -q -p no:cacheprovider --tb=short \
        "${spread[@]}" >"$log" 2>&1
    status=$?
    grep -E '^(E  |FAILED|ERROR|____)' "$log" | cut -c1-160 | head -"${LINES_SHOWN:-200}"
    [ $status = 124 ] && tail -c 300 "$log"
    echo "TOTAL $name (status $status): $(tail -1 "$log")"
}

check cuda gpu tests/acceptance/test_programs.py tests/backends
[ "${SKIP_OPENCL:-}" ] || check opencl opencl tests/acceptance/test_programs.py tests/backends
