"""Reads the text that `weft.ir.forms.text` writes: a recursive-descent parser over the tokens of one line at a time."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from weft.ir import nodes as n
from weft.ir.forms.text import BINARY_SYMBOLS, COMPARE_SYMBOLS, PLAIN_NAME, PYTHON_TYPES, UNARY_NAMES
from weft.ir.location import UNKNOWN, Location
from weft.ir.pins import Pin
from weft.ir.types import PYBOOL, SCALARS, Element, Field, Record, Scalar, Type, Vector, View

T = TypeVar("T")

_TOKENS = re.compile(
    rf"""(?P<name>`[^`]*`|{PLAIN_NAME.pattern})
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<number>-?(?:\d+(?:\.(?!\.)\d*)?(?:e[+-]?\d+)?|inf\b))
    |(?P<symbol>\.\.|->|//|\*\*|<<|>>|==|!=|<=|>=|[-+*/%&|^<>=:;,(){{}}\[\]@!])
    |(?P<place>\#.*)
    |(?P<space>\s+)""",
    re.VERBOSE,
)
_BINARY = {symbol: op for op, symbol in BINARY_SYMBOLS.items()}
_COMPARE = {symbol: op for op, symbol in COMPARE_SYMBOLS.items()}


def parse(text: str) -> n.Program:
    """The program that `to_text` wrote.

    Raises
    ------
    ValueError
        The text is no program; the message says where.
    """
    return _Parser(text).program()


class _Parser:
    """Knows the tokens of all lines, and the variables and kernels that it has seen."""

    def __init__(self, text: str) -> None:
        self._lines = [line for line in text.splitlines() if line.strip()]
        self._number = -1
        self._tokens: list[str] = []
        self._position = 0
        self._location = UNKNOWN
        self._variables: dict[str, n.Var] = {}
        self._kernels: dict[str, n.Kernel] = {}
        self._next_line()

    # --------------------------------------------------------------------------------------------- tokens

    def _next_line(self) -> None:
        self._number += 1
        self._position = 0
        if self._number == len(self._lines):
            self._tokens = []
            return
        self._tokens = _split(self._lines[self._number])
        self._location = UNKNOWN
        if self._tokens and self._tokens[-1].startswith("#"):
            self._location = _location(json.loads(self._tokens.pop()[1:]))

    def _peek(self, ahead: int = 0) -> str:
        position = self._position + ahead
        return self._tokens[position] if position < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._position += 1
        return token

    def _has(self, token: str) -> bool:
        """Take a token if it is the next."""
        if self._peek() != token:
            return False
        self._position += 1
        return True

    def _expect(self, *tokens: str) -> None:
        for token in tokens:
            if not self._has(token):
                line = self._lines[self._number] if self._number < len(self._lines) else "the end"
                raise ValueError(f"{token!r} is missing before {self._peek()!r} in: {line.strip()}")

    def _end(self) -> None:
        if self._peek():
            raise ValueError(f"unexpected {self._peek()!r} in: {self._lines[self._number].strip()}")
        self._next_line()

    def _name(self) -> str:
        return self._take().strip("`")

    def _string(self) -> str:
        return str(json.loads(self._take()))

    def _list(self, item: Callable[[], T], open: str = "(", close: str = ")") -> tuple[T, ...]:
        self._expect(open)
        items = []
        while not self._has(close):
            items.append(item())
            if self._peek() != close:
                self._expect(",")
        return tuple(items)

    # ------------------------------------------------------------------------------------------- program

    def program(self) -> n.Program:
        while self._peek() == "kernel":
            self._kernel()
        location = self._location
        self._expect("program")
        name, params = self._name(), self._list(self._param)
        self._expect("returns")
        returns = self._returns()
        writes = self._list(self._source) if self._has("writes") else ()
        overlaps = self._list(self._name) if self._has("overlaps") else ()
        pins = self._list(self._pin) if self._has("pins") else ()
        body = self._block()
        functions: list[n.Function] = []
        while self._has("function"):
            functions.append(self._function())
        assumption = self._block() if self._has("assume") else None
        needs = self._block() if self._has("needs") else None
        self._end()
        return n.Program(
            name, params, body, returns, tuple(functions), assumption, location, writes, overlaps, pins, needs
        )

    def _pin(self) -> Pin:
        device, place = json.loads(self._string())
        return Pin(device, _location(place))

    def _kernel(self) -> None:
        self._expect("kernel")
        location, name, params = self._location, self._name(), self._list(self._typed)
        group = self._list(self._integer) if self._has("group") else ()
        step = self._list(self._integer) if self._has("step") else ()
        overlaps = self._list(self._name) if self._has("overlaps") else ()
        resident = self._integer() if self._has("resident") else 1
        product = self._matrices() if self._has("product") else None
        precision = self._word() if self._has("precision") else ""
        hints = []
        while self._has("hint"):
            hints.append(self._hint())
        uniform = self._uniform() if self._has("uniform") else None
        body = self._block()
        self._end()
        marks = group, location, step, overlaps, resident, product, precision, tuple(hints), uniform
        self._kernels[name] = n.Kernel(name, params, body, *marks)

    def _uniform(self) -> n.Uniform:
        test, groups = n.Var(self._name(), PYBOOL), dict[str, Any]()
        for word in ("multiples", "aligned", "whole", "few"):
            self._expect(word)
            groups[word] = self._list(self._multiple)
        if self._has("otherwise"):
            self._expect("uniform")
            groups["orelse"] = self._uniform()
        return n.Uniform(test, **groups)

    def _multiple(self) -> tuple[n.Atom, int]:
        atom = self._atom()
        self._expect("of")
        return atom, self._integer()

    def _function(self) -> n.Function:
        location, name, params = self._location, self._name(), self._list(self._typed)
        associative = self._has("associative")
        return n.Function(name, params, self._block(), associative, location)

    def _param(self) -> n.Param:
        var = self._typed()
        self._expect("=")
        source = self._source()
        return n.Param(var, source, self._string() if self._has("home") else "host")

    def _source(self) -> n.Source:
        kind: Any = self._take()
        name, *path = self._list(lambda: json.loads(self._take()), "[", "]")
        return n.Source(kind, name, tuple(path))

    def _returns(self) -> n.Returns:
        kind: Any = self._take()
        if kind == "constant":
            return n.Returns(kind, constant=json.loads(self._take()))
        constructor = self._string() if kind == "record" else ""
        names = []
        while kind in ("record", "leaf", "dict", "table", "several") and self._peek().startswith('"'):
            names.append(self._string())
        return n.Returns(kind, self._list(self._returns) if self._peek() == "(" else (), constructor, tuple(names))

    # ---------------------------------------------------------------------------------------------- types

    def _typed(self) -> n.Var:
        name = self._name()
        self._expect(":")
        var = self._variables[name] = n.Var(name, self._type())
        return var

    def _type(self) -> Type:
        if self._has("view"):
            return self._view()
        if self._peek() == "{":
            return self._record()
        name = self._take()
        if name in SCALARS:
            return SCALARS[name]
        element, _, lanes = name.rpartition("x")
        return Vector(SCALARS[element], int(lanes))

    def _view(self) -> View:
        self._expect("<")
        element = self._element()
        self._expect(",")
        view = View(element, self._integer())
        while self._has(","):
            mark = self._take()
            if mark == "contiguous":
                view = replace(view, contiguous=True)
            elif mark == "readonly":
                view = replace(view, writable=False)
            elif mark == "on":
                view = replace(view, memory=self._name())
            else:
                view = replace(view, aligned=self._integer())
        self._expect(">")
        return view

    def _element(self) -> Element:
        type = self._type()
        if not isinstance(type, (Scalar, Record)):
            raise ValueError(f"{type} is no element")
        return type

    def _record(self) -> Record:
        self._expect("{")
        fields = []
        while not self._has(";"):
            name = self._name()
            self._expect(":")
            element = self._element()
            shape = self._list(self._integer, "[", "]") if self._peek() == "[" else ()
            self._expect("@")
            fields.append(Field(name, element, self._integer(), shape))
            self._has(",")
        size = self._integer()
        self._expect("}")
        return Record(tuple(fields), size)

    # ---------------------------------------------------------------------------------------------- atoms

    def _integer(self) -> int:
        return int(self._take())

    def _var(self) -> n.Var:
        name = self._name()
        if name not in self._variables:
            raise ValueError(f"{name} is not known in: {self._lines[self._number].strip()}")
        return self._variables[name]

    def _atom(self) -> n.Atom:
        token = self._peek()
        is_number = token[:1].isdigit() or token[:1] == "-" or token in ("True", "False", "nan", "inf")
        if not is_number and not (token == "complex" and self._peek(1) == "("):
            return self._var()
        value = self._number_value()
        return n.Const(value, self._type() if self._has(":") else PYTHON_TYPES[type(value)])

    def _number_value(self) -> bool | int | float | complex:
        token = self._take()
        if token == "complex":
            return complex(*self._list(self._float))
        if token in ("nan", "inf", "-inf"):
            return float(token)
        value = ast.literal_eval(token)
        assert isinstance(value, (bool, int, float))
        return value

    def _float(self) -> float:
        return float(self._take())

    def _atoms(self) -> tuple[n.Atom, ...]:
        return self._list(self._atom)

    def _word(self) -> Any:
        return self._take()

    # ------------------------------------------------------------------------------------------ statements

    def _block(self) -> n.Block:
        """A block from its opening brace to its closing one, which is the first token of a line."""
        self._expect("{")
        self._end()
        statements = []
        while self._peek() not in ("yield", "}"):
            statements.append(self._statement())
        yields: list[n.Atom] = []
        if self._has("yield"):
            yields.append(self._atom())
            while self._has(","):
                yields.append(self._atom())
            self._end()
        self._expect("}")
        return n.Block(tuple(statements), tuple(yields))

    def _statement(self) -> n.Statement:
        location = self._location
        if self._peek(1) == ":":
            made: n.Statement = self._let()
        elif self._peek(1) == "[":
            made = self._store()
        elif self._peek() == "(":
            made = self._with_results()
        else:
            made = self._keyword()
        self._end()
        return replace(made, location=location)

    def _keyword(self) -> n.Statement:
        word = self._take()
        methods: dict[str, Callable[[], n.Statement]] = {
            "update": self._update, "for": self._for, "while": self._while, "if": self._if, "raise": self._raise,
            "reserve": self._reserve, "copy": self._copy, "free": self._free,
            "wait": self._wait,
        }  # fmt: skip
        if word not in methods:
            raise ValueError(f"no statement starts with {word!r}: {self._lines[self._number].strip()}")
        return methods[word]()

    def _let(self) -> n.Let:
        name = self._name()
        self._expect(":")
        var = n.Var(name, self._type())
        self._expect("=")
        value = self._expression()
        self._variables[name] = var
        return n.Let(var, value)

    def _access(self) -> tuple[n.Var, tuple[n.Atom, ...], n.Bounds, n.Atom | None]:
        view, indices = self._var(), self._list(self._atom, "[", "]")
        bounds = self._bounds()
        return view, indices, bounds, self._atom() if self._has("mask") else None

    def _bounds(self) -> n.Bounds:
        return self._word() if self._has("!") else "python"

    def _store(self) -> n.Store:
        view, indices, bounds, mask = self._access()
        self._expect("=")
        return n.Store(view, indices, self._atom(), bounds, mask, late=self._has("late"))

    def _update(self) -> n.Update:
        view, indices, bounds, _ = self._access()
        return n.Update(self._word(), view, indices, self._atom(), bounds)

    def _for(self) -> n.For:
        name, label = self._name(), self._string()
        self._expect(":")
        index = self._variables[name] = n.Var(name, self._type())
        self._expect("in")
        start = self._atom()
        self._expect("..")
        stop, args = self._atom(), self._carry()
        marks: dict[str, Any] = {}
        if self._has("exit"):
            marks["exit"] = self._integer()
        for mark in ("claim", "mapping"):
            if self._has(mark):
                marks[mark] = self._word()
        if self._has("under_way"):
            marks["under_way"] = self._integer()
        if self._has("product"):
            marks["product"] = self._product()
        if self._has("together"):
            marks["together"] = n.Together(self._integer(), self._integer())
        if self._has("ahead"):
            marks["ahead"] = self._integer()
        if self._has("through"):
            marks["through"] = self._var()
        if self._has("fetch"):
            marks["fetch"] = n.Load(*self._access())
        return n.For(label, index, start, stop, self._block(), args, self._results(), **marks)

    def _product(self) -> n.TileProduct | n.WindowProduct:
        if self._has("windows"):
            return self._window_product()
        sums, left, right, *places = self._list(self._atom)
        assert isinstance(sums, n.Var) and isinstance(left, n.Var) and isinstance(right, n.Var)
        buffer, row, column, inner = places
        return n.TileProduct(sums, left, right, buffer, row, column, inner, self._integer(), self._integer())

    def _window_product(self) -> n.WindowProduct:
        sums, tile, weights, *places = self._list(self._atom)
        assert isinstance(sums, n.Var) and isinstance(tile, n.Var) and isinstance(weights, n.Var)
        row, column, above, beside = places
        numbers = self._integer(), self._integer(), self._integer()
        return n.WindowProduct(sums, tile, weights, row, column, above, beside, *numbers)

    def _hint(self) -> n.Hint:
        kind, param, amount = self._list(lambda: json.loads(self._take()), "[", "]")
        return n.Hint(kind, param, amount)

    def _matrices(self) -> n.MatrixProduct:
        *views, a, b, c, d, e, f, condition = self._list(self._atom)
        result, left, right = (n.Matrix(v, self._integer()) for v in views if isinstance(v, n.Var))
        freedom: Any = self._word()
        return n.MatrixProduct(result, left, right, (a, b, c, d, e, f), condition, freedom)

    def _carry(self) -> tuple[n.LoopArg, ...]:
        return self._list(self._loop_argument) if self._has("carry") else ()

    def _loop_argument(self) -> n.LoopArg:
        var = self._typed()
        self._expect("=")
        return n.LoopArg(var, self._atom(), self._name() if self._has("combine") else None)

    def _results(self) -> tuple[n.Var, ...]:
        return self._list(self._typed) if self._has("->") else ()

    def _while(self) -> n.While:
        label, args = self._string(), self._carry()
        condition = self._block()
        self._expect("do")
        return n.While(label, condition, self._block(), args, self._results())

    def _if(self) -> n.If:
        condition, rare = self._atom(), self._has("rare")
        then = self._block()
        orelse = self._block() if self._has("else") else n.Block()
        return n.If(condition, then, orelse, self._results(), rare=rare)

    def _raise(self) -> n.Raise:
        return n.Raise(self._name(), self._string(), self._atoms())

    def _reserve(self) -> n.Reserve:
        view, memory = self._var(), self._string()
        return n.Reserve(view, memory, owed=self._has("owed"))

    def _copy(self) -> n.Copy:
        view, source = self._var(), self._string()
        self._expect("->")
        target = self._string()
        return n.Copy(view, source, target, onto=self._var() if self._has("onto") else None)

    def _wait(self) -> n.Wait:
        device, of = self._string(), list[n.Var]()
        if self._has("of"):
            of.append(self._var())
            while self._has(","):
                of.append(self._var())
        return n.Wait(device, tuple(of))

    def _free(self) -> n.Free:
        return n.Free(self._var(), self._string())

    def _with_results(self) -> n.Statement:
        results = self._list(self._typed)
        self._expect("=")
        word = self._take()
        if word == "call":
            return n.Call(results, self._name(), self._atoms())
        if word == "external":
            return self._external(results)
        kernel, operands = self._kernels[self._name()], self._atoms()
        self._expect("on")
        device = self._string()
        grid = self._atoms() if self._has("grid") else ()
        touched = self._reads_and_writes()
        windows = self._list(self._var) if self._has("windows") else ()
        return n.Launch(kernel, device, operands, grid, results, *touched, windows)

    def _external(self, results: tuple[n.Var, ...]) -> n.External:
        reference, operands = self._string(), self._atoms()
        return n.External(results, reference, operands, *self._reads_and_writes())

    def _reads_and_writes(self) -> tuple[tuple[n.Var, ...], tuple[n.Var, ...]]:
        reads = self._list(self._var) if self._has("reads") else ()
        return reads, self._list(self._var) if self._has("writes") else ()

    # ----------------------------------------------------------------------------------------- expressions

    def _expression(self) -> n.Expression:
        if self._peek(1) == "(" and self._peek() != "complex":
            return self._function_form()
        if self._peek(1) == "[":
            return n.Load(*self._access())
        if self._peek() in ("numpy", "math") and self._peek(2) == "(":
            strict = self._take() == "math"
            return n.Math(self._take(), self._atoms(), strict)
        if self._peek() == "native" and self._peek(2) == "(":
            self._expect("native")
            return n.Native(self._string(), self._atoms())
        if self._peek() == "view" and self._peek(2) == "[":
            self._expect("view")
            return n.Subview(self._var(), self._list(self._axis, "[", "]"), self._bounds())
        return self._infix()

    def _infix(self) -> n.Expression:
        left, symbol = self._atom(), self._take()
        if symbol == "if":
            condition = self._atom()
            self._expect("else")
            return n.Select(condition, left, self._atom())
        operators: dict[str, Any] = {**_BINARY, **_COMPARE}
        if symbol not in operators:
            raise ValueError(f"{symbol!r} is no operator in: {self._lines[self._number].strip()}")
        right = self._atom()
        if symbol in _COMPARE:
            return n.Compare(operators[symbol], left, right)
        return n.Binary(operators[symbol], left, right, self._checked())

    def _checked(self) -> bool:
        return not self._has("unchecked")

    def _axis(self) -> n.Atom | n.Slice | None:
        if self._has("new"):
            return None
        return n.Slice(*self._atoms()) if self._peek() == "(" else self._atom()

    def _function_form(self) -> n.Expression:
        word: Any = self._take()
        if word in _WITH_AXIS:
            return _WITH_AXIS[word](*self._axis_of_view())  # type: ignore[no-any-return]
        if word == "split":
            return n.Split(*self._axis_of_view(), self._atoms())
        if word == "room":
            return n.Room(self._string_in_parentheses())
        operands = self._atoms()
        if word in UNARY_NAMES:
            return n.Unary(word, operands[0], self._checked())
        if word == "cast":
            return n.Cast(operands[0], self._checked())
        if word == "alloc":
            element, fill = self._element(), self._atom() if self._has("fill") else None
            return n.Alloc(operands, element, fill, self._word() if self._has("in") else "")
        if word in ("pack", "pack_apart"):
            return n.Pack(operands, word == "pack_apart")
        if word == "reduce":
            return n.ReduceLanes(self._word(), operands[0])
        if word == "running":
            return n.RunningLanes(self._word(), operands[0])
        return self._of_view(word, operands)

    def _string_in_parentheses(self) -> str:
        self._expect("(")
        text = self._string()
        self._expect(")")
        return text

    def _axis_of_view(self) -> tuple[n.Var, int]:
        self._expect("(")
        view = self._var()
        self._expect(",")
        axis = self._integer()
        self._expect(")")
        return view, axis

    def _of_view(self, word: str, operands: tuple[Any, ...]) -> n.Expression:
        if word == "transpose":
            return n.Transpose(operands[0], self._list(self._integer, "[", "]"))
        if word == "field":
            return n.FieldView(operands[0], self._string())
        simple: dict[str, Any] = {"fma": n.Fma, "undefined": n.Undefined, "lanes": n.Lanes, "broadcast": n.Broadcast}
        if word not in simple:
            raise ValueError(f"no expression starts with {word!r}: {self._lines[self._number].strip()}")
        return simple[word](*operands)  # type: ignore[no-any-return]


_WITH_AXIS: dict[str, Any] = {
    "dim": n.Dim, "mergeable": n.Mergeable, "merge": n.Merge, "lane": n.Lane, "aligned": n.Aligned,
}  # fmt: skip


def _split(line: str) -> list[str]:
    """The tokens of a line."""
    tokens, position = [], 0
    while position < len(line):
        found = _TOKENS.match(line, position)
        if found is None:
            raise ValueError(f"{line[position:]!r} cannot be read in: {line.strip()}")
        if found.lastgroup != "space":
            tokens.append(found.group())
        position = found.end()
    return tokens


def _location(parts: list[Any]) -> Location:
    file, line, column, end_line, end_column, function, call = parts
    outer = None if call is None else _location(call)
    return Location(file, line, column, end_line, end_column, function, outer)
