"""From a page to the choices for its images: candidates, their evidence, the learnt models."""

from __future__ import annotations

from typing import Final

import numpy as np

from pagecut.contexts.item.candidate_evidence import CandidateEvidence
from pagecut.contexts.item.candidates import Candidates
from pagecut.contexts.item.captions import Captions
from pagecut.contexts.item.choice import (
    OTHER_ROLES,
    Layout,
    Table,
    choose,
    models,
    score_candidates,
)
from pagecut.contexts.item.image_evidence import IMAGE_NAMES, read_images
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.contexts.item.page_sums import PageSums
from pagecut.evidence.items import ItemTree, whole_items
from pagecut.page import Page
from pagecut.results.image_context import Spans

_PERSON: Final = [IMAGE_NAMES.index(f"{place} person") for place in ("source", "near")]
_LARGE: Final = 200  # pixels of a side from which a person's picture is no avatar
_SHORT_SIDE: Final = IMAGE_NAMES.index("short side")


class PageEvidence:
    """The candidates of a page's images and the evidence for each."""

    def __init__(self, page: Page, tree: ItemTree, captions: Captions) -> None:
        items = whole_items(tree, page.images)
        rows = [captions.find(image.node) for image in page.images]
        self.page = page
        sums = PageSums(page, tree)
        self.candidates = Candidates(page, sums, items, rows)
        self.evidence = CandidateEvidence(page, self.candidates)
        self.judge = RoleJudge(page, sums, self.evidence.about)
        self.images: Table = np.asarray(read_images(page, self.evidence, self.judge, items))
        count = len(page.images)
        self.layout = Layout(
            firsts=np.asarray(self.candidates.first_of_each()),
            kinds=np.asarray(self.candidates.kinds_table)[:count],
            groups=np.asarray(self.evidence.groups.numbers),
        )


class PageChoice:
    """What was decided for the images of a page."""

    def __init__(self, page: Page, tree: ItemTree, captions: Captions) -> None:
        found = PageEvidence(page, tree, captions)
        learnt = models()
        scores, core = score_candidates(
            page, found.evidence, len(page.images), found.layout.firsts, learnt.context
        )
        choice = choose(scores, core, found.images, found.layout, learnt)
        self._page = page
        self._candidates = found.candidates
        self._judge = found.judge
        self._threshold = learnt.threshold
        self._chosen = choice.chosen.tolist()
        self._content = choice.content.tolist()
        self._others = choice.others
        self._confidence = choice.confidence.tolist()
        sides = found.images[:, _SHORT_SIDE]
        self._person = (found.images[:, _PERSON].any(axis=1) & (sides <= _LARGE)).tolist()

    def spans(self, image: int) -> Spans:
        """The ranges of text of the best candidate; none if there is none."""
        chosen = self._chosen[image]
        return self._candidates.spans(chosen) if chosen >= 0 else ()

    def judge(self, image: int) -> tuple[str, float, float]:
        """The image's role and how sure that is, and how sure what it has for a context is."""
        content = self._content[image]
        certain = self._judge.certain(self._page.images[image])
        if self._chosen[image] < 0:
            return "no-text", 1.0, 1.0
        if certain:
            return certain, 1.0, 1.0
        if content >= self._threshold:
            role = "avatar" if self._person[image] else "content"
            return role, content, self._confidence[image]
        others = self._others[image]
        best = int(others.argmax())
        return OTHER_ROLES[best], (1 - content) * float(others[best]), self._confidence[image]
