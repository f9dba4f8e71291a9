"""LlamaIndex: a node parser for documents that hold HTML, with the origin of every node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pagecut.content.chunks import Chunks
from pagecut.content.line_model import Favour
from pagecut.content.metadata import metadata
from pagecut.errors import needed
from pagecut.parsing.html import parse_html

with needed("llama-index-core", "llama-index"):
    from llama_index.core.bridge.pydantic import Field
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, MetadataMode
    from llama_index.core.utils import get_tqdm_iterable

# The place of a chunk is for people and programs, not for embeddings and prompts.
_PLACE = ("page", "xpath", "char_start", "char_end", "spans")


class PagecutNodeParser(NodeParser):  # type: ignore[misc]
    """Cut the main text of pages into nodes, with title, headings and place in their metadata.

    Args:
        size: most characters of a node.
        everything: all text that is shown, not only the main text.
        favour: "precision" for less text that is surely main text, "recall" for more, "balance".

    >>> from llama_index.core import Document
    >>> from pagecut.adapters.llama_index import PagecutNodeParser
    >>> html = "<title>Tea</title><h1>Tea</h1><p>Green.</p><h2>Cups</h2><p>Made of clay.</p>"
    >>> parser = PagecutNodeParser(size=20, everything=True)
    >>> [node.metadata["headings"] for node in parser([Document(text=html)])]
    ['Tea', 'Tea > Cups']
    """

    size: int = Field(default=2000, description="Most characters of a node.", ge=20)
    everything: bool = Field(default=False, description="All text that is shown.")
    favour: Favour = Field(default="balance", description="Less main text, or more.")

    @classmethod
    def class_name(cls) -> str:
        """As LlamaIndex stores it."""
        return "PagecutNodeParser"

    def _parse_nodes(
        self,
        nodes: Sequence[BaseNode],
        show_progress: bool = False,
        **kwargs: Any,  # noqa: ARG002
    ) -> list[BaseNode]:
        method = Chunks(size=self.size, everything=self.everything, favour=self.favour)
        found: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Parsing nodes"):
            page = parse_html(node.get_content(metadata_mode=MetadataMode.NONE))
            title = metadata(page).title
            chunks = method.cut(page)
            made = build_nodes_from_splits(
                [chunk.readable for chunk in chunks], node, id_func=self.id_func
            )
            for each, chunk in zip(made, chunks, strict=True):
                each.metadata = {
                    **each.metadata,
                    **({"title": title} if title else {}),
                    "headings": " > ".join(chunk.headings),
                    "page": page.id,
                    "xpath": chunk.xpath,
                    "char_start": chunk.start,
                    "char_end": chunk.end,
                    "spans": json.dumps(chunk.spans),  # values must be plain
                }
                each.excluded_embed_metadata_keys.extend(_PLACE)
                each.excluded_llm_metadata_keys.extend(_PLACE)
            found += made
        return found
