"""Where the compiled `kernels` lie; the types that Cython gives them stand beside."""
