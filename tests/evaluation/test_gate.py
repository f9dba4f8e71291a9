"""The gate shuts when a score falls, a page changes or a method has no floor."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from script_modules import load_script
from small_dataset import Contexts, write_dataset

from pagecut import Page, Segmentation, TagGap
from pagecut.contexts import EXTRACTORS
from pagecut.errors import TooLarge
from pagecut.segmenters import SEGMENTERS

ROOT = Path(__file__).parents[2]
PAGE = "<div data-block=1><p>a b</div><div data-block=1><p>c<p>d<img src=1></div>"

Gate = Callable[..., int]


gate = load_script(ROOT / "gate" / "gate.py")


@pytest.fixture
def floors(tmp_path: Path) -> Path:
    return tmp_path / "floors.json"


@pytest.fixture
def run(tmp_path: Path, floors: Path) -> Gate:
    """The gate over one small page, with floors."""
    pages = tmp_path / "pages"
    pages.mkdir()
    write_dataset(pages, {"p": PAGE}, {"p": ["c d"]})

    def check(**options: bool) -> int:
        found: int = gate.run({"small": gate.PageSet(pages)}, floors, **options)
        return found

    assert check(update=True) == 0
    return check


def change(path: Path, edit: Callable[[Any], object]) -> None:
    stored = json.loads(path.read_text("utf-8"))
    edit(stored["small"])
    path.write_text(json.dumps(stored), encoding="utf-8")


def test_the_gate_is_open_when_nothing_changed(
    run: Gate, floors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = floors.read_bytes()
    assert run() == 0
    assert run(update=True) == 0
    assert floors.read_bytes() == before
    assert capsys.readouterr().err.endswith("the gate is open\n")


def test_every_method_has_a_floor(run: Gate, floors: Path) -> None:
    assert run() == 0
    stored = json.loads(floors.read_text("utf-8"))["small"]["floors"]
    assert names(stored["segmentation, level 1"]) == set(gate_methods(SEGMENTERS))
    assert set(stored["segmentation, level 2"]) == set(gate_methods(SEGMENTERS))
    assert set(stored["image-context"]) == set(gate_methods(EXTRACTORS))


def names(floors: dict[str, Any]) -> set[str]:
    """The methods without their parameters: at level 1 some are asked for larger segments."""
    return {spec.partition("(")[0] for spec in floors}


def gate_methods(table: dict[str, Any]) -> list[str]:
    return [name for name, method in table.items() if not method.needs]


def test_a_score_below_its_floor_shuts_the_gate(
    run: Gate, floors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lift(stored: Any) -> None:
        stored["floors"]["segmentation, level 1"]["tag-gap"]["ari"] = 0.99

    change(floors, lift)
    capsys.readouterr()
    assert run() == 1
    assert "tag-gap: ari fell from 0.9900 to" in capsys.readouterr().err
    before = floors.read_bytes()
    assert run(update=True) == 1
    assert floors.read_bytes() == before, "no floor is lowered silently"
    capsys.readouterr()
    assert run(update=True, lower=True) == 0
    assert "fell from 0.9900 to 0.5714 (lowered)" in capsys.readouterr().err
    assert run() == 0


def test_a_fall_within_the_tolerance_is_none(run: Gate, floors: Path) -> None:
    def lift(stored: Any) -> None:
        stored["floors"]["segmentation, level 1"]["tag-gap"]["ari"] += gate.TOLERANCE / 2

    change(floors, lift)
    before = json.loads(floors.read_text("utf-8"))
    assert run() == 0
    assert run(update=True, lower=True) == 0
    assert json.loads(floors.read_text("utf-8")) == before


def test_an_update_raises_floors(run: Gate, floors: Path) -> None:
    def sink(stored: Any) -> None:
        stored["floors"]["segmentation, level 1"]["tag-gap"]["ari"] = 0.1

    before = floors.read_bytes()
    change(floors, sink)
    assert run() == 0
    assert run(update=True) == 0
    assert floors.read_bytes() == before


def test_a_method_without_a_floor_shuts_the_gate(
    run: Gate, floors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(floors, lambda stored: stored["floors"]["image-context"].pop("siblings"))
    assert run() == 1
    assert "has no floor (run python gate/gate.py --update)" in capsys.readouterr().err
    assert run(update=True) == 0
    assert run() == 0


def test_a_floor_without_a_method_shuts_the_gate(run: Gate, floors: Path) -> None:
    change(floors, lambda stored: stored["floors"]["image-context"].update(gone={"F": 1}))
    assert run() == 1
    assert run(update=True) == 1
    assert run(update=True, lower=True) == 0
    assert "gone" not in floors.read_text("utf-8")


def test_a_method_that_fails_shuts_the_gate(
    run: Gate, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_method: TagGap, _page: Page) -> Segmentation:
        raise TooLarge("too large")

    monkeypatch.setattr(TagGap, "segment", fail)
    assert run() == 1
    assert "p, tag-gap: too large (must not fail)" in capsys.readouterr().err
    assert run(update=True, lower=True) == 1


@pytest.mark.parametrize("name", ["p.html", "p.json"])
def test_changed_bytes_are_refused(
    run: Gate, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "pages" / name
    page.write_bytes(page.read_bytes() + b"\n")
    assert run() == 1
    assert f"{name} has other bytes than those pinned" in capsys.readouterr().err
    assert run(update=True) == 1
    assert run(update=True, lower=True) == 1
    assert run(update=True, repin=True) == 0
    assert run() == 0


def test_pages_that_are_new_or_gone_are_refused(run: Gate, floors: Path, tmp_path: Path) -> None:
    change(floors, lambda stored: stored["pages"].update({"q.html": "0" * 64}))
    assert run() == 1
    write_dataset(tmp_path / "pages", {"p": PAGE, "r": PAGE}, {"p": ["c d"]})
    assert run(update=True) == 1


def test_a_set_that_is_not_here_is_not_checked(
    tmp_path: Path, floors: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gate.run({"away": gate.PageSet(tmp_path / "nowhere")}, floors) == 0
    assert "away: not checked: no pages in " in capsys.readouterr().err


def test_every_source_has_floors(tmp_path: Path, floors: Path) -> None:
    pages = {"p": PAGE, "q": PAGE + "<p>e", "r": PAGE}
    contexts: Contexts = {"p": ["c d"], "q": ["c d"]}
    write_dataset(tmp_path, pages, contexts, {"p": "one", "q": "two", "r": "two"})
    sets = {"small": gate.PageSet(tmp_path, pinned_by_folder=True)}
    assert gate.run(sets, floors, update=True) == 0
    stored = json.loads(floors.read_text("utf-8"))["small"]
    checks = "segmentation, level 1", "segmentation, level 2", "image-context"
    assert set(stored["floors"]) == {
        f"{check}{source}" for check in checks for source in ("", ": one", ": two")
    }
    assert gate.run(sets, floors) == 0

    def lift(kept: Any) -> None:
        kept["floors"]["image-context: two"]["siblings"]["overall"] = 1.5

    change(floors, lift)
    assert gate.run(sets, floors) == 1
    (tmp_path / "q.html").write_text("<p>other", encoding="utf-8")
    assert gate.run(sets, floors, update=True, lower=True) == 1, "pages that changed are refused"


def test_without_a_browser_rendered_pages_are_not_checked(
    floors: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGECUT_BROWSER", "no-such-program")
    pages = gate.PageSet(ROOT / "examples", rendered=True)
    assert gate.run({"rendered": pages}, floors) == 0
    assert "rendered: not checked: PAGECUT_BROWSER names" in capsys.readouterr().err


def test_rendered_every_segmenter_has_a_floor(
    tmp_path: Path, floors: Path, browser: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert browser
    monkeypatch.setenv("PAGECUT_CACHE", str(tmp_path / "cache"))
    write_dataset(tmp_path, {"p": PAGE}, {"p": ["c d"]})
    pages = {"small": gate.PageSet(tmp_path, rendered=True)}
    assert gate.run(pages, floors, update=True) == 0
    stored = json.loads(floors.read_text("utf-8"))["small"]["floors"]
    assert set(stored) == {"segmentation, level 1", "segmentation, level 2"}
    assert names(stored["segmentation, level 1"]) == set(SEGMENTERS)
    assert gate.run(pages, floors) == 0

    def lift(kept: Any) -> None:
        kept["floors"]["segmentation, level 1"]["vips"]["ari"] += gate.RENDERED_TOLERANCE + 0.01

    change(floors, lift)
    assert gate.run(pages, floors) == 1


def test_every_method_that_needs_rendering_is_held() -> None:
    stored = json.loads(gate.FLOORS.read_text("utf-8"))["examples, rendered"]["floors"]
    for level in 1, 2:
        assert names(stored[f"segmentation, level {level}"]) == set(SEGMENTERS)


def test_the_examples_are_pinned() -> None:
    stored = json.loads(gate.FLOORS.read_text("utf-8"))
    dataset = gate.read_dataset(ROOT / "examples")
    assert stored["examples"]["pages"] == gate.pins(dataset)


def test_the_docs_show_what_is_held_on_rendered_pages() -> None:
    stored = json.loads(gate.FLOORS.read_text("utf-8"))["examples, rendered"]["floors"]
    text = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    rows = text[text.index("| on rendered pages |") :].split("\n\n")[0].splitlines()[2:]
    assert len(rows) == 3
    for row in rows:
        name, ari, nmi = (cell.strip(" `") for cell in row.split("|")[1:4])
        held = stored["segmentation, level 2"][name]
        assert (ari, nmi) == (f"{held['ari']:.2f}", f"{held['nmi']:.2f}")
