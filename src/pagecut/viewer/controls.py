"""Controls for a method's parameters, made from its own fields.

A field's type says what it is; how far a number may go is found by asking the method itself, which
refuses what it cannot work with.
"""

from __future__ import annotations

from dataclasses import MISSING, Field
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from pagecut.contexts import DEFAULT_EXTRACTOR, EXTRACTORS
from pagecut.segmenters import DEFAULT_SEGMENTER, SEGMENTERS
from pagecut.spec import Configured, parameter_notes, parameters, usable

_LOW: Final = (0, 0.01, 0.1, 1)
_AROUND_ZERO: Final = 3  # where a parameter is 0 by default and has no bounds
_STEPS: Final = 100
_FLOAT_STEPS: Final = (10.0, 5.0, 1.0, 0.5, 0.1, 0.05, 0.01, 0.005, 0.001)

Control = dict[str, Any]


def describe_controls() -> dict[str, list[dict[str, Any]]]:
    """Every segmenter and extractor with its controls."""
    return {
        "segmenters": [_describe(each, DEFAULT_SEGMENTER) for _, each in usable(SEGMENTERS)],
        "extractors": [_describe(each, DEFAULT_EXTRACTOR) for _, each in usable(EXTRACTORS)],
    }


def _describe(method: type[Configured], default: str) -> dict[str, Any]:
    return {
        "name": method.name,
        "default": method.name == default,
        "paper": method.paper,
        "needs": sorted(getattr(method, "needs", ())),
        "summary": (method.__doc__ or "").strip().split("\n", 1)[0],
        "controls": controls(method),
    }


def controls(method: type[Configured]) -> list[Control]:
    """One control per parameter: a slider, a choice, a switch or a text."""
    hints = _hints(method)
    notes = parameter_notes(method)
    return [
        {
            "name": field.name,
            "note": notes.get(field.name, ""),
            "value": None if field.default is MISSING else field.default,
            **_kind(method, field, hints.get(field.name)),
        }
        for field in parameters(method)
    ]


def _hints(method: type[Configured]) -> dict[str, Any]:
    try:
        return get_type_hints(method)
    except Exception:  # a method of another package may name types that it imports for checks only
        return {}


def _kind(method: type[Configured], field: Field[Any], hint: object) -> Control:
    if get_origin(hint) is Literal:
        return {"kind": "choice", "choices": list(get_args(hint))}
    default = field.default
    if isinstance(default, bool):
        return {"kind": "switch"}
    if isinstance(default, int | float):
        words = [word for part in get_args(hint) for word in get_args(part)]
        return {**_slider(method, field.name, default), "words": words}
    return {"kind": "text"}


def _slider(method: type[Configured], name: str, default: float) -> Control:
    """A slider from the least to the greatest value that the method takes, near its default."""
    whole = isinstance(default, int)
    high = None
    if not _accepts(method, name, _far(default, whole)):
        high = _greatest(method, name, default, whole)
    if high is None:
        high = 4 * default or _AROUND_ZERO
    accepted = [value for value in _LOW if _accepts(method, name, int(value) if whole else value)]
    low = min([*accepted, default])
    if default == 0 and _accepts(method, name, -high):
        low = -high
    step = _step(low, high, default, whole)
    return {"kind": "slider", "low": max(low, step) if low > 0 else low, "high": high, "step": step}


def _far(default: float, whole: bool) -> float:
    return max(1000 * abs(default), 1000) if whole else max(1000.0 * abs(default), 1000.0)


def _greatest(method: type[Configured], name: str, default: float, whole: bool) -> float | None:
    """The greatest round value that a method with an upper bound takes."""
    candidates = (1, 2, 5, 10, 12, 20, 50, 100, 200, 500, 1000)
    fit = [
        each
        for each in candidates
        if each >= default and _accepts(method, name, each if whole else float(each))
    ]
    return max(fit) if fit else None


def _accepts(method: type[Configured], name: str, value: float) -> bool:
    try:
        method(**{name: value})
    except Exception:  # whatever a method of another package raises
        return False
    return True


def _step(low: float, high: float, default: float, whole: bool) -> float:
    """About a hundred steps, and the default on one of them."""
    if whole:
        return 1
    most = 2 * (high - low) / _STEPS
    fit = [step for step in _FLOAT_STEPS if step <= most and _is_multiple(default, step)]
    return fit[0] if fit else _FLOAT_STEPS[-1]


def _is_multiple(value: float, step: float) -> bool:
    return abs(value / step - round(value / step)) < 1e-6
