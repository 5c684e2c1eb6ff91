"""Functions that call themselves, and functions whose results are kept."""
