"""Listed, semi-listed and unlisted images, worked by hand."""

from __future__ import annotations

from functools import partial

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from strategies import pages
from work import lines_run

from pagecut import Monash, Page, Siblings, parse_html


def texts(source: str) -> list[str]:
    return [context.text for context in Monash().extract(parse_html(source))]


def test_a_listed_image_has_the_whole_item() -> None:
    item = "<li><a><img><span>label {0}</span></a><p>text {0}</p></li>"
    source = f"<h2>List</h2><ul>{item.format(1)}{item.format(2)}</ul>"
    assert texts(source) == ["label 1\ntext 1", "label 2\ntext 2"]


def test_a_sibling_of_another_structure_makes_no_list() -> None:
    source = "<div><p>a<img></p><ul><li>b<img></ul></div>"
    assert texts(source) == ["a", "b"]
    # Both are <p>, but only one holds an image: the climb ends at the first text.
    assert texts("<div><p>a<img></p><p>b</p></div>") == ["a"]


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("<img><p>one</p><b>more</b><img><p>two</p>", ["one\nmore", "two"]),
        ("<p>one</p><img><p>two</p><img>", ["one", "two"]),
        ("<a><img></a>one<a><img></a>two", ["one", "two"]),
        ("<img><img><p>one</p>", ["", "one"]),
    ],
)
def test_semi_listed_images_share_out_what_stands_beside_them(
    order: str, expected: list[str]
) -> None:
    assert texts(f"<div>{order}</div>") == expected


def test_semi_listed_images_in_parallel_rows() -> None:
    source = "<table><tr><td><img></td></tr><tr><td>one</td></tr><tr><td><img></td></tr>"
    assert texts(f"{source}<tr><td>two</td></tr></table>") == ["one", "two"]


def test_an_unlisted_image_has_the_first_text_above_it() -> None:
    source = "<p>zero</p><div><a><img></a><p>one two</p></div><p>three</p>"
    assert texts(source) == ["one two"]
    # Alone among its siblings without a word of its own: no list, all of it.
    assert texts("<div><p>a</p><img><div>b<img></div></div>") == ["a\nb", "b"]


def test_a_page_without_words_has_no_contexts() -> None:
    assert texts("<div><img><p>|</p><img></div>") == ["", ""]


@given(pages)
@settings(max_examples=random_inputs(150))
def test_the_context_lies_around_the_image_or_beside_it(page: Page) -> None:
    """A lone image has what `siblings` finds, or more of its item."""
    for mine, plain in zip(Monash().extract(page), Siblings().extract(page), strict=True):
        assert len(mine.spans) <= 1
        if len(page.images) == 1:
            ((start, end),) = plain.spans or ((0, 0),)
            assert not plain.spans or (mine.spans[0][0] <= start and end <= mine.spans[0][1])


def test_the_cost_is_linear_in_images() -> None:
    small, large = (f"<div>{'<img src=x><p>text</p>' * images}</div>" for images in (200, 800))
    assert texts(large) == ["text"] * 800
    few, many = (lines_run(partial(texts, source)) for source in (small, large))
    assert many < 4.5 * few
