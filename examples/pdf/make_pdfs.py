"""Make the three example PDFs: a paper in two columns, an invoice, a brochure.

    python examples/pdf/make_pdfs.py [FOLDER]

Needs fpdf2 (`pip install '.[dev]'`). The files are the same each time.
"""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF, XPos, YPos
from PIL import Image, ImageDraw

DATE = datetime(2024, 5, 2, tzinfo=UTC)
GREY = (110, 110, 110)
BLUE = (20, 70, 140)
RED = (170, 40, 30)

INTRODUCTION = (
    "Hedges were once planted to keep cattle from wheat. Today they keep soil on the slope, "
    "water in "
    "the ground and birds in the valley. How much of this a hedge does depends on how wide it "
    "is and "
    "how it is cut, and both have changed within one lifetime.",
    "We walked along two hundred and twelve hedges in the Oxmere valley in the spring of three "
    "years. "
    "Each was measured at ten places. The farmers told us when and how they had cut it last.",
)
METHODS = (
    "A hedge counts as dense where less than a tenth of the light passes through it at knee "
    "height. "
    "We used a lamp and a meter on opposite sides after dark, on evenings without wind.",
    "Birds were counted by ear during the first hour of daylight. A bird that sang twice within "
    "twenty steps was counted once. Two people counted each hedge on different days.",
)
RESULTS = (
    "Hedges that are cut every third winter hold twice as many nests as those cut every year. The "
    "effect is the same on both sides of the river, and it is larger where the hedge is wider than "
    "two metres.",
    "Width and age are related, so that we cannot tell them apart with these data. A hedge that "
    "was "
    "left alone for nine years had fewer nests again, since it was open at the bottom.",
)
DISCUSSION = (
    "What a farmer saves by cutting less often is about the price of one day's work for each "
    "kilometre and year. What the valley gains is harder to put into money.",
    "Our counts say nothing about hedges along roads, which are cut for the sake of traffic. They "
    "make up a third of all hedges in the county and deserve a study of their own.",
)


def paper() -> bytes:
    """One sheet in two columns, with a title, authors, an abstract, a chart and a footer."""
    pdf = _sheet("Nests in hedges that are cut less often")
    pdf.set_font("Times", "B", 19)
    pdf.set_xy(20, 18)
    pdf.cell(170, 9, "Nests in hedges that are cut less often", align="C")
    pdf.set_font("Times", "", 11)
    pdf.set_xy(20, 30)
    pdf.cell(170, 5, "Ines Albrecht and Rolf Tanner", align="C")
    pdf.set_text_color(*GREY)
    pdf.set_xy(20, 35.5)
    pdf.cell(170, 5, "Field Station Oxmere, Tilley", align="C")
    pdf.set_text_color(0)
    pdf.set_font("Times", "I", 9.5)
    pdf.set_xy(38, 47)
    pdf.multi_cell(
        134,
        4.3,
        "We compare hedges that are cut every year with hedges that are cut every third year, and "
        "find twice as many nests in the latter. The result holds for wide hedges in particular.",
    )
    y = _column(pdf, 20, 66, (("1  Introduction", INTRODUCTION), ("2  Methods", METHODS)))
    pdf.image(_chart(), x=20, y=y + 5, w=80)
    pdf.set_font("Times", "", 8.5)
    pdf.set_xy(20, y + 58)
    pdf.multi_cell(80, 3.8, "Figure 1: Nests per kilometre by years since the last cut.")
    _column(pdf, 110, 66, (("3  Results", RESULTS), ("4  Discussion", DISCUSSION)))
    pdf.set_font("Times", "", 8.5)
    pdf.set_text_color(*GREY)
    pdf.set_xy(20, 283)
    pdf.cell(170, 4, "Journal of the Oxmere Valley 12 (2024), page 41", align="C")
    return _bytes(pdf)


def _column(pdf: FPDF, x: float, y: float, parts: tuple[tuple[str, tuple[str, ...]], ...]) -> float:
    for heading, paragraphs in parts:
        pdf.set_font("Times", "B", 12)
        pdf.set_xy(x, y)
        pdf.cell(80, 6, heading)
        y += 8
        pdf.set_font("Times", "", 10)
        for paragraph in paragraphs:
            pdf.set_xy(x, y)
            pdf.multi_cell(80, 4.4, paragraph, align="J")
            y = pdf.get_y() + 1.6
        y += 5
    return y


def invoice() -> bytes:
    """One sheet with a letterhead, two addresses, a table and terms."""
    pdf = _sheet("Invoice 2024-0317")
    pdf.image(_logo(), x=20, y=15, w=18)
    pdf.set_font("Helvetica", "B", 20)
    pdf.set_text_color(*BLUE)
    pdf.set_xy(42, 17)
    pdf.cell(80, 10, "Plantpot & Sons")
    pdf.set_font("Helvetica", "", 9)
    pdf.set_text_color(*GREY)
    _lines(
        pdf, 145, 16, 4.4, ("4 Mill Lane", "Tilley TL3 9QX", "01632 960 417", "pots@example.org")
    )
    pdf.set_text_color(0)
    pdf.set_font("Helvetica", "", 10)
    _lines(pdf, 20, 52, 5, ("Hotel Harbour View", "Accounts", "17 Quay Street", "Oxmere OX1 2PD"))
    pdf.set_font("Helvetica", "B", 16)
    pdf.set_xy(20, 88)
    pdf.cell(100, 8, "Invoice 2024-0317")
    pdf.set_font("Helvetica", "", 10)
    _lines(pdf, 145, 88, 5, ("Date: 2 May 2024", "Due: 1 June 2024", "Customer: 1184"))
    y = 112.0
    pdf.set_font("Helvetica", "B", 10)
    for x, word, align in ((20, "Item", "L"), (105, "Number", "R"), (135, "Price", "R")):
        pdf.set_xy(x, y)
        pdf.cell(25, 6, word, align=align)
    pdf.set_xy(165, y)
    pdf.cell(25, 6, "Sum", align="R")
    pdf.set_font("Helvetica", "", 10)
    for item, number, price in (
        ("Terracotta pot, 30 cm", 24, 11.50),
        ("Terracotta pot, 45 cm", 12, 19.00),
        ("Saucer, 30 cm", 24, 3.20),
        ("Window box, glazed green", 8, 27.75),
        ("Delivery to the harbour", 1, 45.00),
    ):
        y += 7
        pdf.set_xy(20, y)
        pdf.cell(80, 6, item)
        for x, word in ((105, f"{number}"), (135, f"{price:.2f}"), (165, f"{number * price:.2f}")):
            pdf.set_xy(x, y)
            pdf.cell(25, 6, word, align="R")
    pdf.set_font("Helvetica", "B", 10)
    for label, value in (("Net", "847.80"), ("VAT 20 %", "169.56"), ("Total", "1,017.36")):
        y += 8
        pdf.set_xy(135, y)
        pdf.cell(25, 6, label, align="R")
        pdf.set_xy(165, y)
        pdf.cell(25, 6, value, align="R")
    pdf.set_font("Helvetica", "", 9)
    pdf.set_xy(20, 200)
    pdf.multi_cell(
        170,
        4.6,
        "Please pay within thirty days to the account below and give the number of the invoice. "
        "Pots "
        "remain ours until they are paid for. Broken ones are replaced if you tell us within a "
        "week.",
    )
    pdf.set_text_color(*GREY)
    pdf.set_font("Helvetica", "", 8)
    _lines(pdf, 20, 272, 4, ("Bank of Tilley", "Account 0042 1184 77"))
    _lines(pdf, 90, 272, 4, ("Registered in Oxmere", "No. 55 120"))
    _lines(pdf, 155, 272, 4, ("VAT number", "OX 9017 224"))
    return _bytes(pdf)


def brochure() -> bytes:
    """One sheet, landscape, with a banner, three offers with pictures, and a dark footer."""
    pdf = _sheet("Three days by the lake", orientation="L")
    pdf.image(_picture((90, 150, 190), (40, 90, 60)), x=0, y=0, w=297, h=60)
    pdf.set_text_color(*BLUE)
    pdf.set_font("Helvetica", "B", 30)
    pdf.set_xy(15, 66)
    pdf.cell(150, 14, "Three days by the lake")
    pdf.set_text_color(*GREY)
    pdf.set_font("Helvetica", "", 13)
    pdf.set_xy(15, 80)
    pdf.cell(150, 8, "Walks, boats and evenings by the fire, from March to October")
    offers = (
        ("The long walk", (120, 160, 90), "Round the lake in seven hours, with a guide who knows "
         "every bird. Soup and bread are waiting at the far end.", "48 per person"),
        ("The slow boat", (80, 130, 170), "Six people, one boat, no engine. We show you how to "
         "sail "
         "it before noon, and after lunch it is yours.", "65 per person"),
        ("The warm room", (190, 120, 70), "Rain is no reason to stay at home. Books, a piano, a "
         "fire, "
         "and cake that comes out of the oven at four.", "39 per person"),
    )  # fmt: skip
    for number, (heading, colour, text, price) in enumerate(offers):
        x = 15 + 92 * number
        pdf.image(_picture(colour, (60, 60, 60)), x=x, y=98, w=78, h=34)
        pdf.set_text_color(0)
        pdf.set_font("Helvetica", "B", 14)
        pdf.set_xy(x, 135)
        pdf.cell(78, 7, heading)
        pdf.set_font("Helvetica", "", 10.5)
        pdf.set_xy(x, 143)
        pdf.multi_cell(78, 5, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        pdf.set_text_color(*RED)
        pdf.set_font("Helvetica", "B", 12)
        pdf.set_xy(x, 165)
        pdf.cell(78, 6, price)
    pdf.set_fill_color(*BLUE)
    pdf.rect(0, 190, 297, 20, style="F")
    pdf.set_text_color(255)
    pdf.set_font("Helvetica", "", 11)
    for x, words in ((15, "Lake House, 2 Shore Road, Oxmere"), (130, "01632 960 888")):
        pdf.set_xy(x, 197)
        pdf.cell(90, 6, words)
    pdf.set_xy(222, 197)
    pdf.cell(60, 6, "lakehouse.example", align="R")
    return _bytes(pdf)


def _sheet(title: str, orientation: str = "P") -> FPDF:
    pdf = FPDF(orientation=orientation, format="A4")  # type: ignore[arg-type]
    pdf.set_creation_date(DATE)
    pdf.set_title(title)
    pdf.set_auto_page_break(False)
    pdf.c_margin = 0
    pdf.add_page()
    return pdf


def _lines(pdf: FPDF, x: float, y: float, step: float, lines: tuple[str, ...]) -> None:
    for number, line in enumerate(lines):
        pdf.set_xy(x, y + step * number)
        pdf.cell(60, step, line)


def _bytes(pdf: FPDF) -> bytes:
    return bytes(pdf.output())


def _png(image: Image.Image) -> io.BytesIO:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file


def _chart() -> io.BytesIO:
    image = Image.new("RGB", (400, 240), (245, 245, 245))
    draw = ImageDraw.Draw(image)
    for number, height in enumerate((60, 95, 180, 170, 150, 120, 90)):
        draw.rectangle((30 + 52 * number, 220 - height, 62 + 52 * number, 220), fill=(60, 110, 170))
    draw.line((20, 220, 390, 220), fill=(0, 0, 0), width=2)
    return _png(image)


def _logo() -> io.BytesIO:
    image = Image.new("RGB", (120, 120), (255, 255, 255))
    draw = ImageDraw.Draw(image)
    draw.polygon(((20, 40), (100, 40), (85, 115), (35, 115)), fill=(180, 90, 50))
    draw.ellipse((35, 2, 85, 45), fill=(70, 140, 70))
    return _png(image)


def _picture(above: tuple[int, int, int], below: tuple[int, int, int]) -> io.BytesIO:
    image = Image.new("RGB", (320, 140), above)
    draw = ImageDraw.Draw(image)
    draw.polygon(((0, 140), (0, 100), (90, 60), (180, 110), (320, 50), (320, 140)), fill=below)
    return _png(image)


PDFS = {"paper": paper, "invoice": invoice, "brochure": brochure}


def main() -> None:
    """Write all three."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, make in PDFS.items():
        (folder / f"{name}.pdf").write_bytes(make())


if __name__ == "__main__":
    main()
