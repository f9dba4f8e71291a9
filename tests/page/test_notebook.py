"""Cards in notebooks: escaped, short, and without anything that runs or loads."""

from __future__ import annotations

from html.parser import HTMLParser

from pagecut import image_contexts, parse_html, segment
from pagecut.page.notebook import MOST_CONTEXTS, MOST_SEGMENTS

HOSTILE = (
    '<title>"><script>alert(1)</script></title><h1>&lt;script&gt;alert(2)&lt;/script&gt;</h1>'
    '<img src="javascript:alert(3)" alt=\'" onerror="alert(4)\'><p>text &amp; more</p>'
)


class Reader(HTMLParser):
    """The tags and attributes of a card, and whether its tags are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names |= {name for name, _ in attrs}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(card: str) -> Reader:
    reader = Reader()
    reader.feed(card)
    assert reader.open == []
    return reader


def test_cards_are_harmless() -> None:
    page = parse_html(HOSTILE, url="https://x.example/?<b>")
    for shown in (page, segment(page, "tag-gap"), *image_contexts(page, "full-text")):
        reader = read(shown._repr_html_())
        assert set(reader.tags) <= {"div", "p", "b", "span"}
        assert reader.names <= {"style", "dir"}


def test_contexts_are_a_table_and_cut_off() -> None:
    page = parse_html(HOSTILE, url="https://x.example/?<b>")
    reader = read(image_contexts(page, "full-text")._repr_html_())
    assert set(reader.tags) <= {"div", "p", "b", "table", "tr", "th", "td"}
    assert reader.names <= {"style", "dir"}
    page = parse_html("<p>Tea <img src=a.jpg alt='A &lt; B'>" * (MOST_CONTEXTS + 5))
    card = image_contexts(page, "full-text")._repr_html_()
    assert card.count("A &lt; B") == card.count("<td") // 5 == MOST_CONTEXTS
    assert "and 5 more images" in card
    assert "65 images" in card
    assert "0 images" in image_contexts("<p>Tea")._repr_html_()


def test_a_page_tells_what_there_is_of_it() -> None:
    card = parse_html("<title>My title</title><p>Some text<img src=a>")._repr_html_()
    assert "My title" in card
    assert "1 image<" in card
    assert "Some text" in card


def test_a_segment_s_card_says_what_it_is() -> None:
    page = parse_html("<header><a href=/>Home</a></header><main><h1>Tea</h1><p>Green.<img></main>")
    result = segment(page, "mosaic")
    card = result._repr_html_()
    assert result.roles
    assert [card.count(f">{role}, ") for role in result.roles] == [1] * len(result)


def test_segments_are_listed_in_colours_and_cut_off() -> None:
    page = parse_html("".join(f"<p>number {number}</p>" for number in range(MOST_SEGMENTS + 5)))
    card = segment(page, "tag-gap")._repr_html_()
    assert card.count("border-left:4px solid rgb(") == MOST_SEGMENTS
    assert "and 5 more segments" in card
    assert len(card) < 40_000


def test_a_context_shows_role_and_confidence() -> None:
    page = parse_html("<figure><img src=a alt=Boat><figcaption>A red boat</figcaption></figure>")
    card = image_contexts(page)[0]._repr_html_()
    assert "Boat" in card
    assert "A red boat" in card
    assert "confidence" in card
