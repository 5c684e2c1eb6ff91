"""The result of a call that runs on another thread."""

from __future__ import annotations

import asyncio
import builtins
import concurrent.futures
import threading
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError
from typing import Any, Generic, TypeVar

from weft.errors import TimeoutError
from weft.runtime import _stub

T = TypeVar("T")


class Future(Generic[T]):
    """What `weft.submit` gives: the result of a call, once it is there. It can be awaited, too."""

    def __init__(self, call: Callable[[], T], timeout: float) -> None:
        self._call = call
        self._timeout = timeout
        self._inner: concurrent.futures.Future[T] = concurrent.futures.Future()
        self._lock = threading.Lock()
        self._flag = 0
        self._asked = False
        self._late = False

    def run(self) -> None:
        """Do the work, on the thread of the caller."""
        if not self._inner.set_running_or_notify_cancel():
            return
        with self._lock:
            self._flag = _stub.begin_task()
        timer = threading.Timer(self._timeout, self._expire) if self._timeout else None
        if timer is not None:
            timer.start()
        result: Any = None
        failure: BaseException | None = None
        try:
            result = self._call()
        except BaseException as error:
            failure = self._shown(error)
        finally:
            with self._lock:
                flag, self._flag = self._flag, 0
                _stub.end_task(flag)
            if timer is not None:
                timer.cancel()
        if failure is not None:
            self._inner.set_exception(failure)
        else:
            self._inner.set_result(result)

    def _shown(self, error: BaseException) -> BaseException:
        """What an exception is to the caller: a program that was stopped says that it was interrupted."""
        if not isinstance(error, KeyboardInterrupt) or not (self._asked or self._late):
            return error
        if self._asked:
            return CancelledError()
        return TimeoutError(f"the call took longer than {self._timeout:g} seconds", hint="say a longer timeout=")

    def _expire(self) -> None:
        with self._lock:
            if self._flag:
                self._late = True
                _stub.stop_task(self._flag)

    def cancel(self) -> bool:
        """Stop the call: one that has not begun never does, compiled code ends within a second.

        Plain Python runs on to its end. Arrays hold what was written until then.

        Returns
        -------
        bool
            Whether the call was stopped, or was told to.
        """
        if self._inner.cancel():
            return True
        with self._lock:
            if self._flag:
                self._asked = True
                _stub.stop_task(self._flag)
        return self._asked

    def result(self, timeout: float | None = None) -> T:
        """The result; waits until it is there.

        Raises
        ------
        CancelledError
            The call was cancelled.
        TimeoutError
            It is not there after `timeout` seconds.
        """
        try:
            return self._inner.result(timeout)
        except builtins.TimeoutError:
            if self._inner.done():
                raise
            raise TimeoutError(f"the call is not done after {timeout} seconds") from None
        except concurrent.futures.TimeoutError:  # another class before Python 3.11
            raise TimeoutError(f"the call is not done after {timeout} seconds") from None

    def exception(self) -> BaseException | None:
        """What the call raised, once it is done."""
        return self._inner.exception()

    def done(self) -> bool:
        """Whether the call has ended, or never begins."""
        return self._inner.done()

    def running(self) -> bool:
        """Whether the call runs now."""
        return self._inner.running()

    def cancelled(self) -> bool:
        """Whether the call ended because it was cancelled."""
        if self._inner.cancelled():
            return True
        return self._inner.done() and isinstance(self._inner.exception(), CancelledError)

    def add_done_callback(self, function: Callable[[Future[T]], object]) -> None:
        """Call a function with this future once it is done."""
        self._inner.add_done_callback(lambda _: function(self))

    def __await__(self) -> Generator[Any, None, T]:
        return asyncio.wrap_future(self._inner).__await__()
