"""The shell commands `weft predict`, `weft calibrate` and `weft evaluate`."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from weft.cost.figures import Figures
from weft.errors import ArgumentError, Error
from weft.machine.suite.programs import SIZES
from weft.report.predict import predict
from weft.report.stand_in import spec


def add_commands(commands: Any) -> None:
    """Add the commands to the parser of `weft`."""
    parser = commands.add_parser("predict", help="say how long a call will take, without running it")
    parser.add_argument("function", help="module:function")
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=VALUE", help="u=8192x8192:f4, or steps=1000"
    )
    parser.add_argument("--device", help="where; by default the fastest")
    parser.add_argument("--machine", help="a file of `weft calibrate --save`")
    parser.add_argument("--trips", action="append", default=[], metavar="LINE=N", help="12=40: line 12 runs 40 times")
    parser.add_argument("--strict", action="store_true", help="refuse estimates, and figures of another driver")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=_predict)

    calibrate = commands.add_parser("calibrate", help="measure this machine; predictions go by the figures from now on")
    calibrate.add_argument("--device", default="cpu", help="cpu, or a device of `weft devices` (%(default)s)")
    calibrate.add_argument("--seconds", type=float, default=60.0, help="how long it may take (%(default)s)")
    calibrate.add_argument("--save", metavar="FILE", help="also write a machine file, which predicts anywhere")
    calibrate.add_argument("--anyway", action="store_true", help="store figures though the machine is busy")
    calibrate.set_defaults(run=_calibrate)

    evaluate = commands.add_parser("evaluate", help="run random programs, and compare their times with predictions")
    evaluate.add_argument("--device", default="cpu", help="cpu, or a device of `weft devices` (%(default)s)")
    evaluate.add_argument("--first", type=int, default=0, help="the number of the first program (%(default)s)")
    evaluate.add_argument("--programs", type=int, default=50, help="of each set (%(default)s)")
    evaluate.add_argument("--set", choices=("restricted", "unrestricted", "both"), default="both")
    evaluate.add_argument("--largest", type=int, default=SIZES[-1], help="elements of a matrix (%(default)s)")
    evaluate.add_argument("--save", metavar="FOLDER", help="write all samples as JSON")
    evaluate.set_defaults(run=_evaluate)


def _console() -> Console:
    return Console(highlight=False)


# ------------------------------------------------------------------------------------------------------- predict


def _predict(options: argparse.Namespace) -> int:
    function = _function(options.function)
    arguments = dict(map(_argument, options.arg))
    trips = dict(map(_trips, options.trips))
    try:
        forecast = predict(
            function, device=options.device, machine=options.machine, trips=trips, strict=options.strict, **arguments
        )
    except TypeError as error:
        if isinstance(error, Error):
            raise
        raise ArgumentError(str(error), argument="arg", hint="--arg NAME=VALUE for each parameter") from error
    if options.json:
        print(forecast.to_json())
    else:
        _console().print(escape(str(forecast)), soft_wrap=True)
    return 0


def _function(text: str) -> Callable[..., Any]:
    module, _, name = text.partition(":")
    if not module or not name:
        raise ArgumentError(f"{text!r} names no function", argument="function", hint="weft predict module:function")
    sys.path.insert(0, "")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ArgumentError(f"{text!r} cannot be had: {error}", argument="function") from error
    finally:
        sys.path.remove("")
    return found  # type: ignore[no-any-return]


def _argument(text: str) -> tuple[str, object]:
    """``u=8192x8192:f4`` is a stand-in; other values are Python numbers and strings."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ArgumentError(f"--arg {text} has no value", argument="arg", hint="--arg u=8192x8192:f4")
    shape, colon, dtype = value.partition(":")
    if colon or "x" in value:
        if not dtype:
            raise ArgumentError(f"--arg {text} has no dtype", argument="arg", hint=f"--arg {text}:f4")
        if not all(extent.isdigit() for extent in shape.split("x")):
            raise ArgumentError(f"--arg {text} is no shape", argument="arg", hint="--arg u=8192x8192:f4")
        return name, spec(tuple(int(extent) for extent in shape.split("x")), dtype)
    return name, _number(value)


def _number(text: str) -> object:
    for kind in (int, float, complex):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"True": True, "False": False, "None": None}.get(text, text)


def _trips(text: str) -> tuple[str, float]:
    line, _, number = text.partition("=")
    try:
        return f"line {int(line)}", float(number)
    except ValueError:
        raise ArgumentError(
            f"--trips {text} names no line and number", argument="trips", hint="--trips 12=40"
        ) from None


# ----------------------------------------------------------------------------------------------------- calibrate


def _calibrate(options: argparse.Namespace) -> int:
    from weft.cost import machine_file
    from weft.evaluation.calibrating import calibrate
    from weft.evaluation.device_calibrating import calibrate_device
    from weft.runtime import machines
    from weft.runtime.devices import calibration

    if options.device == "cpu":
        _console().print(_figures(calibrate(options.seconds, options.anyway)))
    else:
        calibration.measure(options.device)
        machines.here.cache_clear()
        _console().print(_figures(calibrate_device(options.device, options.seconds, options.anyway).figures))
    if options.save:
        machine_file.save(machines.here(), options.save)
        _console().print(f"written: {escape(options.save)}", soft_wrap=True)
    return 0


def _figures(figures: Figures) -> Table:
    """All figures, with their spread."""
    table = Table("figure", "nanoseconds", "spread", title=escape(figures.description), title_justify="left")
    for name, value in sorted(figures.values.items()):
        table.add_row(name, f"{value:.4g}", f"{figures.spread[name]:.0%}" if name in figures.spread else "")
    table.caption = f"load {figures.load:.1f}; {figures.driver}"
    return table


# ------------------------------------------------------------------------------------------------------ evaluate


def _evaluate(options: argparse.Namespace) -> int:
    from weft.evaluation.evaluate import Evaluation, evaluate

    sets: tuple[Any, ...] = ("restricted", "unrestricted") if options.set == "both" else (options.set,)
    sizes = [size for size in SIZES if size <= options.largest]
    for which in sets:
        found: Evaluation = evaluate(which, options.programs, sizes, device=options.device, first=options.first)
        _console().print(_summary(found))
        if options.save:
            folder = Path(options.save)
            folder.mkdir(parents=True, exist_ok=True)
            found.save(folder / f"{which}.json")
    return 0


def _summary(found: Any) -> Table:
    """The halves of an evaluation, and the competitors."""
    columns = ("half", "points", "median", "mean", "sd", "within 20 %", "within 2 x", "in the interval")
    table = Table(*columns, title=f"{found.which}: predicted / measured", title_justify="left")
    for name, each in found.halves().items():
        shares = (f"{share:.0%}" for share in (each.near, each.twice, each.inside))
        numbers = (f"{each.median:.2f}", f"{each.mean:.2f}", f"{each.deviation:.2f}")
        table.add_row(name, str(each.count), *numbers, *shares)
    for name, share in found.competitors().items():
        table.add_row(f"{name} (unseen)", "", "", "", "", f"{share:.0%}", "", "")
    table.caption = f"load {found.load:.1f}; {len(found.refused)} programs refused; {found.threads} thread"
    return table
