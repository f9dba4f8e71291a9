"""A session of annotating without a browser: transfers, what they leave alone, and the way back."""

from __future__ import annotations

import json
from pathlib import Path

from pagecut.annotation.storage import AnnotationFolder
from pagecut.viewer.annotation_session import AnnotationSession
from pagecut.viewer.open_pages import OpenPages, list_pages
from pagecut.viewer.results_cache import ResultsCache

PAGE = (
    '<body><div id="top"><p>Site</p></div><div id="main"><h1>Page {}</h1><img src="a.png">'
    '<p>Text of it.</p></div><div id="end"><p>Imprint</p></div>'
)


def session_of(folder: Path, names: tuple[str, ...] = ("0", "1", "2")) -> AnnotationSession:
    """A session on pages of one template; those that are there already stay as they are."""
    for name in names:
        path = folder / f"{name}.html"
        if not path.exists():
            path.write_text(PAGE.format(name))
    sources = [str(folder / f"{name}.html") for name in names]
    pages = OpenPages([each for name in sources for each in list_pages([name], None)])
    return AnnotationSession(ResultsCache(pages), AnnotationFolder(folder / "marks", "ada"))


def mark(session: AnnotationSession, number: int, words: str) -> None:
    start = session.pages.page(number).page.text.index(words)
    session.change(number, {"do": "mark", "spans": [[start, start + len(words)]]})


def came(session: AnnotationSession, number: int = 0) -> list[str]:
    return [each["came"] for each in session.transfer(number)]


def test_a_transfer_leaves_the_texts_of_images_alone(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    session.change(1, {"do": "context", "image": 0, "spans": [[0, 4]]})
    mark(session, 0, "Imprint")
    assert came(session) == ["transferred", "transferred"]
    found = session.describe(1)
    assert (found["count"], len(found["contexts"])) == (1, 1)


def test_a_page_that_was_corrected_is_not_given_areas_again(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    mark(session, 0, "Imprint")
    assert came(session) == ["transferred", "transferred"]
    mark(session, 1, "Text of it.")
    session = session_of(tmp_path)  # and the next day
    mark(session, 0, "Page 0")
    assert came(session) == ["kept", "transferred"]
    assert [each.text for each in session.segmentation(1).segments] == ["Text of it.", "Imprint"]
    assert len(session.segmentation(2)) == 2
    # Undone, it is as the transfer left it.
    mark(session, 2, "Site")
    session.change(2, {"do": "undo"})
    session.change(1, {"do": "remove", "areas": session.describe(1)["ids"]})
    assert came(session) == ["transferred", "transferred"]


def test_undo_goes_back_behind_two_equal_transfers(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    mark(session, 0, "Imprint")
    assert came(session) == came(session)
    assert session.describe(1)["revision"] == 1
    found = session.change(1, {"do": "undo"})
    assert (found["count"], found["canUndo"]) == (0, False)


def test_a_page_that_fails_costs_no_other_its_areas(tmp_path: Path) -> None:
    (tmp_path / "1.html").write_text("<div>" * 2000 + "deep")
    session = session_of(tmp_path)
    mark(session, 0, "Imprint")
    assert came(session) == ["failed", "transferred"]
    assert "nested deeper" in session.transfer(0)[0]["why"]


def test_marks_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    mark(session, 0, "Imprint")
    mark(session, 1, "Imprint")
    mark(session, 2, "Imprint")
    path = next((tmp_path / "marks").glob("1.*"))
    path.write_text("{")
    session = session_of(tmp_path)
    assert session.next_to_check(0) == 2
    assert came(session) == ["failed", "kept"]
    session.change(2, {"do": "check", "checked": True})
    assert session.next_to_check(0) == 1  # where it is told what is wrong


def test_areas_that_share_text_can_be_transferred(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    mark(session, 0, "Imprint")
    path = next((tmp_path / "marks").glob("0.*"))
    value = json.loads(path.read_text())
    ((start, end),) = value["areas"][0]["spans"]
    value["areas"].append({"id": 9, "name": "", "parent": None, "spans": [[start + 2, end]]})
    path.write_text(json.dumps(value))
    session = session_of(tmp_path)
    assert [each["rule"] for each in session.describe(0)["violations"]] == ["shared"]
    assert came(session) == ["transferred", "transferred"]
