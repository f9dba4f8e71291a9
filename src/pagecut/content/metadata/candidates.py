"""Values that a field may have, each once, with the evidence of everything that gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pagecut.content.metadata.source import Evidence


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
