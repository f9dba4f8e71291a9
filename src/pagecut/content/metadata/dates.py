"""Dates as people and machines write them, to ISO 8601.

A date must be one beyond doubt: a day that exists, in a year from 1900 to 2100, with a month that
is written as a word in one of the languages below, or in figures whose order is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from pagecut.content.metadata.cues import find_years, has_digits_beyond

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2100
LONGEST: Final = 200  # characters of a text that is a date
AROUND: Final = 40  # characters around a year in which its day stands

# Where months come first in figures: 9/4/2025.
MONTH_FIRST: Final = frozenset({"en-us", "en-ph", "en-ca", "en"})

# The months of each language: full names, those in the genitive, and what they are cut to.
_MONTHS: Final = """
january jan january janvier janv januar jänner jän enero ene gennaio gen janeiro januari leden
ledna styczeń stycznia sty tammikuu tammikuuta januára január ianuarie ocak gener jaanuar januarja
января янв січня януари јануар ιανουαρίου ιαν ינואר בינואר يناير जनवरी জানুয়ারি มกราคม ม.ค
|february feb février fevrier févr fév februar feber febrero febbraio fevereiro fev februari února
únor luty lutego lut helmikuu helmikuuta február februára februarie şubat febr febrer veebruar
februarja февраля фев лютого февруари фебруар φεβρουαρίου φεβ פברואר בפברואר فبراير फरवरी फ़रवरी
ফেব্রুয়ারি กุมภาพันธ์ ก.พ
|march mar mars märz maerz mrz marzo março marco maart mrt března březen marzec marca maaliskuu
maaliskuuta március martie mart marts març maret märts márc марта мар березня март μαρτίου μαρ מרץ
במרץ مارس मार्च মার্চ มีนาคม มี.ค
|april apr avril avr abril abr aprile april dubna duben kwiecień kwietnia kwi huhtikuu huhtikuuta
április aprila aprilie nisan apríla aprill ápr апреля апр квітня април απριλίου απρ אפריל באפריל
أبريل ابريل إبريل अप्रैल এপ্রিল เมษายน เม.ย
|may mai mayo maggio mag maio mei maj května květen maja toukokuu toukokuuta május mája mayıs mayis
maig máj мая травня май мај μαΐου μαΐ מאי במאי مايو मई মে พฤษภาคม พ.ค
|june jun juin juni junio giugno giu junho června červen czerwiec czerwca cze kesäkuu kesäkuuta
június júna iunie haziran juny juuni junija июня июн червня юни јун ιουνίου ιουν יוני ביוני يونيو
जून জুন มิถุนายน มิ.ย
|july jul juillet juil juli julio luglio lug julho července červenec lipiec lipca lip heinäkuu
heinäkuuta július júla iulie temmuz juliol juuli julija июля июл липня юли јул ιουλίου ιουλ יולי
ביולי يوليو जुलाई জুলাই กรกฎาคม ก.ค
|august aug août aout agosto ago augustus augusti srpna srpen sierpień sierpnia sie elokuu elokuuta
augusztus augusta ağustos agost agustus avgusta августа авг серпня август αυγούστου αυγ אוגוסט
באוגוסט أغسطس اغسطس अगस्त আগস্ট สิงหาคม ส.ค
|september sep sept septembre septiembre settembre set setembro září wrzesień wrzesnia września wrz
syyskuu syyskuuta szeptember septembra septembrie eylül setembre szept сентября сен сент вересня
септември септембар σεπτεμβρίου σεπ ספטמבר בספטמבר سبتمبر सितंबर सितम्बर সেপ্টেম্বর กันยายน ก.ย
|october oct octobre oktober okt octubre ottobre ott outubro out október října říjen październik
października paź lokakuu lokakuuta októbra octombrie ekim oktoober oktobra октября окт жовтня
октомври октобар οκτωβρίου οκτ אוקטובר באוקטובר أكتوبر اكتوبر अक्टूबर अक्तूबर অক্টোবর ตุลาคม ต.ค
|november nov novembre noviembre novembro listopadu listopad listopada lis marraskuu marraskuuta
novembra noiembrie kasım kasim ноября ноя листопада ноември новембар νοεμβρίου νοε נובמבר בנובמבר
نوفمبر नवंबर नवम्बर নভেম্বর พฤศจิกายน พ.ย
|december dec décembre decembre déc dezember dez diciembre dic dicembre dezembro prosince prosinec
grudzień grudnia gru joulukuu joulukuuta decembra decembrie desember des aralık aralik desembre
detsember декабря дек грудня декември децембар δεκεμβρίου δεκ דצמבר בדצמבר ديسمبر दिसंबर दिसम्बर
ডিসেম্বর ธันวาคม ธ.ค
"""
MONTHS: Final = {
    name: number
    for number, names in enumerate(_MONTHS.split("|"), start=1)
    for name in names.split()
}
_THAI_YEARS: Final = 543  # which Thai years are ahead
# Other digits than those of ASCII are read as these: of Arabic, Persian, Hindi, Bengali, Thai, and
# as wide as Han characters.
_DIGITS: Final = {ord(zero) + digit: str(digit) for zero in "٠۰०০๐０" for digit in range(10)}
_FIRST_DIGIT: Final = chr(min(_DIGITS))
_NAME = "|".join(map(re.escape, sorted(MONTHS, key=len, reverse=True)))
_TIME = (
    r"(?:(?:[T ,]{1,3}| - )(?:at |um |à )?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?"
    r"(?:\s?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d(?!\d)))?)?"
)
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})"
_ORDINAL = r"(?:st|nd|rd|th|er|º|\.|ª|-[ae]r?)?"
# Vowels of Indian letters and of Thai are marks, no letters; Thai cuts a month to `มี.ค.`
_INDIC = r"[\u0900-\u0e4e]"
_CUT = rf"{_INDIC}{{1,3}}\.{_INDIC}"
_WORD = rf"(?P<name>{_CUT}|{_INDIC}{{2,14}}|[^\W\d_]{{3,14}})"  # a month if `MONTHS` has it
_NAMED_YEAR = r"(?P<year>(?:19|20|25)\d\d)"  # with the name of a month, maybe a Thai one

_FORMS: Final = tuple(
    re.compile(pattern + _TIME, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}[-/.](?P<month>\d{{1,2}})[-/.]{_DAY}(?!\d)",
        rf"(?<![\w]){_WORD}\.?\s{{0,2}}{_DAY}{_ORDINAL},?\s{{0,2}}{_YEAR}(?!\d)",
        rf"(?<!\d){_DAY}{_ORDINAL}[\s/-]{{0,2}}(?:de |of |d['’])?{_WORD}\.?"
        rf"[,،\s/-]{{0,2}}(?:de |del |พ\.ศ\.\s?)?{_NAMED_YEAR}(?!\d)",
        rf"(?<!\d){_YEAR}(?:[\s-]|\.\s){_WORD}\.?[\s-]{_DAY}(?!\d)",
        rf"(?<!\d){_YEAR}\s?[年년]\s?(?P<month>\d{{1,2}})\s?[月월]\s?{_DAY}\s?[日号號일]",
        rf"(?<!\d){_YEAR}\. (?P<month>\d{{1,2}})\. {_DAY}(?:\.|$)",
        rf"(?<!\d){_DAY} (?:tháng|thg) (?P<month>\d{{1,2}})(?:,| năm)? {_YEAR}(?!\d)",
    )
)
_FIGURES = re.compile(
    rf"(?<![\d./-])(?P<one>\d{{1,2}})(?P<mark>[/-]|\. ?)(?P<two>\d{{1,2}})(?P=mark)"
    rf"{_YEAR}(?![\d/-])" + _TIME
)
_COMPACT = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?P<month>\d\d)(?P<day>\d\d)"
    r"(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?(?P<half>)(?P<zone>Z|[+-]\d\d:?\d\d)?)?"
)
_PARTIAL = re.compile(rf"{_YEAR}(?:-(?P<month>\d\d))?")
_STAMP = re.compile(r"1\d{9}(?:\d{3})?")
_MARKS: Final = frozenset("-/.年년")
# What stands right before a year, or behind it, in forms with the name of a month.
_DAY_BEFORE = re.compile(rf"\d{_ORDINAL},?\s{{0,2}}\Z", re.IGNORECASE)
_NAME_BEFORE = re.compile(rf"{_WORD}\.?[,،\s/-]{{0,2}}(?:de |del |พ\.ศ\.\s?)?\Z", re.IGNORECASE)
_NAME_BEHIND = re.compile(rf"(?:[\s-]|\.\s){_WORD}\.?[\s-]\d", re.IGNORECASE)
_WEEKDAY = re.compile(r"\s*[^\W\d_]{2,12}\.?,?\s+(?=\S)")
_URL_DATE = re.compile(
    rf"(?<!\d){_YEAR}(?P<mark>[/_-])(?P<month>\d{{1,2}}|{_NAME})(?P=mark){_DAY}(?!\d)",
    re.IGNORECASE,
)
_URL_COMPACT = re.compile(r"(?<!\d)(?P<year>20[0-3]\d)(?P<month>[01]\d)(?P<day>[0-3]\d)(?!\d)")


class FoundDate(NamedTuple):
    """A date in a text, and its range there."""

    start: int
    end: int
    iso: str


def parse_date(text: str | None, month_first: bool = True) -> str | None:
    """The date, with its time where there is one, that a text is; None if it is anything else.

    Args:
        month_first: whether 9/4/2025 is in September.
    """
    text = _with_plain_digits(" ".join((text or "")[: LONGEST + 1].split())).strip(" .\"'")
    return _parse_date(text, month_first) if 0 < len(text) <= LONGEST else None


@lru_cache(maxsize=1024)  # pages state the same day in many places
def _parse_date(text: str, month_first: bool) -> str | None:
    if _STAMP.fullmatch(text):
        return _from_stamp(int(text) // (1000 if len(text) > 10 else 1))
    weekday = _WEEKDAY.match(text)
    starts = (0, weekday.end()) if weekday else (0,)
    for pattern in (_COMPACT, *_FORMS, _FIGURES, _PARTIAL):
        for start in starts:
            found = pattern.match(text, start)
            # What follows a whole date, as a zone's name or a second date, does not matter.
            if found and (pattern in _FORMS or found.end() == len(text)):
                iso = _iso(found, month_first)
                if iso:
                    return iso
    return None


def find_dates(text: str, month_first: bool = True) -> list[FoundDate]:
    """The days that stand in a text, in order."""
    text = _with_plain_digits(text)
    found = []
    end = 0
    for year in find_years(text):
        if year < end:
            continue
        first, last = max(end, year - AROUND), year + 4 + AROUND
        searched = [pattern.search(text, first, last) for pattern in _fitting(text, year, first)]
        matches = [match for match in searched if match]
        matches.sort(key=re.Match.start)
        for match in matches:
            iso = _iso(match, month_first)
            if iso:
                found.append(FoundDate(match.start(), match.end(), iso))
                end = match.end()
                break
    return found


def _fitting(text: str, year: int, first: int) -> Iterator[re.Pattern[str]]:
    """The patterns that may fit what is around a year."""
    before, behind = text[max(first, year - 5) : year], text[year + 4 : year + 6]
    if behind[:1] in _MARKS or behind[1:] in _MARKS:
        yield _FORMS[0]
        yield _FORMS[4]
        yield _FORMS[5]
    if before[-1:] in _MARKS or before[-2:] == ". ":
        yield _FIGURES
    if _DAY_BEFORE.search(text, max(first, year - 8), year):
        yield _FORMS[1]
    else:
        name = _NAME_BEFORE.search(text, max(first, year - 24), year)
        if name and _small(name["name"]) in MONTHS:
            yield _FORMS[2]
    if _NAME_BEHIND.match(text, year + 4):
        yield _FORMS[3]
    if " th" in text[first:year]:
        yield _FORMS[6]


def _with_plain_digits(text: str) -> str:
    return text.translate(_DIGITS) if has_digits_beyond(text, _FIRST_DIGIT) else text


def _small(text: str) -> str:
    """A text in small letters, also where capitals are Turkish: `HAZİRAN`."""
    return text.lower().replace("i\u0307", "i")


def date_in_address(path: str) -> str | None:
    """The day in the path of a URL, as in /2025/09/04/."""
    for pattern in (_URL_DATE, _URL_COMPACT):
        for found in pattern.finditer(path[:2000]):
            iso = _iso(found, True)
            if iso:
                return iso
    return None


def _iso(found: re.Match[str], month_first: bool) -> str | None:
    groups = found.groupdict()
    if "one" in groups:
        one, two = int(groups["one"]), int(groups["two"])
        first = month_first and not groups["mark"].startswith(".")
        month, day = (one, two) if first else (two, one)
        if month > 12:
            month, day = day, month
    else:
        name = groups.get("name") or groups.get("month")
        if name is None:
            return groups["year"] if _plausible(int(groups["year"]), 1, 1) else None
        month = int(name) if name.isdecimal() else MONTHS.get(_small(name), 0)
        if "day" not in groups:
            year = int(groups["year"])
            return f"{year}-{month:02}" if _plausible(year, month, 1) else None
        day = int(groups["day"])
    year = int(groups["year"])
    if year > LAST_YEAR and "\u0e00" < (groups.get("name") or "") < "\u0e7f":
        year -= _THAI_YEARS
    if not _plausible(year, month, day):
        return None
    return f"{year:04}-{month:02}-{day:02}" + _time(groups)


def _plausible(year: int, month: int, day: int) -> bool:
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _time(groups: dict[str, str | None]) -> str:
    """The time of day, if there is a whole one."""
    if not groups.get("hour"):
        return ""
    hour, minute = int(groups["hour"] or 0), int(groups["minute"] or 0)
    second = int(groups["second"] or 0)
    half = (groups["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return ""
    zone = (groups["zone"] or "").upper()
    if zone in ("Z", "UTC", "GMT"):
        zone = "+00:00"
    elif zone:
        digits = zone[1:].replace(":", "").ljust(4, "0")
        zone = f"{zone[0]}{digits[:2]}:{digits[2:]}"
        if int(digits[:2]) > 15 or int(digits[2:]) > 59:
            zone = ""
    return f"T{hour:02}:{minute:02}:{second:02}{zone}"


def _from_stamp(seconds: int) -> str:
    """A count of seconds since 1970."""
    when = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return when.isoformat()
