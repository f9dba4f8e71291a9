"""Datasets of a few lines, for the tests that read and score them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pagecut.evaluation.datasets import Dataset, read_dataset

EXAMPLES = Path(__file__).parents[2] / "examples"

Contexts = dict[str, list[str | None]]


def write_dataset(
    folder: Path,
    pages: dict[str, str],
    contexts: Contexts | None = None,
    groups: dict[str, str] | None = None,
) -> Dataset:
    """Write pages in the folder layout.

    Args:
        pages: HTML by the page's id.
        contexts: true texts of a page's images; None for one to skip.
        groups: `dataset` by the page's id.
    """
    listing = []
    for name, html in pages.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
        entry: dict[str, Any] = {"id": name, "html": f"{name}.html", "url": f"http://{name}.test/"}
        if groups:
            entry["dataset"] = groups[name]
        if contexts and name in contexts:
            images = [
                {"image": number, "skip": "icon"}
                if text is None
                else {"image": number, "context": text}
                for number, text in enumerate(contexts[name])
            ]
            entry["image_context"] = f"{name}.json"
            write_json(folder / f"{name}.json", {"page": name, "images": images})
        listing.append(entry)
    write_json(folder / "pages.json", listing)
    return read_dataset(folder)


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
