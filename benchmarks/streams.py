"""What a stream program costs beside its work: single tokens, short periods, vectors in bulk.

Run by ``python -m benchmarks.streams``. Each figure is the best of several rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from weft import dataflow

TOKENS = 4000
LENGTH = 65_536


@dataflow.actor
def one_more(x):
    """The least work that an actor can do."""
    return x + 1.0


def best(call: Callable[[], object], rounds: int = 15) -> float:
    """Seconds of the fastest of several calls."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def single_tokens(graph: dataflow.Graph) -> tuple[float, float, float]:
    """Nanoseconds of a push and of a pop of one token, and of both with what runs between them."""
    run = graph.start()
    push, get = run.push, run.outputs[0].get

    def push_all() -> None:
        for _ in range(TOKENS):
            push(1.0)

    def get_all() -> None:
        for _ in range(TOKENS):
            get()

    def both() -> None:
        push_all()
        get_all()

    both()
    pushed, got = [], []
    for _ in range(15):
        pushed.append(best(push_all, 1))
        get()
        start = time.perf_counter()
        for _ in range(TOKENS - 1):
            get()
        got.append((time.perf_counter() - start) * TOKENS / (TOKENS - 1))
    return tuple(1e9 * seconds / TOKENS for seconds in (min(pushed), min(got), best(both)))


def short_period(graph: dataflow.Graph) -> tuple[float, float]:
    """Microseconds of a compiled period of one token, and of the same through a run's engine."""
    engine = graph.start().engine
    x, out = np.zeros(1), np.empty(1)
    engine.run(1, [x])
    program = graph.programs.run_steady
    times = 2000
    call = best(lambda: [program(1, 1, x, out) for _ in range(times)]) / times
    whole = best(lambda: [engine.run(1, [x]) for _ in range(times)]) / times
    return 1e6 * call, 1e6 * whole


def bulk(graph: dataflow.Graph) -> tuple[float, float, float]:
    """Microseconds of a vector through a run, of the compiled loop alone, and of NumPy's sum into an array."""
    x, out = np.random.default_rng(0).random(LENGTH), np.empty(LENGTH)
    run = graph.start()

    def through() -> None:
        run.push(x)
        run.pop()

    through()
    program = graph.programs.run_steady
    program(LENGTH, 1, x, out)
    return tuple(
        1e6 * best(call, 200) for call in (through, lambda: program(LENGTH, 1, x, out), lambda: np.add(x, 1.0, out=out))
    )


def main() -> None:
    """Print all figures."""
    graph = dataflow.graph(lambda x: one_more(x), x=np.float64)
    push, get, both = single_tokens(graph)
    print(f"one token: push {push:.0f} ns, pop {get:.0f} ns, both with the program between them {both:.0f} ns")
    call, whole = short_period(graph)
    print(f"a period of one token: compiled call {call:.2f} us, with the engine {whole:.2f} us")
    through, loop, plain = bulk(graph)
    print(f"{LENGTH} tokens in bulk: {through:.0f} us through a run, {loop:.0f} us the loop, {plain:.0f} us NumPy")


if __name__ == "__main__":
    main()
