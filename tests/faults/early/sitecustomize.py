"""Python imports this before anything else where the folder is on its path: plants the fault that is asked for."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[3]))

from tests.faults.patching import plant_by_environment

plant_by_environment()
