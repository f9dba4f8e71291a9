"""Templates: which pages share one, the threshold for all of them, and segments carried over."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from small_dataset import EXAMPLES

from pagecut import BoxClustering, Page, parse_html
from pagecut.annotation.template import choose_threshold, template_signature
from pagecut.annotation.transfer import TRANSFER_FIELDS, Sample
from pagecut.cli import main
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.parsing.sheets import Placed, sheet_page
from pagecut.results.json_files import read_segmentation, write_segmentation
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.box_clustering import clusters as box_clustering_clusters


def article(number: int, paragraphs: int, *, marked: bool = False, notice: str = "") -> str:
    """A page of a made-up newspaper; the marks are those of a person."""
    block = ' data-block="2"' if marked else ""
    text = "".join(f"<p>Paragraph {n} of story {number}.</p>" for n in range(paragraphs))
    links = "".join(f"<li>Story {n}</li>" for n in range(paragraphs + 2))
    return (
        f'<body class="single postid-{number}"><div id="top"{block}><a>Home</a> <a>News</a></div>'
        f'{notice}<div class="wrap"><div class="story post-{number}"><div class="head"{block}>'
        f"<h1>Story {number}</h1><i>by Ines</i></div><section{block}>{text}</section>"
        f'<p class="share">Share this</p></div>'
        f'<div class="side"><h3>More</h3><ul{block}>{links}</ul></div></div>'
        f'<div id="foot"{block}>Foot of page {number}</div></body>'
    )


def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.html"
    path.write_text(article(1, 3, marked=True), encoding="utf-8")
    return path


def texts(found: Segmentation) -> list[str]:
    return [segment.text for segment in found.segments]


def words(text: str) -> str:
    """What people marked: signs that are no words are in no segment of theirs."""
    return "".join(filter(str.isalnum, text))


def marked_segments(page: Page, *pieces: str) -> Segmentation:
    """A segmentation of the pieces of text that are given, each a segment."""
    spans = [(page.text.index(piece), page.text.index(piece) + len(piece)) for piece in pieces]
    return Segmentation.from_spans(page, spans, range(len(spans)), made_by="person")  # type: ignore[arg-type]


def test_pages_of_one_template_have_one_signature() -> None:
    pages = [parse_html(article(number, 2 + number % 5)) for number in range(20)]
    signatures = {template_signature(page) for page in pages}
    assert len(signatures) == 1
    examples = {
        template_signature(parse_html(each.read_bytes())) for each in EXAMPLES.glob("*.html")
    }
    assert len(examples) == len(list(EXAMPLES.glob("*.html")))
    assert not signatures & examples


@pytest.mark.parametrize("source", ["", "<p>text", "text"])
def test_every_page_has_a_signature(source: str) -> None:
    assert len(template_signature(parse_html(source))) == 16


def placed_sheet(gap: float, size: tuple[float, float] = (500, 500)) -> Page:
    """Two columns of four lines; a larger gap between the lines asks for a larger threshold."""
    placed = [
        Placed(text=f"word{x}{line}", box=(x, line * (20 + gap), x + 100, line * (20 + gap) + 20))
        for x in (0, 140)
        for line in range(4)
    ]
    return sheet_page(placed, source=str(gap).encode(), sheet=1, size=size)


def test_a_template_has_the_threshold_in_the_middle_of_its_pages() -> None:
    pages = [placed_sheet(gap) for gap in (4, 8, 24)] + [placed_sheet(12, (600, 500))]
    # Within a column: gap / 40 / 3, the next thousandth above.
    single = [BoxClustering(threshold="auto").explain(page).chosen["threshold"] for page in pages]
    assert single == [0.034, 0.067, 0.2, 0.1]
    chosen = choose_threshold(pages)
    assert chosen == {
        template_signature(pages[0]): 0.067,
        template_signature(pages[3]): 0.1,
    }
    random.Random(1).shuffle(pages)
    assert choose_threshold(pages) == chosen
    assert choose_threshold([]) == {}


def test_a_sample_finds_its_own_segments_again() -> None:
    for entry in read_dataset(EXAMPLES):
        for level in (1, 2):
            segmentation = true_segmentation(*entry.load(), level)
            found = Sample(segmentation).transfer(segmentation.page)
            assert found.missing == (), entry.id
            assert found.segmentation.score is not None
            assert found.segmentation.score.tolist() == [1.0] * len(segmentation)
            assert found.sample_segments == tuple(range(len(segmentation)))
            assert [words(each) for each in texts(found.segmentation)] == [
                words(each) for each in texts(segmentation)
            ]


def test_segments_are_found_on_other_pages_of_the_template(tmp_path: Path) -> None:
    entry = sample(tmp_path)
    page = parse_html(entry.read_bytes())
    marked = marked_segments(
        page,
        "Home News",
        "Story 1\nby Ines",
        "Paragraph 0 of story 1.\nParagraph 1 of story 1.\nParagraph 2 of story 1.",
        "Foot of page 1",
    )
    other = parse_html(article(7, 5))
    found = Sample(marked).transfer(other)
    assert found.missing == ()
    assert texts(found.segmentation) == [
        "Home News",
        "Story 7\nby Ines",
        "\n".join(f"Paragraph {n} of story 7." for n in range(5)),
        "Foot of page 7",
    ]
    assert found.segmentation.score is not None
    assert found.segmentation.score.min() == 1.0


def test_a_run_of_children_ends_where_its_follower_is() -> None:
    """Heading and paragraphs lie beside the link that follows them, in one parent."""

    def page(paragraphs: int) -> Page:
        text = "".join(f"<p>text {n}</p>" for n in range(paragraphs))
        return parse_html(f"<main><h1>Head</h1>{text}<div>Share</div><p>Note</p></main>")

    marked = marked_segments(page(2), "Head\ntext 0\ntext 1", "Share\nNote")
    found = Sample(marked).transfer(page(5))
    assert texts(found.segmentation) == [
        "Head\ntext 0\ntext 1\ntext 2\ntext 3\ntext 4",
        "Share\nNote",
    ]


def test_what_is_not_there_is_listed_with_the_reason() -> None:
    page = parse_html(
        "<ul><li>a</li><li>b</li><li>c</li></ul><div id=x>x</div><table><td>t</table>"
    )
    marked = marked_segments(page, "a", "c", "x", "t")
    other = parse_html("<ul><li>A</li><li>B</li></ul><section><div id=x>X</div></section>")
    found = Sample(marked).transfer(other)
    assert texts(found.segmentation) == ["A", "X"]
    assert found.sample_segments == (0, 2)
    assert found.segmentation.score is not None
    assert found.segmentation.score.tolist() == [0.9, 1.0]
    assert [(each.segment, each.reason) for each in found.missing] == [
        (1, "no li[3] in /html[1]/body[1]/ul[1]"),
        (3, "no table in /html[1]/body[1]"),
    ]


def test_two_segments_never_share_a_place() -> None:
    page = parse_html("<div class=a>one</div><div class=b>two</div>")
    found = Sample(marked_segments(page, "one", "two")).transfer(
        parse_html("<div class='a b x'>one and two</div>")
    )
    assert texts(found.segmentation) == ["one and two"]
    assert found.sample_segments == (0,)
    assert [each.reason for each in found.missing] == ["lies where segment 0 is"]


def test_parts_of_one_segment_that_reach_the_same_place_are_one() -> None:
    """Without the advertisement, the first run ends before the link, where the second ends too."""

    def page(middle: str) -> Page:
        return parse_html(
            f"<main><h1>Head</h1><p>one</p>{middle}<p>two</p><p>three</p>"
            "<div class='share x'>Share</div></main>"
        )

    sample = page("<div class='ad x'>Buy</div>")
    spans = [(sample.text.index(a), sample.text.index(b)) for a, b in (("H", "\nB"), ("t", "\nS"))]
    marked = Segmentation.from_spans(sample, spans, [0, 0], made_by="person")
    found = Sample(marked).transfer(page(""))
    assert texts(found.segmentation) == ["Head\none\ntwo\nthree"]
    assert found.segmentation.spans.tolist() == [[0, 18]]


def test_an_empty_page_gets_nothing() -> None:
    page = parse_html("<p>one<p>two")
    found = Sample(marked_segments(page, page.text)).transfer(parse_html(""))
    assert len(found.segmentation) == 0
    assert [each.reason for each in found.missing] == ["the page is empty"]


def test_a_page_of_another_template_gets_nothing() -> None:
    page = parse_html("<div class=a><div class=b><p class=c>one</p></div></div><p>rest")
    other = parse_html("<div class=x><div class=y><p class=z>other</p></div></div><p>rest")
    found = Sample(marked_segments(page, "one")).transfer(other)
    assert len(found.segmentation) == 0
    assert "alike enough" in found.missing[0].reason


def test_thousands_of_segments_under_one_parent() -> None:
    page = parse_html("<ul>" + "".join(f"<li>item {n}</li>" for n in range(3000)) + "</ul>")
    whole = Segmentation.from_spans(
        page,
        [(int(page.nodes.start[row]), int(page.nodes.end[row])) for row in page.leaves],
        range(len(page.leaves)),  # type: ignore[arg-type]
        made_by="person",
    )
    found = Sample(whole).transfer(page)
    assert len(found.segmentation) == 3000


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def rows_of(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_command_transfers_marks(tmp_path: Path) -> None:
    first, second = tmp_path / "a.html", tmp_path / "b.html"
    first.write_text(article(2, 4), encoding="utf-8")
    second.write_text(article(3, 1, notice="<div class=notice>New!</div>"), encoding="utf-8")
    folder = tmp_path / "made"
    result = run("transfer", sample(tmp_path), first, second, "--segmentations", folder)
    rows = rows_of(result)
    assert all(tuple(row) == TRANSFER_FIELDS for row in rows)
    assert [row["sample_segment"] for row in rows] == [0, 1, 2, 3, 4] * 2
    assert {row["problem"] for row in rows} == {None}
    assert rows[2]["text"].startswith("Paragraph 0 of story 2.")
    page = parse_html(first.read_bytes())
    kept = read_segmentation(folder / f"{page.id[:16]}.json", page)
    assert texts(kept) == [row["text"] for row in rows[:5]]


def test_the_command_takes_a_segmentation_with_its_page(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    source.write_text(article(1, 3), encoding="utf-8")
    made = tmp_path / "made.json"
    page = parse_html(source.read_bytes())
    write_segmentation(marked_segments(page, "Story 1\nby Ines", "Share this"), made)
    other = tmp_path / "other.html"
    other.write_text(article(2, 2).replace("Share this", ""), encoding="utf-8")
    result = run("transfer", made, other, "--page", source)
    rows = rows_of(result)
    assert [row["text"] for row in rows] == ["Story 2\nby Ines", ""]
    assert rows[1]["problem"] is not None
    assert rows[1]["segment"] is None
    assert "1 of 2 segments were not found" in result.stderr
    missing = run("transfer", made, other)
    assert missing.exit_code == 2
    assert "--page FILE" in missing.stderr
    unmarked = run("transfer", source, other)
    assert unmarked.exit_code == 1
    assert "no data-block marks" in unmarked.stderr


def test_a_page_that_takes_too_long_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_clustering_clusters, "MOST_LOOKS", 0)
    monkeypatch.setattr(box_clustering_clusters, "_ALWAYS_ALLOWED", 200)
    few, many = tmp_path / "few.csv", tmp_path / "many.csv"
    head = "left,top,right,bottom,text\n"
    few.write_text(head + "0,0,90,20,one\n0,24,90,44,two\n", encoding="utf-8")
    steps = [f"{20 * n},{12 * n + 25},{20 * n + 15},{12 * n + 35},step{n}\n" for n in range(100)]
    many.write_text(head + "0,0,2000,20,top\n" + "".join(steps), encoding="utf-8")
    result = run("segment", many, few, "--with", "box-clustering", "--per-template")
    assert result.exit_code == 1
    assert "many.csv" in result.stderr
    assert "too long to cluster" in result.stderr
    assert json.loads(result.stdout)["text"] == "one\ntwo"


def test_per_template_reports_what_it_uses(tmp_path: Path) -> None:
    for name, gap in (("a", 4), ("b", 8), ("c", 24)):
        boxes = [
            {"left": x, "top": n * (20 + gap), "right": x + 100, "bottom": n * (20 + gap) + 20,
             "text": f"word{x}{n}"}
            for x in (0, 140)
            for n in range(4)
        ]  # fmt: skip
        boxes.append({"left": 0, "top": 499, "right": 500, "bottom": 500})
        (tmp_path / f"{name}.json").write_text(json.dumps(boxes), encoding="utf-8")
    names = [tmp_path / f"{name}.json" for name in "abc"]
    result = run("segment", *names, "--with", "box-clustering", "--per-template")
    (value,) = {row["made_by"] for row in rows_of(result)}
    assert value.startswith("box-clustering(threshold=0.")
    threshold = value.removeprefix("box-clustering(threshold=").removesuffix(")")
    assert f": 3 pages, threshold {threshold}" in result.stderr
    turned = run("segment", *reversed(names), "--with", "box-clustering", "--per-template")
    assert sorted(turned.stdout.splitlines()) == sorted(result.stdout.splitlines())
    wrong = run("segment", names[0], "--per-template")
    assert wrong.exit_code == 2
    assert "--per-template works with box-clustering only" in wrong.stderr


@pytest.mark.parametrize("threshold", ["0.3", "0.5"])
def test_a_threshold_beside_per_template_is_refused(threshold: str) -> None:
    spec = f"box-clustering(threshold={threshold})"
    wrong = run("segment", "any.html", "--with", spec, "--per-template")
    assert wrong.exit_code == 2
    assert f"--per-template chooses the threshold, but {spec} sets one" in wrong.stderr


def test_a_threshold_that_fits_the_page_may_stand_beside_per_template() -> None:
    spec = "box-clustering(threshold='auto')"
    result = run("segment", "no-such.html", "--with", spec, "--per-template")
    assert result.exit_code == 1
    assert "no such file" in result.stderr
