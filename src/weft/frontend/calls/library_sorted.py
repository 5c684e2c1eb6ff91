"""``heapq`` and ``bisect``, written in the language that Weft compiles: the algorithms of Python's library."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors

from __future__ import annotations

EMPTY = "index out of range"


def heappush(heap, item):
    """``heapq.heappush``."""
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


def heappop(heap):
    """``heapq.heappop``."""
    if len(heap) == 0:
        raise IndexError(EMPTY)
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    sink(heap, 0)
    return first


def heapreplace(heap, item):
    """``heapq.heapreplace``."""
    if len(heap) == 0:
        raise IndexError(EMPTY)
    first = heap[0]
    heap[0] = item
    sink(heap, 0)
    return first


def heappushpop(heap, item):
    """``heapq.heappushpop``."""
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        sink(heap, 0)
        return first
    return item


def heapify(x):
    """``heapq.heapify``."""
    for k in range(len(x) // 2):
        sink(x, len(x) // 2 - 1 - k)


def rise(heap, start, place):
    """Move an element up until its parent is not larger."""
    item = heap[place]
    while place > start:
        parent = (place - 1) >> 1
        if not item < heap[parent]:
            break
        heap[place] = heap[parent]
        place = parent
    heap[place] = item


def sink(heap, place):
    """Move the smaller children up until a leaf is reached, and the element from there up again."""
    start = place
    end = len(heap)
    item = heap[place]
    child = 2 * place + 1
    while child < end:
        if child + 1 < end and not heap[child] < heap[child + 1]:
            child += 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    rise(heap, start, place)


def nsmallest(n, iterable, key=None):
    """``heapq.nsmallest``."""
    return sorted(iterable, key=key)[: max(n, 0)]


def nlargest(n, iterable, key=None):
    """``heapq.nlargest``."""
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def bisect_left(a, x, lo=0, hi=None):
    """``bisect.bisect_left``."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if a[middle] < x:
            lo = middle + 1
        else:
            high = middle
    return lo


def bisect_right(a, x, lo=0, hi=None):
    """``bisect.bisect_right``."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if x < a[middle]:
            high = middle
        else:
            lo = middle + 1
    return lo


def insort_left(a, x, lo=0, hi=None):
    """``bisect.insort_left``."""
    a.insert(bisect_left(a, x, lo, hi), x)


def insort_right(a, x, lo=0, hi=None):
    """``bisect.insort_right``."""
    a.insert(bisect_right(a, x, lo, hi), x)


def array_split(ary, sections):
    """``np.array_split`` into so many parts."""
    length = ary.shape[0]
    if sections <= 0:
        raise ValueError("number sections must be larger than 0.")
    parts = []
    start = 0
    for k in range(sections):
        size = length // sections
        if k < length % sections:
            size += 1
        parts.append(ary[start : start + size])
        start += size
    return parts


def split(ary, sections):
    """``np.split`` into so many parts."""
    if sections == 0:
        raise ZeroDivisionError("integer modulo by zero")
    if ary.shape[0] % sections != 0:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, sections)
