"""Rows to files, and back again."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from pagecut import image_contexts, parse_html
from pagecut.errors import FormatError
from pagecut.results.image_columns import IMAGE_FIELDS
from pagecut.results.image_rows import image_rows
from pagecut.results.row_files import FORMATS, Row, check_output, create_file, json_line, write_rows
from pagecut.results.segment_columns import SEGMENT_FIELDS

HOSTILE = 'a, "b"\r\n=1+1;\t<script>|\\ 日本 \u2028 \x00 é'


def row(**values: Any) -> Row:
    return {**dict.fromkeys(SEGMENT_FIELDS), "page": "id", "made_by": "m", "text": "", **values}


def image_row(**values: Any) -> Row:
    empty = {"page": "id", "made_by": "m", "image": 0, "tag": "img", "context": ""}
    return {**dict.fromkeys(IMAGE_FIELDS), **empty, **values}


def written(format: str, *rows: Row) -> str:
    file = io.StringIO(newline="")
    write_rows(iter(rows), file, format, tuple(rows[0]) if rows else SEGMENT_FIELDS)
    return file.getvalue()


def quoted_lines(markdown: str) -> list[str]:
    return [line for line in markdown.splitlines() if line and not line.startswith("#")]


def test_json_lines_has_one_object_per_line() -> None:
    rows = [row(text=HOSTILE, spans=[(0, 3)]), row(text="b", score=0.5)]
    lines = written("jsonl", *rows).removesuffix("\n").split("\n")
    assert [json.loads(line) for line in lines] == [{**rows[0], "spans": [[0, 3]]}, rows[1]]


def test_json_keeps_letters_readable() -> None:
    assert json_line({"text": "日本 é"}) == '{"text": "日本 é"}'


@pytest.mark.parametrize("count", [0, 1, 3])
def test_json_is_a_list(count: int) -> None:
    rows = [row(text=HOSTILE, segment=number) for number in range(count)]
    assert json.loads(written("json", *rows)) == rows


def test_csv_quotes_what_it_must() -> None:
    rows = [row(text=HOSTILE, spans=[(0, 3)], xpaths=["/a[1]", "/b,c"], score=None)]
    heading, cells = csv.reader(io.StringIO(written("csv", *rows), newline=""))
    assert tuple(heading) == SEGMENT_FIELDS
    found = dict(zip(heading, cells, strict=True))
    assert found["text"] == HOSTILE
    assert json.loads(found["spans"]) == [[0, 3]]
    assert json.loads(found["xpaths"]) == ["/a[1]", "/b,c"]
    assert found["score"] == ""


def test_csv_without_rows_has_its_heading() -> None:
    assert written("csv") == ",".join(SEGMENT_FIELDS) + "\r\n"


def test_markdown_has_a_heading_per_page_and_a_part_per_segment() -> None:
    rows = [
        row(url="http://a/", segment=0, text="one\ntwo"),
        row(url="http://a/", segment=1, text="three"),
        row(page="other", segment=0, text="four"),
    ]
    assert written("md", *rows) == (
        "# http://a/ · m\n\n## Segment 0\n\n> one  \n> two  \n\n## Segment 1\n\n> three  \n\n"
        "# other · m\n\n## Segment 0\n\n> four  \n\n"
    )


def test_markdown_of_images_names_source_alt_and_context() -> None:
    rows = [
        image_row(src="http://a/i.png", alt="An\n image", context="one"),
        image_row(image=1),
    ]
    assert written("md", *rows) == (
        "# id · m\n\n## Image 0: http://a/i.png\n\nAlt: An image\n\n> one  \n\n"
        "## Image 1: img\n\n(no context)\n\n"
    )


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("# heading", r"\# heading"),
        ("```", r"\`\`\`"),
        ("~~~", r"\~\~\~"),
        ("<script>", r"\<script\>"),
        ("[a](b) ![c](d)", r"\[a\](b) !\[c\](d)"),
        ("*a* _b_", r"\*a\* \_b\_"),
        ("a | b", r"a \| b"),
        ("> quote", r"\> quote"),
        ("&lt;", r"\&lt;"),
        ("===", r"\==="),
        ("---", r"\---"),
        ("- item", r"\- item"),
        ("  + item", r"  \+ item"),
        ("1. item", r"1\. item"),
        ("23) item", r"23\) item"),
        ("1.5 is a - number", r"1\.5 is a - number"),
        ("1 - 2", "1 - 2"),
        ("a\\", r"a\\"),
    ],
)
def test_text_is_no_markup_in_markdown(text: str, escaped: str) -> None:
    assert quoted_lines(written("md", row(segment=0, text=text))) == [f"> {escaped}  "]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\n"])
def test_every_line_of_text_stays_in_its_quote(end: str) -> None:
    lines = quoted_lines(written("md", row(segment=0, text=f"a{end}# b")))
    assert lines[0] == "> a  "
    assert lines[-1] == r"> \# b  "
    assert all(line.startswith("> ") for line in lines)


def test_a_heading_in_markdown_stays_in_its_line() -> None:
    hostile = "x\n# [y](z) <b>"
    headings = written("md", image_row(url=hostile, src=hostile)).split("\n\n")
    assert headings[:2] == [r"# x \# \[y\](z) \<b\> · m", r"## Image 0: x \# \[y\](z) \<b\>"]


def test_a_hostile_page_gives_harmless_markdown() -> None:
    page = parse_html("<pre>a\n&#13;# b\n</pre><img src='x.png\n# y' alt='</p>\n# z'>")
    markdown = written("md", *image_rows(image_contexts(page), page, "name"))
    assert [line for line in markdown.splitlines() if line.startswith("#")] == [
        "# name · item",
        r"## Image 0: x.png\# y",
    ]


def test_an_unknown_format_lists_what_there_is() -> None:
    with pytest.raises(FormatError, match="no format 'xml'; there are jsonl, json, csv, md"):
        written("xml", row())


@pytest.mark.parametrize("format", FORMATS)
def test_the_ending_of_a_file_gives_the_format(tmp_path: Path, format: str) -> None:
    assert check_output(tmp_path / f"out.{format}") == format
    assert check_output(tmp_path / f"out.x.{format.upper()}") == format


@pytest.mark.parametrize("name", ["out", "out.xml", "out.jsonl.gz", ".json"])
def test_an_unknown_ending_lists_those_there_are(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError, match=r"unknown ending; use \.jsonl, \.json, \.csv, \.md"):
        check_output(tmp_path / name)


def test_an_ending_must_be_one_of_those_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"out\.md: unknown ending; use \.csv$"):
        check_output(tmp_path / "out.md", ("csv",))


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"out\.csv: the folder .*nosuch does not exist"):
        check_output(tmp_path / "nosuch" / "out.csv")


def test_a_file_that_cannot_be_written_is_a_format_error(tmp_path: Path) -> None:
    with (
        pytest.raises(FormatError, match="cannot be written: Is a directory"),
        create_file(tmp_path),
    ):
        pass
