# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""The roles of segments: what each is for people, by the nodes that it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython

CALLED_CONFIDENCE = 0.6  # of a role that goes by a name


class Roles(Divisions):
    """A page whose segments are judged: of each its `role` and `confidence`."""

    def fill_role_row(
        self,
        nodes: cython.const[cython.int][::1],
        rows: cython.float[:, ::1],
        at: cython.Py_ssize_t,
    ) -> None:
        """Fill in the features of a segment: the means of its nodes, by their tokens, its place in
        the page, and whether the page's first h1 is in it."""
        counts, places = self.evidence.counts, self.evidence.places
        total: cython.double = 0.0
        row: cython.Py_ssize_t
        column: cython.Py_ssize_t
        node: cython.Py_ssize_t
        base: cython.Py_ssize_t
        columns: cython.double[ROLE_COLUMNS]
        weight: cython.double
        headings: cython.double = 0.0
        begins: cython.double
        for column in range(ROLE_COLUMNS):
            columns[column] = 0.0
        for row in range(nodes.shape[0]):
            node = nodes[row]
            weight = counts[self.top[node], TOKENS] if counts[self.top[node], TOKENS] > 1 else 1
            total += weight
            headings += counts[self.top[node], H1]
            features = self.features(node)
            for column in range(NODE_COLUMNS):
                columns[column] += weight * features[column]
            for column in range(SIDES):
                columns[NODE_COLUMNS + column] += weight * self.sides[node, column]
        for column in range(ROLE_COLUMNS):
            rows[at, column] = columns[column] / total
        whole: cython.double = counts[0, TOKENS] if counts[0, TOKENS] > 1 else 1
        base = NODE_COLUMNS + SIDES
        rows[at, base] = total / whole
        rows[at, base + 1] = places[TOKENS_BEFORE, self.top[nodes[0]]] / whole
        node = self.top[nodes[nodes.shape[0] - 1]]
        begins = places[TOKENS_BEFORE, node]
        rows[at, base + 2] = (begins + counts[node, TOKENS]) / whole
        rows[at, base + 3] = log_of(nodes.shape[0], self.logs)
        rows[at, base + 4] = headings / counts[0, H1] if counts[0, H1] else 0.0

    def judge_roles(
        self,
        rows: cython.const[cython.float][:, ::1],
        first: cython.Py_ssize_t,
        size: cython.Py_ssize_t,
    ) -> None:
        """Fill in the roles of some segments by their features.

        Args:
            first: the number of the first of them.
        """
        roles: cython.Py_ssize_t = self.learnt.roles.outputs
        odds: cython.double[:, ::1] = np.empty((size, roles))
        at: cython.Py_ssize_t
        best: cython.Py_ssize_t
        role: cython.Py_ssize_t
        self.learnt.roles.fill_scores(cython.address(rows[0, 0]), size, cython.address(odds[0, 0]))
        for at in range(size):
            best = 0
            for role in range(roles):
                if odds[at, role] > odds[at, best]:
                    best = role
            role = called(best, rows[at])
            self.role[first + at] = role
            self.confidence[first + at] = odds[at, best] if role == best else CALLED_CONFIDENCE


def called(role: cython.Py_ssize_t, row: cython.const[cython.float][::1]) -> cython.Py_ssize_t:
    """The role of a segment whose likeliest one is given, by its features.

    Too few comments, cookie bars and pop-ups were marked to learn them: content that is called so,
    but for the page's heading or half of its text, is comments, or a form.
    """
    if (
        role != CONTENT_ROLE
        or row[NODE_COLUMNS + SIDES] >= 0.5
        or row[NODE_COLUMNS + SIDES + 4] != 0
    ):
        return role
    if row[COMMENTS_COLUMN] > 0.5:
        return COMMENTS_ROLE
    return FORM_ROLE if row[OVERLAY_COLUMN] > 0.5 else role
