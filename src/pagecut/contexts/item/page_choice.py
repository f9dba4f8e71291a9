# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""From a page to the choices for its images: candidates, their evidence, the learnt models."""

from __future__ import annotations

import re

import cython
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
from pagecut.evidence.item_tree import ItemTree
from pagecut.evidence.items import whole_items
from pagecut.page import Image, Page
from pagecut.results.image_context import Spans

SOURCE_PERSON = IMAGE_NAMES.index("source person")
NEAR_PERSON = IMAGE_NAMES.index("near person")
SHORT_SIDE = IMAGE_NAMES.index("short side")
LARGE = 200  # pixels of a side from which a person's picture is no avatar
SMALL = 100  # up to which one is that only the alternative text calls a person's
IN_ADDRESS = re.compile(r"avatar|userpic|headshot|profile|authors?\b|\busers?\b", re.IGNORECASE)
IN_ALT = re.compile(
    r"\b(?:avatar|headshot|profile (?:image|photo|pic|picture))\b|^portrait of ", re.IGNORECASE
)


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
        self.candidates = found.candidates
        self.judge = found.judge
        self.threshold = learnt.threshold
        self.chosen = choice.chosen
        self.content = choice.content
        self.others = choice.others
        self.confidence = choice.confidence
        self.images = found.images

    def spans(self, image: cython.int) -> Spans:
        """The ranges of text of the best candidate; none if there is none."""
        return self.candidates.spans(self.chosen[image]) if self.chosen[image] >= 0 else ()

    def role(self, image: cython.int, source: Image) -> tuple[str, float, float]:
        """The image's role and how sure that is, and how sure what it has for a context is."""
        content: cython.double = self.content[image]
        certain: str
        if self.chosen[image] < 0:
            return "no-text", 1.0, 1.0
        certain = self.judge.certain(source)
        if certain:
            return certain, 1.0, 1.0
        if content >= self.threshold:
            role = "avatar" if self.shows_person(image, source) else "content"
            return role, content, self.confidence[image]
        others = self.others[image]
        best = int(others.argmax())
        return OTHER_ROLES[best], (1 - content) * float(others[best]), self.confidence[image]

    def shows_person(self, image: cython.int, source: Image) -> cython.bint:
        """Whether an image that is content is that of a person, and small.

        What it shows is said in prose, too: a tent for four persons, a phone held in portrait.
        """
        side: cython.float = self.images[image, SHORT_SIDE]
        if side > LARGE:
            return False
        if self.images[image, NEAR_PERSON] != 0:
            return True
        return self.images[image, SOURCE_PERSON] != 0 and (
            0 < side <= SMALL
            or IN_ADDRESS.search(source.src or "") is not None
            or IN_ALT.search(source.alt or "") is not None
        )
