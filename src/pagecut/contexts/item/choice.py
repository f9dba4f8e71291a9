"""Which candidate is an image's context, whether the image is content at all, and how sure that is.

Four small models, learnt together by `experiments/train_image_context.py`: one ranks the candidates
of an image; one tells content from what has no context; one names what that is; and one says how
likely the chosen text is right. Images that stand in the same place of the page's tree (cards of a
list, figures of an article) are decided together: a way to find a text that does well for all of
them counts for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.contexts.item.candidate_evidence import IMAGE, NAMES
from pagecut.contexts.item.image_evidence import IMAGE_NAMES
from pagecut.contexts.item.together import chosen_rows, decide_together, pick
from pagecut.evidence.models import Model, load_model

Float = NDArray[np.float64]
Table = NDArray[np.float32]
Numbers = NDArray[np.int64]

# Images whose candidates are scored at once, so that a page with very many needs little memory.
BLOCK: Final = 256

# Evidence for the chosen candidate, which helps to tell whether the image is content: all but what
# is the same for all of an image's candidates.
CORE: Final = NAMES[: NAMES.index(IMAGE[0])]
SCORES: Final = ("score", "margin", "group score")
CHOSEN_NAMES: Final = (*(f"context: {name}" for name in CORE), *IMAGE_NAMES, *SCORES)
CONFIDENCE_NAMES: Final = (*CHOSEN_NAMES, "content")
# What an image is that has no context.
OTHER_ROLES: Final = ("logo", "icon", "ad", "decoration", "no-text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """What was learnt.

    Args:
        threshold: probability from which an image counts as content.
    """

    context: Model
    content: Model
    others: Model
    confidence: Model
    threshold: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where the candidates of all images stand in one list.

    Args:
        firsts: (n + 1,) the first candidate of each image.
        kinds: (n, k) which of its candidates is of a kind, 255 if none is.
        groups: (n,) which images stand in the same place of the tree.
    """

    firsts: Numbers
    kinds: NDArray[np.uint8]
    groups: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What was decided for each image of a page.

    Args:
        chosen: (n,) its candidate among all of the page's; -1 if it has none.
        content: (n,) the probability that it is content.
        others: (n, 5) of each of OTHER_ROLES, where it is not.
        confidence: (n,) the probability that the chosen text is right, or none is.
    """

    chosen: Numbers
    content: Float
    others: Float
    confidence: Float


@cache
def models() -> Models:
    """The models that are shipped, read once."""
    folder = Path(__file__).parent
    content = load_model(folder / "content.model.json").check(CHOSEN_NAMES, ["content"])
    return Models(
        context=load_model(folder / "context.model.json").check(NAMES, ["score"]),
        content=content,
        others=load_model(folder / "others.model.json").check(IMAGE_NAMES, OTHER_ROLES),
        confidence=load_model(folder / "confidence.model.json").check(CONFIDENCE_NAMES, ["right"]),
        threshold=float(content.record["threshold"]),
    )


def best_together(scores: Float, layout: Layout) -> Numbers:
    """(n,) the best candidate of each image, what is best for its group considered; -1 if none."""
    together = decide_together(scores, layout.firsts, layout.kinds, layout.groups)
    return pick(together, layout.firsts)


def chosen_table(
    scores: Float, chosen: Numbers, core: Table, images: Table, layout: Layout
) -> Table:
    """(n, f) CHOSEN_NAMES of each image.

    Args:
        scores: of all candidates, each image's by themselves.
        core: (candidates, c) of CORE.
        images: (n, i) of IMAGE_NAMES.
    """
    return chosen_rows(scores, chosen, core, images, layout.firsts, layout.groups)


def logistic(odds: Float) -> Float:
    found: Float = 1.0 / (1.0 + np.exp(-np.clip(odds, -60, 60)))
    return found


def choose(scores: Float, core: Table, images: Table, layout: Layout, learnt: Models) -> Choice:
    """Decide for all images of a page."""
    chosen = best_together(scores, layout)
    table = chosen_table(scores, chosen, core, images, layout)
    odds = learnt.content.sums(table)[:, 0]
    content = logistic(odds)
    confidence = 1 - content
    others = np.zeros((len(chosen), len(OTHER_ROLES)))
    dropped = np.flatnonzero(content < learnt.threshold)
    if len(dropped):
        others[dropped] = learnt.others.scores(images[dropped])
    kept = np.flatnonzero(content >= learnt.threshold)
    if len(kept):
        with_odds = np.empty((len(kept), len(CONFIDENCE_NAMES)), dtype=np.float32)
        with_odds[:, :-1] = table[kept]
        with_odds[:, -1] = odds[kept]
        confidence[kept] = learnt.confidence.scores(with_odds)[:, 0]
    return Choice(chosen=chosen, content=content, others=others, confidence=confidence)


def score_candidates(
    page: Any, evidence: Any, images: int, firsts: Numbers, model: Model
) -> tuple[Float, Table]:
    """The score of each candidate, and (candidates, c) CORE of its evidence."""
    scores = np.empty(int(firsts[-1]))
    core = np.empty((int(firsts[-1]), len(CORE)), dtype=np.float32)
    for first in range(0, images, BLOCK):
        last = min(images, first + BLOCK)
        part = slice(int(firsts[first]), int(firsts[last]))
        if part.start < part.stop:
            table = evidence.table(page, first, last)
            scores[part] = model.sums(table)[:, 0]
            core[part] = table[:, : len(CORE)]
    return scores, core
