# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What Mosaic needs for every page, in the buffers that its kernels read.

Compiled into `pagecut.compiled.mosaic_learnt` (see `kernels`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`


class Learnt:
    """What Mosaic has learnt for one form of pages, and what it knows of names and characters.

    Args:
        regions, roles: `TreeSums`.
        blocks, joints: weights of the features of nodes and of pairs.
        logs: log(1 + n) of the first whole numbers.
        letters, words, word_bits, stems, stem_bits: as for `names.parts_in`.
        seed: as for `names.number_looks`.
    """

    def __init__(
        self,
        regions: object,
        roles: object,
        blocks: cython.const[cython.double][::1],
        block_bias: cython.double,
        joints: cython.const[cython.double][::1],
        joint_bias: cython.double,
        logs: cython.const[cython.double][::1],
        letters: cython.const[cython.uchar][::1],
        words: cython.const[cython.int][:, ::1],
        word_bits: cython.const[cython.longlong][::1],
        stems: cython.const[cython.int][:, ::1],
        stem_bits: cython.const[cython.longlong][::1],
        seed: cython.longlong,
    ) -> None:
        self.regions = regions
        self.roles = roles
        self.blocks = blocks
        self.block_bias = block_bias
        self.joints = joints
        self.joint_bias = joint_bias
        self.logs = logs
        self.letters = letters
        self.words = words
        self.word_bits = word_bits
        self.stems = stems
        self.stem_bits = stem_bits
        self.seed = seed
