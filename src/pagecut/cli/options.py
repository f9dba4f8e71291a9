"""Options that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])


class FormatChoice(click.Choice):  # type: ignore[type-arg]  # click 8.1 has no arguments
    """A choice of formats of text, which may be given by their short names."""

    def convert(
        self, value: str, parameter: click.Parameter | None, context: click.Context | None
    ) -> str:
        from pagecut.content.formats import full_name

        name: str = super().convert(full_name(value), parameter, context)
        return name


class ShapeChoice(click.Choice):  # type: ignore[type-arg]
    """A choice of shapes of rows; formats of files are picked by their endings instead."""

    def convert(
        self, value: str, parameter: click.Parameter | None, context: click.Context | None
    ) -> str:
        from pagecut.results.row_files import FORMATS

        if value in FORMATS:
            self.fail(
                f"{value} is a format of files, which the ending picks: -o FILE.{value}; shapes "
                f"are {', '.join(self.choices)}",
                parameter,
                context,
            )
        name: str = super().convert(value, parameter, context)
        return name


def _address(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    from pagecut.page.addresses import check_web_address

    if url is not None:
        try:
            check_web_address(url)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
    return url


url_option = click.option(
    "--url",
    callback=_address,
    metavar="ADDRESS",
    help="Where the page came from, if it is read from a file: makes addresses of images whole.",
)


def _encoding(_context: click.Context, _option: click.Parameter, name: str | None) -> str | None:
    """An encoding by the label that pages use."""
    from pagecut.parsing.decoding import label_of

    if name is None:
        return None
    label = label_of(name)
    if label is None:
        raise click.BadParameter(f"{name} is no encoding of web pages; e.g. utf-8, cp1252, gb18030")
    return label


charset_option = click.option(
    "--charset",
    callback=_encoding,
    metavar="NAME",
    help="Encoding of the page, instead of the one that it declares; e.g. utf-8, cp1252.",
)
dataset_option = click.option(
    "--dataset",
    "as_datasets",
    is_flag=True,
    help="Read folders as datasets with marks, also those without a pages.json.",
)
all_images_option = click.option(
    "--all",
    "every_element",
    is_flag=True,
    help="obelics, img2dataset: every element, also where a page shows the same picture again.",
)
min_confidence_option = click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="P",
    help="Leave out contexts that are right with a probability below P, e.g. 0.8.",
)
follow_links_option = click.option(
    "--follow-links",
    is_flag=True,
    help="Also take files outside a folder that links in it lead to.",
)
favour_option = click.option(
    "--favour",
    type=click.Choice(["precision", "balance", "recall"]),
    default="balance",
    show_default=True,
    help="precision: less text, surely main text; recall: more that may be; balance: between.",
)


def file_names(
    _context: click.Context, _parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Let the shell complete the names of files and folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(begun, type="file")]


def method_names(context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    """The methods that a command takes, for the shell to complete."""
    from pagecut.contexts import EXTRACTORS
    from pagecut.segmenters import SEGMENTERS

    names = {"images": [*EXTRACTORS], "evaluate": [*SEGMENTERS, *EXTRACTORS]}
    known = names.get(str(context.command.name), [*SEGMENTERS])
    return [name for name in known if name.startswith(begun)]


def sources_argument(
    metavar: str = "FILE|FOLDER|URL|-...", *, required: bool = True
) -> Callable[[Command], Command]:
    """The pages that a command reads."""
    return click.argument(
        "sources", nargs=-1, required=required, metavar=metavar, shell_complete=file_names
    )


def page_options(command: Command) -> Command:
    """What every command that reads pages takes; a folder stands for its HTML files."""
    for decorate in (
        follow_links_option,
        charset_option,
        url_option,
        sources_argument(),
    ):
        command = decorate(command)
    return command


def _of_this_kind(context: click.Context, _option: click.Parameter, spec: str | None) -> str | None:
    """Name the command that takes a method, where one of the other kind is wanted."""
    if spec is None:
        return None
    from pagecut.contexts import EXTRACTORS
    from pagecut.segmenters import SEGMENTERS

    name = spec.partition("(")[0].strip()
    wants_images = context.command.name == "images"
    if name in EXTRACTORS and name not in SEGMENTERS and not wants_images:
        raise click.BadParameter(f"{name} finds the text of images: `pagecut images --with {name}`")
    if name in SEGMENTERS and name not in EXTRACTORS and wants_images:
        raise click.BadParameter(
            f"{name} cuts pages: `pagecut segment --with {name}`; the text of an image's segment "
            f"is --with 'by-segment(segmenter=\"{name}\")'"
        )
    return spec


def with_option(what: str, example: str, multiple: bool = False) -> Callable[[Command], Command]:
    """The option that names a method, or several, by their specs."""
    return click.option(
        "--with",
        "specs" if multiple else "spec",
        callback=None if multiple else _of_this_kind,
        metavar="SPEC",
        multiple=multiple,
        shell_complete=method_names,
        help=f"The {what}, e.g. {example}; `pagecut list` shows all.",
    )


class _FileToWrite(click.Path):
    """A file, not a folder, whether that is there or a slash at the end tells that it is meant."""

    name = "file"

    def convert(
        self, value: Any, parameter: click.Parameter | None, context: click.Context | None
    ) -> Any:
        if str(value).endswith(("/", os.sep)) or os.path.isdir(value):
            folders = context and any(
                "--output-dir" in each.opts for each in context.command.params
            )
            remedy = (
                f"--output-dir {Path(value)} writes a file for each page"
                if folders
                else "name a file"
            )
            self.fail(f"{value} is a folder; {remedy}", parameter, context)
        return super().convert(value, parameter, context)


def output_file(help: str, **settings: Any) -> Callable[[Command], Command]:
    """The file to write; its ending is the format."""
    kind = _FileToWrite(path_type=Path, dir_okay=False)
    return click.option("-o", "--output", type=kind, help=help, **settings)


def level_option(help: str) -> Callable[[Command], Command]:
    return click.option(
        "--level", type=click.Choice(["1", "2"]), default="2", show_default=True, help=help
    )


def task_option(*names: str) -> Callable[[Command], Command]:
    return click.option("--task", type=click.Choice(names), required=True, help="What to score.")


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes that share the pages; the scores are the same.",
)
render_option = click.option(
    "--render",
    is_flag=True,
    help="Render the pages first, without their marks; only visible text is scored.",
)
output_folder_option = click.option(
    "--output-dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write a file for each page into a folder.",
)
output_option = output_file(
    "Write to a file in the format of its ending: .jsonl, .json, .csv, .parquet, .md."
)
