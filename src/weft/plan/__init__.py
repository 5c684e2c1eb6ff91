"""Which nests run on a device, and the copies, launches and waits around them."""
