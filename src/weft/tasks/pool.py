"""Threads that run independent functions: `submit` one, or `invoke` several and wait."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from weft.errors import ArgumentError
from weft.runtime.dispatch.specialisation import seconds_of
from weft.tasks.futures import Future

T = TypeVar("T")


@functools.cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The threads of this process: a forked child has its own."""
    return ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1), thread_name_prefix="weft")


def submit(function: Callable[..., T], *args: Any, timeout: float | None = None, **kwargs: Any) -> Future[T]:
    """Call a function on another thread. Compiled functions run beside one another; plain Python shares Python's lock.

    Parameters
    ----------
    function, *args, **kwargs
        The call.
    timeout
        Seconds that a compiled program in it may take.

    Returns
    -------
    Future
        Its ``result()`` waits; ``cancel()`` stops compiled code within a second.

    Examples
    --------
    >>> import weft
    >>> weft.submit(pow, 2, 10).result()
    1024
    """
    _check_callable(function)
    future: Future[T] = Future(functools.partial(function, *args, **kwargs), seconds_of(timeout))
    _pool(os.getpid()).submit(future.run)
    return future


def invoke(*functions: Callable[[], Any], threads: int | None = None, timeout: float | None = None) -> tuple[Any, ...]:
    """Run independent functions at once and wait for all.

    Parameters
    ----------
    *functions
        Functions of no arguments.
    threads
        How many run at once at most.
    timeout
        Seconds that each may take, as for `submit`.

    Returns
    -------
    tuple
        Their results, in order.

    Raises
    ------
    Exception
        What the first of them raised that failed, in the order of the arguments. Those that had not begun when one
        failed never do; those that run are cancelled.

    Examples
    --------
    >>> import weft
    >>> weft.invoke(lambda: 1 + 1, lambda: "b" * 2)
    (2, 'bb')
    """
    for function in functions:
        _check_callable(function)
    if threads is not None and threads < 1:
        raise ArgumentError(f"{threads} threads cannot run anything", argument="threads", hint="say 1 or more")
    futures: list[Future[Any]] = [Future(function, seconds_of(timeout)) for function in functions]
    with ThreadPoolExecutor(max_workers=threads or max(1, len(futures)), thread_name_prefix="weft") as pool:
        for future in futures:
            future.add_done_callback(functools.partial(_cancel_others, futures))
            pool.submit(future.run)
    failed = [future for future in futures if future.cancelled() or future.exception() is not None]
    for future in failed:
        if not future.cancelled():
            future.result()
    return tuple(future.result() for future in futures)


def _cancel_others(futures: list[Future[Any]], done: Future[Any]) -> None:
    if not done.cancelled() and done.exception() is not None:
        for future in futures:
            if future is not done:
                future.cancel()


def _check_callable(function: object) -> None:
    if not callable(function):
        raise ArgumentError(
            f"{function!r} cannot be called", argument="function", hint="pass a function, not its result"
        )
