"""Configuration of the manual. `make docs` builds it and runs its examples."""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

import weft

sys.path.insert(0, str(Path(__file__).parent))

project = "Weft"
author = "The Weft developers"
copyright = "The Weft developers"
version = release = weft.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "notes", "README.md"]
html_theme = "furo"
html_title = f"Weft {release}"
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_ivar = True
autodoc_typehints = "none"
doctest_global_setup = "import numpy as np\nimport weft"
doctest_test_doctest_blocks = "default"


def setup(app: Sphinx) -> None:
    """Write the pages that come from the compiler's own tables before any page is read."""
    import generate

    app.connect("builder-inited", lambda app: generate.write_pages(Path(app.srcdir) / "generated"))
