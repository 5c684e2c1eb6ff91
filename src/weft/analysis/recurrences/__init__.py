"""Values that loops carry: folds, scans, updates in memory, private arrays."""
