"""C functions of users: their text is read far enough to print it in C, CUDA C++ and OpenCL C with one meaning.

Every name that a user chose gets a prefix that nothing else in generated text has. Names of types are written as those
of fixed sizes, functions of C's library as the helper functions of the dialect, its constants as their values. What
the three languages mean differently, and what could make a function impure, is refused. The rest is C's business: its
compiler has the last word.
"""

from __future__ import annotations

import hashlib
import keyword
import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NoReturn

from weft.dataclass import dataclass
from weft.errors import ArgumentError
from weft.ir.types import SCALARS, Scalar

PREFIX = "weft_c_"
"""How the names of the user start, which end in ``_``: neither a helper nor a variable of a program is called so."""

_TOKENS = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>\"(?:\\.|[^\"\\\n])*\")|(?P<character>'(?:\\.|[^'\\\n])*')"
    r"|(?P<number>(?:0[xX][\da-fA-F.]+(?:[pP][-+]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<space>\s+)|(?P<mark>.)",
    re.S,
)

_WORDS_OF_TYPES = frozenset(["signed", "unsigned", "char", "short", "int", "long", "float", "double", "_Bool", "bool"])
_INTEGERS = {"char": 8, "short": 16, "int": 32, "long": 64}
_ALIASES = {
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "size_t": "uint64", "ptrdiff_t": "int64",
}  # fmt: skip
_C_NAMES = {
    "bool": "bool", "float32": "float", "float64": "double",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip

_KEYWORDS = frozenset({
    "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue", "return", "const", "struct",
    "enum",
})  # fmt: skip

_REFUSED = {
    "static": "a function keeps nothing from one call to the next",
    **dict.fromkeys(("extern", "volatile", "_Atomic", "_Thread_local"), "a function reads nothing but its arguments"),
    **dict.fromkeys(
        ("sizeof", "union", "goto", "asm", "__asm__", "typeof", "__typeof__", "_Generic", "restrict", "register",
         "auto", "_Alignas", "_Alignof", "_Noreturn", "_Static_assert", "typedef"),
        "CUDA and OpenCL have it in another way, or not at all",
    ),
    **dict.fromkeys(("_Complex", "complex", "_Imaginary"), "CUDA and OpenCL have no complex numbers of C"),
    "void": "a function takes numbers and returns one number",
}  # fmt: skip

_OF_ONE = {
    "fabs": "fabs", "sqrt": "sqrt", "cbrt": "cbrt", "exp": "exp", "exp2": "exp2", "expm1": "expm1", "log": "log",
    "log2": "log2", "log10": "log10", "log1p": "log1p", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin",
    "acos": "arccos", "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh",
    "acosh": "arccosh", "atanh": "arctanh", "erf": "erf", "erfc": "erfc", "tgamma": "gamma", "lgamma": "lgamma",
    "floor": "floor", "ceil": "ceil", "trunc": "trunc", "rint": "rint", "nearbyint": "rint", "atan2": "arctan2",
    "pow": "pow", "hypot": "hypot", "copysign": "copysign", "fmod": "fmod", "fmin": "fmin", "fmax": "fmax",
    "nextafter": "nextafter", "ldexp": "ldexp", "fma": "fma",
}  # fmt: skip
"""Functions of C's library by the helper functions that compute them; there is one for double and one for float."""

FUNCTIONS = {
    **{name: f"{helper}_float64" for name, helper in _OF_ONE.items()},
    **{f"{name}f": f"{helper}_float32" for name, helper in _OF_ONE.items()},
    **{name: f"{name}_float64" for name in ("isnan", "isinf", "isfinite", "signbit")},
    "abs": "abs_int32", "labs": "abs_int64", "llabs": "abs_int64",
}  # fmt: skip
"""Functions of C's library, and what they are called in generated text."""

_CONSTANTS = {
    "INFINITY": "INFINITY", "NAN": "NAN", "true": "true", "false": "false",
    "M_PI": repr(math.pi), "M_PI_2": repr(math.pi / 2), "M_PI_4": repr(math.pi / 4), "M_1_PI": repr(1 / math.pi),
    "M_2_PI": repr(2 / math.pi), "M_E": repr(math.e), "M_SQRT2": repr(math.sqrt(2.0)), "M_LN2": repr(math.log(2.0)),
    "M_SQRT1_2": repr(math.sqrt(0.5)), "M_LN10": repr(math.log(10.0)), "M_LOG2E": repr(1 / math.log(2.0)),
    "M_LOG10E": repr(1 / math.log(10.0)),
    "DBL_MAX": repr(sys.float_info.max), "DBL_MIN": repr(sys.float_info.min),
    "DBL_EPSILON": repr(sys.float_info.epsilon),
    "FLT_MAX": "0x1.fffffep127f", "FLT_MIN": "0x1p-126f", "FLT_EPSILON": "0x1p-23f",
    **{f"INT{bits}_MAX": str(2 ** (bits - 1) - 1) for bits in (8, 16, 32)},
    **{f"INT{bits}_MIN": f"(-{2 ** (bits - 1) - 1} - 1)" for bits in (8, 16, 32)},
    **{f"UINT{bits}_MAX": f"{2**bits - 1}" for bits in (8, 16)},
    "UINT32_MAX": "4294967295u", "UINT64_MAX": "18446744073709551615ul",
    "INT64_MAX": "9223372036854775807l", "INT64_MIN": "(-9223372036854775807l - 1)",
}  # fmt: skip
_CONSTANTS |= {
    "CHAR_MAX": _CONSTANTS["INT8_MAX"], "CHAR_MIN": _CONSTANTS["INT8_MIN"], "SCHAR_MAX": _CONSTANTS["INT8_MAX"],
    "SCHAR_MIN": _CONSTANTS["INT8_MIN"], "UCHAR_MAX": _CONSTANTS["UINT8_MAX"], "SHRT_MAX": _CONSTANTS["INT16_MAX"],
    "SHRT_MIN": _CONSTANTS["INT16_MIN"], "USHRT_MAX": _CONSTANTS["UINT16_MAX"], "INT_MAX": _CONSTANTS["INT32_MAX"],
    "INT_MIN": _CONSTANTS["INT32_MIN"], "UINT_MAX": _CONSTANTS["UINT32_MAX"], "LONG_MAX": _CONSTANTS["INT64_MAX"],
    "LONG_MIN": _CONSTANTS["INT64_MIN"], "ULONG_MAX": _CONSTANTS["UINT64_MAX"], "LLONG_MAX": _CONSTANTS["INT64_MAX"],
    "LLONG_MIN": _CONSTANTS["INT64_MIN"], "ULLONG_MAX": _CONSTANTS["UINT64_MAX"],
}  # fmt: skip


_NUMBERS = "take numbers: patterns and loops give a function the elements of arrays"

CALLERS: dict[str, Callable[..., Any]] = {}
"""The functions of texts, compiled: of numbers of the types that they declare. For the interpreter."""


@dataclass(frozen=True)
class CText:
    """A text that was read.

    Attributes
    ----------
    name
        Of the last function: the one that is called.
    names
        Of its parameters, as Python may call them.
    params, result
        Their types, and that of what it returns.
    symbol
        What the function is called in generated text.
    text
        All functions of the text as they stand in generated text; each line is where it was.
    """

    name: str
    names: tuple[str, ...]
    params: tuple[Scalar, ...]
    result: Scalar
    symbol: str
    text: str


def refuse(source: str, line: int, message: str, cause: str = "", hint: str = "") -> NoReturn:
    """Refuse a text, with the line that is wrong."""
    lines = source.splitlines()
    shown = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    raise ArgumentError(
        f"line {line} of the C text: {message}{f' in `{shown}`' if shown else ''}",
        argument="source",
        cause=cause,
        hint=hint or "write C functions of numbers: float f(float a, float b) { return a + b; }",
    )


def own_name(generated: str) -> str:
    """What a compiler says of generated text, in the user's own names."""
    return re.sub(rf"\b{PREFIX}(?:[0-9a-f]{{16}}_)?(\w+)_\b", r"\1", generated)


@lru_cache(maxsize=1024)
def parse(source: str) -> CText:
    """Read the C functions of a text.

    Raises
    ------
    ArgumentError
        The text has something that is refused, or is no sequence of functions.
    """
    return _Reader(source).read()


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class _Declared:
    """A function of the text: its head, and where its body is among the tokens."""

    name: _Token
    result: Scalar
    params: tuple[tuple[str, Scalar], ...]
    end: int


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.digest = hashlib.sha256(source.encode()).hexdigest()[:16]
        self.tokens = [self._checked(token) for token in self._split()]
        self.place = 0
        self.known: list[str] = []

    def read(self) -> CText:
        """The text as a whole."""
        found, pieces = None, []
        self._skip()
        if self.place == len(self.tokens):
            refuse(self.source, 1, "there is no function")
        while self.place < len(self.tokens):
            start = self.place
            found = self._function()
            pieces.append(self._printed(start, found.end))
            self._skip()
        assert found is not None
        types = tuple(type for _, type in found.params)
        names = tuple(for_python(name) for name, _ in found.params)
        return CText(found.name.text, names, types, found.result, self._symbol(found.name.text), "".join(pieces))

    # ------------------------------------------------------------------------------------------------- tokens

    def _split(self) -> Iterable[_Token]:
        line = 1
        for match in _TOKENS.finditer(self.source):
            yield _Token(str(match.lastgroup), match.group(), line)
            line += match.group().count("\n")

    def _checked(self, token: _Token) -> _Token:
        """A token; comments become their line ends."""
        if token.kind == "comment":
            return _Token("space", " " + "\n" * token.text.count("\n"), token.line)
        if token.text == "#":
            hint = "leave it out: the functions and constants of math.h, float.h and limits.h are known"
            refuse(self.source, token.line, "there is a line for the preprocessor", hint=hint)
        if token.text in ("\\", "@", "$", "`") or token.kind == "text" or not token.text.isascii():
            refuse(self.source, token.line, f"{token.text} has no place in a function of numbers")
        if token.kind == "name" and token.text in _REFUSED and not self._is_head(token):
            refuse(self.source, token.line, f"{token.text} is refused", cause=_REFUSED[token.text])
        if token.kind == "name" and token.text.startswith("__"):
            refuse(self.source, token.line, f"{token.text} is a name of the compiler", hint="use another name")
        return token

    def _is_head(self, token: _Token) -> bool:
        """Words that are refused inside of functions only: `_head` looks at the others."""
        return token.text in ("static", "void")

    def _skip(self) -> None:
        while self.place < len(self.tokens) and self.tokens[self.place].kind == "space":
            self.place += 1

    def _next(self, wanted: str) -> _Token:
        self._skip()
        if self.place == len(self.tokens):
            last = self.tokens[-1].line if self.tokens else 1
            refuse(self.source, last, f"the text ends where {wanted} is expected")
        token = self.tokens[self.place]
        self.place += 1
        return token

    def _peek(self) -> str:
        self._skip()
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    # ---------------------------------------------------------------------------------------------- functions

    def _function(self) -> _Declared:
        while self._peek() in ("static", "inline"):
            self.place += 1
        result = self._type("the type of the result")
        name = self._next("the name of the function")
        if name.kind != "name" or name.text in _KEYWORDS:
            refuse(self.source, name.line, f"{name.text} is no name of a function")
        if name.text in FUNCTIONS or name.text in _CONSTANTS:
            refuse(self.source, name.line, f"{name.text} is a name of C's library", hint="give it another name")
        if name.text in self.known:
            refuse(self.source, name.line, f"{name.text} is defined twice")
        params = self._parameters(name)
        opening = self._next("{")
        if opening.text != "{":
            refuse(
                self.source, opening.line, f"{opening.text} stands where the body begins: only functions are defined"
            )
        end = self._end(opening)
        self._check_calls(name, self.place, end)
        self.known.append(name.text)
        self.place = end
        return _Declared(name, result, params, end)

    def _parameters(self, name: _Token) -> tuple[tuple[str, Scalar], ...]:
        opening = self._next("(")
        if opening.text != "(":
            refuse(self.source, opening.line, f"{opening.text} stands where ( is expected: only functions are defined")
        if self._peek() == "void":
            self.place += 1
        found: list[tuple[str, Scalar]] = []
        while self._peek() != ")":
            if self._peek() == "const":
                self.place += 1
            type = self._type("the type of a parameter")
            param = self._next("the name of a parameter")
            if param.kind != "name":
                what = "a pointer" if param.text == "*" else f"{param.text} where its name is expected"
                refuse(self.source, param.line, f"a parameter of {name.text} is {what}", hint=_NUMBERS)
            if param.text in _CONSTANTS or param.text in _KEYWORDS:
                refuse(self.source, param.line, f"{param.text} is a name of C's own", hint="give it another name")
            found.append((param.text, type))
            comma = self._peek()
            if comma not in (",", ")"):
                what = f"a parameter of {name.text} is followed by {comma or 'nothing'}"
                refuse(self.source, param.line, what, hint=_NUMBERS)
            self.place += comma == ","
        self.place += 1
        return tuple(found)

    def _type(self, wanted: str) -> Scalar:
        token = self._next(wanted)
        while token.text == "const":
            token = self._next(wanted)
        if token.text in _ALIASES:
            return SCALARS[_ALIASES[token.text]]
        if token.text not in _WORDS_OF_TYPES:
            what = "nothing" if token.text == "void" else token.text
            hint = "say bool, int, long, float, double, an integer with unsigned, or int8_t to uint64_t"
            refuse(self.source, token.line, f"{what} is no type of numbers", hint=hint)
        words = [token.text]
        while self._peek() in _WORDS_OF_TYPES:
            words.append(self._next(wanted).text)
        return SCALARS[self._meaning(words, token.line)]

    def _meaning(self, words: Sequence[str], line: int) -> str:
        """The NumPy name of a type of several words."""
        kinds = [word for word in words if word not in ("signed", "unsigned")]
        signs = [word for word in words if word in ("signed", "unsigned")]
        one = kinds[0] if len(kinds) == 1 else ""
        if one in ("float", "double") and not signs:
            return "float32" if one == "float" else "float64"
        if one in ("_Bool", "bool") and not signs:
            return "bool"
        sizes = sorted(word for word in kinds if word != "int" or len(kinds) == 1) or ["int"]
        if sizes == ["long", "long"]:
            sizes = ["long"]
        if len(sizes) != 1 or len(signs) > 1 or sizes[0] not in _INTEGERS or (sizes == ["char"] and "int" in kinds):
            refuse(self.source, line, f"{' '.join(words)} is no type that all devices have")
        return f"{'u' if 'unsigned' in signs else ''}int{_INTEGERS[sizes[0]]}"

    def _end(self, opening: _Token) -> int:
        """The place behind the brace that closes a body."""
        depth, pairs = 1, {"}": "{"}
        for place in range(self.place, len(self.tokens)):
            text = self.tokens[place].text
            depth += (text == "{") - (text in pairs)
            if depth == 0:
                return place + 1
        refuse(self.source, opening.line, "the brace { is never closed")

    def _check_calls(self, name: _Token, start: int, end: int) -> None:
        """Functions that are called stand before, or are C's: so nothing calls itself."""
        for place in range(start, end):
            token = self.tokens[place]
            if token.text in ("static", "void"):
                refuse(self.source, token.line, f"{token.text} is refused", cause=_REFUSED[token.text])
            if token.text in _CONSTANTS and self.tokens[place - 2].text in _WORDS_OF_TYPES:
                refuse(self.source, token.line, f"{token.text} is a name of C's own", hint="give it another name")
            if token.kind != "name" or not self._is_called(place) or token.text in _KEYWORDS | _WORDS_OF_TYPES:
                continue
            if token.text == name.text:
                what, cause = f"{name.text} calls itself", "OpenCL has no recursion"
                refuse(self.source, token.line, what, cause, hint="write a loop")
            if token.text not in FUNCTIONS and token.text not in self.known and token.text not in _ALIASES:
                hint = "define it before, or use one of C's: sqrt, exp, fmin, ..."
                refuse(self.source, token.line, f"there is no function {token.text}", hint=hint)

    def _is_called(self, place: int) -> bool:
        following = next((t for t in self.tokens[place + 1 :] if t.kind != "space"), None)
        return following is not None and following.text == "(" and not self._is_member(place)

    def _is_member(self, place: int) -> bool:
        before = [t.text for t in reversed(self.tokens[:place]) if t.kind != "space"][:2]
        return before[:1] == ["."] or before == [">", "-"]

    # ------------------------------------------------------------------------------------------------ printing

    def _symbol(self, name: str) -> str:
        return f"{PREFIX}{self.digest}_{name}_"

    def _printed(self, start: int, end: int) -> str:
        parts: list[str] = ["HELPER "]
        place = start
        while place < end:
            token = self.tokens[place]
            if token.text in _WORDS_OF_TYPES:
                place = self._print_type(place, parts)
                continue
            parts.append(self._word(token, place))
            place += 1
        return "".join([*parts, "\n"])

    def _print_type(self, place: int, parts: list[str]) -> int:
        """Write words of a type as one name; the place behind them."""
        words, spaces, last = [], "", place
        while place < len(self.tokens) and (
            self.tokens[place].text in _WORDS_OF_TYPES or self.tokens[place].kind == "space"
        ):
            token = self.tokens[place]
            place += 1
            if token.kind == "space":
                spaces += token.text
            else:
                words.append(token.text)
                last = place
        kept = "".join(token.text for token in self.tokens[last:place])
        inner = spaces[: len(spaces) - len(kept)]
        parts.append(_C_NAMES[self._meaning(words, self.tokens[last - 1].line)] + "\n" * inner.count("\n"))
        return last

    def _word(self, token: _Token, place: int) -> str:
        if token.kind == "number":
            return re.sub(r"(?i)ll", "l", token.text) if "." not in token.text else token.text
        if token.kind != "name" or token.text in _KEYWORDS:
            return token.text
        if token.text in ("static", "inline", "void"):
            return ""
        if token.text in FUNCTIONS and self._is_called(place):
            return FUNCTIONS[token.text]
        if self._is_member(place):
            return f"{PREFIX}{token.text}_"
        if token.text in _ALIASES:
            return _C_NAMES[_ALIASES[token.text]]
        if token.text in _CONSTANTS:
            return f"({_CONSTANTS[token.text]})" if token.text not in ("true", "false") else token.text
        return self._symbol(token.text) if token.text in self.known else f"{PREFIX}{token.text}_"


def for_python(name: str) -> str:
    """A name of C as Python takes it."""
    return f"{name}_" if keyword.iskeyword(name) else name
