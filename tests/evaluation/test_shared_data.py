"""All development pages parse, with the images that their annotations count.

The pages lie outside the repository; PAGECUT_DATA names their folder.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from development_pages import DATA, MODERN

from pagecut import parse_html
from pagecut.evaluation.datasets import read_dataset, read_datasets
from pagecut.evaluation.sites import fold_of, site_of

# A script with "<!--" and "<\\/script>" in a string never ends by HTML's rules; nothing is shown.
WITHOUT_TEXT = {"p_www.treasury.gov"}

pytestmark = pytest.mark.skipif(
    not (DATA / "pages.json").exists(),
    reason=f"no development pages in {DATA} (PAGECUT_DATA names another folder)",
)


def entries() -> list[dict[str, Any]]:
    path = DATA / "pages.json"
    loaded: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return loaded


def test_there_are_83_pages_of_which_51_are_annotated() -> None:
    assert len(entries()) == 83
    assert sum("image_context" in entry for entry in entries()) == 51


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: str(entry["id"]))
def test_a_development_page_parses(entry: dict[str, Any]) -> None:
    page = parse_html((DATA / entry["html"]).read_bytes(), url=entry["url"])
    assert bool(page.text.strip()) == (entry["id"] not in WITHOUT_TEXT)
    if "image_context" in entry:
        truth = json.loads((DATA / entry["image_context"]).read_text("utf-8"))["images"]
        found = [image for image in page.images if image.tag == "img"]
        assert len(found) == len(truth)


@pytest.mark.skipif(
    not (MODERN / "pages.json").exists(),
    reason=f"no modern pages in {MODERN} (PAGECUT_MODERN_DATA names another folder)",
)
def test_the_modern_pages_are_read_with_all_their_truth() -> None:
    dataset = read_dataset(MODERN)
    counts = Counter(task for entry in dataset for task in entry.tasks)
    assert counts == {
        "segmentation": 294,
        "items": 70,
        "image-context": 224,
        "main-text": 1497,
        "metadata": 1497,
    }
    contexts = items = 0
    for entry in dataset:
        if entry.segments is not None:
            _, truth = entry.load()
            assert truth.items is not None
            items += len(set(truth.items.tolist()) - {-1})
            assert all(len(set(blocks.tolist()) - {-1}) > 1 for blocks in truth.blocks.values())
        elif entry.image_context is not None:
            contexts += sum(text is not None for text in entry.load()[1].contexts.values())
    assert (contexts, items) == (3518, 1121)


@pytest.mark.skipif(not (MODERN / "pages.json").exists(), reason=f"no modern pages in {MODERN}")
def test_the_folds_of_the_pages_at_hand_are_pinned() -> None:
    """How many sites of both sets of pages are in each fold."""
    sites = {site_of(entry) for entry in read_datasets([DATA, MODERN])}
    folds = Counter(fold_of(site) for site in sites)
    assert folds == {0: 291, 1: 311, 2: 275, 3: 300, 4: 301}
