"""The gate: no method may score lower on pinned pages than it once did.

    python gate/gate.py                     check
    python gate/gate.py --update            add floors of new methods, raise those that were passed
    python gate/gate.py --update --lower    also lower floors, and say which
    python gate/gate.py --update --repin    also take changed pages, and their scores

`floors.json` has, for each set of pages, the SHA-256 of every page and annotation, or of all that
lie in a folder, and the scores of every method on all pages and on those of each source. The
examples are always checked; the examples as rendered, for the methods that read what a browser
shows, if there is a browser; the development pages and the modern ones if they are there: in
PAGECUT_DATA and PAGECUT_MODERN_DATA, or beside the checkout.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pagecut.errors import RenderError
from pagecut.evaluation.datasets import Dataset, read_dataset
from pagecut.evaluation.datasets.reading import MAIN_TEXT
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.scoring import evaluate_task
from pagecut.rendering.browser import find_browser

ROOT: Final = Path(__file__).resolve().parents[1]
FLOORS: Final = Path(__file__).resolve().with_name("floors.json")
TOLERANCE: Final = 0.002  # another platform's rounding may move a cut
RENDERED_TOLERANCE: Final = 0.05  # and another browser's version or fonts, a whole block
DIGITS: Final = 4
SHOWN: Final = 40  # lines of one kind

# By the name of a floor: the task, the level, its measures, and the values of the summary held.
CHECKS: Final[dict[str, tuple[str, int, tuple[str, ...], tuple[str, ...]]]] = {
    "segmentation, level 1": ("segmentation", 1, ("ari", "nmi"), ("ari", "nmi")),
    "segmentation, level 2": ("segmentation", 2, ("ari", "nmi"), ("ari", "nmi")),
    "items": ("items", 2, (), ("similar F", "exact F")),
    "image-context": ("image-context", 2, ("lcs-f",), ("F", "decision F", "overall")),
    "main-text": ("main-text", 2, (), ("F", "P", "R", "with found", "without avoided")),
    "metadata": ("metadata", 2, (), ("title F", "author F", "date F")),
}
MANY: Final = 50  # pages, for which a second process pays
HINT: Final = "python gate/gate.py --update"

Scores = dict[str, dict[str, dict[str, float]]]  # by check, method, measure


@dataclass(frozen=True, slots=True)
class PageSet:
    """Pages that scores are held on, parsed only or rendered.

    Args:
        pinned_by_folder: whether all files of a folder have one hash, where there are thousands.
    """

    folder: Path
    rendered: bool = False
    pinned_by_folder: bool = False

    @property
    def tolerance(self) -> float:
        return RENDERED_TOLERANCE if self.rendered else TOLERANCE

    @property
    def checks(self) -> list[str]:
        """What is checked; rendered, only where that can make a difference."""
        return [name for name in CHECKS if not self.rendered or name.startswith("segmentation")]

    def why_not(self) -> str:
        """Why the pages cannot be had here; empty if they can."""
        if not (self.folder / "pages.json").is_file():
            return f"no pages in {self.folder}"
        if self.rendered:
            try:
                find_browser()
            except RenderError as error:
                return str(error)
        return ""

    def read(self) -> Dataset:
        """The pages; rendered ones come from the cache where it has them."""
        dataset = read_dataset(self.folder)
        return render_dataset(dataset) if self.rendered else dataset


@dataclass
class Verdict:
    """What the gate has to say of one set of pages."""

    problems: list[str] = field(default_factory=list)
    changed_pages: list[str] = field(default_factory=list)
    fallen: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    raised: list[str] = field(default_factory=list)


def default_sets() -> dict[str, PageSet]:
    """The sets of pages that may be there."""
    beside = ROOT.parent / "shared"
    development = Path(os.environ.get("PAGECUT_DATA") or beside / "data")
    modern = Path(os.environ.get("PAGECUT_MODERN_DATA") or beside / "data-modern")
    return {
        "examples": PageSet(ROOT / "examples"),
        "examples, rendered": PageSet(ROOT / "examples", rendered=True),
        "development": PageSet(development),
        "modern": PageSet(modern, pinned_by_folder=True),
    }


def pins(dataset: Dataset, by_folder: bool = False) -> dict[str, str]:
    """SHA-256 of every page and annotation, by its path in the dataset; or of all of a folder."""
    paths = {path for entry in dataset for path in entry.files}
    found = {
        path.relative_to(dataset.folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(paths)
    }
    if not by_folder:
        return found
    folders: dict[str, list[str]] = {}
    for name, digest in found.items():
        parts = name.split("/")
        folder = "/".join(parts[: 2 if parts[0] == MAIN_TEXT else 1])
        folders.setdefault(folder, []).append(f"{name} {digest}\n")
    return {
        f"{folder}, {len(lines)} files": hashlib.sha256("".join(lines).encode()).hexdigest()
        for folder, lines in folders.items()
    }


def measure(dataset: Dataset, checks: Sequence[str]) -> tuple[Scores, list[str]]:
    """The scores of every method, or of those that need no rendering, and what failed.

    Scores are of all pages; and of those of each source, where there are several.
    """
    scores: Scores = {}
    failures: list[str] = []
    sources = dataset.sources() if not dataset.rendered else {}
    jobs = 2 if len(dataset) > MANY else 1
    for name in checks:
        task, level, measures, kept = CHECKS[name]
        if not any(task in entry.tasks for entry in dataset):
            continue
        evaluation = evaluate_task(dataset, task, measures=measures, level=level, jobs=jobs)
        failures += [f"{name}: {failure}" for failure in evaluation.failures]
        summaries = evaluation.summarize(sources, intervals=False)
        several = len({summary.group for summary in summaries}) > 2
        for summary in summaries:
            check = name if summary.group == "all" else f"{name}: {summary.group}"
            if several or summary.group == "all":
                scores.setdefault(check, {})[summary.made_by] = {
                    each: round(summary.values[each], DIGITS)
                    for each in kept
                    if each in summary.values
                }
    return scores, failures


def judge(
    floors: Mapping[str, Any],
    found_pins: Mapping[str, str],
    scores: Scores,
    failures: list[str],
    tolerance: float = TOLERANCE,
) -> Verdict:
    """Compare what was found with the floors of one set."""
    verdict = Verdict(problems=list(failures))
    known = floors.get("pages", {})
    for path in sorted(known.keys() | found_pins.keys()):
        if path not in known:
            verdict.changed_pages.append(f"{path} is not pinned")
        elif path not in found_pins:
            verdict.changed_pages.append(f"{path} is pinned, and not there")
        elif known[path] != found_pins[path]:
            verdict.changed_pages.append(f"{path} has other bytes than those pinned")
    floored = floors.get("floors", {})
    for check, methods in scores.items():
        for method, values in methods.items():
            for name, value in values.items():
                floor = floored.get(check, {}).get(method, {}).get(name)
                where = f"{check}: {method}: {name}"
                if floor is None:
                    verdict.new.append(f"{where} {value:.4f} has no floor")
                elif value < floor - tolerance:
                    verdict.fallen.append(f"{where} fell from {floor:.4f} to {value:.4f}")
                elif value > floor + tolerance:
                    verdict.raised.append(f"{where} rose from {floor:.4f} to {value:.4f}")
    for check, methods in floored.items():
        verdict.gone.extend(
            f"{check}: {method} has a floor, and is no method any more"
            for method in methods
            if method not in scores.get(check, {})
        )
    return verdict


def updated(
    floors: Mapping[str, Any], scores: Scores, *, lower: bool, tolerance: float = TOLERANCE
) -> dict[str, dict[str, dict[str, float]]]:
    """The floors after an update: never below the old ones unless that was asked for."""
    old = floors.get("floors", {})
    new: Scores = {}
    for check, methods in scores.items():
        for method, values in methods.items():
            for name, value in values.items():
                floor = old.get(check, {}).get(method, {}).get(name, value)
                fell = value < floor - tolerance
                kept = value if (fell and lower) or value > floor else floor
                new.setdefault(check, {}).setdefault(method, {})[name] = kept
    if not lower:
        for check, methods in old.items():
            for method, values in methods.items():
                new.setdefault(check, {}).setdefault(method, dict(values))
    return new


def run(
    sets: Mapping[str, PageSet],
    path: Path = FLOORS,
    *,
    update: bool = False,
    lower: bool = False,
    repin: bool = False,
) -> int:
    """Check or update every set that is there; the exit code."""
    stored: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    failed = False
    for name, pages in sets.items():
        if reason := pages.why_not():
            say(f"{name}: not checked: {reason}")
            continue
        floors = stored.get(name, {})
        dataset = pages.read()
        found_pins = pins(dataset, pages.pinned_by_folder)
        fresh = not floors
        if fresh and not update:
            say(f"{name}: no floors yet (run {HINT})")
            failed = True
            continue
        if known_changed := judge(floors, found_pins, {}, []).changed_pages:
            accepted = update and (fresh or repin)
            if not accepted:
                tell(name, known_changed, "run with --update --repin if that is meant")
                failed = True
                continue
            if not fresh:
                tell(name, known_changed, "taken as they are now")
        scores, failures = measure(dataset, pages.checks)
        verdict = judge(floors, found_pins, scores, failures, pages.tolerance)
        allowed = update and (lower or repin)
        failed |= bool(verdict.problems)
        tell(name, verdict.problems, "must not fail")
        for lines, accepted, refused, taken in (
            (verdict.fallen, allowed, "lower a floor with --update --lower", "lowered"),
            (verdict.gone, allowed, "remove it with --update --lower", "removed"),
            (verdict.new, update, f"run {HINT}", "added"),
        ):
            tell(name, lines, taken if accepted else refused)
            failed |= bool(lines) and not accepted
        tell(name, verdict.raised, "raised" if update else f"hold it: {HINT}")
        if update and not failed:
            new = updated(floors, scores, lower=allowed, tolerance=pages.tolerance)
            stored[name] = {"pages": found_pins, "floors": new}
        count = sum(len(methods) for methods in scores.values())
        say(f"{name}: {len(dataset)} pages, {count} methods and levels checked")
    if update and not failed:
        path.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    say("the gate is shut" if failed else "the gate is open")
    return int(failed)


def tell(name: str, lines: list[str], what: str) -> None:
    """Say what each line is about and what becomes of it, not endlessly."""
    for line in lines[:SHOWN]:
        say(f"{name}: {line} ({what})")
    if len(lines) > SHOWN:
        say(f"{name}: … and {len(lines) - SHOWN} more ({what})")


def say(line: str) -> None:
    print(line, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--update", action="store_true", help="write floors.json")
    parser.add_argument("--lower", action="store_true", help="with --update: lower floors, too")
    parser.add_argument("--repin", action="store_true", help="with --update: take changed pages")
    arguments = parser.parse_args()
    if (arguments.lower or arguments.repin) and not arguments.update:
        parser.error("--lower and --repin go with --update")
    sys.exit(
        run(
            default_sets(),
            update=arguments.update,
            lower=arguments.lower,
            repin=arguments.repin,
        )
    )


if __name__ == "__main__":
    main()
