"""Elements of coherent arrays that the host looks at or sets, while a device has the rest."""

import itertools

import numpy as np
import pytest

import weft
from weft.machine.copying import IN, OUT, PINNED, CopyFigures, CopyTime
from weft.runtime.devices import accelerators, copying

pytestmark = pytest.mark.opencl

ROWS, COLUMNS = 300, 200


@pytest.fixture
def on_device(monkeypatch):
    """An array that only the device has, and its elements, where each byte that is copied costs much."""
    monkeypatch.setitem(copying._figures, "opencl", figures(1e-9, 1e-3))
    elements = np.arange(float(ROWS * COLUMNS)).reshape(ROWS, COLUMNS)
    array = weft.array(elements)
    changed(array)
    return array, elements


def changed(array):
    """Let the device have changed all of an array, to what it was."""
    place = accelerators.table("opencl")
    array._storage.acquire(place, True)
    array._storage.wrote(place)


def moved(profile):
    return [(event.kind, event.bytes) for event in profile.events if event.kind.startswith("copy")]


def figures(latency, of_byte):
    """Made-up figures: what a copy costs at least, and what each byte costs."""
    times = [CopyTime(d, PINNED, n, latency + n * of_byte) for d in (IN, OUT) for n in (1, 10**9)]
    return CopyFigures("made up", "none", "today", tuple(times))


def test_an_element_comes_home_alone(on_device):
    array, elements = on_device
    with weft.profile() as p:
        assert array[3, 4] == elements[3, 4] and array[-1, -2] == elements[-1, -2]
    assert moved(p) == [("copy_out", 8), ("copy_out", 8)]
    assert array.where == ("opencl",)


def test_what_came_home_is_known_there_until_the_device_writes(on_device):
    array, elements = on_device
    with weft.profile() as p:
        assert array[3, 4] == array[3, 4] == elements[3, 4]
    assert moved(p) == [("copy_out", 8)]
    changed(array)
    with weft.profile() as p:
        assert array[3, 4] == elements[3, 4]
    assert moved(p) == [("copy_out", 8)]


@pytest.mark.parametrize(
    "key", [np.s_[3], np.s_[:, 5], np.s_[2:9:3, ::-5], np.s_[::-7, 4], np.s_[5:6, 7:8], np.s_[-3:, 10:20]]
)
@pytest.mark.parametrize("transposed", [False, True])
def test_regions_of_any_layout_come_home_alone(on_device, key, transposed):
    array, elements = on_device
    array, elements = (array.T, elements.T) if transposed else (array, elements)
    with weft.profile() as p:
        np.testing.assert_array_equal(array[key] + 0, elements[key])
    assert sum(size for _, size in moved(p)) == elements[key].nbytes
    assert array.where == ("opencl",)


def test_printing_a_row_brings_that_row(on_device):
    array, elements = on_device
    with weft.profile() as p:
        assert str(array[7]) == str(elements[7])
    assert moved(p) == [("copy_out", COLUMNS * 8)]


def test_the_ledger_has_the_line_that_looked(on_device):
    array, _ = on_device
    with weft.profile() as p:
        float(array[1, 1])
    (event,) = [event for event in p.events if event.kind == "copy_out"]
    assert event.file == __file__ and "float(array" in open(__file__).readlines()[event.line - 1]


@pytest.mark.parametrize("key", [np.s_[0, 0], np.s_[5], np.s_[::40, 3:10], np.s_[::-60, 7]])
def test_what_the_host_sets_goes_to_the_device_alone(on_device, key):
    array, elements = on_device
    value = np.arange(float(elements[key].size)).reshape(elements[key].shape)
    elements[key] = value
    with weft.profile() as p:
        array[key] = value
    assert sum(size for kind, size in moved(p)) == value.nbytes and {kind for kind, _ in moved(p)} == {"copy_in"}
    assert array.where == ("opencl",)
    np.testing.assert_array_equal(array, elements)


def test_what_is_current_in_both_places_stays_so(on_device):
    array, elements = on_device
    np.testing.assert_array_equal(array, elements)
    assert array.where == ("host", "opencl")
    array[1, 1] = elements[1, 1] = -1.0
    assert array.where == ("host", "opencl")
    np.testing.assert_array_equal(array, elements)
    array._storage.acquire(accelerators.table("opencl"), False)
    changed(array)
    np.testing.assert_array_equal(array, elements)


def test_an_element_that_was_known_is_another_one_once_it_is_set(on_device):
    array, elements = on_device
    assert array[2, 2] == elements[2, 2]
    array[2] = 5.0
    assert array[2, 2] == 5.0


def test_many_elements_bring_the_whole_array(on_device, monkeypatch):
    array, elements = on_device
    monkeypatch.setitem(copying._figures, "opencl", figures(1e-6, 1e-10))
    with weft.profile() as p:
        assert [array[k, 0] for k in range(ROWS)] == list(elements[:, 0])
    sizes = [size for _, size in moved(p)]
    assert sizes[-1] == elements.nbytes and sizes[:-1] == [8] * (len(sizes) - 1)
    assert array.where == ("host", "opencl")


@pytest.mark.parametrize("latency, of_byte, comes_whole", [(1.0, 1e-12, True), (1e-9, 1e-3, False)])
def test_figures_decide_between_the_part_and_the_whole(on_device, monkeypatch, latency, of_byte, comes_whole):
    array, elements = on_device
    monkeypatch.setitem(copying._figures, "opencl", figures(latency, of_byte))
    with weft.profile() as p:
        assert array[0, 0] == elements[0, 0] and array[1, 0] == elements[1, 0]
    assert (max(size for _, size in moved(p)) == elements.nbytes) == comes_whole


def test_a_live_view_and_a_loan_see_what_is_set(on_device):
    array, _ = on_device
    shown = np.asarray(array)
    array[4, 4] = 8.0
    assert shown[4, 4] == 8.0
    with array.host() as lent:
        array[5, 5] = 9.0
        lent[6, 6] = 10.0
    assert array[5, 5] == 9.0 and array[6, 6] == 10.0


def test_elements_that_nobody_has_written_are_zeros():
    array = weft.zeros((4, 5))
    assert array[1, 2] == 0
    array[1, 2] = 3
    np.testing.assert_array_equal(array[1], [0, 0, 3, 0, 0])


def test_fields_of_records_on_a_device(on_device):
    elements = np.zeros(50, np.dtype([("a", "f4"), ("b", "i8")], align=True))
    elements["b"] = np.arange(50)
    array = weft.array(elements)
    changed(array)
    assert array[7]["b"] == 7 and array["b"][9] == 9
    array["a"][3] = 2.5
    assert array[3]["a"] == 2.5 and array.where == ("opencl",)


def test_steps_of_all_signs_and_orders_are_arranged_as_numpy_does(on_device):
    array, elements = on_device
    for rows, columns in itertools.product((slice(None, 3), slice(9, 3, -2), 5, slice(1, 2)), repeat=2):
        np.testing.assert_array_equal(np.array(array[rows, columns]), elements[rows, columns])
        np.testing.assert_array_equal(np.array(array.T[rows, columns]), elements.T[rows, columns])
