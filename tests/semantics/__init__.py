"""The sentences of the manual on semantics, one after the other: each is a test."""
