"""The report and the files of an evaluation, and the pictures in it."""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browsing import Browsing, running_browser
from small_dataset import EXAMPLES

from pagecut import Page, Segmentation, TagGap
from pagecut.errors import FormatError, MissingExtra, TooLarge
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import Score
from pagecut.evaluation.scoring import Evaluation, Failure, evaluate_task
from pagecut.evaluation.summaries import Summary
from pagecut.rendering.png import png_size
from pagecut.report.charts import draw_bars, draw_scatter, short_number
from pagecut.report.evaluation import FORMATS, pages_beside, write_evaluations
from pagecut.report.worst_pages import shown_page, worst_pages
from pagecut.results.row_files import check_output

SPECS = ["whole-page", "tag-gap", "block-fusion(threshold=0.5)"]
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Checker(HTMLParser):
    """Every element is closed, and nothing can run or load."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        for name, _ in attributes:
            assert not name.startswith("on")
            assert name not in ("src", "style")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, _attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate_task(read_dataset(EXAMPLES), "segmentation", SPECS)


@pytest.fixture(scope="module")
def report(evaluation: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_evaluations(path, [evaluation], {"mine": frozenset({"news", "shop"})})
    return path.read_text(encoding="utf-8")


def test_the_report_is_closed_and_runs_nothing(report: str) -> None:
    checker = Checker()
    checker.feed(report)
    assert checker.open == []
    assert not checker.seen & {"script", "iframe", "img", "link", "object", "form"}
    assert {"svg", "table", "circle", "details"} <= checker.seen


def test_the_policy_names_the_only_style_sheet(report: str) -> None:
    (style,) = re.findall(r"<style>(.*?)</style>", report, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in report
    assert "default-src 'none'" in report


def test_the_report_tells_means_tests_and_worst_pages(report: str, evaluation: Evaluation) -> None:
    for summary in evaluation.summarize():
        assert f">{summary.made_by}<" in report
        low, high = (short_number(end) for end in summary.intervals["ari"])
        assert f"{short_number(summary.values['ari'])} [{low}, {high}]" in report
    assert "Holm" in report
    assert ">mine<" in report
    assert report.count("<circle") == 2 * 7  # the best against each other one
    values = evaluation.page_values("ari")["tag-gap"]
    worst = min(values, key=values.__getitem__)
    part = report[report.index("The worst pages") :]
    part = part[part.index("<summary>tag-gap") :]
    assert part.index(f">{worst}<") == min(part.index(f">{page}<") for page in values)


def test_a_phone_shows_every_column(report: str, tmp_path: Path, browser: Path) -> None:
    del browser
    path = tmp_path / "report.html"
    long = "block-fusion(threshold=0.5)", "graph-cuts(level=1, coarseness=0.25)"
    path.write_text(report.replace(*long), encoding="utf-8")
    with running_browser() as running:
        tab = Browsing(running)
        tab.size(390, 844)
        tab.call("Page.navigate", url=path.as_uri())
        tab.wait("document.querySelectorAll('.evaluation table').length > 3")
        hidden = (
            "[...document.querySelectorAll('th, td')].filter((e) => !e.getClientRects().length)"
        )
        closed = "e.closest('details:not([open])')"
        assert tab.evaluate(f"{hidden}.filter((e) => !{closed}).length") == 0
        scrolling = (
            "[...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth)"
        )
        shares = f"{scrolling}.map((e) => e.querySelector('tbody th').clientWidth / e.clientWidth)"
        assert 0 < tab.evaluate(f"Math.max(...{shares})") < 0.6


def test_what_comes_from_a_dataset_is_escaped(tmp_path: Path) -> None:
    scores = [
        Score(page="<script>alert(1)</script>", made_by=f"{name}<b>", measure="ari", value=value)
        for name, value in (("a", 0.5), ("b", 0.25))
    ]
    failure = Failure(page="<i>", made_by="", message="<u>")
    evaluation = Evaluation(
        task="segmentation", title="<b>", measures=["ari"], scores=scores, failures=[failure]
    )
    path = tmp_path / "report.html"
    write_evaluations(path, [evaluation])
    text = path.read_text(encoding="utf-8")
    assert not {"<script", "<b>", "<i>", "<u>"} & set(re.findall(r"<\w+>?", text))
    assert "&lt;u&gt;" in text


def test_a_report_of_one_method_compares_nothing(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_evaluations(path, [evaluate_task(read_dataset(EXAMPLES), "image-context", ["siblings"])])
    text = path.read_text(encoding="utf-8")
    assert "Wilcoxon" not in text
    assert "decision F" in text


@pytest.mark.parametrize("ending", ["csv", "json", "jsonl"])
def test_every_score_is_in_the_file(evaluation: Evaluation, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"scores.{ending}"
    write_evaluations(path, [evaluation])
    text = path.read_text(encoding="utf-8")
    if ending == "json":
        assert json.loads(text) == list(evaluation.rows())
    else:
        assert len(text.splitlines()) == len(evaluation.scores) + (ending == "csv")


def test_parquet_holds_the_same_rows(evaluation: Evaluation, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "scores.parquet"
    write_evaluations(path, [evaluation])
    found = parquet.read_table(path)
    assert found.to_pylist() == list(evaluation.rows())
    assert [str(each) for each in found.schema.types] == [
        "string", "int32", "string", "string", "double"
    ]  # fmt: skip


def test_without_pyarrow_the_extra_is_named_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[parquet\]'"):
        check_output(tmp_path / "scores.parquet", FORMATS)


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"use \.csv, \.json, \.jsonl, \.parquet, \.html"):
        check_output(tmp_path / "scores.txt", FORMATS)


@pytest.mark.parametrize(
    ("task", "specs", "shown"),
    [
        ("segmentation", SPECS, ["truth(level=2)", *SPECS]),
        ("image-context", ["siblings", "n-terms"], ["siblings"]),
    ],
)
def test_the_worst_pages_are_shown_beside_the_report(
    tmp_path: Path, task: str, specs: list[str], shown: list[str]
) -> None:
    dataset = read_dataset(EXAMPLES)
    evaluation = evaluate_task(dataset, task, specs)
    path = tmp_path / "my report.html"
    write_evaluations(path, [evaluation], dataset=dataset)
    text = path.read_text(encoding="utf-8")
    pages = pages_beside(path).read_text(encoding="utf-8")
    links = set(re.findall(r'<a href="my%20report-pages\.html#(p\d)">', text))
    assert links
    assert all(f'id="{link}"' in pages for link in links)
    assert all(name in pages for name in shown)
    worst = worst_pages(evaluation)
    best = evaluation.ranking()[0]
    assert f'#p1">{worst[best][0]}</a>' in text
    assert ('id="p1-images"' in pages) == (task == "image-context")


def test_a_method_that_fails_on_a_worst_page_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = read_dataset(EXAMPLES)
    evaluation = evaluate_task(dataset, "segmentation", ["tag-gap", "whole-page"])

    def fail(_method: TagGap, _page: Page) -> Segmentation:
        raise TooLarge("too large")

    monkeypatch.setattr(TagGap, "segment", fail)
    entry = shown_page(dataset.pages[0], evaluation, ["tag-gap", "whole-page"])
    assert [each.made_by for each in entry.segmentations] == ["truth(level=2)", "whole-page"]


def summary(name: str, value: float, interval: tuple[float, float] | None = None) -> Summary:
    intervals = {"ari": interval} if interval else {}
    return Summary(made_by=name, group="all", pages=9, values={"ari": value}, intervals=intervals)


def test_bars_stand_in_order_with_whiskers() -> None:
    rows = [summary("low", -0.1, (-0.2, 0.0)), summary("high", 0.5, (0.4, 0.6)), summary("one", 0)]
    svg = draw_bars(rows, "ari", "ari & co").svg()
    root = ElementTree.fromstring(svg)
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    names = [text for text in texts if text in ("low", "high", "one")]
    assert names == ["high", "one", "low"]
    assert svg.count('class="interval"') == 2
    assert svg.count('class="bar"') == 3


def test_bars_of_nothing_can_be_drawn() -> None:
    for rows in ([summary("a", 0.0)], []):
        svg = draw_bars(rows, "ari", "ari").svg()
        assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert svg.count('class="bar"') == len(rows)
        assert 'class="interval"' not in svg


def test_a_point_for_each_page_that_both_have() -> None:
    drawing = draw_scatter(("a", {"p": 0.2, "q": 0.4}), ("b", {"q": -0.5, "r": 1.0}), "ari")
    svg = drawing.svg()
    ElementTree.fromstring(svg)
    assert svg.count("<circle") == 1
    assert "<title>q: 0.400, -0.500</title>" in svg


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1.0, "1"), (0.5123, "0.512"), (149, "149"), (92.57, "92.6"), (-0.25, "-0.250")],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert short_number(value) == text


def test_rendered_worst_pages_are_drawn_beside_the_truth(
    tmp_path: Path, browser: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert browser
    monkeypatch.setenv("PAGECUT_CACHE", str(tmp_path / "cache"))
    examples = read_dataset(EXAMPLES)
    dataset = render_dataset(replace(examples, pages=examples.pages[:2]))
    evaluation = evaluate_task(dataset, "segmentation", ["vips", "tag-gap"])
    path = tmp_path / "report.html"
    write_evaluations(path, [evaluation], dataset=dataset)
    pages = pages_beside(path).read_text(encoding="utf-8")
    for page in "p1", "p2":
        assert f'href="report-pages.html#{page}"' in path.read_text(encoding="utf-8")
        assert pages.count(f'<image id="{page}-picture"') == 1
        # People's blocks by themselves, and beside those of each of the two methods.
        assert pages.count(f'<use href="#{page}-picture"/>') == 5
        assert pages.count(f'<a href="#{page}-m1-s0" tabindex="-1"') == 3
    assert pages.count('<div class="two-shots">') == 4
    for encoded in re.findall(r'href="data:image/png;base64,([^"]+)"', pages):
        width, _ = png_size(b64decode(encoded))
        assert width == 640, "half of 1,280 px"
