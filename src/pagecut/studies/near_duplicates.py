"""Pages with the same content in different surroundings, found by their largest segment.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008, §5.4: of the
segments less than half of whose tokens are linked, the one with most tokens stands for its page;
its shingles of 6 tokens are min-hashed, and pages that share at least half of the values are near
duplicates. `NearDuplicates(segments=1, values=8)` is the paper's setting.

Differs from the paper: by default up to three segments of a page are compared, not only the
largest, because comments can be as long as what they are about, and 128 values, because 8 tell
little about a pair near the threshold. Tokens are compared without case and punctuation.
Signatures are compared where they agree in a band (`minhash`), not all with all. Of a nested
segmentation, the text that lies directly in a segment counts as the segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.evidence.content_tree import linked_nodes
from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.run_tables import NoColumn, read_table
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import BLOCK_SEGMENTER, segment, segmenter
from pagecut.spec import Configured
from pagecut.studies.minhash import (
    Hashes,
    Signature,
    algorithm,
    bare_token,
    connect,
    find_alike,
    hash_shingles,
    jaccard,
    shingles,
    sign,
)

LINKED: Final = 0.5
MOST_VALUES: Final = 4096
MAIN_TEXT: Final = "main_text"  # the column of a run's pages


def main_segments(segmentation: Segmentation, count: int) -> list[list[str]]:
    """Tokens of the largest segments whose linked share is below one half, largest first.

    At most `count`, the first of equals first, and none that is less than half of the largest.
    """
    page = segmentation.page
    spans = token_spans(page.text)
    labels = segmentation.labels_at(spans[:, 0])
    spans, labels = spans[labels >= 0], labels[labels >= 0]
    sizes = np.bincount(labels, minlength=len(segmentation))
    linked = linked_nodes(page)[page.leaves_at(spans[:, 0])]
    linked_sizes = np.bincount(labels[linked], minlength=len(segmentation))
    sizes[linked_sizes >= LINKED * sizes] = 0
    largest = np.argsort(-sizes, kind="stable")[:count]
    return [
        [page.text[start:end] for start, end in spans[labels == number].tolist()]
        for number in largest.tolist()
        if sizes[number] and 2 * sizes[number] >= sizes[largest[0]]
    ]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fingerprint:
    """What is kept of a page to compare it with others.

    Args:
        name: the page's file, URL or record, different for every page.
        tokens: how many tokens each of its main segments has; a page without any is like no other.
        signatures: (segments, values).
        made_by: everything the signatures depend on; only equal ones can be compared.
        shingles: of each segment, for the exact Jaccard coefficient; None to save memory.
        url: the page's address, where it is known.
    """

    name: str
    tokens: tuple[int, ...]
    signatures: Signature
    made_by: str
    shingles: tuple[Hashes, ...] | None = None
    url: str | None = None

    @property
    def size(self) -> int:
        """Tokens of all its main segments."""
        return sum(self.tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePair:
    """Two pages that are near duplicates.

    Args:
        score: share of equal min-hash values, which estimates the Jaccard coefficient.
        jaccard: the exact Jaccard coefficient; None unless both fingerprints kept shingles.
    """

    a: str
    b: str
    score: float
    jaccard: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicatePage:
    """A page that can go, since another one of its cluster is kept.

    Args:
        of: the page that is kept.
        score: share of min-hash values that are equal to those of the page that is kept; below the
            threshold where only a chain of pairs leads to it.
    """

    name: str
    of: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicates:
    """The near duplicates among some pages.

    Args:
        pairs: sorted by names. Not all of them where many pages are alike: pages with equal
            signatures are paired with the first of them only, and see `minhash`.
        clusters: names of the pages that pairs connect, sorted.
        duplicates: the pages of clusters, sorted by name, but for one of each that is kept: the one
            with most tokens, of equals the first by name.
        comparisons: how many pairs of signatures were compared.
    """

    pairs: tuple[DuplicatePair, ...]
    clusters: tuple[tuple[str, ...], ...]
    duplicates: tuple[DuplicatePage, ...]
    comparisons: int
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicates(Configured):
    """Compare pages by the min-hashed shingles of their largest segments.

    Args:
        segmenter: spec of the segmenter.
        segments: how many of the largest segments stand for a page; the best match counts.
        shingle: tokens in a shingle.
        values: min-hash values in a signature, at most 4096.
        threshold: least share of equal values of near duplicates.
    """

    name: ClassVar[str] = "near-duplicates"
    paper: ClassVar[str] = "Kohlschütter & Nejdl 2008"

    segmenter: str = BLOCK_SEGMENTER
    segments: int = 3
    shingle: int = 6
    values: int = 128
    threshold: float = 0.5

    def __post_init__(self) -> None:
        segmenter(self.segmenter)
        for name in "segments", "shingle", "values":
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.values > MOST_VALUES:
            raise ValueError(f"values must be at most {MOST_VALUES}, got {self.values}")
        if not 0 < self.threshold <= 1:
            raise ValueError(f"threshold must lie in (0, 1], got {self.threshold}")

    def fingerprint(self, page: Page, name: str, *, exact: bool = True) -> Fingerprint:
        """A page's fingerprint.

        Args:
            exact: also keep what the exact Jaccard coefficient needs.
        """
        segmentation = segment(page, self.segmenter)
        return self.fingerprint_segments(segmentation, name, exact=exact)

    def fingerprint_segments(
        self, segmentation: Segmentation, name: str, *, exact: bool = True
    ) -> Fingerprint:
        """The fingerprint of a page that is segmented already, by whatever method."""
        texts = main_segments(segmentation, self.segments)
        source = f"{segmentation.made_by}, segments={self.segments}"
        return self._fingerprint(texts, name, source, exact, segmentation.page.url)

    def fingerprint_text(
        self,
        text: str,
        name: str,
        *,
        made_by: str = "text",
        exact: bool = True,
        url: str | None = None,
    ) -> Fingerprint:
        """The fingerprint of a text that was taken out of its page before.

        Args:
            made_by: what took it out.
        """
        tokens = [text[start:end] for start, end in token_spans(text).tolist()]
        return self._fingerprint([tokens] if tokens else [], name, made_by, exact, url)

    def fingerprint_run(self, folder: str | Path, *, exact: bool = True) -> Iterator[Fingerprint]:
        """The fingerprints of the main texts that a corpus run has written, by their record ids."""
        remedy = "`pagecut run` writes it with --text text, unless --columns leave it out"
        found = lacking = False
        try:
            for row in read_table(Path(folder), "pages", ("record_id", "url", "error", MAIN_TEXT)):
                if row[MAIN_TEXT] is None:
                    lacking = lacking or row["error"] is None
                else:
                    found = True
                    yield self.fingerprint_text(
                        row[MAIN_TEXT],
                        row["record_id"],
                        made_by=MAIN_TEXT,
                        exact=exact,
                        url=row["url"],
                    )
        except NoColumn as error:
            raise FormatError(f"{error}; {remedy}") from error
        if lacking and not found:
            raise FormatError(f"{folder}: no page has a {MAIN_TEXT}; {remedy}")

    def _fingerprint(
        self,
        texts: Sequence[Sequence[str]],
        name: str,
        source: str,
        exact: bool,
        url: str | None,
    ) -> Fingerprint:
        sets = [shingles([bare_token(token) for token in text], self.shingle) for text in texts]
        return Fingerprint(
            name=name,
            tokens=tuple(map(len, texts)),
            signatures=sign(sets, self.values),
            made_by=f"{source}, shingle={self.shingle}, values={self.values}, {algorithm()}",
            shingles=tuple(hash_shingles(each) for each in sets) if exact else None,
            url=url,
        )

    def compare(self, fingerprints: Iterable[Fingerprint]) -> Duplicates:
        """The near duplicates among pages, the same in whatever order they come."""
        pages = sorted(fingerprints, key=lambda each: each.name)
        made_by = {page.made_by for page in pages}
        if len(made_by) > 1:
            raise FormatError(f"cannot compare fingerprints by {' and by '.join(sorted(made_by))}")
        for page, other in pairwise(pages):
            if page.name == other.name:
                raise FormatError(f"two pages have the name {page.name}")
        pages = [page for page in pages if page.tokens]
        if not pages:
            return Duplicates(
                pairs=(), clusters=(), duplicates=(), comparisons=0, made_by=str(self)
            )
        alike = find_alike(np.concatenate([page.signatures for page in pages]), self.threshold)
        owners = np.repeat(np.arange(len(pages)), [len(page.tokens) for page in pages])
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        best: dict[tuple[int, int], DuplicatePair] = {}
        for (row, other_row), share in zip(
            alike.pairs.tolist(), alike.shares.tolist(), strict=True
        ):
            a, b = int(owners[row]), int(owners[other_row])
            if a != b and ((a, b) not in best or best[a, b].score < share):
                at = row - int(firsts[a]), other_row - int(firsts[b])
                best[a, b] = _pair(pages[a], pages[b], at, share)
        roots = connect(np.arange(len(pages)), np.array(list(best), dtype=np.intp).reshape(-1, 2))
        groups: dict[int, list[Fingerprint]] = {}
        for page, root in zip(pages, roots.tolist(), strict=True):
            groups.setdefault(root, []).append(page)
        clusters = [group for group in groups.values() if len(group) > 1]
        duplicates = (each for group in clusters for each in _duplicates(group))
        return Duplicates(
            pairs=tuple(best[pair] for pair in sorted(best)),
            clusters=tuple(tuple(page.name for page in group) for group in clusters),
            duplicates=tuple(sorted(duplicates, key=lambda each: each.name)),
            comparisons=alike.comparisons,
            made_by=f"{self}, {made_by.pop()}",
        )


def _pair(a: Fingerprint, b: Fingerprint, at: tuple[int, int], share: float) -> DuplicatePair:
    exact = None
    if a.shingles is not None and b.shingles is not None:
        exact = jaccard(a.shingles[at[0]], b.shingles[at[1]])
    return DuplicatePair(a=a.name, b=b.name, score=share, jaccard=exact)


def _duplicates(cluster: Sequence[Fingerprint]) -> Iterator[DuplicatePage]:
    """All pages of a cluster but the largest, the first of equals."""
    kept = max(cluster, key=lambda page: page.size)
    for page in cluster:
        if page is not kept:
            equal = page.signatures[:, None] == kept.signatures
            yield DuplicatePage(
                name=page.name, of=kept.name, score=float(equal.mean(axis=-1).max())
            )
