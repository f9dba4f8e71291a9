"""Main text as the web content extraction benchmark (WCXB) scores it: words in any order, snippets.

Foley, "Web Content Extraction Benchmark", 2026. Words are runs of letters, digits and underscores
in lower case; each occurrence counts. A page without a true text is right if nothing is extracted.

Differs from the benchmark's script: a page without snippets is left out of the share of snippets,
instead of counting as one on which all were found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from pagecut.evaluation.measures.overlap import PrecisionRecall
from pagecut.spec import Configured

_WORD = re.compile(r"\w+")


def word_counts(text: str) -> Counter[str]:
    """How often each word occurs."""
    return Counter(_WORD.findall(text.lower()))


def shared_words(predicted: str, truth: str) -> PrecisionRecall:
    """Agreement of the words of two texts, in any order; two empty texts agree."""
    extracted, true = word_counts(predicted), word_counts(truth)
    if not extracted and not true:
        return PrecisionRecall(precision=1.0, recall=1.0)
    if not extracted or not true:
        return PrecisionRecall(precision=0.0, recall=0.0)
    common = (extracted & true).total()
    return PrecisionRecall(precision=common / extracted.total(), recall=common / true.total())


def share_found(text: str, snippets: Sequence[str]) -> float | None:
    """The share of snippets that stand in a text, whatever their case; None if there are none."""
    if not snippets:
        return None
    lowered = text.lower()
    return sum(snippet.lower() in lowered for snippet in snippets) / len(snippets)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPrecision(Configured):
    """Share of the extracted words that are in the true text, in any order."""

    name: ClassVar[str] = "word-precision"
    paper: ClassVar[str] = "Foley 2026"

    def score(self, predicted: str, truth: str) -> float:
        return shared_words(predicted, truth).precision


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRecall(Configured):
    """Share of the words of the true text that were extracted, in any order."""

    name: ClassVar[str] = "word-recall"
    paper: ClassVar[str] = "Foley 2026"

    def score(self, predicted: str, truth: str) -> float:
        return shared_words(predicted, truth).recall


@dataclass(frozen=True, slots=True, kw_only=True)
class WordF(Configured):
    """Harmonic mean of the precision and recall of words in any order."""

    name: ClassVar[str] = "word-f"
    paper: ClassVar[str] = "Foley 2026"

    def score(self, predicted: str, truth: str) -> float:
        return shared_words(predicted, truth).f
