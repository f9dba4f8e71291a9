"""Cut web pages into the pieces people see, and tell which text belongs to each image."""

from importlib import import_module
from typing import TYPE_CHECKING

from pagecut._version import __version__

if TYPE_CHECKING:
    from pagecut.contexts import Extractor, extractor, image_contexts
    from pagecut.contexts.by_segment import BySegment
    from pagecut.contexts.dom_distance import DomDistanceContexts
    from pagecut.contexts.item import Item
    from pagecut.contexts.monash import Monash
    from pagecut.contexts.siblings import Siblings
    from pagecut.contexts.window import FullText, NTerms
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
    from pagecut.evaluation.measures import measure
    from pagecut.page import Image, Node, Page
    from pagecut.parsing.html import parse_html
    from pagecut.parsing.limits import Limits
    from pagecut.rendering.renderer import Renderer, render
    from pagecut.results.image_context import ImageContext
    from pagecut.results.segmentation import Segment, Segmentation
    from pagecut.segmenters import Segmenter, segment, segmenter
    from pagecut.segmenters.baselines import TagGap, WholePage, WordWrap
    from pagecut.segmenters.block_fusion import BlockFusion, BlockFusionRules, JustRules
    from pagecut.segmenters.box_clustering import BoxClustering
    from pagecut.segmenters.dom_distance import DomDistance
    from pagecut.segmenters.graph_cuts import GraphCuts
    from pagecut.segmenters.mosaic import Mosaic
    from pagecut.segmenters.vips import Vips

# Each public name and its module, imported when first used: `pagecut --help` needs none of them.
_HOMES = {
    "BlockFusion": "segmenters.block_fusion",
    "BlockFusionRules": "segmenters.block_fusion",
    "BoxClustering": "segmenters.box_clustering",
    "BySegment": "contexts.by_segment",
    "DomDistance": "segmenters.dom_distance",
    "DomDistanceContexts": "contexts.dom_distance",
    "Extractor": "contexts",
    "FormatError": "errors",
    "FullText": "contexts.window",
    "GraphCuts": "segmenters.graph_cuts",
    "Image": "page",
    "ImageContext": "results.image_context",
    "Item": "contexts.item",
    "JustRules": "segmenters.block_fusion",
    "Limits": "parsing.limits",
    "MissingColumn": "errors",
    "MissingExtra": "errors",
    "Monash": "contexts.monash",
    "Mosaic": "segmenters.mosaic",
    "NTerms": "contexts.window",
    "Node": "page",
    "Page": "page",
    "PageError": "errors",
    "PagecutError": "errors",
    "RenderError": "errors",
    "Renderer": "rendering.renderer",
    "Segment": "results.segmentation",
    "Segmentation": "results.segmentation",
    "Segmenter": "segmenters",
    "Siblings": "contexts.siblings",
    "SpecError": "errors",
    "TagGap": "segmenters.baselines",
    "TooLarge": "errors",
    "Vips": "segmenters.vips",
    "WholePage": "segmenters.baselines",
    "WordWrap": "segmenters.baselines",
    "extractor": "contexts",
    "image_contexts": "contexts",
    "measure": "evaluation.measures",
    "parse_html": "parsing.html",
    "render": "rendering.renderer",
    "segment": "segmenters",
    "segmenter": "segmenters",
}

__all__ = [
    "BlockFusion",
    "BlockFusionRules",
    "BoxClustering",
    "BySegment",
    "DomDistance",
    "DomDistanceContexts",
    "Extractor",
    "FormatError",
    "FullText",
    "GraphCuts",
    "Image",
    "ImageContext",
    "Item",
    "JustRules",
    "Limits",
    "MissingColumn",
    "MissingExtra",
    "Monash",
    "Mosaic",
    "NTerms",
    "Node",
    "Page",
    "PageError",
    "PagecutError",
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
    "extractor",
    "image_contexts",
    "measure",
    "parse_html",
    "render",
    "segment",
    "segmenter",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pagecut' has no attribute {name!r}")
    value = getattr(import_module(f"pagecut.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
