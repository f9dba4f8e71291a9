# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""The divisions of a page into regions that thresholds of the odds make, and the one to take.

How many regions a page has is decided with the whole page in view: of the divisions that some
threshold would make, the one is taken that people are likely to make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

USUAL_THRESHOLD = -0.25  # of the odds of regions
STEP = 0.25  # from threshold to threshold
STEADY = 0.05  # what a threshold costs for being one off the usual one
FAR_ODDS = 5.0  # stand for those of borders that are not there


class Divisions(Borders):
    """A page whose regions are chosen: what is left of `region_odds` above 0 is a border."""

    def choose_regions(self) -> None:
        """Take off the odds of regions the threshold of the division that is likely the best."""
        borders: cython.Py_ssize_t = self.second.shape[0]
        if borders == 0:
            return
        count: cython.Py_ssize_t
        at: cython.Py_ssize_t
        rows: cython.float[:, ::1] = np.empty((THRESHOLDS, DIVISION_COLUMNS), dtype=np.float32)
        found: cython.double[::1] = np.empty(THRESHOLDS)
        count = self.fill_divisions(self.region_odds, rows)
        self.learnt.regions.fill_sums(cython.address(rows[0, 0]), count, cython.address(found[0]))
        threshold: cython.double = self.best_threshold(rows[0:count], found[0:count])
        for at in range(borders):
            self.region_odds[at] -= threshold

    def best_threshold(
        self, rows: cython.const[cython.float][:, ::1], found: cython.const[cython.double][::1]
    ) -> cython.double:
        """That of the division that is likely the best; far from the usual one costs a little.

        Args:
            rows: the features of the divisions.
            found: how good each is, as learnt.
        """
        best: cython.Py_ssize_t = 0
        most: cython.double = 0.0
        at: cython.Py_ssize_t
        own: cython.double
        for at in range(found.shape[0]):
            own = found[at] - STEADY * fabs(rows[at, 0] - USUAL_THRESHOLD)
            if at == 0 or own > most:
                best = at
                most = own
        return rows[best, 0]

    def division_rows(self, odds: object) -> NDArray[np.float32]:
        """(d, f) the features of the divisions that some odds of borders would make, by
        DIVISION_NAMES; for training."""
        table = np.empty((THRESHOLDS, DIVISION_COLUMNS), dtype=np.float32)
        return table[: self.fill_divisions(odds, table)]

    def fill_divisions(
        self, odds: cython.const[cython.double][::1], rows: cython.float[:, ::1]
    ) -> cython.Py_ssize_t:
        """Fill in the features of the divisions by all thresholds, those nearest to the usual one
        first; how many there are. Of thresholds that make the same cuts, the first counts."""
        borders: cython.Py_ssize_t = odds.shape[0]
        total: cython.double = self.sums[self.texts, SIDES]
        squares: cython.double = self.side_squares()
        spread: cython.double = squares
        expected: cython.double = 0.0
        found: cython.Py_ssize_t = 0
        step: cython.Py_ssize_t
        at: cython.Py_ssize_t
        side: cython.Py_ssize_t
        cuts: cython.Py_ssize_t
        seen: cython.uchar[::1] = bytearray(MOST_CUTS + 1)
        before: cython.double[::1] = np.empty(self.texts)  # odds of the border before each text
        threshold: cython.double
        lowest: cython.double
        highest: cython.double
        between: cython.double
        before[:] = -1000.0
        for at in range(borders):
            before[self.first_leaf[self.second[at]]] = odds[at]
            expected += 1.0 / (1.0 + exp(-odds[at]))
        for side in range(SIDES):
            spread -= self.sums[self.texts, side] * self.sums[self.texts, side] / total
        for step in range(THRESHOLDS):
            # To both sides of the usual threshold in turn.
            threshold = USUAL_THRESHOLD + STEP * ((step + 1) // 2) * (1 - 2 * (step & 1))
            cuts = 0
            lowest = FAR_ODDS
            highest = -FAR_ODDS
            for at in range(borders):
                if odds[at] > threshold:
                    cuts += 1
                    lowest = min(lowest, odds[at])
                else:
                    highest = max(highest, odds[at])
            if cuts > MOST_CUTS or seen[cuts]:
                continue
            seen[cuts] = 1
            between = self.fill_regions(before, threshold, cuts, cython.address(rows[found, 0]))
            rows[found, 0] = threshold
            rows[found, 1] = log1p(cuts)
            rows[found, 2] = log1p(cuts) - log1p(expected)
            rows[found, 3] = lowest
            rows[found, 4] = highest
            rows[found, 5] = lowest - highest
            rows[found, 8] = (squares - between) / spread if spread > 1e-9 else 1.0
            found += 1
        return found

    def side_squares(self) -> cython.double:
        """The sum of the squares of the sides of all texts, by their tokens."""
        squares: cython.double = 0.0
        weight: cython.double
        text: cython.Py_ssize_t = 0
        node: cython.Py_ssize_t
        side: cython.Py_ssize_t
        for node in range(self.count):
            if self.evidence.kind[self.row[node]] == 1:
                weight = self.sums[text + 1, SIDES] - self.sums[text, SIDES]
                for side in range(SIDES):
                    squares += weight * self.sides[node, side] * self.sides[node, side]
                text += 1
        return squares

    def fill_regions(
        self,
        odds: cython.const[cython.double][::1],
        threshold: cython.double,
        cuts: cython.Py_ssize_t,
        row: cython.p_float,
    ) -> cython.double:
        """Fill in what a division has that goes by its regions; the sum of the squares of their
        mean sides, by their tokens.

        Args:
            odds: of the border before each text.
            cuts: how many of them the division makes.
        """
        sums = self.sums
        texts: cython.Py_ssize_t = self.texts
        total: cython.double = sums[texts, SIDES]
        text: cython.Py_ssize_t
        side: cython.Py_ssize_t
        likely: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = -1
        weight: cython.double
        mean: cython.double
        before: cython.double[SIDES]
        largest: cython.double = 0.0
        evenness: cython.double = 0.0
        between: cython.double = 0.0
        change: cython.double = 0.0
        alike: cython.double = 0.0
        header: cython.double = 0.0
        footer: cython.double = 0.0
        for text in range(1, texts + 1):
            if text < texts and not odds[text] > threshold:
                continue
            weight = sums[text, SIDES] - sums[start, SIDES]
            largest = max(largest, weight)
            evenness += weight * weight
            likely = 0
            for side in range(SIDES):
                mean = (sums[text, side] - sums[start, side]) / weight
                between += weight * mean * mean
                if start:
                    change += fabs(mean - before[side])
                before[side] = mean
                if side < SIDES - 1 and mean > before[likely]:
                    likely = side
            if start == 0:
                header = before[HEADER_SIDE]
            elif likely == last:
                alike += 1
            last = likely
            footer = before[FOOTER_SIDE]
            start = text
        row[6] = largest / total
        row[7] = evenness / (total * total)
        row[9] = change / cuts if cuts else 0.0
        row[10] = alike / cuts if cuts else 0.0
        row[11] = header
        row[12] = footer
        return between
