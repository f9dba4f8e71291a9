from collections.abc import Sequence
from typing import Any, NamedTuple

from pagecut.page import Image
from pagecut.page.attributes import AttributeTable
from pagecut.page.nodes import PackedNodes
from pagecut.parsing.composition import Frame
from pagecut.parsing.lexbor import Tree
from pagecut.parsing.limits import Limits

NAMES: tuple[str, ...]

class Walked(NamedTuple):
    text: str
    packed: PackedNodes
    title: str
    base: str | None
    images: list[Any]
    fallbacks: dict[int, dict[str, str]]
    kept: tuple[bytes, bytes, bytes, bytes]

    def declare_images(
        self, base: str | None, frames: Sequence[Frame] = (), address: str | None = None
    ) -> tuple[Image, ...]: ...
    def attributes(self) -> AttributeTable: ...

def walk(tree: Tree, limits: Limits, page: object, scriptless: bool = False) -> Walked: ...
