"""Annotations: changes and what they refuse, files, agreement, exports."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from work import lines_run

from pagecut.annotation.agreement import agreement
from pagecut.annotation.edits import (
    TOUCH,
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
from pagecut.annotation.exports import FORMATS, DatasetWriter, Exported, export
from pagecut.annotation.marks import (
    Annotation,
    Area,
    areas_of,
    from_json,
    numbers_of,
    tidy_spans,
    to_json,
)
from pagecut.annotation.storage import AnnotationFolder
from pagecut.annotation.transfer import AnnotationSample
from pagecut.contexts import image_contexts
from pagecut.errors import AnnotationError, FormatError
from pagecut.evaluation.datasets import Dataset, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.reading import validate_dataset
from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.rendering.columns import replace_columns
from pagecut.segmenters import segment

EXAMPLES = Path(__file__).parents[2] / "examples"
HTML = b"""<!doctype html><title>T</title><body>
<h1>Title</h1><p>First words here</p><p>Second words</p><img src=a.png alt=A><p>Third</p>"""


def page_of(html: bytes = HTML) -> Page:
    return parse_html(html)


def blank(page: Page, annotator: str = "ada") -> Annotation:
    return Annotation(page=page.id, name="page", annotator=annotator)


def drawn(page: Page, boxes: dict[str, tuple[float, float, float, float]]) -> Page:
    """The page with a box for each text that starts with a word; the others have none."""
    column = np.zeros((len(page), 4), dtype=np.float32)
    for row in page.leaves.tolist():
        text = page.text[page.nodes.start[row] : page.nodes.end[row]]
        for word, box in boxes.items():
            if text.startswith(word):
                column[row] = box
    return replace(page, nodes=replace_columns(page.nodes, box=column), size=(100.0, 100.0))


def span(page: Page, words: str) -> tuple[int, int]:
    start = page.text.index(words)
    return start, start + len(words)


def texts(annotation: Annotation, page: Page) -> list[str]:
    return [page.readable_spans(area.spans) for area in annotation.areas]


def test_areas_side_by_side_inside_and_around() -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "First words here")], "one")
    now = mark(now, page, [span(page, "Second words")])
    assert [area.parent for area in now.areas] == [None, None]
    now = mark(now, page, [span(page, "words")], "inner")
    inner = next(area for area in now.areas if area.name == "inner")
    assert inner.parent == now.areas[0].id
    now = nest(now, page, [1, 2], "both")
    both = next(area for area in now.areas if area.name == "both")
    assert {area.id for area in now.areas if area.parent == both.id} == {1, 2}
    assert both.spans == (span(page, "First words here\nSecond words"),)
    assert now.area(inner.id) == inner


def test_an_area_becomes_a_segment_with_its_own_and_its_inner_text() -> None:
    page = page_of()
    now = mark(blank(page), page, [(0, len(page.text))], "page")
    now = mark(now, page, [span(page, "Second words")])
    result = now.segmentation(page)
    assert result.parent.tolist() == [-1, 0]
    assert result.segments[1].text == "Second words"
    assert result.segments[0].text.startswith("Title\nFirst words here\nSecond")
    assert result.made_by == "annotation(annotator='ada')"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("words here\nSecond", "cannot be in two areas"),
        ("First words here", "already"),
    ],
)
def test_what_crosses_or_repeats_an_area_is_refused(words: str, hint: str) -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "First words here")])
    with pytest.raises(AnnotationError, match=hint):
        mark(now, page, [span(page, words)])


@pytest.mark.parametrize("spans", [[], [(5, 6)], [(4, 4)], [(10_000, 10_001)]])
def test_an_empty_area_is_refused(spans: list[tuple[int, int]]) -> None:
    page = page_of()
    with pytest.raises(AnnotationError, match="no text and no image"):
        mark(blank(page), page, spans)


def test_an_image_alone_is_an_area() -> None:
    page = page_of()
    place = int(page.image_starts[0])
    now = mark(blank(page), page, [(place, place + 1)])
    assert now.segmentation(page).segments[0].images[0].alt == "A"


def test_areas_whose_boxes_overlap_are_refused() -> None:
    page = drawn(
        page_of(), {"Title": (0, 0, 50, 20), "First": (0, 10, 50, 40), "Second": (0, 38, 50, 60)}
    )
    now = mark(blank(page), page, [span(page, "Title")])
    with pytest.raises(AnnotationError, match="overlap on the page"):
        mark(now, page, [span(page, "First words here")])
    with pytest.raises(AnnotationError, match=r"nothing of .* is shown"):
        mark(now, page, [span(page, "Third")])
    now = mark(now, page, [span(page, "Second words")])  # two px may overlap
    assert len(now.areas) == 2


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=2, max_size=12))
def test_overlaps_are_those_of_each_two_boxes(corners: list[tuple[int, int, int, int]]) -> None:
    words = [f"w{chr(97 + number)}" for number in range(len(corners))]
    page = page_of("".join(f"<p>{word}</p>" for word in words).encode())
    boxes = {
        word: (float(min(a, c)), float(min(b, d)), max(a, c) + 1.0, max(b, d) + 1.0)
        for word, (a, b, c, d) in zip(words, corners, strict=True)
    }
    page = drawn(page, boxes)
    now = start_from(blank(page), segment(page, "tag-gap"))
    named = {area.id: page.readable_spans(area.spans) for area in now.areas}
    expected = set()
    for one, other in combinations(now.areas, 2):
        first, second = boxes[named[one.id]], boxes[named[other.id]]
        wide, high = (
            min(first[at + 2], second[at + 2]) - max(first[at], second[at]) for at in (0, 1)
        )
        if wide > TOUCH and high > TOUCH:
            expected.add((one.id, other.id))
    found = [each.areas for each in violations(now, page)]
    assert len(found) == len(expected)
    assert set(found) == expected
    some = {area.id for area in now.areas[::2]}
    partly = [each.areas for each in violations(now, page, some)]
    assert len(partly) == len(set(partly))
    assert set(partly) == {pair for pair in expected if some & set(pair)}


def test_a_change_among_areas_that_lie_over_each_other_looks_at_few() -> None:
    html = "".join(f"<p>word{number}</p>" for number in range(300))
    page = drawn(page_of(html.encode()), {"word": (0, 0, 50, 50)})
    now = start_from(blank(page), segment(page, "tag-gap"))
    assert lines_run(lambda: next(violations(now, page))) < 20_000
    assert lines_run(lambda: merge(now, page, [1, 2])) < 200_000  # 45,000 pairs in all


def test_merging_keeps_what_is_inside_and_the_name() -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "First words here")])
    now = mark(now, page, [span(page, "Second words")], "named")
    now = mark(now, page, [span(page, "First")])
    inner = next(area for area in now.areas if area.spans == (span(page, "First"),))
    merged = merge(now, page, [1, 2])
    assert texts(merged, page) == ["First words here\nSecond words", "First"]
    assert merged.areas[0].name == "named"
    assert merged.area(inner.id).parent == merged.areas[0].id  # type: ignore[union-attr]
    with pytest.raises(AnnotationError, match="two areas or more"):
        merge(now, page, [1])


def test_merging_over_an_area_between_is_refused() -> None:
    page = drawn(
        page_of(), {"Title": (0, 0, 9, 9), "First": (0, 20, 9, 29), "Second": (0, 40, 9, 49)}
    )
    now = blank(page)
    for words in ("Title", "First words here", "Second words"):
        now = mark(now, page, [span(page, words)])
    with pytest.raises(AnnotationError, match="overlap"):
        merge(now, page, [1, 3])


def test_removing_moves_what_is_inside_out_by_one() -> None:
    page = page_of()
    now = mark(blank(page), page, [(0, len(page.text))])
    now = mark(now, page, [span(page, "First words here")])
    now = mark(now, page, [span(page, "words")])
    ids = [area.id for area in now.areas]
    now = remove(now, [ids[1]])
    assert [area.parent for area in now.areas] == [None, ids[0]]
    with pytest.raises(AnnotationError, match="gone"):
        remove(now, [ids[1]])
    with pytest.raises(AnnotationError, match="choose an area"):
        remove(now, [])
    again = mark(now, page, [span(page, "Third")])
    assert max(area.id for area in again.areas) == 4  # ids are not used again


def test_extending_reaches_the_areas_around() -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "First words here")])
    now = mark(now, page, [span(page, "First")])
    now = extend(now, page, 2, [span(page, "Second words")])
    assert texts(now, page) == ["First words here\nSecond words", "First\nSecond words"]


def test_names_are_tidy() -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "Title")], "  a \n b ")
    assert now.areas[0].name == "a b"
    assert len(rename(now, 1, "x" * 999).areas[0].name) == 200


def test_a_method_s_result_is_taken_as_it_is_and_its_faults_are_listed() -> None:
    page = drawn(page_of(), {"Title": (0, 0, 50, 20), "First": (0, 10, 50, 40)})
    result = segment(page, "tag-gap")
    now = start_from(blank(page), result)
    assert now.started_from == "tag-gap"
    assert now.segmentation(page).labels.tolist() == result.labels.tolist()
    found = {each.rule for each in violations(now, page)}
    assert found == {"empty", "overlap"}
    # a change that breaks nothing more is taken, though faults remain
    assert len(remove(now, [now.areas[-1].id]).areas) == len(now.areas) - 1


def test_contexts_and_roles() -> None:
    page = page_of()
    now = set_context(blank(page), page, 0, [span(page, "Second words")])
    (context,) = now.image_contexts(page)
    assert (context.text, context.role) == ("Second words", "content")
    now = set_context(now, page, 0, [], "logo")
    assert now.image_contexts(page)[0].role == "logo"
    assert drop_context(now, 0).contexts == ()
    for image, spans, role, hint in (
        (3, [span(page, "Third")], "content", "no image 3"),
        (0, [span(page, "Third")], "nosuch", "no role 'nosuch'"),
        (0, [], "content", "no text is marked"),
    ):
        with pytest.raises(AnnotationError, match=hint):
            set_context(now, page, image, spans, role)
    assert len(contexts_from(now, image_contexts(page)).contexts) == 1


@st.composite
def edits(draw: st.DrawFn) -> tuple[Page, Annotation]:
    """A page and what some random changes make of it; refused ones change nothing."""
    page = page_of()
    now = blank(page)
    for _ in range(draw(st.integers(0, 12))):
        ids = [area.id for area in now.areas]
        action = draw(st.sampled_from(["mark", "merge", "remove", "nest", "extend"]))
        start = draw(st.integers(0, len(page.text)))
        end = draw(st.integers(0, len(page.text)))
        chosen = draw(st.lists(st.sampled_from(ids), max_size=3)) if ids else []
        try:
            if action == "mark":
                now = mark(now, page, [(start, end)])
            elif action == "merge":
                now = merge(now, page, chosen)
            elif action == "remove":
                now = remove(now, chosen)
            elif action == "nest":
                now = nest(now, page, chosen)
            elif chosen:
                now = extend(now, page, chosen[0], [(start, end)])
        except AnnotationError:
            continue
    return page, now


@given(edits())
def test_whatever_is_done_the_rules_hold(made: tuple[Page, Annotation]) -> None:
    page, now = made
    assert list(violations(now, page)) == []
    ids = {area.id for area in now.areas}
    for area in now.areas:
        assert area.spans == tidy_spans(page, area.spans) != ()
        if area.parent is not None:
            assert area.parent in ids
            outer = now.area(area.parent)
            assert outer is not None
            assert tidy_spans(page, [*outer.spans, *area.spans]) == outer.spans
    assert from_json(json.loads(json.dumps(to_json(now))), page, "file") == now
    result = now.segmentation(page)
    numbers = numbers_of(now.areas)
    for area in now.areas:
        found = result.segments[numbers[area.id]]
        assert tidy_spans(page, found.spans) == area.spans
    again = start_from(blank(page), result)
    assert sorted(area.spans for area in again.areas) == sorted(area.spans for area in now.areas)


def test_files_are_written_whole_and_the_last_save_wins(tmp_path: Path) -> None:
    page = page_of()
    mine = AnnotationFolder(tmp_path / "deep" / "marks", "ada")
    other = AnnotationFolder(tmp_path / "deep" / "marks", "ada")
    now = mark(mine.read(page, "x/y z.html"), page, [span(page, "Title")])
    theirs = mark(other.read(page, "x/y z.html"), page, [span(page, "Third")])
    now = replace(now, name="x/y z.html")
    theirs = replace(theirs, name="x/y z.html")
    saved, warning = mine.save(now, page)
    assert (saved.revision, warning) == (1, None)
    won, warning = other.save(theirs, page)
    assert won.revision == 2
    assert warning is not None
    assert "replaced-1" in warning
    assert texts(mine.read(page, "x/y z.html"), page) == ["Third"]
    (kept,) = (tmp_path / "deep" / "marks").glob("*.replaced-1.json")
    assert from_json(json.loads(kept.read_text()), page, "kept") == saved
    assert not list((tmp_path / "deep" / "marks").glob(".*"))
    assert mine.path(page, "x/y z.html").name == f"y-z.html-{page.id[:8]}.ada.json"


@pytest.mark.parametrize("name", ["", "a/b", "..", "x" * 41, "ä b"])
def test_an_annotator_s_name_is_no_path(name: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="annotator"):
        AnnotationFolder(tmp_path, name)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"page": "another"},
        {"areas": [{"id": 1}]},
        {"areas": [{"id": 1, "name": "", "parent": 7, "spans": [[0, 2]]}]},
        {"areas": [{"id": 1, "name": "", "parent": 1, "spans": [[0, 2]]}]},
        {"areas": [{"id": 1, "name": "", "parent": None, "spans": []}]},
        {"areas": [{"id": 1, "name": "", "parent": None, "spans": [[0, 99999]]}]},
        {"areas": [{"id": 1, "name": "", "parent": None, "spans": [["a", 2]]}]},
        {"areas": [{"id": 1, "name": "", "parent": None, "spans": [[0, 2]]}] * 2},
        {"contexts": [{"image": 9, "role": "content", "spans": []}]},
        {"contexts": [{"image": 0, "role": "nosuch", "spans": []}]},
        {"revision": "one"},
        {
            "areas": [
                {"id": 1, "name": "", "parent": 2, "spans": [[0, 2]]},
                {"id": 2, "name": "", "parent": 1, "spans": [[0, 2]]},
            ]
        },
    ],
    ids=range(13),
)
def test_a_broken_file_is_told(change: dict[str, object]) -> None:
    page = page_of()
    with pytest.raises(FormatError, match=r"^marks\.json: "):
        from_json({**to_json(blank(page)), **change}, page, "marks.json")


def test_the_work_to_read_and_remove_areas_grows_with_their_number() -> None:
    class Chosen(list[int]):
        times = 0

        def __iter__(self) -> Iterator[int]:
            self.times += 1
            return super().__iter__()

    def inside_one(count: int) -> Annotation:
        inner = [Area(id=id, spans=((id, id + 1),), parent=1) for id in range(2, count)]
        return blank(page).with_areas([Area(id=1, spans=((0, len(page.text)),)), *inner])

    page = page_of(b"<p>" + b"x" * 1000)
    few, many = to_json(inside_one(100)), to_json(inside_one(800))
    work = [lines_run(lambda value=value: from_json(value, page, "f")) for value in (few, many)]
    assert work[1] < 10 * work[0]
    chosen = Chosen(range(2, 800))
    assert len(remove(inside_one(800), chosen).areas) == 1
    assert chosen.times < 5


def test_boxes_that_are_remembered_keep_no_page_in_memory() -> None:
    pages = [drawn(page_of(), {"Title": (0, 0, 10, 10)}) for _ in range(20)]
    for page in pages:
        mark(blank(page), page, [span(page, "Title")])
    alive = [weakref.ref(page) for page in pages]
    del page, pages
    gc.collect()
    assert sum(each() is not None for each in alive) < 10


def test_agreement_is_one_for_the_same_and_the_same_both_ways() -> None:
    page = page_of()
    first = start_from(blank(page), segment(page, "tag-gap"))
    first = set_context(first, page, 0, [span(page, "Second words")])
    same = agreement(page, first, replace(first, annotator="bob"))
    assert set(same.areas.values()) == {1.0}
    assert (same.cuts, same.images, same.with_text, same.text) == (1.0, 1, 1.0, 1.0)
    second = mark(blank(page, "bob"), page, [span(page, "First words here\nSecond words")])
    last = span(page, "Second words")[0], span(page, "Third")[1]
    second = set_context(second, page, 0, [last])
    forth, back = agreement(page, first, second), agreement(page, second, first)
    assert forth.areas == pytest.approx(back.areas)
    assert forth.cuts == pytest.approx(back.cuts)
    assert 0 < forth.areas["bcubed-f"] < 1
    # Second, words and Third against Second, words: 2 of 3 and 2 of 2
    assert forth.text == pytest.approx(0.8)
    assert forth.row()["first"] == "ada"


def test_agreement_by_hand() -> None:
    """Seven tokens: Title | First words here | Second words | Third, against cuts after 1 and 6."""
    page = page_of()
    first = start_from(blank(page), segment(page, "tag-gap"))
    second = blank(page, "bob")
    second = mark(second, page, [span(page, "First words here\nSecond words")])
    found = agreement(page, first, second)
    # cuts before tokens 1, 4 and 6 against before 1 and 6: 2 shared of 3 and 2
    assert found.cuts == pytest.approx(2 * 2 / (3 + 2))


@pytest.mark.parametrize("format", FORMATS)
def test_every_export(format: str) -> None:
    page = drawn(page_of(), {"Title": (0, 0, 50, 20), "First": (0, 30, 50, 40)})
    now = mark(blank(page), page, [span(page, "Title")], "head")
    now = mark(now, page, [span(page, "First words here")])
    now = set_context(now, page, 0, [span(page, "Second words")])
    data = export(Exported(annotation=now, page=page, source=HTML), format)
    if format == "png":
        assert data.startswith(b"\x89PNG")
        return
    value = json.loads(data)
    if format == "annotation":
        assert from_json(value, page, "file") == now
    elif format == "segmentation":
        assert value["format"] == "pagecut-segmentation/1"
        assert value["labels"] == [0, 1]
    elif format == "image-context":
        assert value["images"] == [{"image": 0, "src": "a.png", "context": "Second words"}]
    elif format == "webis":
        (polygon,), _ = value["segmentations"]["ada"]
        corners = {tuple(point) for point in polygon[0]}
        assert corners == {(0, 0), (50, 0), (50, 20), (0, 20)}
    else:
        assert format == "label-studio"
        results = value[0]["annotations"][0]["result"]
        assert {each["value"]["text"] for each in results if "text" in each["value"]} >= {"Title"}


def dataset_of(page: Page, annotation: Annotation, source: bytes | str, folder: Path) -> Dataset:
    writer = DatasetWriter(folder)
    writer.add("p", Exported(annotation=annotation, page=page, source=source))
    writer.finish()
    assert not [problem for problem in validate_dataset(folder).problems() if not problem.warning]
    return read_dataset(folder)


@pytest.mark.parametrize("spec", ["mosaic", "mosaic(granularity='items')", "tag-gap", "word-wrap"])
@pytest.mark.parametrize("name", ["news", "shop", "table2003"])
def test_a_dataset_of_marks_holds_what_was_marked(spec: str, name: str, tmp_path: Path) -> None:
    source = (EXAMPLES / f"{name}.html").read_bytes()
    page = parse_html(source)
    areas = areas_of(segment(page, spec))
    now = blank(page).with_areas(areas)
    now = contexts_from(now, image_contexts(page))
    loaded, truth = next(iter(dataset_of(page, now, source, tmp_path))).load()
    assert loaded.text == page.text
    assert truth.items is None
    outermost = blank(page).with_areas([each for each in areas if each.parent is None])
    for level, marked in (1, outermost), (2, now):
        found = true_segmentation(loaded, truth, level)
        wanted = marked.segmentation(page)
        units = truth.units
        # A text of which two areas have a part is in one of them: word-wrap cuts texts.
        same = found.labels_at(units)[:, None] == found.labels_at(units)
        true = wanted.labels_at(units)[:, None] == wanted.labels_at(units)
        assert (same == true).mean() == 1 or (spec == "word-wrap" and (same == true).mean() > 0.9)
    images = [image.index for image in page.images if image.tag == "img"]
    shown = {
        mark.image: " ".join(page.readable_spans(mark.spans).split())
        for mark in now.contexts
        if mark.spans and mark.image in images
    }
    read = {images[at]: " ".join(text.split()) for at, text in truth.contexts.items() if text}
    assert read == shown


def test_what_a_page_declares_does_not_change_a_dataset(tmp_path: Path) -> None:
    html = "<meta charset=iso-8859-1><div data-block=1>Gr\xfc\xdfe aus K\xf6ln</div><p>und Bonn"
    page = parse_html(html)
    now = mark(blank(page), page, [span(page, "und Bonn")], "Footer")
    loaded, truth = next(iter(dataset_of(page, now, html, tmp_path))).load()
    assert loaded.text == page.text
    assert truth.blocks[1].tolist() == [-1, -1, -1, 0, 0]
    assert b"data-block" not in (tmp_path / "p.html").read_bytes()
    written = json.loads((tmp_path / "p.segments.json").read_bytes())
    assert written["regions"][0]["type"] == "footer"


def test_a_dataset_needs_the_html_that_was_marked(tmp_path: Path) -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "Title")])
    for source, hint in ((None, "this page has none"), (b"<p>other", "another text")):
        with pytest.raises(AnnotationError, match=hint):
            DatasetWriter(tmp_path).add("p", Exported(annotation=now, page=page, source=source))


def test_exports_that_need_more_say_so() -> None:
    page = page_of()
    now = mark(blank(page), page, [span(page, "Title")])
    what = Exported(annotation=now, page=page)
    for format, hint in (
        ("webis", "not rendered"),
        ("label-studio", "shows HTML"),
        ("nosuch", "no format 'nosuch'"),
    ):
        with pytest.raises(AnnotationError, match=hint):
            export(what, format)
    wrong = Exported(annotation=now, page=page, source=b"<p>other")
    with pytest.raises(AnnotationError, match="own HTML"):
        export(wrong, "label-studio")
    assert export(what, "png").startswith(b"\x89PNG")  # the strip, where nothing was rendered


def test_areas_are_carried_to_another_page_nested_as_they_were() -> None:
    html = (
        "<body><div id=top><p>{0}</p></div><div id=main><h1>{0}</h1><p>{0} text</p></div>"
        "<div id=end><p>{0}</p></div>"
    )
    sample, other = (parse_html(html.format(word)) for word in ("One", "Other"))
    now = mark(blank(sample), sample, [span(sample, "One\nOne text")], "main")
    start = sample.text.index("One\nOne text")
    now = mark(now, sample, [(start, start + 3)], "heading")
    carried = AnnotationSample(now, sample).transfer(other, blank(other))
    assert [area.name for area in carried.annotation.areas] == ["main", "heading"]
    assert carried.annotation.areas[1].parent == carried.annotation.areas[0].id
    assert texts(carried.annotation, other)[0].startswith("Other\nOther text")
    assert carried.missing == {}
    assert min(carried.confidence) == 1.0
    bare = parse_html("<body><table><tr><td>x</table>")
    lost = AnnotationSample(now, sample).transfer(bare, blank(bare))
    assert lost.annotation.areas == ()
    assert set(lost.missing) == {area.id for area in now.areas}


def test_a_method_s_nested_result_keeps_its_nesting() -> None:
    page = page_of()
    now = mark(blank(page), page, [(0, len(page.text))])
    now = mark(now, page, [span(page, "Third")])
    areas = areas_of(now.segmentation(page))
    assert [area.parent for area in areas] == [None, 1]
