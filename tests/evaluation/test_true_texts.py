"""Main text, snippets, metadata and items: what is read of them, and scores worked by hand."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from click.testing import CliRunner
from small_dataset import write_dataset, write_json

from pagecut import Page, Segmentation
from pagecut.cli import main
from pagecut.content.metadata import Metadata, TitleElement
from pagecut.contexts import extractor
from pagecut.errors import FormatError
from pagecut.evaluation.datasets import read_dataset, read_datasets, validate_dataset
from pagecut.evaluation.measures.words import (
    WordF,
    WordPrecision,
    WordRecall,
    share_found,
    shared_words,
)
from pagecut.evaluation.scoring import evaluate_all, evaluate_task
from pagecut.evaluation.tasks import item_labels, score_text, task_of
from pagecut.parsing.html import parse_html
from pagecut.report.worst_pages import context_segments, true_text

PAGE = """<title>One title - Site</title><nav><a href=/>Home</a></nav>
<main><ul><li>red <b>apple</b><li>green pear</ul><p>and plums<p>or nuts</main>"""
MAIN = "/html[1]/body[1]/main[1]"
SEGMENTS: dict[str, Any] = {
    "regions": [
        {"type": "header", "xpaths": ["/html[1]/body[1]/nav[1]"]},
        {"type": "content", "xpaths": [MAIN]},
    ],
    "blocks": [{"type": "content", "xpaths": [f"{MAIN}/ul[1]", f"{MAIN}/p[1]"]}],
    "items": [{"xpaths": [f"{MAIN}/ul[1]/li[1]"]}, {"xpaths": [f"{MAIN}/ul[1]/li[2]"]}],
}
TEXT: dict[str, Any] = {
    "url": "https://a.test/x",
    "page_type": "article",
    "title": "One title",
    "author": None,
    "publish_date": "2025-09-04",
    "main_text": "red apple green pear and plums",
    "with": ["Green pear", "missing"],
    "without": ["Home"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page with segments and one with main text."""
    write_json(
        tmp_path / "pages.json",
        [{"id": "m_a", "dataset": "modern", "html": "a.html", "url": None, "segments": "a.json"}],
    )
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    write_json(tmp_path / "a.json", SEGMENTS)
    for name in "html", "truth":
        (tmp_path / "main-text" / name).mkdir(parents=True)
    with gzip.open(tmp_path / "main-text/html/0001.html.gz", "wt", encoding="utf-8") as file:
        file.write(PAGE)
    write_json(tmp_path / "main-text/truth/0001.json", TEXT)
    return tmp_path


def test_a_text_is_in_its_nearest_region_block_and_item(folder: Path) -> None:
    page, truth = read_dataset(folder).pages[0].load()
    words = [page.text[start:].split()[0] for start in truth.units.tolist()]
    assert words == "Home red apple green pear and plums or nuts".split()
    assert truth.blocks[1].tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 1]
    assert truth.blocks[2].tolist() == [1, 0, 0, 0, 0, 0, 0, 2, 2]
    assert truth.items is not None
    assert truth.items.tolist() == [-1, 0, 0, 1, 1, -1, -1, -1, -1]
    assert page.attrs == parse_html(PAGE).attrs


def test_the_main_text_and_what_goes_with_it(folder: Path) -> None:
    entry = read_dataset(folder).pages[1]
    assert (entry.id, entry.group, entry.url) == ("main-text/0001", "article", "https://a.test/x")
    assert entry.tasks == {"main-text", "metadata"}
    _, truth = entry.load()
    assert truth.main_text == TEXT["main_text"]
    assert (truth.present, truth.absent) == (("Green pear", "missing"), ("Home",))
    assert truth.metadata == Metadata(title="One title", published="2025-09-04")


@pytest.mark.parametrize(
    ("kind", "entry", "message"),
    [
        ("blocks", {"type": "content"}, "blocks, entry 1: must have xpaths, got {'type'"),
        ("items", {"xpaths": ["/html[1]/body[1]/p[9]"]}, "items, entry 2: the page has no /html"),
        ("regions", {"type": "ad", "xpaths": [MAIN]}, f"{MAIN} has an entry already"),
    ],
)
def test_segment_files_must_fit_the_page(
    folder: Path, kind: str, entry: dict[str, Any], message: str
) -> None:
    write_json(folder / "a.json", SEGMENTS | {kind: [*SEGMENTS[kind], entry]})
    found = [each for each in validate_dataset(folder).problems() if not each.warning]
    assert len(found) == 1
    assert message in str(found[0])
    with pytest.raises(FormatError, match=r"a\.json"):
        read_dataset(folder).pages[0].load()


def test_what_people_should_look_at_is_a_warning(folder: Path) -> None:
    assert [str(each) for each in validate_dataset(folder).problems()] == []
    odd = {"type": "hero", "xpaths": ["/html[1]/head[1]"]}
    write_json(folder / "a.json", SEGMENTS | {"regions": [*SEGMENTS["regions"], odd]})
    write_json(folder / "main-text/truth/0001.json", TEXT | {"without": ["missing"]})
    found = list(validate_dataset(folder).problems())
    assert all(each.warning for each in found)
    messages = " ".join(each.message for each in found)
    for part in (
        "the type 'hero' is none of",
        "1 element without text",
        "must be there and must not",
    ):
        assert part in messages


@pytest.mark.parametrize("change", [{"with": "a"}, {"author": 3}, {"main_text": None}])
def test_malformed_texts_are_named(folder: Path, change: dict[str, Any]) -> None:
    write_json(folder / "main-text/truth/0001.json", TEXT | change)
    (found,) = validate_dataset(folder).problems()
    assert not found.warning
    assert found.file.name == "0001.json"
    with pytest.raises(FormatError, match=r"0001\.json"):
        read_dataset(folder)


def test_words_in_any_order_as_the_benchmark_counts_them() -> None:
    both = shared_words("A b, b c_1", "b B x")
    assert (both.precision, both.recall) == (2 / 4, 2 / 3)
    assert shared_words("", "").f == 1
    assert shared_words("a", "").f == shared_words("", "a").f == 0


def test_snippets_are_found_whatever_their_case() -> None:
    assert share_found("One Two", ["one t", "three"]) == 0.5
    assert share_found("One Two", []) is None


def test_a_main_text_worked_by_hand(folder: Path) -> None:
    _, truth = read_dataset(folder).pages[1].load()
    values = score_text("red apple Home green", truth, [WordF(), WordPrecision(), WordRecall()])
    assert [(name, value) for _, name, value in values] == [
        ("word-f", pytest.approx(2 * 3 / (4 + 6))),
        ("word-precision", 3 / 4),
        ("word-recall", 3 / 6),
        ("with found", 0),
        ("without avoided", 0),
    ]


class FirstWord:
    """A measure that is in no table."""

    name: ClassVar[str] = "first-word"

    def __str__(self) -> str:
        return self.name

    def score(self, predicted: str, truth: str) -> float:
        return float(predicted.split()[:1] == truth.split()[:1])


def test_a_measure_of_ones_own_is_taken_for_main_texts(folder: Path) -> None:
    found = evaluate_task(read_dataset(folder), "main-text", measures=[FirstWord(), "word-f"])
    assert found.measures == ["first-word", "word-f"]
    _, truth = read_dataset(folder).pages[1].load()
    values = score_text(f"{truth.main_text} more", truth, [FirstWord()])
    assert values[0] == (None, "first-word", 1.0)


def test_items_worked_by_hand() -> None:
    """Two of three true items are found, one of them exactly; the method gives four."""
    page = parse_html("<p>a b c d e f<p>g h<p>i<p>j")
    units = np.array([page.text.index(each) for each in "abcdefghij"], dtype=np.int32)
    true = np.array([0, 0, 0, 0, 0, 0, 1, 1, 2, -1], dtype=np.int32)
    starts = units.tolist()
    spans = [(starts[0], starts[4] + 1), (starts[6], starts[7] + 1), (starts[8], starts[9] + 1)]
    found = Segmentation.from_spans(page, spans, [0, 1, 2], made_by="m")

    class Fixed:
        def segment(self, _: Page) -> Segmentation:
            return found

    values = {
        name: value for _, name, value in task_of("items").score(Fixed(), page, (units, true))
    }
    assert values == {
        "similar-f": pytest.approx(2 * 2 / (3 + 3)),
        "exact-f": pytest.approx(2 * 1 / (3 + 3)),
        "similar items": 2,
        "exact items": 1,
        "items": 3,
        "true items": 3,
    }


def test_only_segments_with_the_role_are_items() -> None:
    page = parse_html("<p>a<p>b")
    spans, labels = np.array([[0, 1], [2, 3]], np.int32), np.array([1, 2], np.int32)
    segmentation = Segmentation(
        page=page,
        spans=spans,
        labels=labels,
        parent=np.array([-1, 0, 0], np.int32),
        made_by="m",
        roles=("content", "item", "content"),
    )
    assert item_labels(segmentation, np.array([0, 2], np.int32)).tolist() == [1, -1]


def test_metadata_worked_by_hand() -> None:
    true = Metadata(title="One, title", authors=("Ann Lee and Bo",), published="2025-09-04")
    page = parse_html("<title>one title</title>")
    task = task_of("metadata")
    values = {name: value for _, name, value in task.score(TitleElement(), page, true)}
    assert values == {
        "title": 1,
        "title given": 1,
        "title true": 1,
        "author": 0,
        "author given": 0,
        "author true": 1,
        "date": 0,
        "date given": 0,
        "date true": 1,
    }

    class Fixed:
        def read(self, _: Page) -> Metadata:
            return Metadata(authors=("Bo", "Ann Lee"), published="2025-09-04T10:00")

    values = {name: value for _, name, value in task.score(Fixed(), page, true)}
    assert (values["title"], values["author"], values["date"]) == (0, 1, 1)
    nothing = {name for _, name, _ in task.score(Fixed(), page, Metadata())}
    assert "title" not in nothing


def test_every_task_is_scored_at_once(folder: Path) -> None:
    found = evaluate_all(read_dataset(folder))
    assert [(each.task, each.level) for each in found] == [
        ("segmentation", 1),
        ("segmentation", 2),
        ("items", None),
        ("main-text", None),
        ("metadata", None),
    ]
    assert [each.values for each in found[-1].summarize()] == [
        {"title F": 1, "author F": 0, "date F": 0},
        {"title F": 0, "author F": 0, "date F": 0},
    ]
    assert found[0].ranking()
    with pytest.raises(FormatError, match="no page has ground truth for the task image-context"):
        evaluate_task(read_dataset(folder), "image-context")


def test_pages_of_several_datasets_are_scored_together(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_dataset(other, {"b": "<p>c<img>"}, {"b": ["c"]}, {"b": "images"})
    dataset = read_datasets([folder, other])
    assert len(dataset) == 3
    title = evaluate_task(dataset, "image-context", ["siblings"]).title
    assert title.startswith(f"{folder}, {other}: images")
    monkeypatch.chdir(tmp_path)
    assert read_datasets([folder, "other"]).title == f"{folder}, other"
    assert dataset.sources() == {"article": {"main-text/0001"}, "images": {"b"}, "modern": {"m_a"}}
    with pytest.raises(FormatError, match="several pages have the id b"):
        read_datasets([other, other])


def test_the_command_prints_all_tasks_by_source(folder: Path) -> None:
    done = CliRunner().invoke(main, ["evaluate", str(folder), "--task", "all"])
    assert done.exit_code == 0
    for title in "blocks of level 1", "blocks of level 2", "items, text", "main text, words":
        assert title in done.output
    assert "mosaic(granularity='regions')" in done.output
    assert "article" in done.output
    done = CliRunner().invoke(main, ["evaluate", str(folder), "--task", "all", "--with", "mosaic"])
    assert done.exit_code == 2


def test_measures_of_another_task_are_refused(folder: Path) -> None:
    with pytest.raises(ValueError, match="the task items has its own measures, got ari"):
        evaluate_task(read_dataset(folder), "items", measures=["ari"])


def run_all(folder: Path, output: Path, *options: str) -> str:
    done = CliRunner().invoke(
        main, ["evaluate", str(folder), "--task", "all", "-o", str(output), *options]
    )
    assert done.exit_code == 0
    return output.read_text(encoding="utf-8")


def test_the_report_has_every_task_by_source(folder: Path, tmp_path: Path) -> None:
    report = run_all(folder, tmp_path / "all.html", "--no-pictures")
    assert len(re.findall(r'<h2 class="task"', report)) == 5
    assert report.count("<h3>By source</h3>") == 5
    assert "article (1)" in report
    pages = (tmp_path / "all-pages.html").read_text(encoding="utf-8")
    for name in "m_a · segmentation, level 1", "m_a · items", "main-text/0001 · main-text":
        assert name in pages
    links = set(re.findall(r'href="all-pages.html#(p\d+)"', report))
    assert links == {"p1", "p2", "p3", "p4"}
    assert "data:image/png" not in pages


def test_the_worst_pages_are_pictured_where_there_is_a_browser(
    folder: Path, tmp_path: Path, browser: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert browser
    monkeypatch.setenv("PAGECUT_CACHE", str(tmp_path / "cache"))
    run_all(folder, tmp_path / "all.html")
    pages = (tmp_path / "all-pages.html").read_text(encoding="utf-8")
    assert pages.count("data:image/png") == 4


def test_without_a_browser_there_are_no_pictures(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGECUT_BROWSER", "no-such-program")
    run_all(folder, tmp_path / "all.html")
    assert "data:image/png" not in (tmp_path / "all-pages.html").read_text(encoding="utf-8")


def test_scores_of_several_tasks_name_them(folder: Path, tmp_path: Path) -> None:
    lines = run_all(folder, tmp_path / "all.csv").splitlines()
    assert lines[0] == "task,level,page,image,method,measure,value"
    assert lines[1].startswith("segmentation,1,m_a,,whole-page,ari,")
    assert any(line.startswith("main-text,,main-text/0001,,main-text,word-f,") for line in lines)


def test_the_true_text_is_drawn_where_its_words_stand() -> None:
    page = parse_html("<nav>Home</nav><p>red apple</p><p>green pear</p>")
    assert true_text(page, "Red: apple... green pear, plums").texts == ["green pear"]
    assert true_text(page, "a red apple").texts == ["red apple"]
    assert len(true_text(page, "")) == 0


def test_contexts_that_share_text_are_drawn_once() -> None:
    page = parse_html("<div><img>a b</div><div><img>c</div>")
    contexts = extractor("full-text").extract(page)
    found = context_segments(page, contexts, "full-text")
    assert len(found.spans) >= 1
    assert (found.spans[1:, 0] >= found.spans[:-1, 1]).all()
