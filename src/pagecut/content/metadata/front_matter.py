"""Metadata above Markdown, as static site generators and note-taking programs read it."""

from __future__ import annotations

import json

from pagecut.content.metadata import Metadata


def front_matter(found: Metadata, url: str | None = None) -> str:
    """A block of YAML between lines `---`, with what is known alone.

    Args:
        url: of the page itself.
    """
    values = {"title": found.title, "url": url, **found.as_row()}
    # What JSON writes is YAML, whatever the text.
    written = {name: json.dumps(each, ensure_ascii=False) for name, each in values.items() if each}
    return "\n".join(["---", *(f"{name}: {each}" for name, each in written.items()), "---", ""])
