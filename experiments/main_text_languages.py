"""How much of the main text is found where its models know no word, in scripts of other kinds.

    python experiments/main_text_languages.py DATASET [--every 5]

The pages with a main text, rewritten: each word becomes another, always the same, of the lengths
of a script; tags, names of elements and the truth are kept. The shipped models have learnt from
these pages, so that only the differences between the rows say something.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import numpy as np

from pagecut import Page, page_type, parse_html, text
from pagecut.content.line_model import PAGE_TYPES
from pagecut.evaluation.datasets import read_dataset
from pagecut.page.text.tokenizer import bare_words
from pagecut.parsing.decoding import decode

# What is no text: scripts, styles, comments, tags, entities.
MARKUP = re.compile(r"(<(script|style)\b.*?</\2\s*>|<!--.*?-->|<[^>]*>|&[#\w]+;)", re.S | re.I)
WORD = re.compile(r"[^\W\d_]+")
PARTED = re.compile(
    r"(?<=[\u0e00-\u0eff\u3000-\u9fff\uff00-\uffef]) +(?=[\u0e00-\u0eff\u3000-\u9fff])"
)
VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"
THAI = "กขคงจชดตถทนบปผพมยรลวสหอ"


def in_case(new: str, old: str) -> str:
    return new.capitalize() if old[0].isupper() else new


def latin(word: str) -> str:
    code = crc32(word.lower().encode())
    letters = (CONSONANTS if place % 2 else VOWELS for place in range(len(word)))
    new = "".join(each[(code >> place * 3 % 29) % len(each)] for place, each in enumerate(letters))
    return in_case(new, word)


def alphabet(first: str, count: int) -> Callable[[str], str]:
    def rewritten(word: str) -> str:
        code = crc32(word.lower().encode())
        places = range(max(1, round(0.8 * len(word))))
        return in_case(
            "".join(chr(ord(first) + (code >> place * 4 % 28) % count) for place in places), word
        )

    return rewritten


def han(word: str) -> str:
    """A character for three letters: five letters of English are about 1.6 of Chinese."""
    code = crc32(word.lower().encode())
    places = range(max(round(len(word) / 3), 1))
    return "".join(chr(0x4E00 + (code >> place * 5) * 7919 % 6000) for place in places)


def thai(word: str) -> str:
    code = crc32(word.lower().encode())
    places = range(max(round(len(word) / 2), 1))
    return "".join(THAI[(code >> place * 4) % len(THAI)] + "าีู"[code % 3] for place in places)


# What becomes of a word, and of signs; None for what stays.
SCRIPTS: dict[str, tuple[Callable[[str], str], dict[str, str]] | None] = {
    "not": None,
    "as another Latin language": (latin, {}),
    "as Russian": (alphabet("а", 32), {}),
    "as Arabic": (alphabet("ب", 19), {",": "،", "?": "؟", ";": "؛"}),
    "as Hindi": (alphabet("क", 36), {".": "।"}),
    "as Chinese": (han, dict(zip(".,!?:;()", "。，！？：；（）", strict=True))),
    "as Thai": (thai, {".": " ", ",": " "}),
}


def rewrite(plain: str, script: str) -> str:
    rules = SCRIPTS[script]
    if rules is None:
        return plain
    word, signs = rules
    plain = WORD.sub(lambda found: word(found[0]), plain)
    if signs:
        wanted = f"[{re.escape(''.join(signs))}](?!\\d)"
        plain = re.sub(wanted, lambda found: signs[found[0]], plain)
    return PARTED.sub("", plain)


def rewrite_page(source: str, script: str) -> str:
    if SCRIPTS[script] is None:
        return source
    parts = []
    end = 0
    for found in MARKUP.finditer(source):
        parts += [rewrite(source[end : found.start()], script), found[0]]
        end = found.end()
    return "".join([*parts, rewrite(source[end:], script)])


def score(page: Page, truth: str) -> tuple[float, float, float]:
    """F, precision and recall of words in any order, characters where no spaces are."""
    found, true = (Counter(bare_words(each.lower())) for each in (text(page), truth))
    if not found and not true:
        return 1.0, 1.0, 1.0
    both = (found & true).total()
    precision, recall = both / max(1, found.total()), both / max(1, true.total())
    return 2 * both / (found.total() + true.total()), precision, recall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--every", type=int, default=5, help="take one of so many pages")
    options = parser.parse_args()
    entries = [
        each
        for each in read_dataset(options.dataset)
        if "main-text" in each.tasks and each.group in PAGE_TYPES
    ]
    scores: dict[str, list[tuple[float, float, float, bool]]] = {name: [] for name in SCRIPTS}
    for entry in entries[:: options.every]:
        _, truth = entry.load()
        source, _ = decode(entry.source())
        for name in SCRIPTS:
            changed = parse_html(rewrite_page(source, name), url=entry.url)
            right = next(iter(page_type(changed))) == entry.group
            scores[name].append((*score(changed, rewrite(truth.main_text or "", name)), right))
    print("| rewritten | F | P | R | types right |\n|---|---|---|---|---|")
    for name, rows in scores.items():
        print(f"| {name} | " + " | ".join(f"{each:.3f}" for each in np.mean(rows, axis=0)) + " |")


if __name__ == "__main__":
    main()
