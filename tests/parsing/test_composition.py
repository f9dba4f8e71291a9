"""Frames and web components in a page's source: rows in the order in which people see them."""

from __future__ import annotations

import pytest

from pagecut import Limits, Page, parse_html
from pagecut.errors import TooLarge
from pagecut.page.xpath import node_paths, normal_path
from pagecut.parsing.composition import MOST_FRAMES, MOST_NESTED
from pagecut.parsing.lexbor import read_tree
from pagecut.parsing.limits import DEFAULT_LIMITS
from pagecut.parsing.walk import walk

CARD = (
    "<x-card><template shadowrootmode=open><h3><slot name=title>none</slot></h3>"
    "<slot></slot><slot name=foot>fallback</slot></template>"
    "<p>body</p><b slot=title>title</b><u slot=away>away</u></x-card>"
)


def texts(page: Page) -> list[tuple[str, str]]:
    return [(node.xpath, node.text) for node in page if node.kind == "text"]


def test_a_frames_document_is_its_content() -> None:
    page = parse_html(
        '<p>before</p><iframe srcdoc="<title>t</title><h2>in</h2><p>the &amp;lt;frame>">old'
        "</iframe>after"
    )
    frame = "/html[1]/body[1]/iframe[1]/html[1]/body[1]"
    assert page.text == "before\nin\nthe <frame>\nafter"
    assert texts(page) == [
        ("/html[1]/body[1]/p[1]/text()[1]", "before"),
        (f"{frame}/h2[1]/text()[1]", "in"),
        (f"{frame}/p[1]/text()[1]", "the <frame>"),
        ("/html[1]/body[1]/text()[1]", "after"),
    ]
    assert page.title == ""


def test_paths_lead_back_to_their_rows() -> None:
    page = parse_html(f'{CARD}<iframe srcdoc="<p>a<p>b"></iframe><iframe srcdoc="<p>c"></iframe>')
    paths = [page.xpath(row) for row in range(len(page))]
    assert len(set(paths)) == len(paths)
    assert [normal_path(path) for path in paths] == node_paths(page)


def test_frames_are_entered_one_level_deep() -> None:
    inner = "<p>two</p>".replace("<", "&lt;")
    page = parse_html(f"<iframe srcdoc=\"<p>one</p><iframe srcdoc='{inner}'></iframe>\"></iframe>")
    assert page.text == "one"
    assert page.node(len(page) - 1).xpath.endswith("/iframe[1]/html[1]/body[1]/iframe[1]")


def test_a_frames_document_is_never_in_quirks_mode() -> None:
    """Only in quirks mode does a table stand inside the paragraph before it."""
    page = parse_html('<iframe srcdoc="<p>a<table><td>b</table>"></iframe>')
    assert texts(page)[1][0].endswith("/body[1]/table[1]/tbody[1]/tr[1]/td[1]/text()[1]")


@pytest.mark.parametrize(
    ("base", "source"),
    [
        ("", "http://e.org/d/a.png"),
        ("<base href=sub/x.html>", "http://e.org/d/sub/a.png"),
        ("<base href=//f.org/>", "http://f.org/a.png"),
    ],
)
def test_images_in_frames_are_relative_to_the_frame(base: str, source: str) -> None:
    html = f'<img src=0.png><iframe srcdoc="{base}<img src=a.png>"></iframe><img src=1.png>'
    page = parse_html(html, url="http://e.org/d/index.html")
    assert [image.src for image in page.images] == [
        "http://e.org/d/0.png",
        source,
        "http://e.org/d/1.png",
    ]


def test_what_hides_a_frame_hides_its_content() -> None:
    page = parse_html(
        '<iframe hidden srcdoc="<p>a"></iframe><iframe srcdoc="<p hidden>b"></iframe>'
    )
    assert [bool(page.nodes.hidden[node.row]) for node in page if node.kind == "text"] == [True] * 2


def test_what_is_in_a_host_stands_in_the_slots_of_its_shadow_tree() -> None:
    page = parse_html(CARD)
    host = "/html[1]/body[1]/x-card[1]"
    assert texts(page) == [
        (f"{host}/h3[1]/slot[1]/b[1]/text()[1]", "title"),
        (f"{host}/slot[1]/p[1]/text()[1]", "body"),
        (f"{host}/slot[2]/text()[1]", "fallback"),
    ]


def test_the_first_slot_of_a_name_takes_all() -> None:
    page = parse_html(
        "<div><template shadowrootmode=closed><i><slot name=a>1</slot></i><slot name=a>2</slot>"
        "<slot>3</slot></template>x<b slot=a>y</b>z</div>"
    )
    assert [text for _, text in texts(page)] == ["y", "2", "x", "z"]


def test_a_slot_may_stand_in_a_slot() -> None:
    """The inner component is filled from what the outer one was given."""
    page = parse_html(
        "<x-out><template shadowrootmode=open><x-in><template shadowrootmode=open>"
        "<h2>in</h2><slot></slot></template><slot>unused</slot></x-in></template>light</x-out>"
    )
    assert texts(page)[-1] == (
        "/html[1]/body[1]/x-out[1]/x-in[1]/slot[1]/slot[1]/text()[1]",
        "light",
    )


@pytest.mark.parametrize(
    "html",
    [
        "<ul><template shadowrootmode=open>away</template><li>x</ul>",  # no element that may be one
        "<div><template shadowrootmode=ajar>away</template>x</div>",
        "<div><template>away</template>x</div>",
        "<div><p><template shadowrootmode></template></p>x</div>",
        '<iframe srcdoc="">away</iframe>x',
        "<iframe src=a.html>away</iframe>x",
        "<template><iframe srcdoc='away'></iframe></template>x",
    ],
)
def test_other_templates_and_frames_stay_closed(html: str) -> None:
    page = parse_html(html)
    plain = walk(read_tree(html.encode(), "page"), DEFAULT_LIMITS, "page")
    assert page.text == "x" == plain.text
    assert page.packed == plain.packed


def test_of_two_shadow_trees_the_first_counts_and_one_below_the_root_has_no_host() -> None:
    page = parse_html(
        "<div><template shadowrootmode=open>one<template shadowrootmode=open>no</template>"
        "</template><template shadowrootmode=open>two</template></div>"
    )
    assert page.text == "one"


def test_components_and_frames_stand_in_each_other() -> None:
    inside = CARD.replace('"', "&quot;")
    page = parse_html(
        f'<iframe srcdoc="{inside}"></iframe>'
        "<x-a><template shadowrootmode=open><iframe srcdoc='<p>deep'></iframe></template></x-a>"
    )
    assert page.text == "title\nbody\nfallback\ndeep"
    assert texts(page)[-1][0] == "/html[1]/body[1]/x-a[1]/iframe[1]/html[1]/body[1]/p[1]/text()[1]"


def test_a_page_marked_as_we_mark_our_own_is_read_all_the_same() -> None:
    page = parse_html(
        "<div data-shadow-tree=0><template shadowrootmode=open>a<div data-shadow-tree=1>b</div>"
        "</template></div><p><template shadowrootmode=open>c</template></p>"
    )
    assert page.text == "a\nb\nc"


@pytest.mark.parametrize("mark", ["x", "77", "-1", "²", "0", ""])
@pytest.mark.parametrize("foreign", ["<svg><style>", "<math><xmp>"])
def test_content_that_leaves_its_template_cannot_mark_itself(foreign: str, mark: str) -> None:
    """What stands in a foreign <style> or <xmp> is serialised as it is, so that it becomes tags."""
    tag = foreign.rpartition("<")[2]
    away = f"</{tag}</svg></math></div><b data-shadow-tree={mark}>q</b>"
    page = parse_html(
        f"<div><template shadowrootmode=open>a{foreign}<![CDATA[{away}]]></{tag}</template></div>"
        "<div>b<template shadowrootmode=open>c</template></div>"
    )
    assert page.text == "a\nc"


def test_many_frames_and_deep_components_are_left_closed() -> None:
    page = parse_html("<iframe srcdoc=x></iframe>" * (MOST_FRAMES + 5))
    assert page.text.split() == ["x"] * MOST_FRAMES
    depth = MOST_NESTED + 3
    nested = "".join(f"<x-a><template shadowrootmode=open>{level} " for level in range(depth))
    shown = parse_html(nested + "</template></x-a>" * depth).text.split()
    assert shown == [str(level) for level in range(MOST_NESTED)]


def test_limits_hold_for_the_whole() -> None:
    frames = '<iframe srcdoc="<p>a<p>b<p>c"></iframe>' * 20
    with pytest.raises(TooLarge, match="100 nodes"):
        parse_html(frames, limits=Limits(nodes=100))
    assert len(parse_html(frames, limits=Limits(nodes=300))) > 100
    deep = "<div>" * 60
    with pytest.raises(TooLarge, match="100 levels"):
        parse_html(f"{deep}<iframe srcdoc='{deep}x'></iframe>", limits=Limits(depth=100))


def test_the_cost_grows_with_the_page() -> None:
    """Operations, not time: each node is looked at once, however many components there are."""
    counts = []
    for many in 200, 800:
        page = parse_html(CARD * many)
        counts.append(len(page))
        assert page.text.split() == ["title", "body", "fallback"] * many
    assert counts[1] - 3 == 4 * (counts[0] - 3)


def test_what_lies_in_a_noscript_is_not_composed() -> None:
    page = parse_html(
        "<p>a<noscript><iframe srcdoc='<img src=b.png>'></iframe><x-a><template "
        "shadowrootmode=open><img src=c.png></template></x-a></noscript>"
    )
    assert page.text == "a"
    assert not page.images


def test_what_an_image_holds_is_what_people_see_in_it() -> None:
    shown = "<template shadowrootmode=open><slot></slot></template>"
    for slot, images in (shown, ["img"]), (shown.replace("<slot></slot>", ""), ["amp-img"]):
        page = parse_html(f"<amp-img src=a.png><x-a>{slot}<img src=b.png></x-a></amp-img>")
        assert [image.tag for image in page.images] == images
