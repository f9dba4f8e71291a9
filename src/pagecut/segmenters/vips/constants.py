"""Every number that VIPS works with, each with its origin.

"Paper" and "report" name Cai et al. 2003 and their technical report; "measured" values come from
experiments/vips.py, "chosen" ones are plain choices that the measured scores hardly depend on
(docs/methods/vips.md gives both).
"""

from __future__ import annotations

from typing import Final

LOWEST: Final = 1  # degrees of coherence, as in the report; the paper's x in 0..1 is round(10 x)
HIGHEST: Final = 10

# What is seen; lengths in px. Chosen.
LINE_THICKNESS: Final = 4.0  # an image or empty element no thicker than this is a drawn line,
LINE_ASPECT: Final = 8.0  # if it is so many times longer than thick
SPACER: Final = 3.0  # an image no larger than this both ways shows nothing
COLOUR_STEP: Final = 6  # levels of 255 in one channel from which two backgrounds differ

# Block extraction.
SPARSE: Final = 3.0  # paper: divide a node so many times larger than its children together
LINE_BREAKS: Final = 2  # paper: more than so many successive <br> split a node
SMALL_TEXT: Final = 0.05  # rule 9: a share of the page; report: a threshold without a value; chosen
SMALL_CHILD: Final = 0.05  # rule 10: likewise
COHERENT: Final = 2.0  # paper: higher thresholds for tables, cells, paragraphs; how much: chosen
NARROW: Final = 100.0  # px; paper: text in a node so low or narrow is coherent; how narrow: chosen
NARROW_TEXT: Final = 8  # its degree: the paper's 0.8
UNEVEN: Final = 1.0  # size cue: standard deviation of the children's sizes, in means; chosen
UNEVEN_LEAST: Final = 0.1  # share of the page from which the size cue applies; chosen

# Weights of separators: the paper gives the directions, public programs +2 or so for a cue and -2
# for alike sides. Chosen, not tuned: leaving one out changes the scores by 0.03 at most.
PER_DOUBLING_OF_WIDTH: Final = 2.0
WIDTH_UNIT: Final = 4.0  # px that count as the first doubling
EXPLICIT: Final = 3  # a drawn line: <hr>, a thin image, a border
BACKGROUND: Final = 3
FONT_SIZE: Final = 2
FONT_WEIGHT: Final = 1
LARGER_AFTER: Final = 2
SIMILAR: Final = -3
FONT_SIZE_STEP: Final = 1.15  # ratio from which font sizes differ
FONT_WEIGHT_STEP: Final = 150.0
LINE_COVER: Final = 0.5  # share of a separator's length that drawn lines must cover

# Where separators lie; px. Chosen.
SLACK: Final = 2.0  # blocks may overlap by so much and still be parted: letters reach out of lines
SLACK_SHARE: Final = 0.25  # but by no more than this share of a block's own size
NEIGHBOUR: Final = 4.0  # blocks that end so near a separator's edge are beside it
OVERLAP: Final = 0.25  # of the smaller block, from which two overlapping ones are taken apart

# Degree of coherence of nodes that are not text alone: a logistic fit of which nodes people
# divide, rounded (measured; the weights differ from half to half of the pages, the scores on pages
# that a fit has not seen hardly do).
COHERENCE: Final = 1.5
PER_HALVING: Final = 0.55  # of the share of the page
PER_LEVEL: Final = 0.35  # of the structure around
PER_DOUBLING: Final = 0.9  # of one more than the number of parts
MERGED: Final = -0.65

# Bounds of the cost; real pages stay far below them.
MOST_CUTS: Final = 24  # levels of cuts in one round
MOST_OVERLAPS: Final = 24  # overlapping blocks that one round takes apart
MOST_TANGLED: Final = 400  # blocks among which overlaps are looked for
MOST_NEIGHBOURS: Final = 8  # blocks looked at beside a separator
