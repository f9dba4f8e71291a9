"""Why Mosaic decided as it did: the evidence that weighed most, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Float
from pagecut.evidence.contributions import Row, Shares, contributions, difference, largest
from pagecut.page import Page
from pagecut.results.explanation import Curve, Explanation, Reason
from pagecut.results.plain_words import short
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.features import ROLES, SEEN_NAMES
from pagecut.segmenters.mosaic.glossary import glossary, said_of
from pagecut.segmenters.mosaic.model import model
from pagecut.segmenters.mosaic.nested_segments import NestedSegments, cut_page, nested

_WORDS: Final = 40  # characters of the text before which a cut was likeliest
_NEVER_PARTED: Final = 8.0  # stands for the odds of two texts of one line


def explain_segments(
    tree: ContentTree, found: NestedSegments, coarseness: float, made_by: str
) -> Explanation:
    """Where the page's parts are held together or not, and what spoke for each segment.

    Args:
        found: its segments, items among them.
    """
    cut = cut_page(tree, coarseness)
    told = reasons(tree.page, cut, found, coarseness)
    offsets = nested(cut).spans[1:, 0]
    return Explanation(
        page=tree.page,
        made_by=made_by,
        curves={
            "one region": _between_texts(cut, offsets, coarseness - np.array(cut.region_odds)),
            "one block": _between_texts(cut, offsets, coarseness - np.array(cut.block_odds)),
        },
        cuts=found.segmentation(tree.page, made_by).spans[1:, 0],
        reasons=told,
        glossary=glossary(told),
    )


def _between_texts(cut: PageCut, offsets: Any, odds: Float) -> Curve:
    """At the start of each text but the first, the odds that it is in one segment with the text
    before."""
    values = np.full(len(offsets) + 1, _NEVER_PARTED)
    values[cut.border_texts()] = odds
    return Curve(offsets=offsets, values=values[1:])


def reasons(
    page: Page, cut: PageCut, found: NestedSegments, coarseness: float
) -> tuple[Reason, ...]:
    """For each segment: why it has its role, is parted from what comes before it, and is whole."""
    explainer = _Explainer(page, cut, found, coarseness)
    told: list[Reason] = []
    for number, source in enumerate(found.source.tolist()):
        if source < 0:
            decision = f"{found.roles[number]}: by its structure"
            told.append(Reason(number=number, decision=decision, odds=0.0, evidence=()))
        else:
            told.extend(explainer.of(number, source))
    return tuple(told)


class _Explainer:
    """Explains the segments of one page."""

    def __init__(self, page: Page, cut: PageCut, found: NestedSegments, coarseness: float) -> None:
        self.page, self.spans = page, found.spans
        self.rows: Row = cut.border_rows()
        self.coarseness = coarseness
        texts = cut.border_texts()
        self.odds = np.array(cut.region_odds), np.array(cut.block_odds)
        self.border_of = {text: border for border, text in enumerate(texts.tolist())}
        self.order = np.argsort(texts, kind="stable")
        self.texts = texts[self.order]
        self.named = found.roles
        self.starts = cut.segment_starts()
        self.regions = len(self.starts[0])
        every = []
        for level in (0, 1):
            flags = np.zeros(len(found.spans), dtype=np.int32)
            flags[self.starts[level]] = 1
            every.append(cut.role_rows(flags))
        self.roles = every
        self.role_odds = [model("roles").sums(each) for each in every]
        self.end = len(found.spans)

    def of(self, number: int, source: int) -> Iterator[Reason]:
        level, at = (0, source) if source < self.regions else (1, source - self.regions)
        told = role_reason(number, self.roles[level][at], self.role_odds[level][at])
        named = self.named[number]
        if not told.decision.startswith(f"{named} "):
            told = Reason(number=number, decision=f"{named}: called so", odds=0.0, evidence=())
        yield told
        starts = self.starts[level]
        first = int(starts[at])
        end = int(starts[at + 1]) if at + 1 < len(starts) else self.end
        border = self.border_of.get(first)
        if border is not None:
            of_region = level == 0 or self.odds[0][border] > self.coarseness
            yield self._border(
                number, "parted from what comes before it", border, 0 if of_region else 1, 1.0
            )
        low, high = np.searchsorted(self.texts, [first + 1, end]).tolist()
        if high > low:
            inside = self.order[low:high]
            likeliest = int(np.argmax(self.odds[level][inside]))
            start, stop = self.spans[self.texts[low + likeliest]].tolist()
            words = short(self.page.readable(start, stop), _WORDS)
            decision = f"{'kept whole' if level else 'kept one region'}, also before “{words}”"
            yield self._border(number, decision, int(inside[likeliest]), level, -1.0)

    def _border(self, number: int, decision: str, border: int, level: int, sign: float) -> Reason:
        row = self.rows[border]
        width = len(model("borders").features)
        shares = contributions(model("borders"), level, row[:width])
        if len(row) > width:
            seen = contributions(model("seen"), level, row)
            names = dict.fromkeys([*shares, *seen])
            shares = {name: (shares.get(name, 0) + seen.get(name, 0)) / 2 for name in names}
        odds = float(self.odds[level][border]) - self.coarseness
        known = dict(zip(SEEN_NAMES, row.tolist(), strict=False))  # parsed: fewer
        return _reason(number, decision, sign * odds, shares, sign, known)


def role_reason(number: int, row: Row, odds: Float) -> Reason:
    """Why a segment has its role and not the next likeliest.

    Args:
        row: (f,) its features.
        odds: (r,) of each role, by them.
    """
    second, best = np.argsort(odds, kind="stable")[-2:].tolist()
    learnt = model("roles")
    shares = difference(contributions(learnt, best, row), contributions(learnt, second, row))
    decision = f"{ROLES[best]} rather than {ROLES[second]}"
    known = dict(zip(learnt.features, row.tolist(), strict=True))
    return _reason(number, decision, float(odds[best] - odds[second]), shares, 1.0, known)


def _reason(
    number: int, decision: str, odds: float, shares: Shares, sign: float, known: Mapping[str, float]
) -> Reason:
    """Args:
    known: the value of each piece of evidence.
    """
    evidence = largest(shares, sign)
    values = tuple(said_of(name, known[name]) for name, _ in evidence)
    return Reason(number=number, decision=decision, odds=odds, evidence=evidence, values=values)
