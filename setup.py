"""The compiled parts: every `x.py` with an `x.pxd` beside it becomes an extension in its place."""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

SOURCE = Path("src")
BUILD = Path("build")
PROCESSES = os.cpu_count() or 1
# What Cython's memory views need, once for all extensions instead of in each of them.
SHARED = "pagecut._cyutility"

# Only where the compiler knows them: calls into Python without a stub between, names that nobody
# else sees, the code of errors, which are rare, apart from what runs; and no debug information.
FLAGS = ("-fno-plt", "-fvisibility=hidden", "--param=builtin-expect-probability=100", "-g0")


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def shared_utilities() -> Extension:
    source = BUILD.joinpath(*SHARED.split(".")).with_suffix(".c")
    if not source.exists():
        source.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "cython", f"--generate-shared={source}"], check=True)
    return Extension(SHARED, [str(source)])


def kernels() -> list[Extension]:
    """An extension for each module with a file of types beside it, and for each in Cython alone."""
    sources = [types.with_suffix(".py") for types in sorted(SOURCE.rglob("*.pxd"))]
    sources = [path for path in sources if path.exists()] + sorted(SOURCE.rglob("*.pyx"))
    for path in sources:
        forget_stale(module_name(path), path)
    compiled: list[Extension] = cythonize(
        [Extension(module_name(path), [str(path)]) for path in sources],
        build_dir=str(BUILD),
        include_path=[str(SOURCE)],
        nthreads=PROCESSES,
        quiet=True,
        shared_utility_qualified_name=SHARED,
    )
    return compiled


def forget_stale(module: str, path: Path) -> None:
    """Remove the C code of a module if types that it reads are newer: Cython does not notice."""
    made = BUILD / path.with_suffix(".c")
    if made.exists():
        when = made.stat().st_mtime
        if any(types.stat().st_mtime > when for types in types_read(module)):
            made.unlink()


def types_read(module: str) -> set[Path]:
    """The file of types of a module, and those from which it takes types in turn."""
    found: set[Path] = set()
    modules = [module]
    while modules:
        path = SOURCE.joinpath(*modules.pop().split(".")).with_suffix(".pxd")
        if path.exists() and path not in found:
            found.add(path)
            text = path.read_text(encoding="utf-8")
            modules += re.findall(r"from (pagecut\.[\w.]+) cimport", text)
    return found


def knows_flag(compiler: Any, flag: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "nothing.c")
        source.write_text("int nothing;\n")
        try:
            compiler.compile([str(source)], folder, extra_postargs=["-Werror", flag])
        except CompileError:
            return False
    return True


class BuildInParallel(build_ext):
    """Builds extensions side by side, with those of `FLAGS` that the compiler knows.

    A build in place (which an editable install is, too) keeps what it made, so that a changed
    kernel is compiled alone, and removes extensions whose source is gone.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = PROCESSES  # which editable builds take from nowhere else
        if self.inplace or self.editable_mode:
            self.build_temp = str(BUILD / "objects" / sys.implementation.cache_tag)
            self.build_lib = str(BUILD / "extensions" / sys.implementation.cache_tag)

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "unix":
            flags = [flag for flag in FLAGS if knows_flag(self.compiler, flag)]
            for extension in self.extensions:
                extension.extra_compile_args.extend(flags)
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        made = Path(self.get_ext_fullpath(extension.name))
        before = made.stat().st_mtime_ns if made.exists() else 0
        super().build_extension(extension)
        if made.stat().st_mtime_ns != before:
            print(f"compiled {extension.name}")

    def copy_extensions_to_source(self) -> None:
        super().copy_extensions_to_source()
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        known = {SOURCE.joinpath(*each.name.split(".")) for each in self.extensions}
        for path in SOURCE.rglob(f"*{suffix}"):
            if path.with_name(path.name.removesuffix(suffix)) not in known:
                path.unlink()


setup(
    ext_modules=[shared_utilities(), *kernels()],
    cmdclass={"build_ext": BuildInParallel},
)
