"""Sources of many kinds as arrays of tokens, and the outputs of a graph over them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.errors import StreamError

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph
    from weft.dataflow.running.ports import InPort
    from weft.dataflow.running.run import Run

_PYTHONS = {bool: "b", int: "i", float: "f", complex: "c"}

CHUNK = 1 << 16
"""Tokens that are read from a file at once."""


def outputs(graph: Graph, sources: dict[str, Any], options: dict[str, Any]) -> Any:
    """An iterator over what comes out of a graph: an async one where a source is."""
    if any(hasattr(source, "__aiter__") for source in sources.values()):
        return _outputs_async(graph, sources, options)
    return _outputs(graph, sources, options)


def _outputs(graph: Graph, sources: dict[str, Any], options: dict[str, Any]) -> Iterator[Any]:
    run = graph.start(capacity=0, **options)
    try:
        yield from blocks(run, sources)
    finally:
        run.abandon()


def collected(graph: Graph, sources: dict[str, Any], options: dict[str, Any]) -> tuple[Any, ...]:
    """All that comes out of a graph: an array for each output.

    Arrays are read in place, and each output of known length is written into one array, so nothing is copied.
    """
    run = graph.start(capacity=0, **options)
    try:
        lent = bool(sources) and all(isinstance(s, np.ndarray) and s.ndim == 1 for s in sources.values())
        if lent:
            run.expect({name: len(source) for name, source in sources.items()})
        parts = list(blocks(run, sources, lent))
        if graph.is_single:
            parts = [(part,) for part in parts]
        return tuple(run.joined(port, [part[k] for part in parts]) for k, port in enumerate(run.outputs))
    finally:
        run.abandon()


def blocks(run: Run, sources: dict[str, Any], lent: bool = False) -> Iterator[Any]:
    """What comes out of a run that is fed from sources to their end.

    If a source raises, the results of the tokens before come out first.

    Parameters
    ----------
    run, sources
        The run, and what goes into each of its inputs.
    lent
        Whether arrays among the sources stay unchanged to the end. Otherwise the caller may change an array between
        two results, so the rest of it is copied before a result is given.
    """
    feeds = {name: chunks(source, run.inputs[name].dtype) for name, source in sources.items()}
    lasting = {name for name, source in sources.items() if lent and isinstance(source, np.ndarray)}
    at_once = lasting | set(feeds if len(feeds) == 1 else ())
    if run.keeps_tokens:
        at_once = set()
    failure: Exception | None = None
    while feeds and failure is None:
        given: list[tuple[InPort, Any]] = []
        try:
            for name in list(feeds):
                chunk = next(feeds[name], None)
                if chunk is not None and name in at_once:
                    run.inputs[name].append(chunk)
                    given += [(run.inputs[name], chunk)] * (name not in lasting)
                else:
                    _put(run, feeds, name, chunk)
        except Exception as error:
            failure = error
        for block in run.ready():
            for port, chunk in given:
                port.keep(chunk)
            yield block
        for port, chunk in given:
            port.keep(chunk)
    if failure is not None:
        raise failure
    run.finish()
    yield from run.ready()


def _put(run: Run, feeds: dict[str, Any], name: str, chunk: Any) -> None:
    if chunk is None:
        del feeds[name]
    else:
        run.inputs[name].put(chunk)


async def _outputs_async(graph: Graph, sources: dict[str, Any], options: dict[str, Any]) -> AsyncIterator[Any]:
    run = graph.start(capacity=0, **options)
    feeds = {name: _anext(source, run.inputs[name].dtype) for name, source in sources.items()}
    failure: Exception | None = None
    try:
        while feeds and failure is None:
            try:
                for name in list(feeds):
                    _put(run, feeds, name, await anext(feeds[name], None))
            except Exception as error:
                failure = error
            for block in run.ready():
                yield block
        if failure is not None:
            raise failure
        run.finish()
        for block in run.ready():
            yield block
    finally:
        run.abandon()


async def _anext(source: Any, dtype: Any) -> AsyncIterator[Any]:
    if hasattr(source, "__aiter__"):
        async for item in source:
            yield tokens(item, dtype)
    else:
        for chunk in chunks(source, dtype):
            yield chunk


def chunks(source: Any, dtype: Any) -> Iterator[Any]:
    """A source as arrays of tokens."""
    if isinstance(source, np.ndarray) or hasattr(type(source), "__weft_type__") or np.isscalar(source):
        yield tokens(source, dtype)
    elif hasattr(source, "read"):
        yield from _read(source, np.dtype(dtype))
    elif isinstance(source, (list, tuple)) and all(np.isscalar(item) for item in source):
        yield tokens(source, dtype)
    else:
        for item in _items(source):
            yield tokens(item, dtype)


def _items(source: Any) -> Iterator[Any]:
    try:
        return iter(source)
    except TypeError:
        raise StreamError(
            f"a source is no {type(source).__name__}", hint="pass an array, an iterator of arrays or an open file"
        ) from None


def _read(file: Any, dtype: Any) -> Iterator[Any]:
    rest = b""  # pipes and sockets give what there is, which may end in a token
    while data := file.read(CHUNK * dtype.itemsize):
        if isinstance(data, str):
            raise StreamError("the file is open as text", hint='open it by open(path, "rb")')
        data = rest + data if rest else data
        whole = len(data) // dtype.itemsize
        yield np.frombuffer(data, dtype, whole)
        rest = data[whole * dtype.itemsize :]
    if rest:
        raise StreamError(
            f"the file ends in the middle of a token: {len(rest)} bytes are left, and a {dtype} has {dtype.itemsize}",
            hint="check the type of the input",
        )


def tokens(item: Any, dtype: Any) -> Any:
    """What was given as a vector of tokens of the type of a port.

    Raises
    ------
    StreamError
        It is of another type or shape.
    """
    if isinstance(item, (list, tuple)) and all(type(number) in _PYTHONS for number in item):
        return _adapted(item, np.dtype(dtype))
    if isinstance(item, (bytes, bytearray)):
        return _bytes(item, np.dtype(dtype))
    array = np.atleast_1d(np.asarray(item))
    if array.ndim > 1:
        raise StreamError(
            f"an array of shape {array.shape} is no part of a stream", hint="pass a vector of tokens: a.ravel()"
        )
    if array.dtype != dtype:
        if type(item) in _PYTHONS:
            return _adapted([item], np.dtype(dtype))
        raise _of_another_type(array.dtype, np.dtype(dtype))
    return array


def _bytes(item: bytes | bytearray, dtype: Any) -> Any:
    """Bytes as tokens of the type that they have."""
    if dtype != np.uint8:
        raise StreamError(
            f"bytes are pushed into a stream of {dtype}",
            hint=f"say what they are: np.frombuffer(data, np.{dtype.name})",
        )
    return np.frombuffer(item, dtype)


def _adapted(items: Sequence[Any], dtype: Any) -> Any:
    """Python's numbers as tokens: they take the type of the stream, as beside NumPy's numbers."""
    kind = max((_PYTHONS[type(item)] for item in items), default="b", key="bifc".index)
    if "bifc".index(kind) > "bifc".index(dtype.kind.replace("u", "i")):
        raise _of_another_type(np.asarray(items).dtype, dtype)
    try:
        return np.array(items, dtype)
    except OverflowError:
        raise does_not_fit(next(item for item in items if not fits(item, dtype)), dtype) from None


def _of_another_type(found: Any, dtype: Any) -> StreamError:
    return StreamError(
        f"tokens of {found} are pushed into a stream of {dtype}", hint=f"convert them: a.astype(np.{dtype.name})"
    )


def does_not_fit(number: Any, dtype: Any) -> StreamError:
    """The error for a number of Python's that a stream of integers cannot hold."""
    info, name = np.iinfo(dtype), np.dtype(dtype).name
    return StreamError(
        f"the token {number} does not fit into a stream of {name}",
        cause=f"{name} holds numbers from {info.min} to {info.max}",
        hint="make a stream of a wider type",
    )


def fits(token: Any, dtype: Any) -> bool:
    """Whether a type of integers holds a number of Python's."""
    info = np.iinfo(dtype)
    return bool(info.min <= token <= info.max)
