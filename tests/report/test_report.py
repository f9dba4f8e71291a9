"""The HTML report: all is there, nothing runs, nothing is loaded."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode
from small_dataset import EXAMPLES
from work import lines_run

from pagecut import (
    BlockFusion,
    FullText,
    ImageContext,
    Page,
    Segmentation,
    TagGap,
    image_contexts,
    parse_html,
    segment,
)
from pagecut.page.text.readable_text import readable
from pagecut.pictures.segments import blocks_in_order, colours_of_segments
from pagecut.report.gallery import SHOWN_SOURCE
from pagecut.report.html import ReportEntry, write_report
from pagecut.report.local_images import MAX_IMAGE_BYTES, ImageEmbedder

PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'

HOSTILE = """<html lang='en" onclick="x'><title></title><script>alert(0)</script></title>
<body onload=alert(1)>
<p>&lt;script&gt;alert("text")&lt;/script&gt; &lt;/style&gt; &lt;/p&gt;&lt;!-- &lt;/details&gt;
<p onclick="alert(2)"><a href="javascript:alert(3)">a link</a>
<img src="javascript:alert(4)" alt='"><script>alert(5)</script>' onerror="alert(6)">
<img src="x.png&quot; onerror=&quot;alert(7)" alt="' onmouseover='alert(8)" title="&lt;b&gt;">
<img src="http://tracker.example/pixel.gif" srcset="//cdn.example/a.png 2x">
<img src="data:text/html,&lt;script&gt;alert(9)&lt;/script&gt;">
<p>after it <weird"<tag>name</weird"<tag></p>"""


def written(path: Path, *entries: ReportEntry, title: str = "pagecut report") -> LexborHTMLParser:
    write_report(path / "report.html", entries, title=title)
    return LexborHTMLParser((path / "report.html").read_text(encoding="utf-8"))


def entry_of(page: Page, folder: Path | None = None, name: str = "page.html") -> ReportEntry:
    return ReportEntry(
        page=page,
        name=name,
        segmentations=[BlockFusion().segment(page), TagGap().segment(page)],
        contexts=image_contexts(page),
        folder=folder,
    )


def only(node: LexborHTMLParser | LexborNode, selector: str) -> LexborNode:
    (found,) = node.css(selector)
    return found


def words_of(node: LexborNode) -> list[str]:
    return node.text().split()


def text_of_block(node: LexborNode) -> list[str]:
    """The words of a segment's block, without its placeholders for images."""
    found: list[str] = []
    for paragraph in node.css(".content p"):
        for child in paragraph.iter(include_text=True):
            found += words_of(child) if child.tag == "-text" else []
    return found


def image_sources(tree: LexborHTMLParser) -> list[str]:
    return [node.attributes["src"] or "" for node in tree.css("img")]


@pytest.mark.parametrize("asked", [True, False])
def test_every_link_leads_somewhere(tmp_path: Path, asked: bool) -> None:
    page = parse_html((EXAMPLES / "news.html").read_bytes())
    entry = entry_of(page, EXAMPLES)
    tree = written(tmp_path, entry if asked else replace(entry, contexts=None))
    ids = {node.attributes["id"] for node in tree.css("[id]")}
    links = [node.attributes["href"] or "" for node in tree.css("[href]")]
    assert bool(tree.css("a.thumbnail")) is asked
    assert {link[1:] for link in links if link.startswith("#")} <= ids


def test_nothing_runs_and_nothing_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "bad.svg").write_bytes(SVG)
    page = parse_html(HOSTILE + "<img src=pictures/bad.svg>")
    tree = written(tmp_path, entry_of(page, tmp_path, name="<script>x</script>"), title="</title>")
    allowed = {
        "src",
        "href",
        "alt",
        "class",
        "id",
        "dir",
        "lang",
        "title",
        "name",
        "content",
        "for",
    }
    allowed |= {"aria-label", "aria-labelledby", "aria-describedby", "role", "tabindex", "scope"}
    allowed |= {"type", "checked", "disabled", "open", "charset", "http-equiv"}
    for chart in tree.css(".chart"):  # test_charts looks at these
        chart.decompose()
    tags = set()
    for node in tree.css("*"):
        tags.add(node.tag)
        assert set(node.attributes) <= allowed, node.html
        assert re.match(
            r"data:image/(png|svg\+xml);base64,",
            node.attributes.get("src") or "data:image/png;base64,",
        )
        assert (node.attributes.get("href") or "#").startswith("#")
    assert not tags & {
        "script",
        "svg",
        "iframe",
        "object",
        "embed",
        "link",
        "form",
        "base",
        "weird",
    }
    assert len(tree.css("style")) == 1
    sources = image_sources(tree)
    assert set(sources) == {"data:image/svg+xml;base64," + b64encode(SVG).decode()}
    assert len(sources) == 3  # in the gallery and in the text of two methods
    alts = [node.text() for node in tree.css(".cards dl div:first-child dd")]
    assert alts[0] == '"><script>alert(5)</script>'


def test_policy_allows_nothing_but_our_style_and_data(tmp_path: Path) -> None:
    tree = written(tmp_path, entry_of(parse_html("<p>text")))
    policy = only(tree, "meta[http-equiv]").attributes["content"] or ""
    style = only(tree, "style").text()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; img-src data:; ")
    assert f"style-src 'sha256-{digest}';" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize(
    "source",
    [
        "../secret.png",
        "%2e%2e/secret.png",
        "images/../../secret.png",
        "link.png",
        "linked/secret.png",
        "/secret.png",
        "//host/ok.png",
        "file:ok.png",
        "https://host/ok.png",
        "ok.png%00",
        "notes.png",
        "large.png",
        "folder.png",
        "nothing.png",
        "x" * 5000,
        "loop.png",
        "[",
    ],
)
def test_files_that_are_not_shown(tmp_path: Path, source: str) -> None:
    folder = tmp_path / "page"
    (folder / "folder.png").mkdir(parents=True)
    (folder / "images").mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "ok.png").write_bytes(PNG)
    (folder / "notes.png").write_bytes(b"my password")
    (folder / "large.png").write_bytes(PNG + bytes(MAX_IMAGE_BYTES))
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / "linked").symlink_to(tmp_path, target_is_directory=True)
    (folder / "loop.png").symlink_to("loop.png")
    page = parse_html(f'<p>text<img alt="its alt" src="{source}"><img src="ok.png">')
    tree = written(tmp_path, entry_of(page, folder))
    first, second = tree.css(".cards > li")
    assert first.css_first("img") is None
    assert only(first, ".missing").text() == "its alt"
    shown = source if len(source) <= SHOWN_SOURCE else f"{source[:39]}…{source[-70:]}"
    assert shown.replace("\0", "\ufffd") in first.text()
    assert second.css_first("img") is not None


def test_a_link_that_stays_inside_the_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "a b.png").write_bytes(PNG)
    (tmp_path / "link.png").symlink_to("a b.png")
    page = parse_html(
        "<p>text<img src='a%20b.png?v=2#x'><img src=link.png><img src='x/../link.png'>"
    )
    assert len(written(tmp_path, entry_of(page)).css(".cards img")) == 0
    (tmp_path / "x").mkdir()
    assert len(written(tmp_path, entry_of(page, tmp_path)).css(".cards img")) == 3


@pytest.mark.parametrize(
    ("url", "source", "shown"),
    [
        ("https://host/dir/page.html", "ok.png", True),
        ("https://host", "ok.png", True),
        ("https://host/dir/page.html?q=/a/b", "https://host/dir/ok.png", True),
        ("https://host/dir/page.html", "../ok.png", False),
        ("https://host/dir/page.html", "https://other/dir/ok.png", False),
        ("https://host/dir/page.html", "/ok.png", False),
        ("https://host/dir/page.html", "https://[host/dir/ok.png", False),
    ],
)
def test_sources_of_a_page_with_a_url(tmp_path: Path, url: str, source: str, shown: bool) -> None:
    (tmp_path / "ok.png").write_bytes(PNG)
    page = parse_html(f"<p>text<img src='{source}'>", url=url)
    tree = written(tmp_path, entry_of(page, tmp_path))
    assert bool(tree.css(".cards img")) == shown


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0 jpeg", "image/jpeg"),
        (b"GIF89a gif", "image/gif"),
        (b"RIFF\n\0\0\0WEBPVP8 ", "image/webp"),
        (SVG, "image/svg+xml"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<!-- by us -->\n<svg>', "image/svg+xml"),
        (b"<html><svg></svg></html>", None),
        (b"BM bitmap", None),
        (b"", None),
    ],
)
def test_the_first_bytes_tell_the_type(tmp_path: Path, data: bytes, media_type: str | None) -> None:
    (tmp_path / "a.png").write_bytes(data)
    page = parse_html("<img src=a.png>")
    uri = ImageEmbedder().data_uri(page, page.images[0], tmp_path)
    expected = media_type and f"data:{media_type};base64,{b64encode(data).decode()}"
    assert uri == expected


def test_a_report_embeds_only_so_many_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    page = parse_html("<img src=a.png>")
    embedder = ImageEmbedder(remaining=2 * len(PNG) + 1)
    uris = [embedder.data_uri(page, page.images[0], tmp_path) for _ in range(3)]
    assert uris[0] == uris[1] != uris[2] is None


PAGES = {
    "short": "<h1>Title</h1><p>One two <b>three</b><img src=a.png alt=A> four<pre>x  y\n z</pre>",
    "long": "<p>" + "word and another " * 300 + "<p>" + "x" * 3000 + "<p>end<img>",
    "lists": "".join(f"<h2>List {i}</h2>" + "<li>item" * 40 for i in range(30)),
    "only images": "<img><img alt=two><img>",
    "right to left": "<html lang=he><p>שלום <img alt=שלום> עולם</p>",
    "empty": "",
}


@pytest.mark.parametrize("name", PAGES)
def test_every_segment_is_there(tmp_path: Path, name: str) -> None:
    page = parse_html(PAGES[name])
    entry = entry_of(page)
    tree = written(tmp_path, entry)
    panels = tree.css(".panel")
    assert len(panels) == 2
    for panel, segmentation in zip(panels, entry.segmentations, strict=True):
        shown: dict[str, list[str]] = {}
        for block in panel.css(".segment"):
            number = only(block, ".chip").text()
            shown.setdefault(number, []).extend(text_of_block(block))
        assert not shown.pop("–", [])  # images of a page without text are in no segment
        expected = {str(s.number): "".join(s.text.split()) for s in segmentation.segments}
        assert {number: "".join(words) for number, words in shown.items()} == expected
        assert len(panel.css(".content .thumbnail")) == len(page.images)


def test_every_image_is_there_with_its_context(tmp_path: Path) -> None:
    page = parse_html(
        "<p>zero</p><figure><img src=a.png width=30 height=20 alt=A title=T>"
        "<figcaption>a caption</figcaption></figure><img data-src=/b.png>"
    )
    caption = page.text.index("a caption")
    context = ImageContext(
        page=page,
        image=0,
        spans=((0, 4), (caption, caption + 9)),
        caption_spans=((caption, caption + 9),),
        role="content",
        confidence=0.875,
        made_by="by hand",
    )
    tree = written(tmp_path, ReportEntry(page=page, name="p", contexts=[context]))
    first, second = tree.css(".cards > li")
    assert first.attributes["class"] == "with"
    assert only(first, "blockquote").text() == "zero\na caption"
    assert only(first, ".caption p").text() == "a caption"
    assert "0 img · 30 × 20" in first.text()
    assert "content · confidence 0.88" in first.text()
    facts = {only(div, "dt").text(): only(div, "dd").text() for div in first.css("dl div")}
    path = "/html[1]/body[1]/figure[1]/img[1]"
    assert facts == {"Alt": "A", "Title": "T", "Source": "a.png", "XPath": path}
    assert second.attributes["class"] == "without"
    assert "No text belongs to this image." in second.text()
    assert "lazy" in second.text()


def test_contexts_of_several_methods_stand_together(tmp_path: Path) -> None:
    page = parse_html("<figure><img src=fox.jpg><figcaption>A fox by the river</figure><p>two")
    contexts = [*image_contexts(page), *FullText().extract(page)]
    tree = written(tmp_path, ReportEntry(page=page, name="p", contexts=contexts))
    (card,) = tree.css(".cards > li")
    assert [quote.text() for quote in card.css("blockquote")] == [c.text for c in contexts]
    assert all(context.made_by in card.text() for context in contexts)


def test_summary_counts(tmp_path: Path) -> None:
    one = parse_html("<title>First</title><p>a b c<img>")
    two = parse_html("<title>Second</title><p>d e")
    entries = [
        ReportEntry(page=one, name="1", segmentations=[BlockFusion().segment(one)], contexts=[]),
        ReportEntry(page=two, name="2", segmentations=[TagGap().segment(two)]),
    ]
    tree = written(tmp_path, *entries)
    rows = [[cell.text() for cell in row.css("th, td")] for row in tree.css("tr")]
    assert rows[1] == ["1", "First", str(len(one)), "3", "1", "–", "1", "0"]
    assert rows[2] == ["2", "Second", str(len(two)), "2", "–", "1", "0", "–"]
    assert rows[3] == ["All", "", str(len(one) + len(two)), "5", "1", "1", "1", "0"]


def test_contexts_that_nobody_asked_for_are_not_called_missing(tmp_path: Path) -> None:
    page = parse_html("<p>a b c<img>")
    result = BlockFusion().segment(page)
    asked = written(tmp_path, ReportEntry(page=page, name="p", segmentations=[result], contexts=[]))
    assert "No text belongs to this image." in asked.text()
    tree = written(tmp_path, ReportEntry(page=page, name="p", segmentations=[result]))
    assert not tree.css("#p1-images, a[href='#p1-images'], .cards")
    assert "context" not in tree.css_first("main").text()
    assert tree.css_first(".lede").text().startswith("1 page. ")
    assert [cell.text() for cell in tree.css("thead th")][-1] == "Images"


def test_links_and_labels_have_their_targets(tmp_path: Path) -> None:
    entries = [entry_of(parse_html(html), name=name) for name, html in PAGES.items()]
    tree = written(tmp_path, *entries)
    ids = [node.attributes["id"] for node in tree.css("[id]")]
    assert len(ids) == len(set(ids))
    for name in "for", "aria-describedby", "aria-labelledby":
        named = [(node.attributes[name] or "").split() for node in tree.css(f"[{name}]")]
        assert {each for names in named for each in names} <= set(ids)
    assert {(node.attributes["href"] or "")[1:] for node in tree.css("a")} <= set(ids)
    assert all(node.attributes["alt"] for node in tree.css("img"))
    assert len(tree.css("h1")) == 1
    assert len(tree.css("h2")) == 1 + len(entries)
    assert len(tree.css("main")) == len(tree.css("nav")) == 1


def nested(page: Page) -> Segmentation:
    """Segment 0 holds 1, which stands on both sides of 2; the end is in none."""
    edges = [page.text.index(word) for word in ("one", "two", "three", "four")]
    return Segmentation(
        page=page,
        spans=np.array(list(pairwise(edges)), dtype=np.int32),
        labels=np.array([1, 2, 1], dtype=np.int32),
        parent=np.array([-1, 0, -1], dtype=np.int32),
        made_by="<by hand>",
        score=np.array([1.0, 0.5, 0.25]),
    )


def test_nested_scattered_and_missing_segments(tmp_path: Path) -> None:
    page = parse_html("<p>one<p>two<p>three<p>four")
    tree = written(tmp_path, ReportEntry(page=page, name="p", segmentations=[nested(page)]))
    blocks = tree.css(".segment")
    assert [only(block, ".chip").text() for block in blocks] == ["1", "2", "1", "–"]
    assert [text_of_block(block) for block in blocks] == [["one"], ["two"], ["three"], ["four"]]
    assert "1 of 2, next part" in blocks[0].text()
    assert "2 of 2, first part" in blocks[2].text()
    assert "Inside0" in blocks[0].text()
    assert "Score0.25" in blocks[1].text()
    assert blocks[0].attributes["class"] == blocks[2].attributes["class"]


def test_a_region_without_text_of_its_own_stands_above_what_is_inside(tmp_path: Path) -> None:
    page = parse_html((Path(__file__).parents[2] / "examples" / "news.html").read_bytes())
    found = segment(page)
    tree = written(tmp_path, ReportEntry(page=page, name="p", segmentations=[found]))
    chips = [only(block, ".chip").text() for block in tree.css(".segment")]
    assert sorted(map(int, chips)) == list(range(len(found)))
    region = tree.css(".segment.outer")[0]
    number = int(only(region, ".chip").text())
    inside = [each for each in range(len(found)) if found.parent[each] == number]
    assert chips.index(str(inside[0])) == chips.index(str(number)) + 1
    assert f"{len(inside)} segments inside" in region.text()
    assert f"Role{found.roles[number]}" in region.text()
    assert "Why" in region.text()


def test_images_say_what_spoke_for_their_texts(tmp_path: Path) -> None:
    page = parse_html((Path(__file__).parents[2] / "examples" / "news.html").read_bytes())
    contexts = [*image_contexts(page), *image_contexts(page, "siblings")]
    tree = written(tmp_path, ReportEntry(page=page, name="p", contexts=contexts))
    text = tree.css(".cards > li")[3].text()
    assert text.count("Has a text of its own (") == 1
    assert text.count("What counted most: ") == 2


def test_reasons_are_told_of_the_first_images(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagecut.report.gallery.EXPLAINED", 2)
    page = parse_html((Path(__file__).parents[2] / "examples" / "news.html").read_bytes())
    tree = written(tmp_path, ReportEntry(page=page, name="p", contexts=image_contexts(page)))
    told = ["What counted most: " in card.text() for card in tree.css(".cards > li")]
    assert not any(told[2:])
    assert "Reasons are told of the first 2 images" in tree.text()
    monkeypatch.setattr("pagecut.report.gallery.EXPLAINED", 4)
    tree = written(tmp_path, ReportEntry(page=page, name="p", contexts=image_contexts(page)))
    assert "What counted most: " in tree.css(".cards > li")[3].text()


def test_neighbours_differ_in_colour() -> None:
    page = parse_html("".join(f"<h2>{i}</h2><p>{'some words here ' * (i % 9)}" for i in range(60)))
    segmentation = BlockFusion().segment(page)
    blocks = blocks_in_order(segmentation)
    colours = colours_of_segments(blocks, len(segmentation), 7)
    shown = [colours[block.segment] for block in blocks]
    assert len(set(shown)) == 7
    assert all(one != other for one, other in pairwise(shown))
    covered = "\n".join(page.text[block.start : block.end] for block in blocks)
    assert readable(covered).split() == readable(page.text).split()


def test_a_result_of_another_page_is_refused() -> None:
    one, two = parse_html("<p>one"), parse_html("<p>two")
    with pytest.raises(ValueError, match="is for another page"):
        ReportEntry(page=one, name="one", segmentations=[BlockFusion().segment(two)])


def test_work_and_size_grow_with_the_page_not_faster(tmp_path: Path) -> None:
    def cost(count: int) -> tuple[int, int]:
        html = "".join(f"<h2>Head {i}</h2><p>word {i}<img alt={i}>" for i in range(count))
        page = parse_html(html)
        entry = ReportEntry(
            page=page,
            name="large",
            segmentations=[TagGap().segment(page)],
            contexts=FullText().extract(page),
        )
        lines = lines_run(lambda: write_report(tmp_path / "large.html", [entry]))
        return lines, (tmp_path / "large.html").stat().st_size

    small, large = cost(500), cost(2000)
    assert large[0] < 4.5 * small[0]
    assert large[1] < 4.5 * small[1]


def test_images_come_first_where_they_are_asked_for(tmp_path: Path) -> None:
    page = parse_html("<p>one<img src=a.png>")
    entry = ReportEntry(page=page, name="x" * 90, contexts=[], picture=PNG, missing=12)
    for first in (False, True):
        write_report(tmp_path / "r.html", [entry], images_first=first)
        source = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert (source.index('id="p1-images"') < source.index('id="p1-segments"')) is first
    assert "12 files of this page were not loaded" in source
    tree = LexborHTMLParser(source)
    assert only(tree, ".index .to-page").text() == "x" * 16 + "…" + "x" * 31


def test_comments_before_a_drawing_cost_no_time(tmp_path: Path) -> None:
    comments = b"<?xml version='1.0'?>" + b"<!-- a -->" * 10_000
    (tmp_path / "a.png").write_bytes(comments + b"x")
    (tmp_path / "b.png").write_bytes(comments + SVG)
    page = parse_html("<img src=a.png><img src=b.png>")
    assert ImageEmbedder().data_uri(page, page.images[0], tmp_path) is None
    assert ImageEmbedder().data_uri(page, page.images[1], tmp_path) is not None
