"""Docstrings for the site: the examples at their end become a section, as mkdocstrings wants it."""

from __future__ import annotations

from typing import Any

import griffe


class Examples(griffe.Extension):
    """Puts `Examples:` above the first prompt of a docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is None or ">>> " not in obj.docstring.value:
            return
        text, _prompt, examples = obj.docstring.value.partition(">>> ")
        lines = [f"    {line}".rstrip() for line in f">>> {examples}".splitlines()]
        obj.docstring.value = "\n".join([f"{text.rstrip()}\n", "Examples:", *lines])
