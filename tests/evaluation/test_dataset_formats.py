"""Datasets of others as they are: Kreuzer's, L3S-GN1, CleanEval, scrapinghub's."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import pytest
from small_dataset import write_json

from pagecut.errors import FormatError, TooLarge
from pagecut.evaluation.datasets import DatasetPage, GroundTruth, read_dataset, validate_dataset
from pagecut.evaluation.datasets.labelled import without_labels
from pagecut.evaluation.datasets.main_text import parse_main_text
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.reading import FORMATS
from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.parsing.html import parse_html
from pagecut.parsing.limits import DEFAULT_LIMITS

MARKED = (
    '<body><div data-block="1" data-block-type="Content" class="">one'
    '<p data-block="2" class="teaser highlight">two</p></div><p class="highlight">three</p>'
)


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def only(folder: Path, format: str) -> DatasetPage:
    dataset = read_dataset(folder)
    assert dataset.format == format
    (entry,) = dataset
    assert pickle.loads(pickle.dumps(entry)) == entry
    return entry


def words_by_block(page: Page, truth: GroundTruth, level: int) -> list[tuple[int, str]]:
    """Runs of words in one block, with the block."""
    ends = dict(token_spans(page.text).tolist())
    runs: list[tuple[int, list[str]]] = []
    for start, block in zip(truth.units.tolist(), truth.blocks[level].tolist(), strict=True):
        if not runs or runs[-1][0] != block:
            runs.append((block, []))
        runs[-1][1].append(page.text[start : ends[start]])
    return [(block, " ".join(words)) for block, words in runs]


# Kreuzer's repositories


def test_kreuzers_pages_are_those_with_marks(tmp_path: Path) -> None:
    folder = tmp_path / "dataset-popular"
    site = folder / "www.un.test" / "www.un.test" / "en"
    write(site / "index.blocks.html", "\ufeff" + MARKED)
    write(site / "index.html", "<p>without marks")
    write(site / "index.dom.html", "<p>without marks")
    write(site / "index.html.orig", "<p>without marks")
    write(
        folder / "mapping.txt",
        '"http://www.un.test/en/" : "/opt/dataset-popular/www.un.test/www.un.test/en/index.html",',
    )
    entry = only(folder, "kreuzer")
    assert (entry.id, entry.group) == ("www.un.test", "dataset-popular")
    assert entry.url == "http://www.un.test/en/"
    page, truth = entry.load()
    assert [words for _, words in words_by_block(page, truth, 2)] == ["one", "two", "three"]
    assert [words for _, words in words_by_block(page, truth, 1)] == ["one two", "three"]


def test_what_the_marking_tool_leaves_behind_is_taken_off(tmp_path: Path) -> None:
    write(tmp_path / "a.test" / "index.blocks.html", MARKED)
    page, _ = only(tmp_path, "kreuzer").load()
    assert [dict(kept) for kept in page.attrs.values()] == [{"class": "teaser"}]


def test_a_class_of_that_name_stays_in_pages_of_others(tmp_path: Path) -> None:
    write(tmp_path / "a.test" / "index.html", MARKED)
    page, _ = only(tmp_path, "kreuzer").load()
    assert [kept["class"] for kept in page.attrs.values()] == ["teaser highlight", "highlight"]


def test_several_pages_of_a_site_are_called_by_their_paths(tmp_path: Path) -> None:
    write(tmp_path / "a.test" / "x.blocks.html", MARKED)
    write(tmp_path / "a.test" / "y.blocks.html", MARKED)
    write(tmp_path / "b.test" / "z.blocks.html", MARKED)
    write(tmp_path / "top.blocks.html", MARKED)
    assert [page.id for page in read_dataset(tmp_path)] == ["a.test/x", "a.test/y", "b.test", "top"]


def test_a_page_made_otherwise_is_parted_from_its_marks_too(tmp_path: Path) -> None:
    write(tmp_path / "a.test" / "index.blocks.html", MARKED)
    entry = only(tmp_path, "kreuzer")
    page, truth = entry.separate_truth(parse_html(entry.source(), "http://elsewhere.test/"))
    assert page.url == "http://elsewhere.test/"
    assert not [kept for kept in page.attrs.values() if "data-block" in kept]
    assert len(truth.units) == 3


# L3S-GN1


LABELLED = """<html><body><div class="nav"><span class="x-nc-sel0">Home</span> News</div>
<h1><span class="x-nc-sel1">Harbour <b>freezes</b></span></h1>
<p><span class="x-nc-sel2">The ice came </span>(AP) <span class="x-nc-sel2">over night.</span></p>
<p class="story x-nc-sel2">It stayed.</p>
<p><span class="x-nc-sel3" id="s">Photo: Lund</span></p>
<p><span class="x-nc-sel5"><span class="x-nc-sel5">Brr</span>!</span></p></body></html>"""


def write_labelled(folder: Path, html: str = LABELLED) -> Path:
    name = "0f1c6a1e-1111-2222-3333-444455556666"
    write(folder / "annotated" / f"{name}.html", html)
    write(folder / "original" / f"{name}.html", "<p>The page before.")
    write(folder / "url-mapping.txt", f"<urn:uuid:{name}> http://news.test/1\n")
    return folder


def test_labels_are_parts_of_the_text(tmp_path: Path) -> None:
    entry = only(write_labelled(tmp_path), "labels")
    assert entry.url == "http://news.test/1"
    page, truth = entry.load()
    assert words_by_block(page, truth, 1) == [
        (0, "Home"),
        (-1, "News"),
        (1, "Harbour freezes"),
        (2, "The ice came"),
        (-1, "(AP)"),
        (2, "over night. It stayed."),
        (3, "Photo: Lund"),
        (5, "Brr!"),
    ]
    blocks = [block for block, _ in words_by_block(page, truth, 2)]
    assert len({block for block in blocks if block >= 0}) == 6
    assert truth.main_text == "Harbour freezes\nThe ice came\nover night.\nIt stayed.\nPhoto: Lund"
    assert len(true_segmentation(page, truth, 1)) == 5


def test_neither_labels_nor_their_spans_are_left(tmp_path: Path) -> None:
    page, _ = only(write_labelled(tmp_path), "labels").load()
    assert [node.tag for node in page if node.tag == "span"] == ["span"]
    assert sorted(kept["class"] for kept in page.attrs.values() if "class" in kept) == [
        "nav",
        "story",
    ]
    plain = LABELLED.replace(' x-nc-sel2">It', '">It').replace('class="x-nc-sel3" ', "")
    for label in range(6):
        plain = plain.replace(f'<span class="x-nc-sel{label}">', "")
    (tmp_path / "plain").mkdir()
    for words in "Home", "</b>", "came ", "night.", "Brr", "!":
        plain = plain.replace(f"{words}</span>", words)
    assert page.text == parse_html(plain).text
    assert [node.xpath for node in page] == [node.xpath for node in parse_html(plain)]


def test_a_label_in_another_case_and_a_longer_class(tmp_path: Path) -> None:
    html = '<p><span class="X-NC-SEL2">a</span><i class="x-nc-sel22">b</i></p>'
    assert without_labels(html).count("<span") == 0
    assert "x-nc-sel22" in without_labels(html)
    page, truth = only(write_labelled(tmp_path, html), "labels").load()
    assert page.text == "ab"
    assert truth.main_text == "a"


def test_a_page_without_labels_has_no_blocks(tmp_path: Path) -> None:
    write_labelled(tmp_path)
    write(tmp_path / "annotated" / "b.html", "<p>text</p>")
    (found,) = validate_dataset(tmp_path).problems()
    assert (found.file.name, found.message) == ("b.html", "no text has a label")
    truth = read_dataset(tmp_path).pages[1].load()[1]
    assert truth.blocks[2].tolist() == [-1]
    assert truth.main_text == ""


def test_labels_go_over_to_a_page_that_was_parsed_before(tmp_path: Path) -> None:
    entry = only(write_labelled(tmp_path, '<p>a <span class="x-nc-sel2">b</span>'), "labels")
    page, truth = entry.separate_truth(parse_html(entry.source()))
    assert (page.text, truth.main_text) == ("a b", "b")
    assert truth.blocks[1].tolist() == [-1, 2]
    with pytest.raises(FormatError, match="the text changes when its labels are removed"):
        entry.separate_truth(parse_html("<p>another page"))


def test_a_page_without_main_text_is_warned_of(tmp_path: Path) -> None:
    write_labelled(tmp_path, '<p><span class="x-nc-sel5">b</span>')
    (found,) = validate_dataset(tmp_path).problems()
    assert found.warning
    assert found.message == "no text is labelled as headline, full text or supplemental"


# Main text


def test_scrapinghubs_articles(tmp_path: Path) -> None:
    write(
        tmp_path / "html" / "a1.html.gz", gzip.compress(b"<p>menu</p><p>The article.</p>", mtime=0)
    )
    write_json(
        tmp_path / "ground-truth.json",
        {"a1": {"articleBody": "The article.", "url": "http://a.test/"}},
    )
    entry = only(tmp_path, "main-text")
    page, truth = entry.load()
    assert (entry.id, page.url) == ("a1", "http://a.test/")
    assert page.text == "menu\nThe article."
    assert truth.main_text == "The article."
    assert {level: blocks.tolist() for level, blocks in truth.blocks.items()} == {
        1: [-1, -1, -1],
        2: [-1, -1, -1],
    }
    assert list(validate_dataset(tmp_path).problems()) == []


@pytest.mark.parametrize(
    ("page", "text", "content", "expected"),
    [
        ("input/7.html", "gold/7-cleaned.txt", "URL: http://a.test/\n\n<h>The\n<p>article.\n", 0),
        ("HTML/x.y.html", "Corrected/x.y.html.corrected.txt", "The\narticle.", 0),
        ("a.htm", "a.txt", "\ufeffThe\r\narticle.", 0),
        ("a.html", "a.txt", "The\narticle.\n!@#$%^&*() COMMENTS\nFirst!", 0),
        ("html/a.html", "json/a.json", '{"main_text": "The\\narticle."}', 0),
    ],
)
def test_texts_beside_pages(
    tmp_path: Path, page: str, text: str, content: str, expected: int
) -> None:
    write(tmp_path / page, "<p>menu</p><h1>The</h1><p>article.</p>")
    write(tmp_path / text, content)
    entry = only(tmp_path, "main-text")
    truth = entry.load()[1]
    assert truth.main_text == "The\narticle."
    assert entry.url == ("http://a.test/" if "URL" in content else None)
    assert len(list(validate_dataset(tmp_path).problems())) == expected


def test_a_text_keeps_its_own_angle_brackets() -> None:
    assert parse_main_text("<p>Use <p> for\n <l> a < b\n</p>") == "Use <p> for\na < b"


def test_texts_of_windows_are_read(tmp_path: Path) -> None:
    write(tmp_path / "a.html", "<p>“café”")
    write(tmp_path / "a.txt", "“café”".encode("cp1252"))
    assert only(tmp_path, "main-text").load()[1].main_text == "“café”"


def test_the_validator_looks_for_words_that_no_page_has(tmp_path: Path) -> None:
    write(tmp_path / "html" / "a.html", "<p>The article.")
    write(tmp_path / "html" / "b.html", "<p>Other.")
    write(tmp_path / "html" / "c.html", "<p>Other.")
    write_json(
        tmp_path / "ground-truth.json",
        {
            "a": {"articleBody": "The essay."},
            "b": {"articleBody": ""},
            "x": {"articleBody": "gone"},
            "y": {"body": "no"},
        },
    )
    found = [(str(each.message), each.warning) for each in validate_dataset(tmp_path).problems()]
    assert found == [
        ("x: no page of that name in html/", False),
        ("y: must have articleBody, got {'body': 'no'}", False),
        ("a page without a text", True),
        ("a: words that are not in the page: essay", True),
        ("b: no text", True),
    ]
    with pytest.raises(FormatError, match=r"ground-truth\.json: x: no page"):
        read_dataset(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"not packed", "Not a gzipped file"),
        (gzip.compress(b"x" * 999, mtime=0)[:-9], "Compressed file"),
    ],
    ids=["no archive", "cut off"],
)
def test_a_broken_archive_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    write(tmp_path / "html" / "a.html.gz", content)
    write_json(tmp_path / "ground-truth.json", {"a": {"articleBody": "x"}})
    with pytest.raises(FormatError, match=rf"a\.html\.gz: {message}"):
        only(tmp_path, "main-text").load()


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    write(
        tmp_path / "html" / "a.html.gz", gzip.compress(b" " * (DEFAULT_LIMITS.size + 99), mtime=0)
    )
    write_json(tmp_path / "ground-truth.json", {"a": {"articleBody": "x"}})
    entry = only(tmp_path, "main-text")
    assert len(entry.source()) == DEFAULT_LIMITS.size + 1
    with pytest.raises(TooLarge):
        entry.load()


@pytest.mark.parametrize(("value", "message"), [([], "must be {name"), ("x", "must be {name")])
def test_a_malformed_list_of_articles(tmp_path: Path, value: Any, message: str) -> None:
    write(tmp_path / "html" / "a.html", "<p>x")
    write_json(tmp_path / "ground-truth.json", value)
    with pytest.raises(FormatError, match=rf"ground-truth\.json: {message}"):
        read_dataset(tmp_path)


def test_a_text_file_that_has_none(tmp_path: Path) -> None:
    write(tmp_path / "a.html", "<p>x")
    write(tmp_path / "a.json", "{}")
    with pytest.raises(FormatError, match=r"a\.json: must have a text in one of articleBody"):
        only(tmp_path, "main-text").load()


# Which format it is


def test_a_format_can_be_asked_for(tmp_path: Path) -> None:
    write(tmp_path / "a.html", MARKED)
    write(tmp_path / "a.txt", "one")
    assert read_dataset(tmp_path).format == "kreuzer"
    assert read_dataset(tmp_path, "main-text").pages[0].load()[1].main_text == "one"
    with pytest.raises(FormatError, match=f"no format 'x'; there are {', '.join(FORMATS)}"):
        read_dataset(tmp_path, "x")


def test_a_list_of_pages_makes_it_ours(tmp_path: Path) -> None:
    write(tmp_path / "a.test" / "index.blocks.html", MARKED)
    write_json(tmp_path / "pages.json", [])
    assert read_dataset(tmp_path).format == "pagecut"


@pytest.mark.parametrize("name", ["none", "file.html"])
def test_what_is_no_folder_is_no_dataset(tmp_path: Path, name: str) -> None:
    write(tmp_path / "file.html", MARKED)
    with pytest.raises(FormatError, match=r": (no such|not a) folder"):
        read_dataset(tmp_path / name)
