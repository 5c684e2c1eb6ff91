"""``collections.deque`` in compiled code, beside CPython: what it holds, and what it raises."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import weft


def breadth_first(n, m):
    queue, seen, order = deque([0]), [0] * (n + 1), []
    seen[0] = 1
    while queue:
        v = queue.popleft()
        order.append(v)
        for u in (2 * v + 1, 2 * v + 2, v - m):
            if 0 <= u < n and not seen[u]:
                seen[u] = 1
                queue.append(u)
    return order, queue, len(queue)


def window(n, m):
    recent, means = deque(maxlen=m), []
    for k in range(n):
        recent.append(k * 0.5)
        means.append(sum(recent, 0.0) / max(len(recent), 1))
    return means, recent, recent.maxlen


def pairs(n, m):
    queue = deque()
    queue.append((0, 0.0))
    total = 0.0
    while len(queue) > 0:
        k, v = queue.pop() if m % 2 else queue.popleft()
        total = total * 0.5 + v
        if k < n % 12:
            queue.append((k + 1, v + 1.0))
            if k % 3 == 0:
                queue.appendleft((k + 2, v * 2))
    return total, queue


def long_queue(n, m):
    queue, total = deque([0]), 0
    for k in range(10 * n):
        queue.append(k)
        queue.append(k + 1)
        total = total * 3 % 1_000_003 + queue.popleft() + queue[len(queue) // 2]
    return total, len(queue), queue


def left(n, m):
    queue = deque(range(m))
    for k in range(n):
        queue.appendleft(k)
        if k % 3 == 2:
            queue.append(queue.popleft() + queue[-1])
    return queue, queue[0], list(queue)


def read(n, m):
    q = deque([3, 1, 2])
    r = q.copy()
    r.append(n)
    doubled = [x * 2 for x in r]
    pairs = [(k, x) for k, x in enumerate(q)]
    same = q == r, q == deque([3, 1, 2]), q == [3, 1, 2], isinstance(q, deque)
    return sorted(q), max(q), min(r), list(r), same, any(x > 2 for x in q), doubled, bool(q), pairs, 1 in r, q.count(m)


def changed(n, m):
    q = deque([5, 6, 7])
    q.extend(range(n % 7))
    q.extendleft([m, 8])
    q.rotate(m)
    q.rotate()
    q.reverse()
    q[-1] += 10
    q += q
    q.rotate(-n)
    last = q.pop()
    copied = q.copy()
    q.clear()
    q.append(last)
    return q, copied, last


def limited(n, m):
    q = deque(range(n), m)
    q.extendleft([1, 2])
    q.append(3)
    q.append(4)
    q.appendleft(5)
    return q, q.maxlen, len(q)


def of_lists(n, m):
    q = deque([[1, n], [2]])
    q.append([3])
    first = q.popleft()
    first.append(9)
    q[0].append(m)
    return list(q), first


def taken(n, m):
    q = deque()
    for k in range(n):
        q.append(k)
    for _ in range(m):
        q.popleft()
    return q.pop(), q[m - 1]


def assigned(n, m):
    q = deque(range(n))
    q[m] = 7
    return q


def never_filled(n, m):
    q = deque()
    return q.popleft() if n > m else len(q)


def with_limit(n, m):
    return deque([1, 2], maxlen=m - n)


FUNCTIONS = (
    breadth_first, window, pairs, long_queue, left, read, changed, limited, of_lists, taken, assigned, never_filled,
    with_limit,
)  # fmt: skip


def outcome(function, *given):
    try:
        return shown(function(*given))
    except Exception as error:
        return type(error), str(error)


def shown(value):
    if isinstance(value, (tuple, list, deque)):
        return type(value), getattr(value, "maxlen", None), [shown(item) for item in value]
    return type(value), value


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_deques(function):
    compiled = weft.jit(function)
    for given in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 3), (7, 2), (31, 5), (40, 40), (100, 17)):
        assert outcome(compiled, *given) == outcome(function, *given), given


def operations(steps, n, m):
    q, log = deque(range(n), m), []
    for step in steps:
        if step == 0:
            q.append(len(q))
        elif step == 1:
            q.appendleft(-len(q))
        elif step == 2:
            log.append(q.popleft())
        elif step == 3:
            log.append(q.pop())
        elif step == 4:
            q.rotate(2)
        else:
            log.append(q[-1])
    return q, log


@pytest.mark.parametrize("limit", (None, 5))
def test_random_operations(limit):
    compiled, r = weft.jit(operations), np.random.default_rng(3)
    for _ in range(100):
        given = r.integers(0, 6, int(r.integers(0, 60))), int(r.integers(0, 40)), limit
        assert outcome(compiled, *given) == outcome(operations, *given), given


def test_a_deque_that_changes_in_its_loop_is_refused():
    @weft.jit
    def f(n):
        q = deque([1, n])
        for x in q:
            q.append(x)
        return q

    with pytest.raises(weft.UnsupportedError, match="while a loop runs over it"):
        f(2)
