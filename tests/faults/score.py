"""The mutation score: plants one fault after the other, runs the tests and the hunt, and says what found which.

``python -m tests.faults.score --workers 8 --minutes 30`` prints a table and the score. First all tests run once without
a fault, to see which of them run which functions, and which fail here anyway; `--map` keeps that in a file. Then every
fault is planted, in processes and with a store of its own, and those tests run that reach it. Faults take turns: what
little time there is goes to all of them. A test that fails without the fault too finds nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from importlib.metadata import version
from pathlib import Path

from .every import FAULTS
from .finders import record
from .jobs import Job, Reached, every_job, jobs_for
from .patches import PATCHES
from .processes import HUNT, PYTEST, environment, run, started

NOTHING: dict[str, str] = {}


@dataclass
class Trial:
    """What is known of one fault."""

    name: str
    target: str
    jobs: list[Job | str]
    found: str = ""
    text: str = ""
    seconds: float = 0.0
    tests: int = 0
    hunted: int = 0
    cut: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        return bool(self.found) or not self.jobs


class Score:
    """Runs jobs of trials on some workers until all is found, tried, or the time is over."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options = options
        self.folder = folder
        self.end = time.monotonic() + 60 * options.minutes
        self.lock = threading.Lock()
        self.untrusted: set[str] = set()
        self.trusted: set[str] = set()
        self.count = 0

    def run(self, trials: list[Trial]) -> None:
        waiting = [trial for trial in trials if not trial.is_over]
        with ThreadPoolExecutor(self.options.workers) as pool:
            for worker in [pool.submit(self._work, waiting) for _ in range(self.options.workers)]:
                worker.result()

    def _work(self, waiting: list[Trial]) -> None:
        """Take the fault that was tried least, run its next job, put it back."""
        while time.monotonic() < self.end:
            with self.lock:
                if not waiting:
                    return
                trial = waiting.pop(0)
            self._step(trial)
            with self.lock:
                if not trial.is_over:
                    waiting.append(trial)

    def _step(self, trial: Trial) -> None:
        """The next job of a fault."""
        limit = min(self.options.limit, self.end - time.monotonic(), 60 * self.options.minutes_each - trial.seconds)
        if limit <= 1:
            trial.cut.append("time over")
            trial.jobs.clear()
            return
        job = trial.jobs.pop(0)
        begin = time.monotonic()
        if isinstance(job, str):
            self._hunt(trial, min(limit, self.options.hunt_seconds))
        else:
            self._test(trial, job, limit)
        trial.seconds += time.monotonic() - begin
        if trial.is_over:
            shutil.rmtree(self._place(trial.name), ignore_errors=True)
            print(f"{trial.seconds:6.0f} s  {trial.name}: {trial.found or trial.text or 'NOT FOUND'}", flush=True)

    def reach(self) -> Reached:
        """Run all tests without a fault, and see what they reach."""
        reached = Reached()

        def one(job: Job) -> None:
            limit = min(self.options.limit, max(1.0, self.end - time.monotonic()))
            log = self._pytest(job, "", limit, job.paths, {"WEFT_FAULT_REACHED": "yes"})[2]
            with self.lock:
                reached.add(log)

        with ThreadPoolExecutor(self.options.workers) as pool:
            wanted = tuple(self.options.tests.split(","))
            list(pool.map(one, [job for job in every_job() if job.paths[0].startswith(wanted)]))
        print(f"{len(reached.seconds)} tests, of which {len(reached.failing)} fail without a fault", flush=True)
        return reached

    def _test(self, trial: Trial, job: Job, limit: float) -> None:
        """Run tests with the fault until one fails that does not fail without it."""
        node, tests, _ = self._pytest(job, trial.name, limit, job.paths)
        trial.tests += tests
        if node == "time over":
            trial.cut.append(f"{job.paths[0]} and {len(job.paths) - 1} more")
        elif node and not self._is_right(node):
            trial.jobs.insert(0, job)
        elif node and job.is_text:
            trial.text = node
        elif node:
            trial.found = node

    def _is_right(self, node: str) -> bool:
        """Whether a test passes without a fault."""
        if node not in self.trusted | self.untrusted:
            only = () if "::" in node else ("--collect-only",)
            failed, _, _ = self._pytest(Job((node,)), "", self.options.limit, (node, *only))
            with self.lock:
                (self.untrusted if failed else self.trusted).add(node)
        return node in self.trusted

    def _pytest(
        self, job: Job, fault: str, limit: float, what: Iterable[str], more: dict[str, str] = NOTHING
    ) -> tuple[str, int, list[str]]:
        """The first test that fails, crashes or hangs (or ``time over``), how many ran, and the log."""
        with self.lock:
            self.count += 1
            stem = self.folder / str(self.count)
        log, given = stem.with_suffix(".log"), stem.with_suffix(".txt")
        log.touch()
        given.write_text("\n".join(node for node in what if node not in self.untrusted), encoding="utf-8")
        if not given.stat().st_size:
            return "", 0, []
        command = [*PYTEST, "-p", "tests.faults.plugin", *(() if more else ("-x",)), f"@{given}"]
        own = {"WEFT_FAULT_LOG": str(log), "WEFT_FAULT_SHARD": job.shard, **more}
        environment = self._environment(fault, stem if more else None)
        code, _ = run(command, {**environment, **own}, limit)
        lines = log.read_text(encoding="utf-8").splitlines()
        ran = [line.partition(" ")[2] for line in lines if line.startswith("run ")]
        failed = [line.partition(" ")[2] for line in lines if line.startswith("failed ")]
        if failed:
            return failed[0], len(ran), lines
        if code is None:
            return "time over", len(ran), lines
        if code not in (0, 5):
            return ran[-1] if ran else job.paths[0], len(ran), lines
        return "", len(ran), lines

    def _hunt(self, trial: Trial, seconds: float) -> None:
        """Let the hunt run with the fault, until it finds a program that is right without it."""
        count = str(self.options.hunt_workers)
        command = [*HUNT, "--seconds", str(int(seconds)), "--workers", count, "--seed", str(self.options.seed)]
        with started(command, self._environment(trial.name), seconds + 60) as process:
            for line in process.stdout or ():
                found = re.match(r"seed (\d+): (?!generator)", line)
                if found and self._is_right_seed(found[1]):
                    trial.found = f"hunt: {line.strip()[:120]}"
                    return
                programs = re.match(r"(\d+) programs", line)
                trial.hunted += int(programs[1]) if programs else 0

    def _is_right_seed(self, seed: str) -> bool:
        """Whether a program of the hunt has no finding without a fault."""
        if seed not in self.trusted | self.untrusted:
            code, _ = run([*HUNT, "--seed-only", seed], self._environment(""), self.options.limit)
            with self.lock:
                (self.untrusted if code else self.trusted).add(seed)
        return seed in self.trusted

    def _environment(self, fault: str, place: Path | None = None) -> dict[str, str]:
        return environment(fault, place or self._place(fault))

    def _place(self, fault: str) -> Path:
        return self.folder / (hashlib.sha256(fault.encode()).hexdigest()[:16] if fault else "right")


def report(trials: list[Trial]) -> str:
    """The table, and the score."""
    rows = [
        f"| {t.name} | `{t.target.removeprefix('weft.')}` | {_finder(t)} | {t.seconds:.0f} |"
        for t in sorted(trials, key=lambda t: (bool(t.found), t.target))
    ]
    found, texts = sum(bool(t.found) for t in trials), sum(bool(t.text and not t.found) for t in trials)
    hunted = sum(t.found.startswith("hunt") for t in trials)
    score = (
        f"**{found} of {len(trials)} found**, {hunted} of them by the hunt alone; "
        f"{found + texts} with those that only an expected text shows."
    )
    return "\n".join([score, "", "| fault | where | found by | s |", "|---|---|---|---|", *rows])


def note(file: Path, text: str) -> None:
    """Put a result into a page, in place of what stands behind the heading ``## Result``."""
    head = file.read_text(encoding="utf-8").partition("## Result")[0]
    versions = f"Python {platform.python_version()}, NumPy {version('numpy')}, {platform.platform()}"
    command = " ".join(["python -m tests.faults.score", *sys.argv[1:]])
    made = f"`{command}`, {date.today()}, {versions}, {os.cpu_count()} cores."
    file.write_text(f"{head}## Result\n\n{made}\n\n{text}\n", encoding="utf-8")


def _finder(trial: Trial) -> str:
    if trial.found:
        return trial.found
    found = f"only an expected text: {trial.text}" if trial.text else "**not found**"
    return f"{found}, {trial.tests} tests, {trial.hunted} programs{', time over' if trial.cut else ''}"


def main() -> None:
    options = _options()
    stages = tuple(options.stages.split(","))
    every = [(f.name, f.target) for f in (*FAULTS, *PATCHES)]
    wanted = [w for w in options.faults.split(",") if w]
    chosen = [(name, target) for name, target in every if not wanted or any(w in name or w in target for w in wanted)]
    place, count = map(int, options.shard.split("/"))
    with tempfile.TemporaryDirectory(prefix="weft-faults-") as folder:
        score = Score(options, Path(folder))
        reached = _reached(score, options.map)
        trials = [Trial(name, target, _jobs(target, reached, stages)) for name, target in chosen[place::count]]
        score.run(trials)
    print(report(trials))
    if options.note:
        note(Path(options.note), report(trials))
    if options.record:
        patches = {patch.name for patch in PATCHES}
        hunted = re.compile(r"hunt: (seed \d+):.*")
        record(
            {t.name: hunted.sub(r"\1", t.found or t.text) for t in trials if t.name in patches and (t.found or t.text)}
        )
    if options.output:
        kept = [{k: v for k, v in vars(t).items() if k != "jobs"} for t in trials]
        Path(options.output).write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _jobs(target: str, reached: Reached, stages: tuple[str, ...]) -> list[Job | str]:
    hunt: list[Job | str] = ["hunt"] if "hunt" in stages else []
    return [*jobs_for(target, reached, stages), *hunt]


def _reached(score: Score, file: str | None) -> Reached:
    """Which tests reach which functions, from a file if there is one."""
    if file and Path(file).exists():
        kept = json.loads(Path(file).read_text(encoding="utf-8"))
        return Reached(kept["seconds"], kept["tests"], set(kept["failing"]))
    reached = score.reach()
    if file:
        kept = {"seconds": reached.seconds, "tests": reached.tests, "failing": sorted(reached.failing)}
        Path(file).write_text(json.dumps(kept), encoding="utf-8")
    return reached


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.score", description=__doc__)
    parser.add_argument("--faults", default="", help="parts of names or places, with commas between; all if left out")
    parser.add_argument("--shard", default="0/1", help="k/n: every n-th fault, from the k-th")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=60.0, help="in all")
    parser.add_argument("--minutes-each", type=float, default=60.0, help="for one fault, all its tests together")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one piece of the tests")
    parser.add_argument("--stages", default="corpus,suite,hunt", help="which of these, with commas between")
    parser.add_argument("--hunt-seconds", type=float, default=120.0, help="for one fault that the tests did not find")
    parser.add_argument("--hunt-workers", type=int, default=1, help="processes of the hunt for one fault")
    parser.add_argument("--seed", type=int, default=0, help="the first seed of the hunt")
    parser.add_argument("--tests", default="tests", help="files or folders to take tests from, with commas between")
    parser.add_argument("--map", help="a file for what tests reach: read if it is there, else written")
    parser.add_argument("--record", action="store_true", help="write what found faults to finders.json")
    parser.add_argument("--note", help="a page whose result is written anew: docs/notes/004-mutation-score.md")
    parser.add_argument("--output", help="a file for the results, in JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
