"""Pages with human truth: the folder layout and its marks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_dataset import EXAMPLES, write_dataset, write_json

from pagecut.errors import FormatError
from pagecut.evaluation.datasets import DatasetPage, GroundTruth, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans

NESTED = """<body>loose
<div data-block="1" data-block-type="nav" class="n">one <p data-block="2">two</p> three</div>
<div data-block="1">four<p hidden>unseen</p><p style="display:none">unseen</p>
  <div><p data-block="2">five <span data-block="2">six</span></p></div></div>
<p data-block="2">seven</p>"""


def load_only(folder: Path) -> tuple[Page, GroundTruth]:
    (entry,) = read_dataset(folder)
    return entry.load()


def blocks_by_word(page: Page, truth: GroundTruth, level: int) -> dict[str, str]:
    """For each unit, the text of the block that it is in."""
    ends = dict(token_spans(page.text).tolist())
    return {
        page.text[start : ends[start]]: "" if row < 0 else " ".join(page.node(row).text.split())
        for start, row in zip(truth.units.tolist(), truth.blocks[level].tolist(), strict=True)
    }


def test_level_1_is_the_nearest_top_level_mark(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": NESTED})
    first, second = "one two three", "four unseen unseen five six"
    assert blocks_by_word(*load_only(tmp_path), level=1) == {
        "loose": "",
        "one": first,
        "two": first,
        "three": first,
        "four": second,
        "five": second,
        "six": second,
        "seven": "",
    }


def test_level_2_is_the_nearest_mark_of_any_kind(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": NESTED})
    assert blocks_by_word(*load_only(tmp_path), level=2) == {
        "loose": "",
        "one": "one two three",
        "two": "two",
        "three": "one two three",
        "four": "four unseen unseen five six",
        "five": "five six",
        "six": "six",
        "seven": "seven",
    }


def test_signs_are_in_the_block_that_people_see_them_in(tmp_path: Path) -> None:
    source = (
        '<div data-block="1">(One, <i>two</i>). <b>|</b> Three! <img src=a.png> Four.</div>'
        '<b>*</b><p data-block="2">$ 5: <s hidden>6</s> seven</p>'
    )
    write_dataset(tmp_path, {"a": source})
    page, truth = load_only(tmp_path)
    words = true_segmentation(page, truth, 2)
    seen = true_segmentation(page, truth, 2, signs=True)
    assert [each.text for each in words.segments][1] == "5:\nseven"
    assert [each.text for each in seen.segments] == [
        "(One, two). | Three! Four.",
        "$ 5:\nseven",
    ]
    assert len(seen.segments[0].spans) == 1


def test_hidden_text_has_no_units_but_stays_in_the_page(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": NESTED})
    page, truth = load_only(tmp_path)
    assert page.text.count("unseen") == 2
    assert len(truth.units) == 8
    assert {len(blocks) for blocks in truth.blocks.values()} == {8}


def test_a_mark_of_another_kind_is_none(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": "<p data-block=3>three</p><p data-block>none</p>"})
    page, truth = load_only(tmp_path)
    assert set(blocks_by_word(page, truth, 1).values()) == {""}
    assert set(blocks_by_word(page, truth, 2).values()) == {""}


def test_methods_do_not_see_the_marks(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": NESTED})
    page, _ = load_only(tmp_path)
    assert not [kept for kept in page.attrs.values() if "data-block" in kept]
    assert not [kept for kept in page.attrs.values() if "data-block-type" in kept]
    assert {"class": "n"} in page.attrs.values()


def test_contexts_are_those_of_the_annotated_images(tmp_path: Path) -> None:
    html = "<p><img src=a>one</p><img src=b><svg><image href=c /></svg><img src=d>"
    write_dataset(tmp_path, {"a": html}, {"a": ["one", None, ""]})
    page, truth = load_only(tmp_path)
    assert truth.contexts == {0: "one", 1: None, 2: ""}
    assert [image.tag for image in page.images] == ["img", "img", "image", "img"]


def test_a_page_without_annotations_has_no_contexts(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": "<img src=a>"})
    assert load_only(tmp_path)[1].contexts == {}


def test_an_entry_names_its_page(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": "one"}, groups={"a": "g"})
    (entry,) = read_dataset(str(tmp_path))
    expected = DatasetPage(
        id="a", group="g", url="http://a.test/", html=tmp_path / "a.html", image_context=None
    )
    assert entry == expected
    assert entry.load()[0].url == "http://a.test/"


def test_groups_give_the_pages_of_their_datasets(tmp_path: Path) -> None:
    dataset = write_dataset(
        tmp_path, dict.fromkeys("abc", "text"), groups={"a": "x", "b": "y", "c": "x"}
    )
    assert len(dataset) == 3
    assert dataset.ids(["x"]) == {"a", "c"}
    assert dataset.ids(["x", "y"]) == {"a", "b", "c"}
    with pytest.raises(FormatError, match="no pages of z; there are x, y"):
        dataset.ids(["x", "z"])


@pytest.mark.parametrize(
    ("listing", "message"),
    [
        ({"id": "a"}, "must be a list of pages"),
        ([{"id": "a", "html": "a.html"}, {"id": "b"}], "entry 1 must have id and html, got .*'b'"),
        (["a.html"], "entry 0 must have id and html, got 'a.html'"),
        ([{"html": "a.html"}], "entry 0 must have id"),
        ([{"id": "a", "html": 5}], "entry 0 must have id and html"),
        ([{"id": None, "html": "a.html"}], "entry 0 must have id and html"),
        ([{"id": "a", "html": "/etc/hosts"}], "entry 0 must have in html a path inside"),
        ([{"id": "a", "html": "b/../../c.html"}], "entry 0 must have in html a path inside"),
        ([{"id": "a", "html": "a\0.html"}], "entry 0 must have in html a path inside"),
        (
            [{"id": "a", "html": "a.html", "image_context": "../x.json"}],
            "entry 0 must have in image_context a path inside",
        ),
        ([{"id": "a", "html": "a.html", "image_context": 5}], "entry 0 must have in image_context"),
        ([{"id": "a", "html": "a.html", "url": 5}], "entry 0 must have in url a text, got 5"),
        ([{"id": "a", "html": "a.html", "dataset": []}], "entry 0 must have in dataset a text"),
        ([{"id": "a", "html": "a.html"}] * 2, "entry 1 has the id 'a', as another one before it"),
    ],
)
def test_a_malformed_list_of_pages_names_its_entry(
    tmp_path: Path, listing: object, message: str
) -> None:
    write_json(tmp_path / "pages.json", listing)
    with pytest.raises(FormatError, match=rf"pages\.json: {message}"):
        read_dataset(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{,", "no JSON: .*line 1"),
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON: maximum recursion"),
    ],
    ids=["broken", "empty", "no UTF-8", "nested"],
)
def test_a_list_of_pages_that_is_no_json_is_refused(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "pages.json").write_bytes(content)
    with pytest.raises(FormatError, match=rf"pages\.json: {message}"):
        read_dataset(tmp_path)


def test_a_folder_without_a_list_of_pages_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"not a dataset: there is no pages\.json"):
        read_dataset(tmp_path)


def test_a_missing_page_is_named(tmp_path: Path) -> None:
    write_json(tmp_path / "pages.json", [{"id": "gone", "html": "gone.html"}])
    with pytest.raises(FormatError, match=r"gone: cannot read .*gone\.html: No such file"):
        load_only(tmp_path)


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ([], "must be {'images'"),
        ({}, "must be {'images'"),
        ({"images": {"image": 0}}, "must be {'images'"),
        ({"images": ["text"]}, "entry 0 must have image"),
        ({"images": [{"image": 0, "skip": "ad"}, {"image": 1}]}, "entry 1 must have image"),
        ({"images": [{"image": "x", "context": "t"}]}, "entry 0 must have image, a number"),
        ({"images": [{"image": 0, "context": 5}]}, "entry 0 .*context or skip, got"),
        ({"images": [{"image": 2, "context": "t"}]}, "entry 0: no image 2; the page has 2 <img>"),
        ({"images": [{"image": -1, "context": "t"}]}, "entry 0: no image -1"),
        ({"images": [{"image": 0, "context": "t", "skip": "ad"}]}, "entry 0 .*either context or"),
        ({"images": [{"image": 0, "skip": "ad"}] * 2}, "entry 1: a second entry for image 0"),
    ],
)
def test_malformed_annotations_name_their_entry(
    tmp_path: Path, annotation: Any, message: str
) -> None:
    write_dataset(tmp_path, {"a": "<img src=a><img src=b>"}, {"a": []})
    write_json(tmp_path / "a.json", annotation)
    with pytest.raises(FormatError, match=rf"a\.json: {message}"):
        load_only(tmp_path)


def test_missing_annotations_are_named(tmp_path: Path) -> None:
    write_dataset(tmp_path, {"a": "text"}, {"a": []})
    (tmp_path / "a.json").unlink()
    with pytest.raises(FormatError, match=r"a\.json: No such file"):
        load_only(tmp_path)


def test_the_examples_are_seven_pages() -> None:
    names = "news article shop forum docs japanese table2003".split()
    assert [entry.id for entry in read_dataset(EXAMPLES)] == names


@pytest.mark.parametrize("entry", read_dataset(EXAMPLES).pages, ids=lambda entry: str(entry.id))
def test_an_example_is_annotated_in_full(entry: DatasetPage) -> None:
    page, truth = entry.load()
    images = [image for image in page.images if image.tag == "img"]
    assert sorted(truth.contexts) == list(range(len(images)))
    assert sum(bool(text) for text in truth.contexts.values()) >= 2
    for level in 1, 2:
        blocks = set(truth.blocks[level].tolist()) - {-1}
        assert len(blocks) >= 2
    assert len(set(truth.blocks[2].tolist())) > len(set(truth.blocks[1].tolist()))
