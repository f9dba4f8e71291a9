"""Names of nested segments as in Figure 1 of the VIPS paper: VB2_1 is the first part of VB2."""

from __future__ import annotations

from typing import Final

from pagecut.results.segmentation import Segmentation

WHOLE: Final = "page"


def block_names(segmentation: Segmentation) -> list[str]:
    """A name for each segment; the one around all others is the page itself."""
    parents = segmentation.parent.tolist()
    outermost = [number for number, parent in enumerate(parents) if parent < 0]
    whole = outermost[0] if len(outermost) == 1 else -1
    parts: dict[int, int] = {}
    names: list[str] = []
    for number, parent in enumerate(parents):
        if number == whole:
            names.append(WHOLE)
            continue
        parts[parent] = parts.get(parent, 0) + 1
        above = "VB" if parent in (-1, whole) else f"{names[parent]}_"
        names.append(f"{above}{parts[parent]}")
    return names
