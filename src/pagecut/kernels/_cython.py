"""What the kernels ask of the module `cython` where Cython is not installed."""

from __future__ import annotations

compiled = False
