"""What was decided about a program and why, and what happened when it ran."""

from weft.report.explain import explain
from weft.report.explanation import AccessReport, Explanation, LoopReport, PlacementReport
from weft.report.profile import Profile, profile

__all__ = ["AccessReport", "Explanation", "LoopReport", "PlacementReport", "Profile", "explain", "profile"]
