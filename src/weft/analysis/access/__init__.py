"""What accesses touch: the access table, views, strides and footprints."""
