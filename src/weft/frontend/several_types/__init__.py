"""Values whose type hangs on a value."""
