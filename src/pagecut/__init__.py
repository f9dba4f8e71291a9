"""Cut web pages into the pieces people see, and tell which text belongs to each image."""

from importlib import import_module
from typing import TYPE_CHECKING

from pagecut._version import __version__

if TYPE_CHECKING:
    from pagecut.content.chunks import Chunk, PageChunks, chunks
    from pagecut.content.documents import text
    from pagecut.content.main_text import page_type
    from pagecut.content.metadata import Metadata, metadata
    from pagecut.contexts import Extractor, extractor, image_contexts
    from pagecut.contexts.by_segment import BySegment
    from pagecut.contexts.dom_distance import DomDistanceContexts
    from pagecut.contexts.item import Item
    from pagecut.contexts.monash import Monash
    from pagecut.contexts.siblings import Siblings
    from pagecut.contexts.window import FullText, NTerms
    from pagecut.corpus.many_pages import Processed, process
    from pagecut.errors import (
        FormatError,
        MissingColumn,
        MissingExtra,
        PagecutError,
        PageError,
        RenderError,
        SpecError,
        TooLarge,
    )
    from pagecut.evaluation.measures import Measure, measure
    from pagecut.page import Image, Node, Page
    from pagecut.parsing.html import parse_html
    from pagecut.parsing.limits import Limits
    from pagecut.parsing.reading import read
    from pagecut.rendering.renderer import Renderer, render
    from pagecut.results.image_context import ImageContext
    from pagecut.results.image_rows import ImageContexts
    from pagecut.results.segmentation import Segment, Segmentation
    from pagecut.segmenters import Segmenter, segment, segmenter
    from pagecut.segmenters.baselines import TagGap, WholePage, WordWrap
    from pagecut.segmenters.block_fusion import BlockFusion, BlockFusionRules, JustRules
    from pagecut.segmenters.box_clustering import BoxClustering
    from pagecut.segmenters.dom_distance import DomDistance
    from pagecut.segmenters.graph_cuts import GraphCuts
    from pagecut.segmenters.mosaic import Mosaic
    from pagecut.segmenters.vips import Vips

# Public names by module, imported when first used: `pagecut --help` needs none of them.
_MODULES = {
    "content.chunks": "Chunk PageChunks chunks",
    "content.documents": "text",
    "content.main_text": "page_type",
    "content.metadata": "Metadata metadata",
    "contexts": "Extractor extractor image_contexts",
    "contexts.by_segment": "BySegment",
    "contexts.dom_distance": "DomDistanceContexts",
    "contexts.item": "Item",
    "contexts.monash": "Monash",
    "contexts.siblings": "Siblings",
    "contexts.window": "FullText NTerms",
    "corpus.many_pages": "Processed process",
    "errors": "FormatError MissingColumn MissingExtra PageError PagecutError RenderError SpecError "
    "TooLarge",
    "evaluation.measures": "Measure measure",
    "page": "Image Node Page",
    "parsing.html": "parse_html",
    "parsing.limits": "Limits",
    "parsing.reading": "read",
    "rendering.renderer": "Renderer render",
    "results.image_context": "ImageContext",
    "results.image_rows": "ImageContexts",
    "results.segmentation": "Segment Segmentation",
    "segmenters": "Segmenter segment segmenter",
    "segmenters.baselines": "TagGap WholePage WordWrap",
    "segmenters.block_fusion": "BlockFusion BlockFusionRules JustRules",
    "segmenters.box_clustering": "BoxClustering",
    "segmenters.dom_distance": "DomDistance",
    "segmenters.graph_cuts": "GraphCuts",
    "segmenters.mosaic": "Mosaic",
    "segmenters.vips": "Vips",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "BlockFusion",
    "BlockFusionRules",
    "BoxClustering",
    "BySegment",
    "Chunk",
    "DomDistance",
    "DomDistanceContexts",
    "Extractor",
    "FormatError",
    "FullText",
    "GraphCuts",
    "Image",
    "ImageContext",
    "ImageContexts",
    "Item",
    "JustRules",
    "Limits",
    "Measure",
    "Metadata",
    "MissingColumn",
    "MissingExtra",
    "Monash",
    "Mosaic",
    "NTerms",
    "Node",
    "Page",
    "PageChunks",
    "PageError",
    "PagecutError",
    "Processed",
    "RenderError",
    "Renderer",
    "Segment",
    "Segmentation",
    "Segmenter",
    "Siblings",
    "SpecError",
    "TagGap",
    "TooLarge",
    "Vips",
    "WholePage",
    "WordWrap",
    "__version__",
    "chunks",
    "extractor",
    "image_contexts",
    "measure",
    "metadata",
    "page_type",
    "parse_html",
    "process",
    "read",
    "render",
    "segment",
    "segmenter",
    "text",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pagecut' has no attribute {name!r}")
    value = getattr(import_module(f"pagecut.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
