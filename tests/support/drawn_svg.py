"""What a drawing holds, read from its SVG."""

from __future__ import annotations

from xml.etree import ElementTree

from pagecut.pictures.drawing import Drawing

SVG = "{http://www.w3.org/2000/svg}"


def parsed(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg())


def paths(tree: ElementTree.Element, name: str) -> list[str]:
    """What the paths of a class draw."""
    return [node.get("d") or "" for node in tree.iter(f"{SVG}path") if node.get("class") == name]


def words(tree: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in tree.iter(f"{SVG}text")]


def hints(tree: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in tree.iter(f"{SVG}title")]
