"""PDF files: each sheet a Page of lines of text and images, where they are and in which colour.

Lines are put together from the letters in the order of the file: a letter goes on with the line
where it stands on the same height and close behind. Of what is written from right to left, words
do, on either side: PDFium gives words in the order of reading, and numbers from left to right.
Drawn lines and shapes are left out.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import threading
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import PageError, TooLarge, needed
from pagecut.page import Page
from pagecut.page.boxes import enclosing
from pagecut.page.nodes import Box
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.parsing.sheets import Colour, Placed, sheet_page

PDFIUM: Final = threading.Lock()  # the library is not for several threads at once
_PIXELS: Final = 96 / 72  # CSS px in a PDF point
_FINE: Final = 64  # steps in a px for PDFium, which maps to whole numbers
_SAME_HEIGHT: Final = 0.5  # of the lower letter
_CLOSE: Final = 0.7  # em between letters of one line
_NEXT_WORD: Final = 0.15  # em between words that no space parts
_PICTURE_SIDE: Final = 400  # px of the sheet's picture from which images get their colours
_HYPHEN: Final = 2  # PDFium's sign for a hyphen at the end of a line
_MOST_SHEETS: Final = 100_000  # any number can be written into a file of a few bytes
_MOST_NEAR: Final = 200  # lines above an image, and below, of which the nearest is sought
_GREY: Final = (128, 128, 128)
_FROM_RIGHT: Final = frozenset({"R", "AL"})  # Unicode's classes of Hebrew and Arabic letters

_Matrix = NDArray[np.float64]  # (2, 3)


def count_sheets(source: bytes | Path, name: str) -> int:
    """How many sheets a PDF file says it has; nothing of them is read."""
    with PDFIUM, contextlib.closing(_opened(source, name)) as document:
        count = len(document)
    if count > _MOST_SHEETS:
        raise TooLarge(f"{name}: says it has {count:,} sheets, more than {_MOST_SHEETS:,}")
    return count


def _opened(source: bytes | Path, name: str) -> Any:
    with needed("pypdfium2", "pdf"):
        import pypdfium2
    try:
        return pypdfium2.PdfDocument(source)
    except (pypdfium2.PdfiumError, OSError) as error:
        if getattr(error, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise PageError(
                f"{name}: needs a password; save it without one and give that"
            ) from error
        raise PageError(f"{name}: no PDF that can be read: {error}") from error


def read_pdf(
    data: bytes,
    name: str,
    url: str | None = None,
    *,
    sheet: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Page]:
    """The sheets of a PDF file, one after the other.

    Args:
        name: what the file is called in messages.
        sheet: only this one, from 0.
    """
    limits.check_size(len(data), name)
    with contextlib.closing(_opened(data, name)) as document:
        from pypdfium2 import PdfiumError

        title = _title(document)
        for number in range(len(document)) if sheet is None else [sheet]:
            try:
                found = document[number]
                placed, size = _read_sheet(found, limits, name)
                found.close()
            except PdfiumError as error:
                raise PageError(f"{name}: sheet {number + 1} cannot be read: {error}") from error
            yield sheet_page(placed, source=data, sheet=number + 1, size=size, url=url, title=title)


def _title(document: Any) -> str:
    try:
        return str(document.get_metadata_value("Title"))
    except UnicodeDecodeError:
        return ""


def _read_sheet(sheet: Any, limits: Limits, name: str) -> tuple[list[Placed], tuple[float, float]]:
    width, height = (float(side) * _PIXELS for side in sheet.get_size())
    matrix = _to_pixels(sheet, width, height)
    lines = [line.placed() for line in _lines(sheet, matrix, limits, name)]
    # Nobody sees what lies off the sheet, as printers' marks around a crop do.
    lines = [
        line
        for line in lines
        if line.box[0] < width and line.box[1] < height and min(line.box[2:]) > 0
    ]
    images = _images(sheet, matrix, width, height, limits, name)
    return placed_among(lines, images), (width, height)


def placed_among(lines: Sequence[Placed], images: Sequence[Placed]) -> list[Placed]:
    """Lines in their order, and each image beside the nearest line above or below it: a caption,
    mostly. One that no line is above or below comes at the end.

    Only so many lines are looked at on either side, since thousands of images may be on a sheet.
    """
    by_height = sorted(range(len(lines)), key=lambda number: _middle(lines[number]))
    heights = [_middle(lines[number]) for number in by_height]
    places: list[tuple[float, float, float, int]] = []
    for number, image in enumerate(images):
        left, top, right, bottom = image.box
        height = _middle(image)
        at = bisect_left(heights, height)
        near = by_height[max(0, at - _MOST_NEAR) : at + _MOST_NEAR]
        found = [
            (max(0.0, lines[each].box[1] - bottom, top - lines[each].box[3]), each)
            for each in near
            if lines[each].box[0] < right and left < lines[each].box[2]
        ]
        gap, line = min(found, default=(0.0, len(lines)))
        below = gap == 0.0 or _middle(lines[line]) > height
        places.append((line - 0.5 if below else line + 0.5, top, left, number))
    placed = [(float(number), 0.0, 0.0, 0) for number in range(len(lines))]
    return [
        lines[int(place)] if place == int(place) else images[number]
        for place, _, _, number in sorted([*placed, *places])
    ]


def _middle(placed: Placed) -> float:
    return (placed.box[1] + placed.box[3]) / 2


def _to_pixels(sheet: Any, width: float, height: float) -> _Matrix:
    """What takes a point of the sheet to CSS px from its upper left corner, as it is shown."""
    import pypdfium2.raw as pdfium

    across, down = round(width * _FINE), round(height * _FINE)
    far = 1000.0
    points = []
    for x, y in ((0.0, 0.0), (far, 0.0), (0.0, far)):
        mapped_x, mapped_y = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(
            sheet, 0, 0, across, down, 0, x, y, ctypes.byref(mapped_x), ctypes.byref(mapped_y)
        )
        points.append((mapped_x.value / _FINE, mapped_y.value / _FINE))
    origin, right, up = np.array(points)
    return np.stack([(right - origin) / far, (up - origin) / far, origin], axis=1)


def _shown(matrix: _Matrix, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 4) boxes (left, bottom, right, top in points) as left, top, right, bottom in px."""
    corners = np.stack([boxes[:, [0, 1]], boxes[:, [2, 3]], boxes[:, [0, 3]], boxes[:, [2, 1]]])
    mapped = corners @ matrix[:, :2].T + matrix[:, 2]
    return np.concatenate([mapped.min(axis=0), mapped.max(axis=0)], axis=1)


class _Letter(NamedTuple):
    """A letter of a sheet.

    Args:
        box: as if the sheet were turned so that the letter is upright.
        turn: quarter turns clockwise that it is shown with.
        word: number of the word, as spaces part them.
    """

    sign: str
    box: Box
    turn: int
    font_size: float
    colour: Colour
    weight: int
    word: int


@dataclass(slots=True)
class _Line:
    """A line while letters are added to it."""

    box: Box
    turn: int
    font_size: float
    text: list[str] = field(default_factory=list)
    colours: Counter[Colour] = field(default_factory=Counter)
    weights: Counter[int] = field(default_factory=Counter)
    word: int = -1
    from_right: bool = False

    def goes_on_with(self, letter: _Letter) -> bool:
        """Whether a letter belongs to this line, that goes to the right."""
        em = max(letter.font_size, self.font_size)
        gap = letter.box[0] - self.box[2]
        return self._is_level(letter.turn, letter.box) and -em < gap < _CLOSE * em

    def has_beside(self, word: Sequence[_Letter]) -> bool:
        """Whether a word belongs to this line, on whatever side of it or inside."""
        box = enclosing([letter.box for letter in word])
        em = max(_size(word), self.font_size)
        gap = max(box[0] - self.box[2], self.box[0] - box[2])
        return self._is_level(word[0].turn, box) and gap < _CLOSE * em

    def _is_level(self, turn: int, box: Box) -> bool:
        shared = min(self.box[3], box[3]) - max(self.box[1], box[1])
        lower = min(self.box[3] - self.box[1], box[3] - box[1])
        return turn == self.turn and shared >= _SAME_HEIGHT * lower

    def add(self, letter: _Letter) -> None:
        gap = letter.box[0] - self.box[2]
        if self.text and (letter.word != self.word or gap > _NEXT_WORD * self.font_size):
            self.text.append(" ")
        self.text.append(letter.sign)
        self.word = letter.word
        self.colours[letter.colour] += 1
        self.weights[letter.weight] += 1
        self.box = enclosing([self.box, letter.box])

    def placed(self) -> Placed:
        return Placed(
            text="".join(self.text),
            box=_turned(self.box, -self.turn),
            colour=self.colours.most_common(1)[0][0],
            font_size=self.font_size,
            font_weight=float(self.weights.most_common(1)[0][0]),
        )


def _size(word: Sequence[_Letter]) -> float:
    """The font size of a word; single letters may have boxes too low to tell."""
    return max(letter.font_size for letter in word)


def _turned(box: Box, quarters: int) -> Box:
    """A box on a sheet that is turned counterclockwise around its corner."""
    for _ in range(quarters % 4):
        left, top, right, bottom = box
        box = top, -right, bottom, -left
    return box


def _lines(sheet: Any, matrix: _Matrix, limits: Limits, name: str) -> list[_Line]:
    """The letters of a sheet, put together to lines."""
    lines: list[_Line] = []

    for _, letters in groupby(_letters(sheet, matrix, limits, name), lambda letter: letter.word):
        word = list(letters)
        from_right = any(unicodedata.bidirectional(each.sign) in _FROM_RIGHT for each in word)
        if from_right or (lines and lines[-1].from_right):
            if not (lines and lines[-1].has_beside(word)):
                lines.append(_Line(word[0].box, word[0].turn, _size(word)))
            lines[-1].from_right |= from_right
            for letter in word:
                lines[-1].add(letter)
            continue
        for letter in word:
            if not (lines and lines[-1].goes_on_with(letter)):
                lines.append(_Line(letter.box, letter.turn, letter.font_size))
            lines[-1].add(letter)
    return lines


def _letters(sheet: Any, matrix: _Matrix, limits: Limits, name: str) -> Iterator[_Letter]:
    """The letters of a sheet that can be seen, in the order of the file."""
    import pypdfium2.raw as pdfium

    text = sheet.get_textpage()
    count = text.count_chars()
    limits.check_nodes(count, name)
    codes = [pdfium.FPDFText_GetUnicode(text, index) for index in range(count)]
    boxes = np.zeros((count, 4))
    rectangle = pdfium.FS_RECTF()
    for index in range(count):
        if pdfium.FPDFText_GetLooseCharBox(text, index, ctypes.byref(rectangle)):
            boxes[index] = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2])))) or _PIXELS
    sheet_turn = math.atan2(matrix[1, 0], matrix[0, 0])
    number = 0
    for index, (code, row) in enumerate(zip(codes, _shown(matrix, boxes).tolist(), strict=True)):
        sign = "-" if code == _HYPHEN else chr(min(code, 0x10FFFF))
        if sign.isspace() or not (sign.isprintable() or 0xD800 <= code < 0xE000):
            number += 1
            continue
        left, top, right, bottom = row
        if not (right > left and bottom > top):
            continue
        turn = _quarters(sheet_turn + float(pdfium.FPDFText_GetCharAngle(text, index)))
        box = _turned((left, top, right, bottom), turn)
        weight = pdfium.FPDFText_GetFontWeight(text, index)
        yield _Letter(
            sign,
            box,
            turn,
            _font_size(text, index, box[3] - box[1], scale),
            _colour(text, index),
            weight if weight > 0 else 400,
            number,
        )
    text.close()


def _quarters(angle: float) -> int:
    return round(angle / (math.pi / 2)) % 4


def _font_size(text: Any, index: int, height: float, scale: float) -> float:
    """The size of a letter in px; its height where the file scales fonts otherwise."""
    import pypdfium2.raw as pdfium

    size = float(pdfium.FPDFText_GetFontSize(text, index)) * scale
    return size if 0.5 * height <= size <= 2 * height else height


def _colour(text: Any, index: int) -> Colour:
    import pypdfium2.raw as pdfium

    parts = [ctypes.c_uint(0) for _ in range(4)]
    pdfium.FPDFText_GetFillColor(text, index, *(ctypes.byref(part) for part in parts))
    red, green, blue = (part.value & 255 for part in parts[:3])
    return red, green, blue


def _images(
    sheet: Any, matrix: _Matrix, width: float, height: float, limits: Limits, name: str
) -> list[Placed]:
    """The images of a sheet, each with the average colour of its place in a small picture."""
    import pypdfium2.raw as pdfium

    found: list[NDArray[np.float64]] = []
    for each in sheet.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE]):
        limits.check_nodes(len(found) + 1, name)
        found.append(_shown(matrix, _bounds(each))[0])
    inside = np.array([0.0, 0.0, width, height])
    boxes = [
        np.concatenate([np.maximum(box[:2], inside[:2]), np.minimum(box[2:], inside[2:])])
        for box in found
    ]
    boxes = [box for box in boxes if box[2] > box[0] and box[3] > box[1]]
    if not boxes:
        return []
    scale = _PICTURE_SIDE / max(width, height)
    picture = sheet.render(scale=scale * _PIXELS, rev_byteorder=True, no_smoothtext=True)
    pixels = picture.to_numpy()[:, :, :3]
    colours = mean_colours(pixels, np.array(boxes) * scale)
    placed = []
    for box, colour in zip(boxes, colours, strict=True):
        left, top, right, bottom = box.tolist()
        placed.append(Placed(text=None, box=(left, top, right, bottom), colour=colour))
    picture.close()
    return placed


def mean_colours(pixels: NDArray[np.uint8], boxes: NDArray[np.float64]) -> list[Colour]:
    """The average colour of a picture inside each box, at least a pixel wide and high.

    By a table of sums, since thousands of images may each cover the whole sheet.
    """
    height, width, _ = pixels.shape
    sums = np.zeros((height + 1, width + 1, 3), dtype=np.int64)
    sums[1:, 1:] = pixels.cumsum(axis=0, dtype=np.int64).cumsum(axis=1)
    left, top, right, bottom = boxes.astype(np.int64).T
    right, bottom = np.maximum(right, left + 1), np.maximum(bottom, top + 1)
    left, right = (np.clip(x, 0, width) for x in (left, right))
    top, bottom = (np.clip(y, 0, height) for y in (top, bottom))
    total = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    count = ((right - left) * (bottom - top))[:, None]
    mean = np.where(count > 0, total / np.maximum(count, 1), _GREY).round().astype(int)
    return [(red, green, blue) for red, green, blue in mean.tolist()]


def _bounds(image: Any) -> NDArray[np.float64]:
    """(1, 4) left, bottom, right, top in points; forms around the image move it."""
    left, bottom, right, top = image.get_bounds()
    corners = [(left, bottom), (right, top), (left, top), (right, bottom)]
    form = image.container
    while form is not None:
        matrix = form.get_matrix()
        corners = [matrix.on_point(x, y) for x, y in corners]
        form = form.container
    points = np.array(corners)
    return np.concatenate([points.min(axis=0), points.max(axis=0)])[None, :]
