"""The edges of a picture: where people see something begin or end.

Canny, "A computational approach to edge detection", IEEE PAMI 8, 1986, with the thresholds of
ImageMagick's `-canny`, by which Kiesel et al. (CIKM 2020) found the edges of their screenshots:
shares of the range of the gradients that are left after thinning.

Differs from ImageMagick: the Gaussian is cut off at four sigma.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

# sigma, low and high threshold (Kiesel et al. 2020)
EDGES: Final[dict[str, tuple[float, float, float]]] = {
    "edges-fine": (1.0, 0.01, 0.02),
    "edges-coarse": (5.0, 0.01, 0.16),
}

_LUMA = np.array([0.212656, 0.715158, 0.072186], dtype=np.float32)
_NEIGHBOURS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]

Picture = NDArray[np.float32]


def edge_pixels(screenshot: NDArray[np.uint8], unit: str) -> NDArray[np.float64]:
    """(e, 2) the x and y of the middle of each pixel on an edge, found once for all methods.

    Args:
        unit: one of EDGES.
    """
    return _edge_pixels(screenshot.tobytes(), screenshot.shape, unit)


@lru_cache(maxsize=len(EDGES))
def _edge_pixels(pixels: bytes, shape: tuple[int, ...], unit: str) -> NDArray[np.float64]:
    picture = np.frombuffer(pixels, dtype=np.uint8).reshape(shape)
    sigma, low, high = EDGES[unit]
    rows, columns = np.nonzero(canny(picture, sigma=sigma, low=low, high=high))
    points = np.stack([columns, rows], axis=1).astype(np.float64) + 0.5
    points.flags.writeable = False
    return points


def canny(
    screenshot: NDArray[np.uint8], *, sigma: float, low: float, high: float
) -> NDArray[np.bool_]:
    """(height, width) the pixels on an edge.

    Args:
        screenshot: (height, width) grey or (height, width, 3 or 4) in colour.
        sigma: of the Gaussian that smooths the picture first, in px.
        low: an edge goes on through pixels whose gradient is at least this share.
        high: an edge has a pixel whose gradient is at least this share.
    """
    grey = _grey(screenshot)
    if not grey.size:
        return np.zeros(grey.shape, dtype=np.bool_)
    smooth = _smooth(grey, sigma)
    magnitude, direction = _gradient(smooth)
    thin = _thin(magnitude, direction)
    weakest, strongest = float(thin.min()), float(thin.max())
    if not strongest > weakest:
        return np.zeros(thin.shape, dtype=np.bool_)
    span = strongest - weakest
    return _grow(thin >= high * span + weakest, thin >= low * span + weakest)


def _grey(screenshot: NDArray[np.uint8]) -> Picture:
    if screenshot.ndim == 2:
        return screenshot.astype(np.float32)
    if screenshot.ndim != 3 or screenshot.shape[2] not in (3, 4):
        raise ValueError(
            "a screenshot must have shape (height, width) or (height, width, 3 or 4), "
            f"got {screenshot.shape}"
        )
    return screenshot[:, :, :3].astype(np.float32) @ _LUMA


def _smooth(picture: Picture, sigma: float) -> Picture:
    radius = max(round(4 * sigma), 1)
    steps = np.arange(-radius, radius + 1)
    kernel = np.exp(-(steps**2) / (2 * sigma**2))
    weights = (kernel / kernel.sum()).astype(np.float32).tolist()
    for _ in range(2):  # down the columns, twice, with the picture on its side
        length = len(picture)
        padded = np.pad(picture, ((radius, radius), (0, 0)), mode="edge")
        total = np.zeros_like(picture)
        for step, weight in enumerate(weights):
            total += weight * padded[step : step + length]
        picture = np.ascontiguousarray(total.T)
    return picture


def _gradient(picture: Picture) -> tuple[Picture, NDArray[np.uint8]]:
    """How steep each pixel is, and its direction: 0 across, 1 and 3 diagonal, 2 down."""
    padded = np.pad(picture, ((0, 1), (0, 1)), mode="edge")
    here, right, below, beyond = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    across = right - here + beyond - below
    down = below - here + beyond - right
    angle = np.arctan2(down, across)
    direction = np.round(angle / (np.pi / 4)).astype(np.int8) % 4
    return np.hypot(across, down), direction.astype(np.uint8)


def _thin(magnitude: Picture, direction: NDArray[np.uint8]) -> Picture:
    """The pixels that are steepest along their own direction; the others are 0."""
    height, width = magnitude.shape
    padded = np.pad(magnitude, 1)
    kept = np.zeros(magnitude.shape, dtype=np.bool_)
    for number, (dy, dx) in enumerate(((0, 1), (1, 1), (1, 0), (1, -1))):
        ahead = padded[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]
        behind = padded[1 - dy : 1 - dy + height, 1 - dx : 1 - dx + width]
        steepest = (magnitude >= ahead) & (magnitude >= behind)
        kept |= (direction == number) & steepest
    return np.where(kept, magnitude, np.float32(0))


def _grow(strong: NDArray[np.bool_], weak: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The weak pixels that a path of weak pixels joins to a strong one."""
    height, width = strong.shape
    wide = width + 2
    free = np.pad(weak & ~strong, 1).reshape(-1)
    edge = np.pad(strong, 1).reshape(-1)
    front = np.flatnonzero(edge)
    while len(front):
        near = np.concatenate([front + dy * wide + dx for dy, dx in _NEIGHBOURS])
        front = np.unique(near[free[near]])
        free[front] = False
        edge[front] = True
    return edge.reshape(height + 2, wide)[1:-1, 1:-1]
