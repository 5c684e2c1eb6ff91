"""Copies from one GPU to another, over a driver that only pretends."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from fake_cuda import IN, OUT, SECOND, STREAM, main, pretending

import weft


def doubled(x, y):
    for i in range(x.shape[0]):
        y[i] = 2 * x[i]


def on_both():
    """The function on each device."""
    return weft.jit(doubled, device="cuda"), weft.jit(doubled, device="cuda:1")


def queued(driver):
    """Copies and launches, and what they wait for."""
    return [call for call in driver.calls() if call.split()[0] in ("in", "out", "across", "launch", "await", "finish")]


@pretending
def test_what_one_gpu_wrote_goes_to_the_other_without_the_host(driver):
    first, second = on_both()
    x, y, z = weft.array(np.arange(4.0)), weft.zeros(4), weft.zeros(4)
    first(x, y)
    second(y, z)
    driver.calls()
    first(x, y)
    second(y, z)
    calls = queued(driver)
    assert f"across {IN + SECOND}" in calls
    assert not [call for call in calls if call.split()[0] in ("in", "out", "finish")]
    assert y.where == ("cuda", "cuda:1")


@pretending
def test_the_copy_comes_after_the_kernel_and_before_the_next_one_there(driver):
    first, second = on_both()
    x, y, z = weft.array(np.arange(4.0)), weft.zeros(4), weft.zeros(4)
    for _ in range(2):
        driver.calls()
        first(x, y)
        second(y, z)
        first(x, y)
    calls = queued(driver)
    across = calls.index(f"across {IN + SECOND}")
    before, after = calls[:across], calls[across:]
    assert before.index(f"launch {STREAM}") < before.index(f"await {OUT} {STREAM}")
    assert before.index(f"await {OUT} {STREAM}") < before.index(f"await {IN + SECOND} {OUT}")
    assert after.index(f"await {STREAM + SECOND} {IN + SECOND}") < after.index(f"launch {STREAM + SECOND}")
    # The first GPU's next kernel writes what is being copied.
    assert after.index(f"await {OUT} {IN + SECOND}") < after.index(f"await {STREAM} {OUT}")
    assert after.index(f"await {STREAM} {OUT}") < after.index(f"launch {STREAM}")


@pretending
def test_the_ledger_has_the_copy(driver):
    first, second = on_both()
    x, y, z = weft.array(np.arange(4.0)), weft.zeros(4), weft.zeros(4)
    first(x, y)
    with weft.profile() as p:
        second(y, z)
    (event,) = p.of("copy_in")
    assert (event.device, event.bytes) == ("cuda:1", 32) and "another device" in event.reason


@pretending
def test_a_copy_that_fails_leaves_the_array_where_it_is(driver):
    first, second = on_both()
    x, y, z = weft.array(np.arange(4.0)), weft.zeros(4), weft.zeros(4)
    first(x, y)
    driver.fail("across", 700)
    try:
        second(y, z)
    except weft.errors.DeviceError:
        pass
    else:
        raise AssertionError("the copy did not fail")
    driver.fail("", 0)
    assert y.where == ("cuda",)
    second(y, z)
    assert y.where == ("cuda", "cuda:1")


if __name__ == "__main__":
    main(globals())
