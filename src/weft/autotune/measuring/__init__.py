"""Running candidates: what can be tuned, in which process, and what became of it."""
