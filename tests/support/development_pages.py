"""Where the development pages lie: outside the repository.

PAGECUT_DATA and PAGECUT_MODERN_DATA name their folders.
"""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(os.environ.get("PAGECUT_DATA") or Path(__file__).parents[3] / "shared" / "data")
MODERN = Path(
    os.environ.get("PAGECUT_MODERN_DATA") or Path(__file__).parents[3] / "shared" / "data-modern"
)
