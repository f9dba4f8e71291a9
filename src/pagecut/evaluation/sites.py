"""Sites and their folds: one definition for every learnt method and every interval.

Pages of one site share a template, so they are never on both sides of a division, and they are
drawn together when a mean is resampled. A fold follows from the name of the site alone: it is the
same in every dataset, for every method, whichever other pages there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from ipaddress import ip_address
from typing import Final

from pagecut.evaluation.datasets import DatasetPage
from pagecut.page.addresses import split_address

FOLDS: Final = 5

# Below the domain of a country, these are no names of sites: example.co.uk, example.gov.au. The
# list of all public suffixes has 7,000 lines and changes weekly. Where this rule knows less, it
# joins sites, which keeps them on one side.
_REGISTRIES: Final = frozenset(
    "ac ad co com ed edu go gob gouv gov gv ltd mil ne net or org".split()
)


def site_of(entry: DatasetPage) -> str:
    """The name of a page's site: that of its registered domain without the suffix.

    `amazon` for www.amazon.co.uk as for aws.amazon.com: shops in several countries share their
    templates, too. A page without a URL is named by its id, `source_site-page`.
    """
    return site_of_url(entry.url) or _site_of_id(entry.id)


def site_of_url(url: str | None) -> str:
    """The name of the registered domain of a URL without its suffix; empty if it has no host."""
    host = (split_address(url or "").hostname or "").strip(".")
    labels = host.split(".")
    if len(labels) < 2 or _is_address(host):
        return host
    suffix = 2 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _REGISTRIES else 1
    return labels[-suffix - 1]


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


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
