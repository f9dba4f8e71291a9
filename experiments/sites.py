"""Eight made-up web sites that print the words of songs, each in the markup of its time.

The sites differ in how they set verses and in all that stands around them: navigation, ads, links,
related texts, comments, notes. A site's parts are format strings; `lyrics.py` fills them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """How a site sets its pages.

    Args:
        page: the whole page, with {title}, {artist}, {song}, {links}, {related}, {comments}.
        line, line_join, verse, verse_join: the song.
        stop: what a line ends with.
        interruption: an ad that stands between two verses on one page in eight.
        comment: one comment, with {name}, {date}, {text}.
        related: one related text, with {title}, {name}, {text}.
        link: one entry of a list of links, with {text}.
    """

    name: str
    page: str
    line: str = "{}"
    line_join: str = "<br>\n"
    verse: str = "{}"
    verse_join: str = "<br><br>\n"
    stop: str = ""
    interruption: str = ""
    comment: str
    related: str
    link: str


CLASSIC = Site(
    name="classic",  # one <div>, <br> between lines, 2005
    stop=",",
    page="""<html><head><title>{title} lyrics - {artist}</title></head><body>
<div id="top"><a href="/"><img src="/logo.gif" alt="Classic Words"></a>
<div class="menu"><a href="/a">Artists</a> | <a href="/n">New songs</a> | <a href="/t">Top 100</a> |
<a href="/r">Request a song</a> | <a href="/f">Forum</a> | <a href="/c">Contact us</a></div></div>
<div id="ad"><script>document.write("banner")</script>
Send this song to your mobile phone now!</div>
<div id="left"><b>More songs by {artist}</b><br>{links}</div>
<div id="main"><h1>{title} lyrics</h1><div class="by">Artist: <a href="/a/1">{artist}</a></div>
<div class="words">{song}</div>
<div class="note">If you find a mistake in these words please send us a correction.</div>
<h3>You may also like</h3>{related}
<h3>What visitors say</h3>{comments}</div>
<hr><div id="foot">All words belong to their owners and are printed for learning only.
<a href="/p">Privacy</a> <a href="/terms">Terms</a></div></body></html>""",
    related='<h4><a href="/s">{title}</a></h4><div>{text}</div>\n',
    comment="<p><b>{name}</b> wrote on {date}:<br>{text}</p><hr>\n",
    link='<a href="/s">{text}</a><br>\n',
)

TABLES = Site(
    name="tables",  # nested tables and <font>, 1999; title and thanks inside the song's cell
    page="""<html><head><title>{artist}: {title}</title></head><body bgcolor="#ffffff">
<table width="780"><tr><td colspan="3"><font size="5">SONGTABLE</font></td></tr>
<tr><td colspan="3"><a href="/">Home</a> <a href="/az">A to Z</a> <a href="/top">Charts</a>
<a href="/add">Add words</a> <a href="/links">Links</a> <a href="/guest">Guestbook</a></td></tr>
<tr><td valign="top" width="150"><table>{links}</table></td>
<td valign="top"><font size="4"><b>{title}</b></font><br>by {artist}<br><br>
<font face="Arial" size="2">{song}</font><br><br>Thanks to our readers for sending these words
</td><td valign="top"><img src="/banner.gif" alt="Free ring tones"><br>
<font size="1">Buy this record at a good price today</font></td></tr></table>
<table><tr><td colspan="2"><b>Readers also looked at</b></td></tr>{related}</table>
<font size="3"><b>Guestbook entries for this song</b></font>{comments}
<center><font size="1">Copyright Songtable. All rights reserved by the writers.</font></center>
</body></html>""",
    related='<tr><td><a href="/s">{title}</a></td><td><font size="1">{text}</font></td></tr>\n',
    comment="""<table border="1" width="500"><tr><td><b>{name}</b> {date}</td></tr>
<tr><td>{text}</td></tr></table>\n""",
    link='<tr><td><a href="/s"><font size="1">{text}</font></a></td></tr>\n',
)

BLOG = Site(
    name="blog",  # a paragraph per verse, a WordPress theme, 2011
    verse="<p>{}</p>",
    verse_join="\n",
    stop=".",
    interruption='<div class="ad"><script async src="/ads.js"></script><ins></ins></div>\n',
    page="""<!doctype html><html><head><title>{title} | Verse Blog</title></head><body>
<header><h1><a href="/">Verse Blog</a></h1><p>Words worth singing since the first winter</p>
<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li>
<li><a href="/archive">Archive</a></li><li><a href="/write">Write for us</a></li></ul></nav>
</header><article><h2>{title} by {artist}</h2>
<p class="meta">Posted in <a href="/c">Songs</a> with <a href="#c">some comments</a></p>
<div class="entry">{song}</div>
<div class="share"><ul><li><a href="/1">Share</a></li><li><a href="/2">Tweet</a></li></ul></div>
</article><section class="related"><h3>Related posts</h3>{related}</section>
<section id="comments"><h3>Responses</h3><ol class="commentlist">{comments}</ol></section>
<aside><h3>Recent posts</h3><ul>{links}</ul></aside>
<footer><p>Proudly powered by a small blog engine. Theme by a friend.</p></footer>
</body></html>""",
    related="""<div class="post"><img src="/t.jpg" alt="">
<p><strong><a href="/s">{title}</a></strong>
{text}</p></div>\n""",
    comment="""<li><div class="author"><img class="avatar" src="/a.png" alt=""><cite>{name}</cite>
says:</div><div class="date"><a href="#c">{date}</a></div><p>{text}</p>
<div><a href="#r">Reply</a></div></li>\n""",
    link='<li><a href="/s">{text}</a></li>\n',
)

PLAIN = Site(
    name="plain",  # <pre>, <hr>, no style at all, 1996
    line_join="\n",
    verse_join="\n\n",
    page="""<html><head><title>{title}</title></head><body><h2>{title}</h2>
<a href="index.html">back to the index</a> <a href="{artist}.html">back to {artist}</a><hr>
<pre>
{song}
</pre><hr>
<p>Typed in by hand, so there may be errors. Mail me if you find one.</p>
<h3>Other songs in this archive</h3><ul>{related}</ul>
<h3>All titles</h3>{links}
<h3>Notes from visitors</h3>{comments}
<address>This page was last changed a long time ago by the archive keeper.</address>
</body></html>""",
    related='<li><a href="s.html">{title}</a> begins: {text}</li>\n',
    comment="<b>{name}</b> ({date})<br>{text}<hr>\n",
    link='<a href="s.html">{text}</a>,\n',
)

HYMNAL = Site(
    name="hymnal",  # the verses are the items of a list, 2003
    verse="<li>{}</li>",
    verse_join="\n",
    stop=";",
    page="""<html><head><title>The Song Book: {title}</title></head><body>
<div class="head"><img src="/book.gif" alt=""><p>The Song Book</p>
<p><a href="/first">First lines</a> <a href="/themes">Themes</a> <a href="/tunes">Tunes</a>
<a href="/authors">Authors</a></p></div>
<h1>{title}</h1><p class="credit">Words and music: {artist}. Number in the book: none yet.</p>
<ol class="verses">{song}</ol>
<p class="rights">May be sung freely wherever people meet.</p>
<h2>Settings of the same author</h2><dl>{related}</dl>
<h2>More titles</h2><ul>{links}</ul>
<h2>Discussion</h2><ul class="talk">{comments}</ul>
<p class="end">The Song Book is kept by volunteers. <a href="/help">Help us</a>.</p>
</body></html>""",
    related='<dt><a href="/s">{title}</a></dt><dd>{text}</dd>\n',
    comment="<li><b>{name}</b> on {date}: {text}</li>\n",
    link='<li><a href="/s">{text}</a></li>\n',
)

LINES = Site(
    name="lines",  # an element per line, cards and avatars, 2018
    line='<div class="line">{}</div>',
    line_join="\n",
    verse='<div class="verse">{}</div>',
    verse_join="\n",
    interruption='<div class="slot"><img src="/ad.png" alt="Advertisement"></div>\n',
    page="""<!doctype html><html><head><title>{title} by {artist}</title></head><body>
<div class="bar"><a href="/">Lineup</a><form><input placeholder="Search"><button>Go</button></form>
<div><a href="/log">Log in</a></div><div><a href="/sign">Sign up</a></div></div>
<div class="hero"><img src="/cover.jpg" alt="{title}"><div class="t">{title}</div>
<div class="a"><a href="/a">{artist}</a></div><div class="v">Many views this week</div></div>
<div class="body">{song}</div>
<div class="buttons"><button>Like</button><button>Share</button>
<button>Report an error</button></div>
<div class="section"><div class="sh">Up next</div>{related}</div>
<div class="section"><div class="sh">Comments</div>{comments}</div>
<div class="section"><div class="sh">Trending</div><ul>{links}</ul></div>
<div class="foot"><a href="/p">Privacy</a><a href="/t">Terms</a><div>Made for people who sing</div>
</div></body></html>""",
    related="""<div class="card"><img src="/c.jpg" alt="">
<div class="ct"><a href="/s">{title}</a></div>
<div class="cx">{text}</div></div>\n""",
    comment="""<div class="c"><img src="/u.png" alt=""><div class="u">{name} · {date}</div>
<div class="x">{text}</div><div><a href="#">Reply</a></div></div>\n""",
    link='<li><a href="/s">{text}</a></li>\n',
)

COMMUNITY = Site(
    name="community",  # a <span> per line with its own marks, headings everywhere, 2014
    line="<span>{}</span>",
    verse='<div class="stanza">{}</div>',
    verse_join="\n",
    page="""<!doctype html><html><head><title>{artist} – {title}</title></head><body>
<nav><a href="/">Singalong</a><a href="/new">New</a><a href="/hot">Hot</a><a href="/best">Best</a>
<a href="/forum">Forum</a></nav><main><h1>{title}</h1><h2><a href="/a">{artist}</a></h2>
<section>{song}</section>
<p class="by">Added by a member. You can edit this text if you are logged in.</p>
<h3>Listeners went on to</h3>{related}<h3>Talk about this song</h3>{comments}</main>
<aside><h3>Members only</h3><p>Join today and remove all ads from your pages.</p>
<h3>Hot today</h3>{links}</aside><footer><p>Singalong is run by its members.</p></footer>
</body></html>""",
    related='<h4><a href="/s">{title}</a></h4><p>{text}</p>\n',
    comment="<div><h4>{name}</h4><time>{date}</time><p>{text}</p></div>\n",
    link='<div><a href="/s">{text}</a></div>\n',
)

FAN_PAGE = Site(
    name="fan-page",  # everything centred, thanks inside the song's block, 2001
    verse_join="<br>\n<br>\n",
    stop="...",
    page="""<html><head><title>My {artist} page</title></head><body><center>
<font size="6" color="red">{artist} for ever</font><br><img src="photo.jpg" alt="my favourite band">
<p><a href="news.html">News</a> - <a href="pics.html">Pictures</a> - <a href="words.html">Words</a>
- <a href="shop.html">Shop</a> - <a href="me.html">About me</a></p><hr width="60%">
<blockquote><b>{title}</b><br><br>{song}<br><br>words typed by the keeper of this page</blockquote>
<hr width="60%"><p><b>News of the band</b></p>{related}
<p><b>Fans say</b></p>{comments}
<p><b>All words on this page</b></p>{links}
<p><font size="1">This page is not official and makes no money at all.</font></p>
</center></body></html>""",
    related="<p><u>{title}</u><br>{text}</p><img src='line.gif' alt=''>\n",
    comment="<p><i>{name}, {date}:</i> {text}</p>\n",
    link='<a href="s.html">{text}</a> *\n',
)

SITES: Final = (CLASSIC, TABLES, BLOG, PLAIN, HYMNAL, LINES, COMMUNITY, FAN_PAGE)
