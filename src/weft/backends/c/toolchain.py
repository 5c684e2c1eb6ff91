"""The machine's C compiler: finding it, calling it, and telling what went wrong.

What only compiling needs is imported when it is needed: a process with a warm store asks for `identity` alone.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import platform
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from weft.backends.text.refused import keep_files
from weft.dataclass import dataclass
from weft.errors import CompilerError, NoCompilerError

log = logging.getLogger(__name__)

Family = Literal["gcc", "clang"]

FLAGS = (
    "-std=gnu11", "-O3", "-march=native", "-fPIC", "-shared", "-w",
    # IEEE arithmetic in source order. The first three change no value; errno and traps are what nobody looks at.
    "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math",
    # Python integers that were proven to fit may be computed speculatively where they do not; buffers of NumPy may
    # be seen through several types.
    "-fwrapv", "-fno-strict-aliasing",
)  # fmt: skip
"""Flags for every compiler."""

FAMILY_FLAGS: dict[Family, tuple[str, ...]] = {
    # In deep nests gcc 12 guesses that the innermost loops hardly ever run, and makes no vectors of them.
    # Of loops that use more than a hundred addresses, the tiles of products, it takes a third of all time to choose the
    # registers that count; innermost loops come out the same.
    "gcc": (
        "-fno-semantic-interposition",
        "-fno-stack-protector",
        "--param=hot-bb-frequency-fraction=1000000",
        "--param=iv-max-considered-uses=100",
    ),
    "clang": ("-fno-stack-protector",),
}

WIDE_VECTORS = "-mprefer-vector-width=512"
"""For processors that have vectors of 512 bits: measured faster on every benchmark."""


FUSED = re.compile(r"\bvfm(?:addsub|subadd)")
"""Instructions that gcc 12 makes of a difference of products beside a sum, although it is told not to contract."""

WITHOUT_VECTORS = ("-fno-tree-loop-vectorize", "-fno-tree-slp-vectorize")
"""Flags under which it does not."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler: the words that call it, and whose options it takes."""

    command: tuple[str, ...]
    family: Family
    wrapped: bool = False
    """Whether it is the ziglang wheel."""

    def flags(self) -> tuple[str, ...]:
        """The flags for generated code."""
        wide = (WIDE_VECTORS,) if "avx512f" in processor_flags() else ()
        common = tuple(f for f in FLAGS if not (self.wrapped and f == "-fno-semantic-interposition"))
        undefined = ("-fno-sanitize=undefined",) if self.wrapped else ()
        return (*common, *FAMILY_FLAGS[self.family], *wide, *undefined)


@cache
def find() -> Compiler:
    """The compiler to use: what the environment variable CC names, else gcc, clang or cc, else the ziglang wheel.

    Raises
    ------
    NoCompilerError
        There is none of these.
    """
    chosen = os.environ.get("CC")
    if chosen:
        words = tuple(shlex.split(chosen))
        if words and shutil.which(words[0]):
            return Compiler(words, _family(words), "ziglang" in chosen)
    for name in ("gcc", "clang", "cc"):
        if shutil.which(name):
            return Compiler((name,), _family((name,)))
    if importlib.util.find_spec("ziglang") is not None:
        return Compiler((sys.executable, "-m", "ziglang", "cc"), "clang", wrapped=True)
    raise NoCompilerError()


def _family(words: Sequence[str]) -> Family:
    """Whose options a compiler takes, by its name or, for names that do not tell, by what it says of itself."""
    import subprocess

    name = Path(words[0]).name
    if "clang" in name or "zig" in " ".join(words):
        return "clang"
    if "gcc" in name and sys.platform != "darwin":
        return "gcc"
    try:
        said = subprocess.run([*words, "--version"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return "gcc"
    return "clang" if "clang" in said else "gcc"


@cache
def identity() -> str:
    """What compiled code depends on besides its source: the compiler, its flags and the processor."""
    compiler = find()
    program = Path(shutil.which(compiler.command[0]) or compiler.command[0]).resolve()
    about = program.stat() if program.exists() else None
    version = f"{about.st_size}-{about.st_mtime_ns}" if about else ""
    text = repr((compiler, compiler.flags(), str(program), version, platform.machine(), processor()))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def _processor_text() -> str:
    """What Linux says of the first core."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            return file.read(8192).partition("\n\n")[0]
    except OSError:
        return platform.processor()


@cache
def processor() -> str:
    """The model of the processor and what it can do; ``-march=native`` depends on it."""
    lines = _processor_text().splitlines()
    kept = [line for line in lines if re.match(r"(vendor_id|cpu family|model|stepping|flags|Features|CPU )", line)]
    return "\n".join(kept) or _processor_text()


def has_fused_operations() -> bool:
    """Whether the processor multiplies and adds in one step; a function of the C library would take much longer."""
    return platform.machine().lower() in ("aarch64", "arm64") or "fma" in processor_flags()


def vector_registers() -> tuple[int, int]:
    """How many vector registers the processor has, and the bytes of one."""
    flags = processor_flags()
    if "avx512f" in flags:
        return 32, 64
    if "avx" in flags:
        return 16, 32
    return (32, 16) if platform.machine().lower() in ("aarch64", "arm64") else (16, 16)


def register_lanes() -> int:
    """How many numbers of 64 bits code for lanes computes at a time: 4 where AVX2 is all that there is, else 8."""
    flags = processor_flags()
    return 4 if "avx2" in flags and "avx512f" not in flags else 8


@cache
def processor_flags() -> frozenset[str]:
    """The instruction sets of the processor, as Linux names them."""
    match = re.search(r"^(?:flags|Features)\s*:(.*)$", _processor_text(), re.M)
    return frozenset(match[1].split()) if match else frozenset()


def compile_source(source: str, flags: Sequence[str] = ()) -> bytes:
    """Compile C to a shared object.

    Parameters
    ----------
    source
        The text of one file.
    flags
        Further flags, after Weft's own.

    Returns
    -------
    bytes
        The shared object.

    Raises
    ------
    NoCompilerError
        There is no compiler on this machine.
    CompilerError
        The compiler refuses the text. Its log and the text are kept in files.
    """
    import tempfile

    compiler = find()
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        text = Path(folder) / "program.c"
        text.write_text(source, encoding="utf-8")
        code = _compiled(compiler, source, text, flags)
        if any(FUSED.search(made.read_text(errors="replace")) for made in Path(folder).glob("*.s")):
            log.debug("compiling again without vectors: the compiler fused a product and a sum")
            code = _compiled(compiler, source, text, (*flags, *WITHOUT_VECTORS))
        return code


def _compiled(compiler: Compiler, source: str, text: Path, flags: Sequence[str]) -> bytes:
    import subprocess

    target = text.with_suffix(".so")
    keep = ("-save-temps=obj",) if compiler.family == "gcc" else ()
    command = [*compiler.command, *compiler.flags(), *keep, *flags, str(text), "-o", str(target), "-lm"]
    log.debug("compiling: %s", shlex.join(command))
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
    if done.returncode == 0 and target.exists():
        return target.read_bytes()
    raise _refusal(compiler, source, done.stderr.replace(str(text), "program.c"))


def assembly(source: str) -> str:
    """The assembly that the compiler makes of generated C; errors as for `compile_source`."""
    import subprocess

    compiler = find()
    flags = [f for f in compiler.flags() if f != "-shared"]
    command = [*compiler.command, *flags, "-S", "-x", "c", "-", "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", input=source)
    if done.returncode != 0:
        raise _refusal(compiler, source, done.stderr)
    return done.stdout


def _refusal(compiler: Compiler, source: str, complaints: str) -> CompilerError:
    """The error, with the text and the log in files that outlive it, and the Python line of the first complaint."""
    source_path, log_path = keep_files({"program.c": source, "program.log": complaints})
    errors = [line for line in complaints.splitlines() if "error" in line] or complaints.splitlines()
    first = re.search(r":(\d+):(?:\d+:)? (?:fatal )?error", complaints)
    line = python_line(source, int(first[1])) if first else 0
    name = Path(compiler.command[0]).name if not compiler.wrapped else "ziglang"
    return CompilerError(
        f"{name} refused the code that was generated{f' for line {line}' if line else ''}",
        source_path=source_path,
        log_path=log_path,
        log="\n".join(errors),
        hint="please report this with both files",
    )


def python_line(source: str, c_line: int) -> int:
    """The line of the Python source that a line of generated C comes from; 0 where none is known."""
    for text in reversed(source.splitlines()[:c_line]):
        match = re.match(r"\s*/\* line (\d+)", text)
        if match:
            return int(match[1])
    return 0
