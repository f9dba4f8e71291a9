"""Listings of pages for whoever marks their images or blocks, and what is written back.

python experiments/listings.py write images|blocks FOLDER PAGES DATASET...
python experiments/listings.py collect images|blocks FOLDER DATASET...

`write` chooses pages that `own_marks.py` may have and does not have yet (one of a site, none of a
site that is annotated) and writes a listing of each: texts and images in the order and nesting of
the page, each line of text with its number. `collect` reads the answers, `NAME.json` beside
`NAME.txt`, and adds them to `image_marks.jsonl` or `block_marks.jsonl`. An answer is

- of images, `{"images": {"0": "logo", "1": "3-5,9", ...}}`: for each image the numbers of its
  lines, or why it has none; an image about which the reader is not sure is left out;
- of blocks, `{"regions": [["header", "0-14"], ...], "blocks": [["navigation", "2-14"], ...]}`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from own_marks import BLOCKS, IMAGES, digest, read_block_marks, read_image_marks

from pagecut.evaluation.datasets import DatasetPage, read_dataset
from pagecut.evaluation.sites import site_of
from pagecut.page import IMAGE_CHARACTER, Page

SKIPPED = ("logo", "icon", "ad", "decoration", "no-text")
ROLES = ("header navigation content aside comments form ad footer other").split()
MOST_IMAGES = 100
MOST_LINES = {"images": 1400, "blocks": 420}
LEAST_LINES = {"images": 0, "blocks": 25}
LONGEST = 110  # characters of a line that are shown
FAR = 22  # lines from an image
MENU = 6  # links in a row that are shown as one line
SEED = 7

_LINK_OR_ELEMENT = re.compile(r"( *)~?(?:(\d+)\[a\] (.*)|<(?:div|ul|ol|li|nav|span|a)[ >].*)$")

_IMAGE = re.compile(r" *~?IMG ")
_TITLE = re.compile(r"^ *~?\d+\[[^]]*h[1-3]")

Line = tuple[int, int]


def lines_of(page: Page) -> list[Line]:
    """The ranges of text that no newline and no image parts, without white space around them."""
    found = []
    for match in re.finditer(rf"[^\n{IMAGE_CHARACTER}]+", page.text):
        text = match.group()
        start = match.start() + len(text) - len(text.lstrip())
        end = match.start() + len(text.rstrip())
        if start < end:
            found.append((start, end))
    return found


def listing(page: Page, what: str = "images") -> str:
    """The page as it is marked; lines that no image is near are left out where only images are."""
    nodes = page.nodes
    lines = lines_of(page)
    number_at = {start: number for number, (start, _) in enumerate(lines)}
    places = {
        image.node: place
        for place, image in enumerate(each for each in page.images if each.tag == "img")
    }
    shown = [f"TITLE {page.title}", f"URL {page.url or ''}"]
    depth = {-1: 0}
    for row in range(len(nodes)):
        start, end = int(nodes.start[row]), int(nodes.end[row])
        indent = depth.get(int(nodes.parent[row]), 0)
        depth[row] = indent
        hidden = "~" if nodes.hidden[row] & 3 else ""
        tag = nodes.tag_names[int(nodes.tag[row])]
        if row in places:
            shown.append(f"{' ' * indent}{hidden}IMG {places[row]} {_image(page, row)}")
        elif nodes.kind[row] == 0:
            inside = page.text[start:end]
            if "\n" in inside.strip() or (IMAGE_CHARACTER in inside and len(inside.strip()) > 1):
                names = page.attrs.get(row, {})
                name = " ".join(
                    part for part in (names.get("id", ""), names.get("class", "")) if part
                )
                parent = int(nodes.parent[row])
                alone = parent >= 0 and (nodes.start[parent], nodes.end[parent]) == (start, end)
                if not alone or tag in ("article", "figure", "li", "main", "nav", "aside"):
                    shown.append(f"{' ' * indent}{hidden}<{tag}{' ' if name else ''}{name[:45]}>")
                    depth[row] = indent + 1
        elif start in number_at:
            number = number_at[start]
            text = _short(page, *lines[number])
            shown.append(f"{' ' * indent}{hidden}{number}{_tag(page, row)} {text}")
    lines = list(_without_menus(shown))
    return "\n".join(_near_images(lines) if what == "images" else lines) + "\n"


def _near_images(shown: Sequence[str]) -> Iterator[str]:
    """Lines that have an image near them, and headings."""
    images = [at for at, line in enumerate(shown) if _IMAGE.match(line)]
    near = {at for image in images for at in range(image - FAR, image + FAR + 1)}
    left_out = False
    for at, line in enumerate(shown):
        if at in near or at < 2 or _TITLE.search(line):
            yield line
            left_out = False
        elif not left_out:
            yield " (lines without images near them)"
            left_out = True


def _without_menus(shown: Sequence[str]) -> Iterator[str]:
    """Lines, with those of many links in a row, and what is around each of them, as one."""
    at = 0
    while at < len(shown):
        end, links = at, []
        while end < len(shown) and (match := _LINK_OR_ELEMENT.match(shown[end])):
            if match[2]:
                links.append(end)
            end += 1
        if len(links) < MENU:
            yield from shown[at : max(end, at + 1)]
            at = max(end, at + 1)
            continue
        yield from shown[at : links[0] + 2]
        first, last = (_LINK_OR_ELEMENT.match(shown[each]) for each in (links[2], links[-2]))
        if first and last:
            texts = " … ".join(each[3][:20].strip() for each in (first, last))
            yield f"{first[1]}{first[2]} to {last[2]}: links, {texts}"
        yield from shown[links[-1] : end]
        at = end


def _tag(page: Page, row: int) -> str:
    """What a line of text is, where its element says so."""
    nodes = page.nodes
    names = set()
    at = row
    for _ in range(5):
        at = int(nodes.parent[at])
        if at < 0:
            break
        tag = nodes.tag_names[int(nodes.tag[at])]
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6", "figcaption", "button", "th", "a", "time"):
            names.add(tag)
        if tag in ("div", "li", "section", "article", "td"):
            break
    return f"[{','.join(sorted(names))}]" if names else ""


def _short(page: Page, start: int, end: int) -> str:
    text = page.readable(start, end)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 30]} […{len(text.split())} words…] {text[-20:]}"


def _image(page: Page, row: int) -> str:
    image = next(each for each in page.images if each.node == row)
    parts = []
    if image.alt:
        parts.append(f"alt={image.alt[:80]!r}")
    if image.src:
        name = image.src.partition("?")[0].rstrip("/").rpartition("/")[2]
        parts.append(f"src={name[-45:]}" if not image.src.startswith("data:") else "src=data:")
    if image.width or image.height:
        parts.append(f"{image.width or '?'}x{image.height or '?'}")
    name = page.attrs.get(row, {}).get("class", "")
    if name:
        parts.append(f"class={name[:30]}")
    return " ".join(parts)


def candidates(dataset: Sequence[DatasetPage], what: str) -> Iterator[DatasetPage]:
    """Pages that may be marked: one of each site that nobody has marked a page of."""
    marked = read_image_marks() if what == "images" else read_block_marks()
    task = "image-context" if what == "images" else "segmentation"
    taken = {site_of(each) for each in dataset if each.has_truth(task) or each.id in marked}
    pages = [each for each in dataset if each.has_truth("main-text")]
    Random(SEED).shuffle(pages)
    for each in pages:
        if site_of(each) not in taken:
            taken.add(site_of(each))
            yield each


def write(dataset: Sequence[DatasetPage], what: str, folder: Path, most: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for entry in candidates(dataset, what):
        page, _ = entry.load()
        images = sum(image.tag == "img" for image in page.images)
        if what == "images" and not 2 <= images <= MOST_IMAGES:
            continue
        if not LEAST_LINES[what] <= len(lines_of(page)) <= MOST_LINES[what]:
            continue
        name = entry.id.replace("/", "_")
        (folder / f"{name}.txt").write_text(listing(page, what), encoding="utf-8")
        count += 1
        if count == most:
            break
    print(f"{count} listings in {folder}")


def spans_of(answer: str, lines: Sequence[Line], page: Page, over_images: bool) -> list[list[int]]:
    """The ranges of the lines that an answer names; lines side by side are one range.

    Args:
        over_images: whether an image between two lines does not part them.
    """
    numbers: set[int] = set()
    for part in answer.split(","):
        first, _, last = part.strip().partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    spans: list[list[int]] = []
    before = -2
    for number in sorted(numbers):
        start, end = lines[number]
        joins = number == before + 1 and (
            over_images or IMAGE_CHARACTER not in page.text[spans[-1][1] : start]
        )
        if joins:
            spans[-1][1] = end
        else:
            spans.append([start, end])
        before = number
    return spans


def image_marks(answer: dict[str, Any], page: Page) -> dict[str, Any]:
    lines = lines_of(page)
    known = sum(image.tag == "img" for image in page.images)
    found: dict[str, str | list[list[int]]] = {}
    for place, own in sorted(answer["images"].items(), key=lambda each: int(each[0])):
        if not 0 <= int(place) < known:
            raise ValueError(f"there is no image {place}")
        found[place] = own if own in SKIPPED else spans_of(own, lines, page, False)
    return {"images": found}


def block_marks(answer: dict[str, Any], page: Page) -> dict[str, Any]:
    lines = lines_of(page)
    found = {}
    for level in ("regions", "blocks"):
        if unknown := {role for role, _ in answer[level]} - set(ROLES):
            raise ValueError(f"no roles: {unknown}")
        found[level] = [(role, spans_of(own, lines, page, True)) for role, own in answer[level]]
    return found


def collect(dataset: Sequence[DatasetPage], what: str, folder: Path) -> None:
    path, make = (IMAGES, image_marks) if what == "images" else (BLOCKS, block_marks)
    rows = path.read_text(encoding="utf-8").splitlines()
    marked = {json.loads(row)["page"] for row in rows}
    entries = {each.id.replace("/", "_"): each for each in dataset}
    added = 0
    for answer in sorted(folder.glob("*.json")):
        entry = entries[answer.stem]
        if entry.id in marked:
            continue
        page, _ = entry.load()
        try:
            found = make(json.loads(answer.read_text(encoding="utf-8")), page)
        except (ValueError, KeyError, IndexError, AttributeError) as error:
            print(f"{answer.name}: left out, {type(error).__name__}: {error}")
            continue
        row = {"page": entry.id, "text": digest(page), **found}
        rows.append(json.dumps(row, separators=(",", ":")))
        added += 1
    rows.sort(key=lambda row: str(json.loads(row)["page"]))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{added} pages added to {path.name}")


def main(arguments: Sequence[str]) -> None:
    if len(arguments) < 4 or arguments[0] not in ("write", "collect"):
        sys.exit(__doc__)
    command, what, folder = arguments[0], arguments[1], Path(arguments[2])
    writes = command == "write"
    dataset = [each for name in arguments[3 + writes :] for each in read_dataset(name)]
    if writes:
        write(dataset, what, folder, int(arguments[3]))
    else:
        collect(dataset, what, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
