"""Images are found with the source that a reader would see."""

from __future__ import annotations

import pytest

from pagecut import Image, parse_html
from pagecut.parsing.addresses import is_placeholder, resolve
from pagecut.parsing.image_sources import LAZY_SOURCES, LAZY_SRCSETS, choose_source, screen_fit
from pagecut.parsing.images import declared_size
from pagecut.parsing.srcset import best_of_srcset, parse_srcset

URL = "https://example.org/dir/page.html"
GIF = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def images(source: str, url: str | None = URL) -> tuple[Image, ...]:
    return parse_html(f"<!DOCTYPE html><body>{source}", url=url).images


def only(source: str, url: str | None = URL) -> Image:
    found = images(source, url)
    assert len(found) == 1
    return found[0]


# Source, then what is found: tag, src (relative to the page's folder), lazy.
FOUND = {
    "plain": ("<img src=a.png>", "img", "a.png", False),
    "without source": ("<img alt=x>", "img", None, False),
    "empty source": ("<img src=''>", "img", None, False),
    "white space around": ("<img src='\n a.png '>", "img", "a.png", False),
    "srcset by width": (
        "<img src=a.png srcset='b.png 300w, c.png 900w, d.png 600w'>",
        "img",
        "c.png",
        False,
    ),
    "srcset by density": ("<img src=a.png srcset='a.png, b.png 2x'>", "img", "b.png", False),
    "srcset alone": ("<img srcset='a.png'>", "img", "a.png", False),
    "srcset without sizes": ("<img src=a.png srcset='b.png'>", "img", "a.png", False),
    "srcset with commas in URLs": (
        "<img srcset='w_100,h_2/a.png 100w, w_200,h_3/b.png 200w'>",
        "img",
        "w_200,h_3/b.png",
        False,
    ),
    "data-src": (f"<img src='{GIF}' data-src=a.png>", "img", "a.png", True),
    "data-src without src": ("<img data-src=a.png>", "img", "a.png", True),
    "data-original": ("<img src=/blank.gif data-original=a.png>", "img", "a.png", True),
    "data-srcset": (
        f"<img src='{GIF}' data-srcset='a.png 1x, b.png 2x'>",
        "img",
        "b.png",
        True,
    ),
    "a lazy flag is no source": ("<img src=a.png data-lazy=true>", "img", "a.png", False),
    "JSON is no source": ('<img src=a.png data-image=\'{"u": "b.png"}\'>', "img", "a.png", False),
    "picture": (
        "<picture><source srcset='b.webp 800w'><img src=a.png></picture>",
        "img",
        "b.webp",
        False,
    ),
    "picture, lazy": (
        f"<picture><source data-srcset='b.webp 800w'><img src='{GIF}'></picture>",
        "img",
        "b.webp",
        True,
    ),
    "picture, sources without sizes": (
        "<picture><source srcset=b.webp><img src=a.png></picture>",
        "img",
        "a.png",
        False,
    ),
    "picture, only a source": (
        "<picture><source srcset=b.webp><img></picture>",
        "img",
        "b.webp",
        False,
    ),
    "input": ("<input type=IMAGE src=a.png>", "input", "a.png", False),
    "amp-img": ("<amp-img src=a.png></amp-img>", "amp-img", "a.png", False),
    "amp-img with img": (
        "<amp-img src=a.png><img src=b.png></amp-img>",
        "img",
        "b.png",
        False,
    ),
    "amp-img with noscript": (
        "<amp-img src=a.png><noscript><img src=b.png></noscript></amp-img>",
        "amp-img",
        "a.png",
        False,
    ),
    "SVG image": ("<svg><image href=a.png /></svg>", "image", "a.png", False),
    "SVG image by xlink": ("<svg><image xlink:href=a.png /></svg>", "image", "a.png", False),
    "video poster": ("<video src=v.mp4 poster=a.png></video>", "video", "a.png", False),
    "image element in HTML": ("<image src=a.png>", "img", "a.png", False),
    "noscript after": (
        f"<img src='{GIF}'><noscript><img src=a.png></noscript>",
        "img",
        "a.png",
        True,
    ),
    "noscript before": (
        f"<noscript><img src=a.png></noscript> <img src='{GIF}'>",
        "img",
        "a.png",
        True,
    ),
    "noscript after a wrapped image": (
        f"<div><span><img src='{GIF}'></span></div><!-- x --><noscript><img src=a.png></noscript>",
        "img",
        "a.png",
        True,
    ),
    "noscript after a picture": (
        f"<picture><source><img src='{GIF}'></picture><noscript><img src=a.png></noscript>",
        "img",
        "a.png",
        True,
    ),
    "noscript with a wrapped fallback": (
        "<img class=lazy><noscript><div><img src=a.png></div></noscript>",
        "img",
        "a.png",
        True,
    ),
    "noscript of a lazy image with a source": (
        f"<img src='{GIF}' data-src=big.png><noscript><img src=a.png></noscript>",
        "img",
        "big.png",
        True,
    ),
    "noscript that repeats the image": (
        "<img src=a.png><noscript><img src=a.png></noscript>",
        "img",
        "a.png",
        False,
    ),
    "noscript alone": ("<noscript><img src=a.png></noscript>", "noscript", "a.png", True),
}


@pytest.mark.parametrize(("source", "tag", "src", "lazy"), FOUND.values(), ids=FOUND.keys())
def test_an_image_has_its_best_source(source: str, tag: str, src: str | None, lazy: bool) -> None:
    image = only(source)
    assert (image.tag, image.lazy) == (tag, lazy)
    assert image.src == (None if src is None else f"https://example.org/dir/{src}")


NOWHERE = (
    "#",
    "//:0",
    "/",
    "about:blank",
    "JavaScript:void(0)",
    "{{ section.settings.image | img_url: '300x', x }}",
    "/{lang}/a.png",
    "/a_%7Bwidth%7Dx.png",
    "undefined",
)


@pytest.mark.parametrize("value", NOWHERE)
@pytest.mark.parametrize(
    "source",
    [
        '<img src="{}">',
        '<img srcset="{}">',
        '<img srcset="{} 2x">',
        '<img data-src="{}">',
        '<img data-srcset="{} 300w">',
        '<picture><source srcset="{}"><img></picture>',
        '<picture><source media="(min-width: 9px)" srcset="{}"><img></picture>',
        '<video poster="{}"></video>',
    ],
)
def test_what_is_no_address_is_no_source(source: str, value: str) -> None:
    assert only(source.format(value)).src is None


@pytest.mark.parametrize("value", NOWHERE)
@pytest.mark.parametrize(
    "source",
    [
        '<img src="{}" data-src=a.png>',
        '<img src=a.png data-src="{}">',
        '<img src="{}" srcset=a.png>',
        '<img src=a.png srcset="{} 2x">',
        '<img src="{}" data-srcset="a.png">',
        '<img src="{}"><noscript><img src=a.png></noscript>',
        '<picture><source srcset="{} 2x"><img src=a.png></picture>',
        '<picture><source media="(min-width: 9px)" srcset="{}"><img src=a.png></picture>',
    ],
)
def test_what_is_no_address_hides_no_other(source: str, value: str) -> None:
    assert only(source.format(value)).src == "https://example.org/dir/a.png"


@pytest.mark.parametrize(
    ("attributes", "src"),
    [
        ("src='a.png?x=1&w={width}'", "a.png?x=1"),
        ("src='a.png?w={width}&h=%7Bheight%7D&x=1#b'", "a.png?x=1#b"),
        ("data-src='a_{width}x.png?v={v}1'", None),
        ("data-src='a_{width}x.png' data-widths='[180, 720, 360]'", "a_720x.png"),
        ("src=a_90x.png data-src='a_{width}x.png' data-widths='[180]'", "a_180x.png"),
        ("src='a_{width}x.png?h={height}' data-widths='180, x'", "a_180x.png"),
        ("data-src='a_{width}x.png' data-widths='[]'", None),
        ("src='a.png?cb={random}'", None),
    ],
)
def test_a_source_that_waits_for_a_size_has_one(attributes: str, src: str | None) -> None:
    image = only(f"<img {attributes}>", None)
    assert (image.src, image.lazy) == (src, src is not None)


def test_a_noscript_stands_in_for_an_image_that_waits_for_a_size() -> None:
    image = only("<img src='a.png?w={width}'><noscript><img src=b.png></noscript>", None)
    assert (image.tag, image.src) == ("img", "a.png")


def test_words_are_no_source() -> None:
    assert only("<img src='(858) 534-9151'>").src is None
    assert only("<img src='(858) 534-9151' srcset=a.png>", None).src == "a.png"


@pytest.mark.parametrize("src", ["/m/{4D2F-11}.png", "a b.png", "/a b", "1.png?x"])
def test_odd_addresses_are_addresses(src: str) -> None:
    assert choose_source({"src": src}) == (src, False)


@pytest.mark.parametrize("src", [URL, f"{URL}#top", "page.html", "?", "../dir/page.html"])
def test_the_pages_own_address_is_no_source(src: str) -> None:
    assert only(f"<img src='{src}'>").src is None
    assert only(f"<img src='{src}' data-src=a.png>").src == f"{URL[:-9]}a.png"


def test_an_address_that_begins_as_the_pages_is_another() -> None:
    assert only("<img src=page.html.png>").src == f"{URL}.png"
    assert only("<img src=a.png>", "https://example.org/").src == "https://example.org/a.png"


# The sources and the image in a <picture>, and what a wide screen shows.
PICTURES = {
    "the phone's first": (
        "<source media='(max-width: 600px)' srcset='s.jpg, s2.jpg 2x'>"
        "<source media='(min-width: 0px)' srcset='l.jpg, l2.jpg 2x'><img src=m.jpg>",
        "l2.jpg",
    ),
    "the phone's alone": (
        "<source media='(max-width: 600px)' srcset='s.jpg 900w'><img src=l.jpg>",
        "l.jpg",
    ),
    "several widths": (
        "<source media='(min-width: 600px)' srcset='m.jpg 900w'>"
        "<source media='(min-width: 75em)' srcset='l.jpg 800w, l2.jpg 850w'>"
        "<source media='(min-width: 320px)' srcset='s.jpg 2000w'><img src=x.jpg>",
        "l2.jpg",
    ),
    "types of one width": (
        "<source media='(min-width: 600px)' type=image/avif srcset='a.avif 900w'>"
        "<source media='(min-width: 600px)' srcset='a.jpg 900w, b.jpg 950w'><img src=x.jpg>",
        "b.jpg",
    ),
    "one file without a size": (
        "<source media='(min-width: 600px)' srcset=l.jpg><img src=s.jpg>",
        "l.jpg",
    ),
    "one file, lazy": (
        f"<source media='(min-width: 600px)' srcset='{GIF}' data-srcset=l.jpg><img src=s.jpg>",
        "l.jpg",
    ),
    "one file that holds a place": (
        "<source media='(min-width: 600px)' srcset=/i/Spacer.png><img src=s.jpg>",
        "s.jpg",
    ),
    "a place held, then a file": (
        "<source media='(min-width: 900px)' srcset=/i/Spacer.png>"
        "<source media='(min-width: 600px)' srcset=m.jpg><img src=s.jpg>",
        "m.jpg",
    ),
    "only for narrow screens": (
        "<source media='(max-width: 300px)' srcset=s.jpg>"
        f"<source media='(max-width: 900px)' srcset=m.jpg><img src='{GIF}'>",
        "m.jpg",
    ),
    "AVIF and WebP": (
        "<source media='(min-width: 600px)' srcset='l.png?fm=avif'>"
        "<source media='(min-width: 600px)' srcset='l.png?fm=webp'>"
        "<source media='(min-width: 300px)' srcset='m.png?fm=webp'><img src=s.png>",
        "l.png?fm=webp",
    ),
    "AVIF alone": (
        "<source media='(min-width: 600px)' srcset=l.avif>"
        "<source media='(min-width: 300px)' srcset=m.webp><img src=s.png>",
        "l.avif",
    ),
    "the dark one": (
        "<source media='(prefers-color-scheme: dark)' srcset='d.jpg 2x'><img src=l.jpg>",
        "l.jpg",
    ),
}


@pytest.mark.parametrize(("source", "src"), PICTURES.values(), ids=PICTURES.keys())
def test_a_picture_is_that_of_a_wide_screen(source: str, src: str) -> None:
    assert only(f"<picture>{source}</picture>", None).src == src


@pytest.mark.parametrize(
    ("media", "fit"),
    [
        ("", 0),
        ("all", 0),
        ("screen and (min-width: 600px)", 600),
        ("(min-width:37.5em)", 600),
        ("(width >= 600px)", 600),
        ("(min-width: 600px) and (max-width: 1919px)", 600),
        ("(max-width: 300px), (min-width: 700px)", 700),
        ("(min-width: 600px) and (-webkit-min-device-pixel-ratio: 1.25)", 600),
    ],
)
def test_how_media_fit_a_wide_screen(media: str, fit: float) -> None:
    assert screen_fit(media) == fit


def test_media_for_other_screens_fit_less_the_narrower_they_are() -> None:
    others = [
        "(min-width: 600px) and (max-width: 1100px)",
        "(max-width: 600px)",
        "(width < 30em)",
        "print",
        "not all",
        "(orientation: portrait)",
        "(min-width: 600px) and (max-resolution: 1dppx)",
    ]
    fits = [screen_fit(media) for media in others]
    assert fits[0] > fits[1] > fits[2] > fits[3] == fits[4] == fits[5] == fits[6]
    assert fits[0] < 0


@pytest.mark.parametrize("name", LAZY_SOURCES)
def test_every_lazy_attribute_is_read(name: str) -> None:
    image = only(f"<img src='{GIF}' {name}='real.png'>")
    assert (image.src, image.lazy) == ("https://example.org/dir/real.png", True)


@pytest.mark.parametrize("name", LAZY_SRCSETS)
def test_every_lazy_srcset_is_read(name: str) -> None:
    assert only(f"<img src='{GIF}' {name}='a.png 1x, b.png 2x'>").src == f"{URL[:-9]}b.png"


NO_IMAGE = (
    "<input type=text src=a.png>",
    "<video src=v.mp4></video>",
    "<noscript>text</noscript>",
    "<script><img src=a.png></script>",
    "<template><img src=a.png></template>",
    "<object><img src=a.png></object>",
    "<textarea><img src=a.png></textarea>",
    "<iframe><img src=a.png></iframe>",
    "<picture><source srcset=a.png></picture>",
    "<svg><rect/></svg>",
    "<!-- <img src=a.png> -->",
)


@pytest.mark.parametrize("source", NO_IMAGE)
def test_what_is_no_image_gives_none(source: str) -> None:
    assert images(source) == ()


def test_a_noscript_beside_a_finished_image_is_an_image_of_its_own() -> None:
    found = images("<img src=a.png><noscript><img src=b.png></noscript>")
    assert [(image.tag, image.src) for image in found] == [
        ("img", "https://example.org/dir/a.png"),
        ("noscript", "https://example.org/dir/b.png"),
    ]


def test_text_between_keeps_a_noscript_from_the_image() -> None:
    found = images(f"<img src='{GIF}'> words <noscript><img src=b.png></noscript>")
    assert [image.tag for image in found] == ["img", "noscript"]


def test_noscripts_side_by_side_are_an_image_each() -> None:
    found = images("<noscript><img src=pixel.gif></noscript><noscript><img src=b.png></noscript>")
    assert [image.tag for image in found] == ["noscript", "noscript"]


def test_one_lazy_image_is_filled_by_one_fallback_on_each_side() -> None:
    found = images(
        "<noscript><img src=a.png></noscript><img class=l>"
        "<img class=l><noscript><img src=b.png></noscript>"
    )
    assert [image.src for image in found] == [f"{URL[:-9]}a.png", f"{URL[:-9]}b.png"]


def test_a_fallback_gives_what_the_image_lacks() -> None:
    image = only(f"<img src='{GIF}' title=T><noscript><img src=a.png alt=A title=U></noscript>")
    assert (image.alt, image.title) == ("A", "T")


def test_images_are_numbered_in_document_order() -> None:
    page = parse_html("<img src=a><p>x<img src=b></p><svg><image href=c /></svg>")
    assert [image.index for image in page.images] == [0, 1, 2]
    assert [image.src for image in page.images] == ["a", "b", "c"]
    rows = [image.node for image in page.images]
    assert rows == sorted(rows)


@pytest.mark.parametrize(
    ("attributes", "alt", "title"),
    [
        ("alt='a  cat'", "a cat", None),
        ("alt=''", "", None),
        ("alt", "", None),
        ("title=' T '", None, "T"),
        ("", None, None),
    ],
)
def test_alt_and_title_are_kept(attributes: str, alt: str | None, title: str | None) -> None:
    image = only(f"<img src=a.png {attributes}>")
    assert (image.alt, image.title) == (alt, title)


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ({"width": "300", "height": "200"}, (300, 200)),
        ({"width": "300px", "height": " 20.5 "}, (300, 20)),
        ({"width": "100%", "height": "auto"}, (None, None)),
        ({"style": "width:30px; HEIGHT: 40.5px"}, (30, 40)),
        ({"style": "max-width:30px"}, (None, None)),
        ({"style": "width:30px", "width": "50"}, (50, None)),
        ({"data-width": "30", "data-height": "40"}, (30, 40)),
        ({"data-width": "30", "width": "50"}, (50, None)),
        ({"width": None}, (None, None)),
        ({"width": "99999999"}, (None, None)),
        ({"width": "0", "height": "0"}, (None, None)),
        ({"width": "0", "height": "0", "style": "width:100%;height:auto"}, (None, None)),
        ({"width": "0", "style": "width:30px"}, (30, None)),
        ({"style": "width: 0px; height: 0px; min-width: 100%; min-height: 100%"}, (None, None)),
        ({}, (None, None)),
    ],
)
def test_declared_size(
    attributes: dict[str, str | None], size: tuple[int | None, int | None]
) -> None:
    assert declared_size(attributes) == size


@pytest.mark.parametrize(
    ("source", "base", "url"),
    [
        ("a.png", "https://x.org/d/p", "https://x.org/d/a.png"),
        ("/a.png", "https://x.org/d/p", "https://x.org/a.png"),
        ("//cdn.org/a.png", "https://x.org/", "https://cdn.org/a.png"),
        ("../a.png", "https://x.org/d/e/p", "https://x.org/d/a.png"),
        ("a.png?x=1#f", "https://x.org/", "https://x.org/a.png?x=1#f"),
        ("data:image/png;base64,AA", "https://x.org/", "data:image/png;base64,AA"),
        ("http://y.org/a b.png", "https://x.org/", "http://y.org/a%20b.png"),
        ("/ä/b c.png?q=ü d", "https://x.org/", "https://x.org/%C3%A4/b%20c.png?q=%C3%BC%20d"),
        ("http://bücher.de/a", None, "http://xn--bcher-kva.de/a"),
        ("http://y.org/a%20b.png", None, "http://y.org/a%20b.png"),
        ("http://y.org\\a b", None, "http://y.org/a%20b"),
        ("a b.png", None, "a b.png"),
        ("http://y.org/\ud800", None, "http://y.org/\ud800"),
        (" a\n.png ", "https://x.org/", "https://x.org/a.png"),
        ("a.png", None, "a.png"),
        ("", None, None),
        (None, "https://x.org/", None),
        ("//[bad/a.png", "https://x.org/", "//[bad/a.png"),
    ],
)
def test_urls_are_made_absolute(source: str | None, base: str | None, url: str | None) -> None:
    assert resolve(source, base) == url


@pytest.mark.parametrize(
    ("base", "url", "src"),
    [
        ("<base href='/img/'>", URL, "https://example.org/img/a.png"),
        ("<base href='https://cdn.org/'>", URL, "https://cdn.org/a.png"),
        ("<base href='https://cdn.org/'>", None, "https://cdn.org/a.png"),
        ("<base href='/x/'><base href='/y/'>", URL, "https://example.org/x/a.png"),
        ("<base target=_top>", URL, "https://example.org/dir/a.png"),
        ("<base target=_top><base href='/y/'>", URL, "https://example.org/y/a.png"),
        ("<base href=''>", URL, "https://example.org/dir/a.png"),
    ],
)
def test_base_moves_relative_sources(base: str, url: str | None, src: str) -> None:
    page = parse_html(f"<head>{base}</head><body><img src=a.png>", url=url)
    assert page.images[0].src == src


@pytest.mark.parametrize(
    ("src", "expected"),
    [
        (GIF, True),
        ("data:image/png;base64," + "A" * 3000, False),
        ("/img/blank.gif", True),
        ("https://x.org/spacer.png?v=2", True),
        ("lazy_placeholder.svg", True),
        ("/i/1x1.gif", True),
        ("/i/loading-grey.gif", True),
        ("/i/place-holder-170x213.jpg", True),
        ("/i/spinner2.gif", True),
        ("/i/placeholder_avatar.gif", True),
        ("/i/default_photo.png", True),
        ("/i/no-image.png", True),
        ("/i/grey.gif", True),
        ("/files/pixel.jpg", False),
        ("/photos/crystal_clear.jpg", False),
        ("/photos/lasker_grey11.jpg", False),
        ("/photos/defaults.png", False),
        ("/photos/blanket.jpg", False),
        ("/photos/a-clear-day.jpg", False),
        ("/photo.jpg", False),
        ("/pixel/photo.jpg", False),
        ("", False),
    ],
)
def test_placeholders_are_known_by_their_names(src: str, expected: bool) -> None:
    assert is_placeholder(src) is expected


@pytest.mark.parametrize(
    ("value", "candidates"),
    [
        ("a.png", [("a.png", 0, 1)]),
        ("a.png 2x", [("a.png", 0, 2)]),
        ("a.png 1.5x, b.png 3x", [("a.png", 0, 1.5), ("b.png", 0, 3)]),
        ("a.png 10w,b.png 20w", [("a.png", 10, 1), ("b.png", 20, 1)]),
        (" , a.png 10w 5h , ", [("a.png", 10, 1)]),
        ("a.png junk", [("a.png", 0, 1)]),
        ("a.png nanx", [("a.png", 0, 0)]),
        ("", []),
        (",,,", []),
    ],
)
def test_srcset_is_split(value: str, candidates: list[tuple[str, float, float]]) -> None:
    assert parse_srcset(value) == candidates


def test_the_best_candidate_is_the_widest_then_the_densest() -> None:
    assert best_of_srcset(["a 2x, b 3x", "c 100w, d 90w"]) == "c"
    assert best_of_srcset(["a 2x, b 3x, c 3x"]) == "b"
    assert best_of_srcset(["a", "b"]) is None


def test_a_placeholder_in_a_srcset_does_not_hide_the_others() -> None:
    srcset = "data:image/png;base64,AAA= 1x, real.jpg 3x"
    assert choose_source({"srcset": srcset, "src": "q.jpg"}) == ("real.jpg", False)


def test_a_base_that_is_too_long_for_an_address_is_passed_over() -> None:
    page = parse_html(f"<base href='http://y.org/{'x/' * 3000}'><img src=a.jpg>", "http://z.org/b/")
    assert [image.src for image in page.images] == ["http://z.org/b/a.jpg"]
    assert page.base == "http://z.org/b/"


def test_no_address_is_joined_with_one_that_makes_it_long() -> None:
    long, far = f"http://y.org/{'x' * 2000}/", f"http://y.org/a/b?{'x' * 2000}"
    assert parse_html("<img src=a.jpg>", long).images[0].src == "a.jpg"
    assert parse_html(f"<link rel=canonical href={long}><img src=a.jpg>").images[0].src == "a.jpg"
    assert parse_html("<img src=a.jpg>", far).images[0].src == "http://y.org/a/a.jpg"


def test_sources_belong_to_the_first_images_of_a_picture() -> None:
    page = parse_html("<picture><source srcset='a.png 2x'>" + "<img src=b.png>" * 9 + "</picture>")
    assert [image.src for image in page.images] == ["a.png"] * 4 + ["b.png"] * 5


def test_white_space_after_a_width_is_passed_over_once() -> None:
    width = "12" + " " * 200_000
    page = parse_html(f"<img src=a.png width='{width}px '><img src=a.png width='{width}x'>")
    assert [image.width for image in page.images] == [12, None]


@pytest.mark.parametrize(
    ("attributes", "src"),
    [
        ("src=s.gif srcset='dummy.gif 1w' data-srcset='a.jpg, b.jpg 2x'", "b.jpg"),
        ("src=s.gif srcset='dummy.gif 1w' data-srcset='a.jpg'", "a.jpg"),
        ("src=blank.gif data-delay=a.jpg", "a.jpg"),
        ("src=blank.gif data-lazyload=/a.jpg", "/a.jpg"),
    ],
)
def test_a_real_source_goes_before_what_holds_its_place(attributes: str, src: str) -> None:
    assert only(f"<img {attributes}>", None).src == src


BLURRED = "/x.jpg/v1/fill/w_147,h_98,blur_2,enc_auto/x.jpg"


@pytest.mark.parametrize("blurred", [BLURRED, "/x.jpg?w=9&blur=30"])
def test_a_blurred_copy_gives_way_to_any_other_source(blurred: str) -> None:
    assert only(f"<img src='{blurred}'>", None).src == blurred
    assert only(f"<img src='{blurred}' srcset=a.jpg>", None).src == "a.jpg"
    assert only(f"<img src='{blurred}'><noscript><img src=a.jpg></noscript>", None).src == "a.jpg"
    assert not is_placeholder(blurred)


def test_an_attribute_may_name_what_holds_the_place() -> None:
    assert only("<img src=1.cms placeholdersrc=1.cms>").src is None
    assert only("<img src=2.cms placeholdersrc=1.cms>", None).src == "2.cms"
    assert only("<img src=1.cms placeholdersrc=1.cms data-src=a.jpg>", None).src == "a.jpg"


def test_the_size_of_a_placeholder_is_not_the_images() -> None:
    lazy = only("<img src=blank.gif data-src=a.jpg width=1 height=1>")
    assert (lazy.width, lazy.height) == (None, None)
    pixel = only("<img src=count.php?x width=1 height=1>")
    assert (pixel.width, pixel.height) == (1, 1)


@pytest.mark.parametrize(
    ("head", "url", "src"),
    [
        ("<link rel=canonical href=https://x.org/d/p>", None, "https://x.org/d/a.png"),
        ("<meta property=og:url content=https://y.org/p>", None, "https://y.org/a.png"),
        (
            "<meta property=og:url content=https://y.org/><link rel=canonical href=https://x.org/>",
            None,
            "https://x.org/a.png",
        ),
        ("<link rel=canonical href=https://x.org/>", "https://z.org/", "https://z.org/a.png"),
        ("<link rel=canonical href=/p>", None, "a.png"),
        (
            "<link rel=canonical href=https://x.org/><base href=/img/>",
            None,
            "https://x.org/img/a.png",
        ),
        ("<link rel=canonical href='http://[x'>", None, "a.png"),
    ],
)
def test_a_page_without_a_url_may_give_its_own_address(
    head: str, url: str | None, src: str
) -> None:
    assert parse_html(f"<head>{head}</head><img src=a.png>", url=url).images[0].src == src
