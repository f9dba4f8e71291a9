"""Song-like texts, comments and names from a grammar and a vocabulary of our own.

No line of a real song is in here. Everything follows from the `random.Random` that is passed in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random
from typing import Final

_WORDS: Final = {
    "noun": """anchor apple arrow balcony barley basket bell bird blanket bridge candle canyon
        carousel cedar chapel cherry chimney cloud coast compass copper corner cradle curtain
        daughter diamond doorway drum echo ember engine falcon feather ferry fiddle field fire
        flower fountain garden ghost glove harbour harvest hill honey horse island ivory jacket
        kettle kite ladder lantern letter lighthouse lily machine magnet maple marble meadow mirror
        morning mountain needle neon ocean orchard paper pepper pillow planet pocket porch postcard
        prairie quarry radio railway rain ribbon river robin rocket rooftop saddle sailor satellite
        shadow shepherd shoulder signal silver sparrow station stranger summer sunday table
        telephone thistle thunder ticket timber tower traffic tunnel valley velvet violin wagon
        water willow window winter wire wolf""",
    "adjective": """amber ancient bitter broken burning careful careless cold crooked crowded
        distant dusty early electric empty faded foolish forgotten fragile frozen gentle golden
        hollow honest hungry idle kinder lazy little lonely lucky midnight narrow nervous northern
        open painted patient plain quiet reckless restless rusty sacred salty second secret silent
        simple sleepy southern steady stolen stubborn sweet tender thirsty tired unspoken wandering
        weary western wicked wild winding wooden yellow young""",
    "verb": """answer believe borrow bury carry catch chase climb count cover cross dream drown
        fasten find follow forgive gather hammer harvest hear hide hold hum hurry kiss learn leave
        lift lose mend miss name open paint promise raise remember rescue ring sail save scatter
        search sell shelter sing steal swim tear touch trade trust turn unfold visit wake warm wash
        whisper wonder write""",
    "place": """alley attic backroad bakery ballroom barn basement bay boulevard cafe cellar city
        courtyard crossroad desert dockyard farmhouse forest highway hotel jungle kitchen lagoon
        laundry library market mill motel museum parlour pier plaza port riverbank schoolyard shore
        stadium suburb theatre town village vineyard waterfront yard""",
    "adverb": """again alone always anyway backwards barely blindly daily forever gladly gently
        halfway hardly homeward inside lately nearly never nightly often once outside quietly
        sideways slowly someday sometimes somehow softly soon still together tonight twice
        upstairs""",
    "who": "i you we they she he nobody somebody everyone my_mother your_brother the_neighbours",
    "preposition": "above across after against along behind below beside beyond near over through",
}
_LEXICON: Final = {kind: text.split() for kind, text in _WORDS.items()}

_LINES: Final = """
    {who} {verb} the {adjective} {noun} {preposition} the {noun}
    {adverb} {who} {verb} your {noun} in the {place}
    the {noun} and the {noun} {verb} {adverb}
    every {adjective} {noun} is a {noun} to {verb}
    will you {verb} my {noun} when the {noun} is {adjective}
    there's a {adjective} {place} {preposition} the {noun}
    don't {verb} the {noun} before the {noun} can {verb}
    {who} left a {noun} for the {adjective} {noun} {adverb}
    {preposition} the {place} {who} {verb} {adverb}
    so {verb} me {adverb} and {verb} me {adjective}
    {number} {adjective} {noun}s in the {place} {adverb}
    if {who} could {verb} like a {noun} {preposition} the {place}
    it was {adverb} {adjective} when {who} {verb}
    {verb} it to the {noun} and {verb} it to the {place}
    all your {adjective} {noun}s {verb} my {noun}
    i'm a {noun} in a {adjective} {place}
    and {who} {verb} {adverb}
    from the {place} to the {noun} {who} {verb} a {adjective} {noun}
""".strip().splitlines()
_SHORT_LINES: Final = ("{verb} {adverb}", "{adjective} {noun}", "oh {noun}", "{adverb}")

_SENTENCES: Final = """
    i heard this one {adverb} in a {place} and had to {verb} my {noun}
    the part about the {adjective} {noun} makes me {verb} every time
    my {noun} used to {verb} it {preposition} the {place} when i was {adjective}
    does anybody know who plays the {noun} on the {adjective} version
    i think the second verse should say {adjective} {noun} and not {noun}
    saw them live near the {place} last year and they {verb} {adverb}
    thanks for the words because i could not {verb} them {adverb}
    whoever wrote about the {noun} must {verb} a {adjective} {place}
    not their best but the {noun} still sounds {adjective} to me
    we danced to it {preposition} a {place} and the {noun} was {adjective}
    in my opinion the {adjective} {noun} is really a {noun} for the {place}
    it reminds me of {number} {adjective} {noun}s that {who} will {verb}
    the new record has a {adjective} {noun} and more {noun}s than the old one
    they come from a {adjective} {place} where people {verb} {adverb}
""".strip().splitlines()
_NUMBERS: Final = "two three four five six seven nine ten twenty forty hundred thousand".split()
_SYLLABLES: Final = (
    "bra del fen gor hil jun kas lor mar nel ost pra qui ros sten tal ulf wen".split()
)
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Song:
    """A text: its verses are lists of lines; a chorus comes more than once."""

    title: str
    artist: str
    verses: tuple[tuple[str, ...], ...]


def fill(pattern: str, random: Random) -> str:
    """A pattern with a word of the right kind in each slot."""

    def word(slot: re.Match[str]) -> str:
        return random.choice(_NUMBERS if slot[1] == "number" else _LEXICON[slot[1]])

    return _SLOT.sub(word, pattern.strip()).replace("_", " ")


def make_name(random: Random) -> str:
    """A person or a band."""
    parts = ["".join(random.choices(_SYLLABLES, k=2)).capitalize() for _ in range(2)]
    return " ".join(parts)


def make_title(random: Random) -> str:
    patterns = ("{adjective} {noun}", "{noun} {adverb}", "the {noun}")
    return fill(random.choice(patterns), random).title()


def make_song(artist: str, random: Random) -> Song:
    """Three or four verses, a chorus after most of them, sometimes a bridge.

    One song in four has lines of one or two words, as a call in its chorus.
    """

    def lines(count: int) -> tuple[str, ...]:
        return tuple(fill(random.choice(_LINES), random) for _ in range(count))

    chorus = lines(4)
    if random.random() < 0.25:
        chorus = (*chorus[:2], fill(random.choice(_SHORT_LINES), random), *chorus[2:])
    verses: list[tuple[str, ...]] = []
    for number in range(random.choice((3, 3, 4))):
        verses.append(lines(random.choice((4, 4, 6))))
        if number == 0 or random.random() < 0.7:
            verses.append(chorus)
    if random.random() < 0.4:
        verses.insert(len(verses) - 1, lines(random.choice((2, 4))))
    return Song(make_title(random), artist, tuple(verses))


def misheard(song: Song, edits: float, random: Random) -> Song:
    """The song as another site typed it.

    Args:
        edits: for each word, the probability that it is lost, doubled or heard as another.
    """

    def hear(word: str) -> list[str]:
        if random.random() >= edits:
            return [word]
        return random.choice(([], [word, word], [random.choice(_LEXICON["noun"])]))

    verses = tuple(
        tuple(" ".join(heard for word in line.split() for heard in hear(word)) for line in verse)
        for verse in song.verses
    )
    return Song(song.title, song.artist, verses)


def make_prose(tokens: int, random: Random) -> str:
    """Sentences of about so many words."""
    sentences: list[str] = []
    count = 0
    while count < tokens:
        sentence = fill(random.choice(_SENTENCES), random)
        count += len(sentence.split())
        sentences.append(sentence.capitalize() + random.choice((".", ".", "!", " ...")))
    return " ".join(sentences)


def make_date(random: Random) -> str:
    return f"{random.randint(1, 28)}.{random.randint(1, 12)}.{random.randint(2001, 2019)}"
