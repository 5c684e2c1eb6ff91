"""Sums and other folds in several nests, so that there are enough threads."""
