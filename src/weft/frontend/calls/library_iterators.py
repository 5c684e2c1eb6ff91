"""``itertools`` and ``enumerate`` over generators, written in the language that Weft compiles."""

# Parameters are of whatever type the caller has, which is why nothing here is annotated.
# mypy: ignore-errors
# ruff: noqa: UP028

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False, repr=False)
class Iterator:
    """``iter(items)``; `place` is negative once it has ended, for it stays ended if the list grows."""

    items_left: object
    place_of_next: int = 0


def following(iterator):
    """``next(iterator)``."""
    if 0 <= iterator.place_of_next < len(iterator.items_left):
        iterator.place_of_next += 1
        return iterator.items_left[iterator.place_of_next - 1]
    iterator.place_of_next = -1
    raise StopIteration


def following_or(iterator, default):
    """``next(iterator, default)``."""
    if 0 <= iterator.place_of_next < len(iterator.items_left):
        iterator.place_of_next += 1
        return iterator.items_left[iterator.place_of_next - 1]
    iterator.place_of_next = -1
    return default


def remaining(iterator):
    """What a loop over an iterator runs over."""
    while 0 <= iterator.place_of_next < len(iterator.items_left):
        iterator.place_of_next += 1
        yield iterator.items_left[iterator.place_of_next - 1]
    iterator.place_of_next = -1


def enumerated(items, start):
    """``enumerate(items, start)``."""
    position = start
    for item in items:
        yield position, item
        position += 1


def chain(*iterables):
    """``itertools.chain``."""
    for items in iterables:
        for item in items:
            yield item


def chain_of(iterables):
    """``itertools.chain.from_iterable``."""
    for items in iterables:
        for item in items:
            yield item


def count(start=0, step=1):
    """``itertools.count``."""
    number = start
    while True:
        yield number
        number += step


def accumulate(iterable, func=None, *, initial=None):
    """``itertools.accumulate``; totals are in a tuple, since they may be None."""
    total = None if initial is None else (initial,)
    if initial is not None:
        yield initial
    for item in iterable:
        if total is None:
            total = (item,)
        elif func is None:
            total = (total[0] + item,)
        else:
            total = (func(total[0], item),)
        yield total[0]


def pairwise(iterable):
    """``itertools.pairwise``."""
    before = None
    is_first = True
    for item in iterable:
        if not is_first:
            yield before, item
        before = item
        is_first = False


def islice_to(iterable, stop):
    """``itertools.islice(iterable, stop)``."""
    taken = 0
    if stop > 0:
        for item in iterable:
            yield item
            taken += 1
            if taken >= stop:
                return


def takewhile(predicate, iterable):
    """``itertools.takewhile``."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def product(pools):
    """``itertools.product`` of pools that stay as they are."""
    if len(pools) == 0:
        yield ()
    else:
        for item in pools[0]:
            for rest in product(pools[1:]):
                yield (item, *rest)


def combinations(pool, size, start):
    """``itertools.combinations`` from a place on; `size` is a constant."""
    if size == 0:
        yield ()
    else:
        for k in range(start, len(pool)):
            for rest in combinations(pool, size - 1, k + 1):
                yield (pool[k], *rest)


def combinations_with_replacement(pool, size, start):
    """``itertools.combinations_with_replacement`` from a place on; `size` is a constant."""
    if size == 0:
        yield ()
    else:
        for k in range(start, len(pool)):
            for rest in combinations_with_replacement(pool, size - 1, k):
                yield (pool[k], *rest)


def permutations(pool, size, used):
    """``itertools.permutations`` of the places that are not `used`; `size` is a constant."""
    if size == 0:
        yield ()
    else:
        for k in range(len(pool)):
            if k not in used:
                for rest in permutations(pool, size - 1, (*used, k)):
                    yield (pool[k], *rest)
