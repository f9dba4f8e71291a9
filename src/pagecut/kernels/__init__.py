"""The hot loops, in Python that Cython compiles into `pagecut.compiled`, one module for each.

What they need to know is handed to them: they import nothing of the package but each other.
"""
