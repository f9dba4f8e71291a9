"""Which image a <noscript> fallback stands in for."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from pagecut.page.tags import OPAQUE
from pagecut.parsing.images import Attributes, choose_source, is_placeholder


def holds_image(node: LexborNode) -> bool:
    """Whether an <img> lies below that is no noscript fallback."""
    for image in node.css("img"):
        above = image.parent
        while above is not None and above.mem_id != node.mem_id and above.tag not in OPAQUE:
            above = above.parent
        if above is not None and above.mem_id == node.mem_id:
            return True
    return False


def image_beside(node: LexborNode, *, forward: bool) -> LexborNode | None:
    """The <img> that is the next (or previous) sibling, alone in up to three wrappers."""
    beside = node.next if forward else node.prev
    while beside is not None and not beside.is_element_node:
        if beside.is_text_node and (beside.text_content or "").strip():
            return None
        beside = beside.next if forward else beside.prev
    for _ in range(4):
        if beside is None or beside.tag == "img":
            return beside
        if beside.tag in OPAQUE:
            return None
        beside = next((child for child in beside.iter() if child.tag != "source"), None)
    return None


def is_lazy(image: Attributes, fallback: Attributes) -> bool:
    """Whether `fallback` stands in for `image`: it has no source yet, or the same one."""
    src, lazy = choose_source(image)
    return src is None or lazy or is_placeholder(src) or src == fallback.get("src")
