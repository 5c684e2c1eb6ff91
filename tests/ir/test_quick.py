"""Nodes that are made quickly are what frozen dataclasses are."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from weft.ir import nodes as n
from weft.ir.location import UNKNOWN
from weft.ir.types import PYINT

COUNTER = n.Var("i", PYINT)
LET = n.Let(COUNTER, n.Binary("add", n.Const(1), n.Const(2), checked=False))


def test_fields_have_their_values_or_defaults():
    assert (LET.var, LET.location) == (COUNTER, UNKNOWN)
    assert n.If(COUNTER, n.Block(), results=(COUNTER,)).orelse == n.Block()


def test_a_field_that_is_missing_or_unknown_is_refused():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'value'"):
        n.Let(COUNTER)
    with pytest.raises(TypeError, match="unexpected keyword argument 'kind'"):
        n.Let(COUNTER, n.Undefined(), kind=1)


def test_no_field_can_be_assigned():
    with pytest.raises(FrozenInstanceError):
        LET.var = COUNTER


@pytest.mark.parametrize("again", (copy.copy, copy.deepcopy, lambda node: pickle.loads(pickle.dumps(node)), replace))
def test_a_copy_is_equal_and_has_the_same_hash(again):
    assert again(LET) == LET
    assert hash(again(LET)) == hash(LET)
    assert repr(again(LET)) == repr(LET)
