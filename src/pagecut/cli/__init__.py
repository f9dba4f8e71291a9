"""The command line: parse, one library call, print.

Results go to stdout, messages and progress to stderr. The commands import everything but click when
they run, so that `--help` answers at once.
"""

from __future__ import annotations

import errno
from typing import Any

import click

from pagecut._version import __version__
from pagecut.cli.dedup import dedup
from pagecut.cli.evaluation import evaluate
from pagecut.cli.fit import fit
from pagecut.cli.inputs import complain
from pagecut.cli.methods import list_methods
from pagecut.cli.plot import plot
from pagecut.cli.report import report
from pagecut.cli.results import images, segment, show
from pagecut.cli.sweep import sweep
from pagecut.cli.validate import validate


class _Pagecut(click.Group):
    """Turns every PagecutError into one line and exit code 1."""

    def invoke(self, context: click.Context) -> Any:
        from pagecut.errors import PagecutError

        try:
            return super().invoke(context)
        except PagecutError as error:
            complain(error)
            context.exit(1)
        except OSError as error:
            if error.errno == errno.EPIPE:  # click ends quietly then
                raise
            complain(f"cannot write: {error.strerror or error}")
            context.exit(1)


@click.group(cls=_Pagecut, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pagecut")
def main() -> None:
    """Cut web pages into the pieces people see, and tell which text belongs to each image."""


for command in (
    segment,
    images,
    show,
    list_methods,
    evaluate,
    sweep,
    report,
    validate,
    fit,
    plot,
    dedup,
):
    main.add_command(command)
