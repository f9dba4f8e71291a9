"""Pages made of given blocks, for the tests of retrieval."""

from __future__ import annotations

from pagecut.retrieval.blocks import Block, BlockPage

MADE_BY = "test"


def page(name: str, *texts: str) -> BlockPage:
    """A page of blocks that follow one another."""
    blocks, at = [], 0
    for number, text in enumerate(texts):
        spans = ((at, at + len(text)),)
        blocks.append(
            Block(segment=number, spans=spans, xpath=f"/p[{number + 1}]", text=text, words=text)
        )
        at += len(text) + 1
    return BlockPage(name=name, url="", title=f"Title of {name}", blocks=tuple(blocks))
