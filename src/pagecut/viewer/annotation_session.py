"""Annotating: the state of each page, undo and redo, and every change saved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from threading import Lock, RLock
from typing import Any, Final

from pagecut.annotation.edits import (
    contexts_from,
    drop_context,
    extend,
    mark,
    merge,
    nest,
    remove,
    rename,
    set_context,
    start_from,
    violations,
)
from pagecut.annotation.exports import FORMATS, Exported, export
from pagecut.annotation.marks import Annotation, numbers_of
from pagecut.annotation.storage import AnnotationFolder
from pagecut.annotation.template import template_signature
from pagecut.annotation.transfer import AnnotationSample
from pagecut.errors import AnnotationError, PagecutError
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.viewer.responses import Json, segmentation_json
from pagecut.viewer.results_cache import ResultsCache

_KEPT: Final = 300  # states to go back to
_SHOWN_VIOLATIONS: Final = 20
_COUNTED_VIOLATIONS: Final = 1000


@dataclass(slots=True)
class _State:
    now: Annotation
    before: list[Annotation] = field(default_factory=list)
    after: list[Annotation] = field(default_factory=list)
    # A change may ask for this page's own annotation in its course, so the lock is re-entrant.
    lock: RLock = field(default_factory=RLock)


class AnnotationSession:
    """The annotations of one person on the open pages.

    Each page has a lock of its own, since to open a page or to run a method on it may take long.
    """

    def __init__(self, results: ResultsCache, folder: AnnotationFolder) -> None:
        self.results = results
        self.pages = results.pages
        self.folder = folder
        self._states: dict[int, _State] = {}
        self._lock = Lock()  # of the table of states, for look-ups only
        self._saving = Lock()
        results.own_annotation = self.segmentation

    def segmentation(self, number: int) -> Segmentation:
        """The areas of a page as they are now."""
        return self._state(number).now.segmentation(self.pages.page(number).page)

    def describe(self, number: int) -> Json:
        """A page's annotation as it is."""
        state = self._state(number)
        with state.lock:
            return self._describe(number, state, None)

    def change(self, number: int, request: Json) -> Json:
        """Make one change, save it, and describe what the annotation has become."""
        state = self._state(number)
        page = self.pages.page(number).page
        seen = request.get("seen")
        with state.lock:
            changed = self._changed(number, page, state, request)
            if changed.now == state.now:
                return self._describe(number, state, None)
            saved, warning = self._save(changed.now, page)
            state.now, state.before, state.after = saved, changed.before, changed.after
            if warning is None and isinstance(seen, int) and seen != saved.revision - 1:
                warning = (
                    "another tab changed this page meanwhile; your change was made on top of it"
                )
            return self._describe(number, state, warning)

    def exported(self, number: int, format: str) -> tuple[str, bytes]:
        """The name and the bytes of a file."""
        opened = self.pages.page(number)
        now = self._state(number).now
        what = Exported(
            annotation=now, page=opened.page, source=opened.source, picture=opened.picture
        )
        data = export(what, format)
        return self.folder.path(opened.page, now.name).stem + FORMATS[format][0], data

    def transfer(self, number: int) -> list[Json]:
        """Copy a page's areas to the other pages of its template; what came of each other page.

        Pages that somebody has annotated or corrected by hand, or checked, are left alone.
        """
        sample = self.pages.page(number).page
        now = self._state(number).now
        if not now.areas:
            raise AnnotationError("there is nothing to transfer: mark areas on this page first")
        source = AnnotationSample(now, sample)
        signature = template_signature(sample)
        others = (other for other in range(len(self.pages)) if other != number)
        return [self._transfer_to(other, source, signature) for other in others]

    def _transfer_to(self, number: int, source: AnnotationSample, signature: str) -> Json:
        """What came of one page: it was given areas, kept its own, has another template, or failed.

        A page that cannot be opened or saved costs no other its areas.
        """
        nothing = {"page": number, "areas": 0, "missing": 0}
        try:
            page = self.pages.page(number).page
            if template_signature(page) != signature:
                return {**nothing, "came": "other-template"}
            state = self._state(number)
            with state.lock:
                now = state.now
                if now.checked or (now.areas and not _is_carried(now)):
                    return {**nothing, "came": "kept"}
                carried = source.transfer(page, now)
                if carried.annotation != now:
                    saved, _ = self._save(carried.annotation, page)
                    state.before = [*state.before, now][-_KEPT:]
                    state.now, state.after = saved, []
        except PagecutError as error:
            return {**nothing, "came": "failed", "why": str(error)}
        return {
            "page": number,
            "came": "transferred",
            "areas": len(carried.annotation.areas),
            "missing": len(carried.missing),
            "confidence": round(min(carried.confidence, default=0.0), 3),
        }

    def next_to_check(self, number: int) -> int | None:
        """The next page that nobody has checked, from this one on, around; with areas first."""
        others: list[int] = [*range(number + 1, len(self.pages)), *range(number)]
        # Only what has a file can be checked: no other page is opened, which may take long.
        saved = set(self.folder.likely([each.name for each in self.pages.listed]))
        for other in others:
            found = self._readable(other) if other in saved else None
            if found is not None and found.areas and not found.checked:
                return other
        for other in others:
            found = self._readable(other) if other in saved else None
            if found is None or not found.checked:
                return other
        return None

    def _readable(self, number: int) -> Annotation | None:
        """A page's annotation; None where the page or its file cannot be read, which whoever goes
        there is told."""
        try:
            return self._state(number).now
        except PagecutError:
            return None

    def overview(self) -> list[Json]:
        """For each page that was opened: whether it is annotated, and checked."""
        with self._lock:
            states = sorted(self._states.items())
        return [
            {"page": number, "areas": len(state.now.areas), "checked": state.now.checked}
            for number, state in states
        ]

    def _state(self, number: int) -> _State:
        with self._lock:
            state = self._states.get(number)
        if state is None:
            opened = self.pages.page(number)
            read = _State(self.folder.read(opened.page, self.pages.listed[number].name))
            with self._lock:
                state = self._states.setdefault(number, read)
        return state

    def _save(self, annotation: Annotation, page: Page) -> tuple[Annotation, str | None]:
        with self._saving:  # the same page may be listed twice, and has one file
            return self.folder.save(annotation, page)

    def _changed(self, number: int, page: Page, state: _State, request: Json) -> _State:
        """The state after a change, with the way back; the state itself stays as it is."""
        action = request.get("do")
        now, before, after = state.now, list(state.before), list(state.after)
        if action in ("undo", "redo"):
            source, target = (before, after) if action == "undo" else (after, before)
            if not source:
                raise AnnotationError(f"there is nothing to {action}")
            target.append(now)
            past = source.pop()
            again = replace(past, revision=now.revision, next_id=now.next_id)
            return _State(again, before, after)
        if not isinstance(action, str) or action not in _ACTIONS:
            raise AnnotationError(f"unknown action {action!r:.80}; there are {', '.join(_ACTIONS)}")
        changed = _ACTIONS[action](self, number, page, now, request)
        if changed.areas != now.areas and action not in _FRESH:
            changed = replace(changed, corrected=True)
        return _State(changed, [*before, now][-_KEPT:], [])

    def _describe(self, number: int, state: _State, warning: str | None) -> Json:
        page = self.pages.page(number).page
        now = state.now
        numbers = numbers_of(now.areas)
        segmentation = segmentation_json(now.segmentation(page))
        by_number = sorted(now.areas, key=lambda area: numbers[area.id])
        found = list(islice(violations(now, page), _COUNTED_VIOLATIONS))
        more = max(len(found) - _SHOWN_VIOLATIONS, 0)
        return {
            **segmentation,
            "revision": now.revision,
            "checked": now.checked,
            "ids": [area.id for area in by_number],
            "names": [area.name for area in by_number],
            "contexts": [
                {
                    "image": each.image,
                    "role": each.role,
                    "spans": [edge for span in each.spans for edge in span],
                }
                for each in now.contexts
            ],
            "violations": [
                {"rule": each.rule, "areas": list(each.areas), "hint": each.hint}
                for each in found[:_SHOWN_VIOLATIONS]
            ],
            "moreViolations": "many" if len(found) == _COUNTED_VIOLATIONS else more,
            "canUndo": bool(state.before),
            "canRedo": bool(state.after),
            "warning": warning,
            "file": self.folder.path(page, now.name).name,
        }


def _is_carried(annotation: Annotation) -> bool:
    """Whether the areas are as a transfer left them."""
    return annotation.started_from.startswith("transfer(") and not annotation.corrected


Action = Callable[[AnnotationSession, int, Page, Annotation, Json], Annotation]


def _spans(page: Page, request: Json) -> list[Sequence[int]]:
    """The text that a request names: by rows of nodes, or by ranges."""
    rows, spans = request.get("rows", []), request.get("spans", [])
    if not (isinstance(rows, list) and all(type(row) is int for row in rows)):
        raise AnnotationError("rows must be numbers of nodes")
    if not all(0 <= row < len(page) for row in rows):
        raise AnnotationError(f"the page has {len(page)} nodes")
    if not isinstance(spans, list) or not all(
        isinstance(span, list) and len(span) == 2 and all(type(each) is int for each in span)
        for span in spans
    ):
        raise AnnotationError("spans must be pairs of numbers")
    return [*(page.node(row).span for row in rows), *spans]


def _ids(request: Json) -> list[int]:
    ids = request.get("areas")
    if not isinstance(ids, list) or not all(type(each) is int for each in ids):
        raise AnnotationError("areas must be numbers")
    return ids


def _text(request: Json, name: str, default: str = "") -> str:
    value = request.get(name, default)
    if not isinstance(value, str):
        raise AnnotationError(f"{name} must be a text")
    if any("\ud800" <= each <= "\udfff" for each in value):
        raise AnnotationError(f"{name} has half a character: a lone surrogate")
    return value


def _whole(request: Json, name: str) -> int:
    value: Any = request.get(name)
    if type(value) is not int:
        raise AnnotationError(f"{name} must be a whole number")
    return int(value)


def _start(
    session: AnnotationSession, number: int, _: Page, now: Annotation, request: Json
) -> Annotation:
    return start_from(now, session.results.segmentation(number, _text(request, "spec"))[0])


def _start_contexts(
    session: AnnotationSession, number: int, _: Page, now: Annotation, request: Json
) -> Annotation:
    return contexts_from(now, session.results.contexts(number, _text(request, "spec"))[0])


_ACTIONS: Final[dict[str, Action]] = {
    "mark": lambda _d, _n, page, now, r: mark(now, page, _spans(page, r), _text(r, "name")),
    "extend": lambda _d, _n, page, now, r: extend(now, page, _whole(r, "area"), _spans(page, r)),
    "nest": lambda _d, _n, page, now, r: nest(now, page, _ids(r), _text(r, "name")),
    "merge": lambda _d, _n, page, now, r: merge(now, page, _ids(r)),
    "remove": lambda _d, _n, _p, now, r: remove(now, _ids(r)),
    "rename": lambda _d, _n, _p, now, r: rename(now, _whole(r, "area"), _text(r, "name")),
    "clear": lambda _d, _n, _p, now, _r: replace(now, areas=(), started_from="", corrected=False),
    "start": _start,
    "start-contexts": _start_contexts,
    "context": lambda _d, _n, page, now, r: set_context(
        now, page, _whole(r, "image"), _spans(page, r), _text(r, "role", "content")
    ),
    "no-context": lambda _d, _n, _p, now, r: drop_context(now, _whole(r, "image")),
    "check": lambda _d, _n, _p, now, r: replace(now, checked=r.get("checked") is True),
}
_FRESH: Final = ("start", "clear")  # they leave nothing of what was there
