"""What programs ask of a device with memory of its own: kernel by kernel, as they are laid out for it."""
