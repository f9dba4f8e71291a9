"""Hypothesis strategies that several tests share."""

from __future__ import annotations

from hypothesis import strategies as st

from pagecut import Page, parse_html

INLINE = ("a", "b", "i", "em", "span", "font", "code", "small", "sub", "sup")
BLOCK = ("div", "section", "article", "blockquote", "ul", "h2", "center", "main", "figure")
SOUP = (
    *INLINE,
    *BLOCK,
    *"p li td th tr table tbody caption dl dt dd ol nobr button form select option".split(),
    *"svg math g foreignObject title desc mi br img hr input pre template object".split(),
    *"applet marquee body html head frameset x-thing o:p details dialog".split(),
)
RAW = ("script", "style", "textarea", "title", "noscript", "iframe", "xmp")
WORDS = ("word", "Größe", "日本", "x", "12", "&amp;", "—", "don't", "\u00a0", "😀")
ENCODINGS = (
    "utf-8 utf-16 utf-16-le utf-16-be cp1252 cp1251 koi8-r cp932 euc-jp gb18030 big5 cp949 "
    "iso2022-jp cp1255 cp1256 utf-7"
).split()

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def attributes(
    names: tuple[str, ...] = ("class", "id", "hidden", "style", "title"),
) -> st.SearchStrategy[str]:
    pair = st.builds(
        '{}="{}"'.format, st.sampled_from(names), st.sampled_from(["", "x", "display:none"])
    )
    return st.lists(pair, max_size=2, unique_by=lambda each: each.split("=")[0]).map(
        lambda pairs: "".join(f" {each}" for each in pairs)
    )


def element(tags: tuple[str, ...], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, attrs, content: f"<{tag}{attrs}>{content}</{tag}>",
        st.sampled_from(tags),
        attributes(),
        inner,
    )


def joined(parts: st.SearchStrategy[str], max_size: int = 4) -> st.SearchStrategy[str]:
    return st.lists(parts, max_size=max_size).map("".join)


# `a` and `button` must not nest in themselves: HTML5 would close the outer one.
_image = st.sampled_from(['<img src="a.png" alt="A">', "<img>", "<br>", "<hr>"])
_comment = st.just("<!-- note -->")
_plain_inline = tuple(tag for tag in INLINE if tag not in ("a", "font", "code"))
_inline = st.recursive(
    words | st.sampled_from(['<img src="a.png" alt="A">', "<br>"]),
    lambda inner: element(_plain_inline, joined(inner)),
    max_leaves=6,
)
_block = st.recursive(
    element(("p", "h2", "pre"), joined(_inline)) | _image | _inline | _comment,
    lambda inner: element(("div", "section", "blockquote", "center"), joined(inner)),
    max_leaves=14,
)

well_formed = joined(_block, max_size=6).map(
    lambda body: f"<!DOCTYPE html><html><head><title>T</title></head><body>{body}</body></html>"
)
"""Pages on which every HTML parser agrees."""

_start = st.builds(
    lambda tag, attrs, slash: f"<{tag}{attrs}{slash}>",
    st.sampled_from(SOUP),
    attributes() | st.sampled_from(['"', " '", " a=", ' ="', " a='x", ' a="y']),
    st.sampled_from(["", "", "", "", "/"]),
)
_end = st.builds("</{}>".format, st.sampled_from(SOUP))
_raw = st.builds(
    lambda tag, inside, closed: f"<{tag}>{inside}" + (f"</{tag}>" if closed else ""),
    st.sampled_from(RAW),
    st.sampled_from(["", "<b>", "<!--", "</div>", "x", "<img src=u>"]),
    st.booleans(),
)
_odd = st.sampled_from(
    "<!--> <!---> <!-- --!> <![CDATA[ ]]> <?x <!x> </> < > & &#0; \" '".split()
) | st.sampled_from(["<!-- <div> -->", "\0", "\ufffc", "\n", " ", "\t", "\r"])
_repeat = st.builds(
    lambda tags, times: "".join(tags) * times,
    st.lists(_start | _end, max_size=4),
    st.integers(1, 40),
)
tag_soup = st.builds(
    lambda parts, cut: "".join(parts)[: cut or None],
    st.lists(_start | _end | _raw | _odd | words | _repeat, max_size=30),
    st.integers(0, 400),
)
"""Unbalanced tags, raw text, comments and stray characters, often cut off."""

any_html = well_formed | tag_soup | st.text(max_size=60)

encoded = st.builds(
    lambda source, codec, cut: source.encode(codec, "replace")[cut:],
    any_html,
    st.sampled_from(ENCODINGS),
    st.integers(0, 3),
)
any_bytes = st.binary(max_size=300) | encoded
"""Bytes that may be a page in some encoding, or none at all."""


FRAGMENTS = """
<p> </p> <div> </div> <br> <b> </b> <span> </span> <a|href=x> </a> <pre> </pre> <table> <tr> <td>
</table> <ul> <li> <img|src=a.png> <img|data-src=b/c.jpg|src=blank.gif|alt=x> <noscript> </noscript>
<noscript><img|src=f.jpg|alt=k></noscript> <picture> </picture> <source|srcset=q.jpg|2x>
<amp-img|src=z.png> </amp-img> <video|poster=v.jpg> </video> <video> <svg> </svg>
<image|xlink:href=i.png> <foreignObject> </foreignObject> <title> </title> <desc> <math> <mi>
</math>
<input|type=IMAGE|src=u> <textarea> </textarea> <template> </template> <select> <option> </select>
<dialog> <dialog|open> </dialog> <x-foo|class=a> </x-foo> <style>x</style> <script>y</script>
<!--|c|--> <p|hidden> <p|hidden=until-found> <p|aria-hidden=TRUE> <p|style=display:none>
<p|style='x:y;|DiSPLAY|:|none|;z'> <p|style='visibılity:hidden'> <p|style='diſplay:none'>
<p|style='display:noneé'> <base|href=/b/> <iframe> </iframe> <object> </object> <canvas> </canvas>
<ruby>a<rp>(</rp> </ruby> <button> </button> <html|lang=x> <p|ID=1|id=2|class='é'> <h1> </h1>
<img|alt='|a|b'|title|width=12px|style='height:3px'> <![CDATA[x]]> <?pi> <selectedcontent> <dl> <dt>
a b1 漢字 漢 é &nbsp; &#0; &#xD800; &lt; \ufffc \0
""".split()
fragments = st.lists(st.sampled_from([*FRAGMENTS, " ", "\n", "\n \n", "\t"]), max_size=40).map(
    lambda parts: "".join(parts).replace("|", " ")
)
"""Pages of everything that the walk treats in a way of its own."""


def _page(source: str) -> Page:
    return parse_html(source, url="https://example.org/dir/page.html")


pages = (well_formed | tag_soup).map(_page)
"""Pages for algorithms: sound and broken ones."""
