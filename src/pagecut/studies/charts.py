"""The charts of the laws of text blocks.

Kohlschütter & Nejdl, "A Densitometric Approach to Web Page Segmentation", CIKM 2008: Figure 2 (the
fit of Frumkina's law) and Figure 6 (Zipf's law).
"""

from __future__ import annotations

from collections.abc import Mapping

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
