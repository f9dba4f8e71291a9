"""The compiled parts, which are optional: without a compiler or Cython, pagecut runs uncompiled."""

import os
from pathlib import Path

from setuptools import Extension, setup

PACKAGE = Path("src/pagecut")


def native_walk() -> Extension:
    sources = sorted(map(str, (PACKAGE / "native").glob("*.c")))
    headers = sorted(map(str, (PACKAGE / "native").glob("*.h")))
    return Extension("pagecut._native", sources, depends=headers, optional=True)


def types_changed() -> bool:
    """Whether a file of types is newer than what was made; Cython does not see that by itself."""
    made = [path.stat().st_mtime for path in Path("build", PACKAGE, "kernels").glob("*.c")]
    types = [path.stat().st_mtime for path in (PACKAGE / "compiled").glob("*.pxd")]
    return bool(made) and bool(types) and max(types) > min(made)


def kernels() -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        print("pagecut: without Cython the kernels stay uncompiled")
        return []
    found = [
        Extension(f"pagecut.compiled.{path.stem}", [str(path)])
        for path in sorted((PACKAGE / "kernels").glob("[!_]*.py"))
    ]
    compiled: list[Extension] = cythonize(
        found,
        build_dir="build",
        include_path=[str(PACKAGE.parent)],
        quiet=True,
        force=types_changed(),
    )
    for each in compiled:
        each.optional = True  # which `cythonize` does not keep
    return compiled


setup(
    ext_modules=[native_walk(), *kernels()],
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
