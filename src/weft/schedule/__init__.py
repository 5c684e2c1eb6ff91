"""How the loops of a kernel are laid out on hardware: directives, their legality, their lowering, their choice."""
