"""Block match: how many blocks a method finds as people marked them.

Kreuzer, Hage & Feelders, "A quantitative comparison of semantic web page segmentation approaches",
ICWE 2015: a block is found if its text is the marked one (exact), or nearly so (fuzzy). Precision
is the share of the method's blocks that match, recall that of the marked ones.

Both blocks are ranges of one page, so that the tokens they share are their longest common
subsequence; the similarity of two blocks is twice that by the tokens of both.

Differs from the paper: words that stand elsewhere on the page never match, text outside all marks
is left out, and a block matches at most once, the most similar first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from pagecut.evaluation.compared_units import label_units
from pagecut.evaluation.measures.overlap import PrecisionRecall
from pagecut.evaluation.measures.partition import check_same_units, contingency
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.spec import Configured


def match_blocks(predicted: Int, truth: Int, threshold: float) -> PrecisionRecall:
    """Precision and recall of whole blocks, from the labels of their tokens; -1 = in no block.

    Args:
        threshold: smallest similarity of two blocks that match.
    """
    matched, found, true = count_matches(predicted, truth, threshold)
    return PrecisionRecall(
        precision=matched / found if found else 0.0, recall=matched / true if true else 0.0
    )


def count_matches(predicted: Int, truth: Int, threshold: float) -> tuple[int, int, int]:
    """How many blocks match, how many there are, and how many true ones."""
    check_same_units(predicted, truth)
    cells = contingency(predicted, truth)
    similarity = 2 * cells.shared / (cells.first_size + cells.second_size)
    similarity[(cells.first < 0) | (cells.second < 0)] = -1
    found: set[int] = set()
    true: set[int] = set()
    for cell in np.argsort(-similarity, kind="stable").tolist():
        if similarity[cell] < threshold:
            break
        block, marked = int(cells.first[cell]), int(cells.second[cell])
        if block not in found and marked not in true:
            found.add(block)
            true.add(marked)
    blocks = len(np.unique(predicted[predicted >= 0]))
    return len(found), blocks, len(np.unique(truth[truth >= 0]))


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockMatch(Configured):
    """Whole blocks that are as people marked them.

    Args:
        kind: "exact": all tokens must be the same; "fuzzy": enough of them.
        threshold: smallest similarity that is enough, in (0, 1]; only for fuzzy.
        part: "precision", "recall" or "f", their harmonic mean.
    """

    name: ClassVar[str] = "block-match"
    paper: ClassVar[str] = "Kreuzer et al. 2015"
    needs: ClassVar[frozenset[str]] = frozenset()

    kind: Literal["exact", "fuzzy"] = "exact"
    threshold: float = 0.8
    part: Literal["precision", "recall", "f"] = "f"

    def __post_init__(self) -> None:
        if self.kind not in ("exact", "fuzzy"):
            raise ValueError(f"kind must be exact or fuzzy, got {self.kind!r}")
        if not 0 < self.threshold <= 1:
            raise ValueError(f"threshold must lie in (0, 1], got {self.threshold}")
        if self.part not in ("precision", "recall", "f"):
            raise ValueError(f"part must be precision, recall or f, got {self.part!r}")

    def score(self, predicted: Segmentation, truth: Segmentation) -> float:
        labels = label_units(predicted, truth, "tokens")
        threshold = 1.0 if self.kind == "exact" else self.threshold
        found = match_blocks(labels.predicted, labels.truth, threshold)
        return float(getattr(found, self.part))
