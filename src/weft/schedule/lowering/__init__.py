"""Directives as code: a kernel under a schedule becomes IR of the same grammar."""
