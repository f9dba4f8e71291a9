"""Bytes to text, as browsers do it.

The order is the HTML standard's (§13.2.3): byte order mark, the transport's charset, a declaration
in the first bytes, then a guess. Labels are WHATWG's, so that `latin1` is windows-1252 and `gb2312`
is GBK. Undecodable bytes become U+FFFD; nothing raises.

Differs from the standard: the declaration is looked for in the first 8 KiB, not 1 KiB, since
browsers too find later ones; without any, valid UTF-8 is UTF-8, and other bytes are judged by how
well their letters fit the scripts of the legacy encodings.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pagecut.parsing.utf8 import is_utf8

PRESCAN_BYTES: Final = 8192
GUESS_BYTES: Final = 65536

# WHATWG Encoding Standard §4.2: Python's codec, then the labels that name it.
_LABELS: Final = {
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
    "utf-16-be": "unicodefffe utf-16be",
    "cp866": "866 cp866 csibm866 ibm866",
    "iso8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 "
    "iso_8859-2:1987 l2 latin2",
    "iso8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 "
    "iso_8859-3:1988 l3 latin3",
    "iso8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 "
    "iso_8859-4:1988 l4 latin4",
    "iso8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 "
    "iso_8859-5 iso_8859-5:1988",
    "iso8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 "
    "iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 "
    "iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 "
    "iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical",
    "iso8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 "
    "iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 "
    "x-user-defined",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 "
    "iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254",
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk "
    "gb18030",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso2022-jp": "csiso2022jp iso-2022-jp",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 "
    "ksc5601 ksc_5601 windows-949",
}
CODECS: Final = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
# Letters in both cases, not IGNORECASE, which is looked for byte by byte.
_META = re.compile(rb"<[mM][eE][tT][aA][\s/]([^>]*)")
_ATTRIBUTE = re.compile(
    rb"([^\s=/>\"']+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?", re.DOTALL
)
_CONTENT_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s;\"']+)", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"']+)")


def decode(data: bytes, charset: str | None = None) -> tuple[str, str]:
    """The text of a page's bytes, and the Python codec that gave it.

    Args:
        charset: what the transport (HTTP, WARC) says; an unknown label is passed over.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace"), codec
    codec = codec_of(charset) or declared_codec(data) or guessed_codec(data)
    return data.decode(codec, "replace"), codec


def to_utf8(data: bytes, charset: str | None = None) -> tuple[bytes, str, int]:
    """The same text in UTF-8, the Python codec that gave it, and where the text begins.

    Valid UTF-8 is left as it is, so that its byte order mark may come before the text.
    """
    codec, begin = "utf-8", 0
    if data.startswith(codecs.BOM_UTF8):
        begin = len(codecs.BOM_UTF8)
    elif data.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE)):
        text, codec = decode(data)
        return text.encode(), codec, 0
    else:
        stated = codec_of(charset) if charset else None
        codec = stated or declared_codec(data) or guessed_codec(data)
    if codec != "utf-8" or not is_utf8(data):
        return data[begin:].decode(codec, "replace").encode(), codec, 0
    return data, codec, begin


def codec_of(label: str | None) -> str | None:
    """Python's codec for a WHATWG label, None if it is none."""
    return CODECS.get(label.strip(" \t\n\r\f\"'").lower()) if label else None


def label_of(name: str) -> str | None:
    """The WHATWG label of an encoding that a person names, also by a name that Python has for it.

    What pages and servers say is read by `codec_of` alone, as browsers do.
    """
    if codec_of(name):
        return name
    try:
        meant = codecs.lookup(name.strip()).name
    except (LookupError, ValueError):
        return None
    found = (labels for codec, labels in _LABELS.items() if codecs.lookup(codec).name == meant)
    return next((labels.split()[0] for labels in found), _ALSO.get(meant))


# Python's names of encodings that browsers take for larger ones.
_ALSO: Final = {
    "iso8859-1": "latin1",
    "ascii": "ascii",
    "iso8859-9": "latin5",
    "iso8859-11": "iso-8859-11",
    "gbk": "gbk",
    "gb2312": "gb2312",
    "big5": "big5",
    "shift_jis": "shift_jis",
    "euc_kr": "euc-kr",
    "utf-8-sig": "utf-8",
    "utf-16": "utf-16",
}


def declared_codec(data: bytes) -> str | None:
    """The codec that a <meta> or an XML declaration names (§13.2.3.2)."""
    head = data[:PRESCAN_BYTES]
    declaration = _XML.match(head)
    if declaration and (codec := codec_of(declaration[1].decode("latin-1"))):
        return _sensible(codec)
    for meta in _metas(head):
        if b"charset" in meta.lower() and (codec := _codec_in(meta)):
            return codec
    return None


@lru_cache(maxsize=256)
def _codec_in(meta: bytes) -> str | None:
    """The codec that is named by what stands in a <meta>."""
    attributes: dict[bytes, bytes] = {}
    for name, *values in _ATTRIBUTE.findall(meta):
        attributes.setdefault(name.lower(), b"".join(values))
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv", b"").lower() == b"content-type":
        found = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
        label = found[1] if found else None
    codec = codec_of(label.decode("latin-1")) if label else None
    return None if codec is None else _sensible(codec)


def _metas(head: bytes) -> Iterator[bytes]:
    """What the <meta> elements outside of comments have written in them; some come twice."""
    comment = head.find(b"<!--")
    for meta in _META.finditer(head):
        if 0 <= comment < meta.end():
            break
        yield meta[1]
    if comment >= 0:
        yield from (meta[1] for meta in _META.finditer(_COMMENT.sub(b"", head)))


def _sensible(codec: str) -> str:
    """A declaration that could be read is not in UTF-16, whatever it says (§13.2.3.2)."""
    return "utf-8" if codec.startswith("utf-16") else codec


def guessed_codec(data: bytes) -> str:
    """The most likely codec of undeclared bytes."""
    if (
        data.find(b"\0", 0, GUESS_BYTES) < 0
        and data.find(b"\x1b", 0, GUESS_BYTES) < 0
        and is_utf8(data)
    ):
        return "utf-8"
    sample = data[:GUESS_BYTES]
    if codec := utf16_by_zeros(sample):
        return codec
    if b"\x1b$" in sample or b"\x1b(J" in sample:
        return "iso2022-jp"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    return max(_CANDIDATES, key=lambda codec: _plausibility(sample, codec))


def utf16_by_zeros(sample: bytes) -> str | None:
    """Which UTF-16 has its zeros where bytes have them: every second one, or nearly."""
    half = len(sample) // 2
    if sample[1::2].count(0) > 0.4 * half:
        return "utf-16-le"
    if sample[::2].count(0) > 0.4 * half:
        return "utf-16-be"
    return None


# Common letters of the languages that each legacy encoding was made for. Order breaks ties.
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюОЕАИНТСРВЛКМДПУЯ"
_LATIN_2 = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČÉÍŘŠÚÝŽőűöüăâîșțşţ–„”"
_KANA = "のにはをたがでてとしれさいるなもっかりこすんまらくーアイクシジスタットフラリルレロン、。"
_CANDIDATES: Final = {
    "cp1252": "äöüÄÖÜßéèêàáâãçñóòôõíìúùåøæïëœŠšÁÉÍÓÚÑ–—“”‘’„«»¿¡ºª©®°·…€£½\xa0\xad•×§¶™",
    "utf-8": "",
    "cp1251": _CYRILLIC,
    "koi8-r": _CYRILLIC,
    "cp1250": _LATIN_2,
    "iso8859-2": _LATIN_2,
    "cp1254": "ğışĞİŞçöüÇÖÜâîû–“”‘’«»…",
    "cp1253": "αεοιτσνηρκπλυςωμάίόέήώύΑΕΟΙΤΣΝΗΡΚ",
    "cp1255": "יוהלאםרתבשמנעדקחפגסצזטןךף",
    "cp1256": "اليمنرتبةعدسفهكقحجشصخطضزثذؤئءأإ",
    "cp874": "านรอกเงมยลวดทสตะปบคหแจพชขใไโผณธฟซศ่้ิีัุู็์ำ",
    "cp932": _KANA,
    "euc-jp": _KANA,
    "gb18030": "的一是不了在人有我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会，。",
    "big5hkscs": "的一是不了在人有我他這中大來上個國到說們為子和你地出道也時年得就那要下以生會，。",
    "cp949": "이다의는에을가고를하로지한은기사인도시대어자리정일그나수라서부스제전",
}
_HAN = ("\u4e00", "\u9fff")
_LARGE_SCRIPTS: Final = {
    "cp932": _HAN,
    "euc-jp": _HAN,
    "gb18030": _HAN,
    "big5hkscs": _HAN,
    "cp949": ("\uac00", "\ud7a3"),
}
_MIXED = re.compile(r"(?<=[A-Za-z])[^\W\d_a-zA-Z]|[^\W\d_a-zA-Z](?=[A-Za-z])")


def _plausibility(sample: bytes, codec: str) -> float:
    """Share of the non-ASCII characters that are common ones; undecodable ones count against it, as
    do letters of another alphabet that touch a Latin one.

    Scripts of thousands of characters have fewer common ones: others of theirs count half. UTF-8
    has no letters of its own: what can be decoded counts.
    """
    text = sample.decode(codec, "replace")
    foreign = [character for character in text if character > "\x7f"]
    if not foreign:
        return 0.0
    common = _CANDIDATES[codec]
    bad = foreign.count("\ufffd") + sum("\x80" <= c <= "\x9f" for c in foreign)
    if not common:
        return 1 - 3 * bad / len(foreign)
    if "\u0370" < common[0] < "\u0eff":  # Greek to Thai
        bad += len(_MIXED.findall(text))
    first, last = _LARGE_SCRIPTS.get(codec, ("", ""))
    good = sum(1.0 if c in common else 0.5 * (first <= c <= last) for c in foreign)
    return (good - 2 * bad) / len(foreign)
