"""Objects whose fields are assigned, held by lists, dicts, one another, or one of several in a variable."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

import weft
from weft.errors import UnsupportedError

from .compare import check


@dataclass
class Body:
    m: float
    x: float
    y: float = 1.0


@dataclass
class Account:
    name: str
    balance: float = 0.0
    log: list = field(default_factory=list)

    def deposit(self, amount):
        self.balance += amount
        self.log.append(amount)


class Node:
    def __init__(self, key, left=None, right=None):
        self.key = key
        self.left = left
        self.right = right


class Link:
    def __init__(self, value):
        self.value = value
        self.next = None


class Queue:
    def __init__(self):
        self.head = None
        self.tail = None
        self.size = 0

    def put(self, value):
        link = Link(value)
        if self.tail is None:
            self.head = link
        else:
            self.tail.next = link
        self.tail = link
        self.size += 1

    def get(self):
        link = self.head
        self.head = link.next
        if self.head is None:
            self.tail = None
        self.size -= 1
        return link.value


def one_object_in_all_places(n):
    p = Body(1.0, 2.0)
    items = []
    for _ in range(n):
        p.x += 1.0
        items.append(p)
    return [q.x for q in items]


def fields_of_elements(n):
    bodies = [Body(1.0 + i, i * 1.0) for i in range(n)]
    for _ in range(2):
        for b in bodies:
            for other in bodies:
                if other is not b:
                    b.y += other.m * (other.x - b.x)
        for b in bodies:
            b.x += 0.5 * b.y
    bodies.sort(key=lambda b: -b.x)
    return [(b.x, b.y) for b in bodies], sum(b.m for b in bodies), f"{bodies[0]}" if n else ""


def copies_of_lists_hold_the_same(n):
    items = []
    for i in range(n):
        p = Body(0, 1.0 * i)
        items.append(p)
        p.m += 0.5
    others = items[:] + [Body(9.0, 9.0)]
    others[0].m = 100.0
    grid = [[others[0]], [others[-1]] * 2]
    grid[1][0].x = -1.0
    return [p.m for p in items], [p.x for p in others], [[p.x for p in row] for row in grid]


def equal_and_the_same(n):
    a, b = Body(1.0, 2.0), Body(1.0, 2.0)
    items = [a, b]
    q = a if n > 2 else b
    before = a == b, a is b, q is a, items.index(b), b in items
    q.x = 9.0
    items[1].y = 4.0
    first = items.pop(0)
    return before, a.x, b.x, a.y, b.y, first is a, a != b, len(items)


def accounts(n):
    known = {}
    for i in range(n):
        name = "a" + str(i % 3)
        if name not in known:
            known[name] = Account(name)
        known[name].deposit(i * 1.0)
    best = max(known.values(), key=lambda a: a.balance)
    best.balance = -1.0
    return [a.balance for a in known.values()], best.name, best.log


def insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    else:
        node.right = insert(node.right, key)
    return node


def depth(node):
    return 0 if node is None else 1 + max(depth(node.left), depth(node.right))


def walk(node, out):
    if node is not None:
        walk(node.left, out)
        out.append(node.key)
        walk(node.right, out)


def tree(n):
    root = None
    for k in range(n):
        root = insert(root, k * 7 % 5)
    out = [0]
    walk(root, out)
    return out, depth(root)


def linked(n):
    queue = Queue()
    for i in range(n):
        queue.put(i * 1.5)
    s = 0.0
    while queue.size > 1:
        s = 2 * s + queue.get()
    head = queue.head
    while head is not None:
        s -= head.value
        head = head.next
    return s


def swapped(n):
    a, b = Body(1.0, 2.0), Body(4.0, 5.0)
    for _ in range(n):
        a, b = b, a
        a.x += 1.0
    c = a if n % 2 else b
    c.m = 0.0
    return a.x, b.x, a.m, b.m


def absent(n):
    best = None
    for i in range(n):
        b = Body(1.0 * i, 0.0)
        if best is None or b.m > best.m:
            best = b
    try:
        best.x = 3.0
    except AttributeError:
        return -1.0
    return best.m + best.x


def finished(n):
    items = []
    for i in range(n):
        p = Body(0.0, 0.0)
        p.x = i * 1.0
        items.append(p)
    accounts = [Account("x" + str(i)) for i in range(n)]
    for account in accounts:
        account.deposit(1.5)
    return items[1:], items[0], {account.name: account for account in accounts}


def added_to_where_it_may_be_absent(n):
    first = None
    for k in range(n):
        first = Node(k, first)
    c = first
    while c is not None:
        c.key += 1
        c = c.left
    digits, c = 0, first
    while c is not None:
        digits = digits * 10 + c.key
        c = c.left
    best = None
    for k in range(n):
        one = Body(1.0, float(k % 3), float(k))
        if best is None or one.x > best.x:
            best = one
    held = [best]
    held[0].y += 10.0
    return digits, best.y


def tree_made_by_loops(n):
    root = None
    for k in range(n):
        node = Node(k * 7 % 5)
        if root is None:
            root = node
            continue
        c = root
        while c.left is not None and c.key > node.key:
            c = c.left
        c.left = node
    keys = []
    while root is not None:
        keys.append(root.key)
        root = root.left
    return keys


EXAMPLES = [
    added_to_where_it_may_be_absent, tree_made_by_loops,
    one_object_in_all_places, fields_of_elements, copies_of_lists_hold_the_same, equal_and_the_same, swapped, absent,
    accounts, tree, linked, finished,
]  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("function", EXAMPLES)
def test_all_who_hold_an_object_see_what_is_assigned(function):
    check(function, 4)


@pytest.mark.parametrize("function", [one_object_in_all_places, absent, swapped])
def test_machine_code_gives_the_same(function):
    compiled = weft.jit(function)
    for n in (1, 4):
        assert compiled(n) == function(n)


def of_a_missing_object(n):
    best = None
    if n > 3:
        best = Body(1.0, 2.0)
    return best.x


def test_a_field_of_none_raises_as_in_cpython():
    compiled = weft.jit(of_a_missing_object)
    assert compiled(4) == 2.0
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'x'"):
        compiled(1)


def twice(n):
    items = [Body(1.0, float(i)) for i in range(n)]
    for p in items:
        p.x += 1.0
    return items, items[n // 2]


def nested(n):
    items = [Node(n), Node(n + 1)]
    items[0].left = items[1]
    return items


def inner_list(n):
    items = [[Body(1.0, 2.0)]]
    items[0][0].x = 7.0
    return items


def list_in_a_dict(n):
    found = {"a": [Body(1.0, 2.0)]}
    found["a"][0].x = 3.0
    return found


def held_argument(b):
    items = [b]
    b.x = 5.0
    return items[0].x


def test_what_is_refused_names_what_to_write():
    with pytest.raises(UnsupportedError, match="two places of the result"):
        weft.jit(twice)(3)
    assert weft.jit(list_in_a_dict)(3) == list_in_a_dict(3)
    for function in (nested, inner_list):
        with pytest.raises(UnsupportedError, match="objects cannot be returned"):
            weft.jit(function)(3)
    with pytest.raises(UnsupportedError, match="cannot be held by a list or dict"):
        weft.jit(held_argument)(Body(1.0, 2.0))
