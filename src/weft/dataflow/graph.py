"""A graph: found by calling a function with streams, checked, put in order, and compiled to one program."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow import drawing, listing
from weft.dataflow.analysis.infer import Types, infer
from weft.dataflow.analysis.network import Network, Node
from weft.dataflow.analysis.schedule import Schedule, schedule
from weft.dataflow.analysis.simulation import Simulation, simulate
from weft.dataflow.errors import GraphError
from weft.dataflow.streams import Stream, close_loops, connect, traced
from weft.errors import ArgumentError

if TYPE_CHECKING:
    from weft.dataflow.running.engine import Programs
    from weft.dataflow.running.forecast import Forecast
    from weft.dataflow.running.profiling import ActorTimes
    from weft.dataflow.running.run import Run


class Graph:
    """A stream program; see `graph`.

    Attributes
    ----------
    name
        That of the function.
    schedule
        The repetition vector and the order of a period.
    types
        The types of all tokens.
    """

    def __init__(self, function: Callable[..., Any], inputs: dict[str, Any], device: str | None) -> None:
        self.function = function
        self.device = device
        self.name = getattr(function, "__name__", "unnamed").replace("<lambda>", "unnamed")
        self.network = Network()
        self.inputs: dict[str, Node] = {}
        self.outputs: list[Node] = []
        self.is_single = True
        self._trace(inputs)
        self.schedule: Schedule = schedule(self.network)
        self.types: Types = infer(self.network, {node: inputs[name] for name, node in self.inputs.items()})

    def _trace(self, inputs: dict[str, Any]) -> None:
        """Call the function once, with a stream for each input."""
        parameters = list(inspect.signature(self.function).parameters)
        if set(inputs) != set(parameters):
            raise ArgumentError(
                f"{self.name} has the inputs {', '.join(parameters) or 'nothing'}",
                argument=next(iter(set(inputs) ^ set(parameters))),
                hint="say the type of each: dataflow.graph(f, samples=np.float32)",
            )
        with traced(self.network):
            for name in parameters:
                self.inputs[name] = self.network.add(name, "input", produces=((1,),))
            result = self.function(*(Stream(self.network, self.inputs[name]) for name in parameters))
            self._place_outputs(result)
            close_loops()
        self._check_used()

    def _place_outputs(self, result: Any) -> None:
        self.is_single = not isinstance(result, tuple)
        streams = result if isinstance(result, tuple) else () if result is None else (result,)
        for position, stream in enumerate(streams):
            if not isinstance(stream, Stream):
                raise GraphError(
                    f"{self.name} returns {type(stream).__name__}", hint="return a stream, or a tuple of streams"
                )
            node = self.network.add(f"output_{position + 1}", "output", consumes=((1,),), peeks=(1,))
            connect(stream, node, 0)
            self.outputs.append(node)

    def _check_used(self) -> None:
        if not self.outputs and not any(node.actor is not None and node.actor.is_python for node in self.network.nodes):
            raise GraphError(f"{self.name} returns no stream", hint="return what is to come out")
        for node in self.network.nodes:
            if node.kind == "input" and not self.network.out_of(node):
                raise GraphError(f"the input {node.name} is not used", hint="leave it out, or pass it to an actor")

    # ---------------------------------------------------------------------------------------------------- answers

    @property
    def repetitions(self) -> dict[str, int]:
        """The repetition vector: the firings of each actor in a period."""
        counts = self.schedule.repetitions
        return {node.name: counts[node.number] for node in self.network.nodes if node.kind not in ("input", "output")}

    def period(self, name: str) -> int:
        """The tokens of an input or output in a period."""
        node = self.inputs.get(name) or next(node for node in self.outputs if node.name == name)
        return self.schedule.repetitions[node.number]

    def buffers(self, periods: int = 1) -> dict[str, int]:
        """The most tokens in each channel between actors when so many periods run together."""
        bounds = self.schedule.buffers(periods)
        ends = ("input", "output")
        return {
            c.name: bounds[c.number]
            for c in self.network.channels
            if c.source.kind not in ends and c.target.kind not in ends
        }

    def bytes_of_period(self) -> int:
        """The memory that a period adds to the channels of the compiled program."""
        return sum(
            bound * np.dtype(self.types.of(channel)).itemsize
            for channel, bound in zip(self.network.channels, self.schedule.buffers(), strict=True)
        )

    def simulate(self, periods: int = 1) -> Simulation:
        """The firings of so many periods in their order, and what each channel holds, without running anything."""
        return simulate(self.schedule, periods)

    def draw(self, times: ActorTimes | None = None) -> str:
        """The graph as SVG: actors, rates, buffers, devices; with what `profile` gave, also the share of the time."""
        return drawing.svg(self, times)

    def forecast(self, latency: float | None = None, memory: int | None = None) -> Forecast:
        """The periods of a batch, their time and the rate, as the cost of the program predicts them.

        Parameters
        ----------
        latency, memory
            As for `start`.
        """
        from weft.dataflow.running.forecast import forecast

        return forecast(self, latency, memory)

    def profile(self, *sources: Any, **named: Any) -> ActorTimes:
        """Run over whole streams, and say how long each actor took.

        The program tells the time between its loops, so actors that fire in one loop are together.

        Parameters
        ----------
        *sources, **named
            As for a call.
        """
        from weft.dataflow.running.profiling import profile

        return profile(self, sources, named)

    def _repr_svg_(self) -> str:
        return self.draw()

    def __str__(self) -> str:
        return listing.text(self)

    def __repr__(self) -> str:
        return f"<graph {self.name}>"

    # ------------------------------------------------------------------------------------------------------ running

    @functools.cached_property
    def programs(self) -> Programs:
        """The compiled program, and the one that fills windows first where that is needed."""
        from weft.dataflow.running.engine import Programs

        return Programs(self)

    @property
    def source(self) -> str:
        """The program that Weft compiles."""
        return self.programs.steady.text

    def __call__(self, *sources: Any, **named: Any) -> Any:
        """Run over streams: gives an iterator over what comes out, array by array.

        Parameters
        ----------
        *sources, **named
            What goes into each input: an array of any length, an iterator of arrays or numbers, an open binary file,
            or an async iterator (the result is one too then). In the function of another graph: streams, and the
            graph becomes a part of that one.
        """
        options = _options(named)
        given = self.bind(sources, named)
        if given and all(isinstance(value, Stream) for value in given.values()):
            return self.function(*given.values())
        from weft.dataflow.running import feeding

        return feeding.outputs(self, given, options)

    def bind(self, sources: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        """The source of each input.

        Raises
        ------
        ArgumentError
            There is none for an input, or no input for one.
        """
        given = dict(zip(self.inputs, sources, strict=False)) | named
        if len(sources) + len(named) != len(self.inputs) or set(given) != set(self.inputs):
            raise ArgumentError(
                f"{self.name} takes the inputs {', '.join(self.inputs)}", hint="pass one source for each"
            )
        return {name: given[name] for name in self.inputs}

    def collect(self, *sources: Any, **named: Any) -> Any:
        """Run over whole streams and give all that comes out: an array for each output."""
        from weft.dataflow.running import feeding

        options = _options(named)
        found = feeding.collected(self, self.bind(sources, named), options)
        return found[0] if self.is_single and self.outputs else found

    def dtype_out(self, position: int) -> Any:
        """The type of the tokens of an output."""
        (channel,) = self.network.into(self.outputs[position])
        return self.types.of(channel)

    def start(
        self,
        *,
        latency: float | None = None,
        capacity: int | None = None,
        tail: str = "error",
        memory: int | None = None,
    ) -> Run:
        """Start a run that is fed and emptied by hand, from any threads.

        Parameters
        ----------
        latency
            Seconds that a token may wait for others, so that several periods run together; by default a token waits
            until somebody pops, or the batch is full.
        capacity
            Periods that the ports hold; a push blocks where all are full.
        tail
            What becomes of tokens that fill no period when the run is closed: ``"error"``, ``"drop"`` or ``"pad"``
            (zeros follow).
        memory
            Bytes that channels may take.
        """
        from weft.dataflow.running.run import Run

        return Run(self, latency=latency, capacity=capacity, tail=tail, memory=memory)

    def __iter__(self) -> Iterator[Any]:
        raise GraphError("a graph is called with its sources", hint="for block in graph(samples): ...")


def _options(named: dict[str, Any]) -> dict[str, Any]:
    """The options of a run, which it removes from the keyword arguments."""
    return {key: named.pop(key) for key in ("tail", "latency", "memory") if key in named}


def graph(function: Callable[..., Any], /, *, device: str | None = None, **inputs: Any) -> Graph:
    """Make a stream program of a function that calls actors with streams.

    Parameters
    ----------
    function
        Called once, with a stream for each parameter. It returns a stream, or a tuple of streams.
    device
        Where loops run whose actors name no device; as for `weft.jit`.
    **inputs
        The dtype of the tokens of each parameter.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError
        Rates that do not agree, a cycle that cannot start, streams that lead nowhere.
    ActorError
        An actor that gives something else than it says.

    Examples
    --------
    >>> import numpy as np
    >>> from weft import dataflow
    >>> @dataflow.actor(consumes=2, produces=1)
    ... def mean(pair):
    ...     return (pair[0] + pair[1]) / 2
    >>> halved = dataflow.graph(lambda x: mean(x), x=np.float64)
    >>> halved.collect(np.arange(6.0))
    array([0.5, 2.5, 4.5])
    """
    if not callable(function):
        raise ArgumentError(f"dataflow.graph takes a function, not {function!r}", argument="function")
    return Graph(function, inputs, device)
