"""Image contexts in the shapes that corpora are built from."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import pagecut
from pagecut.cli import main
from pagecut.contexts.window import FullText
from pagecut.results.context_length import capped
from pagecut.results.image_columns import DETAIL_FIELDS
from pagecut.results.image_context import ImageContext
from pagecut.results.image_rows import (
    detailed_image_rows,
    img2dataset_rows,
    obelics_rows,
    sure,
    without_source,
)
from pagecut.results.image_variants import merge_twins

DATA = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
PAGE = pagecut.parse_html(
    "<title>A page</title><h1>Top</h1><p>Before it</p>"
    "<figure><img src=a.jpg alt='An alt' title=T width=640 height=480>"
    "<figcaption>The caption</figcaption></figure><p hidden>unseen</p><h2>Later</h2>"
    "<p>After it</p><img src=dot.gif width=1 height=1>",
    url="https://example.org/x/",
)


def test_details_name_the_heading_above_the_place_and_the_size() -> None:
    row = next(detailed_image_rows(pagecut.image_contexts(PAGE), PAGE))
    assert tuple(row) == DETAIL_FIELDS
    assert (row["heading"], row["page_title"], row["title"]) == ("Top", "A page", "T")
    assert (row["width"], row["height"]) == (640, 480)
    assert PAGE.text[row["position"]] == "\ufffc"


def test_a_heading_without_text_is_no_images_heading() -> None:
    page = pagecut.parse_html("<h1>Top</h1><h2></h2><img src=a.jpg><h2><img src=b.jpg></h2>")
    rows = detailed_image_rows(pagecut.image_contexts(page), page)
    assert next(rows)["heading"] == "Top"


def test_obelics_lists_are_parallel_and_leave_out_what_is_no_content_or_hidden() -> None:
    (row,) = obelics_rows(pagecut.image_contexts(PAGE), PAGE)
    assert row["images"] == [None, "https://example.org/x/a.jpg", None]
    assert row["texts"] == ["Top\nBefore it", None, "The caption\nLater\nAfter it"]
    assert len(row["metadata"]) == 3
    assert row["general_metadata"]["url"] == "https://example.org/x/"


def test_img2dataset_rows_have_an_address_a_caption_and_a_role() -> None:
    contexts = pagecut.image_contexts(PAGE)
    assert list(img2dataset_rows(contexts, PAGE)) == [
        {
            "url": "https://example.org/x/a.jpg",
            "caption": "The caption",
            "role": "content",
            "role_confidence": contexts[0].role_confidence,
        }
    ]


def test_avatars_among_img2dataset_rows_are_told_by_their_role() -> None:
    page = pagecut.parse_html(
        "<p>Ann</p><img src=https://x.org/a.jpg><img src=https://x.org/b.jpg>"
    )
    roles: tuple[tuple[str | None, float | None], ...] = (("avatar", 0.75), (None, None))
    contexts = [
        ImageContext(
            page=page, image=at, spans=((0, 3),), made_by="x", role=role, role_confidence=sure
        )
        for at, (role, sure) in enumerate(roles)
    ]
    rows = list(img2dataset_rows(contexts, page))
    assert [(row["role"], row["role_confidence"]) for row in rows] == [*roles]


def test_a_picture_shown_twice_has_one_row_that_of_the_surest() -> None:
    page = pagecut.parse_html("<img src=a><p>One</p><img src=a><img src=b><img><img>")
    sure = (("content", 0.4), ("content", 0.9), ("logo", 0.9), ("content", 0.5), ("content", 0.5))
    contexts = [
        ImageContext(
            page=page, image=at, spans=((2, 5),), made_by="x", role=role, confidence=confidence
        )
        for at, (role, confidence) in enumerate(sure)
    ]
    assert [each.image for each in merge_twins(contexts)] == [1, 2, 3, 4]
    assert without_source(contexts, "obelics") == ["", ""]
    assert without_source(contexts, "rows") == []


def caption_of(alt: str, text: str = "Words about it") -> str | None:
    page = pagecut.parse_html(f"<p>{text}</p><img src=https://x.org/a.jpg alt='{alt}'>")
    spans = ((0, len(text)),) if text else ()
    contexts = [ImageContext(page=page, image=0, spans=spans, made_by="x")]
    rows = list(img2dataset_rows(contexts, page))
    return rows[0]["caption"] if rows else None


@pytest.mark.parametrize(
    "alt",
    [
        "",
        "Image",
        "image 12",
        "Featured Image",
        "product image",
        "null",
        "No alternative text description for this image",
        "x-768x512.jpg",
        "Red shoes.JPG",
        "IMG_1234",
        "DSC01234",
        "new-york-skyline-at-night",
        "https://x.org/a",
        "Screenshot 20240102 101010",
        "...",
    ],
)
def test_an_alt_text_that_says_nothing_gives_way_to_the_context(alt: str) -> None:
    assert caption_of(alt) == "Words about it"
    assert caption_of(alt, "") == (alt or None)


@pytest.mark.parametrize(
    "alt", ["A cat", "Image of a cat", "Coca-Cola", "iPhone 15", "2024年の港", "The logo of Acme"]
)
def test_an_alt_text_goes_before_the_context(alt: str) -> None:
    assert caption_of(alt) == alt


def test_an_alt_text_of_several_pictures_says_nothing_of_one() -> None:
    def captions(*sources: str, apart: bool = True) -> list[str]:
        images = "".join(
            f"<img src=https://x.org/{source} alt='Best of 2024'>" for source in sources
        )
        page = pagecut.parse_html(f"<p>Word 0</p><p>Word 1</p><p>Word 2</p>{images}")
        contexts = [
            ImageContext(page=page, image=at, spans=((7 * at, 7 * at + 6),), made_by="x")
            if apart
            else ImageContext(page=page, image=at, spans=((0, 6),), made_by="x")
            for at in range(len(sources))
        ]
        return [row["caption"] for row in img2dataset_rows(contexts, page)]

    assert captions("a.jpg", "b.jpg", "c.jpg") == ["Word 0", "Word 1", "Word 2"]
    assert captions("a.jpg", "b.jpg", "c.jpg", apart=False) == ["Best of 2024"] * 3  # one thing
    assert captions("a.jpg", "b.jpg", "b.jpg?w=300") == ["Best of 2024"] * 3


def twins(
    *images: tuple[str, str, float], role_confidence: tuple[float | None, ...] = ()
) -> list[int]:
    """Which of some images, given by source, role and confidence, are left."""
    page = pagecut.parse_html("Text" + "".join(f"<img src='{src}'>" for src, _, _ in images))
    contexts = [
        ImageContext(
            page=page,
            image=at,
            spans=((0, 4),),
            made_by="x",
            role=role,
            confidence=confidence,
            role_confidence=role_confidence[at] if role_confidence else None,
        )
        for at, (_, role, confidence) in enumerate(images)
    ]
    return [each.image for each in merge_twins(contexts)]


def test_the_surest_role_of_twins_decides_whether_they_are_content() -> None:
    images = [("a.png", "content", 0.9), ("a.png", "logo", 0.5), ("a.png", "logo", 0.7)]
    assert twins(*images, role_confidence=(0.44, 1.0, 0.9)) == [2]
    assert twins(*images, role_confidence=(0.95, 0.9, 0.9)) == [0]
    assert twins(*images, role_confidence=(0.9, 0.9, 0.9)) == [0]
    assert twins(*images) == [0]


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ("/_next/image?url=%2Fa.png&w=640&q=75", "/_next/image?url=%2Fa.png&w=3840&q=75"),
        ("https://gravatar.com/avatar/0a?s=264&d=mm", "https://gravatar.com/avatar/0a?s=600&d=mm"),
        ("/up/x-720x388.png", "/up/x.png"),
        ("/up/x-300x300.jpg", "/up/x-scaled.jpg"),
        ("/x_300x300.jpg?v=1", "/x_1024x1024.jpg?v=1"),
        ("/x.jpg?v=1&width=416", "/x.jpg?v=1&width=1946"),
        ("/x.jpg?sw=320&sh=320&fit=crop", "/x.jpg?sw=800&sh=800"),
        ("http://x.org/x.jpg?w=300&dpr=1.5", "https://x.org/x.jpg"),
    ],
)
def test_sizes_of_one_picture_are_twins_and_the_widest_is_left(small: str, large: str) -> None:
    assert twins((small, "content", 0.9), (large, "content", 0.9)) == [1]
    assert twins((large, "content", 0.9), (small, "content", 0.9)) == [0]
    assert twins((large, "content", 0.8), (small, "content", 0.9)) == [1]


def test_a_thumbnail_is_left_only_where_there_is_nothing_else() -> None:
    small, large = "/x.jpg?width=86", "/x.jpg?width=1946"
    assert twins((small, "content", 0.9), (large, "content", 0.6)) == [1]
    assert twins((small, "content", 0.9), ("/x.jpg?width=96", "content", 0.6)) == [0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/_next/image?url=%2Fa.png&w=96", "/_next/image?url=%2Fb.png&w=96"),
        ("/x.jpg?id=96", "/x.jpg?id=128"),
        ("/x.jpg?s=123456", "/x.jpg?s=123457"),
        ("/th?q=cat", "/th?q=dog"),
        ("/th?fit=cat", "/th?fit=dog"),
        ("/photo?s=1", "/photo?s=2"),
        ("/i.php?s=123", "/i.php?s=124"),
        ("/a/x-720x388.png", "/b/x-720x388.png"),
        ("https://x.org/x.png", "https://y.org/x.png"),
        ("/x-2x3.png", "/x-3x4.png"),
        ("/x.svg#a", "/x.svg#b"),
        ("http://[x", "http://[y"),
    ],
)
def test_other_pictures_are_no_twins(one: str, other: str) -> None:
    assert twins((one, "content", 0.9), (other, "content", 0.9)) == [0, 1]


@pytest.mark.parametrize("src", ["https://x.org/blank.gif", DATA])
def test_what_holds_the_place_of_pictures_is_no_picture(src: str) -> None:
    page = pagecut.parse_html(f"<img src='{src}'><p>One</p><img src='{src}'><p>Two</p>")
    contexts = [
        ImageContext(page=page, image=at, spans=span, made_by="x")
        for at, span in enumerate([((2, 5),), ((8, 11),)])
    ]
    assert [each.text for each in merge_twins(contexts)] == ["One", "Two"]
    assert list(img2dataset_rows(contexts, page)) == []
    (row,) = obelics_rows(contexts, page)
    assert row["images"] == [None]
    assert (
        without_source(contexts, "obelics") == without_source(contexts, "img2dataset") == [src] * 2
    )


def test_the_command_merges_twins_unless_asked_for_all(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    figure = "<figure><img src=/a.jpg width=600 height=400><figcaption>A cat</figcaption></figure>"
    path.write_text(f"<p>Text of the page.</p>{figure}<p>More of the text.</p>{figure}")
    command = ["images", str(path), "--url", "https://x.org/", "--format", "img2dataset"]
    rows = CliRunner().invoke(main, command).stdout.splitlines()
    every = CliRunner().invoke(main, [*command, "--all"]).stdout.splitlines()
    assert (len(rows), len(every)) == (1, 2)


def test_a_counting_pixel_is_decoration() -> None:
    assert [each.role for each in pagecut.image_contexts(PAGE)] == ["content", "decoration"]


@given(
    before=st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"]), max_size=12),
    after=st.lists(st.sampled_from(["a", "bb", "ccc", "dddd"]), max_size=12),
    limit=st.integers(1, 60),
)
def test_a_capped_context_keeps_whole_words_nearest_to_the_image(
    before: list[str], after: list[str], limit: int
) -> None:
    page = pagecut.parse_html(f"<p>{' '.join(before)} <img src=a.jpg> {' '.join(after)}</p>")
    (whole,) = FullText().extract(page)
    cut: ImageContext = capped(whole, limit)
    assert len(cut.text) <= limit
    words = cut.text.split()
    place = int(page.image_starts[0])
    kept_before = " ".join(page.text[s : min(e, place)] for s, e in cut.spans if s < place).split()
    assert before[len(before) - len(kept_before) :] == kept_before
    assert after[: len(words) - len(kept_before)] == words[len(kept_before) :]
    if sum(map(len, before + after)) + len(before) + len(after) + 1 <= limit:
        assert words == before + after


@pytest.mark.parametrize("shape", ["rows", "details", "obelics", "img2dataset"])
def test_the_command_gives_each_shape(shape: str) -> None:
    page = str(Path(__file__).parents[2] / "examples" / "news.html")
    arguments = ["images", page, "--url", "https://n.example/", "--format", shape]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert rows
    assert len({tuple(row) for row in rows}) == 1


def test_images_without_a_web_address_are_counted(tmp_path: Path) -> None:
    figure = "<figure><img src={}.jpg><figcaption>Words about it</figcaption></figure>"
    page = tmp_path / "page.html"
    page.write_text(figure.format("a") + figure.format("http://x.example/b") + figure.format("c"))
    arguments = ["images", str(page), "--format", "img2dataset"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == (
        f"pagecut: {page}: 2 images are left out, without a usable source; "
        "give the page's address by --url, for this page alone\n"
    )
    result = CliRunner().invoke(main, [*arguments, "--url", "https://n.example/"])
    assert len(result.stdout.splitlines()) == 3
    assert not result.stderr


WITHIN = "with only a placeholder or picture in the page itself (data:)"
ADVICE = "; give the page's address by --url, for this page alone"


@pytest.mark.parametrize(
    ("shape", "sources", "told"),
    [
        ("img2dataset", [DATA], f"1 image is left out, without a usable source; {WITHIN}"),
        (
            "img2dataset",
            [DATA, "a.jpg", DATA],
            f"3 images are left out, without a usable source; 2 of them {WITHIN}{ADVICE}",
        ),
        ("obelics", [""], "1 image is left out, without a usable source"),
        ("img2dataset", [""], "1 image is left out, without a usable source"),
        (
            "obelics",
            ["", "/blank.gif", DATA, "a.jpg"],
            f"3 images are left out, without a usable source; 2 of them {WITHIN}",
        ),
        (
            "img2dataset",
            ["https://x.org/spacer.gif", "https://x.org/a.jpg"],
            f"1 image is left out, without a usable source; {WITHIN}",
        ),
    ],
)
def test_an_address_is_asked_for_only_where_it_helps(
    shape: str, sources: list[str], told: str, tmp_path: Path
) -> None:
    figure = '<figure><img src="{}" width=640 height=480><figcaption>Words {}</figcaption></figure>'
    page = tmp_path / "page.html"
    page.write_text("".join(figure.format(src, at) for at, src in enumerate(sources)))
    command = ["images", str(page), "--format", shape, "--with", "siblings", "--all"]
    assert CliRunner().invoke(main, command).stderr == f"pagecut: {page}: {told}\n"


def test_text_without_spaces_is_capped_between_its_characters() -> None:
    page = pagecut.parse_html("<p><img src=a.jpg>港の夜明けに漁船が帰ってくる静かな町の風景</p>")
    (whole,) = FullText().extract(page)
    assert 1 <= len(capped(whole, 10).text) <= 10


@pytest.mark.parametrize("shape", ["obelics", "img2dataset"])
def test_shapes_that_are_no_text_are_not_written_as_markdown(shape: str, tmp_path: Path) -> None:
    page = str(Path(__file__).parents[2] / "examples" / "news.html")
    output = tmp_path / "x.md"
    result = CliRunner().invoke(main, ["images", page, "--format", shape, "-o", str(output)])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert not output.exists()


def test_objects_in_csv_are_json(tmp_path: Path) -> None:
    page = str(Path(__file__).parents[2] / "examples" / "news.html")
    output = tmp_path / "x.csv"
    CliRunner().invoke(main, ["images", page, "--format", "obelics", "-o", str(output)])
    with output.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert json.loads(row["general_metadata"])["url"] == page
    assert len(json.loads(row["images"])) == len(json.loads(row["texts"]))


def test_only_contexts_that_are_sure_enough_are_kept() -> None:
    def context(confidence: float | None) -> ImageContext:
        return ImageContext(page=PAGE, image=0, spans=(), made_by="x", confidence=confidence)

    contexts = [context(each) for each in (0.2, None, 0.8, 1.0)]
    assert [each.confidence for each in sure(contexts, 0.8)] == [None, 0.8, 1.0]
    assert sure(contexts, 0.0) == contexts


def test_the_command_leaves_unsure_contexts_out() -> None:
    example = str(Path(__file__).parents[2] / "examples/shop.html")
    done = CliRunner().invoke(main, ["images", example, "--min-confidence", "0.9"])
    assert done.exit_code == 0
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    everything = CliRunner().invoke(main, ["images", example]).stdout.splitlines()
    assert 0 < len(rows) < len(everything)
    assert all(row["confidence"] >= 0.9 for row in rows)
