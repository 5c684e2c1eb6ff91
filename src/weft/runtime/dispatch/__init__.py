"""Calls: specialisations, variants, the choice between them."""
