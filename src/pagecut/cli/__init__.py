"""The command line: parse, one library call, print.

Results go to stdout, messages and progress to stderr. The commands import everything but click when
they run, so that `--help` answers at once.
"""

from __future__ import annotations

import errno
from typing import Any

import click

from pagecut._version import __version__
from pagecut.cli.evaluation import evaluate, list_methods, sweep, validate
from pagecut.cli.inputs import complain
from pagecut.cli.plot import plot
from pagecut.cli.render import render
from pagecut.cli.results import images, segment, show, transfer
from pagecut.cli.run import run
from pagecut.cli.search import make_index, search
from pagecut.cli.studies import dedup, fit
from pagecut.cli.text import chunk, text
from pagecut.cli.view import annotate, report, view


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


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from pagecut.parsing.native_walk import uncompiled_parts

    click.echo(f"pagecut, version {__version__}")
    if parts := uncompiled_parts():
        click.echo(f"uncompiled: {', '.join(parts)} (slower, the results are the same)")
    context.exit()


@click.group(cls=_Pagecut, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and what of it runs uncompiled.",
)
def main() -> None:
    """Cut web pages into the pieces people see, and tell which text belongs to each image."""


for command in (
    segment,
    images,
    show,
    transfer,
    list_methods,
    evaluate,
    sweep,
    report,
    view,
    annotate,
    validate,
    fit,
    plot,
    render,
    dedup,
    make_index,
    search,
    text,
    chunk,
    run,
):
    main.add_command(command)
