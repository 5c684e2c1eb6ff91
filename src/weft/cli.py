"""The command `weft`: `demo`, `devices`, `cache`, `config`, `predict`, `calibrate`, `evaluate` and `tune`."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

import weft
from weft.cost.speed import STEPS, Speed
from weft.errors import Error, format_bytes
from weft.machine.copying import BOTH, CopyFigures, CopyPolicy, choose


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        What stands behind `weft` on the command line; by default that of this process.

    Returns
    -------
    int
        The exit status: 0, or 1 after an error, which is printed.
    """
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except Error as error:
        _console(stderr=True).print(f"[bold red]{type(error).__name__}[/]: {escape(str(error))}", soft_wrap=True)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="weft", description=(weft.__doc__ or "").splitlines()[0])
    parser.add_argument("--version", action="version", version=f"weft {weft.__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    demo = commands.add_parser("demo", help="run the examples: pictures and a table of times")
    demo.add_argument("--output", type=Path, default=Path("demo-output"), help="folder for the pictures (%(default)s)")
    demo.add_argument("--quick", action="store_true", help="small inputs, a few seconds")
    demo.set_defaults(run=_demo)

    devices = commands.add_parser("devices", help="list the devices that Weft can use")
    devices.add_argument(
        "--measure", action="store_true", help="time loops on them and copies, and go by the figures from now on"
    )
    devices.set_defaults(run=_devices)

    _add_commands_of_cost(commands)
    _add_tune(commands)
    cache = commands.add_parser("cache", help="show what the store on disk holds")
    cache.add_argument("--clear", action="store_true", help="delete all of it")
    cache.set_defaults(run=_cache)

    config = commands.add_parser("config", help="list the settings and the environment variables behind them")
    config.set_defaults(run=_config)
    return parser


def _config(options: argparse.Namespace) -> int:
    table = Table("setting", "value", "environment variable")
    for name, value, variable in weft.config:
        table.add_row(name, escape(str(value)), variable)
    _console().print(table)
    return 0


def _add_commands_of_cost(commands: Any) -> None:
    """Add `predict`, `calibrate` and `evaluate`."""
    from weft.evaluation.commands import add_commands

    add_commands(commands)


def _add_tune(commands: Any) -> None:
    """Add `tune`."""
    from weft.autotune.command import add_command

    add_command(commands)


def _console(stderr: bool = False) -> Console:
    return Console(stderr=stderr, highlight=False)


def _demo(options: argparse.Namespace) -> int:
    from weft import demo

    return demo.run(options.output, options.quick)


def _devices(options: argparse.Namespace) -> int:
    return _measure() if options.measure else _list_devices()


def _measure() -> int:
    """Measure copies to all devices that have memory of their own, and how fast each device is; show the figures."""
    from weft.runtime.devices import accelerators, calibration, copying

    speeds = []
    for device in weft.devices():
        if accelerators.is_accelerator(device.name):
            figures = copying.measure(device.name)
            title = f"{device.name}: {figures.device}, {figures.driver}, {figures.date}"
            _console().print(_copy_times(figures, escape(title)))
            _console().print(_policy(choose(figures)))
        if device.name != "interpreter":
            speeds.append(calibration.measure(device.name))
    _console().print(_speeds(speeds))
    return 0


def _speeds(speeds: Sequence[Speed]) -> Table:
    """How fast devices are: what a call costs, and the rates of large nests."""
    table = Table("device", "a call", "memory", "float32", "float64", title="loops", title_justify="left")
    for speed in speeds:
        size, seconds = speed.memory[-1]
        iterations, computing = speed.arithmetic[-1]
        rate = STEPS * iterations / computing / 1e9
        rates = (f"{1e-9 * size / seconds:.1f} GB/s", f"{rate:.1f} G/s", f"{rate / speed.costs['simple64']:.1f} G/s")
        table.add_row(speed.device, f"{1e6 * speed.call:.1f} us", *rates)
    table.caption = 'operations a second; device="auto" goes by these figures'
    return table


def _copy_times(figures: CopyFigures, title: str) -> Table:
    """The rates of copies by size."""
    columns = list(dict.fromkeys((t.direction, t.way) for t in figures.times))
    table = Table("size", *(" ".join(column) for column in columns), title=title, title_justify="left")
    for size in dict.fromkeys(t.bytes for t in figures.times):
        seconds = [figures.seconds(*column, size) for column in columns]
        rates = (
            "" if s is None else f"{(2 if c[0] == BOTH else 1) * size / s / 1e9:.2f}"
            for c, s in zip(columns, seconds, strict=True)
        )
        table.add_row(format_bytes(size), *rates)
    table.caption = "in GB/s"
    return table


def _policy(policy: CopyPolicy) -> str:
    names = (
        "copies in go through pinned slots",
        "copies out go through pinned slots",
        "arrays that come again are pinned",
    )
    sizes = (policy.stage_in, policy.stage_out, policy.pin)
    texts = (
        f"{name} {'never' if s is None else 'from ' + format_bytes(s) + ' on'}"
        for name, s in zip(names, sizes, strict=True)
    )
    return "; ".join(texts)


def _list_devices() -> int:
    table = Table("device", "hardware", "cores", "memory")
    for device in weft.devices():
        memory = format_bytes(device.memory) if device.memory else "the host's"
        table.add_row(device.name, escape(device.description), str(device.cores), memory)
    _console().print(table)
    return 0


def _cache(options: argparse.Namespace) -> int:
    from weft.compile.store import default_store

    store = default_store()
    if options.clear:
        _console().print(f"entries deleted: {store.clear()} ({store.root})", soft_wrap=True)
        return 0
    entries = sorted(store.entries(), key=lambda entry: entry.kind)
    table = Table("kind", "entries", "size", "last used", title=escape(str(store.root)), title_justify="left")
    for kind, group in groupby(entries, key=lambda entry: entry.kind):
        members = list(group)
        last = time.strftime("%Y-%m-%d %H:%M", time.localtime(max(entry.used for entry in members)))
        table.add_row(kind, str(len(members)), format_bytes(sum(entry.bytes for entry in members)), last)
    table.add_section()
    size = format_bytes(sum(entry.bytes for entry in entries))
    table.add_row("all", str(len(entries)), f"{size} of {format_bytes(store.limit)}", "")
    _console().print(table)
    return 0
