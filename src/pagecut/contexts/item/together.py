# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
"""The choice among candidates, images of one group together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython
import numpy as np
from cython.cimports.libc.math import NAN
from cython.cimports.pagecut.contexts.item.candidates import NONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING = -1.0  # what a kind is worth for an image that has no candidate of it
LOWEST = -1e30
NO_SCORE = -9.0  # of a candidate that is not there


def decide_together(
    scores: cython.const[cython.double][::1],
    firsts: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.uchar][:, ::1],
    groups: cython.const[cython.longlong][::1],
) -> NDArray[np.float64]:
    """Scores with what each kind of candidate is worth for the whole group of an image.

    That is how far below its images' best it is, on average. A candidate that several kinds give
    takes the best of them.
    """
    image: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    at: cython.Py_ssize_t
    images = firsts.shape[0] - 1
    width = kinds.shape[1]
    found: object = np.array(scores)
    out: cython.double[::1] = found
    extra: cython.double[::1] = np.empty(scores.shape[0])
    sizes: cython.int[::1] = np.zeros(images + 1, np.int32)  # groups are no more than images
    worth: cython.double[:, ::1] = np.zeros((images + 1, width))
    for image in range(images):
        sizes[groups[image]] += 1
    for image in range(images):
        if sizes[groups[image]] == 1 or firsts[image] == firsts[image + 1]:
            continue
        best: cython.double = scores[firsts[image]]
        for at in range(firsts[image], firsts[image + 1]):
            best = max(best, scores[at])
        for kind in range(width):
            if kinds[image, kind] != NONE:
                at = firsts[image] + kinds[image, kind]
                worth[groups[image], kind] += scores[at] - best - MISSING
    for image in range(images):
        size = sizes[groups[image]]
        if size == 1:
            continue
        for at in range(firsts[image], firsts[image + 1]):
            extra[at] = LOWEST
        for kind in range(width):
            if kinds[image, kind] != NONE:
                at = firsts[image] + kinds[image, kind]
                extra[at] = max(extra[at], worth[groups[image], kind] / size + MISSING)
        for at in range(firsts[image], firsts[image + 1]):
            if extra[at] > LOWEST:
                out[at] += extra[at]
    return found


def pick(
    scores: cython.const[cython.double][::1], firsts: cython.const[cython.longlong][::1]
) -> NDArray[np.int64]:
    """(n,) the best candidate of each image; of equals the first; -1 where there is none."""
    image: cython.Py_ssize_t
    at: cython.Py_ssize_t
    found: object = np.full(firsts.shape[0] - 1, -1, dtype=np.int64)
    out: cython.longlong[::1] = found
    for image in range(firsts.shape[0] - 1):
        for at in range(firsts[image], firsts[image + 1]):
            if out[image] < 0 or scores[at] > scores[out[image]]:
                out[image] = at
    return found


def chosen_rows(
    scores: cython.const[cython.double][::1],
    chosen: cython.const[cython.longlong][::1],
    core: cython.const[cython.float][:, :],
    images: cython.const[cython.float][:, ::1],
    firsts: cython.const[cython.longlong][::1],
    groups: cython.const[cython.longlong][::1],
) -> NDArray[np.float32]:
    """(n, f) for each image: the evidence of its chosen candidate, NaN if it has none; that of the
    image; the score, how far the next one is behind, and the mean of the scores in its group."""
    image: cython.Py_ssize_t
    at: cython.Py_ssize_t
    count = chosen.shape[0]
    width = core.shape[1]
    last = width + images.shape[1]
    found: object = np.empty((count, last + 3), np.float32)
    out: cython.float[:, ::1] = found
    sums: cython.double[::1] = np.zeros(count)  # groups are no more than images
    sizes: cython.int[::1] = np.zeros(count, np.int32)
    for image in range(count):
        best: cython.double = NO_SCORE
        second: cython.double = NO_SCORE
        own = chosen[image]
        for at in range(width):
            out[image, at] = core[own, at] if own >= 0 else NAN
        for at in range(images.shape[1]):
            out[image, width + at] = images[image, at]
        for at in range(firsts[image], firsts[image + 1]):
            if at == own:
                best = scores[at]
            else:
                second = max(second, scores[at])
        out[image, last] = best
        out[image, last + 1] = best - second
        sums[groups[image]] += best
        sizes[groups[image]] += 1
    for image in range(count):
        out[image, last + 2] = sums[groups[image]] / sizes[groups[image]]
    return found
