"""Streams: what a graph function sees of its channels while it is called once, to find the graph."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.analysis.network import Network, Node
from weft.dataflow.analysis.rates import Rate, rate_of
from weft.dataflow.errors import GraphError
from weft.errors import ArgumentError

if TYPE_CHECKING:
    from weft.dataflow.actors import Actor


@dataclass(frozen=True, eq=False)
class Stream:
    """Tokens that a port of a node produces, behind those that are there from the start."""

    network: Network
    node: Node | None
    port: int = 0
    initial: tuple[Any, ...] = ()
    loop: Feedback | None = None

    def __bool__(self) -> bool:
        raise GraphError("a graph does not depend on its tokens", hint="put the `if` into an actor")

    def __iter__(self) -> Any:
        raise GraphError("a stream is not iterated over in a graph", hint="write an actor with the rate that you want")

    def _compute(self, *_: Any, **__: Any) -> Any:
        raise GraphError(
            "a graph only connects streams: their tokens are numbers in actors alone",
            hint="write an actor: plus = dataflow.actor(lambda a, b: a + b), and call it with the streams",
        )

    __array_ufunc__ = __getitem__ = __neg__ = __abs__ = __invert__ = __len__ = __float__ = __int__ = _compute
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _compute
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _compute
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rshift__ = _compute
    __lt__ = __le__ = __gt__ = __ge__ = _compute


@dataclass(eq=False)
class Feedback:
    """A stream of what comes later; see `feedback`."""

    network: Network
    stream: Stream = field(init=False)
    fed: Stream | None = None
    waiting: list[tuple[Node, int, tuple[Any, ...]]] = field(default_factory=list)


_tracing = threading.local()


def tracing() -> Network:
    """The network of the graph function that is being called."""
    network = getattr(_tracing, "network", None)
    if network is None:
        raise GraphError("there is no graph here", hint="call it in a function that is given to dataflow.graph")
    assert isinstance(network, Network)
    return network


def is_tracing() -> bool:
    """Whether a graph function is being called."""
    return getattr(_tracing, "network", None) is not None


class traced:  # noqa: N801 - a context manager
    """Streams made inside belong to a network."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def __enter__(self) -> None:
        self.outer = getattr(_tracing, "network", None)
        self.loops = getattr(_tracing, "loops", [])
        _tracing.network, _tracing.loops = self.network, []

    def __exit__(self, *_: object) -> None:
        _tracing.network, _tracing.loops = self.outer, self.loops


def open_loops() -> list[Feedback]:
    """The feedback streams of the graph function that is being called."""
    loops: list[Feedback] = _tracing.loops
    return loops


def connect(stream: Stream, node: Node, port: int) -> None:
    """Lead a stream to a port."""
    if stream.network is not tracing():
        raise GraphError(
            "a stream of another graph is used here", hint="pass it through an argument of the graph function"
        )
    if stream.loop is not None:
        stream.loop.waiting.append((node, port, stream.initial))
    else:
        assert stream.node is not None
        stream.network.connect(stream.node, node, stream.initial, stream.port, port)


def place_actor(actor: Actor, streams: Sequence[Stream]) -> Any:
    """A new node for an actor, and the streams that it produces."""
    node = tracing().add(
        actor.name, consumes=actor.consumes, produces=actor.produces, peeks=actor.peeks, actor=actor
    )  # fmt: skip
    return _placed(node, streams)


def _placed(node: Node, streams: Sequence[Stream]) -> Any:
    for port, stream in enumerate(streams):
        connect(stream, node, port)
    found = tuple(Stream(tracing(), node, port) for port in range(len(node.produces)))
    return found[0] if len(found) == 1 else found or None


def delay(stream: Stream, initial: Any) -> Stream:
    """The stream behind tokens that are there from the start.

    Parameters
    ----------
    stream
        What follows them.
    initial
        A number for one token, or a sequence of tokens, the first one first.
    """
    _check_stream(stream, "delay")
    return Stream(stream.network, stream.node, stream.port, (*_tokens(initial), *stream.initial), stream.loop)


def _tokens(initial: Any) -> tuple[Any, ...]:
    """First tokens, one by one; Python's numbers stay what they are: they adapt to the stream."""
    found = np.atleast_1d(np.asarray(initial))
    if found.ndim > 1 or found.dtype.kind not in "biufc":
        raise ArgumentError(
            f"{initial!r} is no sequence of tokens", argument="initial", hint="pass a number, or a list of numbers"
        )
    given = initial if isinstance(initial, (list, tuple)) else (initial,)
    return tuple(given if all(type(token) in (bool, int, float, complex) for token in given) else found)


def feedback(initial: Any = ()) -> Any:
    """A stream of what an actor will produce later, behind the tokens `initial`.

    Returns
    -------
    stream, feed
        The stream, and a function that is called once with the stream that closes the loop.
    """
    loop = Feedback(tracing())
    loop.stream = Stream(loop.network, None, 0, _tokens(initial), loop)
    open_loops().append(loop)

    def feed(stream: Stream) -> None:
        _check_stream(stream, "feed")
        if stream.loop is loop or loop.fed is not None:
            raise GraphError("a feedback stream is fed once, by what an actor produces")
        loop.fed = stream

    return loop.stream, feed


def close_loops() -> None:
    """Connect what uses feedback streams to what feeds them."""
    for loop in open_loops():
        fed = loop.fed
        if fed is None or fed.loop is not None:
            raise GraphError(
                "a feedback stream is never fed", hint="call the second result of feedback(...) with a stream"
            )
        assert fed.node is not None
        for node, port, initial in loop.waiting:
            loop.network.connect(fed.node, node, (*initial, *fed.initial), fed.port, port)


def split(stream: Stream, weights: Sequence[int] = (1, 1)) -> tuple[Stream, ...]:
    """Deal the tokens of a stream to several in turn: so many to the first, so many to the second ...

    A stream that is used in several places is duplicated.
    """
    _check_stream(stream, "split")
    rates = _weights(weights)
    node = tracing().add("split", "split", consumes=((sum(sum(r) for r in rates),),), produces=rates)
    placed = _placed(node, [stream])
    return placed if isinstance(placed, tuple) else (placed,)


def join(*streams: Stream, weights: Sequence[int] | None = None) -> Stream:
    """Make one stream of several: so many tokens of the first, so many of the second ..., in turn."""
    for stream in streams:
        _check_stream(stream, "join")
    rates = _weights(weights or (1,) * len(streams))
    if len(rates) != len(streams) or not streams:
        raise ArgumentError(f"{len(rates)} weights for {len(streams)} streams", argument="weights")
    node = tracing().add("join", "join", consumes=rates, produces=((sum(sum(r) for r in rates),),))
    joined: Stream = _placed(node, streams)
    return joined


def _weights(given: Sequence[int]) -> tuple[Rate, ...]:
    """The tokens of each stream in a turn."""
    found = tuple(rate_of(weight, "weights") for weight in given)
    for weight, rate in zip(given, found, strict=True):
        if len(rate) > 1:
            raise ArgumentError(
                f"{weight!r} is no weight",
                argument="weights",
                cause="a turn gives each stream the same number of tokens every time",
                hint="say one positive number for each stream",
            )
    return found


def _check_stream(stream: object, name: str) -> None:
    if not isinstance(stream, Stream):
        raise ArgumentError(
            f"dataflow.{name} takes a stream, not {type(stream).__name__}",
            hint="streams are the arguments of the graph function and what actors give",
        )
