"""The separators of a pool as §4.2 of the VIPS paper finds them: block by block."""

from __future__ import annotations

from collections.abc import Iterable

Interval = tuple[float, float]


def detect(blocks: Iterable[Interval], start: float, end: float) -> list[Interval]:
    """SeparatorFinder between blocks, given by where they begin and end across the separators.

    Args:
        start, end: the borders of the pool.
    """
    separators = [(start, end)]
    for top, bottom in blocks:
        changed: list[Interval] = []
        for first, last in separators:
            if first < top and bottom < last:  # contained: split
                changed += [(first, top), (bottom, last)]
            elif top <= first and last <= bottom:  # covered: removed
                continue
            elif first < top < last:  # crossed from below: ends sooner
                changed.append((first, top))
            elif first < bottom < last:  # crossed from above: begins later
                changed.append((bottom, last))
            else:
                changed.append((first, last))
        separators = changed
    return [each for each in separators if each[0] > start and each[1] < end]
