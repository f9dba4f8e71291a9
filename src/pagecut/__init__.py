"""Cut web pages into the pieces people see, and tell which text belongs to each image."""

from pagecut._version import __version__
from pagecut.contexts import Extractor, extractor, image_contexts
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
from pagecut.html import parse_html
from pagecut.image_context import ImageContext
from pagecut.limits import Limits
from pagecut.page import Image, Node, Page
from pagecut.segmentation import Segment, Segmentation
from pagecut.segmenters import Segmenter, segment, segmenter
from pagecut.segmenters.baselines import TagGap, WholePage, WordWrap
from pagecut.segmenters.block_fusion import BlockFusion

__all__ = [
    "BlockFusion",
    "Extractor",
    "FormatError",
    "FullText",
    "Image",
    "ImageContext",
    "Limits",
    "MissingColumn",
    "MissingExtra",
    "NTerms",
    "Node",
    "Page",
    "PageError",
    "PagecutError",
    "RenderError",
    "Segment",
    "Segmentation",
    "Segmenter",
    "Siblings",
    "SpecError",
    "TagGap",
    "TooLarge",
    "WholePage",
    "WordWrap",
    "__version__",
    "extractor",
    "image_contexts",
    "parse_html",
    "segment",
    "segmenter",
]
