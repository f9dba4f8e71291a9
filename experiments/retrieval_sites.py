"""Five made-up web sites for the retrieval experiment, each with its own markup and style.

A site sets articles among navigation, related links, advertisements and comments. Its parts are
format strings, which `retrieval_pages.py` fills. Pages are laid out by style sheets (columns,
backgrounds, borders), so that a rendered page looks like its structure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """How a site sets its pages.

    Args:
        page: the whole page, with {title}, {menu}, {own}, {guests}, {related}, {ads}, {comments}.
        article: one article, with {title} and {text}; the first on a page and the others alike.
        paragraph: with {text}.
        related: one teaser, with {title}, {text}; `link`, one entry of the menu, with {text}.
        block_of_related, block_of_ads, block_of_comments: what holds them, with {items}; left out
            where there are none.
    """

    name: str
    page: str
    article: str
    paragraph: str
    related: str
    link: str
    ad: str
    comment: str
    block_of_related: str
    block_of_ads: str
    block_of_comments: str


PORTAL = Site(
    name="portal",
    page="""<!doctype html><html><head><title>{title}</title><style>
body {{ margin: 0; font: 15px sans-serif; background: #eee }}
.top {{ background: #234; color: #fff; padding: 12px }} .top a {{ color: #cde; margin: 0 8px }}
.cols {{ display: flex; max-width: 1180px; margin: 12px auto }}
.left {{ width: 190px; background: #fff; padding: 10px }}
.mid {{ flex: 1; margin: 0 14px }} .right {{ width: 260px; background: #fffbe8; padding: 10px }}
.story {{ background: #fff; padding: 14px; margin-bottom: 14px }}
.foot {{ background: #ccc; padding: 10px; font-size: 12px }}</style></head><body>
<div class="top"><a href="/">The Daily Manual</a></div>
<div class="cols"><div class="left"><ul>{menu}</ul></div>
<div class="mid">{own}{guests}{comments}</div>
<div class="right">{ads}{related}</div></div>
<div class="foot">Terms of use · Privacy · Contact</div></body></html>""",
    article='<div class="story"><h2>{title}</h2>{text}</div>\n',
    paragraph="<p>{text}</p>\n",
    related='<li><a href="/story">{title}</a><br>{text}</li>\n',
    link='<li><a href="/c">{text}</a></li>\n',
    ad='<div class="ad"><b>{title}</b><p>{text}</p><a href="/go">Order now</a></div>\n',
    comment='<div class="c"><b>{name}</b> <i>{date}</i><p>{text}</p></div>\n',
    block_of_related="<h3>Most read</h3><ul>{items}</ul>",
    block_of_ads='<div class="ads">{items}</div>',
    block_of_comments='<div class="story"><h3>Comments</h3>{items}</div>',
)

TABLES = Site(
    name="tables",
    page="""<html><head><title>{title}</title></head><body bgcolor="#ffffff">
<table width="1000" align="center" cellpadding="6"><tr><td colspan="3" bgcolor="#336699">
<font color="#ffffff" size="5">HANDBOOK ARCHIVE</font></td></tr>
<tr valign="top"><td width="150" bgcolor="#dddddd"><font size="2">{menu}</font></td>
<td>{own}{guests}{comments}</td><td width="200" bgcolor="#ffffcc">{related}{ads}</td></tr>
<tr><td colspan="3" align="center"><font size="1">Best viewed at 1024 by 768. Mail the webmaster.
</font></td></tr></table></body></html>""",
    article="""<table width="100%" border="1" cellspacing="0" cellpadding="8"><tr>
<td bgcolor="#eeeeee"><b>{title}</b></td></tr><tr><td>{text}</td></tr></table><br>\n""",
    paragraph="{text}<br><br>\n",
    related='<a href="/a">{title}</a><br><font size="1">{text}</font><br><br>\n',
    link='<a href="/m">{text}</a><br>\n',
    ad="""<table border="1" bgcolor="#ffcc99"><tr><td><b>{title}</b><br>{text}</td></tr></table>
<br>\n""",
    comment="""<table width="100%" bgcolor="#f4f4ff"><tr><td width="110"><b>{name}</b><br>{date}
</td><td>{text}</td></tr></table>\n""",
    block_of_related="<b>See also</b><br>{items}",
    block_of_ads="<b>Sponsors</b><br>{items}",
    block_of_comments="<b>Guest book</b><br>{items}",
)

BLOG = Site(
    name="blog",
    page="""<!doctype html><html><head><title>{title}</title><style>
body {{ font: 17px Georgia, serif; width: 1040px; margin: 0 auto }}
nav ul {{ list-style: none; padding: 0 }} nav li {{ display: inline-block; margin-right: 14px }}
main {{ float: left; width: 700px }} aside {{ float: right; width: 300px; background: #f3f3f3 }}
article {{ border-bottom: 3px double #999; margin-bottom: 24px }} footer {{ clear: both }}
.sponsor {{ border: 1px solid #c90; padding: 6px; margin: 8px 0; font: 13px sans-serif }}
ol.talk li {{ border-top: 1px solid #ccc; font-size: 14px }}</style></head><body>
<header><h1>Notes from the shelf</h1><nav><ul>{menu}</ul></nav></header>
<main>{own}{comments}{guests}</main><aside>{related}{ads}</aside>
<footer><p>Written after hours. All opinions are borrowed.</p></footer></body></html>""",
    article="""<article><h2>{title}</h2><p class="meta">Posted by the editors, filed under
<a href="/t">notes</a></p>{text}</article>\n""",
    paragraph="<p>{text}</p>\n",
    related='<li><a href="/p">{title}</a> <span>{text}</span></li>\n',
    link='<li><a href="/tag">{text}</a></li>\n',
    ad='<div class="sponsor"><strong>{title}</strong> {text}</div>\n',
    comment="<li><cite>{name}</cite> says on {date}: <p>{text}</p><a href='#r'>Reply</a></li>\n",
    block_of_related="<h3>Related posts</h3><ul>{items}</ul>",
    block_of_ads="{items}",
    block_of_comments='<section><h3>Responses</h3><ol class="talk">{items}</ol></section>',
)

FORUM = Site(
    name="forum",
    page="""<!doctype html><html><head><title>{title}</title><style>
body {{ font: 14px Verdana, sans-serif; background: #dfe6ee; margin: 0 8% }}
.crumbs {{ background: #f8f8f8; padding: 6px }} .post {{ background: #fff; margin: 8px 0 }}
.who {{ float: left; width: 120px; background: #eef; padding: 8px }}
.said {{ margin-left: 140px; padding: 8px; min-height: 70px }}
.note {{ background: #ffd; border: 1px solid #dd9; padding: 6px; margin: 6px 0 }}</style></head>
<body><div class="crumbs">{menu}</div><div class="thread">{own}{ads}{comments}{guests}</div>
<div class="similar">{related}</div>
<div class="end">Log in to answer. 3 members and 12 guests read this.</div></body></html>""",
    article="""<div class="post"><div class="who">keeper<br>Senior member</div><div class="said">
<div class="subject">{title}</div>{text}</div></div>\n""",
    paragraph="<div>{text}</div><br>\n",
    related='<div class="row"><a href="/thread">{title}</a><div>{text}</div></div>\n',
    link='<a href="/board">{text}</a> » \n',
    ad='<div class="note"><span>{title}</span><br>{text}</div>\n',
    comment="""<div class="post"><div class="who">{name}<br>{date}</div>
<div class="said"><div>{text}</div></div></div>\n""",
    block_of_related="<h4>Similar threads</h4>{items}",
    block_of_ads="{items}",
    block_of_comments="{items}",
)

MAGAZINE = Site(
    name="magazine",
    page="""<!doctype html><html><head><title>{title}</title><style>
body {{ font: 16px/1.5 sans-serif; margin: 0 }} .bar {{ border-bottom: 4px solid #b00 }}
.bar span {{ margin: 0 10px }} .grid {{ display: grid; grid-template-columns: 2fr 1fr; gap: 24px }}
.lead {{ padding: 16px }} .more {{ display: grid; grid-template-columns: 1fr 1fr; gap: 16px }}
.card {{ background: #f6f6f6; padding: 10px }} .promo {{ background: #123; color: #fff }}
.voices {{ background: #fafafa; padding: 16px }}</style></head><body>
<div class="bar">{menu}</div><div class="grid"><section class="lead">{own}</section>
<section>{related}{ads}</section></div><section class="lead">{guests}</section>
<section class="voices">{comments}</section><div class="small">Subscribe to our weekly letter</div>
</body></html>""",
    article="<h1>{title}</h1>\n{text}<hr>\n",
    paragraph='<p class="body">{text}</p>\n',
    related='<div class="card"><h4><a href="/x">{title}</a></h4><p>{text}</p></div>\n',
    link='<span><a href="/s">{text}</a></span>\n',
    ad='<div class="promo"><p>{title}</p><p>{text}</p><button>Learn more</button></div>\n',
    comment='<div class="voice"><p>{text}</p><p class="by">{name}, {date}</p></div>\n',
    block_of_related='<h3>Read next</h3><div class="more">{items}</div>',
    block_of_ads='<div class="promos">{items}</div>',
    block_of_comments="<h3>Voices</h3>{items}",
)

SITES: Final = (PORTAL, TABLES, BLOG, FORUM, MAGAZINE)
