"""Types of tokens: those of the graph's inputs are said, all others follow from what the actors do.

Each compiled actor is translated for the types of its inputs, and what it returns is compared with what it says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weft.dataflow.actors import Actor
from weft.dataflow.analysis.changes import changes_more
from weft.dataflow.analysis.network import Channel, Network, Node
from weft.dataflow.analysis.rates import Rate
from weft.dataflow.analysis.schedule import components
from weft.dataflow.errors import ActorError, GraphError
from weft.errors import ArgumentError
from weft.frontend import build
from weft.frontend.source.signature import ArgumentType, describe
from weft.ir.interface import Returns
from weft.ir.nodes import Program, Raise
from weft.ir.types import Scalar, View, element_of, scalar_of
from weft.ir.visit import walk

Type = Any
"""A `numpy.dtype`."""

READ_ONLY = "assignment destination is read-only"
"""What the frontend has a store to a read-only array raise."""

NUMBERS = (bool, int, float, complex)
"""The types of Python's numbers, each of which adapts to those behind it."""

ROUNDS = 4
"""Times that a state may change its type before it must stay."""


@dataclass(frozen=True)
class Types:
    """What flows.

    Attributes
    ----------
    ports
        The dtype of each output port.
    states
        The first state of each actor, in the types that it keeps.
    lasting
        The compiled actors whose firings change something outside of the graph, or call Python.
    """

    ports: dict[tuple[Node, int], Type]
    states: dict[Node, Any]
    lasting: set[Node] = field(default_factory=set)

    def of(self, channel: Channel) -> Type:
        """The dtype of the tokens of a channel."""
        return self.ports[channel.source, channel.source_port]


def infer(network: Network, inputs: dict[Node, Type]) -> Types:
    """The types of all tokens.

    Raises
    ------
    ActorError
        An actor gives something else than it says.
    """
    found = Types({}, {})
    for node, dtype in inputs.items():
        found.ports[node, 0] = _type_of_tokens(node, dtype)
    for part in components(network):
        _infer_part(network, part, found)
    for channel in network.channels:
        _check_initial(channel, found)
    return found


def _type_of_tokens(node: Node, given: Any) -> Type:
    try:
        dtype = np.dtype(given)
        scalar_of(dtype)
    except (TypeError, KeyError):
        raise ArgumentError(
            f"{given!r} is no type of tokens", argument=node.name, hint="say np.float32 or another type of numbers"
        ) from None
    return dtype


def _infer_part(network: Network, part: list[Node], found: Types) -> None:
    """The types of a component. In a cycle, what comes round may be of another type than the first tokens."""
    order = _by_known(network, part, found)
    inside = [c for node in part for c in network.into(node) if c.source in part]
    for _ in range(ROUNDS):
        assumed = {c: _type_into(c, found) for c in inside if c.initial}
        for node in order:
            _infer_node(network, node, found)
        if all(found.of(channel) == dtype for channel, dtype in assumed.items()):
            return
    raise GraphError(
        f"the tokens in the cycle of {', '.join(node.name for node in part)} have another type after every round",
        hint="convert what goes back to one type",
    )


def _by_known(network: Network, part: list[Node], found: Types) -> list[Node]:
    """The nodes of a component, each behind those whose types it needs; initial tokens tell theirs."""
    members, order = set(part), []
    left = list(part)
    while left:
        ready = next(
            (
                node
                for node in left
                if all(c.source not in members or c.source in order or c.initial for c in network.into(node))
            ),
            left[0],
        )
        order.append(ready)
        left.remove(ready)
    return order


def _type_into(channel: Channel, found: Types) -> Type:
    """The dtype of the tokens of a channel, or what is known by its first tokens: Python's numbers are weak."""
    known = found.ports.get((channel.source, channel.source_port))
    if known is not None:
        return known
    if not channel.initial:
        raise GraphError(
            f"the type of the tokens of {channel.name} is not known", hint="give the feedback stream a first token"
        )
    if all(type(token) in NUMBERS for token in channel.initial):
        return describe(max(channel.initial, key=lambda token: NUMBERS.index(type(token))))
    return np.asarray(channel.initial).dtype


def _met(dtypes: list[Type]) -> list[Type]:
    """Dtypes of tokens: weak ones become what Python's numbers become beside the others (NEP 50)."""
    others = [dtype for dtype in dtypes if not isinstance(dtype, Scalar)]
    return [np.result_type(*others, _zero(dtype)) if isinstance(dtype, Scalar) else dtype for dtype in dtypes]


def _zero(weak: Scalar) -> Any:
    """A number of Python's of a weak type."""
    return weak.dtype.type(0).item()


def _infer_node(network: Network, node: Node, found: Types) -> None:
    first = [_type_into(channel, found) for channel in network.into(node)]
    dtypes = _met(first)
    if node.kind in ("split", "join"):
        if len(set(dtypes)) > 1:
            raise GraphError(
                f"the streams that {node.name} joins have the types {', '.join(map(str, dtypes))}",
                hint="convert them by an actor first",
            )
        found.ports.update({(node, port): dtypes[0] for port in range(len(node.produces))})
    elif node.actor is not None and node.actor.is_python:
        _infer_python(node, node.actor, dtypes, found)
    elif node.actor is not None:
        arguments = [
            weak if isinstance(weak, Scalar) and is_scalar(rate, peek) else _argument(rate, peek, dtype)
            for rate, peek, weak, dtype in zip(node.consumes, node.peeks, first, dtypes, strict=True)
        ]
        _infer_compiled(node, node.actor, arguments, found)


def _infer_python(node: Node, actor: Actor, dtypes: list[Type], found: Types) -> None:
    for port, said in enumerate(actor.dtypes):
        if said is None and not dtypes:
            raise ActorError(
                f"the type of what {node.name} produces is not known", hint="say @actor(..., dtype=np.float64)"
            )
        found.ports[node, port] = said if said is not None else dtypes[0]
    found.states[node] = actor.state


def _infer_compiled(node: Node, actor: Actor, arguments: list[ArgumentType], found: Types) -> None:
    state = _settled(actor.state) if actor.has_state else None
    for _ in range(ROUNDS):
        given = [*arguments, *([describe(state, "state")] if actor.has_state else [])]
        outputs, kept = _results(node, actor, given, found)
        if not actor.has_state or _same_types(state, kept):
            break
        state = _converted(node, state, kept)
    else:
        raise ActorError(f"the state of {node.name} has another type after every firing", hint="start it as that type")
    for port, (rate, result) in enumerate(zip(node.produces, outputs, strict=True)):
        found.ports[node, port] = _token(node, port, rate, result)
    found.states[node] = state


def _argument(rate: Rate, peek: int, dtype: Type) -> ArgumentType:
    if is_scalar(rate, peek):
        return scalar_of(dtype)
    return View(element_of(dtype), 1, True, False)


def is_scalar(rate: Rate, peek: int = 1) -> bool:
    """Whether a port hands over one number, and not a vector."""
    return rate == (1,) and peek <= 1


def _results(node: Node, actor: Actor, given: list[ArgumentType], found: Types) -> tuple[list[Any], Any]:
    """The types of what an actor returns for each output, and of its next state."""
    program = build(actor.function, given)
    _check_blocks_kept(node, program)
    if changes_more(program):
        found.lasting.add(node)
    yields = iter(atom.type for atom in program.body.yields)
    result = _structure(program.returns, yields)
    items = list(result) if isinstance(result, tuple) else [] if result is None else [result]
    wanted = len(node.produces) + actor.has_state
    if len(items) != wanted:
        says = f"{len(node.produces)} output{'s' * (len(node.produces) != 1)}" + " and its state" * actor.has_state
        raise ActorError(
            f"{node.name} returns {len(items)} value{'s' * (len(items) != 1)}, and says that it has {says}",
            hint="return a value for each output" + ", and then the state" * actor.has_state,
        )
    return items[: len(node.produces)], items[-1] if actor.has_state else None


def _check_blocks_kept(node: Node, program: Program) -> None:
    """Refuse an actor that writes to its tokens: others may read them, too."""
    for statement in walk(program.body):
        if isinstance(statement, Raise) and statement.message == READ_ONLY:
            raise ActorError(
                f"{node.name} writes to its tokens, which are read-only",
                statement.location,
                cause="other actors may read the same tokens",
                hint="work on a copy: own = block.copy()",
            )


def _structure(returns: Returns, yields: Any) -> Any:
    if returns.kind == "leaf":
        return next(yields)
    if returns.kind == "several":
        return [next(yields) for _ in returns.items][0]
    if returns.kind in ("tuple", "record"):
        items = (_structure(item, yields) for item in returns.items)
        return _Record(items) if returns.kind == "record" else tuple(items)
    return None


class _Record(tuple[Any, ...]):
    """The types of the items of a named tuple, or of another record."""


def _token(node: Node, port: int, rate: Rate, result: Any) -> Type:
    what = f"output {port + 1} of {node.name}" if len(node.produces) > 1 else f"what {node.name} returns"
    if rate == (1,):
        if not isinstance(result, Scalar):
            raise ActorError(
                f"{what} is {_described(result)}, and it says that it produces 1 token",
                hint="return a number, or say produces=",
            )
        return np.dtype(result.dtype)
    if not isinstance(result, View) or result.ndim != 1 or not isinstance(result.element, Scalar):
        raise ActorError(
            f"{what} is {_described(result)}, and it says that it produces {rate if len(rate) > 1 else rate[0]} tokens",
            hint="return a vector of so many tokens",
        )
    return np.dtype(result.element.dtype)


def _described(result: Any) -> str:
    if isinstance(result, Scalar):
        return "a number"
    if isinstance(result, View):
        return f"an array with {result.ndim} dimension{'s' * (result.ndim != 1)}"
    return "a tuple" if isinstance(result, tuple) else "nothing"


# ------------------------------------------------------------------------------------------------------- states


def _settled(state: Any) -> Any:
    """A state of numbers and arrays, which are copied. Python's numbers stay what they are, as in plain Python."""
    if isinstance(state, tuple):
        return like(state, map(_settled, state))
    if isinstance(state, np.ndarray):
        return np.ascontiguousarray(state).copy()
    return state if type(state) in NUMBERS else np.asarray(state)[()]


def like(state: tuple[Any, ...], items: Iterable[Any]) -> tuple[Any, ...]:
    """Items as a tuple of the class of a state: a named tuple, if that is one."""
    made: tuple[Any, ...] = state._make(items) if _is_named(state) else tuple(items)  # type: ignore[attr-defined]
    return made


def _is_named(state: tuple[Any, ...]) -> bool:
    return hasattr(state, "_make")


def _same_types(state: Any, kept: Any) -> bool:
    if isinstance(state, tuple):
        same_length = isinstance(kept, tuple) and len(kept) == len(state)
        return same_length and _is_named(state) <= isinstance(kept, _Record) and all(map(_same_types, state, kept))
    if isinstance(state, np.ndarray):
        return isinstance(kept, View) and kept.ndim == state.ndim and kept.element == element_of(state.dtype)
    return isinstance(kept, Scalar) and kept == describe(state)


def _converted(node: Node, state: Any, kept: Any) -> Any:
    """The state in the types that a firing returns."""
    if isinstance(state, tuple) and isinstance(kept, tuple) and len(kept) == len(state):
        items = tuple(_converted(node, a, b) for a, b in zip(state, kept, strict=True))
        return like(state, items) if isinstance(kept, _Record) else items
    if isinstance(state, (np.generic, *NUMBERS)) and isinstance(kept, Scalar):
        with np.errstate(all="ignore"):
            number = np.asarray(state).astype(kept.dtype)[()]
        is_rounded = isinstance(state, (float, complex)) and np.isfinite(number) == np.isfinite(state)
        if number.item() != state and not is_rounded:
            raise ActorError(
                f"the state of {node.name} starts as {state}; after a firing it is {np.dtype(kept.dtype).name}, which "
                f"does not hold {state}",
                hint="start with a number of the type that the firings return",
            )
        return number.item() if kept.weak else number
    if isinstance(state, np.ndarray) and isinstance(kept, View) and kept.ndim == state.ndim:
        return state.astype(kept.element.dtype) if isinstance(kept.element, Scalar) else state
    raise ActorError(
        f"the state of {node.name} is {_described(kept)} after a firing, and started as {type(state).__name__}",
        hint="return a state of the form that it starts with",
    )


def _check_initial(channel: Channel, found: Types) -> None:
    wanted = found.of(channel)
    for token in channel.initial:
        if not fits(token, wanted):
            raise GraphError(
                f"{_shown(token)} is among the first tokens of {channel.name}, and {channel.source.name} produces "
                f"{wanted}",
                hint=f"give tokens that {wanted} holds",
            )


def fits(token: Any, wanted: Type) -> bool:
    """Whether a number may be a token of a type: integers keep their value, and floats adapt."""
    dtype = np.asarray(token).dtype
    if wanted.kind in "iu" and dtype.kind in "biu":
        info = np.iinfo(wanted)
        return bool(info.min <= int(token) <= info.max)
    return np.can_cast(dtype, wanted, "same_kind")


def _shown(token: Any) -> str:
    return f"{token} ({np.asarray(token).dtype})"
