"""A page laid out like the Yahoo! Auctions page of the VIPS paper (Figures 1, 4 and 6).

A bar on top; a table with a coloured column of links, two comics and a column of help, between them
cells that show nothing; a bar of links; a line of small print with a seal. Each comic has pairs of
a bold line and a plain one.
"""

from __future__ import annotations

from laid_out import lay_out

from pagecut import Page


def _links(top: int, names: str) -> str:
    items = "".join(
        f'<li style="box:10 {top + 20 * row} 180 {top + 20 * row + 16}">{name}</li>'
        for row, name in enumerate(names.split())
    )
    return f"<ul>{items}</ul>"


def _pair(top: int, bold: str, plain: str) -> str:
    return (
        f'<p style="box:220 {top} 700 {top + 16};weight:700">{bold}</p>'
        f'<p style="box:220 {top + 20} 700 {top + 36}">{plain}</p>'
    )


def auctions() -> Page:
    """The page with its layout."""
    first = _pair(120, "Amazing Tales 12", "Near mint, no tears") + _pair(
        172, "Current bid: $3.20", "Two bids so far"
    )
    second = (
        _pair(320, "Space Patrol 3", "A fold in the cover")
        + _pair(372, "Current bid: $14.50", "Nine bids so far")
        + _pair(424, "Seller: inkwell", "Ships from Oslo")
    )
    return lay_out(f"""
    <div style="box:0 0 1000 80;background:255 230 160">
      <h1 style="box:10 10 300 40;font:28">Auctions</h1>
      <p style="box:700 20 990 36">Sign in or register</p>
    </div>
    <table style="box:0 110 1000 620"><tr>
      <td style="box:0 110 200 620;background:210 225 250">
        {_links(120, "Coins Toys Books Music Films Comics")}{_links(280, "Sell Search Watch")}
      </td>
      <td><img style="box:200 110 201 111" src="blank.gif"></td>
      <td style="box:210 110 720 620"><div>{first}</div><div>{second}</div></td>
      <td><img style="box:725 110 726 111" src="blank.gif"></td>
      <td style="box:740 110 1000 620">
        <h3 style="box:750 120 990 136;weight:700">New to auctions?</h3>
        <p style="box:750 140 990 200">How to bid, how to sell, how to pay.</p>
        <h3 style="box:750 240 990 256;weight:700">Safe trade</h3>
        <p style="box:750 260 990 330">Pay when the parcel is here.</p>
      </td>
    </tr></table>
    <div style="box:0 650 1000 690;background:255 230 160">
      <a style="box:10 660 90 676">Help</a> <a style="box:110 660 190 676">Rules</a>
    </div>
    <div style="box:0 720 1000 760">
      <p style="box:10 720 600 736">All trademarks belong to their owners.</p>
      <img style="box:10 740 90 790" src="seal.png">
    </div>
    """)
