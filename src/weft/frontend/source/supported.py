"""What Weft compiles and what it refuses, with the text that one gets: read by the compiler, and by the manual.

Examples are bodies of a function of ``a`` and ``b`` (float64 vectors), ``m`` (a float64 matrix), ``x`` (a float) and
``n`` (an int); tests compile every one of them.
"""

from __future__ import annotations

from typing import Literal

from weft.dataclass import dataclass


@dataclass(frozen=True)
class Feature:
    """A construct: an example, and for refused ones the message, its cause and what to write instead.

    Braces in `message` and `hint` are filled in with the user's own words.
    """

    name: str
    example: str
    status: Literal["supported", "refused"] = "refused"
    message: str = ""
    cause: str = ""
    hint: str = ""


def _supported(name: str, example: str) -> Feature:
    return Feature(name, example, "supported")


SUPPORTED = (
    _supported("for over range", "for i in range(1, n, 2):\n    a[i] = 0.0"),
    _supported("for over weft.prange", "for i in weft.prange(len(a)):\n    a[i] = 1.0"),
    _supported("weft.assume_independent", "for i in weft.assume_independent(range(len(a))):\n    a[i] = 1.0"),
    _supported("for over an array", "s = 0.0\nfor v in a:\n    s += v\nreturn s"),
    _supported("for over the rows of an array", "for row in m:\n    row[0] = 1.0"),
    _supported("enumerate, zip, reversed", "for i, (u, v) in enumerate(zip(a, b)):\n    a[i] = u + v"),
    _supported("zip that checks lengths", "for u, v in zip(a, b, strict=True):\n    x += u * v\nreturn x"),
    _supported(
        "map, filter, functools.reduce",
        "t = list(filter(lambda v: v > x, a))\nfor u in map(math.sqrt, b):\n    x += u\n"
        "return t, sum(map(abs, a)), functools.reduce(lambda u, v: u * v, a, x)",
    ),
    _supported("sorted and sort with a key", "t = [x, 2.0]\nt.sort(key=abs)\nreturn t, sorted(a, key=lambda v: -v)"),
    _supported(
        "for over np.ndindex, np.ndenumerate, .flat",
        "for i, j in np.ndindex(m.shape):\n    m[i, j] = 0.0\nfor (i, j), v in np.ndenumerate(m):\n    m[i, j] = v + i",
    ),
    _supported("for over a tuple", "for k in (1, 2, 3):\n    a[k] = 0.0"),
    _supported("recursion", "def f(k):\n    return k if k < 2 else f(k - 1) + f(k - 2)\nreturn f(n)"),
    _supported(
        "functools.cache, functools.lru_cache",
        "@functools.cache\ndef f(k):\n    return k if k < 2 else f(k - 1) + f(k - 2)\nreturn f(n)",
    ),
    _supported("while", "while x > 1.0:\n    x = x / 2.0\nreturn x"),
    _supported(
        "break, continue, else", "for i in range(n):\n    if a[i] > x:\n        break\nelse:\n    return -1\nreturn i"
    ),
    _supported("early return", "for i in range(n):\n    if a[i] > x:\n        return i\nreturn -1"),
    _supported(
        "match",
        "match n:\n    case 0 | 1:\n        return x\n    case k if k > 9:\n        return 2 * x\nreturn -x",
    ),
    _supported(
        "strings that depend on values",
        "name = 'low'\nfor i in range(n):\n    if a[i] > x:\n        name = name + '!'\n"
        "return name.upper(), len(name), {name: n}, [c for c in name if c in 'low'], f'{name}: {x:.2f}'",
    ),
    _supported("next of a generator expression", "return next((v for v in a if v > x), -1.0)"),
    _supported("several results", "return x, n"),
    _supported("tuples and swaps", "a, b = b, a\nreturn a"),
    _supported("augmented assignment", "a[0] += x"),
    _supported("conditional expression", "return x if n > 0 else -x"),
    _supported("chained comparison", "return 0 < n < 10"),
    _supported("and, or, not", "return n > 0 and not x > 1.0"),
    _supported(
        "random numbers of a seed", "rng = np.random.default_rng(n)\nfor i in range(len(a)):\n    a[i] = rng.random()"
    ),
    _supported("walrus", "if (k := n + 1) > 3:\n    return k\nreturn 0"),
    _supported("assert", "assert n > 0, f'n is {n}'"),
    _supported("try", "try:\n    x = x / n\nexcept ZeroDivisionError:\n    x = 0.0\nelse:\n    x += 1.0\nreturn x"),
    _supported("finally", "try:\n    x = a[n]\nfinally:\n    a[0] = 1.0\nreturn x"),
    _supported("raise", "if n < 0:\n    raise ValueError(f'n is {n}')"),
    _supported("imports in functions", "from math import sqrt\nimport numpy as numbers\nreturn numbers.exp(sqrt(x))"),
    _supported("del of a name", "t = x * x\nx = t + 1.0\ndel t\nreturn x"),
    _supported("helper functions", "def square(v):\n    return v * v\nreturn square(x)"),
    _supported(
        "parameters with * and **",
        "def total(*values, **named):\n    return sum(values) * named['scale']\nreturn total(x, *(1.0, n), scale=2.0)",
    ),
    _supported("lambdas", "f = lambda v: v + 1.0\nreturn f(x)"),
    _supported("nonlocal", "s = 0.0\ndef add(v):\n    nonlocal s\n    s += v\nadd(x)\nreturn s"),
    _supported("math", "return math.sqrt(x) + math.pi"),
    _supported("NumPy's scalar functions", "return np.exp(a[0]) + np.float32(x)"),
    _supported(
        "min, max, abs, sum, len, round, divmod, pow", "return min(n, 3) + abs(n) + len(a) + round(x, 2), pow(n, 3, 7)"
    ),
    _supported("int, float, bool, complex", "return int(x), float(n), bool(n), complex(x)"),
    _supported("local arrays", "t = np.zeros(n, dtype=np.float32)\nreturn t"),
    _supported("np.array of scalars", "t = np.array([x, 1.0, 2.0])\nreturn t"),
    _supported("np.arange, linspace, eye, identity", "return np.arange(n), np.linspace(0.0, x, n), np.eye(n, k=1)"),
    _supported("copies of arrays", "t = a.copy()\nu = np.array(b, dtype=np.float32)\nreturn t, u, m.astype(np.int32)"),
    _supported("fill", "a.fill(x)"),
    _supported("slices", "return a[1:-1:2]"),
    _supported("transposes", "return m.T"),
    _supported("new axes", "return a[:, None]"),
    _supported("shape, ndim, size, dtype", "return m.shape, m.ndim, m.size"),
    _supported("array expressions", "return np.sqrt(a * a + b) - 2 * (a > b)"),
    _supported("broadcasting", "return m * a[:4] + a[:3, None]"),
    _supported("assignment to slices", "a[1:-1] = 0.5 * (a[2:] + a[:-2])\nm[:, 0] = 0.0"),
    _supported("masks", "a[a > 0.5] = 0.0\nreturn b[b < x]"),
    _supported("arrays of positions", "p = np.arange(3)\nreturn a[p], m[p, 0]"),
    _supported("reductions", "return a.sum(), m.mean(axis=0), np.max(m, axis=1, keepdims=True), np.argmin(a)"),
    _supported("products", "return m @ m.T, np.dot(a, b), np.outer(a, b)"),
    _supported("running sums", "return np.cumsum(a)"),
    _supported("joining arrays", "return np.concatenate((a, b)), np.stack((a, b))"),
    _supported("arrays of list comprehensions", "return np.array([v * v for v in a if v > x])"),
    _supported(
        "lists of lists", "t = [[0.0] * n for _ in range(3)]\nt[0][1] += x\nt[1].append(x)\nreturn t, np.array(t[0])"
    ),
    _supported(
        "dicts with computed keys",
        "t = {}\nfor i in range(n):\n    t[i // 2, i % 2] = t.get((i, 0), 0) + i\n"
        "return t, len(t), (n, 0) in t, sum(t.values())",
    ),
    _supported(
        "floats as keys", "t = {}\nfor v in a:\n    t[v] = t.get(v, 0) + 1\nreturn t, x in t, sorted({v for v in a})"
    ),
    _supported("sets of ints", "t = {i % 3 for i in range(n)}\nt.add(n)\nreturn sorted(t), n in t, len(t | {1, 2})"),
    _supported(
        "collections.defaultdict and Counter",
        "t = collections.defaultdict(list)\nfor i in range(n):\n    t[i % 3].append(a[i])\n"
        "return t, collections.Counter([n, 2, n]).most_common(1)",
    ),
    _supported(
        "collections.deque",
        "t = collections.deque([n], maxlen=9)\nwhile t:\n    k = t.popleft()\n    if k > 0:\n        t.append(k - 1)\n"
        "t.appendleft(n)\nreturn t, len(t), t[0]",
    ),
    _supported("del of items", "t = [n, 2]\ndel t[0]\nreturn t"),
    _supported("sum over a generator", "return sum(v * v for v in a)"),
    _supported(
        "sorted, min and max of generators", "t = sorted(v * v for v in a)\nreturn t[0], max((v for v in b), default=x)"
    ),
    _supported(
        "generator functions",
        "def squares(k):\n    for i in range(k):\n        yield i * i\nfor v in squares(n):\n    x += v\n"
        "return x, list(squares(3)), sum(squares(n))",
    ),
    _supported(
        "generator expressions in loops",
        "for v in (u * u for u in a if u > x):\n    x += v\nreturn x, max(u for u in b if u < x)",
    ),
    _supported("min and max with a key", "return max(a, key=lambda v: v * v)"),
    _supported("unpacking with a star", "first, *rest, last = a\nreturn first, len(rest), last"),
    _supported("in a tuple", "return n in (1, 2, 3)"),
    _supported("lists of numbers", "t = []\nfor i in range(n):\n    t.append(i * x)\nreturn t[-1], len(t)"),
    _supported("lists of arrays", "t = [a]\nfor i in range(n):\n    t.append(t[-1] * x)\nreturn np.stack(t), len(t)"),
    _supported("list comprehensions", "t = [v for v in a if v > x]\nreturn len(t), sum(t)"),
    _supported("dicts with constant keys", "t = {'a': 1.0, 'b': x}\nt['a'] += x\nreturn t['a'], len(t)"),
    _supported(
        "np.vectorize",
        "@np.vectorize\ndef f(u, v):\n    return u if u > v else 0.0\n"
        "return f(a, x), np.vectorize(math.floor, otypes=[int])(b)",
    ),
    _supported("in an array", "return x in a"),
    _supported("in a range", "return n in range(0, 10, 2)"),
    _supported("isinstance", "return isinstance(x, float)"),
    _supported("with weft.device", "with weft.device('cpu'):\n    for i in range(n):\n        a[i] = 1.0"),
    _supported("print", "print('x is', x)"),
)
"""What compiles."""


REFUSED = (
    Feature(
        "fancy indexing",
        "return a[b]",
        message="'{what}' picks elements by arrays in a way that is not supported",
        cause="supported are a mask alone, and arrays of integers with numbers and slices",
        hint="write a loop over the elements, with an if for a mask or p[i] for positions",
    ),
    Feature(
        "array method",
        "return a.tobytes()",
        message="the method '{name}' of arrays is not supported yet",
        hint="write a loop over the elements of {what}; or call it outside, and pass the result",
    ),
    Feature(
        "array function",
        "return np.nditer(a)",
        message="'{name}' of whole arrays is not supported yet",
        hint="call it outside and pass the result, call it with weft.python, or write a loop over the elements",
    ),
    Feature(
        "option of np.vectorize",
        "return np.vectorize(math.floor, cache=True)(a)",
        message="np.vectorize is not supported with this '{name}' in compiled code",
        hint="leave it out, and let a lambda say what belongs to each element; otypes lists NumPy's dtypes",
    ),
    Feature(
        "argument of np.vectorize",
        "return np.vectorize(lambda v: v)(None)",
        message="what np.vectorize made is called with numbers and arrays of numbers, and this is {what}",
        hint="pass an array of numbers, or let the function read it from outside",
    ),
    Feature(
        "result of np.vectorize",
        "return np.vectorize(lambda v: None)(a)",
        message="the function of np.vectorize gives {what}, which is not supported as an element of its result",
        hint="return a number, or several ones, of the dtype that otypes says",
    ),
    Feature(
        "numpy function",
        "return np.frombuffer(n)",
        message="'{name}' is not supported in compiled code",
        hint="call it outside and pass the result, or write the loop",
    ),
    Feature(
        "reshaped view",
        "t = np.asfortranarray(a)\nreturn t",
        message="'{what}' shares its memory with the array, and one of the two is written or returned beside the other",
        cause="compiled code makes a copy here, which must not be told from NumPy's view",
        hint="write to one of the two only, and read from it; or write .copy() behind it where they are to be apart",
    ),
    Feature(
        "truth of an array",
        "if a:\n    return 1\nreturn 0",
        message="the truth value of the array '{what}' is ambiguous",
        hint="compare one of its elements, or loop over them",
    ),
    Feature(
        "in",
        "return x in n",
        message="'in' works on tuples, lists, ranges and numbers in arrays, and this is {what}",
        hint="search in a loop, or with any and a generator",
    ),
    Feature(
        "is of values",
        "return x is n",
        message="'{what}' asks for the identity of numbers or arrays",
        cause="'is' works on None, types and functions, which are known when compiling",
        hint="compare numbers with ==, which is true for equal numbers whether or not they are one object",
    ),
    Feature(
        "item assignment",
        "t = (1, 2)\nt[0] = 3",
        message="items of {what} cannot be assigned",
        hint="use an array, or build a new tuple",
    ),
    Feature(
        "parts in a tuple",
        "m[1:3] = m[0], m[1]",
        message="a tuple of arrays is assigned to '{what}', which may share memory with them",
        cause="NumPy writes the first before it reads the second",
        hint="write np.array(...) around the tuple, which reads all of them first",
    ),
    Feature(
        "attribute of a captured object",
        "settings.scale = 1.0",
        message="'{name}' cannot be assigned: the object is captured",
        cause="only objects that are arguments, or made in compiled code, are changed",
        hint="pass the object as an argument",
    ),
    Feature(
        "object in a list",
        "return 0",
        message="this object of the class {cls}, whose fields are assigned, cannot be held by a list or dict",
        cause="it is an argument, or its __init__ has not returned",
        hint="put a new object with the same fields there; what __init__ does with self, do after the call instead",
    ),
    Feature(
        "objects in a result",
        "return 0",
        message="objects cannot be returned that hold others, or that lie in a dict with constant keys, or in lists or "
        "tuples inside of a list",
        cause="their fields are assigned, and compiled code keeps them in arrays",
        hint="return their fields, as in [p.x for p in items]",
    ),
    Feature(
        "unset field",
        "return 0",
        message="the field '{name}' of an object of the class {cls} has no value after the object is made",
        cause="lists, dicts or variables hold several objects of this class, so all its fields need values",
        hint="assign self.{name} in __init__",
    ),
    Feature(
        "fields that are objects",
        "return 0",
        message="objects of the class {cls} hold others, and cannot be compared or shown with all that is in them",
        cause="how deep that goes is known when the program runs",
        hint="compare or show fields that are numbers or strings; 'is' tells whether two are one object",
    ),
    Feature(
        "shape assignment",
        "a.shape = (1, n)",
        message="the shape of '{what}' cannot be assigned here",
        cause="that changes the array under all of its names; compiled code does it for new arrays that have one name",
        hint="write {what} = {what}.reshape(...)",
    ),
    Feature(
        "attribute assignment",
        "a.flat = b",
        message="the attribute '{name}' cannot be assigned in compiled code",
        cause="attributes of plain objects are, and fields of dataclasses that are not frozen",
        hint="build a new object with dataclasses.replace, or keep the value in an array",
    ),
    Feature(
        "new attribute",
        "return 0",
        message="objects of the class {cls} have no attribute '{name}' yet",
        cause="compiled code changes the attributes that an object has; it adds none",
        hint="assign '{name}' in __init__, or before the call",
    ),
    Feature(
        "record assignment",
        "r = np.empty(n, dtype=[('v', 'f8', 3)])\nr[0] = r[1]",
        message="'{what} = ...' assigns a whole record, which is supported between equal dtypes without sub-arrays",
        hint="assign the fields one by one",
    ),
    Feature("imag of real", "return a.imag", message="'.imag' of an array of real numbers is a read-only zero array",
            hint="write the number zero where one of its elements is used"),
    Feature("star", "def f(*values):\n    return len(values)\nreturn f(*a)",
            message="'*' in a call takes a tuple, and this is {what}",
            cause="how many arguments a call has is known when compiling",
            hint="write the arguments one by one, or pass it as one argument"),
    Feature("columns", "rows = [[x] for k in range(n)]\nfor c in zip(*rows):\n    t = c\nreturn t",
            message="zip(*{rows}) makes tuples, and how long they are is not known when compiling",
            cause="it works for lists of lists, in a loop or comprehension that only reads the items of each tuple",
            hint="make a list for each column k: [row[k] for row in {rows}]"),
    Feature("double star", "def f(**k):\n    return 0\nreturn f(**x)",
            message="'**' in a call takes a dict, and this is {what}", hint="name the arguments"),
    Feature("recursion", "def f(v):\n    yield v\n    for k in f(v + 1):\n        yield k\nreturn sum(k for k in f(x))",
            message="'{name}' calls itself: {chain}",
            cause="functions that yield are inlined in the loops over them, and cannot stand in themselves",
            hint="let it append to a list that it is given, and return nothing"),
    Feature("view in recursion",
            "def f(v):\n    w = v.reshape(-1)\n    return w[0] if w[0] > x else f(v + 1.0)\nreturn f(m)",
            message="'{name}' calls itself, and makes a view of another shape or keeps arrays in lists",
            cause="which of them a program could tell from a copy is not known across calls",
            hint="write .copy() behind what it reshapes, or pass positions and not parts of arrays"),
    Feature("comprehension", "return np.array([u * v for u in a for v in b])",
            message="this comprehension is not supported", hint="make a list, or an array, and fill it in a loop"),
    Feature("list", "return 0", message="lists are not supported in associative functions",
            hint="use a tuple"),
    Feature("array in a list", "t = [a]\na[0] = x\nreturn np.array(t)",
            message="an array that a list holds is written, or is the caller's, while the list is there",
            cause="lists of compiled code hold copies of arrays, which must not be told from the arrays",
            hint="append a copy, with .copy() behind the array, where the list is to keep what it is now; and write to "
            "copies of what the list holds"),
    Feature("update in a list", "t = [a + 1.0]\nt[0] += x\nreturn np.array(t)",
            message="'{all}' changes an array that a list holds",
            cause="all names of that array see it, and lists of compiled code hold copies",
            hint="make a new array: {what} = {what} and the operator and the operand behind it"),
    Feature("elements of a list", "t = [range(n)]\nreturn len(t)",
            message="a list of elements of the type {what} is not supported",
            cause="elements of lists are numbers, arrays, lists, or tuples and dataclasses of these",
            hint="use one list for each thing that an element has"),
    Feature("sets in a list", "t = {n: set()}\nt[n + 1] = set()\nt[n].add(2)\nreturn len(t[n])",
            message="{what} is an element of a list or a value of a dict",
            cause="they hold numbers, arrays, lists, or tuples and dataclasses of these",
            hint="use a list: test 'x not in items' before items.append(x)"),
    Feature("dicts in a list", "t = {}\nt[n] = {}\nt[n][n] = x\nreturn len(t)",
            message="a dict whose keys do not all stand in its braces is an element of a list or a value of a dict",
            cause="compiled code knows the keys of such dicts when compiling",
            hint="use one dict whose keys are tuples: d[k, i] instead of d[k][i]; or give each key a value in the braces"),
    Feature("key of a dict in a list", "t = [{'a': x}]\nt[0]['b'] = x\nreturn len(t)",
            message="a dict in a list, or in another dict, gets a key that it was not made with, or loses one",
            cause="such a dict has the keys that stand in its braces",
            hint="give each key a value in the braces, such as 0.0, and assign it later"),
    Feature("types in a list", "t = [n]\nt.append(x)\nreturn len(t)",
            message="the list holds elements of the type {other}, and gets one of the type {what}",
            cause="all elements of a list have one type",
            hint="convert it, for example with int, float or np.float64, or use two lists"),
    Feature("length of a given list", "return 0",
            message="a list from outside of the function gets or loses elements",
            cause="compiled code assigns elements of such a list; its length stays",
            hint="change a copy of it, such as list(...) makes, and return that"),
    Feature("strings of an argument", "return 0",
            message="a string is stored in a list that is an argument",
            cause="compiled code reads the strings of such a list, and leaves them as they are",
            hint="change a copy of it, such as list(...) makes, and return that"),
    Feature("list beside a given one", "return 0",
            message="a new list is stored in a list that is an argument, or a name stands for either of them",
            cause="lists in lists that are arguments stay the caller's, with their lengths",
            hint="make a copy first, [row[:] for row in rows], and change and return that"),
    Feature("slice of a list on the left", "t = [n, 2]\nt[0:1] = [3]\nreturn t",
            message="several elements of a list are not assigned at once",
            cause="that may change the length of the list",
            hint="assign the elements in a loop, or make a new list: t[:2] + [...] + t[3:]"),
    Feature("list of arrays", "return 0",
            message="a list of arrays is only looked at: by length, constant indices, loops and calls of NumPy",
            cause="its arrays are passed as if each were an argument",
            hint="use the arrays in it, or pass and return a tuple"),
    Feature("list changed in its loop", "t = [n]\nfor v in t:\n    t.append(v)\nreturn len(t)",
            message="the list gets or loses elements while a loop runs over it",
            hint="use while with a number that counts, and compare it with the length"),
    Feature("dict", "t = {None: n}\nt[x] = 2\nreturn t[None]", message="a dict with this key is not supported",
            cause="keys are constants; or ints, strings, float64 numbers, or tuples of these, which may be computed",
            hint="use ints as keys, such as positions in an array of the keys"),
    Feature("keys of a dict", "t = set()\nt.add(1j)\nreturn len(t)",
            message="a key of the type {what} is not supported",
            cause="computed keys of dicts and sets are ints, strings, float64 numbers, or tuples of these",
            hint="use ints as keys, such as positions in an array of the keys"),
    Feature("order of a set", "for v in {n, 2}:\n    x += v\nreturn x", message="a loop runs over a set",
            cause="the order of its elements is that of Python's tables",
            hint="loop over sorted(...) of it, or use a dict, which keeps the order in which keys came"),
    Feature("change of a dict", "t = {None: x}\nreturn t.pop(None)",
            message="this is not supported for a dict with such keys, or for one that is an argument",
            cause="dicts with keys that are neither ints nor strings, or that come from outside, keep their keys",
            hint="read and assign the values, or use ints or strings as keys in a dict that the function makes"),
    Feature("keys of a captured dict", "return 0", message="the keys of a captured dict are asked for",
            cause="they may be others at the next call", hint="pass the dict as an argument"),
    Feature("string operation", "s = 'a'\nreturn len(s.encode())",
            message="'{what}' is a method of strings that compiled code lacks",
            cause="it has f-strings, and the methods that find, split, join, replace, strip, ask, and change case",
            hint="call it outside of the compiled function, and pass what it gives"),
    Feature("iterator used twice", "pairs = zip(a, b)\nfor u, v in pairs:\n    x += u\nfor u, v in pairs:\n    x += v",
            message="a loop may run over one object of the type {what} twice, which has no items left then",
            cause="iterators give their items once in Python",
            hint="write the call of {what} in the loop itself"),
    Feature("filter in a loop", "for v in filter(math.isnan, a):\n    x += v",
            message="a loop over filter is not supported",
            cause="list, sum, sorted, any, all, min, max and comprehensions take it",
            hint="write an if in the loop"),
    Feature("items that are computed", "pairs = zip(map(math.sqrt, a), b)\nfor u, v in pairs:\n    x += u",
            message="{what} of {other} is not supported",
            cause="Python computes each item when a loop asks for it",
            hint="make a list of the items first, with a comprehension"),
    Feature("yield", "yield x", message="a generator is not supported here", cause="its values are asked for outside",
            hint="write the values to an array, or append them to a list"),
    Feature("generator with a name", "def f():\n    yield x\nreturn f()",
            message="a generator is stored or handed on",
            cause="it is inlined where a loop runs over it, which must be seen from its call",
            hint="write the call in the loop itself, or make a list of it with list(...)"),
    Feature("loop over a generator", "def f():\n    yield x\nfor u, v in zip(f(), a):\n    x += u\nreturn x",
            message="this loop over a generator is not supported",
            cause="its body stands where the generator yields; so it stands in no try, and does not ask for items by "
            "their positions; a loop that is left stands over generators that do nothing with what they are sent",
            hint="loop over list(...) of it, if it ends and nothing else is seen of it; or write its loop here"),
    Feature("caught operation", "try:\n    x = x ** 0.5\nexcept ValueError:\n    x = 2.0",
            message="compiled code does not catch the {name} that this may raise",
            cause="it catches indices, divisions, raise and assert, functions of math, and conversions; not powers, "
            "steps of weft.python, and what stands in array expressions",
            hint="test before it, write a loop over the elements, or catch the exception where the function is called"),
    Feature("handler", "try:\n    x = 1.0\nexcept x:\n    x = 2.0", message="'{what}' is no class of exceptions",
            hint="write a class such as ValueError, or a tuple of classes"),
    Feature("jump in finally", "while True:\n    try:\n        x = 1.0\n    finally:\n        break",
            message="return, break and continue in 'finally' are not supported",
            cause="they end an exception that nobody has caught", hint="catch it with except, and jump after the try"),
    Feature("try", "try:\n    x = 1.0\nexcept* ValueError:\n    x = 2.0",
            message="except* is not supported", cause="compiled code raises one exception, never a group of them",
            hint="write except"),
    Feature("with", "with x:\n    n = 1",
            message="with is supported for weft.device, and for np.errstate that hides warnings",
            hint="use it around the call"),
    Feature("class statement", "class C:\n    pass", message="classes cannot be defined in compiled code",
            hint="define the class outside"),
    Feature("import", "import random", message="this import inside a function is not supported",
            cause="a function can import only modules that Weft compiles, such as math, numpy and heapq",
            hint="move the import to the top of the file"),
    Feature("del", "del a[0]", message="del is supported for names, and for items of lists and dicts",
            hint="make a new list or array of what stays"),
    Feature("match", "match n:\n    case {'a': 1}:\n        pass",
            message="match with a pattern of this kind is not supported",
            cause="patterns are constants, names and _, tuples of these without *, and classes with attributes by name",
            hint="write if and elif for these cases"),
    Feature("statement", "async def f():\n    pass", message="this statement is not supported", hint="use plain loops"),
    Feature("expression", "return await_(x)", message="expressions of the kind {what} are not supported",
            hint="use plain arithmetic"),
    Feature("inner decorator", "@math.sqrt\ndef f(v):\n    return v",
            message="this decorator is not supported inside of compiled functions",
            hint="define the function outside"),
    Feature("nonlocal in helper", "return 0", message="'{name}' belongs to another function that is not being compiled",
            hint="return the new value and assign it in the caller"),
    Feature("captured in associative", "return 0",
            message="the associative function uses '{name}' from outside",
            cause="an associative function may depend on its two operands only", hint="write the number into it"),
    Feature("captured value", "return len(unknown)", message="'{name}' is a {kind}, which compiled code cannot use",
            cause="compiled code uses arrays, numbers, strings, tuples and dataclasses of these, and functions",
            hint="{hint}"),
    Feature("own constructor", "return 0", message="{name} has a constructor of its own",
            cause="instances are made from their fields, by __init__ and by __post_init__",
            hint="make it in __init__ alone"),
    Feature("hidden attribute", "return 0",
            message="an object of the class {cls} has an attribute '{name}' of its own, which hides that of the class",
            cause="compiled code uses what the class defines",
            hint="make '{name}' a field of {cls}, or define it in a class that inherits from {cls}"),
    Feature("own attribute access", "return 0", message="{cls} or its metaclass decides itself what '{name}' means",
            cause="compiled code looks attributes up as Python does where nothing comes between",
            hint="pass what '{name}' gives as an argument"),
    Feature("class", "return object()", message="the class '{name}' is not supported in compiled code",
            hint="{hint}"),
    Feature("function with a cache", "return 0", message="'{name}' keeps its results by functools.cache or lru_cache",
            cause="it reads arrays or lists of its module, gives some back, has effects, is typed, or takes other "
            "arguments than plain ones, so what was kept in earlier calls would be seen",
            hint="define it, with its decorator, inside of the compiled function, or take the decorator off it"),
    Feature("function", "return hash(x)", message="the function '{name}' is not supported in compiled code",
            hint="call it outside and pass the result"),
    Feature("random numbers", "return np.random.rand()",
            message="'{name}' draws random numbers from a state that all of Python shares",
            cause="iterations run at the same time, and each draw would depend on the one before", hint="{hint}"),
    Feature("generator without a seed", "rng = np.random.default_rng()\nreturn rng.random()",
            message="a generator in compiled code is made of one seed",
            cause="its stream is to be the same whenever the function runs with the same arguments",
            hint="pass an integer as an argument, and write np.random.default_rng(seed)"),
    Feature("method of a generator", "rng = np.random.default_rng(n)\nreturn rng.gamma(2.0)",
            message="generators have no '{name}' in compiled code",
            cause="they have random, normal, standard_normal, lognormal, uniform, integers, exponential, poisson, "
                  "choice, permutation and shuffle",
            hint="draw an array of such numbers outside, and pass it"),
    Feature("function of Numba", "return 0", message="'{name}' is compiled by Numba",
            cause="Weft compiles the Python functions that a compiled function calls, and this one is no such function",
            hint="take the decorator off it"),
    Feature("foreign function", "return 0", message="'{name}' is not supported in compiled code",
            hint="{hint}"),
    Feature("print arguments", "print(x, file=None)", message="this form of print is not supported",
            hint="print numbers, strings and arrays; sep and end may be constants"),
    Feature("format", "raise ValueError(f'{x:{n}}')", message="this format is not supported",
            hint="use a format whose width and digits are constants"),
    Feature("text of an object", "return 0", message="objects of the class {name} have no text in compiled code",
            hint="write their attributes or values, or define __str__ with an f-string"),
    Feature("raise form", "raise", message="this form of raise is not supported",
            hint="raise an exception class with numbers and strings, as in ValueError(n, 'text')"),
    Feature("round to digits", "return round(x, -2)", message="a Python float is rounded to 0 to 22 digits only",
            cause="the power of ten would not be an exact float",
            hint="use np.round, which divides, rounds and multiplies: the last digit may differ"),
    Feature("array order", "return np.zeros(n, order='F')", message="the argument 'order' is not supported here",
            hint="arrays made in compiled code are in C order; transpose the result"),
    Feature("array option", "return np.array(a, copy=False)", message="the argument '{name}' is not supported here",
            hint="leave it out, and write .astype or np.where for the result"),
    Feature("array or copy", "return np.require(a)",
            message="'{name}' gives the array itself or a copy of it, depending on its strides",
            cause="a program must know which arrays share memory",

            hint="use the array as it is, since loops over any strides are compiled; or write .copy()"),
)  # fmt: skip
"""What is refused, and how."""

FEATURES: dict[str, Feature] = {feature.name: feature for feature in (*SUPPORTED, *REFUSED)}

REFUSED_STATEMENTS = {
    "TryStar": "try", "With": "with", "AsyncWith": "with", "ClassDef": "class statement",
    "Import": "import", "ImportFrom": "import", "Delete": "del", "Match": "match",
}  # fmt: skip
"""Statements that are refused, by the class of their node."""

REFUSED_EXPRESSIONS = {
    "GeneratorExp": "comprehension",
    "Yield": "yield", "YieldFrom": "yield",
}  # fmt: skip
"""Expressions that are refused, by the class of their node."""
