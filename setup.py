"""The compiled parts, which are optional: without a compiler or Cython, pagecut runs uncompiled."""

import os
import tempfile
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

PACKAGE = Path("src/pagecut")

# Only where the compiler knows them: calls into Python without a stub between, names that nobody
# else sees, and the code of errors, which are rare, apart from what runs.
FLAGS = ("-fno-plt", "-fvisibility=hidden", "--param=builtin-expect-probability=100")


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


def knows_flag(compiler: Any, flag: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "nothing.c")
        source.write_text("int nothing;\n")
        try:
            compiler.compile([str(source)], folder, extra_postargs=["-Werror", flag])
        except CompileError:
            return False
    return True


class BuildWithFlags(build_ext):
    """Builds the extensions with those of `FLAGS` that the compiler knows."""

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "unix":
            flags = [flag for flag in FLAGS if knows_flag(self.compiler, flag)]
            for extension in self.extensions:
                extension.extra_compile_args.extend(flags)
        super().build_extensions()


setup(
    ext_modules=[native_walk(), *kernels()],
    cmdclass={"build_ext": BuildWithFlags},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
)
