"""Names that no variable of a program may have in generated text: those of the languages and of Weft's own text.

A name of the user's is written as it is only where its form tells that it is nobody else's; other names get the
prefix ``v_``, which nothing else in generated text has: no header, no macro, no word of a language, no helper function.
So that readers find their own names again, forms are as wide as that allows:

* Small letters, digits and underscores, with at most one capital letter, which stands first and alone: ``a``, ``A``,
  ``row_sum``. Macros of headers have capitals.
* Not ``..._t``, as types are called; nothing that starts with an underscore, ``weft_`` or the prefix of an extension.
* No name of a type as a part, as in ``max_int64`` or ``float64x8``: helper functions are called so.
* None of the numbered names that printers write, such as ``parts_0``; no word of `WORDS`: these get a number.
"""

from __future__ import annotations

import re

PREFIX = "v_"
OWN = ("function_", "enter_")
"""How names of functions start that Weft makes of the user's."""

_FORM = re.compile(r"(?:[A-Z](?![a-z])|[a-z])[a-z0-9_]*")
_FOREIGN = re.compile(
    r".*_t"
    r"|(?:weft|cl|cles|cu|cuda|nv|nvvm|pocl|async|atomic|convert|as|make|tex|surf)_.*"
    r"|(?:.*_)?(?:(?:u?int|float|complex)\d+|boolx\d+)(?:x\d+)?(?:_.*)?"
    r"|.*_bool"
    r"|(?:parts|started|result|carried)_\d+"
    r"|(?:u?(?:char|short|int|long|longlong)|float|double|half|vload|vstore|dim)\d+"
)


def is_free(name: str) -> bool:
    """Whether the form of a name tells that nothing else in generated text can have it, but for `WORDS`."""
    if name.startswith(OWN):
        return True
    return _FORM.fullmatch(name) is not None and _FOREIGN.fullmatch(name) is None


_C = """
alignas alignof asm auto bool break case char const constexpr continue default do double else enum extern false
fortran float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert
struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while complex imaginary
noreturn main
"""
_MACROS = "unix linux i386 arm mips sparc sun vax errno stdin stdout stderr signgam environ assert offsetof"
"""Of small letters; of compilers for the systems that they are made for, and of the standard library."""

_CPP = """
and and_eq bitand bitor catch char8_t class co_await co_return co_yield compl concept const_cast consteval constinit
decltype delete dynamic_cast explicit export final friend import module mutable namespace new noexcept not not_eq
operator or or_eq override reflexpr private protected public reinterpret_cast requires static_cast std synchronized
template this throw try typeid typename using virtual xor xor_eq cuda
"""
_OPENCL = """
half kernel global local constant generic pipe quad read_only write_only read_write uchar ushort uint ulong event
queue sampler uniform
"""
_FUNCTIONS = """
abs barrier ceil cos exp fabs floor gamma index j0 j1 jn log max min pow signal sin sqrt tan time y0 y1 yn
"""
_PRINTED = """
aligned arguments bad begin context done end ended endif fault found from_end get_group_id get_local_id given held
iteration journal lane memory mirror next other owned part parts pieces pragma raised rarely_from_end results runtime
saved status stop turn unroll
"""
"""What printers write in functions of the user's, besides names that are made there; and names of helper functions."""

WORDS = frozenset(f"{_C} {_MACROS} {_CPP} {_OPENCL} {_FUNCTIONS} {_PRINTED}".split())
"""Words that no variable may be called."""
