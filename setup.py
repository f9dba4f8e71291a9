"""The compiled parts, which are optional: without a compiler or Cython, pagecut runs uncompiled."""

from pathlib import Path

from setuptools import Extension, setup

PACKAGE = Path("src/pagecut")


def native_walk() -> Extension:
    sources = sorted(map(str, (PACKAGE / "native").glob("*.c")))
    headers = sorted(map(str, (PACKAGE / "native").glob("*.h")))
    return Extension("pagecut._native", sources, depends=headers, optional=True)


def kernels() -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        print("pagecut: without Cython the kernels stay uncompiled")
        return []
    found = [
        Extension(f"pagecut._{path.stem}", [str(path)], optional=True)
        for path in sorted(PACKAGE.glob("kernels*.py"))
    ]
    compiled: list[Extension] = cythonize(found, build_dir="build", quiet=True)
    return compiled


setup(ext_modules=[native_walk(), *kernels()])
