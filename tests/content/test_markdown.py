"""Markdown says what the HTML says."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from strategies import pages
from work import characters_handled, lines_run

from pagecut import Page, parse_html
from pagecut.content.clean_html import to_html
from pagecut.content.line_numbers import number_columns
from pagecut.content.markdown import to_markdown
from pagecut.page.text.ranges import subtract
from pagecut.page.text.tokenizer import bare_words

PRICES = "The 3 prices of this are for one night each."


def markdown(source: str) -> str:
    page = parse_html(source, "https://example.org/dir/")
    return to_markdown(page, [(0, len(page.text))])


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<h1>A</h1><p>b</p><h3>C <i>d</i></h3>", "# A\n\nb\n\n### C *d*"),
        ("<p>a <b>b</b> <em>c</em> <b><i>d</i></b>", "a **b** *c **d***"),
        (
            "<p>see <a href=x.html>this <b>page</b></a>.",
            "see [this **page**](https://example.org/dir/x.html).",
        ),
        ("<p><a href='a (b)'>c</a>", "[c](<https://example.org/dir/a%20(b)>)"),
        ("<base href=/top/><p><a href=a>b</a>", "[b](https://example.org/top/a)"),
        (
            "<base href=https://b.example/c/><p><a href=d>e</a> <img src=f alt=g>",
            "[e](https://b.example/c/d) ![g](https://b.example/c/f)",
        ),
        ("<p><a href=#top>up</a> <a href='javascript:x()'>no</a>", "up no"),
        ("<p><i>x<sup>2</sup></i> <i>H<sub>2</sub>O</i>", "*x<sup>2</sup> H<sub>2</sub>O*"),
        ("<p><del>old<code>f</code></del> <em>pre<s>cut</s></em>", "~~old`f`~~ *pre~~cut~~*"),
        (
            "<p><b><a href=/x>a</a>:</b> b<i>, </i><b>c</b>",
            "[**a**](https://example.org/x): b, **c**",
        ),
        ("<p><b><i>class</i> f(<i>*</i>, <i>x</i>)</b>", "***class* f(\\*, *x*)**"),
        ("<p>~5 a ~~b~~ c", "~5 a \\~\\~b\\~\\~ c"),
        (
            "<table><tr><td><table><caption>Cap</caption><tr><th>a<th>b<tr><td>1<td>2</table></table>",
            "Cap\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        ),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol><li>a<ul><li>x</ul><li>b</ol>", "1. a\n   - x\n2. b"),
        ("<ul><li>a<ol><li>x<ul><li>y</ul></ol></ul>", "- a\n  1. x\n     - y"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"),
        ("<blockquote>a</blockquote><blockquote>b</blockquote>", "> a\n\n> b"),
        ("<blockquote>a<ul><li>b<li>c</ul>d</blockquote>", "> a\n>\n> - b\n> - c\n>\n> d"),
        ("<blockquote>a<blockquote>b</blockquote>c</blockquote>", "> a\n> >\n> > b\n>\n> c"),
        ("<ul><li>a<blockquote><p>b<p>c</blockquote></ul>", "- a\n\n  > b\n  >\n  > c"),
        ("<ul><li>a<blockquote>b</blockquote><li>c</ul>", "- a\n\n  > b\n\n- c"),
        ("<ul><li><blockquote>a</blockquote></ul>", "- > a"),
        ("<blockquote><ul><li>a<blockquote>b</blockquote></ul></blockquote>", "> - a\n>\n>   > b"),
        (
            "<dl><dt>a <i>b</i><dd>c<dt><p>d</p><dd><p>e<p>f</dl>",
            "**a *b***\n\nc\n\n**d**\n\ne\n\nf",
        ),
        ("<dl><dt><h3>a</h3><dd>b<dt><b>c</b> d<dd>e</dl>", "### a\n\nb\n\n**c d**\n\ne"),
        (
            "<ul><li>a<dl><dt><a href=x>b</a> <code>c</code><dd>d</dl></ul>",
            "- a\n\n  [**b**](https://example.org/dir/x) **`c`**\n\n  d",
        ),
        ("<pre><code class='hljs language-py'>x = 1</code></pre>", "```py\nx = 1\n```"),
        ("<div class=highlight-source-js><pre>x</pre></div>", "```js\nx\n```"),
        ("<pre class='brush: language-plaintext'>x</pre>", "```\nx\n```"),
        (
            "<pre class='lang-c++'>x</pre><pre class=language->y</pre>",
            "```c++\nx\n```\n\n```\ny\n```",
        ),
        (
            "<ul><li>a<table><tr><th>b<th>c<tr><td>d<td>e</table><li>f</ul>",
            "- a\n\n  | b | c |\n  |---|---|\n  | d | e |\n\n- f",
        ),
        ("<pre>if x:\n    y[`a`]\n</pre>", "```\nif x:\n    y[`a`]\n```"),
        (r"<pre><code>'\[x\] \_'</code></pre>", "```\n'\\[x\\] \\_'\n```"),
        ("<p>run <code>a_b`c</code>", "run `` a_b`c ``"),
        ("<p>one<br>two", "one\\\ntwo"),
        (
            "<p>10<sup>6</sup> H<sub>2</sub>O x<sup>n</sup>",
            "10<sup>6</sup> H<sub>2</sub>O x<sup>n</sup>",
        ),
        ("<p>the 1<sup>st</sup>, a note<sup><a href=#n>[1]</a></sup>", "the 1st, a note \\[1\\]"),
        ("<p>apps<sup><a href=#n>1</a>,<a href=#m>2</a></sup>", "apps<sup>1,2</sup>"),
        ("<p>M1<a href=#n><sup>3</sup></a> on", "M1<sup>3</sup> on"),
        (
            "<p>a<sup><a href=x>1</a></sup><sup><a href=y>2</a></sup>",
            "a[<sup>1</sup>](https://example.org/dir/x) [<sup>2</sup>](https://example.org/dir/y)",
        ),
        ("<p>a<sup>[<a href=#n>1</a>]</sup> b<sup><a href=#n>*</a></sup>", "a\\[1\\] b\\*"),
        ("<p><sup>The 3 prices of this are for one night each.</sup>", PRICES),
        (
            "<p><del>$30</del> <ins>$20</ins>, <b>not <s>this</s></b>",
            "~~$30~~ $20, **not ~~this~~**",
        ),
        ("<p><b>Ann</b><span>wrote</span>, <b>H</b><i>i</i>", "**Ann** wrote, **H***i*"),
        ("<h4><i>sum</i><span>number</span></h4>", "#### *sum* number"),
        ("<p>one<img src=a.png alt=''>two", "one two"),
        (
            "<img src=a.png alt='A [b]'><img src=b.png alt=''>",
            "![A \\[b\\]](https://example.org/dir/a.png)",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>1|2<td><b>3</b></table>",
            "| a | b |\n|---|---|\n| 1\\|2 | **3** |",
        ),
        ("<table><tr><td>menu<td>text</table>", "menu\n\ntext"),
        (
            "<table><tr><td>a<td>1<tr><td>b<td>2</table>",
            "|  |  |\n|---|---|\n| a | 1 |\n| b | 2 |",
        ),
        (
            "<table><tr><td><b>a</b><td> <b>b</b><tr><td>1<td>2<tr><td>3<td>4</table>",
            "| **a** | **b** |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
        ),
        (
            "<table><thead><tr><td>a<td>b<tbody><tr><td>1<td>2</table>",
            "| a | b |\n|---|---|\n| 1 | 2 |",
        ),
        (
            "<table><tr><td colspan=2>a<td>b<tr><td>1<td><td>2<tr><td>3<td>4<td>5</table>",
            "|  |  |  |\n|---|---|---|\n| a |  | b |\n| 1 |  | 2 |\n| 3 | 4 | 5 |",
        ),
        (
            "<table><tr><td>7<td><pre>if x:</pre><tr><td>8<td><pre>  go</pre></table>",
            "7\n\n```\nif x:\n```\n\n8\n\n```\n  go\n```",
        ),
        (
            "<table><tr><td>a<td>1<tr><td>b<td><table><tr><td>c<td>2</table></table>",
            "a\n\n1\n\nb\n\nc\n\n2",
        ),
        (
            "<table><tr><th rowspan=2>a<th colspan=2>b<th>c<tr><td>1<td><td>2<tr><td>3</table>",
            "| a | b |  | c |\n|---|---|---|---|\n|  | 1 |  | 2 |\n| 3 |  |  |  |",
        ),
        ("<table><tr><th colspan=x rowspan=-1>a<th>b</table>", "| a | b |\n|---|---|"),
        ("<ol start=5><li>a<li>b</ol>", "5. a\n6. b"),
        ("<ol start=-2><li>a</ol><ol start=many><li>b</ol>", "0. a\n1. b"),
        (
            "<p>1. not a list<p># not a heading<p>- nor this<p>*stars*",
            "1\\. not a list\n\n\\# not a heading\n\n\\- nor this\n\n\\*stars\\*",
        ),
    ],
)
def test_html_becomes_markdown(source: str, wanted: str) -> None:
    assert markdown(source) == wanted


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<a href=x><h3>Card</h3><p>Text</p></a>", "### [Card](x)\n\nText"),
        ("<a href=x><p>New</p><h3>Card</h3></a>", "New\n\n### [Card](x)"),
        ("<a href=x><p>Card <b>one</b></p><p>Text</p></a>", "[Card **one**](x)\n\nText"),
        ("<h3><a href=x><div>Card</div></a></h3>", "### [Card](x)"),
        ("<a href=x><div>·</div><div>Text</div></a>", "·\n\n[Text](x)"),
        ("<div><a href=x>Card<p>Text</p></a></div>", "[Card](x)\n\nText"),
        ("<a href=x><div><img src=i alt=I></div></a>", "![I](i)"),
        ("<a href=x><img src=i alt=I><p>Text</p></a>", "[![I](i)](x)\n\n[Text](x)"),
        ("<a href=#x><p>Text</p></a>", "Text"),
        ("<a href=x><pre>code</pre></a>", "```\ncode\n```"),
    ],
)
def test_a_link_around_blocks_is_that_of_its_heading_or_first_text(
    source: str, wanted: str
) -> None:
    assert markdown(source).replace("https://example.org/dir/", "") == wanted


def test_without_links_none_is_around_blocks() -> None:
    page = parse_html("<a href=x><h3>Card</h3></a>")
    assert to_markdown(page, [(0, len(page.text))], links=False) == "### Card"


@given(pages)
def test_no_word_is_lost_or_added(page: Page) -> None:
    text = to_markdown(page, [(0, len(page.text))])
    read = parse_html(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(text))
    if page.images or any("href" in each for each in page.attrs.values()):
        return  # addresses and alternative texts are words, too
    ours, theirs = "".join(bare_words(page.text)), "".join(bare_words(read.text))
    assert ours == theirs


@given(
    st.sampled_from(["p", "h2", "li"]),
    st.lists(st.sampled_from([*"ab1é_*#.)-+=~`[]<>\\|! ", "##", "__", "~~", "12"]), max_size=9),
)
def test_no_sign_of_a_text_is_taken_for_a_mark(tag: str, parts: list[str]) -> None:
    text = " ".join("".join(parts).split())
    read = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    found = re.sub("<[^>]+>", "", read.render(markdown(f"<{tag}>{escape(text)}")))
    assert " ".join(unescape(found).split()) == text


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<p>cached_property a_1_b", "cached_property a_1_b"),
        ("<p>_a_ __init__ a_ b<b>_c</b>", "\\_a\\_ \\_\\_init\\_\\_ a\\_ b\\_**c**"),
        ("<h2>1. Overview</h2>", "## 1. Overview"),
        ("<h2># - 2) Overview</h2>", "## # - 2) Overview"),
        ("<h2>C# and F #</h2>", "## C# and F \\#"),
        ("<p>## Two", "\\## Two"),
    ],
)
def test_only_what_would_be_a_mark_is_escaped(source: str, wanted: str) -> None:
    assert markdown(source) == wanted


def test_work_grows_with_the_page_not_faster() -> None:
    def cost(count: int) -> tuple[int, int]:
        page = parse_html(
            "".join(
                f"<h2>Head {i}</h2><p>Some <b>word</b>, <a href=/{i}>a link</a>.<ul><li>1<li>2</ul>"
                for i in range(count)
            )
        )
        spans = [(0, len(page.text))]
        to_markdown(page, spans)  # what is made once and kept
        return (
            lines_run(lambda: to_markdown(page, spans)),
            characters_handled(lambda: to_markdown(page, spans)),
        )

    small, large = cost(250), cost(1000)
    assert large[0] < 4.5 * small[0]
    assert large[1] < 4.5 * small[1]


@pytest.mark.parametrize(
    ("listing", "code"),
    [
        (r"<code>re.sub('\*', '\\n', a_b[0])</code>", r"re.sub('\*', '\\n', a_b[0])"),
        (r"x \* <b>y</b>_z_", r"x \* y_z_"),
        ("<code><div>if x:</div><div>  <b>go</b> on</div></code>", "if x:\n  go on"),
        ("<ol><li>if x:</li><li>  go on</li></ol>", "if x:\n  go on"),
        ("<div>one\n\n</div><div>two</div>", "one\n\ntwo"),
    ],
    ids=["backslashes", "marks", "lines", "items", "empty-line"],
)
def test_a_listing_is_one_block_as_it_stands(listing: str, code: str) -> None:
    page = parse_html(f"<p>So:</p><pre>{listing}</pre><p>Done.</p>")
    assert to_markdown(page, [(0, len(page.text))]) == f"So:\n\n```\n{code}\n```\n\nDone."


def test_a_listing_of_which_nothing_is_left_is_not_written() -> None:
    page = parse_html("<table><tr><td><pre>1\n2\n</pre><td><pre>a\nb\n</pre></table>")
    spans = subtract([(0, len(page.text))], number_columns(page))
    assert to_markdown(page, spans) == "```\na\nb\n```"


def test_lines_of_a_listing_are_no_paragraphs() -> None:
    page = parse_html("<pre><code><div>if x:</div><div>  go</div></code></pre>")
    assert to_html(page, [(0, len(page.text))]) == "<pre><code>if x:\n  go</code></pre>"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<a href=x><h3>Card</h3><p>Text</p></a>", '<a href="x"><h3>Card</h3>\n<p>Text</p></a>'),
        (
            "<h3><a href=x><div>Card</div><div>one</div></a></h3>",
            '<h3><a href="x">Card<br/>\none</a></h3>',
        ),
    ],
)
def test_links_stay_around_blocks_in_html(source: str, wanted: str) -> None:
    page = parse_html(source)
    assert to_html(page, [(0, len(page.text))]) == wanted


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("<b><i>Risk</i>’s strength</b> is", "***Risk*’s strength** is"),
        ("<b>in <i>Risk</i>.</b> You", "**in *Risk*.** You"),
        ("<b><i>Risk</i></b> <b>also</b> x", "***Risk* also** x"),
        ("<b>a <code>b</code> <i>c</i></b>", "**a `b` *c***"),
        ("<b>注意：</b>请看<em>《红楼梦》</em>。", "**注意**：请看《*红楼梦》*。"),
        ("<b>【公告】</b> 明天", "**【公告】** 明天"),
        ("<b>Note:</b>text", "**Note**:text"),
        ("<b>Note:</b> text", "**Note:** text"),
        ("the <em>tool'</em>s", "the *tool*'s"),
        ("be real<b>: Cups</b>", "be real: **Cups**"),
        ("what is <i>not (</i>yet)", "what is *not* (yet)"),
        ("<b>7.0/</b>10", "**7.0**/10"),
        ("a<b>!</b>b", "a!b"),
        ("<b>5 * 2 *</b>x", "**5 \\* 2** \\*x"),
        ("<b>a\\\\</b>x", "**a**\\\\\\\\x"),
        ("<i><b>Note</b>: all of it</i>", "***Note**: all of it*"),
        ("<i>all of <b>it</b></i>", "*all of **it***"),
        ("<b>a</b><i>b</i>", "**a***b*"),
        ("<b>a<i>b</i></b><i>c</i>", "**a*b***c"),
        ("<b>a<i>b</i></b> <i>c</i>", "**a*b*** *c*"),
        ("<b><code>x</code></b>s", "`x`s"),
        ("<b><code>x</code></b>, s", "**`x`**, s"),
        ("<b>Note:</b><a href=/x>text</a>", "**Note:** [text](/x)"),
        ("<a href=/x><b>Note:</b>text</a>", "[**Note**:text](/x)"),
        ("<p>Well!<a href=/x>come</a>", "Well\\![come](/x)"),
    ],
)
def test_marks_are_taken_for_marks(source: str, wanted: str) -> None:
    page = parse_html(f"<p>{source}</p>")
    found = to_markdown(page, [(0, len(page.text))])
    assert found == wanted
    read = parse_html(MarkdownIt().render(found))
    assert read.text == page.readable(0, len(page.text))


WORDS = st.sampled_from(["a", ":", "(c", "d)", "'", "!", "*", "~~", "\\", "_", "汉", "：", "€"])
DRESSES = ",b,i,b i,i b,s,b s,code,b code,a,b a,a b,sup,b sup".split(",")


@given(
    st.tuples(WORDS, WORDS, WORDS, WORDS),
    st.tuples(st.sampled_from(DRESSES), st.sampled_from(DRESSES)),
    st.lists(st.booleans(), min_size=3, max_size=3),
)
@settings(max_examples=random_inputs(300))
def test_no_mark_is_taken_for_text(
    words: tuple[str, ...], dresses: tuple[str, ...], spaces: list[bool]
) -> None:
    source = ""
    for word, dress, space in zip(words, ("", *dresses, ""), [False, *spaces], strict=True):
        tags = dress.split()
        around = (
            "".join(f"<{tag} href=x>" for tag in tags),
            "".join(f"</{tag}>" for tag in reversed(tags)),
        )
        source += f"{' ' if space else ''}{around[0]}{word}{around[1]}"
    page = parse_html(f"<p>{source}</p>")
    read = MarkdownIt("commonmark").enable("strikethrough")
    found = parse_html(read.render(to_markdown(page, [(0, len(page.text))])))
    assert "".join(found.text.split()) == "".join(page.text.split())
