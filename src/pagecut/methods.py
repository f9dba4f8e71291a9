"""Every segmenter, extractor and measure with its parameters, as lists of methods show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING
from typing import Any

from pagecut.contexts import EXTRACTORS
from pagecut.errors import SpecError
from pagecut.evaluation.measures import MEASURES
from pagecut.segmenters import SEGMENTERS
from pagecut.spec import parameter_notes, parameters, usable


def describe_methods(
    on_error: Callable[[str, SpecError], object] | None = None,
) -> list[dict[str, Any]]:
    """One row per segmenter, extractor and measure.

    Args:
        on_error: called with the name of each that cannot be used, and why.
    """
    return [
        {
            "kind": kind,
            "name": name,
            "parameters": {
                parameter.name: None if parameter.default is MISSING else parameter.default
                for parameter in parameters(method)
            },
            "notes": parameter_notes(method),
            "needs": sorted(getattr(method, "needs", ())),
            "paper": method.paper,
            "summary": (method.__doc__ or "").strip().split("\n", 1)[0],
        }
        for kind, table in (
            ("segmenter", SEGMENTERS),
            ("extractor", EXTRACTORS),
            ("measure", MEASURES),
        )
        for name, method in usable(table, on_error)
    ]
