"""Bytes become text as in browsers."""

from __future__ import annotations

import codecs

import pytest
from how_long import random_inputs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_bytes

from pagecut import parse_html
from pagecut.parsing.decoding import (
    CODECS,
    PRESCAN_BYTES,
    codec_of,
    declared_codec,
    decode,
    guessed_codec,
    label_of,
)
from pagecut.parsing.utf8 import is_utf8

GERMAN = (
    "Die Brücke über den Fluss wurde im Frühjahr für größere Fahrzeuge gesperrt. Während der "
    "Arbeiten müssen Fußgänger einen Umweg über die Straße am südlichen Ufer nehmen; Händler "
    "befürchten, dass künftig weniger Gäste das Café „Zum Löwen“ besuchen."
)
RUSSIAN = (
    "Вчера вечером в городском театре прошла премьера новой пьесы, которую зрители ждали почти "
    "два года. После спектакля режиссёр рассказал, что работа над постановкой началась ещё весной "
    "и что актёры репетировали каждый день, даже по выходным."
)
JAPANESE = (
    "昨日の夜、駅前の小さな劇場で新しい芝居が始まりました。監督によると、準備には二年以上かかった"
    "そうです。舞台が終わったあと、お客さんはしばらく席を立たずに拍手を続けていました。"
    "チケットはインターネットでも買うことができます。"
)
CHINESE = (
    "昨天晚上，新的图书馆在市中心正式开放，许多居民都来参观。馆长说，这里一共有三十万本书，"
    "其中大部分是关于历史和科学的。孩子们可以在一楼的大厅里读书，也可以参加每个星期的活动。"
)
TAIWANESE = (
    "昨天晚上，新的圖書館在市中心正式開放，許多居民都來參觀。館長說，這裡一共有三十萬本書，"
    "其中大部分是關於歷史和科學的。孩子們可以在一樓的大廳裡讀書，也可以參加每個星期的活動。"
)
KOREAN = (
    "어제 저녁 시내에 있는 새로운 도서관이 문을 열었습니다. 관장은 이곳에 삼십만 권의 책이 있으며 "
    "대부분이 역사와 과학에 대한 것이라고 말했습니다. 아이들은 일층에서 책을 읽을 수 있고 매주 "
    "열리는 행사에도 참가할 수 있습니다."
)


def html(text: str) -> str:
    return (
        "<!DOCTYPE html><html><head><title>Page</title></head><body><div class='main'>"
        f"<h1>News</h1><p>{text}</p><p><a href='/next'>next</a></p></div></body></html>"
    )


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_byte_order_mark_wins_and_is_no_text(mark: bytes, codec: str) -> None:
    data = mark + "<meta charset=koi8-r>grün".encode(codec)
    assert decode(data, "latin1") == ("<meta charset=koi8-r>grün", codec)


def test_transport_charset_beats_the_declaration() -> None:
    data = "<meta charset=utf-8>грамота".encode("koi8-r")
    assert decode(data, "KOI8-R") == ("<meta charset=utf-8>грамота", "koi8-r")


def test_unknown_transport_charset_is_passed_over() -> None:
    assert decode("<meta charset=koi8-r>да".encode("koi8-r"), "no-such-charset")[1] == "koi8-r"


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        (b"<meta charset=windows-1251>", "cp1251"),
        (b'<meta charset="windows-1251">', "cp1251"),
        (b"<META CharSet = 'Windows-1251' />", "cp1251"),
        (b"<meta name=x><meta charset=sjis>", "cp932"),
        (b'<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">', "cp949"),
        (b"<meta content='text/html;charset=big5' http-equiv=content-type>", "big5hkscs"),
        (b"<meta http-equiv=refresh content='0; charset=big5'><meta charset=gbk>", "gb18030"),
        (b"<meta charset=nonsense><meta charset=koi8-u>", "koi8-u"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "iso8859-2"),
        (b"<?xml version='1.0' encoding='Shift_JIS'?><html>", "cp932"),
        (b"<!-- a long comment --><meta charset=euc-jp>", "euc-jp"),
        (b"<!-- <meta charset=big5> --><meta charset=euc-jp>", "euc-jp"),
        (b"<!-- <meta charset=big5> -->", None),
        (b"<!-- <meta charset=big5>", None),
        (b"<metadata charset=big5>", None),
        (b"<meta name=description content='charset=big5'>", None),
        (b"<meta charset=utf-16le>", "utf-8"),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=UTF-16BE>", "utf-8"),
    ],
)
def test_declaration_is_read_as_the_prescan_does(head: bytes, codec: str | None) -> None:
    assert declared_codec(b"<html><head>" + head if codec is None else head) == codec


def test_declaration_counts_only_near_the_start() -> None:
    near = b" " * (PRESCAN_BYTES - 100) + b"<meta charset=koi8-r>"
    far = b" " * PRESCAN_BYTES + b"<meta charset=koi8-r>"
    assert declared_codec(near) == "koi8-r"
    assert declared_codec(far) is None


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("latin1", "cp1252"),
        ("ISO-8859-1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("iso-8859-9", "cp1254"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("x-sjis", "cp932"),
        ("shift_jis", "cp932"),
        ("ks_c_5601-1987", "cp949"),
        ("euc-kr", "cp949"),
        ("big5", "big5hkscs"),
        ("tis-620", "cp874"),
        ("unicode", "utf-16-le"),
        (" utf8 \n", "utf-8"),
        ("'utf-8'", "utf-8"),
        ("utf-7", None),
        ("", None),
        (None, None),
    ],
)
def test_labels_are_those_of_the_encoding_standard(label: str | None, codec: str | None) -> None:
    assert codec_of(label) == codec


def test_every_codec_of_the_table_exists_in_python() -> None:
    assert [codec for codec in set(CODECS.values()) if codecs.lookup(codec) is None] == []
    assert len(CODECS) > 200


@pytest.mark.parametrize(
    ("text", "codec", "guess"),
    [
        (GERMAN, "utf-8", "utf-8"),
        (GERMAN, "cp1252", "cp1252"),
        ("The inn\xa0• 3 × 4 rooms", "cp1252", "cp1252"),
        ("Ils ont été à côté des forêts, là où les blés dorés sont très près", "cp1252", "cp1252"),
        ("A situação não é fácil: atenções, canções e corações", "cp1252", "cp1252"),
        ("¿Dónde están los niños? ¡Aquí! ÁRBOL, ÍNDICE", "cp1252", "cp1252"),
        ("Yağmur yağıyor, şehirdeki çocuklar ışıkları söndürdü", "cp1254", "cp1254"),
        ("Zażółć gęślą jaźń, proszę państwa, tam są książki", "iso8859-2", "iso8859-2"),
        ("Zażółć gęślą jaźń, proszę państwa, tam są książki", "cp1250", "cp1250"),
        (RUSSIAN, "utf-8", "utf-8"),
        (RUSSIAN, "cp1251", "cp1251"),
        ("Телефоны iPhone и Xiaomi стоят теперь дороже", "cp1251", "cp1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "shift_jis", "cp932"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (JAPANESE, "iso2022-jp", "iso2022-jp"),
        (JAPANESE, "utf-8", "utf-8"),
        (CHINESE, "gb18030", "gb18030"),
        (CHINESE, "gb2312", "gb18030"),
        (TAIWANESE, "big5", "big5hkscs"),
        (KOREAN, "euc-kr", "cp949"),
        (GERMAN, "utf-16-le", "utf-16-le"),
        (GERMAN, "utf-16-be", "utf-16-be"),
        (RUSSIAN, "utf-16-le", "utf-16-le"),
        (JAPANESE, "utf-16-le", "utf-16-le"),
        (CHINESE, "utf-16-be", "utf-16-be"),
    ],
)
def test_undeclared_encoding_is_guessed(text: str, codec: str, guess: str) -> None:
    page = parse_html(html(text).encode(codec))
    assert page.charset == guess
    assert text in page.text


def test_a_character_cut_at_the_end_does_not_spoil_the_guess() -> None:
    assert guessed_codec(html(RUSSIAN).encode()[:-20] + "ж".encode()[:1]) == "utf-8"


def test_a_stray_byte_does_not_turn_utf_8_into_something_else() -> None:
    assert guessed_codec(html(RUSSIAN * 3).encode() + b"\xff") == "utf-8"


@pytest.mark.parametrize("before", [b"", b"a", b"eleven here"])
def test_utf_8_is_as_strict_as_the_decoder(before: bytes) -> None:
    edges = bytes([0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF])
    for lead in range(0x80, 0x100):
        for second in edges:
            for rest in b"", b"\x80", b"\xbf\x80", b"\x80\xc0", b"\x80\xbf\x80":
                data = before + bytes([lead, second]) + rest
                assert is_utf8(data) == decodes(data), data


@given(st.lists(any_bytes | st.text().map(str.encode)).map(b"".join))
@settings(max_examples=random_inputs(300))
def test_utf_8_is_what_the_decoder_takes(data: bytes) -> None:
    assert is_utf8(data) == decodes(data)


def decodes(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_undecodable_bytes_become_replacement_characters() -> None:
    assert decode(b"a\xff\xfeb", "utf-8") == ("a\ufffd\ufffdb", "utf-8")


@given(any_bytes, st.none() | st.sampled_from(sorted(CODECS)) | st.text(max_size=8))
@settings(max_examples=random_inputs(150))
def test_decoding_never_raises(data: bytes, charset: str | None) -> None:
    text, codec = decode(data, charset)
    assert isinstance(text, str)
    assert codecs.lookup(codec) is not None
    assert decode(data, charset) == (text, codec)


@pytest.mark.parametrize(
    ("name", "codec"),
    [
        ("utf_8", "utf-8"),
        ("UTF-8-SIG", "utf-8"),
        ("iso8859_1", "cp1252"),
        ("latin-1", "cp1252"),
        ("windows_1251", "cp1251"),
        ("euc_jp", "euc-jp"),
        ("Shift_JIS", "cp932"),
        ("utf_16", "utf-16-le"),
        ("U8", "utf-8"),
    ],
)
def test_an_encoding_may_be_named_as_python_does(name: str, codec: str) -> None:
    assert codec_of(label_of(name)) == codec


@pytest.mark.parametrize("name", ["uft-8", "rot13", "cp437", "base64", "a\0b", ""])
def test_what_is_no_encoding_of_pages(name: str) -> None:
    assert label_of(name) is None
