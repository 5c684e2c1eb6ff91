"""Whether predictions are right: random programs, what they take, and what was predicted."""
