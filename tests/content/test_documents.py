"""Documents are well formed, hold the main text, and keep what they are asked to."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import given
from strategies import pages

from pagecut import Page, parse_html
from pagecut.cli import main
from pagecut.content.clean_html import to_html
from pagecut.content.documents import to_document
from pagecut.content.formats import DOCUMENT_FORMATS, SHORT_NAMES
from pagecut.content.main_text import MainText, main_text
from pagecut.corpus.settings import RunSettings

EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCE = (
    "<main><h1>Tea</h1><div>Green, <a href=/b>brewed</a> &amp; <b>hot</b>.<br>Twice.</div>"
    "<ul><li>One<li>Two</ul><pre>a  b</pre><img src=c.png alt='A cup'>"
    "<table><tr><th>x<td>1</table><a href='#x'>up</a></main>"
)
PAGE = parse_html(SOURCE, "https://example.org/a/")


def test_html_keeps_structure_links_and_images() -> None:
    assert to_html(PAGE, [(0, len(PAGE.text))]) == (
        '<h1>Tea</h1>\n<p>Green, <a href="https://example.org/b">brewed</a> &amp; '
        "<b>hot</b>.<br/>\n"
        "Twice.</p>\n<ul><li>One</li>\n<li>Two</li></ul>\n<pre>a  b</pre>\n"
        '<p><img src="https://example.org/a/c.png" alt="A cup"/></p>\n'
        "<table><tbody><tr><th>x</th>\n<td>1</td></tr></tbody></table>\n<p>up</p>"
    )


def test_html_keeps_what_cells_span_and_where_lists_begin() -> None:
    page = parse_html(
        "<ol start=4><li>x</ol><table><tr><th rowspan=2>a<th colspan=2>b<tr><td><td>1</table>"
    )
    found = to_html(page, [(0, len(page.text))])
    assert found.replace("\n", "") == (
        '<ol start="4"><li>x</li></ol><table><tbody><tr><th rowspan="2">a</th>'
        '<th colspan="2">b</th></tr><tr><td></td><td>1</td></tr></tbody></table>'
    )


def test_links_and_images_are_left_out_if_asked() -> None:
    for form in ("html", "xml", "markdown"):
        plain = to_document(PAGE, form, links=False, images=False)  # type: ignore[arg-type]
        assert "brewed" in plain
        assert "example.org/b" not in plain
        assert "c.png" not in plain


@given(pages)
def test_html_is_well_formed_and_holds_the_text(page: Page) -> None:
    spans = MainText().spans(page)
    tree = ElementTree.fromstring(f"<div>{to_html(page, spans)}</div>")
    words = "".join(page.text[start:end] for start, end in spans).replace("\ufffc", "").split()
    found = "".join(tree.itertext())
    if all(word.isprintable() for word in words):
        assert "".join(found.split()) == "".join(words)


@given(pages)
def test_xml_and_json_can_be_read(page: Page) -> None:
    doc = ElementTree.fromstring(to_document(page, "xml", name="p"))
    row = json.loads(to_document(page, "json", name="p"))
    assert doc.attrib["page_type"] == row["page_type"]
    assert row["text"] == to_document(page)


@pytest.mark.parametrize(("short", "form"), SHORT_NAMES.items())
def test_formats_have_short_names(short: str, form: str) -> None:
    assert to_document(PAGE, short) == to_document(PAGE, form)  # type: ignore[arg-type]
    assert main_text(PAGE, short) == main_text(PAGE, form)  # type: ignore[arg-type]
    assert RunSettings(text=short) == RunSettings(text=form)  # type: ignore[arg-type]
    name = str(EXAMPLES / "docs.html")
    outputs = [
        CliRunner().invoke(main, ["text", name, "--format", each]).output
        for each in (short, form, short.upper())
    ]
    assert len(set(outputs)) == 1
    assert outputs[0]


@pytest.mark.parametrize("command", [["text"], ["text", "--format", "json"], ["chunk"]])
def test_a_page_without_main_text_says_what_helps(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "menu.html"
    path.write_text("<nav><a href=a>Home</a><a href=b>News</a></nav>")
    result = CliRunner().invoke(main, [*command, str(path)])
    assert result.exit_code == 0
    remedy = "--favour recall gives the likeliest lines"
    assert result.stderr == f"pagecut: {path}: no main text was found; {remedy}\n"
    result = CliRunner().invoke(main, [*command, "--favour", "recall", str(path)])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Home" in result.stdout


def test_a_wrong_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format must be one of text, markdown, json, html, xml"):
        to_document(PAGE, "pdf")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", DOCUMENT_FORMATS)
def test_each_page_gets_a_file_of_its_own(form: str, tmp_path: Path) -> None:
    names = [str(EXAMPLES / "docs.html"), str(EXAMPLES / "article.html")]
    copy = tmp_path / "docs.html"
    copy.write_bytes((EXAMPLES / "docs.html").read_bytes())
    arguments = ["text", *names, str(copy), "--format", form, "--output-dir", str(tmp_path / "out")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    ending = DOCUMENT_FORMATS[form]
    found = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert found == [f"article{ending}", f"docs-2{ending}", f"docs{ending}"]


def test_a_text_is_no_table(tmp_path: Path) -> None:
    arguments = ["text", str(EXAMPLES / "docs.html"), "-o", str(tmp_path / "x.parquet")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "a text is no table" in result.output
    assert not any(tmp_path.iterdir())


def test_an_ending_that_picks_no_format_is_refused(tmp_path: Path) -> None:
    source, output = str(EXAMPLES / "docs.html"), tmp_path / "x.docx"
    result = CliRunner().invoke(main, ["text", source, "-o", str(output)])
    assert result.exit_code == 2
    assert "x.docx: unknown ending; use .txt, .md, .json, .html, .xml, .jsonl" in result.output
    assert not output.exists()
    result = CliRunner().invoke(main, ["text", source, "-o", str(output), "--format", "text"])
    assert result.exit_code == 0
    assert output.read_text("utf-8").startswith("Tidelog")
    assert CliRunner().invoke(main, ["text", source, "-o", str(tmp_path / "x")]).exit_code == 0


def test_a_format_that_is_named_counts_more_than_the_ending(tmp_path: Path) -> None:
    source, output = str(EXAMPLES / "docs.html"), tmp_path / "x.md"
    CliRunner().invoke(main, ["text", source, "-o", str(output), "--format", "text"])
    assert not output.read_text("utf-8").startswith("#")
    CliRunner().invoke(main, ["text", source, "-o", str(output), "--front-matter"])
    assert output.read_text("utf-8").startswith("---")


def test_a_file_and_a_folder_are_too_much(tmp_path: Path) -> None:
    arguments = ["text", str(EXAMPLES / "docs.html"), "-o", "x.txt", "--output-dir", str(tmp_path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "either --output or --output-dir" in result.output


def test_the_ending_of_a_file_picks_the_format(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    source.write_text(
        "<article>" + "<h2>Tea</h2><p>Green or black, and hot, as everybody here drinks it. " * 6
    )
    begins_with = {"md": "## ", "json": "[", "jsonl": "{", "xml": "<", "txt": "Tea"}
    for ending, begins in begins_with.items():
        output = tmp_path / f"out.{ending}"
        command = ["text", str(source), "-o", str(output), "--favour", "recall"]
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
        assert output.read_text().lstrip().startswith(begins), ending
    other = tmp_path / "other.html"
    other.write_text("<p>Coffee")
    command = ["text", str(source), str(other), "-o", str(tmp_path / "o.xml")]
    done = CliRunner().invoke(main, command)
    assert "holds one page" in done.output
