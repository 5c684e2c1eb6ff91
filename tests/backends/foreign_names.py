"""Names that generated text has besides the user's: of languages, headers, compilers and Weft's own text."""

from __future__ import annotations

import functools
import keyword
import re
import subprocess
from pathlib import Path

import weft
from weft.backends.c import toolchain

KEYWORDS = """
alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false float
for goto if inline int long nullptr register restrict return short signed sizeof static static_assert struct switch
thread_local true typedef typeof typeof_unqual union unsigned void volatile while _Alignas _Alignof _Atomic _BitInt
_Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic _Imaginary _Noreturn _Static_assert _Thread_local and and_eq
atomic_cancel atomic_commit atomic_noexcept bitand bitor catch char16_t char32_t char8_t class co_await co_return
co_yield compl concept const_cast consteval constinit decltype delete dynamic_cast explicit export friend mutable
namespace new noexcept not not_eq operator or or_eq private protected public reflexpr reinterpret_cast requires
static_cast synchronized template this throw try typeid typename using virtual wchar_t xor xor_eq import module uchar
ushort uint ulong half quad kernel global local constant private generic pipe read_only write_only read_write
image1d_t image1d_array_t image1d_buffer_t image2d_t image2d_array_t image3d_t sampler_t event_t queue_t ndrange_t
clk_event_t reserve_id_t size_t ptrdiff_t intptr_t uintptr_t complex imaginary __kernel __global __local __constant
__private __generic __attribute__ __typeof__ __asm__ __inline __volatile__ __func__ __FILE__ __LINE__ __extension__
blockIdx blockDim threadIdx gridDim warpSize __global__ __device__ __shared__ __host__ __restrict__ __launch_bounds__
dim3 float4 double2 uchar4 longlong2 ulonglong2 atomicAdd __syncthreads cudaStream_t assert errno
""".split()
"""Words of C23, C++23, OpenCL C 3.0 and CUDA C++, and some of GNU."""


def support_texts() -> list[str]:
    """The text of Weft that is written in C, C++ and OpenCL C, without comments."""
    folder = Path(weft.__file__).parent
    files = [f for end in ("h", "cuh", "cl") for f in sorted(folder.rglob(f"*.{end}")) if not f.name.startswith("_")]
    return [re.sub(r"/\*.*?\*/|//.*", "", f.read_text(encoding="utf-8"), flags=re.S) for f in files]


@functools.cache
def macros() -> frozenset[str]:
    """What the preprocessor knows in a generated file, as the compiler says it."""
    text = _preprocessed("-dM")
    return frozenset(re.findall(r"#define (\w+)", text))


@functools.cache
def of_headers() -> frozenset[str]:
    """All identifiers in the headers that a generated file includes."""
    return frozenset(re.findall(r"[A-Za-z_]\w*", _preprocessed()))


def _preprocessed(*flags: str) -> str:
    header = Path(weft.__file__).parent / "runtime" / "native" / "support" / "mirror.h"
    command = [*toolchain.find().command, *toolchain.find().flags(), "-E", *flags, "-x", "c", str(header), "-o", "-"]
    return subprocess.run([c for c in command if c != "-shared"], capture_output=True, text=True, check=True).stdout


@functools.cache
def everything() -> tuple[str, ...]:
    """All these names, as far as Python takes them."""
    found = {*KEYWORDS, *macros(), *of_headers()}
    for text in support_texts():
        found.update(re.findall(r"[A-Za-z_]\w*", text))
    return tuple(sorted(n for n in found if n.isidentifier() and not keyword.iskeyword(n)))
