"""SeparatorFinder: where they lie (against the paper's own procedure) and how much they weigh."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laid_out import lay_out
from slow_vips_separators import detect

from pagecut.segmenters.vips import Vips
from pagecut.segmenters.vips import separators as vips_separators
from pagecut.segmenters.vips.blocks import Block, Line, extract_blocks
from pagecut.segmenters.vips.layout import see_page
from pagecut.segmenters.vips.separators import DrawnLines, SeparatorFinder, find_gaps, width_weight

intervals = st.lists(
    st.tuples(st.integers(1, 60), st.integers(1, 12)).map(lambda each: (each[0], sum(each))),
    min_size=1,
    max_size=12,
)


def gaps_of(blocks: list[tuple[int, int]]) -> list[tuple[float, float]]:
    return [(start, end) for start, end, _ in find_gaps(sorted(blocks)) if end > start]


def test_figure_5() -> None:
    """Three blocks split the pool; the fourth shortens S2 and removes S3; S1 and S4 are borders."""
    first, second, third, fourth = (10, 20), (40, 50), (60, 80), (35, 65)
    assert detect([first], 0, 100) == []
    assert detect([first, second, third], 0, 100) == [(20, 40), (50, 60)]
    blocks = [first, second, third, fourth]
    assert detect(blocks, 0, 100) == [(20, 35)]
    assert gaps_of(blocks) == [(20, 35)]


@given(blocks=intervals)
def test_sorting_finds_what_the_paper_finds_block_by_block(blocks: list[tuple[int, int]]) -> None:
    low, high = min(start for start, _ in blocks), max(end for _, end in blocks)
    assert gaps_of(blocks) == sorted(detect(blocks, low, high))


@given(blocks=intervals)
def test_every_block_lies_on_one_side_of_every_gap(blocks: list[tuple[int, int]]) -> None:
    ordered = sorted(blocks)
    for start, end, position in find_gaps(ordered):
        assert all(each[1] <= start for each in ordered[:position])
        assert all(each[0] >= end for each in ordered[position:])


def test_touching_blocks_are_parted_by_a_gap_without_width() -> None:
    assert find_gaps([(0, 10), (10, 20)]) == [(10, 10, 1)]
    assert find_gaps([(0, 10), (9, 20)]) == []
    assert find_gaps([]) == []


def weights(html: str, *, horizontal: bool = True) -> list[int]:
    layout = see_page(lay_out(html))
    body = layout.tag.index("body")
    pool = extract_blocks(layout, body)
    found = SeparatorFinder(layout, pool.lines).find(pool.blocks, horizontal=horizontal)
    return [separator.weight for separator in found.separators]


ABOVE = '<div style="box:0 0 400 20{}">one</div>'
BELOW = (
    '<div style="box:0 40 400 60{}"><div style="box:0 40 400 50">two</div>'
    '<div style="box:0 50 400 60">three</div></div>'
)
PLAIN = ABOVE.format("") + BELOW.format("")


def test_a_wider_separator_weighs_more() -> None:
    assert [width_weight(width) for width in (0, 4, 12, 28, 60)] == [0, 2, 4, 6, 8]
    near = ABOVE.format("").replace("400 20", "400 35") + BELOW.format("")
    assert weights(near) < weights(PLAIN)


@pytest.mark.parametrize(
    "between",
    [
        '<hr style="box:0 29 400 31">',
        '<img style="box:0 29 400 30" src="line.gif">',
        '<div style="box:0 29 400 31;background:0 0 0"></div>',
    ],
    ids=["hr", "thin image", "thin element"],
)
def test_a_drawn_line_weighs_more(between: str) -> None:
    (plain,) = weights(PLAIN)
    assert weights(ABOVE.format("") + between + BELOW.format("")) == [plain + 3]


def test_a_border_is_a_drawn_line_where_it_is_long_enough() -> None:
    (plain,) = weights(PLAIN)
    assert weights(ABOVE.format("") + BELOW.format(";border:0 1 0 0")) == [plain + 3]
    short = '<div style="box:0 0 100 20;border:0 0 0 1">one</div>'
    assert weights(short + BELOW.format("")) == [plain]


def test_a_thin_image_is_no_block() -> None:
    page = lay_out(
        '<div style="box:0 0 90 9">a</div><img style="box:0 20 90 21">'
        '<div style="box:0 40 90 49">b</div>'
    )
    result = Vips(pdoc=10).segment(page)
    assert [segment.text for segment in result.leaf_segments] == ["a", "b"]


def test_another_background_weighs_more() -> None:
    (plain,) = weights(PLAIN)
    assert weights(ABOVE.format("") + BELOW.format(";background:0 0 90")) == [plain + 3]


def test_a_heading_parts_more_from_what_is_before_than_from_what_is_after() -> None:
    (plain,) = weights(PLAIN)
    assert weights(ABOVE.format(";font:24") + BELOW.format("")) == [plain + 2]
    assert weights(ABOVE.format("") + BELOW.format(";font:24")) == [plain + 4]
    assert weights(ABOVE.format(";weight:700") + BELOW.format("")) == [plain + 1]
    assert weights(ABOVE.format("") + BELOW.format(";weight:700")) == [plain + 1]


def test_alike_blocks_are_parted_less() -> None:
    other = BELOW.format("").replace("<div", '<div class="item"')
    one = other.replace("40 4", "0 4").replace("50 4", "10 4").replace("400 50", "400 10")
    one = one.replace("400 60", "400 20")
    (alike,) = weights(one + other)
    (unlike,) = weights(one + other.replace("item", "else"))
    assert alike == unlike - 3


def test_a_separator_reaches_to_the_nearest_block_not_to_the_largest() -> None:
    layout = see_page(lay_out('<div style="box:0 0 10 10">a</div>'))
    boxes = [(0, 0, 90, 97), (100, 0, 110, 100), (0, 120, 90, 190), (100, 117, 110, 190)]
    blocks = [Block(0, 1, box, is_text=True) for box in boxes]
    (separator,) = SeparatorFinder(layout, []).find(blocks, horizontal=True).separators
    assert separator.box == (0, 100, 110, 117)


def test_reading_direction_tells_which_side_comes_first() -> None:
    columns = (
        '<div style="box:0 0 100 20">small</div><div style="box:150 0 300 20;font:24">'
        '<div style="box:150 0 300 10">large</div><div style="box:150 10 300 20">x</div></div>'
    )
    (left_to_right,) = weights(columns, horizontal=False)
    (right_to_left,) = weights(f'<body dir="rtl">{columns}', horizontal=False)
    assert left_to_right == right_to_left + 2


def test_separators_of_lines_and_blocks_without_any() -> None:
    layout = see_page(lay_out('<div style="box:0 0 10 10">a</div>'))
    block = Block(0, len(layout.page), (0, 0, 10, 10), is_text=True)
    separators = SeparatorFinder(layout, [Line((0, 0, 9, 1), is_horizontal=True)])
    assert separators.find([block], horizontal=True).separators == []
    assert separators.find([block], horizontal=True).weight == 0


@given(
    boxes=st.lists(
        st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(1, 40), st.integers(1, 40)),
        min_size=1,
        max_size=10,
    ),
    horizontal=st.booleans(),
)
def test_no_block_lies_across_a_separator(
    boxes: list[tuple[int, int, int, int]], horizontal: bool
) -> None:
    layout = see_page(lay_out('<div style="box:0 0 10 10">a</div>'))
    blocks = [Block(0, 1, (x, y, x + w, y + h), is_text=True) for x, y, w, h in boxes]
    found = SeparatorFinder(layout, []).find(blocks, horizontal=horizontal)
    axis, slack = int(horizontal), 2.0
    assert len(found.blocks) == len(blocks)
    for separator in found.separators:
        start, end = separator.box[axis], separator.box[axis + 2]
        for number, block in enumerate(found.blocks):
            if number < separator.position:
                assert block.box[axis + 2] <= start
            elif start < end:
                assert block.box[axis] >= end
            else:
                assert block.box[axis] >= end - 2 * slack
    for one, other in pairwise(found.separators):
        assert one.position < other.position


corners = st.integers(0, 640).map(lambda each: each / 64 * 10)
boxes = st.tuples(corners, corners, corners, corners).map(
    lambda box: (min(box[0], box[2]), min(box[1], box[3]), max(box[0], box[2]), max(box[1], box[3]))
)


@given(lines=st.lists(boxes, max_size=40), separator=boxes, axis=st.sampled_from([0, 1]))
def test_sums_over_many_lines_are_those_of_each_line(
    lines: list[tuple[float, float, float, float]],
    separator: tuple[float, float, float, float],
    axis: int,
) -> None:
    one_by_one = DrawnLines(lines, axis).cover(separator)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vips_separators, "MANY", 0)
        assert DrawnLines(lines, axis).cover(separator) == pytest.approx(one_by_one, abs=1e-9)


def test_a_strip_past_many_lines_looks_at_few_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    below = vips_separators._Blocks.below
    monkeypatch.setattr(
        vips_separators._Blocks, "below", lambda *given: (looks.append(1), below(*given))[1]
    )
    lines = DrawnLines([(at, at, at + 50, at + 1) for at in range(5000)], axis=1)
    assert lines.cover((100, 0, 200, 5000)) == pytest.approx(150 * 50 / 100 - 24.5 - 0.5, abs=1)
    assert len(looks) <= 2 * 2 * 2 * 13
