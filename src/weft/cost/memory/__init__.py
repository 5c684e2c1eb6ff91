"""What the accesses of a kernel under a schedule cost: sectors, banks, waves."""
