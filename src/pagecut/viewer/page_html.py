"""A page's HTML to be shown without running it: its elements and style, no scripts, no addresses.

Elements and attributes are let through by name. Whatever is left out leaves a comment in its
place, so that the browser counts the text nodes around it as the parser did; `data-row` says which
node of the page an element is. The policy of the iframe forbids again what was left out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from pagecut.page import Page
from pagecut.page.addresses import split_address
from pagecut.page.tags import VOID
from pagecut.page.xpath import node_paths
from pagecut.parsing.composition import compose
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import read_page_tree
from pagecut.parsing.images import Attributes
from pagecut.parsing.lexbor import Tree

MOST_STYLE: Final = 2_000_000  # characters of one style sheet
# They give a box where they stand, and nothing inside it.
_EMBEDDED: Final = frozenset(
    "iframe object embed applet video audio canvas noscript amp-img frame".split()
)
_DROPPED: Final = frozenset(
    "script template base meta link style title head frameset portal fencedframe param source "
    "track foreignobject use animate animatemotion animatetransform set image feimage".split()
)
_ATTRIBUTES: Final = frozenset(
    """
    class id dir lang align valign bgcolor width height colspan rowspan cellpadding cellspacing
    border color face size type value placeholder checked disabled rows cols hidden open start alt
    nowrap noshade clear span wrap reversed selected multiple
    viewbox d fill stroke stroke-width x y cx cy r rx ry x1 y1 x2 y2 points transform
    preserveaspectratio opacity fill-rule clip-rule text-anchor font-size
    """.split()
)
_CASED: Final = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_ADDRESS = re.compile(r"url\s*\(|image-set\s*\(|src\s*\(|@import|expression\s*\(|\\", re.IGNORECASE)
_PASSIVE_DATA = re.compile(r"data:image/(?:png|gif|jpeg|webp|svg\+xml)[;,]", re.IGNORECASE)
_MOST_DATA: Final = 300_000
_OWN_STYLE: Final = (
    "x-embedded{display:inline-block;min-width:1em;min-height:1em;"
    "background:repeating-linear-gradient(45deg,#8883 0 6px,#8881 6px 12px)}"
    "img:not([src]){display:inline-block;min-width:1em;min-height:1em;background:#8883}"
    "*{animation:none!important;transition:none!important}"
)


class PageHtmlWriter:
    """Writes the HTML of one page.

    Args:
        images: addresses of the images that may be shown, by their row.
        folder: where the page's style sheets lie; None to take none.
    """

    def __init__(self, page: Page, images: dict[int, str], folder: Path | None) -> None:
        self._rows = {path: row for row, path in enumerate(node_paths(page))}
        self._images = images
        self._folder = folder

    def html(self, source: bytes | str) -> str:
        """The page's source without what could act."""
        text = source if isinstance(source, str) else decode(source)[0]
        tree = read_page_tree(text.encode("utf-8", "replace"), "the page", everything=True)
        parts = ["<!doctype html>\n"]
        if len(tree):
            styles = "\n".join(self._styles(tree))
            if tree.composed:  # the page was parsed from the same source, and so within its limits
                tree, _ = compose(tree, "the page")
            parts.extend(self._walk(tree, styles))
        return "".join(parts)

    def _styles(self, tree: Tree) -> Iterator[str]:
        for node in sorted(tree.find("style") + tree.find("link")):
            attributes = tree.attributes_of(node)
            if tree.tag(node) == "style":
                yield safe_style("".join(map(tree.text, tree.children(node))))
            elif "stylesheet" in (attributes.get("rel") or "").lower().split():
                media = attributes.get("media") or "all"
                if re.fullmatch(r"[\w\s(),:.-]+", media):
                    style = safe_style(self._read_style(attributes.get("href") or ""))
                    yield f"@media {media} {{\n{style}\n}}"

    def _read_style(self, address: str) -> str:
        """A style sheet in the page's folder; nothing is fetched."""
        try:
            parts = split_address(address)
            if self._folder is None or parts.scheme or parts.netloc or not parts.path:
                return ""
            root = self._folder.resolve(strict=True)
            file = (root / unquote(parts.path).lstrip("/")).resolve(strict=True)
            if not file.is_relative_to(root) or not file.is_file():
                return ""
            with file.open("rb") as stream:
                return stream.read(MOST_STYLE).decode("utf-8", "replace")
        except (OSError, ValueError, RuntimeError):
            return ""

    def _walk(self, tree: Tree, styles: str) -> Iterator[str]:
        """Every node in document order, without recursion."""
        steps: list[tuple[int, str] | str] = [(0, "/html[1]")]
        while steps:
            step = steps.pop()
            if isinstance(step, str):
                yield step
                continue
            node, path = step
            tag, attributes = (tree.tag(node) or "").lower(), tree.attributes_of(node)
            local = tag.rpartition(":")[2]
            if node == 0 or tag == "html":
                head = f'<head><meta charset="utf-8"><style>{_OWN_STYLE}\n{styles}</style></head>'
                yield f"<html{self._attributes(tag, attributes, path)}>{head}"
                steps.append("</html>")
            elif not _NAME.fullmatch(tag) or local in _DROPPED:
                yield "<!---->"
                continue
            elif tag in _EMBEDDED:
                yield f"<x-embedded{self._size(attributes)}{self._row(path)}></x-embedded>"
                continue
            else:
                yield f"<{tag}{self._attributes(tag, attributes, path)}>"
                if tag in VOID:
                    continue
                steps.append(f"</{tag}>")
                if tag in ("pre", "textarea", "listing"):
                    yield "\n"  # which the browser's parser takes away again
            steps.extend(reversed(list(self._children(tree, node, path))))

    def _children(self, tree: Tree, node: int, path: str) -> Iterator[tuple[int, str] | str]:
        counts: dict[str, int] = {}
        for child in tree.children(node):
            tag = tree.tag(child)
            if tree.is_text(child):
                yield escape(tree.text(child), quote=False)
            elif tag is not None:
                name = tag.lower().rpartition(":")[2]
                counts[name] = counts.get(name, 0) + 1
                if name != "head":
                    yield child, f"{path}/{name}[{counts[name]}]"
            else:
                yield "<!---->"

    def _attributes(self, tag: str, attributes: Attributes, path: str) -> str:
        parts = [self._row(path)]
        for name, value in attributes.items():
            lower = name.lower()
            text = value or ""
            if lower == "style":
                parts.append(f' style="{escape(safe_style(text))}"')
            elif lower in _ATTRIBUTES and not _ADDRESS.search(text):
                parts.append(f' {_CASED.get(lower, lower)}="{escape(text)}"')
        if tag == "a" and "href" in attributes:
            parts.append(' href="#" tabindex="-1"')
        elif tag in ("img", "input"):
            parts.append(self._source(attributes, path))
        return "".join(parts)

    def _source(self, attributes: Attributes, path: str) -> str:
        own = self._images.get(self._rows.get(path, -1))
        given = (attributes.get("src") or "").strip()
        if own is None and len(given) < _MOST_DATA and _PASSIVE_DATA.match(given):
            own = given
        return f' src="{escape(own)}"' if own else ""

    def _row(self, path: str) -> str:
        row = self._rows.get(path)
        return "" if row is None else f' data-row="{row}"'

    def _size(self, attributes: Attributes) -> str:
        sides = [
            f"{name}:{value}px"
            for name in ("width", "height")
            if (value := (attributes.get(name) or "").strip()).isdecimal() and len(value) < 5
        ]
        return f' style="{";".join(sides)}"' if sides else ""


def safe_style(style: str) -> str:
    """CSS without addresses, and without what could end the element it stands in.

    A declaration or rule with an address loses everything up to its end. Escapes and tags could
    part one: they go first, and whatever is taken away later leaves a blank.
    """
    style = style.replace("<", "")
    if "\\" in style:
        style = re.sub(r"\\[0-9a-fA-F]{1,6}\s?|\\.", "", style)
    style = re.sub(r"/\*.*?(?:\*/|\Z)", " ", style, flags=re.DOTALL)
    style = re.sub(r"@import[^;]*(?:;|\Z)", " ", style, flags=re.IGNORECASE)
    style = re.sub(r"@font-face\s*\{[^}]*(?:\}|\Z)", " ", style, flags=re.IGNORECASE)
    addresses = r"(?:url|src|image-set|-webkit-image-set)\s*\([^)]*(?:\)|\Z)"
    return re.sub(addresses, "none", style, flags=re.IGNORECASE)
