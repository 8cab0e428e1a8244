"""Finding rules by words: the clauses and rulings that words lead to, the likeliest first.

Words match by their beginning, in English and German at once, without regard to capitals and
accents, and also where the rulebook says the same with another word of the glossary.  Short ones
match only whole, except the last, which may be half typed if the others match and it does not.
What stands in a title counts more than what stands in a sentence, and that more than all the rest;
words that merely make a question count for nothing.  `index` is what is looked through; with it a
program of another language finds the same, as the pages of the documentation do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.components.values import Value
from valletta_rules.specification.clauses import (
    ClauseText,
    RulingText,
    chapters,
    ruling,
    ruling_ids,
)
from valletta_rules.specification.files import Term, specification
from valletta_rules.specification.phrases import Phrase
from valletta_rules.text.layout import filled

WEIGHTS: Final = (16, 12, 4, 2, 1)
"""What a word counts that is met in the title; among other words for what is defined there or
named in the title; in the sentence; among other words for what that names; in the rest."""

WHOLE, BEGINNING, NEARLY = 3, 2, 1
"""By how much that is multiplied: for the whole word, for its beginning, and for a word that
differs in an ending or is the last part of a German compound."""

SHORT: Final = 3
"""Up to how many letters a word is short: met whole, or as the first part of an id."""


@attrs.frozen
class IndexEntry(Value):
    """A clause or a ruling."""

    id: str
    """The id of the clause, such as ``BLU-1``, or the name of the ruling."""
    kind: str
    """``clause`` or ``ruling``."""
    title: str
    """The title of the clause, or the question."""
    text: str
    """What the clause says, or the answer of the default edition."""

    def __str__(self) -> str:
        """Write it for a terminal."""
        return f"{self.id}  {self.title}\n{filled(self.text, '    ')}"


Places = Mapping[str, tuple[tuple[int, int], ...]]
"""Where each word is met: the numbers of entries, each with the weight of the word there."""


@attrs.frozen
class Index(Value):
    """What is looked through: the entries, in the order of the rulebook, and their words."""

    entries: tuple[IndexEntry, ...]
    """All clauses and then all rulings."""
    english: Places
    """Where English words are met."""
    german: Places
    """Where German words are met."""


def find(words: str, language: str = "en") -> tuple[IndexEntry, ...]:
    """Return the clauses and rulings that words lead to, the likeliest first.

    Takes words in English or German, or an id, and the language to be answered in.  It
    finds what has the most of the words, rare ones counting more, and what has three quarters as
    much; common words alone are not enough if another word is nowhere.
    Raises `UnknownLanguageError`.
    """
    entries = index(language).entries
    scores, covered, lost = [0] * len(entries), [0] * len(entries), 0
    typed = [*dict.fromkeys(words_of(_ID.sub(r"\1-\2", words)))]
    for word in [each for each in typed if each not in IDLE] or typed:
        grades = _grades(word, index(language), word == typed[-1] and not lost)
        rarity = (len(entries) // len(grades)).bit_length() if grades else 0
        lost += not grades and len(word) > SHORT
        for number, each in grades.items():
            scores[number] += each * rarity
            covered[number] += rarity
    enough = max(max(covered) * 3 // 4, 1 + 2 * lost)
    found = (number for number, each in enumerate(covered) if each >= enough)
    ranked = sorted(found, key=lambda n: (-scores[n], len(words_of(entries[n].title)), n))
    return tuple(entries[number] for number in ranked)


_ID: Final = re.compile(r"^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$")
"""An id, however it is typed."""


def _grades(word: str, index: Index, is_open: bool) -> dict[int, int]:
    """Return what a word counts for each entry that it leads to: its best place there.

    It is open if it may be half typed.
    """
    grades: dict[int, int] = {}
    typed = (word, _UMLAUTS.sub(r"\1", word))
    is_whole = not is_open or word in index.english or word in index.german
    beginnings = (f"{word}-",) if is_whole and len(word) <= SHORT else typed
    for places, compounds in ((index.english, False), (index.german, True)):
        for met, found in places.items():
            if likeness := _likeness(typed, beginnings, met, compounds):
                for number, weight in found:
                    grades[number] = max(grades.get(number, 0), weight * likeness)
    return grades


def _likeness(
    typed: tuple[str, str], beginnings: tuple[str, ...], met: str, compounds: bool
) -> int:
    """Return how like a word, as typed and without the E of umlauts, is to one that is met."""
    word, _ = typed
    if met == word:
        return WHOLE
    if met.startswith(beginnings):
        return BEGINNING
    is_longer = len(met) > 3 and len(word) - len(met) < 3 and word.startswith(met)
    is_part = compounds and len(word) > 3 and met.endswith(typed)
    return NEARLY if is_longer or is_part else 0


_UMLAUTS: Final = re.compile("([aou])e")
"""How umlauts are typed where there are none."""


def words_of(text: str) -> list[str]:
    """Split a text into words: small letters without accents, and ids such as ``blu-1``."""
    plain = unicodedata.normalize("NFD", text.lower()).replace("ß", "ss")
    return re.findall(r"[^\W_]+(?:-[0-9]+)?", re.sub(r"[\u0300-\u036f]", "", plain))


IDLE: Final = frozenset(
    words_of("""
    a about an and are as at be by can did do does for from get had happen happened happens has have
    how i if in is it its like many me much my of on or over s should so that the then there this to
    was we were what when where which who why will with would you your

    als am auch auf aus bei das dass dem den der des die ein eine einem einen einer eines er es für
    geschieht gibt hab habe hat ich ihr im ist kann man macht mein meine meinem meinen mich mir mit
    oder passiert sich sie sind über und viel viele vom von wann war warum weshalb welche welchem
    welchen welcher welches wem wen wenn wer werden wie wieso wird wo wozu zu zum zur
    """)
)
"""Words that only make a question, and are looked for only where there are no others."""


# What is looked through


@cache
def index(language: str = "en") -> Index:
    """Return the index to be searched, in a language.

    Raises `UnknownLanguageError` if the rulebook is not told in it.
    """
    entries = tuple(_entry(each) for each in _told(language))
    return Index(entries, _places("en"), _places("de"))


def _told(language: str) -> Iterator[ClauseText | RulingText]:
    """Yield all clauses and all rulings in a language."""
    yield from (clause for chapter in chapters(language) for clause in chapter.clauses)
    yield from (ruling(name, language) for name in ruling_ids())


def _entry(told: ClauseText | RulingText) -> IndexEntry:
    """Return the entry of a clause or a ruling."""
    if isinstance(told, ClauseText):
        return IndexEntry(told.id, "clause", told.title, told.text)
    return IndexEntry(told.id, "ruling", told.question, told.answers[0][1])


@cache
def _places(language: str) -> Places:
    """Return where each word of a language is met."""
    places: dict[str, dict[int, int]] = {}
    for number, pair in enumerate(zip(_told(language), _told("en"), strict=True)):
        for weight, texts in zip(WEIGHTS, _fields(*pair), strict=True):
            for word in words_of(" ".join(texts)):
                places.setdefault(word, {}).setdefault(number, weight)
    return MappingProxyType({word: tuple(met.items()) for word, met in places.items()})


def _fields(
    told: ClauseText | RulingText, english: ClauseText | RulingText
) -> tuple[Iterable[str], ...]:
    """Return the texts of an entry, by the `WEIGHTS`."""
    if isinstance(told, RulingText):
        answers = (answer for _, answer in told.answers)
        against = (each.says for each in told.against)
        rest = (told.because, told.in_play, *against)
        return (told.id,), (), (told.question, *answers), (), rest
    assert isinstance(english, ClauseText)
    kind = Phrase[told.kind.name].of(told.language)
    rest = (told.chapter, kind, told.why, *(each.says for each in told.examples))
    defined = [word for word in specification().terms if word.clause == told.id]

    def others(words: Iterable[Term]) -> Iterator[str]:
        return (_words_for(word, told.language) for word in words)

    return (
        (told.id, told.title),
        others((*defined, *_words_in(english.title))),
        (told.text,),
        others(_words_in(english.text)),
        rest,
    )


# The glossary


def _words_for(word: Term, language: str) -> str:
    """Return all words that a language has for a word of the glossary."""
    also = (each["word"] for each in word.also)
    english = (word.term, *word.forms, *also, *word.everyday)
    return " ".join(
        english if language == "en" else (word.term_de, *word.also_de, *word.everyday_de)
    )


@cache
def _words_in(text: str) -> tuple[Term, ...]:
    """Return the words of the glossary that an English text uses."""
    said = f" {' '.join(words_of(text))} "
    return tuple(word for word, forms in _forms() if any(form in said for form in forms))


@cache
def _forms() -> tuple[tuple[Term, tuple[str, ...]], ...]:
    """Return the words of the glossary, each with how it occurs in English, between blanks."""
    return tuple(
        (word, tuple(f" {' '.join(words_of(each))} " for each in word.spellings))
        for word in specification().terms
    )
