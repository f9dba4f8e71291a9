"""Why images have their roles and their texts: the evidence that weighed most, by name.

For a role that is what speaks for it against the next likeliest; for a text, what speaks for it
against the text that came next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from pagecut.contexts.item.captions import Captions
from pagecut.contexts.item.choice import (
    CHOSEN_NAMES,
    OTHER_ROLES,
    chosen_table,
    models,
    score_candidates,
)
from pagecut.contexts.item.glossary import TOGETHER, UNKNOWN, meaning, name_of, value
from pagecut.contexts.item.image_evidence import IMAGE_NAMES
from pagecut.contexts.item.page_choice import PageEvidence
from pagecut.contexts.item.together import decide_together, pick
from pagecut.evidence.contributions import (
    LEAST_SHOWN,
    Shares,
    contributions,
    difference,
    largest,
)
from pagecut.evidence.item_tree import ItemTree
from pagecut.page import Page
from pagecut.page.text.ranges import subtract
from pagecut.results.explanation import Explanation, Reason
from pagecut.results.image_context import WITH_CONTEXT, ImageContext, Spans
from pagecut.results.plain_words import short

_SHOWN: Final = 60  # characters of a text

Known = dict[str, float]  # how much there is of each piece of evidence


def explain_contexts(page: Page, contexts: Sequence[ImageContext], made_by: str) -> Explanation:
    """What spoke for the role of each image, and for its text.

    Args:
        contexts: as they were found.
    """
    told = tuple(_Explainer(page).reasons(contexts)) if contexts else ()
    named = {name for reason in told for name, _ in reason.evidence}
    words = {name: meaning(name) for name in sorted(named)}
    return Explanation(page=page, made_by=made_by, reasons=told, glossary=words)


class _Explainer:
    """Explains the images of one page."""

    def __init__(self, page: Page) -> None:
        tree = ItemTree(page)
        found = PageEvidence(page, tree, Captions(tree))
        learnt = models()
        firsts = found.layout.firsts
        # The score of each text by itself, and with how its way does for the image's look-alikes.
        alone, core = score_candidates(
            page, found.evidence, len(page.images), firsts, learnt.context
        )
        together = decide_together(alone, firsts, found.layout.kinds, found.layout.groups)
        self.page, self.found, self.learnt = page, found, learnt
        self.chosen = pick(together, firsts)
        self.facts = chosen_table(alone, self.chosen, core, found.images, found.layout)
        self.content_odds = learnt.content.sums(self.facts)[:, 0]
        self.content = learnt.content.scores(self.facts)[:, 0]
        self.other_odds = learnt.others.sums(np.ascontiguousarray(found.images))
        without = together.copy()
        without[self.chosen[self.chosen >= 0]] = -np.inf
        self.next = pick(without, firsts)
        self.worth = together - alone

    def reasons(self, contexts: Sequence[ImageContext]) -> Iterator[Reason]:
        for context in contexts:
            yield from self._role(context)
            if context.spans:
                yield from self._text(context)

    def _role(self, context: ImageContext) -> Iterator[Reason]:
        image, role = context.image, context.role
        if self.chosen[image] < 0:
            yield _settled(image, "no text: no words of the page come into question")
        elif settled := self.found.judge.certain(context.source):
            by = "its declared size" if settled == "decoration" else "its element, a button"
            yield _settled(image, f"{settled}: by {by}")
        elif self.content[image] >= self.learnt.threshold:
            yield self._content(image, "has a text of its own", 1.0)
            if role == "avatar":
                yield _settled(image, "avatar: small, and names call it a person's")
            elif role not in WITH_CONTEXT:
                yield _settled(image, "no text: the text beside it is hidden")
        else:
            yield self._content(image, "has no text of its own", -1.0)
            odds = self.other_odds[image]
            second, best = np.argsort(odds, kind="stable")[-2:].tolist()
            row = self.found.images[image]
            shares = difference(
                contributions(self.learnt.others, best, row),
                contributions(self.learnt.others, second, row),
            )
            decision = f"{OTHER_ROLES[best]} rather than {OTHER_ROLES[second]}"
            known = dict(zip(IMAGE_NAMES, row.tolist(), strict=True))
            yield _reason(image, decision, float(odds[best] - odds[second]), shares, 1.0, known)

    def _content(self, image: int, decision: str, sign: float) -> Reason:
        row = self.facts[image]
        shares = contributions(self.learnt.content, 0, row)
        known = dict(zip(CHOSEN_NAMES, row.tolist(), strict=True))
        return _reason(image, decision, sign * float(self.content_odds[image]), shares, sign, known)

    def _text(self, context: ImageContext) -> Iterator[Reason]:
        """Why this text and not the one that came next."""
        image = context.image
        one, other = int(self.chosen[image]), int(self.next[image])
        if other < 0 or other == one:
            yield _settled(image, "this text: no other came into question")
            return
        learnt = self.learnt.context
        rows: Any = self.found.evidence.table(self.page, image, image + 1)
        offset = int(self.found.layout.firsts[image])
        row, beside = rows[one - offset], rows[other - offset]
        shares = {
            name_of(name): share
            for name, share in difference(
                contributions(learnt, 0, row), contributions(learnt, 0, beside)
            ).items()
        }
        shares[TOGETHER] = float(self.worth[one] - self.worth[other])
        names = [name_of(name) for name in learnt.features]
        known = dict(zip(names, row.tolist(), strict=True))
        there = dict(zip(names, beside.tolist(), strict=True))
        decision = self._against(self._spans(one), self._spans(other))
        yield _reason(image, decision, None, shares, 1.0, known, there)

    def _spans(self, candidate: int) -> Spans:
        found: Spans = self.found.candidates.spans(candidate)
        return found

    def _against(self, one: Spans, other: Spans) -> str:
        """A choice between two texts in words, by where they differ."""
        more, less = tuple(subtract(one, other)), tuple(subtract(other, one))
        if self._says(more) and not self._says(less):
            return f"its text includes “{self._says(more)}”"
        if self._says(less) and not self._says(more):
            return f"its text leaves out “{self._says(less)}”"
        return f"this text rather than “{self._says(other)}”"

    def _says(self, spans: Spans) -> str:
        """The beginning of a text; a long one is not read to its end."""
        said = ""
        for start, end in spans:
            said += " " + self.page.readable(start, min(end, start + 10 * _SHOWN))
            if len(said) > 4 * _SHOWN:
                break
        return short(said, _SHOWN)


def _settled(image: int, decision: str) -> Reason:
    return Reason(number=image, decision=decision, odds=None, evidence=())


def _reason(
    image: int,
    decision: str,
    odds: float | None,
    shares: Shares,
    sign: float,
    known: Known,
    there: Known | None = None,
) -> Reason:
    """A decision with what weighed most, of what is there or, between two texts, differs."""
    told = {
        name: _value(name, known, there)
        for name, share in shares.items()
        if abs(share) >= LEAST_SHOWN
    }
    evidence = largest({name: shares[name] for name in told if told[name] is not None}, sign)
    values = tuple(told[name] or "" for name, _ in evidence)
    return Reason(number=image, decision=decision, odds=odds, evidence=evidence, values=values)


def _value(name: str, known: Known, there: Known | None) -> str | None:
    """How much there is of a piece of evidence; None if it is missing, or the same there."""
    if name == TOGETHER:
        return ""
    if there is None:
        said = value(name, known[name])
        return None if said in ("no", UNKNOWN) else said
    return None if known[name] == there[name] else value(name, known[name], there[name])
