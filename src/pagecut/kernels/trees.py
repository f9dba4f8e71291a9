# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, cpow=True
"""Boosted trees, and the roles of segments that they tell.

Compiled into `pagecut.compiled.trees` (see `kernels`). The plain twins are
`mosaic_model.Trees.log_odds`, `mosaic_evidence.Evidence.role_means` and `mosaic_roles.judge`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`
E = 2.718281828459045
PADDING = 4  # thresholds at a time
TREES_PER_WORD = 7  # eight leaves each: their bits stay clear of the sign


def sum_trees(
    table: cython.const[cython.double][:, ::1],
    features: cython.const[cython.int][::1],
    edges: cython.const[cython.int][::1],
    thresholds: cython.const[cython.double][::1],
    word_edges: cython.const[cython.int][::1],
    words: cython.const[cython.int][::1],
    mask_edges: cython.const[cython.int][::1],
    masks: cython.const[cython.longlong][::1],
    first_leaf: cython.const[cython.uchar][::1],
    values: cython.const[cython.double][:, ::1],
    biases: cython.const[cython.double][::1],
    left: cython.longlong[::1],
    odds: cython.double[:, ::1],
) -> None:
    """Fill in sums of the trees' values for each row of a table, each over as many trees.

    All trees are walked at once: each test that fails rules out the leaves to its left, and what
    the tests of one feature rule out together stands in a table (the QuickScorer of Lucchese et
    al., SIGIR 2015, with its masks summed up beforehand).

    Args:
        features: that the trees ask for.
        edges: the thresholds of each of these features, filled up with infinity to some fours.
        word_edges, words: the words that each feature can change.
        mask_edges, masks: for each feature, by how many thresholds its value is above, these words.
        first_leaf: by the leaves that are left of a tree, the one that is reached.
        values: by tree and leaf.
        biases: of each sum.
        left: room for a word per seven trees.
    """
    row: cython.Py_ssize_t
    output: cython.Py_ssize_t
    feature: cython.Py_ssize_t
    at: cython.Py_ssize_t
    word: cython.Py_ssize_t
    low: cython.Py_ssize_t
    above: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    trees: cython.Py_ssize_t = values.shape[0] // odds.shape[1]
    value: cython.double
    total: cython.double
    bits: cython.longlong
    for row in range(table.shape[0]):
        for word in range(left.shape[0]):
            left[word] = -1
        for feature in range(features.shape[0]):
            value = table[row, features[feature]]
            low = edges[feature]
            while low + 4 < edges[feature + 1] and value > thresholds[low + 3]:
                low += 4
            above = low - edges[feature]
            # Counting all four needs no branches, which would mostly be mispredicted.
            for at in range(4):
                above += 1 if value > thresholds[low + at] else 0
            mask = mask_edges[feature] + above * (word_edges[feature + 1] - word_edges[feature])
            for at in range(word_edges[feature], word_edges[feature + 1]):
                left[words[at]] &= masks[mask]
                mask += 1
        word = 0
        bits = left[0]
        for output in range(odds.shape[1]):
            total = biases[output]
            for at in range(output * trees, (output + 1) * trees):
                if at == (word + 1) * TREES_PER_WORD:
                    word += 1
                    bits = left[word]
                total += values[at, first_leaf[bits & 255]]
                bits >>= 8
            odds[row, output] = total


def mean_rows(
    table: cython.const[cython.double][:, ::1],
    nodes: cython.const[cython.int][::1],
    segments: cython.const[cython.int][::1],
    tokens: cython.const[cython.double][::1],
    inside: cython.const[cython.longlong][::1],
    first_bit: cython.int,
    bits: cython.Py_ssize_t,
    means: cython.double[:, ::1],
) -> None:
    """Fill in the means of features over the nodes of each segment, by their tokens; after them,
    those of some bits.

    Args:
        means: zeros.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    columns: cython.Py_ssize_t = table.shape[1]
    weight: cython.double
    total: cython.double = 0.0
    for row in range(nodes.shape[0]):
        segment = segments[row]
        weight = tokens[nodes[row]]
        if weight < 1:
            weight = 1.0
        total += weight
        for at in range(columns):
            means[segment, at] += weight * table[row, at]
        for at in range(bits):
            if (inside[nodes[row]] >> (first_bit + at)) & 1:
                means[segment, columns + at] += weight
        if row + 1 == nodes.shape[0] or segments[row + 1] != segment:
            for at in range(columns + bits):
                means[segment, at] /= total
            total = 0.0


def choose_roles(
    odds: cython.const[cython.double][:, ::1],
    chosen: cython.int[::1],
    confidence: cython.double[::1],
) -> None:
    """Fill in the likeliest role of each segment, and its probability."""
    segment: cython.Py_ssize_t
    role: cython.Py_ssize_t
    best: cython.Py_ssize_t
    total: cython.double
    for segment in range(odds.shape[0]):
        best = 0
        for role in range(1, odds.shape[1]):
            if odds[segment, role] > odds[segment, best]:
                best = role
        total = 0.0
        for role in range(odds.shape[1]):
            total += E ** (odds[segment, role] - odds[segment, best])
        chosen[segment] = best
        confidence[segment] = 1.0 / total
