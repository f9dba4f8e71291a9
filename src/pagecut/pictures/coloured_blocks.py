"""A page's text in reading order as blocks, each of one segment and in that segment's colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from pagecut.results.segmentation import Segmentation

NO_SEGMENT: Final = -1


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that belongs to one segment, or to none.

    Args:
        segment: the segment's number; NO_SEGMENT for text in none.
        start, end: range of the page's text.
        part: from 1, among the blocks of this segment.
    """

    segment: int
    start: int
    end: int
    part: int


def blocks_in_order(segmentation: Segmentation) -> list[Block]:
    """All text of the page; consecutive ranges of one segment are one block."""
    text = segmentation.page.text
    pieces: list[tuple[int, int, int]] = []
    at = 0
    for (start, end), label in zip(
        segmentation.spans.tolist(), segmentation.labels.tolist(), strict=True
    ):
        pieces += (NO_SEGMENT, at, start), (label, start, end)
        at = end
    pieces.append((NO_SEGMENT, at, len(text)))
    joined: list[tuple[int, int, int]] = []
    for label, start, end in pieces:
        if not text[start:end].strip():
            continue
        if joined and joined[-1][0] == label:
            joined[-1] = label, joined[-1][1], end
        else:
            joined.append((label, start, end))
    seen: dict[int, int] = {}
    blocks = []
    for label, start, end in joined:
        seen[label] = seen.get(label, 0) + 1
        blocks.append(Block(label, start, end, seen[label]))
    return blocks


def colours_of_segments(blocks: Sequence[Block], segments: int, colours: int) -> list[int]:
    """A colour for each segment, other than its neighbours' as far as there are enough."""
    neighbours: list[set[int]] = [set() for _ in range(segments)]
    for one, other in pairwise(blocks):
        if NO_SEGMENT not in (one.segment, other.segment):
            neighbours[one.segment].add(other.segment)
            neighbours[other.segment].add(one.segment)
    chosen = [-1] * segments
    for number in range(segments):
        taken = {chosen[other] for other in neighbours[number]}
        wheel = [(number + step) % colours for step in range(colours)]
        chosen[number] = next((each for each in wheel if each not in taken), wheel[0])
    return chosen
