"""Which loops may run for ever, and which statements may raise."""
