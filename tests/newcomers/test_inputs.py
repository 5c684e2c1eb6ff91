"""What people pass: arrays of other libraries, enumerations, nested objects."""

from __future__ import annotations

import array
import dataclasses
import datetime
import enum
import functools
import logging
import random

import numpy as np
import pytest

import weft


@weft.jit
def scaled(x, s):
    for i in range(len(x)):
        x[i] *= s


@weft.jit
def total(x):
    s = 0.0
    for v in x:
        s += v
    return s


class Wrapper:
    """An array in an object of another library."""

    def __init__(self, data: np.ndarray) -> None:
        self.data = data


class WithArray(Wrapper):
    def __array__(self, dtype=None, copy=None):
        return self.data


class WithInterface(Wrapper):
    @property
    def __array_interface__(self):
        return self.data.__array_interface__


class WithDlpack(Wrapper):
    def __dlpack__(self, **options):
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()


class Copying(Wrapper):
    def __array__(self, dtype=None, copy=None):
        return self.data.copy()


@pytest.mark.parametrize("kind", [WithArray, WithInterface, WithDlpack])
def test_arrays_of_others_share_their_memory(kind):
    data = np.arange(4.0)
    for _ in range(2):
        scaled(kind(data), 2.0)
    assert data.tolist() == [0.0, 4.0, 8.0, 12.0]


@pytest.mark.parametrize("kind", [memoryview, lambda data: data], ids=["memoryview", "array.array"])
def test_buffers_share_their_memory(kind):
    data = array.array("d", [1.0, 2.0])
    if kind is memoryview:
        scaled(kind(data), 2.0)
        assert data.tolist() == [2.0, 4.0]
    else:
        with pytest.raises(weft.ArgumentError, match=r"array"):
            scaled(kind(data), 2.0)


def test_what_would_be_a_copy_is_refused():
    with pytest.raises(weft.ArgumentError, match=r"would have to be copied(.|\n)*np\.asarray"):
        scaled(Copying(np.ones(3)), 2.0)


def test_dask_is_computed_with_a_warning():
    lazy = pytest.importorskip("dask.array").ones(4, chunks=2)
    with pytest.warns(weft.WeftWarning, match="W007: an argument is computed first: x is an array of Dask"):
        assert total(lazy) == 4.0
    with pytest.warns(weft.WeftWarning), pytest.raises(ValueError, match="read-only"):
        scaled(lazy, 2.0)


def test_pandas_and_xarray_are_taken():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [1.0, 2.0], "name": ["a", "b"]})
    assert total(frame["x"]) == 3.0
    with pytest.raises(weft.ArgumentError, match="object"):
        total(frame["name"])
    data = np.arange(3.0)
    scaled(pytest.importorskip("xarray").DataArray(data), 2.0)
    assert data.tolist() == [0.0, 2.0, 4.0]


def test_tensors_on_the_processor_share_their_memory():
    torch = pytest.importorskip("torch")
    tensor = torch.arange(3.0)
    scaled(tensor, 2.0)
    assert tensor.tolist() == [0.0, 2.0, 4.0]
    with pytest.raises(weft.ArgumentError, match="detach"):
        scaled(torch.ones(3, requires_grad=True), 2.0)


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        ([[1.0], [2]], r"np\.array"),
        ([[1.0], 2.0], "arrays of the numbers that are used"),
        ({1: 1}, "dataclass with a field for each key"),
        (iter([1]), r"np\.fromiter"),
        (object(), "numbers and arrays that are used"),
        (2**70, "pass a float$"),
        ({1}, "list"),
        (b"abc", r"np\.frombuffer"),
        (datetime.datetime(2026, 1, 1), r"timestamp\(\)"),
        (datetime.timedelta(1), r"total_seconds\(\)"),
        (np.random.default_rng(0), r"np\.random\.default_rng\(seed\)"),
        (random.Random(0), r"np\.random\.default_rng\(seed\)"),
        (functools.partial(max, 1), "define a function"),
        (logging.getLogger("x"), r"weft\.python"),
        (np.array(["2020-01-01"], "M8[D]"), r"view\(np\.int64\)"),
        (np.ma.masked_array([1.0], [True]), r"data and its mask"),
        (np.array([object()]), r"np\.unique"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_refused_says_what_to_pass(value, advice):
    with pytest.raises(weft.ArgumentError, match=advice):
        total(value)


class State(enum.Enum):
    IDLE = "idle"
    RUN = "run"


class Kind(enum.IntEnum):
    A = 1
    B = 5


START = State.RUN
STEP = Kind.B


def test_members_of_enumerations_are_arguments():
    @weft.jit
    def step(a, state, kind):
        for i in range(len(a)):
            if state is State.RUN:
                a[i] += kind
            elif state == State.IDLE:
                a[i] -= Kind.B
        return len(a) if state.value == "run" else 0

    a = np.zeros(2)
    assert [step(a, state, Kind.A) for state in (State.RUN, State.IDLE, State.RUN)] == [2, 0, 2]
    assert a.tolist() == [-3.0, -3.0]


def test_members_of_enumerations_are_captured():
    @weft.jit
    def step(a):
        if START is not State.IDLE:
            a[0] += STEP

    a = np.zeros(1)
    for _ in range(3):
        step(a)
    assert a[0] == 15.0


def test_members_follow_a_new_definition_of_their_class():
    results = []
    for value in (1, 7):
        space = {"weft": weft, "Level": enum.IntEnum("Level", {"HIGH": value})}
        results.append(_in_space("def level(x):\n    return x + Level.HIGH\n", space)(1))
    assert results == [2, 8]


def _in_space(text: str, space: dict):
    import linecache

    file = "<levels>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)
    return weft.jit(space["level"])


@dataclasses.dataclass
class Field:
    values: np.ndarray
    scale: float


@dataclasses.dataclass
class Model:
    field: Field
    steps: int


def test_arrays_in_nested_objects():
    @weft.jit
    def run(model):
        for t in range(model.steps):
            for i in range(len(model.field.values)):
                model.field.values[i] *= model.field.scale
        model.field.scale = 1.0

    model = Model(Field(np.ones(3), 2.0), 3)
    run(model)
    assert model.field.values.tolist() == [8.0, 8.0, 8.0] and model.field.scale == 1.0


def test_a_new_object_in_a_field_is_refused_with_advice():
    @weft.jit
    def replaced(model, values):
        model.field = Field(values, 1.0)

    with pytest.raises(weft.TypeInferenceError, match="fields of the object that is there one by one"):
        replaced(Model(Field(np.ones(3), 2.0), 3), np.zeros(2))
