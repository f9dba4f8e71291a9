"""Every table of tags and attributes, each with its source."""

from __future__ import annotations

from typing import Final

# HTML Living Standard §15.3: elements that browsers lay out as blocks, list items or table parts.
# <br> is not an element with borders but breaks the line all the same.
LINE_BREAKING: Final = frozenset(
    """
    address article aside blockquote body br caption center col colgroup dd details dialog dir div
    dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html
    legend li listing main menu nav ol p plaintext pre search section summary table tbody td tfoot
    th thead tr ul xmp
    """.split()
)

# Inline, but never part of a word: form controls, embedded content, drawings.
WORD_BREAKING: Final = frozenset(
    """
    applet audio button canvas embed iframe input marquee math meter noscript object progress
    select svg textarea video
    """.split()
)

# White space inside is kept (§15.3.3, `white-space: pre`).
PRESERVING: Final = frozenset({"pre", "listing", "plaintext", "xmp"})

# Sub-trees that give no text and no nodes below their own.
OPAQUE: Final = frozenset(
    """
    script style noscript template head option select iframe object textarea
    noframes noembed datalist
    """.split()
)

# Sub-trees whose text no browser shows, but whose elements (images) count.
MUTE: Final = frozenset({"audio", "video", "canvas", "rp", "title"})

# Within SVG and MathML: descriptions that are never drawn.
FOREIGN_MUTE: Final = frozenset({"title", "desc", "metadata", "annotation", "annotation-xml"})

# HTML §13.1.2: elements without an end tag.
VOID: Final = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)

# HTML §13.2.4.3: formatting elements, which the parser reopens after a block has closed them.
FORMATTING: Final = frozenset("a b big code em font i nobr s small strike strong tt u".split())

# Inline elements that dress letters, so that a word may go on from one into the next.
LETTERING: Final = frozenset(
    "b big del em font i ins mark rb rt ruby s small strike strong sub sup tt u wbr".split()
)
# Text in which what touches belongs together.
CODE: Final = frozenset({"code", "kbd", "pre", "samp", "var"})

HEADINGS: Final = frozenset("h1 h2 h3 h4 h5 h6".split())

# Kohlschütter & Nejdl 2008, §4: tags that force a gap, and tags that never make one.
FORCE_GAP: Final = frozenset("h1 h2 h3 h4 h5 h6 ul dl ol hr table address img script".split())
NO_GAP: Final = frozenset("a b br em font i s span strong sub sup u tt".split())

# Attributes that a Page keeps; images' own attributes become `Image` fields instead.
KEPT_ATTRIBUTES: Final = frozenset(
    """
    id class role href rel lang dir style hidden aria-hidden aria-label itemprop itemtype itemscope
    type name title alt content datetime start rowspan colspan data-block data-block-type
    """.split()
)

# What says something of the page itself: its elements, and the attributes that it is said in.
DECLARING: Final = frozenset({"meta", "link", "script"})
DECLARING_ATTRIBUTES: Final = frozenset(
    "name property itemprop http-equiv content rel href hreflang type".split()
)
