"""Variants of one picture: elements of a page whose sources differ in the size alone."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from pagecut.page.addresses import split_address
from pagecut.parsing.addresses import is_placeholder
from pagecut.results.image_context import ImageContext

THUMBNAIL: Final = 256  # px: what is less wide is too small for most corpora
_SCRIPT: Final = re.compile(r"\.(?:aspx?|ashx|cgi|do|jsp|php|pl)\Z", re.IGNORECASE)
# What a server is told of the size of a picture, in its name or in the query.
_SIZE_IN_NAME: Final = re.compile(r"(?:[-_](\d{2,4})x\d{2,4}|-scaled)(?=\.\w{2,5}\Z)")
_SIZE_PARAMETER: Final = re.compile(
    r"(?:(?:w|width|sw|s)=(\d{2,4})|(?:h|height|sh)=\d{2,4}|(?:dpr|q|quality)=\d{1,3}(?:\.\d+)?|"
    r"(?:q|quality)=(?:auto|best|good|eco|low|high)|"
    r"fit=(?:bounds|clamp|clip|contain|cover|crop|fill|inside|max|min|outside|scale))"
)


def merge_twins(contexts: Sequence[ImageContext]) -> list[ImageContext]:
    """One context for each picture of a page, in document order.

    Of several elements with the same source but for its size (a teaser shown twice, a slider's
    copies), the surest role says whether it is content; of those with it the one speaks for the
    picture that has a text, is no thumbnail and is surest. Of equals it is the widest, then the
    first.
    """
    twins: dict[str, list[ImageContext]] = {}
    for context in contexts:
        if source := usable_source(context):
            twins.setdefault(variant_of(source)[0], []).append(context)
    best = {_best_of(same).image for same in twins.values()}
    return [each for each in contexts if each.image in best or not usable_source(each)]


def _best_of(twins: Sequence[ImageContext]) -> ImageContext:
    if len(twins) == 1:
        return twins[0]
    surest = max(twins, key=lambda each: (each.role_confidence or 0.0, each.is_content))
    return max((each for each in twins if each.is_content == surest.is_content), key=_weight)


def usable_source(context: ImageContext) -> str:
    """The source of an image; empty if it has none, or one that only holds its place."""
    source = context.source.src
    return "" if source is None or is_placeholder(source) else source


def _weight(context: ImageContext) -> tuple[bool, bool, float, float]:
    width = variant_of(usable_source(context))[1]
    return bool(context.spans), width >= THUMBNAIL, context.confidence or 0.0, width


def variant_of(source: str) -> tuple[str, float]:
    """What the sizes of one picture have in common, and the width that its address states.

    Where it states none, it is the whole picture, wider than any.
    """
    parts = split_address(source)
    # Broken ones have no path; what a script is told may be which picture it is to show.
    if not parts.path or _SCRIPT.search(parts.path):
        return source, math.inf
    widths = [width for width in _SIZE_IN_NAME.findall(parts.path) if width]
    others = []
    for parameter in parts.query.split("&"):
        if size := _SIZE_PARAMETER.fullmatch(parameter):
            widths += [size[1]] if size[1] else []
        elif parameter:
            others.append(parameter)
    path = _SIZE_IN_NAME.sub("", parts.path)
    key = "\n".join([parts.netloc, path, *others, parts.fragment])
    return key, max(map(int, widths), default=math.inf)
