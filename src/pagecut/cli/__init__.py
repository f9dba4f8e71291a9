"""The command line: parse, one library call, print.

Results go to stdout, messages and progress to stderr. The commands import everything but click when
they run, so that `--help` answers at once.
"""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import FrameType
from typing import Any, Final

import click

from pagecut._version import __version__
from pagecut.cli.inputs import print_error

# Each command and the module that has it.
_COMMANDS: Final = {
    "segment": "results",
    "images": "results",
    "show": "results",
    "transfer": "results",
    "list": "evaluation",
    "evaluate": "evaluation",
    "explain": "explain",
    "sweep": "evaluation",
    "report": "view",
    "view": "view",
    "annotate": "view",
    "validate": "evaluation",
    "fit": "studies",
    "plot": "plot",
    "render": "render",
    "dedup": "studies",
    "index": "search",
    "search": "search",
    "text": "text",
    "chunk": "text",
    "metadata": "metadata",
    "run": "run",
}


class _Pagecut(click.Group):
    """Imports a command when it is asked for, and turns every PagecutError into one line and exit
    code 1."""

    def list_commands(self, _: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module = import_module(f"pagecut.cli.{_COMMANDS[name]}")
        found = (each for each in vars(module).values() if isinstance(each, click.Command))
        return next(command for command in found if command.name == name)

    def resolve_command(
        self, context: click.Context, given: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, given)
        except click.UsageError as error:
            from difflib import get_close_matches

            alike = get_close_matches(given[0], _COMMANDS, n=2)
            if not alike:
                raise
            told = f"{error.message} Did you mean {' or '.join(alike)}?"
            raise click.UsageError(told, context) from error

    def invoke(self, context: click.Context) -> Any:
        from pagecut.errors import PagecutError

        # NumPy's linear algebra, which no command uses, starts threads that wait busily: a tenth of
        # a second of each command's time.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        try:
            with _ended_by_second_interrupt():
                return super().invoke(context)
        except PagecutError as error:
            print_error(error)
            context.exit(1)
        except OSError as error:
            if error.errno == errno.EPIPE:  # click ends quietly then
                raise
            print_error(f"cannot write: {error.strerror or error}")
            context.exit(1)


@contextmanager
def _ended_by_second_interrupt() -> Iterator[None]:
    """Let a second Ctrl-C end the process at once, also while the first one is being tidied up.

    What it has started ends with it, and the next command removes what it left.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    pressed = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            os._exit(128 + number)
        pressed = True
        signal.default_int_handler(number, frame)

    try:
        signal.signal(signal.SIGINT, interrupt)
    except ValueError:  # only the main thread may
        yield
        return
    try:
        yield
    finally:
        if not pressed:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@click.group(cls=_Pagecut, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pagecut")
def main() -> None:
    """Cut web pages into the pieces people see, and tell which text belongs to each image.

    A page is a file, an http(s) URL or - (standard input); a folder stands for its HTML files, a
    pattern in quotes for the files that it matches.
    """
