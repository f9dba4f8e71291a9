"""Sites and their folds: one definition for every learnt method and every interval.

Pages of one site share a template, so they are never on both sides of a division, and they are
drawn together when a mean is resampled. A fold follows from the name of the site alone: it is the
same in every dataset, for every method, whichever other pages there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from pagecut.evaluation.datasets import DatasetPage
from pagecut.page.addresses import site_of_url

FOLDS: Final = 5


def site_of(entry: DatasetPage) -> str:
    """The name of a page's site: that of its registered domain without the suffix.

    `amazon` for www.amazon.co.uk as for aws.amazon.com: shops in several countries share their
    templates, too. Where the rule for suffixes knows less than there are, it joins sites, which
    keeps them on one side. A page without a URL is named by its id, `source_site-page`.
    """
    return site_of_url(entry.url) or _site_of_id(entry.id)


def _site_of_id(name: str) -> str:
    source, underscore, rest = name.partition("_")
    return rest.partition("-")[0] or name if underscore and source.isalnum() else name


def fold_of(site: str, folds: int = FOLDS) -> int:
    """The fold of a site, from 0."""
    return _number(site, "fold") % folds


def page_folds(entries: Sequence[DatasetPage], folds: int = FOLDS) -> dict[str, int]:
    """The fold of each page, by its id; ValueError unless at least two folds have pages."""
    if folds < 2:
        raise ValueError(f"folds must be at least 2, got {folds}")
    found = {entry.id: fold_of(site_of(entry), folds) for entry in entries}
    if len(set(found.values())) < 2:
        raise ValueError(f"all {len(found)} pages lie in one of {folds} folds")
    return found


def some_sites(sites: Sequence[str], share: float) -> frozenset[str]:
    """A share of the sites, at least one; smaller shares lie in larger ones."""
    if not 0 < share <= 1:
        raise ValueError(f"share must lie in (0, 1], got {share}")
    order = sorted(set(sites), key=lambda site: (_number(site, "order"), site))
    return frozenset(order[: max(1, round(share * len(order)))])


def _number(site: str, purpose: str) -> int:
    return int.from_bytes(sha256(f"{purpose} {site}".encode()).digest()[:8])
