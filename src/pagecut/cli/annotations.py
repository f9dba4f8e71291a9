"""What `pagecut annotate` does with annotations that are there."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from pagecut.annotation.agreement import agreement
from pagecut.annotation.exports import FORMATS, Exported, export
from pagecut.annotation.marks import Annotation
from pagecut.annotation.storage import AnnotationFolder
from pagecut.cli.inputs import Failures
from pagecut.errors import AnnotationError, PagecutError
from pagecut.viewer.shelf import OpenPage, Shelf


def annotated(
    shelf: Shelf, folder: AnnotationFolder, failures: Failures
) -> Iterator[tuple[str, OpenPage, Annotation]]:
    """The pages that someone annotated."""
    for number, item in enumerate(shelf.items):
        try:
            opened = shelf.page(number)
            if folder.has(opened.page, item.name):
                yield item.name, opened, folder.read(opened.page, item.name)
        except PagecutError as error:
            failures.add(item.name, error)


def write_exports(shelf: Shelf, folder: AnnotationFolder, format: str) -> None:
    """A file for each annotated page."""
    failures = Failures()
    count = 0
    for name, opened, annotation in annotated(shelf, folder, failures):
        what = Exported(
            annotation=annotation, page=opened.page, source=opened.source, picture=opened.picture
        )
        path = folder.path(opened.page, name)
        path = path.with_name(path.stem + FORMATS[format][0])
        try:
            path.write_bytes(export(what, format))
        except PagecutError as error:
            failures.add(name, error)
        else:
            count += 1
            click.echo(str(path))
    if not count and not failures.count:
        raise AnnotationError(
            f"{folder.folder}: {folder.annotator} has annotated none of the pages"
        )
    failures.exit()


def print_agreement(shelf: Shelf, first: AnnotationFolder, second: AnnotationFolder) -> None:
    """One JSON object for each page that both annotated."""
    failures = Failures()
    count = 0
    for name, opened, annotation in annotated(shelf, first, failures):
        if second.has(opened.page, name):
            count += 1
            other = second.read(opened.page, name)
            row = agreement(opened.page, annotation, other).row()
            click.echo(json.dumps(row, ensure_ascii=False))
    if not count and not failures.count:
        raise AnnotationError(
            f"{first.folder}: no page was annotated by both {first.annotator} and "
            f"{second.annotator}"
        )
    failures.exit()
