"""Functions that stand outside of test files, whose `assert` statements pytest rewrites."""


def asserting(n, x):
    assert n > 0
    assert n < 10, "too large"
    assert x != 0.0, f"x is {x:.2f} and n is {n}"
    return n
