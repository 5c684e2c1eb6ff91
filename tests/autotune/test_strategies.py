"""Strategies: each names every point once, and those that learn are better than chance on a space that was measured."""

from __future__ import annotations

import gzip
import json

import pytest

import weft
from weft.autotune.searching.replay import compare, shares, space_of
from weft.autotune.searching.strategies import LIBRARY, OWN, Prior, strategy
from weft.autotune.spaces.community import read_cache
from weft.errors import ArgumentError

NAMES = [*OWN, *LIBRARY]


def seconds_of(x, y, kind):
    return 1e-3 * (1 + (x - 20) ** 2 / 40 + (y - 7) ** 2 / 9 + (kind == "slow"))


@pytest.fixture
def cache(tmp_path):
    """A measured space of 1,000 points, one of which failed, as Kernel Tuner writes it."""
    values = {"x": list(range(50)), "y": list(range(10)), "kind": ["slow", "fast"]}
    entries = {}
    for x in values["x"]:
        for y in values["y"]:
            for kind in values["kind"]:
                time = "CompilationFailedConfig" if (x, y, kind) == (0, 0, "slow") else 1e3 * seconds_of(x, y, kind)
                entries[f"{x},{y},{kind}"] = {"x": x, "y": y, "kind": kind, "time": time}
    content = {
        "device_name": "paper", "kernel_name": "bowl", "tune_params_keys": list(values), "tune_params": values,
        "cache": entries,
    }  # fmt: skip
    file = tmp_path / "bowl.json.gz"
    file.write_bytes(gzip.compress(json.dumps(content).encode()))
    return file


@pytest.mark.parametrize("name", NAMES)
def test_every_point_is_named_once(name):
    if name in LIBRARY:
        pytest.importorskip("optuna")
    space = weft.Space({"x": range(4), "y": [1, 2, 3]}, ["x != y"])
    search = strategy(name, space, 1, Prior([3], lambda point: 64 * point["y"]))
    named = []
    while (position := search.ask()) is not None:
        named.append(position)
        point = space[position]
        search.tell(position, float("inf") if point["x"] == 3 else 1.0 + point["x"] * point["y"])
    assert named[0] == 3
    assert sorted(named) == list(range(len(space)))


@pytest.mark.parametrize("name", ["model", "bayes", "genetic"])
def test_what_learns_is_better_than_chance(cache, name):
    if name in LIBRARY:
        pytest.importorskip("optuna")
    found = compare([cache], [name, "random"], seeds=5, evaluations=(40,))["bowl on paper"]
    assert found[name][0] > found["random"][0]


def test_the_model_finds_the_best_point_of_a_smooth_space(cache):
    assert shares(read_cache(cache), "model", seed=0, evaluations=(60,))[0] > 0.98


def test_a_replay_has_the_points_of_the_cache(cache):
    measured = read_cache(cache)
    space = space_of(measured)
    assert len(space) == 1000
    assert shares(measured, "exhaustive", evaluations=(1, 1000), space=space) == [0.0, 1.0]


def test_an_unknown_strategy_is_refused():
    with pytest.raises(ArgumentError, match="there is no strategy 'magic'"):
        strategy("magic", weft.Space({"x": [1]}))


@pytest.mark.parametrize("content", ["[]", "{}", '{"tune_params_keys": ["x"]}', "no json"])
def test_what_is_no_cache_is_refused(tmp_path, content):
    file = tmp_path / "cache.json"
    file.write_text(content)
    with pytest.raises(ArgumentError, match="is no cache of measured points"):
        read_cache(file)
