"""Strings, written in the language that Weft compiles.

A string is a number. Below `EMPTY` it is one character, which the number is the code point of. `EMPTY` has none. From
`FIRST` on, it names a row of the pool: a table says where its characters begin in an array of code points, and how many
there are. The pool holds no string twice: equal strings are equal numbers. What is said of memory are the functions at
the top: `weft.frontend.values.texts` translates them.
"""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: SIM110

from __future__ import annotations

import numpy as np

EMPTY = 0x110000
FIRST = EMPTY + 1
MIX, ALSO = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
SHIFT, END = np.uint64(29), np.uint64(2)
ASCII = 128
NO_INDEX, NO_PART, NO_SEPARATOR = "string index out of range", "substring not found", "empty separator"
LONG = 2**31 - 2
LEAST = 64


class Pool:
    """The class of what holds the characters of strings."""


def number_of(text):
    """The number that a string is."""


def text_of(number):
    """The string that has a number."""


def code(place):
    """The code point at a place of the pool."""


def put(place, code):
    """Write a code point."""


def start_of(number):
    """Where a string of the pool begins."""


def size_of_row(number):
    """How many characters a string of the pool has."""


def count():
    """How many strings the pool holds."""


def used():
    """How many code points of the pool are in use."""


def room():
    """For how many code points there is room."""


def slot_count():
    """The number of slots, a power of two; a slot is the place of a string, or -1."""


def slot_at(slot):
    """What a slot holds."""


def set_slot(slot, place):
    """Let a slot hold the place of a string."""


def spread(slots):
    """Use an array of so many slots, in which all strings of the pool are."""


def enlarge(room):
    """Use an array with room for so many code points."""


def rows():
    """For how many strings there is room."""


def enlarge_rows(rows):
    """Use a table with room for so many strings."""


def hash_at(place):
    """The hash of a string of the pool."""


def keep(size, hashed):
    """Let the code points that were put behind those in use be a new string of the pool. There is room for it."""


def is_string(value):
    """Whether a value is a string."""


def bounds(index):
    """The start, stop and step of a slice."""


def is_slice(index):
    """Whether an index is a slice."""


def in_python(name, text, *arguments):
    """The string that a method of Python's strings gives."""


def is_in_python(name, text):
    """Whether a method of Python's strings says so."""


def float_in_python(text):
    """The number that a string says, by Python; NaN where it says none."""


def says_float(text):
    """Whether a string says a number, by Python."""


def int_in_python(text, base):
    """The int that a string says, by Python; 0 where it says none."""


def says_int(text, base):
    """How a string says an int, by Python: 0 where it says none, 2 where that does not fit into 64 bits."""


def as_index(value):
    """A number as Python's int."""


# -------------------------------------------------------------------------------------------------------- content


def length(text):
    number = number_of(text)
    if number < EMPTY:
        return 1
    if number == EMPTY:
        return 0
    return size_of_row(number - FIRST)


def code_at(text, place):
    """The code point at a place, which is inside."""
    number = number_of(text)
    if number < EMPTY:
        return number
    return code(start_of(number - FIRST) + place)


def add(text, target):
    """Put the characters of a string at a place; gives the place behind them. There is room."""
    number = number_of(text)
    if number < EMPTY:
        put(target, number)
        return target + 1
    size = length(text)
    if size > 0:
        start = start_of(number - FIRST)
        for k in range(size):
            put(target + k, code(start + k))
    return target + size


def reserve(size):
    """Make room for code points behind those in use."""
    wanted = used() + size
    if wanted > room():
        enlarge(max(2 * wanted, LEAST))


def hash_of(start, size):
    found = np.uint64(size)
    for k in range(size):
        found = (found ^ np.uint64(code(start + k))) * MIX
        found = (found ^ (found >> SHIFT)) * ALSO
    return int(found >> END)


def are_same(start, other, size):
    for k in range(size):
        if code(start + k) != code(other + k):
            return False
    return True


def made(size):
    """The string of the characters that were put behind those in use."""
    if size == 0:
        return text_of(EMPTY)
    start = used()
    if size == 1:
        return text_of(code(start))
    if 2 * count() >= slot_count():
        spread(max(4 * slot_count(), LEAST))
    found, last = -1, slot_count() - 1
    hashed = hash_of(start, size)
    slot = hashed & last
    while found < 0 and slot_at(slot) >= 0:
        other = slot_at(slot)
        if hash_at(other) == hashed and size_of_row(other) == size and are_same(start, start_of(other), size):
            found = other
        else:
            slot = (slot + 1) & last
    if found < 0:
        found = count()
        if found >= rows():
            enlarge_rows(2 * found + LEAST)
        set_slot(slot, found)
        keep(size, hashed)
    return text_of(FIRST + found)


def part(text, start, size, step=1):
    """The string of some of the characters of another one."""
    if size <= 0:
        return text_of(EMPTY)
    if size == 1:
        return text_of(code_at(text, start))
    if step == 1 and size == length(text):
        return text
    reserve(size)
    begin, target = start_of(number_of(text) - FIRST), used()
    for k in range(size):
        put(target + k, code(begin + start + k * step))
    return made(size)


def limited(index, size):
    place = index + size if index < 0 else index
    return max(0, min(place, size))


def first(start, size):
    return 0 if start is None else limited(start, size)


def last(stop, size):
    return size if stop is None else limited(stop, size)


def sliced(text, index):
    start, stop, step = bounds(index)
    size = length(text)
    if step is None:
        begin = first(start, size)
        return part(text, begin, last(stop, size) - begin)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    step = max(-LONG, min(step, LONG))
    if step > 0:
        begin, end = first(start, size), last(stop, size)
        return part(text, begin, (end - begin + step - 1) // step, step)
    begin = size - 1 if start is None else behind(start, size)
    end = -1 if stop is None else behind(stop, size)
    return part(text, begin, (begin - end - step - 1) // -step, step)


def behind(index, size):
    """An index of a slice that goes back."""
    place = index + size if index < 0 else index
    return max(-1, min(place, size - 1))


def order(text, other):
    """Below 0, 0 or above 0 as a string comes before, is, or comes behind another one."""
    if number_of(text) == number_of(other):
        return 0
    size, limit = length(text), length(other)
    for k in range(min(size, limit)):
        a, b = code_at(text, k), code_at(other, k)
        if a != b:
            return -1 if a < b else 1
    return size - limit


def is_at(text, sub, place):
    """Whether a string has another one at a place, where there is room for it."""
    for k in range(length(sub)):
        if code_at(text, place + k) != code_at(sub, k):
            return False
    return True


def found_from(text, sub, begin, end):
    size = length(sub)
    if begin <= end - size:
        for k in range(begin, end - size + 1):
            if is_at(text, sub, k):
                return k
    return -1


def found_back(text, sub, begin, end):
    size = length(sub)
    for back in range(end - size - begin + 1):
        k = end - size - back
        if is_at(text, sub, k):
            return k
    return -1


def start_in(text, start):
    """Where a search begins; it may lie behind the end."""
    size = length(text)
    if start is None:
        return 0
    return max(0, start + size) if start < 0 else min(start, size + 1)


def concatenated(text, other):
    size = length(text)
    if size == 0:
        return other
    more = length(other)
    if more == 0:
        return text
    reserve(size + more)
    add(other, add(text, used()))
    return made(size + more)


def repeated(text, times):
    size = length(text)
    if size == 0 or times <= 0:
        return text_of(EMPTY)
    if size > LONG // times:
        raise MemoryError
    reserve(size * times)
    target = used()
    for _ in range(times):
        target = add(text, target)
    return made(size * times)


def is_space(code):
    """Whether ``str.isspace`` holds for a character."""
    if code < 133:
        return 9 <= code <= 13 or 28 <= code <= 32
    if code < 8192:
        return code == 133 or code == 160 or code == 5760
    return code <= 8202 or code == 8232 or code == 8233 or code == 8239 or code == 8287 or code == 12288


def is_ascii(text):
    for k in range(length(text)):
        if code_at(text, k) >= ASCII:
            return False
    return True


def is_stripped(code, chars):
    if chars is None:
        return is_space(code)
    for k in range(length(chars)):
        if code_at(chars, k) == code:
            return True
    return False


def stripped(text, chars, left, right):
    begin, end = 0, length(text)
    while left and begin < end and is_stripped(code_at(text, begin), chars):
        begin += 1
    while right and begin < end and is_stripped(code_at(text, end - 1), chars):
        end -= 1
    return part(text, begin, end - begin)


def turned(text, low, distance):
    """A string of ASCII characters with the 26 letters from `low` on moved."""
    size = length(text)
    if size == 0:
        return text
    reserve(size)
    target = used()
    for k in range(size):
        found = code_at(text, k)
        put(target + k, found + distance if low <= found < low + 26 else found)
    return made(size)


def is_digit(code):
    return 48 <= code <= 57


def is_letter(code):
    return 65 <= code <= 90 or 97 <= code <= 122


def adopted(numbers, codes, table):
    """The numbers of strings that are arguments; theirs are those of rows of a table of their own."""
    found = np.empty(numbers.shape[0], np.int64)
    for k in range(numbers.shape[0]):
        number = int(numbers[k])
        if number < FIRST:
            found[k] = number
        else:
            start, size = int(table[2 * (number - FIRST)]), int(table[2 * (number - FIRST) + 1])
            reserve(size)
            target = used()
            for i in range(size):
                put(target + i, int(codes[start + i]))
            found[k] = number_of(made(size))
    return found


def integer(text, base=10):
    """``int(text)``."""
    size = length(text)
    begin = 1 if size > 1 and code_at(text, 0) == 45 else 0
    plain = base == 10 and begin < size <= 18
    value = 0
    if plain:
        for k in range(begin, size):
            found = code_at(text, k)
            if not is_digit(found):
                plain = False
                break
            value = value * 10 + (found - 48)
    if plain:
        return -value if begin == 1 else value
    kind = says_int(text, base)
    if kind == 0:
        raise ValueError(f"invalid literal for int() with base {base}: {text!r}")
    if kind == 2:
        raise OverflowError("an int in a string does not fit into 64 bits")
    return int_in_python(text, base)


def floating(text):
    """``float(text)``."""
    if not says_float(text):
        raise ValueError(f"could not convert string to float: {text!r}")
    return float_in_python(text)


def digits(number):
    """``str(number)`` of an int."""
    if 0 <= number < 10:
        return text_of(48 + number)
    size, rest = (1 if number < 0 else 0), number
    while rest != 0:
        size += 1
        rest = (rest + (9 if rest < 0 else 0)) // 10
    reserve(size)
    target = used()
    if number < 0:
        put(target, 45)
    rest = number
    for k in range(size - (1 if number < 0 else 0)):
        next = (rest + (9 if rest < 0 else 0)) // 10
        put(target + size - 1 - k, 48 + abs(rest - next * 10))
        rest = next
    return made(size)


def smaller(text, other):
    return other if order(other, text) < 0 else text


def larger(text, other):
    return other if order(other, text) > 0 else text


def ordinal(text):
    """``ord(text)``."""
    if number_of(text) >= EMPTY:
        raise TypeError(f"ord() expected a character, but string of length {length(text)} found")
    return number_of(text)


def character(code):
    """``chr(code)``."""
    if code < 0 or code >= EMPTY:
        raise ValueError("chr() arg not in range(0x110000)")
    return text_of(code)


class Text:
    """The class of strings in compiled code."""

    def __len__(self):
        return length(self)

    def __getitem__(self, index):
        if is_slice(index):
            return sliced(self, index)
        place = as_index(index)
        size = length(self)
        if place < 0:
            place += size
        if place < 0 or place >= size:
            raise IndexError(NO_INDEX)
        return text_of(code_at(self, place))

    def __contains__(self, sub):
        return found_from(self, sub, 0, length(self)) >= 0

    def __lt__(self, other):
        return order(self, other) < 0

    def __le__(self, other):
        return order(self, other) <= 0

    def __gt__(self, other):
        return order(self, other) > 0

    def __ge__(self, other):
        return order(self, other) >= 0

    def find(self, sub, start=None, end=None):
        return found_from(self, sub, start_in(self, start), last(end, length(self)))

    def rfind(self, sub, start=None, end=None):
        return found_back(self, sub, start_in(self, start), last(end, length(self)))

    def index(self, sub, start=None, end=None):
        place = found_from(self, sub, start_in(self, start), last(end, length(self)))
        if place < 0:
            raise ValueError(NO_PART)
        return place

    def rindex(self, sub, start=None, end=None):
        place = found_back(self, sub, start_in(self, start), last(end, length(self)))
        if place < 0:
            raise ValueError(NO_PART)
        return place

    def count(self, sub, start=None, end=None):
        begin, stop, size = start_in(self, start), last(end, length(self)), length(sub)
        if size == 0:
            return max(0, stop - begin + 1)
        found = 0
        while begin <= stop - size:
            if is_at(self, sub, begin):
                found += 1
                begin += size
            else:
                begin += 1
        return found

    def startswith(self, prefix, start=None, end=None):
        if not is_string(prefix):
            for one in prefix:
                if self.startswith(one, start, end):
                    return True
            return False
        begin = start_in(self, start)
        if begin > last(end, length(self)) - length(prefix):
            return False
        return is_at(self, prefix, begin)

    def endswith(self, suffix, start=None, end=None):
        if not is_string(suffix):
            for one in suffix:
                if self.endswith(one, start, end):
                    return True
            return False
        place = last(end, length(self)) - length(suffix)
        if start_in(self, start) > place:
            return False
        return is_at(self, suffix, place)

    def strip(self, chars=None):
        return stripped(self, chars, True, True)

    def lstrip(self, chars=None):
        return stripped(self, chars, True, False)

    def rstrip(self, chars=None):
        return stripped(self, chars, False, True)

    def split(self, sep=None, maxsplit=-1):
        parts = [""]
        parts.pop()
        size = length(self)
        begin = 0
        if sep is None:
            while begin < size and is_space(code_at(self, begin)):
                begin += 1
            while begin < size:
                end = begin
                while end < size and not is_space(code_at(self, end)):
                    end += 1
                if maxsplit >= 0 and len(parts) >= maxsplit:
                    parts.append(part(self, begin, size - begin))
                    return parts
                parts.append(part(self, begin, end - begin))
                begin = end
                while begin < size and is_space(code_at(self, begin)):
                    begin += 1
            return parts
        if length(sep) == 0:
            raise ValueError(NO_SEPARATOR)
        place = found_from(self, sep, 0, size)
        while place >= 0 and (maxsplit < 0 or len(parts) < maxsplit):
            parts.append(part(self, begin, place - begin))
            begin = place + length(sep)
            place = found_from(self, sep, begin, size)
        parts.append(part(self, begin, size - begin))
        return parts

    def partition(self, sep):
        if length(sep) == 0:
            raise ValueError(NO_SEPARATOR)
        size, place = length(self), found_from(self, sep, 0, length(self))
        if place < 0:
            return self, "", ""
        end = place + length(sep)
        return part(self, 0, place), sep, part(self, end, size - end)

    def rpartition(self, sep):
        if length(sep) == 0:
            raise ValueError(NO_SEPARATOR)
        size, place = length(self), found_back(self, sep, 0, length(self))
        if place < 0:
            return "", "", self
        end = place + length(sep)
        return part(self, 0, place), sep, part(self, end, size - end)

    def splitlines(self, keepends=False):
        parts = [""]
        parts.pop()
        size, begin, k = length(self), 0, 0
        while k < size:
            found = code_at(self, k)
            k += 1
            if 10 <= found <= 13 or 28 <= found <= 30 or found == 133 or found == 8232 or found == 8233:
                end = k - 1
                if found == 13 and k < size and code_at(self, k) == 10:
                    k += 1
                parts.append(part(self, begin, (k if keepends else end) - begin))
                begin = k
        if begin < size:
            parts.append(part(self, begin, size - begin))
        return parts

    def join(self, items):
        parts = [""]
        parts.pop()
        for item in items:
            parts.append(item)
        total = length(self) * max(0, len(parts) - 1)
        for one in parts:
            total += length(one)
        if len(parts) == 1:
            return parts[0]
        reserve(total)
        target = used()
        for k in range(len(parts)):
            if k > 0:
                target = add(self, target)
            target = add(parts[k], target)
        return made(total)

    def replace(self, old, new, count=-1):
        size, gap = length(self), length(old)
        times = self.count(old) if count < 0 else min(count, self.count(old))
        if times == 0:
            return self
        total = size + times * (length(new) - gap)
        reserve(total)
        target, place, left = used(), 0, times
        while place < size:
            if left > 0 and (gap == 0 or (place <= size - gap and is_at(self, old, place))):
                target = add(new, target)
                left -= 1
                place += gap
                if gap == 0:
                    put(target, code_at(self, place))
                    target += 1
                    place += 1
            else:
                put(target, code_at(self, place))
                target += 1
                place += 1
        if left > 0:
            add(new, target)
        return made(total)

    def removeprefix(self, prefix):
        size = length(prefix)
        return part(self, size, length(self) - size) if self.startswith(prefix) else self

    def removesuffix(self, suffix):
        size = length(suffix)
        return part(self, 0, length(self) - size) if self.endswith(suffix) else self

    def upper(self):
        return turned(self, 97, -32) if is_ascii(self) else in_python("upper", self)

    def lower(self):
        return turned(self, 65, 32) if is_ascii(self) else in_python("lower", self)

    def title(self):
        return in_python("title", self)

    def capitalize(self):
        return in_python("capitalize", self)

    def swapcase(self):
        return in_python("swapcase", self)

    def casefold(self):
        return turned(self, 65, 32) if is_ascii(self) else in_python("casefold", self)

    def zfill(self, width):
        return in_python("zfill", self, as_index(width))

    def ljust(self, width, fillchar=" "):
        return in_python("ljust", self, as_index(width), one_character(fillchar))

    def rjust(self, width, fillchar=" "):
        return in_python("rjust", self, as_index(width), one_character(fillchar))

    def center(self, width, fillchar=" "):
        return in_python("center", self, as_index(width), one_character(fillchar))

    def isdigit(self):
        if not is_ascii(self):
            return is_in_python("isdigit", self)
        for k in range(length(self)):
            if not is_digit(code_at(self, k)):
                return False
        return length(self) > 0

    def isdecimal(self):
        return self.isdigit() if is_ascii(self) else is_in_python("isdecimal", self)

    def isnumeric(self):
        return self.isdigit() if is_ascii(self) else is_in_python("isnumeric", self)

    def isalpha(self):
        if not is_ascii(self):
            return is_in_python("isalpha", self)
        for k in range(length(self)):
            if not is_letter(code_at(self, k)):
                return False
        return length(self) > 0

    def isalnum(self):
        if not is_ascii(self):
            return is_in_python("isalnum", self)
        for k in range(length(self)):
            if not (is_digit(code_at(self, k)) or is_letter(code_at(self, k))):
                return False
        return length(self) > 0

    def isspace(self):
        for k in range(length(self)):
            if not is_space(code_at(self, k)):
                return False
        return length(self) > 0

    def isupper(self):
        return is_in_python("isupper", self)

    def islower(self):
        return is_in_python("islower", self)

    def istitle(self):
        return is_in_python("istitle", self)

    def isidentifier(self):
        return is_in_python("isidentifier", self)

    def isprintable(self):
        return is_in_python("isprintable", self)

    def isascii(self):
        return is_ascii(self)


def one_character(text):
    if number_of(text) >= EMPTY:
        raise TypeError("The fill character must be exactly one character long")
    return text


Text.__name__ = "str"
