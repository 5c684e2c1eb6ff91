"""Graphs at random, whose rates agree, and what they compute: token by token in plain Python.

Actors have several inputs and outputs, cyclo-static rates, windows, state, or run in Python; streams are split, joined,
delayed and fed back. All numbers are whole, so results are equal bit by bit.
"""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from weft import dataflow

MOST_RATIO = 4


def at(rate: Any, firing: int) -> int:
    return rate[firing % len(rate)] if isinstance(rate, tuple) else rate


def mean(rate: Any) -> Fraction:
    return Fraction(sum(rate), len(rate)) if isinstance(rate, tuple) else Fraction(rate)


@dataclass
class Piece:
    """An actor, and what the simulation needs to know of it."""

    actor: dataflow.Actor
    function: Callable
    consumes: list
    produces: list
    peeks: list
    has_state: bool

    def fire(self, streams: list[list[float]]) -> list[list[float]]:
        """All firings for which there are tokens."""
        taken, outs, state, firing = [0] * len(streams), [[] for _ in self.produces], 1.0, 0
        while self._is_ready(streams, taken, firing):
            given = [self._given(k, s, taken[k], firing) for k, s in enumerate(streams)]
            taken = [t + at(rate, firing) for t, rate in zip(taken, self.consumes)]
            result = self.function(*given, *([state] if self.has_state else []))
            items = list(result) if isinstance(result, tuple) else [result]
            state = items.pop() if self.has_state else state
            for out, item in zip(outs, items):
                out.extend(np.atleast_1d(item).tolist())
            firing += 1
        return outs

    def _is_ready(self, streams: list, taken: list, firing: int) -> bool:
        needed = [max(at(rate, firing), peek) for rate, peek in zip(self.consumes, self.peeks)]
        room = [len(s) - t for s, t in zip(streams, taken)]
        return all(r >= w for r, w in zip(room, needed)) and any(r > 0 for r in room)

    def _given(self, port: int, stream: list, start: int, firing: int) -> Any:
        width = max(at(self.consumes[port], firing), self.peeks[port])
        is_number = self.consumes[port] == 1 and width == 1
        return stream[start] if is_number else np.array(stream[start : start + width])


@dataclass
class Operation:
    """A step of a graph function: what is done, with which streams."""

    kind: str
    streams: list
    piece: Piece | None = None
    numbers: list = field(default_factory=list)


class RandomGraph:
    """The graph of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seed = seed
        self.inputs = self.random.choice([1, 1, 2])
        self.operations: list[Operation] = []
        self.rates = [Fraction(1)] * self.inputs
        for _ in range(self.random.randint(2, 7)):
            self.random.choice([self._one, self._one, self._one, self._two, self._delay, self._deal, self._loop])()
        used = {s for operation in self.operations for s in operation.streams}
        self.outputs = [k for k in range(len(self.rates)) if k not in used or self.random.random() < 0.2]

    # ----------------------------------------------------------------------------------------------- making

    def _one(self) -> None:
        stream = self.random.randrange(len(self.rates))
        rates = [self.random.choice([1, 1, 1, 2, 3, (1, 2), (2, 0, 1)])]
        self._place("actor", [stream], self._piece(rates))

    def _two(self) -> None:
        pair = self._pair()
        if pair is not None:
            streams, rates = pair
            kind = self.random.choice(["actor", "actor", "join"])
            self._place(kind, streams, self._piece(rates) if kind == "actor" else None, rates)

    def _pair(self) -> tuple[list, list] | None:
        """Two streams, and rates with which they may come together."""
        if len(self.rates) < 2:
            return None
        streams = self.random.sample(range(len(self.rates)), 2)
        ratio = self.rates[streams[0]] / self.rates[streams[1]]
        if max(ratio.numerator, ratio.denominator) > MOST_RATIO:
            return None
        return streams, [ratio.numerator, ratio.denominator]

    def _delay(self) -> None:
        self._place("delay", [self.random.randrange(len(self.rates))], numbers=self._tokens(4))

    def _deal(self) -> None:
        weights = [self.random.randint(1, 3) for _ in range(2)]
        self._place("split", [self.random.randrange(len(self.rates))], numbers=weights)

    def _loop(self) -> None:
        piece = self._piece([1, 1], [1], peeks=[1, 1])
        self._place("loop", [self.random.randrange(len(self.rates))], piece, self._tokens(3))

    def _tokens(self, most: int) -> list:
        return [float(self.random.randint(0, 9)) for _ in range(self.random.randint(1, most))]

    def _place(self, kind: str, streams: list, piece: Piece | None = None, numbers: list | None = None) -> None:
        self.operations.append(Operation(kind, streams, piece, numbers or []))
        first = self.rates[streams[0]]
        if kind == "actor":
            self.rates += [first / mean(piece.consumes[0]) * mean(rate) for rate in piece.produces]
        elif kind == "split":
            self.rates += [first * weight / sum(numbers) for weight in numbers]
        else:
            self.rates.append(first + (self.rates[streams[1]] if kind == "join" else 0))

    def _piece(self, consumes: list, produces: list | None = None, peeks: list | None = None) -> Piece:
        choice, chance = self.random.choice, self.random.random
        produces = produces or [choice([1, 1, 1, 2, 3]) for _ in range(choice([1, 1, 1, 2]))]
        is_plain = not any(isinstance(rate, tuple) for rate in consumes)
        if peeks is None:
            peeks = [rate + choice([0, 1, 2, 5]) for rate in consumes] if is_plain and chance() < 0.3 else [0] * 2
        has_state = chance() < 0.35
        name = f"piece_{self.seed}_{len(self.operations)}"
        function = self._function(name, consumes, produces, peeks, has_state)
        options: dict[str, Any] = {"consumes": consumes, "produces": produces}
        options |= {"peek": peeks[: len(consumes)]} if any(peeks) else {}
        options |= {"state": 1.0} if has_state else {}
        options |= {"device": "python", "dtype": np.float64} if chance() < 0.15 else {}
        return Piece(dataflow.actor(**options)(function), function, consumes, produces, peeks, has_state)

    def _function(self, name: str, consumes: list, produces: list, peeks: list, has_state: bool) -> Callable:
        choice = self.random.choice
        parameters = [f"x{k}" for k in range(len(consumes))] + ["s"] * has_state
        lines = [f"def {name}({', '.join(parameters)}):", "    t = 0.0"]
        for k, rate in enumerate(consumes):
            if rate == 1 and peeks[k] <= 1:
                lines.append(f"    t += x{k} * {choice([1, 2, 3])}")
            else:
                lines += [f"    for k in range(len(x{k})):", f"        t += x{k}[k] * (k + {choice([1, 2])})"]
        lines.append(f"    t = (t + s * {choice([1, 2])}) % 1009.0" if has_state else "    t = t % 1009.0")
        results = []
        for k, rate in enumerate(produces):
            if rate != 1:
                lines += [f"    o{k} = np.empty({rate})", f"    for j in range({rate}):"]
                lines.append(f"        o{k}[j] = t + j * {k + 1}")
            results.append(f"t + {k}" if rate == 1 else f"o{k}")
        results += [choice(["t", "(s + t) % 7.0"])] * has_state
        text = "\n".join([*lines, f"    return {', '.join(results)}", ""])
        linecache.cache[f"<{name}>"] = (len(text), None, text.splitlines(keepends=True), f"<{name}>")
        names = {"np": np}
        exec(compile(text, f"<{name}>", "exec"), names)
        return names[name]

    # ------------------------------------------------------------------------------------------------ running

    def graph(self, device: str | None = None) -> dataflow.Graph:
        """The graph, as a user writes it."""
        names = ["x", "y"][: self.inputs]
        if self.inputs == 1:
            return dataflow.graph(lambda x: self._placed([x]), device=device, x=np.float64)
        return dataflow.graph(lambda x, y: self._placed([x, y]), device=device, **dict.fromkeys(names, np.float64))

    def _placed(self, streams: list) -> tuple:
        for operation in self.operations:
            given = [streams[k] for k in operation.streams]
            if operation.kind == "actor":
                found = operation.piece.actor(*given)
            elif operation.kind == "delay":
                found = dataflow.delay(*given, operation.numbers)
            elif operation.kind == "split":
                found = dataflow.split(*given, operation.numbers)
            elif operation.kind == "join":
                found = dataflow.join(*given, weights=operation.numbers)
            else:
                back, feed = dataflow.feedback(operation.numbers)
                found = operation.piece.actor(*given, back)
                feed(found)
            streams = [*streams, *(found if isinstance(found, tuple) else (found,))]
        return tuple(streams[k] for k in self.outputs)

    def simulated(self, inputs: list) -> list[list[float]]:
        """What comes out, token by token."""
        streams = [list(map(float, x)) for x in inputs]
        for operation in self.operations:
            streams += self._simulated(operation, [streams[k] for k in operation.streams])
        return [streams[k] for k in self.outputs]

    @staticmethod
    def _simulated(operation: Operation, given: list) -> Iterator[list[float]]:
        if operation.kind == "actor":
            yield from operation.piece.fire(given)
        elif operation.kind == "delay":
            yield [*operation.numbers, *given[0]]
        elif operation.kind == "split":
            first, second = operation.numbers
            rows = [given[0][k : k + first + second] for k in range(0, len(given[0]), first + second)]
            rows = [row for row in rows if len(row) == first + second]
            yield [token for row in rows for token in row[:first]]
            yield [token for row in rows for token in row[first:]]
        elif operation.kind == "join":
            first, second = operation.numbers
            rounds = min(len(given[0]) // first, len(given[1]) // second)
            cut = [(given[0][k * first :][:first], given[1][k * second :][:second]) for k in range(rounds)]
            yield [token for pair in cut for part in pair for token in part]
        else:
            out: list[float] = []
            state = 1.0
            for k, token in enumerate(given[0]):
                before = [*operation.numbers, *out][k]
                result = operation.piece.function(token, before, *([state] if operation.piece.has_state else []))
                result, state = result if operation.piece.has_state else (result, state)
                out.append(result)
            yield out
