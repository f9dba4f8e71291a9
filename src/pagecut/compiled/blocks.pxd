# The kernels that kernels/blocks.py calls, as C functions.
from pagecut.compiled.text cimport atomic_ranges, wrap_ranges
from pagecut.compiled.fusion cimport fuse_blocks
from pagecut.compiled.segments cimport merge_images
