"""A graph as one Python function that Weft compiles: loops over firings in the order of the schedule.

Channels are arrays. What a port produces in `n` periods is one array, and firing `f` reads ``channel[f * rate + j]``:
so the access table sees which firings are parallel. Where firings take blocks one behind the other, they read rows
``channel.reshape(firings, rate)[f]``, whose length is a constant. A channel that holds tokens between periods has an
array of its own: those tokens first, then the new ones. What is left goes back to the caller, with the states of
actors.
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

import weft.dataflow.errors as errors
from weft.dataflow.analysis.fusion import Group, groups, inner_channels
from weft.dataflow.analysis.infer import Types, is_scalar
from weft.dataflow.analysis.network import Channel, Node
from weft.dataflow.analysis.rates import Rate, total
from weft.dataflow.analysis.schedule import Schedule, Step
from weft.dataflow.running.host import HostActor
from weft.frontend.calls.python_calls import python

INDENT = "    "


@dataclass(frozen=True, eq=False)
class Generated:
    """The function of a graph, and what goes in and out.

    Attributes
    ----------
    function
        Takes the number of periods and of the run, an array for each input, and for each output one to fill; the tokens
        held by each channel of `held`, and arrays for those that it holds afterwards; the states of `stateful` nodes.
        Gives the next states. Arrays are handed in because making an array of a result costs more than a short batch.
    file, text
        Its source, and the name that it has in tracebacks.
    firings
        For lines of the file, which node fires there, and the number of its firing in terms of the loops around.
    lines
        The lines of each group: the first one, and the one behind the last.
    """

    function: FunctionType
    file: str
    text: str
    firings: dict[int, tuple[Node, str]]
    held: tuple[Channel, ...]
    stateful: tuple[Node, ...]
    hosts: dict[Node, HostActor]
    groups: tuple[Group, ...]
    lines: tuple[range, ...]


def generate(
    schedule: Schedule,
    types: Types,
    name: str,
    first: bool = False,
    clock: Callable[[int], None] | None = None,
    devices: Mapping[Node, str] | None = None,
    alone: bool = False,
) -> Generated:
    """The function of a graph.

    Parameters
    ----------
    first
        Whether it is what happens before the first period; the number of periods is 1 then.
    clock
        What the program calls before its first loop and behind each, with their number.
    devices
        Those of actors that name none, where that is not the device of the graph.
    alone
        Whether each node fires in a loop of its own.
    """
    own = {node: node.actor.device for node in schedule.network.nodes if node.actor and node.actor.device}
    return _Writer(schedule, types, name, first, clock, own | dict(devices or {}), alone).generated()


class _Writer:
    def __init__(
        self,
        schedule: Schedule,
        types: Types,
        name: str,
        first: bool,
        clock: Callable[[int], None] | None,
        devices: Mapping[Node, str],
        alone: bool,
    ) -> None:
        self.devices = devices
        self.schedule = schedule
        self.network = schedule.network
        self.types = types
        self.name = f"graph_{name}_first" if first else f"graph_{name}"
        self.first = first
        self.lines: list[str] = []
        self.firings: dict[int, tuple[Node, str]] = {}
        self.depth = 1
        self.base = {c: len(c.initial) if first else schedule.held[c.number] for c in self.network.channels}
        self.after = {c: schedule.held[c.number] for c in self.network.channels}
        self.held = tuple(c for c in self.network.channels if self.base[c] or self.after[c])
        self.groups = groups(schedule, tuple(self.network.channels) if alone else self.held, devices)
        self.inner: set[Channel] = set().union(
            *(inner_channels(self.network, group) for group in self.groups if group.is_open)
        )
        self.direct = self._direct_outputs()
        actors = [node for node in self.network.nodes if node.actor is not None]
        self.stateful = tuple(n for n in actors if n.actor and n.actor.has_state and not n.actor.is_python)
        self.hosts = {node: HostActor(node) for node in actors if node.actor and node.actor.is_python}
        self.globals: dict[str, Any] = {
            "__name__": "weft_graph", "np": np, "python": python, "ActorError": errors.ActorError,
        }  # fmt: skip
        self.clock = clock
        if clock is not None:
            self.globals["_clock"] = clock

    # ------------------------------------------------------------------------------------------------- the whole

    def generated(self) -> Generated:
        self._tell_lengths()
        self._allocate()
        self._tell_clock(0)
        places = []
        for number, group in enumerate(self.groups):
            start = len(self.lines) + 2  # the head is line 1
            if group.is_open:
                self._fire_together(group.nodes)
            else:
                self._step(group.step)
            places.append(range(start, len(self.lines) + 2))
            self._tell_clock(number + 1)
        self._keep()
        self._fill_outputs()
        states = [f"s{node.number}" for node in self.stateful]
        if states:
            self.line(f"return ({_items(states)})")
        arrays = [f"x{node.number}" for node in self.network.nodes if node.kind == "input"]
        arrays += [f"o{node.number}" for node in self.network.nodes if node.kind == "output"]
        arrays += [f"h{c.number}" for c in self.held] + [f"k{c.number}" for c in self.held]
        parameters = ["n", "run", *arrays, *states]
        text = "\n".join([f"def {self.name}({', '.join(parameters)}):", *(self.lines or ["    pass"]), ""])
        file = f"<graph {self.name} {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
        function = self._compiled(text, file)
        return Generated(
            function, file, text, self.firings, self.held, self.stateful, self.hosts, tuple(self.groups), tuple(places)
        )  # fmt: skip

    def _compiled(self, text: str, file: str) -> FunctionType:
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        exec(compile(text, file, "exec"), self.globals)  # our own text; users' code is reached through names in it
        function = self.globals[self.name]
        assert isinstance(function, FunctionType)
        return function

    def _tell_clock(self, place: int) -> None:
        if self.clock is not None:
            self.line(f"python(_clock, {place})")

    def line(self, text: str) -> None:
        self.lines.append(INDENT * self.depth + text)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """Lines of a block."""
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1

    def copy_loop(self, count: int | str, text: str) -> None:
        """A loop over `k` of one statement."""
        with self.inside(f"for k in range({count}):"):
            self.line(text)

    # -------------------------------------------------------------------------------------------------- channels

    def _firings(self, node: Node) -> int:
        return self.schedule.first[node.number] if self.first else self.schedule.repetitions[node.number]

    def _count(self, number: int) -> str:
        return str(number) if self.first else "n" if number == 1 else f"n * {number}"

    def _port(self, node: Node, port: int) -> str:
        if node.kind == "input":
            return f"x{node.number}"
        return self.direct.get((node, port), f"p{node.number}_{port}")

    def _direct_outputs(self) -> dict[tuple[Node, int], str]:
        """Ports whose own array is an output's: the first output that takes them as they are."""
        found: dict[tuple[Node, int], str] = {}
        for node in self.network.nodes:
            if node.kind == "output":
                (channel,) = self.network.into(node)
                if channel not in self.held and channel.source.kind != "input":
                    found.setdefault((channel.source, channel.source_port), f"o{node.number}")
        return found

    def _array(self, channel: Channel) -> str:
        """The array that a channel's target reads."""
        return f"c{channel.number}" if channel in self.held else self._port(channel.source, channel.source_port)

    def _needs_port(self, node: Node, port: int) -> bool:
        """Whether somebody reads a port's own array."""
        outside = (c for c in self.network.out_of(node) if c not in self.held and c not in self.inner)
        return any(c.source_port == port for c in outside)

    def _tell_lengths(self) -> None:
        """Inputs of which slices are taken: nothing is cut off where the compiler knows how long they are."""
        for node in self.network.nodes:
            sliced = (c for c in self.network.out_of(node) if c.target.phases > 1 and c not in self.held)
            if node.kind == "input" and any(sliced):
                self.line(f"x{node.number} = x{node.number}.reshape({self._count(self._firings(node))})")

    def _allocate(self) -> None:
        for node in self.network.nodes:
            for port, rate in enumerate(node.produces):
                if node.kind != "input" and (node, port) not in self.direct and self._needs_port(node, port):
                    size = self._count(total(rate, self._firings(node)))
                    self.line(
                        f"{self._port(node, port)} = np.empty({size}, {self._dtype(self.types.ports[node, port])})"
                    )
        for channel in self.held:
            new = self._count(total(channel.produces, self._firings(channel.source)))
            self.line(
                f"c{channel.number} = np.empty({self.base[channel]} + {new}, {self._dtype(self.types.of(channel))})"
            )
            if self.base[channel]:
                self.copy_loop(self.base[channel], f"c{channel.number}[k] = h{channel.number}[k]")

    @staticmethod
    def _dtype(dtype: np.dtype[Any]) -> str:
        return "np.bool_" if dtype == np.bool_ else f"np.{dtype.name}"

    def _keep(self) -> None:
        """Copy the tokens that stay in channels."""
        for channel in self.held:
            kept, old = self.after[channel], self.base[channel]
            new = self._count(total(channel.produces, self._firings(channel.source)))
            if kept:
                self.copy_loop(kept, f"k{channel.number}[k] = c{channel.number}[{old} + {new} - {kept} + k]")

    def _fill_outputs(self) -> None:
        """Copy to outputs what is not written there directly."""
        for node in self.network.nodes:
            if node.kind == "output":
                (channel,) = self.network.into(node)
                array = self._array(channel)
                if array != f"o{node.number}":
                    self.copy_loop(self._count(self._firings(node)), f"o{node.number}[k] = {array}[k]")

    # --------------------------------------------------------------------------------------------------- firings

    def _step(self, step: Step) -> None:
        if not step.is_cycle:
            node = step.order[0][0]
            if node.kind in ("actor", "split", "join"):
                self._fire_alone(node)
            elif node.kind == "input":
                self._take(node)
            return
        self._lay_out(list(dict.fromkeys(node for node, _ in step.order)))
        with self.inside(f"for round_{step.order[0][0].number} in range({self._rounds(step)}):"):
            self._cycle(step)

    def _rounds(self, step: Step) -> str:
        if not self.first:
            return self._count(step.rounds)
        node = step.order[0][0]
        local = sum(count for other, count in step.order if other is node)
        return str(self.schedule.first[node.number] // local)

    def _take(self, node: Node) -> None:
        """An input: its tokens are copied to channels that hold some."""
        for channel in self.network.out_of(node):
            if channel in self.held:
                text = f"c{channel.number}[{self.base[channel]} + k] = x{node.number}[k]"
                self.copy_loop(self._count(self._firings(node)), text)

    def _fire_alone(self, node: Node) -> None:
        if node in self.hosts:
            self._host(node, self._count(self._firings(node)))
        else:
            self._fire_together([node])

    def _fire_together(self, nodes: list[Node]) -> None:
        """One loop over the firings of a node, or of several that fire equally often."""
        node = nodes[0]
        counter = f"firing_of_{node.name}"
        cycles = self._count(self._firings(node) // node.phases)
        device = self.devices.get(node)
        if device is not None:
            from weft.runtime.devices.devices import device as switch

            self.globals["device"] = switch
        self._lay_out(nodes)
        around = nullcontext() if device is None else self.inside(f"with device({device!r}):")
        with around, self.inside(f"for {counter} in range({cycles}):"):
            for member in nodes:
                self._phases(member, counter)

    def _lay_out(self, nodes: list[Node]) -> None:
        """Channels as rows of blocks, where firings take blocks that do not overlap: the length of a row is known."""
        for node in nodes:
            for channel in self.network.into(node):
                if self._has_rows(channel):
                    shape = f"{self._count(self._firings(node))}, {channel.consumes[0]}"
                    self.line(f"b{channel.number} = {self._array(channel)}.reshape({shape})")

    def _has_rows(self, channel: Channel) -> bool:
        node = channel.target
        is_block = node.actor is not None and node.phases == 1 and channel.peek == channel.consumes[0] > 1
        return is_block and not self.first and node not in self.hosts and channel not in {*self.held, *self.inner}

    def _phases(self, node: Node, counter: str) -> None:
        for phase in range(node.phases):
            self._firing(node, counter, phase)

    def _cycle(self, step: Step) -> None:
        """One round of a cycle: runs of firings in their order."""
        local: dict[Node, int] = {}
        for node, count in step.order:
            local[node] = local.get(node, 0) + count
        done = dict.fromkeys(local, 0)
        around = f"round_{step.order[0][0].number}"
        for node, count in step.order:
            start = f"{around} * {local[node]} + {done[node]}"
            if node in self.hosts:
                self._host_in_cycle(node, around, local[node], done[node], count)
            elif node.phases == 1 and count > 1:
                counter = f"firing_of_{node.name}"
                with self.inside(f"for {counter} in range({start}, {start} + {count}):"):
                    self._firing(node, counter, 0)
            else:
                for k in range(done[node], done[node] + count):
                    each = local[node] // node.phases
                    cycle = around if each == 1 else f"({around} * {each} + {k // node.phases})"
                    self._firing(node, cycle, k % node.phases)
            done[node] += count

    def _firing(self, node: Node, cycle: str, phase: int) -> None:
        """One firing: its inputs, the call, its outputs. `cycle` counts rounds of all phases."""
        if node.kind in ("split", "join"):
            self._deal(node, cycle)
            return
        before = len(self.lines)
        arguments = [self._argument(c, node, cycle, phase) for c in self.network.into(node)]
        actor = node.actor
        assert actor is not None
        self.globals[f"_f{node.number}"] = actor.function
        if actor.has_state:
            arguments.append(f"s{node.number}")
        results = [self._result(node, k) for k in range(len(node.produces))] + [f"s{node.number}"] * actor.has_state
        left = f"{', '.join(results)} = " if results else ""
        self.line(f"{left}_f{node.number}({', '.join(arguments)})")
        for port, rate in enumerate(node.produces):
            self._put(node, port, rate, cycle, phase)
        place = node, self._number(node, cycle, phase)
        self.firings.update(dict.fromkeys(range(before + 2, len(self.lines) + 2), place))  # the head is line 1

    @staticmethod
    def _number(node: Node, cycle: str, phase: int) -> str:
        """The number of a firing."""
        return cycle if node.phases == 1 else f"{cycle} * {node.phases} + {phase}"

    def _offset(self, rate: Rate, node: Node, cycle: str, phase: int) -> str:
        """The tokens of all firings before one."""
        each, before = total(rate, node.phases), total(rate, phase)
        head = cycle if each == 1 else f"{cycle} * {each}"
        return f"{head} + {before}" if before else head

    @staticmethod
    def _result(node: Node, port: int) -> str:
        """The variable of what a firing gives."""
        return f"r{node.number}_{port}"

    def _argument(self, channel: Channel, node: Node, cycle: str, phase: int) -> str:
        rate = channel.consumes
        if channel in self.inner:
            return self._result(channel.source, channel.source_port)
        if self._has_rows(channel):
            return f"b{channel.number}[{cycle}]"
        start = self._offset(rate, node, cycle, phase)
        if is_scalar(rate, channel.peek):
            return f"{self._array(channel)}[{start}]"
        width = channel.needed(phase) if len(rate) == 1 else rate[phase % len(rate)]
        return f"{self._array(channel)}[{start} : {start} + {width}]"

    def _targets(self, node: Node, port: int) -> list[tuple[str, str]]:
        """Arrays that a port's tokens go to, and what stands before them there."""
        found = [(self._port(node, port), "")] if self._needs_port(node, port) else []
        held = [c for c in self.network.out_of(node) if c.source_port == port and c in self.held]
        return found + [(f"c{c.number}", f"{self.base[c]} + " if self.base[c] else "") for c in held]

    def _put(self, node: Node, port: int, rate: Rate, cycle: str, phase: int) -> None:
        start, found = self._offset(rate, node, cycle, phase), self._result(node, port)
        if rate == (1,):
            for array, base in self._targets(node, port):
                self.line(f"{array}[{base}{start}] = {found}")
            return
        count = rate[phase % len(rate)]
        with self.inside(f"if len({found}) != {count}:"):
            self._wrong(node, port, count, self._number(node, cycle, phase))
        for array, base in self._targets(node, port):
            self.copy_loop(count, f"{array}[{base}{start} + k] = {found}[k]")

    def _wrong(self, node: Node, port: int, count: int, number: str) -> None:
        found = self._result(node, port)
        what = f"{node.name} returned {{len({found})}} tokens for output {port + 1} in firing {{{number}}}"
        self.line(f'raise ActorError(f"{what} of this batch, and says that it produces {count}")')

    def _deal(self, node: Node, cycle: str) -> None:
        """A firing of a split or a join: its tokens are copied."""
        ports = node.produces if node.kind == "split" else node.consumes
        whole, before = sum(map(sum, ports)), 0
        channels = self.network.into(node)
        for port, rate in enumerate(ports):
            part, all_ = f"{cycle} * {rate[0]} + k", f"{cycle} * {whole} + {before} + k"
            if node.kind == "split":
                moves = [(a, b + part, self._array(channels[0]), all_) for a, b in self._targets(node, port)]
            else:
                moves = [(a, b + all_, self._array(channels[port]), part) for a, b in self._targets(node, 0)]
            for to, place, source, found in moves:
                self.copy_loop(rate[0], f"{to}[{place}] = {source}[{found}]")
            before += rate[0]

    def _host(self, node: Node, count: str) -> None:
        """Firings of a host actor: one step of Python for all of them."""
        reads = [self._array(c) for c in self.network.into(node)]
        targets = [pair for port in range(len(node.produces)) for pair in self._targets(node, port)]
        bases = [base.removesuffix(" + ") or "0" for _, base in targets]
        self.hosts[node].copies = tuple(len(self._targets(node, port)) for port in range(len(node.produces)))
        self._step_of_python(node, 0, count, bases, reads, [array for array, _ in targets])

    def _host_in_cycle(self, node: Node, around: str, local: int, done: int, count: int) -> None:
        """Firings of a host actor in a cycle: Python is lent what it takes, and gives to arrays of its own."""

        def start(rate: Rate) -> str:
            return f"{around} * {total(rate, local)} + {total(rate, done)}"

        reads = []
        for channel in self.network.into(node):
            rate = channel.consumes
            last = total(rate, done + count - 1) - total(rate, done) + channel.needed(done + count - 1)
            reads.append(f"u{channel.number}")
            self.line(f"u{channel.number} = {self._array(channel)}[{start(rate)} : {start(rate)} + {last}]")
        writes = [f"t{node.number}_{port}" for port in range(len(node.produces))]
        sizes = [total(rate, done + count) - total(rate, done) for rate in node.produces]
        for port, (name, size) in enumerate(zip(writes, sizes, strict=True)):
            self.line(f"{name} = np.empty({size}, {self._dtype(self.types.ports[node, port])})")
        self.hosts[node].copies = (1,) * len(writes)
        self._step_of_python(node, done % node.phases, str(count), ["0"] * len(writes), reads, writes)
        for port, (name, size) in enumerate(zip(writes, sizes, strict=True)):
            for array, base in self._targets(node, port):
                self.copy_loop(size, f"{array}[{base}{start(node.produces[port])} + k] = {name}[k]")

    def _step_of_python(
        self, node: Node, phase: int, count: str, bases: list[str], reads: list[str], writes: list[str]
    ) -> None:
        self.globals[f"_h{node.number}"] = self.hosts[node]
        lent = f"reads=({_items(reads)}), writes=({_items(writes)})"
        given = f"({_items(bases)}), ({_items(reads)}), ({_items(writes)})"
        self.line(f"python(_h{node.number}, run, {phase}, {count}, {given}, {lent})")


def _items(names: list[str]) -> str:
    return "".join(f"{name}, " for name in names).strip() if names else ""
