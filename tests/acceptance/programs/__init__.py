"""One module a family; importing this package registers every program."""

import importlib
import pkgutil

FAMILIES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))

for family in FAMILIES:
    importlib.import_module(f"{__name__}.{family}")
