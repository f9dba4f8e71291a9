"""The command that lists the methods."""

from __future__ import annotations

import click


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per method.")
def list_methods(as_json: bool) -> None:
    """List every method with its parameters, their defaults and its paper."""
    from pagecut.methods import describe_methods
    from pagecut.results.output import json_line

    rows = describe_methods()
    if as_json:
        for row in rows:
            click.echo(json_line(row))
    else:
        from pagecut.cli.terminal import show_methods

        show_methods(rows)
