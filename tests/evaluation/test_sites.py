"""A site is the name of a registered domain; its fold is fixed for all methods and times."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from small_dataset import write_dataset

from pagecut.evaluation.sites import FOLDS, fold_of, page_folds, site_of, some_sites
from pagecut.page.addresses import site_of_url

# Never to be changed: figures of learnt methods hold for these folds only.
PINNED = {
    "amazon": 3,
    "bbc": 3,
    "chefkoch": 4,
    "github": 1,
    "nzz": 0,
    "substack": 4,
    "theguardian": 1,
    "wikipedia": 3,
}


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.amazon.co.uk/x", "amazon"),
        ("https://aws.amazon.com/", "amazon"),
        ("http://Example.COM:80/", "example"),
        ("https://beconnected.esafety.gov.au/", "esafety"),
        ("https://abcnews.go.com/", "go"),
        ("https://garymarcus.substack.com/p/x", "substack"),
        ("https://example.com./", "example"),
        ("http://localhost:8000/", "localhost"),
        ("http://192.168.0.1/", "192.168.0.1"),
        ("http://[::1]/", "::1"),
        ("https://co.uk/", "co"),
        ("mailto:a@b.test", ""),
        ("http://[broken", ""),
        (None, ""),
    ],
)
def test_a_site_is_the_name_of_the_registered_domain(url: str | None, site: str) -> None:
    assert site_of_url(url) == site


def test_a_page_without_a_url_is_named_by_its_id(tmp_path: Path) -> None:
    (page,) = write_dataset(tmp_path, {"p": "<p>a"})
    names = {"m_euff": "euff", "m_euff-films": "euff", "page-1": "page-1", "m_": "m_", "x": "x"}
    for name, site in names.items():
        assert site_of(replace(page, url=None, id=name)) == site
    assert site_of(replace(page, id="m_euff")) == "p"


def test_the_folds_are_pinned() -> None:
    assert FOLDS == 5
    assert {site: fold_of(site) for site in PINNED} == PINNED


def test_folds_are_of_about_one_size() -> None:
    sites = [f"site{number}" for number in range(1000)]
    sizes = [sum(fold_of(site) == fold for site in sites) for fold in range(FOLDS)]
    assert min(sizes) > 160
    assert max(sizes) < 240


def test_pages_of_one_site_share_a_fold(tmp_path: Path) -> None:
    pages = write_dataset(tmp_path, {f"p{number}": "<p>a" for number in range(10)})
    same = [replace(page, url=f"http://{page.id}.a.test/") for page in pages]
    with pytest.raises(ValueError, match="all 10 pages lie in one of 5 folds"):
        page_folds(same)
    with pytest.raises(ValueError, match="folds must be at least 2, got 1"):
        page_folds(list(pages), 1)
    assert page_folds(list(pages), 3) == page_folds(list(pages)[::-1], 3)


def test_smaller_shares_lie_in_larger_ones() -> None:
    sites = [f"site{number}" for number in range(40)]
    shares = [some_sites(sites * 2, share) for share in (0.01, 0.25, 0.5, 0.75, 1)]
    assert [len(each) for each in shares] == [1, 10, 20, 30, 40]
    assert all(small < large for small, large in pairwise(shares))
    assert some_sites(sites[::-1], 0.25) == shares[1]
    with pytest.raises(ValueError, match="got 0"):
        some_sites(sites, 0)
