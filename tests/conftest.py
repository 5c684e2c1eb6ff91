"""What all tests share: a store of their own on disk, the markers, and the update of expected texts."""

from __future__ import annotations

import functools
import gc
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.costs", "tests.tiers"]

settings.register_profile("fast", max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", settings.get_profile("fast"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

_temporary = pytest.StashKey[tempfile.TemporaryDirectory[str]]()
_ASKED_FOR = ("gpu", "slow", "sanitize", "huge")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the expected texts instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    """Keep the user's store out of the tests, and the tests out of the user's store.

    A run starts with an empty store, unless `WEFT_TEST_STORE` names a folder that an earlier run filled. All processes
    of a run share it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs behind it so
        signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = os.environ.get("WEFT_TEST_STORE")
    if folder is None:
        config.stash[_temporary] = tempfile.TemporaryDirectory(prefix="weft-tests-")
        folder = os.environ["WEFT_TEST_STORE"] = config.stash[_temporary].name
    os.environ["WEFT_CACHE_DIR"] = folder
    # PoCL compiles a kernel when it is asked for its binary, and again for the grid of a launch.
    os.environ.setdefault("POCL_WORK_GROUP_SPECIALIZATION", "0")


def pytest_unconfigure(config: pytest.Config) -> None:
    if _temporary in config.stash:
        config.stash[_temporary].cleanup()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs only when asked for by `-m`."""
    if config.option.markexpr:
        return
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in _ASKED_FOR)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


def pytest_collection_finish() -> None:
    """Do not look for garbage among the tests themselves, again and again: there are tens of thousands."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("opencl") and not os.environ.get("CI") and not _has_opencl():
        pytest.skip("there is no OpenCL platform on this machine")


@functools.cache
def _has_opencl() -> bool:
    try:
        import pyopencl

        return bool(pyopencl.get_platforms())
    except Exception:
        return False


@pytest.fixture(scope="session", autouse=True)
def _on_the_processor() -> Iterator[None]:
    """Calls that name no device run on the processor: no figures are in the store, and no driver is seen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("weft.runtime.devices.speeds.has_driver", lambda: False)
        yield


@pytest.fixture
def on_four_threads() -> Iterator[None]:
    """Every loop on four threads, however short it is."""
    from weft.runtime import _stub

    _stub.set_grain(0.0)
    _stub.set_threads(4)
    yield
    _stub.set_threads(0)
    _stub.set_grain(1e4)


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty store on disk for one test alone; processes that the test starts see it too."""
    folder = tmp_path / "store"
    monkeypatch.setenv("WEFT_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def golden(update_golden: bool) -> Callable[[Path, str], None]:
    """Compare a text with the expected one in a file, or write it there."""

    def check(path: Path, text: str) -> None:
        if update_golden:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path} is missing; `make golden` writes it"
        assert text == path.read_text(encoding="utf-8")

    return check
