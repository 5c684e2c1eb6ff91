"""The command `weft tune`: tune a function or kernel of a module, or compare strategies in measured spaces."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from weft.errors import ArgumentError


def add_command(commands: Any) -> None:
    """Add `tune` to the commands of a parser."""
    tune = commands.add_parser(
        "tune", help="tune a function, or compare strategies in spaces that were measured before"
    )
    tune.add_argument("target", nargs="?", help="module:function, of weft.jit, weft.kernel, or any with --space")
    tune.add_argument("arguments", nargs="*", help='its arguments as Python: "np.ones((512, 512))" 0.5')
    tune.add_argument("--space", help='the parameters as JSON: {"block": [16, 32]}')
    tune.add_argument("--budget", type=float, help="seconds")
    tune.add_argument("--evaluations", type=int, help="candidates at most")
    tune.add_argument("--device", help="where candidates run")
    tune.add_argument("--seed", type=int, default=0, help="of the strategy's choices (%(default)s)")
    tune.add_argument("--save", type=Path, help="write the results to this file (T4)")
    tune.add_argument("--plot", type=Path, help="draw the search as this file (SVG)")
    tune.add_argument("--replay", type=Path, nargs="+", help="caches of Kernel Tuner, .json or .json.gz")
    tune.add_argument("--strategy", help="a strategy; for --replay several, with commas between")
    tune.add_argument("--seeds", type=int, default=5, help="searches of each strategy in a replay (%(default)s)")
    tune.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run the command; the exit status."""
    if bool(options.replay) == bool(options.target):
        raise ArgumentError(
            "there is nothing to tune" if not options.target else "a function cannot be tuned in a replay",
            argument="target",
            hint="write weft tune module:function ARGUMENT..., or weft tune --replay cache.json",
        )
    return _replay(options) if options.replay else _tune(options)


def _tune(options: argparse.Namespace) -> int:
    from weft.autotune.tuning import tune

    module, target = _found(options.target)
    names = {"np": np, "numpy": np, **vars(module)}
    arguments = [_value(text, names) for text in options.arguments]
    settings: dict[str, Any] = {"device": options.device, "seed": options.seed, "strategy": options.strategy or "model"}
    if options.space is not None:
        settings["space"] = _space(options.space)
    best = tune(target, *arguments, budget=options.budget, evaluations=options.evaluations, progress=True, **settings)
    Console(highlight=False).print(str(best.tuning), markup=False, soft_wrap=True)
    if options.save:
        best.tuning.save(options.save)
    if options.plot:
        best.tuning.plot(options.plot)
    return 0


def _found(text: str) -> tuple[Any, Any]:
    """The module and what it calls by a name."""
    name, _, path = text.partition(":")
    hint = "write module:function, as in package.module:smooth"
    if not name or not path:
        raise ArgumentError(f"{text!r} names no function", argument="target", hint=hint)
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        raise ArgumentError(f"{name} cannot be imported: {error}", argument="target", hint=hint) from None
    found: Any = module
    for part in path.split("."):
        if not hasattr(found, part):
            raise ArgumentError(f"{name} has no {path}", argument="target", hint=hint)
        found = getattr(found, part)
    return module, found


def _value(text: str, names: dict[str, Any]) -> Any:
    """An argument that the user wrote as Python, with the names of the module and ``np``."""
    try:
        return eval(text, names)  # the user's own words on the user's own command line
    except Exception as error:
        raise ArgumentError(
            f"the argument {text!r} raises {type(error).__name__}: {error}",
            argument="arguments",
            hint='write Python, such as "np.ones((512, 512))"; the names of the module are known',
        ) from None


def _space(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
        assert isinstance(found, dict)
    except (ValueError, AssertionError):
        raise ArgumentError(
            f"{text!r} is no space", argument="space", hint="""write JSON: --space '{"block": [16, 32, 64]}'"""
        ) from None
    return found


def _replay(options: argparse.Namespace) -> int:
    from weft.autotune.searching.replay import EVALUATIONS, compare

    columns = [f"after {count}" for count in EVALUATIONS]
    table = Table("space", "strategy", *columns, title="share of the optimum", title_justify="left")
    names = (options.strategy or "model,random").split(",")
    for space, found in compare(options.replay, names, options.seeds).items():
        for name, shares in found.items():
            table.add_row(escape(space), name, *(f"{share:.3f}" for share in shares))
    Console(highlight=False).print(table)
    return 0
