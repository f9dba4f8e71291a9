# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, cpow=True
# mypy: ignore-errors
"""Weighted sums and boosted trees: what learnt methods judge features by."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

E = 2.718281828459045
TREES_PER_WORD = 7  # eight leaves each: their bits stay clear of the sign
MOST_WORDS = 64  # for the leaves that are left of all trees


class TreeSums:
    """Sums of boosted trees, each over as many trees.

    All trees are walked at once: each test that fails rules out the leaves to its left, and what
    the tests of one feature rule out together stands in a table (the QuickScorer of Lucchese et
    al., SIGIR 2015, with its masks summed up beforehand).

    Args:
        biases: of each sum.
        features: that the trees ask for.
        edges: the thresholds of each of these features, filled up with infinity to some fours.
        word_edges, words: the words that each feature can change.
        mask_edges, masks: for each feature, by how many thresholds its value is above, these words.
        first_leaf: by the leaves that are left of a tree, the one that is reached.
        values: by tree and leaf.
    """

    def __init__(
        self,
        biases: cython.const[cython.double][::1],
        features: cython.const[cython.int][::1],
        edges: cython.const[cython.int][::1],
        thresholds: cython.const[cython.double][::1],
        word_edges: cython.const[cython.int][::1],
        words: cython.const[cython.int][::1],
        mask_edges: cython.const[cython.int][::1],
        masks: cython.const[cython.longlong][::1],
        first_leaf: cython.const[cython.uchar][::1],
        values: cython.const[cython.double][:, ::1],
    ) -> None:
        self.biases = biases
        self.features = features
        self.edges = edges
        self.thresholds = thresholds
        self.word_edges = word_edges
        self.words = words
        self.mask_edges = mask_edges
        self.masks = masks
        self.first_leaf = first_leaf
        self.values = values

    def add_up(
        self,
        table: cython.const[cython.double][:, ::1],
        left: cython.longlong[::1],
        odds: cython.double[::1],
    ) -> None:
        """Fill in the sums for each row of a table, one row's after the other's.

        Args:
            left: a buffer of a word per seven trees.
        """
        row: cython.Py_ssize_t
        output: cython.Py_ssize_t
        feature: cython.Py_ssize_t
        at: cython.Py_ssize_t
        word: cython.Py_ssize_t
        low: cython.Py_ssize_t
        above: cython.Py_ssize_t
        mask: cython.Py_ssize_t
        outputs: cython.Py_ssize_t = self.biases.shape[0]
        trees: cython.Py_ssize_t = self.values.shape[0] // outputs
        per_word: cython.Py_ssize_t = TREES_PER_WORD
        value: cython.double
        total: cython.double
        bits: cython.longlong
        for row in range(table.shape[0]):
            for word in range((self.values.shape[0] + per_word - 1) // per_word):
                left[word] = -1
            for feature in range(self.features.shape[0]):
                value = table[row, self.features[feature]]
                low = self.edges[feature]
                if value <= self.thresholds[low]:  # which rules out nothing
                    continue
                while low + 4 < self.edges[feature + 1] and value > self.thresholds[low + 3]:
                    low += 4
                above = low - self.edges[feature]
                # Counting all four needs no branches, which would mostly be mispredicted.
                for at in range(4):
                    above += 1 if value > self.thresholds[low + at] else 0
                mask = self.mask_edges[feature] + above * (
                    self.word_edges[feature + 1] - self.word_edges[feature]
                )
                for at in range(self.word_edges[feature], self.word_edges[feature + 1]):
                    left[self.words[at]] &= self.masks[mask]
                    mask += 1
            word = 0
            bits = left[0]
            for output in range(outputs):
                total = self.biases[output]
                for at in range(output * trees, (output + 1) * trees):
                    if at == (word + 1) * per_word:
                        word += 1
                        bits = left[word]
                    total += self.values[at, self.first_leaf[bits & 255]]
                    bits >>= 8
                odds[row * outputs + output] = total


def weighted_sums(
    table: cython.const[cython.double][:, ::1],
    weights: cython.const[cython.double][::1],
    bias: cython.double,
    odds: cython.double[::1],
) -> None:
    """Fill in the sum of each row's features by their weights.

    Every fourth feature is summed up by itself: none of the four sums waits for the others.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count: cython.Py_ssize_t = weights.shape[0]
    one: cython.double
    two: cython.double
    three: cython.double
    four: cython.double
    for row in range(table.shape[0]):
        one = bias
        two = 0.0
        three = 0.0
        four = 0.0
        at = 0
        while at + 4 <= count:
            one += table[row, at] * weights[at]
            two += table[row, at + 1] * weights[at + 1]
            three += table[row, at + 2] * weights[at + 2]
            four += table[row, at + 3] * weights[at + 3]
            at += 4
        while at < count:
            one += table[row, at] * weights[at]
            at += 1
        odds[row] = (one + two) + (three + four)


def likeliest(odds: cython.const[cython.double][::1]) -> cython.Py_ssize_t:
    """Which of some odds are the largest."""
    at: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    for at in range(1, odds.shape[0]):
        if odds[at] > odds[best]:
            best = at
    return best


def probability(odds: cython.const[cython.double][::1], best: cython.Py_ssize_t) -> cython.double:
    """The probability of what is likeliest, by the odds of all."""
    at: cython.Py_ssize_t
    total: cython.double = 0.0
    for at in range(odds.shape[0]):
        total += E ** (odds[at] - odds[best])
    return 1.0 / total
