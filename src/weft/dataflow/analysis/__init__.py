"""Questions about a graph: rates that agree, an order of firings, buffers, types."""
