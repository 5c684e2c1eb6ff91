"""All faults that replace a function."""

from .faults import FAULTS as PLANTED_FIRST

FAULTS = (*PLANTED_FIRST,)
