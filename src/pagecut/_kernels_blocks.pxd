# The kernels that kernels_blocks.py calls, as C functions.
from pagecut._kernels cimport atomic_ranges, wrap_ranges
from pagecut._kernels_fusion cimport fuse_blocks
from pagecut._kernels_segments cimport merge_images
