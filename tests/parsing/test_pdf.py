"""PDF files and boxes files as pages."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from script_modules import load_script
from small_dataset import EXAMPLES
from work import lines_run

from pagecut import BoxClustering, FormatError, MissingExtra, Page, PageError
from pagecut.cli import main
from pagecut.errors import TooLarge
from pagecut.parsing.box_files import read_box_file
from pagecut.parsing.file_kinds import is_pdf
from pagecut.parsing.limits import Limits
from pagecut.parsing.pdf import PDFIUM, count_sheets, mean_colours, placed_among, read_pdf
from pagecut.parsing.sheets import Placed, sheet_page
from pagecut.results.segment_columns import SEGMENT_FIELDS

FOLDER = EXAMPLES / "pdf"
NAMES = ("paper", "invoice", "brochure")


def read(name: str) -> Page:
    (page,) = read_pdf((FOLDER / f"{name}.pdf").read_bytes(), name)
    return page


def maker() -> ModuleType:
    pytest.importorskip("fpdf")
    return load_script(FOLDER / "make_pdfs.py")


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_what_its_script_makes(name: str) -> None:
    made = maker().PDFS[name]()
    (page,) = read_pdf(made, name)
    assert page.text == read(name).text


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_has_every_column_of_a_rendered_page(name: str) -> None:
    page = read(name)
    page.require(BoxClustering.needs, "test")
    lines, nodes = page.line_boxes, page.nodes
    assert lines is not None
    assert nodes.box is not None
    assert page.kind == "pdf"
    assert page.sheet == 1
    assert page.size is not None
    assert (nodes.box[1:, 0] >= 0).all()
    assert (nodes.box[1:, 2] <= page.size[0] + 1).all()
    assert (nodes.box[1:, 3] <= page.size[1] + 1).all()
    assert [page.text[a:b] for a, b in zip(lines.start, lines.end, strict=True)] == [
        line for line in page.text.split("\n") if line != "\ufffc"
    ]


def test_the_lines_of_two_columns_stay_apart() -> None:
    page = read("paper")
    lines = page.text.split("\n")
    assert lines[0] == "Nests in hedges that are cut less often"
    assert "Hedges were once planted to keep cattle from wheat." in lines
    assert "Hedges that are cut every third winter hold twice as" in lines
    assert page.title == "Nests in hedges that are cut less often"
    assert page.nodes.font_size is not None
    assert page.nodes.font_size[1] == pytest.approx(19 * 96 / 72, abs=0.1)


def test_positions_and_colours_of_text_and_images() -> None:
    page = read("invoice")
    nodes = page.nodes
    assert nodes.box is not None
    assert nodes.color is not None
    row = page.text.split("\n").index("Plantpot & Sons") + 1
    assert nodes.color[row].tolist() == [20, 70, 140, 255]
    # The cell starts at 42 mm; a mm is 96 / 25.4 px.
    assert nodes.box[row, 0] == pytest.approx(42 * 96 / 25.4, abs=2)
    (logo,) = page.images
    expected = np.array([20, 15, 38, 33]) * 96 / 25.4
    assert nodes.box[logo.node] == pytest.approx(expected, abs=1)
    red, green, blue, _ = nodes.color[logo.node].tolist()
    assert red > green > blue, "a brown pot on white"


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_turned_sheet_is_read_as_it_is_shown(angle: int, tmp_path: Path) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    document = pdfium.PdfDocument((FOLDER / "invoice.pdf").read_bytes())
    document[0].set_rotation(angle)
    document.save(tmp_path / "turned.pdf")
    (page,) = read_pdf((tmp_path / "turned.pdf").read_bytes(), "turned")
    straight = read("invoice")
    assert page.size is not None
    assert straight.size is not None
    assert page.nodes.box is not None
    assert straight.nodes.box is not None
    width, height = straight.size
    assert page.size == pytest.approx((height, width) if angle != 180 else (width, height))
    left, top, right, bottom = straight.nodes.box[straight.images[0].node]
    turned = {
        90: (height - bottom, left, height - top, right),
        180: (width - right, height - bottom, width - left, height - top),
        270: (top, width - right, bottom, width - left),
    }[angle]
    assert page.nodes.box[page.images[0].node] == pytest.approx(turned, abs=1)


def drawn(content: bytes, to_unicode: bytes = b"", rotate: int = 0) -> bytes:
    """A PDF of one sheet, 300 points wide and 200 high, with the font F."""
    return b"".join(
        [
            b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
            b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n",
            b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Rotate %d" % rotate,
            b"/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj\n",
            b"4 0 obj<</Length %d>>stream\n%s\nendstream endobj\n" % (len(content), content),
            b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode 6 0 R>>endobj\n",
            b"6 0 obj<</Length %d>>stream\n%s\nendstream endobj\n" % (len(to_unicode), to_unicode),
            b"trailer<</Root 1 0 R>>\n%%EOF",
        ]
    )


# The signs from A on are those of the Hebrew alphabet.
HEBREW = (
    b"/CMapName/X def 1 begincodespacerange<00><ff>endcodespacerange "
    b"1 beginbfrange<41><5a><05d0>endbfrange"
)


def test_what_is_written_from_right_to_left_is_in_lines() -> None:
    shown = b"BT /F 12 Tf 100 150 Td (DCB 2024 ONML A) Tj 0 -20 Td (abc GFE def) Tj ET"
    (page,) = read_pdf(drawn(shown, HEBREW), "hebrew")
    assert page.text == "א כלםמ 2024 בגד\nabc הוז def"
    assert page.line_boxes is not None
    left, _, right, _ = page.line_boxes.box[0] * (72 / 96)
    assert (left, right) == pytest.approx((100, 100 + 15 * 7.2), abs=1)


def picture(left: int, bottom: int, width: int, height: int) -> bytes:
    """What draws an image, to a content stream."""
    place = b"%d 0 0 %d %d %d" % (width, height, left, bottom)
    return b"q %s cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q\n" % place


def written(left: int, bottom: int, text: str) -> bytes:
    return b"BT /F 10 Tf %d %d Td (%s) Tj ET\n" % (left, bottom, text.encode())


TWO_COLUMNS = b"".join(
    [
        written(10, 180, "Tea and cups"),
        written(10, 150, "Green or black."),
        written(10, 60, "Figure 1: leaves"),
        written(10, 30, "Hot water."),
        written(160, 150, "Made of clay."),
        written(160, 130, "Table 1: cups"),
        written(160, 20, "The end."),
    ]
)


def test_images_stand_where_they_are_among_the_lines() -> None:
    drawings = picture(160, 40, 100, 80) + picture(10, 75, 100, 60) + TWO_COLUMNS
    (page,) = read_pdf(drawn(drawings), "tea")
    assert page.text.split("\n") == [
        "Tea and cups",
        "Green or black.",
        "\ufffc",
        "Figure 1: leaves",
        "Hot water.",
        "Made of clay.",
        "Table 1: cups",
        "\ufffc",
        "The end.",
    ]
    assert [image.index for image in page.images] == [0, 1]
    assert page.nodes.box is not None
    lefts = [round(float(page.nodes.box[image.node, 0]) * 72 / 96) for image in page.images]
    assert lefts == [10, 160]


def line(text: str, box: tuple[float, float, float, float]) -> Placed:
    return Placed(text=text, box=box)


@pytest.mark.parametrize(
    ("box", "before"),
    [
        ((0, 100, 50, 140), "under"),  # nearer to the line below
        ((0, 45, 50, 60), "right"),  # to that above, which ends the column
        ((0, 0, 200, 300), "over"),  # behind all of it
        ((0, 21, 200, 30), "left"),  # to the line over both columns
        ((300, 0, 400, 300), None),  # beside all of it
    ],
)
def test_an_image_is_beside_the_nearest_line(
    box: tuple[float, float, float, float], before: str | None
) -> None:
    lines = [
        line("over", (0, 0, 200, 20)),
        line("left", (0, 34, 90, 44)),
        line("right", (110, 34, 200, 44)),
        line("under", (0, 150, 200, 170)),
    ]
    found = placed_among(lines, [Placed(text=None, box=box)])
    texts = [each.text for each in found]
    assert [text for text in texts if text] == ["over", "left", "right", "under"]
    at = texts.index(None)
    assert (texts[at + 1] if at + 1 < len(texts) else None) == before


def test_many_images_cost_in_proportion() -> None:
    def cost(count: int) -> int:
        lines = [line("a", (0, 20 * at, 9, 20 * at + 9)) for at in range(count)]
        images = [Placed(text=None, box=(0, 20 * at, 9, 20 * at + 20)) for at in range(count)]
        return lines_run(lambda: placed_among(lines, images))

    assert cost(2000) < 2.5 * cost(1000)


def test_text_off_the_sheet_is_left_out() -> None:
    places = ("20 100", "-200 100", "400 100", "20 300", "20 -100", "280 150")
    shown = "".join(f"BT /F 12 Tf {each} Td (at {each}) Tj ET " for each in places)
    (page,) = read_pdf(drawn(shown.encode()), "cropped")
    assert page.text.split("\n") == ["at 20 100", "at 280 150"]


def test_columns_from_right_to_left_stay_apart() -> None:
    shown = b"BT /F 12 Tf 20 150 Td (CBA) Tj 200 0 Td (FED) Tj ET"
    (page,) = read_pdf(drawn(shown, HEBREW), "hebrew")
    assert sorted(page.text.split("\n")) == ["אבג", "דהו"]


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize(
    "matrix", ["1 0 0 1 50 100", "0 1 -1 0 60 20", "-1 0 0 -1 250 100", "0 -1 1 0 60 180"]
)
def test_turned_text_is_in_lines(matrix: str, rotate: int) -> None:
    shown = f"BT /F 12 Tf {matrix} Tm (Turned by a quarter) Tj ET"
    (page,) = read_pdf(drawn(shown.encode(), rotate=rotate), "turned")
    assert page.text == "Turned by a quarter"
    assert page.line_boxes is not None
    assert page.size is not None
    left, top, right, bottom = page.line_boxes.box[0]
    assert max(right - left, bottom - top) == pytest.approx(19 * 7.2 * 96 / 72, abs=1)
    assert 0 < left < right < page.size[0]
    assert 0 < top < bottom < page.size[1]


@pytest.mark.parametrize("name", NAMES)
def test_golden_segments(name: str, check_golden: Callable[[str, str], None]) -> None:
    method = BoxClustering(threshold="auto")
    page = read(name)
    parts = [
        f"== {segment.number}: {len(segment.images)} images\n{segment.text}\n"
        for segment in method.segment(page).segments
    ]
    chosen = method.explain(page).chosen["threshold"]
    check_golden(f"box-clustering-{name}.txt", f"threshold {chosen:g}\n" + "".join(parts))


def claiming(sheets: int) -> bytes:
    """A PDF with one sheet that says it has others."""
    return (
        b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count %d>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%%%EOF" % sheets
    )


def test_more_sheets_than_any_file_has_are_refused() -> None:
    assert count_sheets(claiming(1), "small") == 1
    with pytest.raises(TooLarge, match="huge: says it has 1,000,000 sheets, more than 100,000"):
        count_sheets(claiming(1_000_000), "huge")


def test_sheets_are_counted_while_others_are_read() -> None:
    data = (FOLDER / "paper.pdf").read_bytes()

    def look(number: int) -> int:
        if number % 2:
            return count_sheets(data, "paper")
        with PDFIUM:
            return len(list(read_pdf(data, "paper")))

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(look, range(40))) == {1}


def test_sheets_are_pages_of_their_own() -> None:
    fpdf = pytest.importorskip("fpdf")
    pdf = fpdf.FPDF()
    pdf.set_font("Helvetica", size=12)
    for word in ("one", "two", "three"):
        pdf.add_page()
        pdf.cell(40, 10, word)
    pages = list(read_pdf(bytes(pdf.output()), "three", "https://example.org/a.pdf"))
    assert [page.text for page in pages] == ["one", "two", "three"]
    assert [page.sheet for page in pages] == [1, 2, 3]
    assert len({page.id for page in pages}) == 3
    assert {page.url for page in pages} == {"https://example.org/a.pdf"}


def test_an_empty_sheet_is_an_empty_page() -> None:
    fpdf = pytest.importorskip("fpdf")
    pdf = fpdf.FPDF()
    pdf.add_page()
    (page,) = read_pdf(bytes(pdf.output()), "empty")
    assert page.text == ""
    assert len(BoxClustering().segment(page)) == 0


def test_broken_files_are_named() -> None:
    with pytest.raises(PageError, match=r"x\.pdf: no PDF that can be read"):
        list(read_pdf(b"%PDF-1.7 rubbish", "x.pdf"))
    whole = (FOLDER / "paper.pdf").read_bytes()
    with pytest.raises(PageError, match=r"cut\.pdf"):
        list(read_pdf(whole[:500], "cut.pdf"))
    with pytest.raises(TooLarge, match="limit"):
        list(read_pdf(whole, "big.pdf", limits=Limits(size=100)))
    with pytest.raises(TooLarge, match="limit"):
        list(read_pdf(whole, "long.pdf", limits=Limits(nodes=100)))


def test_a_title_that_is_no_text_is_none() -> None:
    whole = drawn(b"BT /F 12 Tf 9 9 Td (Tea) Tj ET")
    info = b"trailer<</Info 7 0 R/Root"
    for title, expected in ((b"<FEFFD83DDE00>", "😀"), (b"<FEFFD800>", "")):
        named = whole.replace(b"trailer<</Root", b"7 0 obj<</Title%s>>endobj\n%s" % (title, info))
        (page,) = read_pdf(named, "titled")
        assert (page.title, page.text) == (expected, "Tea")


def test_a_password_is_asked_for() -> None:
    fpdf = pytest.importorskip("fpdf")
    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_encryption(owner_password="a", user_password="b")
    with pytest.raises(PageError, match=r"locked\.pdf: needs a password; save it without one"):
        list(read_pdf(bytes(pdf.output()), "locked.pdf"))


def test_images_count_towards_the_limit() -> None:
    fpdf = pytest.importorskip("fpdf")
    image = pytest.importorskip("PIL.Image")
    pdf = fpdf.FPDF()
    pdf.add_page()
    for place in range(12):
        pdf.image(image.new("RGB", (2, 2), (200, 100, 50)), x=10 * place, y=10, w=8)
    data = bytes(pdf.output())
    (page,) = read_pdf(data, "row")
    assert len(page.images) == 12
    assert page.nodes.color is not None
    assert page.nodes.color[1:, :3] == pytest.approx(np.tile([200, 100, 50], (12, 1)), abs=3)
    with pytest.raises(TooLarge, match="limit"):
        list(read_pdf(data, "row", limits=Limits(nodes=10)))


@given(
    corners=st.lists(st.tuples(*[st.floats(0, 9)] * 4), min_size=1, max_size=5),
    seed=st.integers(0, 9),
)
def test_average_colours_are_those_of_the_pixels(
    corners: list[tuple[float, ...]], seed: int
) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (6, 8, 3)).astype(np.uint8)
    boxes = [(min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in corners]
    expected = []
    for left, top, right, bottom in boxes:
        part = pixels[
            int(top) : max(int(bottom), int(top) + 1), int(left) : max(int(right), int(left) + 1)
        ]
        grey = (128, 128, 128)
        expected.append(tuple(part.mean(axis=(0, 1)).round()) if part.size else grey)
    assert mean_colours(pixels, np.array(boxes)) == expected


def test_what_is_a_pdf() -> None:
    assert is_pdf(b"%PDF-1.4\n")
    assert is_pdf(b"\r\n%PDF-1.4\n")
    assert not is_pdf(b"<p>a file that starts with %PDF-</p>")
    assert not is_pdf(b"")


def test_the_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtra, match=r"pagecut\[pdf\]"):
        list(read_pdf(b"%PDF-", "a.pdf"))


def test_white_space_and_empty_texts_of_a_sheet() -> None:
    page = sheet_page(
        [
            Placed(text="  two \n words ", box=(0, 0, 10, 10)),
            Placed(text=" ", box=(0, 20, 10, 30)),
            Placed(text=None, box=(0, 40, 10, 50)),
        ],
        source=b"x",
        sheet=4,
        size=(10, 50),
    )
    assert page.text == "two words\n\ufffc"
    assert page.sheet == 4
    assert [image.index for image in page.images] == [0]
    assert page.node(1).text == "two words"


CSV = """left,top,right,bottom,colour,text
0,0,100,20,#000000,first line
0,24,100,44,#000000,"second, line"
0,300,100,400,#ff0000,
"""


def test_boxes_from_csv_and_json_are_the_same_page() -> None:
    (page,) = read_box_file(CSV.encode(), "boxes.csv")
    assert page.text == "first line\nsecond, line\n\ufffc"
    assert page.size == (100, 400)
    assert page.nodes.color is not None
    assert page.nodes.color[3].tolist() == [255, 0, 0, 255]
    records = [
        {"left": 0, "top": 0, "right": 100, "bottom": 20, "color": "#000000", "text": "first line"},
        {"left": 0, "top": 24, "right": 100, "bottom": 44, "text": "second, line"},
        {"left": 0, "top": 300, "right": 100, "bottom": 400, "colour": "#FF0000"},
    ]
    (same,) = read_box_file(json.dumps(records).encode(), "boxes.json")
    assert same.text == page.text
    assert np.array_equal(np.asarray(same.nodes.box), np.asarray(page.nodes.box))
    assert [each.text for each in BoxClustering(threshold=0.4).segment(page).segments] == [
        "first line\nsecond, line"
    ]


def test_a_boxes_file_may_have_several_sheets() -> None:
    text = "sheet,left,top,right,bottom,text\n2,0,0,9,9,b\n1,0,0,5,5,a\n2,0,9,9,19,c\n"
    pages = list(read_box_file(text.encode(), "a.csv"))
    assert [(page.sheet, page.text) for page in pages] == [(1, "a"), (2, "b\nc")]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "left,top\n1,2\n", "a.csv: no column right, bottom"),
        ("a.csv", "left,top,right,bottom\n1,2,x,4\n", "box 1: right must be a number"),
        ("a.csv", "left,top,right,bottom\n1,2,,4\n", "box 1: right is missing"),
        ("a.csv", "left,top,right,bottom\n9,2,3,4\n", "must not be before"),
        ("a.csv", "left,top,right,bottom\n1,2,inf,4\n", "must be a number up to"),
        ("a.csv", "left,top,right,bottom,colour\n1,2,3,4,red\n", "#rrggbb, got 'red'"),
        ("a.csv", "left,top,right,bottom,sheet\n1,2,3,4,0\n", "whole number from 1"),
        ("a.csv", "left,top,right,bottom,size\n1,2,3,4,5\n", "unknown field 'size'"),
        ("a.csv", "left,top,right,bottom,text\n1,2,3,4,tea, milk\n", "box 1: more fields than the"),
        ("a.csv", "left,top,right,bottom,text\n", "a.csv: no boxes in it"),
        ("a.json", "[]", "a.json: no boxes in it"),
        ("a.json", "{}", "a list of objects"),
        ("a.json", "[1]", "a list of objects"),
        ("a.json", "[", "no JSON"),
        ("a.json", '[{"left": true, "top": 0, "right": 1, "bottom": 1}]', "must be a number"),
        ("a.json", '[{"left": 0, "top": 0, "right": 1, "bottom": 1, "text": 5}]', "text must be"),
    ],
)
def test_a_bad_boxes_file_is_named_with_the_value(name: str, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_box_file(text.encode(), name))
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_half_a_character_of_a_box_is_replaced() -> None:
    text = '[{"left": 0, "top": 0, "right": 1, "bottom": 1, "text": "a\\ud83d\\ude00b\\ud800c"}]'
    (page,) = read_box_file(text.encode(), "a.json")
    assert page.text == "a😀b\ufffdc"


@pytest.mark.parametrize("name", ["package.json", "prices.csv"])
def test_a_page_about_a_file_is_no_boxes_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("\n<!doctype html><title>A file</title><p>Tea", encoding="utf-8")
    result = run("segment", path)
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["text"] == "Tea"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def test_the_command_reads_pdfs_and_boxes(tmp_path: Path) -> None:
    boxes = tmp_path / "boxes.csv"
    boxes.write_text(CSV, encoding="utf-8")
    result = run("segment", FOLDER / "paper.pdf", boxes, "--with", "box-clustering(threshold=0.4)")
    assert result.exit_code == 0, result.stderr
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert all(tuple(row) == SEGMENT_FIELDS for row in rows)
    assert {row["sheet"] for row in rows} == {1}
    assert all(row["xpaths"] == [] for row in rows)
    assert all(len(row["box"]) == 4 for row in rows)
    assert rows[-1]["text"] == "first line\nsecond, line"
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.4 nothing")
    result = run("segment", broken, boxes, "--with", "box-clustering")
    assert result.exit_code == 1
    assert "broken.pdf" in result.stderr
    assert "first line" in result.stdout, "the others are still processed"


def test_sheets_are_named_in_messages_and_reports(tmp_path: Path) -> None:
    path = tmp_path / "two.pdf"
    once = drawn(b"BT /F 12 Tf 9 9 Td (Tea) Tj ET")
    path.write_bytes(once.replace(b"/Kids[3 0 R]/Count 1", b"/Kids[3 0 R 3 0 R]/Count 2"))
    result = run("images", path)
    assert result.stderr.splitlines() == [
        f"pagecut: {path}, sheet {sheet}: the page has no images" for sheet in (1, 2)
    ]
    for command in ("show", "explain"):
        assert f"{path.name}, sheet 2" in run(command, path).stdout.replace("\n", "")
    report = tmp_path / "report.html"
    assert run("report", path, "-o", report).exit_code == 0
    assert "two.pdf, sheet 2</a>" in report.read_text(encoding="utf-8")
