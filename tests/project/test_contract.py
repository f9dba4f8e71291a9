"""What every method keeps to; a new line in a table is tested here without being asked."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from how_long import random_inputs
from hypothesis import given, settings
from laid_out import lay_down
from segmented import boxed_page, by_leaf
from strategies import pages

from pagecut import ImageContext, MissingColumn, Page, Segmentation, parse_html
from pagecut.contexts import EXTRACTORS
from pagecut.evaluation.measures import MEASURES, SEGMENTATION_MEASURES
from pagecut.page.nodes import OPTIONAL_COLUMNS, Nodes
from pagecut.segmenters import SEGMENTERS
from pagecut.spec import parse_spec

# A segmenter and the extractor that works by it may share a name.
METHODS = [
    pytest.param(table, name, id=name if table is not EXTRACTORS else f"{name} of images")
    for table in (SEGMENTERS, EXTRACTORS, MEASURES)
    for name in table
]
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.html"))
PLAIN = {
    "empty": "",
    "one leaf": "<p>word",
    "one image": "<img src=a.png>",
    "images only": "<div><img><p><img></p></div><img>",
    "white space": "<pre> \n </pre>",
    "no token": "<p>--</p><img><p>…</p>",
    "one long word": "<p>" + "x" * 500,
    "hidden": "<p hidden>a</p><div style='display:none'><img></div>",
}

every_segmenter = pytest.mark.parametrize("name", SEGMENTERS)
every_extractor = pytest.mark.parametrize("name", EXTRACTORS)
every_method = pytest.mark.parametrize(("table", "name"), METHODS)


def make(table: dict[str, Any], name: str) -> Any:
    return table[name]()


def fit(page: Page, method: Any) -> Page:
    """The page, laid out if the method needs that."""
    missing = any(page.column(column) is None for column in method.needs)
    return lay_down(page) if missing else page


def snapshot(page: Page) -> dict[str, object]:
    """A copy of everything a method could change."""
    arrays = {each.name: getattr(page.nodes, each.name) for each in fields(Nodes)}
    copied = {
        key: value.tolist() if isinstance(value, np.ndarray) else value
        for key, value in arrays.items()
    }
    attrs = {row: dict(values) for row, values in page.attrs.items()}
    return {**copied, "text": page.text, "images": page.images, "attrs": attrs}


def check_segmentation(page: Page, method: Any) -> None:
    before = snapshot(page)
    result, again = method.segment(page), method.segment(page)
    assert isinstance(result, Segmentation)
    assert result.page is page
    assert result.made_by == str(method)
    assert snapshot(page) == before
    for name in "spans", "labels", "parent":
        assert getattr(result, name).tolist() == getattr(again, name).tolist(), name
    for segment in result.segments:
        assert segment.spans, "no segment is empty"
        assert segment.xpaths
    held = [image.index for segment in result.leaf_segments for image in segment.images]
    assert len(set(held)) == len(held)


def check_contexts(page: Page, method: Any) -> None:
    before = snapshot(page)
    result, again = method.extract(page), method.extract(page)
    assert snapshot(page) == before
    assert [context.image for context in result] == list(range(len(page.images)))
    for context, same in zip(result, again, strict=True):
        assert isinstance(context, ImageContext)
        assert context.page is page
        assert context.made_by == str(method)
        assert (context.spans, context.caption_spans) == (same.spans, same.caption_spans)
        assert (context.role, context.confidence) == (same.role, same.confidence)
        assert "\ufffc" not in context.text


@every_segmenter
@pytest.mark.parametrize("source", PLAIN.values(), ids=PLAIN.keys())
def test_segmenters_accept_plain_pages(name: str, source: str) -> None:
    method = make(SEGMENTERS, name)
    check_segmentation(fit(parse_html(source), method), method)


@every_extractor
@pytest.mark.parametrize("source", PLAIN.values(), ids=PLAIN.keys())
def test_extractors_accept_plain_pages(name: str, source: str) -> None:
    method = make(EXTRACTORS, name)
    check_contexts(fit(parse_html(source), method), method)


@pytest.fixture(scope="module")
def examples() -> dict[str, Page]:
    return {path.stem: parse_html(path.read_bytes()) for path in EXAMPLES}


@every_segmenter
def test_segmenters_accept_the_examples(name: str, examples: dict[str, Page]) -> None:
    method = make(SEGMENTERS, name)
    assert len(examples) >= 7
    for parsed in examples.values():
        page = fit(parsed, method)
        check_segmentation(page, method)
        assert len(method.segment(page)) > 0


@every_extractor
def test_extractors_accept_the_examples(name: str, examples: dict[str, Page]) -> None:
    method = make(EXTRACTORS, name)
    for page in examples.values():
        check_contexts(fit(page, method), method)
        assert any(context.text for context in method.extract(page))


@every_segmenter
@given(page=pages)
@settings(max_examples=random_inputs(40))
def test_segmenters_accept_any_page(name: str, page: Page) -> None:
    method = make(SEGMENTERS, name)
    check_segmentation(fit(page, method), method)


@every_extractor
@given(page=pages)
@settings(max_examples=random_inputs(40))
def test_extractors_accept_any_page(name: str, page: Page) -> None:
    method = make(EXTRACTORS, name)
    check_contexts(fit(page, method), method)


@every_segmenter
def test_every_word_is_in_a_segment_or_in_none(name: str, examples: dict[str, Page]) -> None:
    method = make(SEGMENTERS, name)
    page = fit(examples["article"], method)
    labels = method.segment(page).labels_at(page.leaf_starts)
    assert set(labels.tolist()) <= set(range(-1, len(method.segment(page))))
    assert (labels >= 0).any()


@pytest.mark.parametrize(("table", "name"), METHODS[: -len(MEASURES)])
def test_a_missing_column_is_named_with_its_remedy(table: dict[str, Any], name: str) -> None:
    method, page = make(table, name), parse_html("<p>a<img>")
    run = method.segment if table is SEGMENTERS else method.extract
    if not method.needs:
        assert run(page) is not None
        return
    with pytest.raises(MissingColumn, match="render") as caught:
        run(page)
    assert any(column in str(caught.value) for column in method.needs)
    assert str(method) in str(caught.value)


@pytest.mark.parametrize("name", MEASURES)
def test_measures_give_one_for_the_truth_itself(name: str) -> None:
    page = boxed_page("one two three four")
    segmentations = name in SEGMENTATION_MEASURES
    truth: Any = by_leaf(page, 0, 0, 1, 2) if segmentations else "a b c"
    other: Any = by_leaf(page, 0, 1, 1, 0) if segmentations else "d e"
    method = make(MEASURES, name)
    assert method.score(truth, truth) == pytest.approx(1)
    assert method.score(other, truth) < 1
    assert method.score(other, truth) == method.score(other, truth)


@every_method
def test_the_table_knows_a_method_by_its_name(table: dict[str, Any], name: str) -> None:
    assert table[name].name == name
    assert name == name.lower()


@every_method
def test_a_method_prints_as_its_spec_and_parses_back(table: dict[str, Any], name: str) -> None:
    method = make(table, name)
    assert str(method) == name
    assert parse_spec(str(method), table, "method") == method
    every = ", ".join(f"{f.name}={getattr(method, f.name)!r}" for f in fields(method))
    assert parse_spec(f"{name}({every})", table, "method") == method


@every_method
def test_a_method_is_a_frozen_value(table: dict[str, Any], name: str) -> None:
    method = make(table, name)
    assert is_dataclass(method)
    assert method == make(table, name)
    assert hash(method) == hash(make(table, name))
    again = pickle.loads(pickle.dumps(method))
    assert again == method
    for parameter in fields(method):
        with pytest.raises(FrozenInstanceError):
            setattr(method, parameter.name, None)
    with pytest.raises((AttributeError, TypeError)):
        method.anything_else = 1


@every_method
def test_a_method_says_what_it_does(table: dict[str, Any], name: str) -> None:
    method = table[name]
    doc = inspect.getdoc(method) or ""
    assert doc.split("\n")[0].endswith(".")
    assert not doc.startswith(f"{method.__name__}(")
    for parameter in fields(method):  # type: ignore[arg-type]
        assert f"{parameter.name}:" in doc, parameter.name


@pytest.mark.parametrize(("table", "name"), METHODS[: -len(MEASURES)])
def test_a_method_needs_only_columns_that_exist(table: dict[str, Any], name: str) -> None:
    assert make(table, name).needs <= OPTIONAL_COLUMNS


def test_no_measure_shares_its_name_with_a_method() -> None:
    assert not set(MEASURES) & {*SEGMENTERS, *EXTRACTORS}
