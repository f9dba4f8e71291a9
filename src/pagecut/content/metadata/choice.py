"""Values that a field may have, and the choice among them.

Each value is there once, with the evidence of everything that gives it. Boosted trees, learnt from
marked pages, weigh it.

`experiments/train_metadata.py` learns them. Evidence has names, and a model lists those that it
knows; all others count for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.content.metadata.source import Evidence
from pagecut.evidence.models import Model, load_model

FIELDS: Final = ("title", "author", "date")
ALWAYS: Final = frozenset({"title"})  # fields that have a value wherever there is a candidate
# Who states it in so many words is believed, also where pages of the kind mostly show another.
DECLARED: Final = {
    "author": frozenset({"data article", "data posting", "meta citation", "meta creator"}),
    "date": frozenset(
        {
            "data article datePublished",
            "data posting datePublished",
            "meta published",
            "itemprop datePublished first",
        }
    ),
}
UNLIKELY: Final = frozenset({"is site", "partial", "generic"})


@dataclass(slots=True)
class Candidate:
    """A value, and what speaks for and against it.

    Args:
        parts: the values of which it is made, where they are known.
        evidence: by name, what gives the value and what it is like; `choice` weighs it.
        of_page: evidence that is the same for all candidates of the page.
    """

    value: str
    key: str
    parts: tuple[str, ...] = ()
    evidence: Evidence = field(default_factory=dict)
    of_page: Evidence = field(default_factory=dict)

    def note(self, *names: str) -> None:
        for name in names:
            self.evidence[name] = 1.0

    def given_by(self, *kinds: str) -> int:
        """How many pieces of evidence have names that begin so."""
        return sum(name.startswith(kinds) for name in self.evidence)


class Candidates:
    """The candidates of one field.

    Args:
        key: equal for values that are the same to people; empty for what is no value.
    """

    def __init__(self, key: Callable[[str], str]) -> None:
        self._key = key
        self._found: dict[str, Candidate] = {}
        self._known: dict[str, Candidate] = {}  # by the values as they were given

    def add(
        self, value: str | None, *evidence: str, parts: tuple[str, ...] = ()
    ) -> Candidate | None:
        if not value:
            return None
        found = self._known.get(value)
        if found is None:
            text = " ".join(value.split())
            key = self._key(text)
            if not key:
                return None
            found = self._found.get(key)
            if found is None:
                found = self._found[key] = Candidate(text, key, parts)
            self._known[value] = found
        found.parts = found.parts or parts
        for name in evidence:
            found.evidence[name] = 1.0
        return found

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self._found.values())

    def __len__(self) -> int:
        return len(self._found)


def model_file(field: str) -> Path:
    """Where the model of a field lies."""
    return Path(__file__).with_name(f"{field}.model.json")


def choose(field: str, candidates: Sequence[Candidate]) -> Candidate | None:
    """The likeliest candidate; None where none is likely enough."""
    if not candidates:
        return None
    model, places = _model(field)
    return decide(field, candidates, model.sums(evidence_table(candidates, places))[:, 0])


def decide(
    field: str, candidates: Sequence[Candidate], sums: NDArray[np.float64]
) -> Candidate | None:
    """The candidate with the highest sum, if that is enough; else what is plainly declared."""
    best = int(sums.argmax())
    if field in ALWAYS or sums[best] >= 0:
        return candidates[best]
    declared = [
        (sum_, number)
        for number, (candidate, sum_) in enumerate(zip(candidates, sums.tolist(), strict=True))
        if not DECLARED[field].isdisjoint(candidate.evidence)
        and UNLIKELY.isdisjoint(candidate.evidence)
    ]
    return candidates[max(declared)[1]] if declared else None


def evidence_table(candidates: Sequence[Candidate], places: dict[str, int]) -> NDArray[np.float32]:
    """(n, f) the evidence for each candidate, by the places of its names."""
    table = np.zeros((len(candidates), len(places)), dtype=np.float32)
    values: Any = table.ravel().data  # which takes single numbers faster than an array does
    start = 0
    of_page: Evidence = {}
    shared: list[tuple[int, float]] = []
    for candidate in candidates:
        if candidate.of_page is not of_page:
            of_page = candidate.of_page
            shared = [(places[name], value) for name, value in of_page.items() if name in places]
        for place, value in shared:
            values[start + place] = value
        for name, value in candidate.evidence.items():
            if name in places:
                values[start + places[name]] = value
        start += len(places)
    return table


@cache
def _model(field: str) -> tuple[Model, dict[str, int]]:
    """The model of a field, and the places of its features."""
    model = load_model(model_file(field))
    return model, {name: place for place, name in enumerate(model.features)}
