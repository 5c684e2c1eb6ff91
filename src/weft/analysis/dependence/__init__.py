"""Which iterations depend on one another, and the verdict on each loop."""
