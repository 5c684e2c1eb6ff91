"""Twenty more programs as users write them: ten about numbers and arrays, ten of plain Python."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from benchmarks.compiling.chosen import jit, prange
from benchmarks.compiling.programs import PROGRAMS, program, rows, written

__all__ = ["PROGRAMS"]

# ------------------------------------------------------------------------------------------ numbers and arrays


@program(lambda: (rows(1000), rows(1000)))
def dot_of_differences(x, y):
    total = 0.0
    for i in prange(x.shape[0]):
        total += (x[i] - y[i]) * (x[i] - y[i])
    return math.sqrt(total)


@program(lambda: (rows(30, 8),))
def standardised(x):
    centred = x - x.mean(axis=0)
    scale = np.sqrt((centred**2).sum(axis=0) / (x.shape[0] - 1))
    return centred / scale


@program(lambda: (rows(30, 30), 10))
def relaxed(grid, steps):
    grid = grid.copy()
    for _ in range(steps):
        grid[1:-1, 1:-1] = 0.25 * (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:])
    return grid


@program(lambda: (rows(20, 6), rows(6, 5), rows(5), rows(5, 3), rows(3)))
def two_layers(x, w1, b1, w2, b2):
    hidden = np.maximum(x @ w1 + b1, 0.0)
    scores = hidden @ w2 + b2
    scores = scores - scores.max(axis=1).reshape(-1, 1)
    powers = np.exp(scores)
    return powers / powers.sum(axis=1).reshape(-1, 1)


@program(lambda: (rows(12, 12) + 12.0 * np.eye(12),))
def cholesky(a):
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= low[i, k] * low[j, k]
            if i == j:
                low[i, i] = math.sqrt(abs(total))
            else:
                low[i, j] = total / low[j, j]
    return low


@program(lambda: (rows(24, 24),))
def shortest_paths(distance):
    n = distance.shape[0]
    best = distance.copy()
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = best[i, k] + best[k, j]
                if through < best[i, j]:
                    best[i, j] = through
    return best


@program(lambda: (rows(40), 0.01, 200))
def predator_and_prey(start, step, count):
    prey = start[0] + 1.0
    hunters = start[1] + 0.5
    history = np.zeros((count, 2))
    for t in range(count):
        k1, l1 = prey * (1.1 - 0.4 * hunters), hunters * (0.1 * prey - 0.4)
        p2, h2 = prey + 0.5 * step * k1, hunters + 0.5 * step * l1
        k2, l2 = p2 * (1.1 - 0.4 * h2), h2 * (0.1 * p2 - 0.4)
        p3, h3 = prey + 0.5 * step * k2, hunters + 0.5 * step * l2
        k3, l3 = p3 * (1.1 - 0.4 * h3), h3 * (0.1 * p3 - 0.4)
        p4, h4 = prey + step * k3, hunters + step * l3
        k4, l4 = p4 * (1.1 - 0.4 * h4), h4 * (0.1 * p4 - 0.4)
        prey += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        hunters += step / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4)
        history[t, 0] = prey
        history[t, 1] = hunters
    return history


@program(lambda: (rows(60, 2), 0.3, 4))
def density_clusters(points, reach, least):
    n = points.shape[0]
    labels = np.full(n, -1, np.int64)
    stack = np.zeros(n * n, np.int64)
    cluster = 0
    for i in range(n):
        if labels[i] != -1:
            continue
        near = 0
        for j in range(n):
            d = (points[i, 0] - points[j, 0]) ** 2 + (points[i, 1] - points[j, 1]) ** 2
            if d <= reach * reach:
                near += 1
        if near < least:
            continue
        top = 1
        stack[0] = i
        labels[i] = cluster
        while top > 0:
            top -= 1
            p = stack[top]
            for j in range(n):
                d = (points[p, 0] - points[j, 0]) ** 2 + (points[p, 1] - points[j, 1]) ** 2
                if d <= reach * reach and labels[j] == -1:
                    labels[j] = cluster
                    stack[top] = j
                    top += 1
        cluster += 1
    return labels


@program(lambda: (rows(16, 16), rows(16, 16), rows(16, 16), 5, 0.01))
def cavity(u, v, p, steps, dt):
    n, m = u.shape
    dx, dy = 2.0 / (m - 1), 2.0 / (n - 1)
    rho, nu = 1.0, 0.1
    b = np.zeros((n, m))
    for _ in range(steps):
        b[1:-1, 1:-1] = rho * (
            1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
            - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
            - 2 * ((u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx))
            - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)) ** 2
        )
        for _ in range(4):
            pn = p.copy()
            p[1:-1, 1:-1] = ((pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2) / (
                2 * (dx**2 + dy**2)
            ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0
        un = u.copy()
        vn = v.copy()
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu
            * (
                dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
                + dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])
            )
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu
            * (
                dt / dx**2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
                + dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
            )
        )
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0
    return u, v, p


def _stages() -> str:
    """Three hundred lines of array expressions, as generated models have them."""
    lines = ["def model(a, b, c, steps):", "    x0, x1, x2 = a.copy(), b.copy(), c.copy()"]
    forms = (
        "np.tanh(x{p}) * {k}.5 + x{q}",
        "x{p} - 0.1 * (x{q} - x{r})",
        "np.where(x{p} > 0.5, x{q}, x{r} * 0.5)",
        "x{p} * x{q} / (1.0 + x{r} * x{r})",
        "np.maximum(x{p}, x{q}) - x{r}",
    )
    for k in range(3, 100):
        form = forms[k % len(forms)].format(k=k, p=k - 1, q=k - 2, r=k - 3)
        lines += [f"    x{k} = {form}", f"    x{k}[0] = x{k - 1}[0] * 0.5", f"    x{k}[-1] = x{k - 1}[-1]"]
    return "\n".join([*lines, "    return x99 + x98"]) + "\n"


written("model", _stages(), lambda: (rows(50), rows(50), rows(50), 3))

# ------------------------------------------------------------------------------------------------- plain Python


@dataclass
class Body:
    """A mass in the plane."""

    x: float
    y: float
    vx: float
    vy: float
    mass: float


@program(lambda: (20, 10))
def bodies(count, steps):
    all_of_them = []
    for k in range(count):
        all_of_them.append(Body(float(k), float(k * k % 7), 0.0, 0.1 * k, 1.0 + k % 3))
    for _ in range(steps):
        for one in all_of_them:
            ax = ay = 0.0
            for other in all_of_them:
                dx, dy = other.x - one.x, other.y - one.y
                d2 = dx * dx + dy * dy + 0.1
                ax += other.mass * dx / d2
                ay += other.mass * dy / d2
            one.vx += 0.01 * ax
            one.vy += 0.01 * ay
        for one in all_of_them:
            one.x += 0.01 * one.vx
            one.y += 0.01 * one.vy
    energy = 0.0
    for one in all_of_them:
        energy += 0.5 * one.mass * (one.vx * one.vx + one.vy * one.vy)
    return energy


@program(lambda: (2000,))
def primes(limit):
    sieve = [True] * (limit + 1)
    found = []
    for k in range(2, limit + 1):
        if sieve[k]:
            found.append(k)
            for multiple in range(k * k, limit + 1, k):
                sieve[multiple] = False
    return len(found), found[-1], sum(found)


@program(lambda: ("the quick brown fox jumps over the lazy dog and the cat",))
def letters(text):
    counts = {}
    for letter in text:
        if letter.isalpha():
            counts[letter] = counts.get(letter, 0) + 1
    best, most = "", 0
    for letter in sorted(counts):
        if counts[letter] > most:
            best, most = letter, counts[letter]
    return best, most, len(counts)


class Account:
    """Money, and what was done with it."""

    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.moves = 0

    def deposit(self, amount):
        self.balance += amount
        self.moves += 1

    def withdraw(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        self.moves += 1
        return True


@program(lambda: (rows(60), 5))
def bank(amounts, customers):
    accounts = [Account(k, 10.0 * k) for k in range(customers)]
    refused = 0
    for k in range(amounts.shape[0]):
        source, target = accounts[k % customers], accounts[(k * 3 + 1) % customers]
        if source.withdraw(float(amounts[k]) * 20.0):
            target.deposit(float(amounts[k]) * 20.0)
        else:
            refused += 1
    total = 0.0
    for account in accounts:
        total += account.balance
    return total, refused, max(account.moves for account in accounts)


@program(lambda: (30, 60))
def breadth_first(nodes, edges):
    neighbours = [[] for _ in range(nodes)]
    for k in range(edges):
        a, b = k * 7 % nodes, (k * k + 3) % nodes
        neighbours[a].append(b)
        neighbours[b].append(a)
    distance = [-1] * nodes
    distance[0] = 0
    queue = [0]
    while queue:
        node = queue.pop(0)
        for near in neighbours[node]:
            if distance[near] < 0:
                distance[near] = distance[node] + 1
                queue.append(near)
    return sum(distance), max(distance)


@dataclass
class Order:
    """What a customer wants."""

    customer: int
    item: int
    quantity: int
    price: float


@program(lambda: (40,))
def invoices(count):
    orders = []
    for k in range(count):
        orders.append(Order(k % 5, k * 3 % 7, 1 + k % 4, 2.5 + k % 3))
    totals = {}
    for order in orders:
        amount = order.quantity * order.price
        if order.quantity >= 3:
            amount *= 0.9
        totals[order.customer] = totals.get(order.customer, 0.0) + amount
    large = [order for order in orders if order.quantity > 2]
    large.sort(key=lambda order: (-order.price, order.item))
    best = 0
    for customer, total in totals.items():
        if total > totals[best]:
            best = customer
    return best, totals[best], len(large), large[0].item


def _is_digit(letter):
    return "0" <= letter <= "9"


@program(lambda: ("12+34*(5-6)+7*8",))
def calculator(text):
    values, operators = [], []
    k = 0
    while k < len(text):
        letter = text[k]
        if _is_digit(letter):
            number = 0
            while k < len(text) and _is_digit(text[k]):
                number = number * 10 + int(text[k])
                k += 1
            values.append(number)
            continue
        if letter == "(":
            operators.append(letter)
        else:
            rank = 2 if letter == "*" else 1
            while operators and operators[-1] != "(" and (letter == ")" or (2 if operators[-1] == "*" else 1) >= rank):
                operator, right, left = operators.pop(), values.pop(), values.pop()
                values.append(left + right if operator == "+" else left - right if operator == "-" else left * right)
            if letter == ")":
                operators.pop()
            else:
                operators.append(letter)
        k += 1
    while operators:
        operator, right, left = operators.pop(), values.pop(), values.pop()
        values.append(left + right if operator == "+" else left - right if operator == "-" else left * right)
    return values[0]


@program(lambda: (8,))
def queens(n):
    count = 0
    columns = [0] * n
    row = 0
    columns[0] = -1
    while row >= 0:
        columns[row] += 1
        if columns[row] == n:
            row -= 1
            continue
        safe = True
        for earlier in range(row):
            if columns[earlier] == columns[row] or abs(columns[earlier] - columns[row]) == row - earlier:
                safe = False
                break
        if safe:
            if row == n - 1:
                count += 1
            else:
                row += 1
                columns[row] = -1
    return count


@jit()
def _mean(values):
    return sum(values) / len(values)


@jit()
def _spread(values):
    centre = _mean(values)
    return math.sqrt(sum((v - centre) ** 2 for v in values) / len(values))


@program(lambda: (rows(50), 5))
def summaries(data, groups):
    lists = [[] for _ in range(groups)]
    for k in range(data.shape[0]):
        lists[k % groups].append(data[k])
    result = []
    for values in lists:
        values.sort()
        result.append((_mean(values), _spread(values), values[len(values) // 2]))
    return [m for m, _, _ in result], max(s for _, s, _ in result), [q for _, _, q in result]


class Stack:
    """Numbers on top of one another."""

    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def is_empty(self):
        return len(self.items) == 0


@program(lambda: (np.array([0, 3, 0, 4, 2, 0, 5, 2, 1, 0, 6, 7]),))
def machine(codes):
    stack = Stack()
    seen = {}
    place = 0
    while place < codes.shape[0]:
        code = int(codes[place])
        place += 1
        if code == 0:
            stack.push(int(codes[place]))
            place += 1
        elif code == 2 and len(stack.items) > 1:
            stack.push(stack.pop() + stack.pop())
        elif not stack.is_empty():
            stack.push(stack.pop() * 3 + 1)
        seen[code] = seen.get(code, 0) + 1
    result = 0
    while not stack.is_empty():
        result = result * 10 + stack.pop()
    return result, len(seen), sum(seen.values())
