"""What `view` and `annotate` share: a server, and the browser that shows it."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from pagecut.rendering.cache import SavingRenderer
    from pagecut.viewer.shelf import Shelf
    from pagecut.viewer.workbench import Workbench

Command = TypeVar("Command", bound=Callable[..., Any])


def viewer_options(command: Command) -> Command:
    """Options of every command that starts the server."""
    for decorate in (
        click.option(
            "--render/--no-render",
            "renders",
            default=True,
            show_default=True,
            help="Show pages as a browser renders them, if there is one.",
        ),
        click.option(
            "--open/--no-open",
            "opens",
            default=True,
            show_default=True,
            help="Open the browser.",
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=0,
            show_default=True,
            help="The port; 0 takes any that is free.",
        ),
    ):
        command = decorate(command)
    return command


@contextmanager
def open_shelf(sources: Sequence[str], renders: bool) -> Iterator[Shelf]:
    """The pages that the user named, rendered if they can be."""
    from pagecut.viewer.opening import list_items
    from pagecut.viewer.shelf import Shelf

    with ExitStack() as stack:
        yield Shelf(list_items(sources, _renderer(stack) if renders else None))


def serve(
    sources: Sequence[str],
    *,
    start: dict[str, Any],
    port: int,
    opens: bool,
    renders: bool,
    more_routes: Callable[[Workbench], Sequence[BaseRoute]] = lambda _: (),
) -> None:
    """Serve pages until the user ends it."""
    from pagecut.errors import MissingExtra

    try:
        from pagecut.viewer.api import Api
        from pagecut.viewer.server import ViewerServer
    except ImportError as error:
        raise MissingExtra("starlette or uvicorn", "viewer") from error
    from pagecut.viewer.workbench import Workbench

    with open_shelf(sources, renders) as shelf:
        bench = Workbench(shelf)
        routes = [*Api(bench, start=start).routes(), *more_routes(bench)]
        server = ViewerServer(routes, port)
        with suppress(KeyboardInterrupt):
            click.echo(f"viewer: {server.address} (Ctrl-C ends it)", err=True)
            server.run(lambda: webbrowser.open(server.address) if opens else None)


def _renderer(stack: ExitStack) -> SavingRenderer | None:
    """A renderer with pictures; None, and a word about it, where there is no browser."""
    from pagecut.errors import RenderError
    from pagecut.rendering.browser import View, find_browser
    from pagecut.rendering.cache import RenderCache, SavingRenderer
    from pagecut.viewer.opening import SCREENSHOT

    try:
        find_browser()
    except RenderError as error:
        click.echo(f"pagecut: pages are not rendered: {error}", err=True)
        return None
    view = View(screenshot=SCREENSHOT)
    return stack.enter_context(SavingRenderer(view, RenderCache(), tabs=1))
