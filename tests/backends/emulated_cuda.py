"""CUDA kernels on a processor: the very text that the GPU's compiler is given, as C++, with a thread after the other.

Kernels are compiled by NVRTC as ever, which says what they need, and by g++ with a header that has CUDA's words. The
threads of a block are coroutines that take turns at barriers and shuffles. Every access is tested for its alignment,
which an NVIDIA GPU demands. What needs instructions of a newer GPU takes the way that is meant for older ones.

``python -m tests.backends.emulated_cuda [part of a name [form ...]]`` checks the rows of the GPU benchmarks.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

HEADER = Path(__file__).with_suffix(".h")
KERNEL = re.compile(r'extern "C" __global__ (?:__launch_bounds__\([^)]*\) )?void (\w+)\(([^{]*)\) \{')
DYNAMIC = re.compile(r"extern __shared__ (?:__align__\(\d+\) )?(\w+) (\w+)\[\];")
INDICES = HEADER.with_name("tested_indices.h")
MOST_INDEX = 0
"""If not 0, indices of 32 bits may not be further from zero, and every one is tested."""
SHARED_BYTES = 232448
FORMS = ("", "odd", "unaligned", "strided", "float64")
INSTRUCTIONS = {
    'asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(a));': "value = bits_<uint16_t, _Float16>(a);",
    'asm("cvt.rn.f16.f32 %0, %1;" : "=h"(value) : "f"(a));': "value = bits_<_Float16, uint16_t>((_Float16)a);",
    'asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));': "inverse = 1.0f / sqrtf(x);",
    'asm("cvt.rn.f16.f64 %0, %1;" : "=h"(value) : "d"(a));': "value = bits_<_Float16, uint16_t>((_Float16)a);",
    """asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(below[0]), "+d"(below[1])
        : "d"(a[0]), "d"(a[1]), "d"(b[0]));""": "multiplied_pieces(sums, below, a, b, 1);",
    """asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+d"(sums[0]), "+d"(sums[1]), "+d"(below[0]), "+d"(below[1])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]),
          "d"(b[0]), "d"(b[1]));""": "multiplied_pieces(sums, below, a, b, 2);",
}
"""Instructions that C++ has no word for, and what stands in their place."""
FLAGS = ("-shared", "-fPIC", "-O1", "-w", "-fno-strict-aliasing", "-ffp-contract=off")
ALIGNMENT = ("-fsanitize=alignment", "-fno-sanitize-recover=alignment", "-static-libubsan")


def host_text(source: str) -> str:
    """Kernels as C++ for the processor, each with a function that runs a grid of it."""
    source = DYNAMIC.sub(rf"static __align__(16) \1 \2[{SHARED_BYTES} / sizeof(\1)];", source)
    source = re.sub(r"(?m)^typedef [\w ]+ u?int\d+_t;$", "", source)
    if MOST_INDEX:
        source = source.replace("typedef int32_t index_t;", f'#define MOST_INDEX {MOST_INDEX}\n#include "{INDICES}"')
        source = re.sub(r"\bindex_t (\w+) = ([^;]*);", r"index_t \1(\2);", source)
    for instruction, words in INSTRUCTIONS.items():
        source = source.replace(instruction, words)
    made = [f'#include "{HEADER}"', source]
    for name, parameters in KERNEL.findall(source):
        types = [re.sub(r"\b\w+$", "", p.replace("__restrict__", "").strip()).strip() for p in parameters.split(",")]
        given = ", ".join(f"*({type} *)given[{k}]" for k, type in enumerate(types))
        made += [
            f"static void {name}_body(void **given) {{ {name}({given}); }}",
            f'extern "C" int {name}_run(void **given, const unsigned *how) {{',
            f"    return given ? run_grid({name}_body, given, how) : {len(types)};",
            "}",
        ]
    return "\n".join(made)


@functools.cache
def library(source: str) -> ctypes.CDLL:
    """The kernels of a text, ready to run."""
    folder = Path(tempfile.mkdtemp(prefix="weft-emulated-"))
    text, made = folder / "kernels.cpp", folder / "kernels.so"
    text.write_text(host_text(source))
    subprocess.run(["g++", *FLAGS, *ALIGNMENT, "-o", str(made), str(text)], check=True)
    return ctypes.CDLL(str(made))


def install() -> None:
    """Let Weft take the processor for a GPU, in this process, with a store of its own."""
    os.environ["WEFT_CACHE_DIR"] = store = tempfile.mkdtemp(prefix="weft-store-")
    from tests.runtime import fake_cuda
    from weft.backends.cuda import compiler
    from weft.backends.cuda.dialect import CudaDialect

    def place_of(binary: bytes) -> Path:
        return Path(store) / f"{hashlib.sha256(bytes(binary)).hexdigest()}.cu"

    class Device(fake_cuda.OpenDevice):
        def load(self, binary, names):
            kernels = library(place_of(binary).read_text())
            return tuple(ctypes.cast(getattr(kernels, f"{name}_run"), ctypes.c_void_p).value for name in names)

    CudaDialect.window_test = CudaDialect.window_test[0], "#if 1"
    compile_source = compiler.compile_source

    def compiled(source, architecture, fastmath=False):
        made = compile_source(source, architecture, fastmath)
        place_of(made.code).write_text(source)
        return made

    compiler.compile_source, fake_cuda.OpenDevice = compiled, Device
    fake_cuda.install(str(fake_cuda._library())).library.fake_arguments(-1)


def test_indices(most):
    """Let kernels with narrow indices run where these are at most `most`, and abort where one is not."""
    global MOST_INDEX
    from weft.analysis.values import widths
    from weft.backends.host import driver

    widths.LARGEST = driver.LARGEST = MOST_INDEX = most
    widths.LIMITS = most, most


def laid(host, offset, apart):
    """A view of a coherent array with the elements of another: bytes behind its start, rows or elements apart."""
    import weft

    skipped = -(-offset // host.itemsize)
    if host.ndim == 1:
        step = 1 + apart
        shape, cut = (skipped + len(host) * step,), (slice(skipped, skipped + len(host) * step, step),)
    else:
        shape = (*host.shape[:-1], host.shape[-1] + apart + skipped)
        cut = (..., slice(skipped, skipped + host.shape[-1]))
    base = np.zeros(shape, host.dtype)
    base[cut] = host
    return weft.array(base)[cut]


def check(case, offset):
    """Compare a row of the GPU benchmarks at its small size with NumPy."""
    import weft
    from benchmarks.gpu_kernels import small_arrays

    function = weft.jit(case.function, device="cuda", fastmath=case.fastmath, libraries=False)
    host = small_arrays(case)
    arrays = [laid(array, offset, case.apart) for array in host]
    result = function(*arrays)
    position, expected = case.answer(*(array.copy() for array in host))
    got = result if position is None else np.asarray(arrays[position])
    tolerance = 1e-4 if case.dtype == "float32" else 1e-10
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * 10)


def ended(work, seconds=300):
    """Do something in a process of its own; whether that ended well. A fault of one row is none of the next."""
    process = os.fork()
    if process == 0:
        signal.alarm(seconds)
        try:
            work()
        except BaseException as error:
            print(f"{type(error).__name__}: {str(error).strip()[:500]}", file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitpid(process, 0)[1] == 0


def main(name="", forms=FORMS):
    """Check rows, at aligned addresses and 8 bytes behind; the names of those that failed."""
    install()
    warnings.simplefilter("ignore")
    from benchmarks.gpu_cases import CASES

    failed = []
    for row in CASES:
        for case in (row.in_form(form) if form else row for form in forms) if name in row.name else ():
            if case is None:
                continue
            for offset in (0,) if case.arrays else (case.offset, case.offset + 8):
                good = ended(lambda case=case, offset=offset: check(case, offset))
                print(f"{case.name}, {offset}: {'right' if good else 'WRONG'}", flush=True)
                failed += [] if good else [case.name]
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1] if sys.argv[1:] else "", sys.argv[2:] or FORMS)))
