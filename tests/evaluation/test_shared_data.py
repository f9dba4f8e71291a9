"""All development pages parse, with the images that their annotations count.

The pages lie outside the repository; PAGECUT_DATA names their folder.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from development_pages import DATA

from pagecut import parse_html

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
