"""Boxes as a second signal of the `item` extractor, on pages laid out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from laid_out import lay_out

import pagecut
from pagecut.contexts.item import Item
from pagecut.contexts.item.layout import part_shared_texts, seen_size
from pagecut.evidence.items import FoundItem
from pagecut.page import Page

LEFT, MIDDLE, RIGHT = (f"{left} {{}} {left + 100} {{}}" for left in (0, 120, 240))


def drawn(tag: str, columns: str, top: int, bottom: int, inside: str, more: str = "") -> str:
    return f'<{tag} style="box: {columns.format(top, bottom)}; {more}">{inside}</{tag}>'


def picture(columns: str, name: str, more: str = "") -> str:
    style = f"box: {columns.format(0, 80)}; {more}"
    return f'<img src={name}.jpg style="{style}">'


def contexts(page: Page) -> list[str]:
    return [" ".join(each.text.split()) for each in Item(skip=False).extract(page)]


def in_columns(count: int = 3) -> str:
    """A row of pictures, and then a row of texts, one under each."""
    columns = [f"{120 * number} {{}} {120 * number + 100} {{}}" for number in range(count)]
    pictures = "".join(picture(place, f"p{number}") for number, place in enumerate(columns))
    texts = "".join(
        drawn("p", place, 85, 105, f"Fox number {number} of the wood")
        for number, place in enumerate(columns)
    )
    return f"<div><div>{pictures}</div><section>{texts}</section></div>"


def test_each_picture_of_a_row_has_the_text_in_its_column() -> None:
    page = lay_out(in_columns())
    assert contexts(page) == [f"Fox number {number} of the wood" for number in range(3)]


def test_without_boxes_the_pictures_share_the_texts() -> None:
    page = pagecut.parse_html(in_columns())
    shared = " ".join(f"Fox number {number} of the wood" for number in range(3))
    assert contexts(page) == [shared] * 3
    found = [FoundItem("several", ((0, 5),)) for _ in page.images]
    assert part_shared_texts(page, found) == found


def test_a_text_that_stands_as_near_to_two_pictures_stays_shared() -> None:
    over_all = drawn("p", "0 {} 340 {}", 110, 130, "All the foxes")
    page = lay_out(in_columns().replace("</section>", f"{over_all}</section>"))
    assert len(set(contexts(page))) == 1


def test_a_text_belongs_to_the_picture_on_its_own_background() -> None:
    red, blue = "background: 200 0 0", "background: 0 0 200"
    pictures = picture(LEFT, "a", red) + picture(MIDDLE, "b", blue)
    texts = drawn("p", LEFT, 85, 105, "On blue ground stands this", blue) + drawn(
        "p", MIDDLE, 85, 105, "On red ground stands that", red
    )
    page = lay_out(f"<div><div>{pictures}</div><section>{texts}</section></div>")
    assert contexts(page) == ["On red ground stands that", "On blue ground stands this"]
    plain = replace(page, nodes=replace(page.nodes, background=None))
    assert contexts(plain) == ["On blue ground stands this", "On red ground stands that"]


def test_a_text_on_a_ground_of_its_own_is_judged_by_place_alone() -> None:
    html = in_columns().replace('85 220 105; "', '85 220 105; background: 9 9 90"')
    assert contexts(lay_out(html))[1] == "Fox number 1 of the wood"


def test_every_picture_must_get_a_text() -> None:
    html = in_columns().replace("Fox number 2 of the wood", "")
    assert len(set(contexts(lay_out(html)))) == 1


def test_a_gallery_is_not_parted() -> None:
    assert len(set(contexts(lay_out(in_columns(12))))) == 12
    assert len(set(contexts(lay_out(in_columns(13))))) == 1


def test_a_text_that_is_not_seen_belongs_to_no_picture() -> None:
    unseen = drawn("p", LEFT, 0, 0, "Not seen by anybody")
    page = lay_out(in_columns().replace("</section>", f"{unseen}</section>"))
    assert contexts(page)[0] == "Fox number 0 of the wood"


def test_the_seen_size_decides_what_is_a_sign() -> None:
    html = '<ul><li><img src=fox.png style="box: 0 0 {0} {0}"> Brown fox<li>Red fox</ul>'
    tiny, large = (Item().extract(lay_out(html.format(side)))[0] for side in (16, 120))
    assert tiny.role == "icon"
    assert not tiny.text
    assert tiny.confidence is not None
    assert large.confidence is not None
    assert seen_size(large.page, large.page.images[0]) == (120, 120)


def test_a_size_is_not_seen_of_what_is_not_drawn_or_loaded_later() -> None:
    page = lay_out('<img src=a.png style="box: 0 0 16 16"><p>Fox')
    (image,) = page.images
    assert seen_size(page, image) == (16, 16)
    assert seen_size(page, replace(image, lazy=True)) is None
    assert page.nodes.visible is not None
    unseen = replace(page.nodes, visible=np.zeros_like(page.nodes.visible))
    assert seen_size(replace(page, nodes=unseen), image) is None
    assert seen_size(pagecut.parse_html("<img src=a.png>"), image) is None
