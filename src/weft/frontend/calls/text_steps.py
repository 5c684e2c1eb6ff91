"""What compiled code leaves to Python where it works on strings: formatting, and tables of all of Unicode.

A step is given the pool of strings: code points, and a table of where each string begins and how long it is. A string
that a step makes is kept here until `take` writes it into the pool.
"""

from __future__ import annotations

import builtins
import importlib
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from weft.errors import arguments_of
from weft.frontend.calls.library_texts import ALSO, EMPTY, END, FIRST, MIX, SHIFT
from weft.frontend.calls.printing import formatted

Codes = Any
_local = threading.local()
ENTRIES, HASH = 3, 2
"""What the table has for each string: where it begins, its length, and its hash."""

TEXT = "t"
"""How an operand is marked that is a string; others are as they are."""


def decoded(number: int, codes: Codes, table: Codes) -> str:
    """The string that a number of compiled code is."""
    if number < EMPTY:
        return chr(number)
    if number == EMPTY:
        return ""
    start, size = table[ENTRIES * (number - FIRST) :][:2].tolist()
    found: str = codes[start : start + size].astype("<i4").tobytes().decode("utf-32-le", "surrogatepass")
    return found


def encoded(text: str) -> Codes:
    """The code points of a string."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4")


def columns_of(texts: Sequence[str]) -> list[Codes]:
    """Strings as compiled code is given them: numbers, code points, and where each string begins and how long it is.

    Numbers from `FIRST` on are those of rows of this table.
    """
    long = [*dict.fromkeys(text for text in texts if len(text) > 1)]
    rows = {text: FIRST + k for k, text in enumerate(long)}
    numbers = [rows[text] if len(text) > 1 else ord(text) if text else EMPTY for text in texts]
    sizes = np.array([len(text) for text in long], np.int64)
    table = np.stack([np.cumsum(sizes) - sizes, sizes], axis=1).ravel()
    return [np.array(numbers, np.int64), encoded("".join(long)).astype(np.int32), table]


def _given(kinds: str, codes: Codes, table: Codes, operands: Sequence[Any]) -> list[Any]:
    pairs = zip(kinds, operands, strict=True)
    return [decoded(int(value), codes, table) if kind == TEXT else value for kind, value in pairs]


def begin(texts: tuple[str, ...], codes: Codes, table: Codes) -> None:
    """Fill a pool with the strings that are written in a program."""
    start = 0
    for k, text in enumerate(texts):
        table[ENTRIES * k : ENTRIES * (k + 1)] = start, len(text), _hash_of(text)
        codes[start : start + len(text)] = encoded(text)
        start += len(text)


def _hash_of(text: str) -> int:
    """As `library_texts.hash_of`."""
    mask, found = 2**64 - 1, len(text)
    for code in map(ord, text):
        found = (found ^ code) * int(MIX) & mask
        found = (found ^ (found >> int(SHIFT))) * int(ALSO) & mask
    return found >> int(END)


def spread(count: int, table: Codes, slots: Codes) -> None:
    """Give every string of the pool a slot: the first free one from that of its hash on."""
    slots[:] = -1
    last = len(slots) - 1
    found = slots.tolist()
    for place, hashed in enumerate(table[HASH : ENTRIES * count : ENTRIES].tolist()):
        slot = hashed & last
        while found[slot] >= 0:
            slot = (slot + 1) & last
        found[slot] = place
    slots[:] = found


def copy(source: Codes, target: Codes) -> None:
    """Begin an array as a shorter one."""
    target[: len(source)] = source


def compose(template: str, kinds: str, codes: Codes, table: Codes, *operands: object) -> int:
    """Format operands by a template; gives the number of characters."""
    return _kept(formatted(template, _given(kinds, codes, table, operands)))


def apply(name: str, kinds: str, codes: Codes, table: Codes, *operands: object) -> int:
    """Call a method of strings that gives one; gives the number of characters."""
    owner, *arguments = _given(kinds, codes, table, operands)
    return _kept(getattr(owner, name)(*arguments))


def _kept(text: str) -> int:
    _local.codes = encoded(text)
    return len(text)


def take(start: int, codes: Codes) -> None:
    """Write what was made last into the pool."""
    codes[start : start + len(_local.codes)] = _local.codes


def ask(name: str, codes: Codes, table: Codes, number: int) -> bool:
    """Call a method of strings that gives a bool."""
    found: bool = getattr(decoded(int(number), codes, table), name)()
    return found


def parse_int(codes: Codes, table: Codes, number: int, base: int) -> int:
    """The int that a string says; 0 where it says none."""
    return int(decoded(int(number), codes, table), base)


def check_int(codes: Codes, table: Codes, number: int, base: int) -> int:
    """0 where a string says no int, 2 where it says one beyond 64 bits, else 1."""
    try:
        found = int(decoded(int(number), codes, table), base)
    except ValueError:
        return 0
    return 1 if -(2**63) <= found < 2**63 else 2


def parse_float(codes: Codes, table: Codes, number: int) -> float:
    """The float that a string says."""
    return float(decoded(int(number), codes, table))


def check_float(codes: Codes, table: Codes, number: int) -> bool:
    """Whether a string says a float."""
    try:
        float(decoded(int(number), codes, table))
    except ValueError:
        return False
    return True


def show(template: str, is_flushed: bool, kinds: str, codes: Codes, table: Codes, *operands: object) -> None:
    """Print operands as a template says."""
    sys.stdout.write(formatted(template, _given(kinds, codes, table, operands)))
    if is_flushed:
        sys.stdout.flush()


def throw(exception: str, template: str, kinds: str, codes: Codes, table: Codes, *operands: object) -> None:
    """Raise an exception whose text holds strings."""
    given = _given(kinds, codes, table, operands)
    module, _, name = exception.rpartition(":")
    found: Any = importlib.import_module(module) if module else builtins
    for part in name.split("."):
        found = getattr(found, part)
    raise found(*arguments_of(template, given, lambda template, *operands: formatted(template, operands)))
