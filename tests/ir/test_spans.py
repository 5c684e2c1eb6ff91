"""Addresses are found in the span that has them."""

import random

from weft.ir.spans import Spans


def test_an_address_lies_in_the_span_that_was_entered_last():
    spans = Spans()
    spans.enter(10, 10, "first")
    spans.enter(30, 10, "second")
    assert spans.find(9) is None and spans.find(20) is None and spans.find(40) is None
    assert spans.find(10) == (10, 20, 10, "first") and spans.find(39).owner == "second"
    spans.enter(15, 20, "third")
    assert [spans.find(address).owner for address in (14, 15, 34, 35)] == ["first", "third", "third", "second"]
    assert spans.find(35).origin == 30
    spans.remove(15, 20)
    assert spans.find(14).owner == "first" and spans.find(15) is None and spans.find(34) is None


def test_random_spans_are_those_of_a_table_of_all_addresses():
    rng = random.Random(1)
    spans, table = Spans(), {}
    for number in range(400):
        start, size = rng.randrange(200), rng.randrange(1, 40)
        for address in range(start, start + size):
            table.pop(address, None)
        if rng.random() < 0.3:
            spans.remove(start, size)
        else:
            spans.enter(start, size, number)
            table.update((address, (start, number)) for address in range(start, start + size))
        for address in range(250):
            found = spans.find(address)
            assert (found and (found.origin, found.owner)) == table.get(address)
