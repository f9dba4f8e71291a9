"""The charts of the Block Fusion paper: laws of text blocks, and what each sweep does.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008: Figure 2 (the
fit of Frumkina's law), Figure 6 (Zipf's law) and Figure 7 (what each sweep does).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import Drawing
from pagecut.studies.laws import Fit


def draw_fit(fit: Fit, subtitle: str = "") -> Drawing:
    """A law against what was observed: the picture of its kind."""
    if fit.law == "zipf":
        return draw_zipf({"blocks": fit}, subtitle=subtitle)
    x = fit.classes.tolist()
    panel = Panel(
        y_label="changes of density",
        series=[
            Series(name="observed", x=x, y=fit.observed.tolist(), points=True),
            Series(name=f"expected ({describe(fit)})", x=x, y=fit.expected.tolist()),
        ],
        log_y=True,
        height=300,
    )
    return draw_chart(
        [panel],
        title="Change of density between neighbouring blocks",
        subtitle=subtitle,
        x_label="class of the relative change (Eq. 9)",
    )


def draw_zipf(fits: Mapping[str, Fit], subtitle: str = "") -> Drawing:
    """Figure 6: the lengths of blocks against their rank, the longest first.

    Both axes are logarithmic, so that Zipf's law is a straight line. With several fits, only the
    observed lengths are drawn.
    """
    series = [
        Series(
            name=name,
            x=fit.classes.tolist(),
            y=(fit.observed / fit.observed[0]).tolist(),
            points=len(fits) == 1,
        )
        for name, fit in fits.items()
    ]
    if len(fits) == 1:
        (fit,) = fits.values()
        line = (fit.expected / fit.observed[0]).tolist()
        series.append(Series(name=f"law ({describe(fit)})", x=fit.classes.tolist(), y=line))
    return draw_chart(
        [Panel(y_label="tokens, relative to the longest", series=series, log_y=True, height=340)],
        title="Tokens per block, the longest first",
        subtitle=subtitle,
        x_label="rank of the block",
        log_x=True,
    )


def describe(fit: Fit) -> str:
    """A fit's parameters in one line."""
    return ", ".join(f"{name} = {value:.4g}" for name, value in fit.parameters.items())


def draw_sweeps(
    blocks: Mapping[str, Sequence[float]],
    errors: Mapping[str, Sequence[float]],
    subtitle: str = "",
) -> Drawing:
    """Figure 7: the blocks that are left and the error, before the first sweep and after each.

    Args:
        blocks: by strategy, the mean number of blocks.
        errors: by strategy, the mean of 1 - accuracy.
    """
    return draw_chart(
        [
            Panel(y_label="blocks per page", series=_by_step(blocks), height=190),
            Panel(y_label="1 − accuracy", series=_by_step(errors), height=190, from_zero=False),
        ],
        title="What each sweep of Block Fusion does",
        subtitle=subtitle,
        x_label="sweeps",
    )


def _by_step(values: Mapping[str, Sequence[float]]) -> list[Series]:
    return [Series(name=name, x=range(len(each)), y=each) for name, each in values.items()]
