"""Sources of many kinds as arrays of tokens, and the outputs of a graph over them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataflow.errors import StreamError

if TYPE_CHECKING:
    from weft.dataflow.graph import Graph
    from weft.dataflow.running.run import Run

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


def blocks(run: Run, sources: dict[str, Any]) -> Iterator[Any]:
    """What comes out of a run that is fed from sources, to their end."""
    feeds = {name: chunks(source, run.inputs[name].dtype) for name, source in sources.items()}
    while feeds:
        for name in list(feeds):
            chunk = next(feeds[name], None)
            if chunk is None:
                del feeds[name]
            else:
                run.inputs[name].put(chunk)
        yield from run.ready()
    run.finish()
    yield from run.ready()


async def _outputs_async(graph: Graph, sources: dict[str, Any], options: dict[str, Any]) -> AsyncIterator[Any]:
    run = graph.start(capacity=0, **options)
    feeds = {name: _anext(source, run.inputs[name].dtype) for name, source in sources.items()}
    try:
        while feeds:
            for name in list(feeds):
                chunk = await anext(feeds[name], None)
                if chunk is None:
                    del feeds[name]
                else:
                    run.inputs[name].put(chunk)
            for block in run.ready():
                yield block
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
        yield tokens(np.asarray(source), dtype)
    else:
        for item in source:
            yield tokens(item, dtype)


def _read(file: Any, dtype: Any) -> Iterator[Any]:
    while data := file.read(CHUNK * dtype.itemsize):
        if isinstance(data, str):
            raise StreamError("the file is open as text", hint='open it by open(path, "rb")')
        if len(data) % dtype.itemsize:
            raise StreamError(
                f"the file ends in the middle of a token: {len(data) % dtype.itemsize} bytes are left, and a {dtype} "
                f"has {dtype.itemsize}",
                hint="check the type of the input",
            )
        yield np.frombuffer(data, dtype)


def tokens(item: Any, dtype: Any) -> Any:
    """What was given as a vector of tokens of the type of a port.

    Raises
    ------
    StreamError
        It is of another type or shape.
    """
    array = np.atleast_1d(np.asarray(item))
    if array.ndim > 1:
        raise StreamError(
            f"an array of shape {array.shape} is no part of a stream", hint="pass a vector of tokens: a.ravel()"
        )
    if array.dtype != dtype:
        weak = isinstance(item, (bool, int, float, complex))
        is_integer = isinstance(item, int) and np.dtype(dtype).kind in "iu"
        if not is_integer and not (weak and np.can_cast(array.dtype, dtype, "same_kind")):
            raise StreamError(
                f"tokens of {array.dtype} are pushed into a stream of {np.dtype(dtype)}",
                hint=f"convert them: a.astype(np.{np.dtype(dtype).name})",
            )
        try:
            array = np.atleast_1d(np.array(item, dtype))
        except OverflowError:
            raise does_not_fit(item, dtype) from None
    return array


def does_not_fit(number: Any, dtype: Any) -> StreamError:
    """The error for a number of Python's that a stream of integers cannot hold."""
    info, name = np.iinfo(dtype), np.dtype(dtype).name
    return StreamError(
        f"the token {number} does not fit into a stream of {name}",
        cause=f"{name} holds numbers from {info.min} to {info.max}",
        hint="make a stream of a wider type",
    )
