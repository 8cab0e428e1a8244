"""Finding rules by words: the clauses and rulings that words lead to, the likeliest first.

A word is taken for what it means: words for the same thing (those of the glossary, and those of
`spec/everyday.toml`, which people say at the table) count as one, English and German alike, by
their stems, and for what it is made of if it is a compound.  A rule is known by the meanings in its
title, its sentence, the questions that it answers, and, less, in the sentences of the texts that
support it and in its rulings.  `index` is what is looked through; with it a program of another
language finds the same, as the pages of the documentation do (`docs/static/finder.js`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log2, sqrt
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
from valletta_rules.specification.files import specification
from valletta_rules.specification.phrases import Phrase
from valletta_rules.text.layout import filled

ID_WEIGHT, ASKED, TITLE, SENTENCE, WORDED, REST = 12.0, 5.0, 3.2, 2.0, 3.3, 0.6
"""What a meaning counts by where it stands: in the id, the question, the title, the sentence, other
wordings of the question, and in the sentences of the texts, reasons and examples."""

NAME, WHOLE, NEAR, GUESSED = 14, 10, 6, 7
"""What a name of a character counts for what it means, and what another word counts; for what that
touches; and when it is only guessed."""

LOST = 900
"""What an entry must score for each word that leads nowhere."""


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
    """What the clause says, or the answer of the default edition; before it, if players ask for
    the clause by a question that can be answered in a word, the question and the answer."""

    def __str__(self) -> str:
        """Write it for a terminal."""
        return f"{self.id}  {self.title}\n{filled(self.text, '    ')}"


Meanings = Mapping[str, int]
"""What a word means: the names of meanings, each with how much it counts."""


@attrs.frozen
class Index(Value):
    """What is looked through: the entries, in the order of the rulebook, and their words."""

    entries: tuple[IndexEntry, ...]
    """All clauses and then all rulings."""
    known: Mapping[str, Meanings]
    """What words mean: whole words, stems and several words with blanks between them."""
    places: Mapping[str, tuple[tuple[int, int], ...]]
    """Where each meaning is met: the numbers of entries, each with its weight there."""


def find(words: str, language: str = "en") -> tuple[IndexEntry, ...]:
    """Return the clauses and rulings that words lead to, the likeliest first.

    Takes words in English or German, or an id, and the language to be answered in.
    Raises `UnknownLanguageError`.
    """
    looked_through = index(language)
    scores = [0] * len(looked_through.entries)
    lost, named = 0, list[dict[int, int]]()
    for meanings in meant(words, looked_through):
        best: dict[int, int] = {}
        for meaning, strength in meanings.items():
            for number, weight in looked_through.places.get(meaning, ()):
                best[number] = max(best.get(number, 0), weight * strength)
        lost += not best
        if best and NAME in meanings.values():
            named.append(best)
        for number, score in best.items():
            scores[number] += score
    for best in named:  # a name in the question always counts
        scores = [score if n in best else score * 3 // 4 for n, score in enumerate(scores)]
    enough = max(max(scores) // 2, 1 + LOST * lost)
    found = (number for number, score in enumerate(scores) if score >= enough)
    entries = looked_through.entries
    ranked = sorted(found, key=lambda n: (-scores[n], len(words_of(entries[n].title)), n))
    return tuple(entries[number] for number in ranked)


# What words mean


def words_of(text: str) -> list[str]:
    """Split a text into words: small letters without accents, and ids such as ``blu-1``."""
    plain = unicodedata.normalize("NFD", text.lower()).replace("ß", "ss")
    return re.findall(r"[^\W_]+(?:-[0-9]+)?", re.sub(r"[\u0300-\u036f'\u2019]", "", plain))


@cache
def stem(word: str) -> str:
    """Return a word without what is bent in it, in English and German alike."""
    if len(word) < 4 or re.search("[0-9]", word):
        return word
    word = re.sub("^ge(?=.{4})|(?<=...)(?:ing|ed)$", "", word)
    word = re.sub(r"([^0-9])\1", r"\1", word).replace("y", "i")
    while (shorter := ENDING.sub("", word)) != word:
        word = shorter
    return word


ENDING: Final = re.compile("(?<=....)(?:em|er|[ent])$|(?<=...)[es]$")
"""An ending of a word."""

SHORT: Final = 3
"""Up to how many letters a word that is half typed is looked for only alone."""

LONGEST: Final = 4
"""How many words mean something together at most."""

_ID: Final = re.compile(r"^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$")
"""An id, however it is typed."""


def meant(words: str, index: Index) -> list[Meanings]:
    """Return what each of some words means, or several together; nothing for one that is nowhere.

    Words that merely make a question mean something only where there are no others.
    """
    typed = words_of(_ID.sub(r"\1-\2", words))
    read = list(_read(typed, index.known))
    telling = [each for each in read if not (len(each) == 1 and each[0] in IDLE)] or read
    found: list[Meanings] = []
    for each in telling:
        is_open = each is telling[-1] and all(found) and (not found or len(each[0]) > SHORT)
        found.append(_of(each, index, is_open=is_open))
    return found


def _read(words: Sequence[str], known: Mapping[str, Meanings]) -> Iterator[list[str]]:
    """Yield words by what is to be read together."""
    start = 0
    while start < len(words):
        some = [*words[start : start + LONGEST]]
        while len(some) > 1 and _key(some, known) is None:
            some.pop()
        yield some
        start += len(some)


def _key(words: Sequence[str], known: Mapping[str, Meanings]) -> str | None:
    """Return under which words they are known, as they are or by their stems."""
    if (key := " ".join(words)) in known:
        return key
    return key if (key := " ".join(map(stem, words))) in known else None


def _of(words: Sequence[str], index: Index, *, is_open: bool) -> Meanings:
    """Return what words mean; of one that is not known, its parts, its beginning, or a near one."""
    key = _key(words, index.known)
    if key is not None:
        return index.known[key]
    word = words[0]
    if word in index.places:
        return {word: WHOLE}
    if stem(word) in index.places:
        return {stem(word): WHOLE}
    for cut in range(len(word) - 3, 2, -1):
        parts = [_plain(part, index) for part in (word[:cut], word[cut:])]
        if all(parts):
            return {name: n for part in parts for name, n in part.items()}
    if is_open and len(word) > 2:
        begun = [key for key in index.known if key.startswith(word)]
        begun += [name for name in index.places if name.startswith(word)]
        if begun:
            return _guess(begun, index)
    return _guess(near(word, index), index)


def _plain(word: str, index: Index) -> Meanings:
    """Return what a part of a word means."""
    key = _key([word], index.known)
    return index.known[key] if key is not None else {}


def _guess(words: Iterable[str], index: Index) -> Meanings:
    """Return what any of some words mean, which are only guessed."""
    found: dict[str, int] = {}
    for word in words:
        for name, strength in index.known.get(word, {word: WHOLE}).items():
            found[name] = max(found.get(name, 0), strength * GUESSED // WHOLE)
    return found


def near(word: str, index: Index) -> list[str]:
    """Return the words that differ in one letter from a longer one, or in two neighbours."""
    if len(word) < 6:
        return []
    return sorted(
        key
        for key in index.known
        if abs(len(key) - len(word)) < 2 and key[0] == word[0] and _is_slip(word, key)
    )


def _is_slip(one: str, other: str) -> bool:
    """Whether two words differ in a letter that is missing or another, or in two exchanged."""
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return len(one) != len(other)
    a, b = one[at:], other[at:]
    swapped = a[1:2] + a[:1] + a[2:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or swapped == b


IDLE: Final = frozenset(
    words_of("""
    a about actually all also am an and any anyone are as at be because been but by can cant
    could did didnt do does doesnt doing dont else even ever exactly for from game get gets got
    had happen happened happens has have having he her him his how i if im in into is isnt it
    its ive just kind lets like many may me much my need nor not of off ok okay on one only or
    our ours really rule rules s say says she should so some somebody someone still such than
    that the their them then there these they thing this those to too until up us use used want
    wants was we were what whats when whether which while who whos why will with would yes
    yet you your allowed possible permitted legal said claims insists argues think thinks
    thought sure wonder wondering question please thanks hello hey tell told suppose supposed
    situation here very away im hes shes theyre youre weve well more using

    aber alle allem allen aller alles als also am an auch auf aus bei bin bis bitte da dabei
    dann das dass dem den denn der des die dies diese diesem diesen dieser doch durch darf
    duerfen dürfen ein eigentlich eine einem einen einer eines er es etwas für geht genau
    geschieht gibt gibts hab habe haben hat hatte ich ihm ihn ihr im immer in irgendwie ist ja
    jede jeden jeder kann kannst können kriegt machen macht mal man mehr mein meine meinem
    meinen meiner mich mir mit nach nein nicht nichts noch nur ob oder okay passiert regel
    regeln sein seine seinem seinen sich sie sind so soll sollte spiel trotzdem über überhaupt
    um und uns vom von vor wann war warum was weil wem wen wenn wer werden weshalb welche
    welchem welchen welcher welches wie wieso wieviel wieviele will wird wofür womit wozu
    worauf wurde würde viel viele zu zum zur erlaubt möglich zulässig gestattet sagt sagen
    behauptet meint denke glaube frage hallo danke weiß ahnung stimmt eben gerade beim irgendwas
    mag möchte wäre hätte wirklich selber selbst davon damit dazu bringt bringen nix plötzlich
    """)
)
"""Words that only make a question, and are looked for only where there are no others."""


# What is looked through


@cache
def index(language: str = "en") -> Index:
    """Return the index to be searched, in a language.

    Raises `UnknownLanguageError` if the rulebook is not told in it.
    """
    asked = specification().asked
    entries = tuple(_entry(each, asked.get(each.id, {})) for each in _told(language))
    return Index(entries, _known(), _places())


def _told(language: str) -> Iterator[ClauseText | RulingText]:
    """Yield all clauses and all rulings in a language."""
    yield from (clause for chapter in chapters(language) for clause in chapter.clauses)
    yield from (ruling(name, language) for name in ruling_ids())


def _entry(told: ClauseText | RulingText, asked: Mapping[str, str]) -> IndexEntry:
    """Return the entry of a clause or a ruling, and how players ask for it."""
    if isinstance(told, RulingText):
        return IndexEntry(told.id, "ruling", told.question, told.answers[0][1])
    text = told.text
    if answer := asked.get("answer"):
        question = asked[told.language].partition("?")[0]
        text = f"{question}? {Phrase[answer.upper()].of(told.language)}. {text}"
    return IndexEntry(told.id, "clause", told.title, text)


@cache
def _known() -> Mapping[str, Meanings]:
    """Return what words mean that are words for the same thing."""
    groups: dict[str, dict[str, int]] = defaultdict(dict)
    spelled: dict[str, list[str]] = defaultdict(list)
    for words, strength, touched in _same():
        name = _named(words[0])
        spelled[name] += words
        groups[name] |= {_named(each): NEAR for each in touched} | {name: strength}
    exact: dict[str, dict[str, int]] = defaultdict(dict)
    bent: dict[str, dict[str, int]] = defaultdict(dict)
    for name, meanings in groups.items():
        for word in spelled[name]:
            split = words_of(word)
            for keys, key in ((exact, split), (bent, [*map(stem, split)])):
                met = keys[" ".join(key)]
                for each, strength in meanings.items():
                    met[each] = max(met.get(each, 0), strength)
    return MappingProxyType({**bent, **exact})


def _named(word: str) -> str:
    """Return the name of what words mean of which this is the first."""
    return f"={' '.join(words_of(word))}"


def _same() -> Iterator[tuple[list[str], int, list[str]]]:
    """Yield words for the same thing, what they count for it, and what it also touches."""
    for word in specification().terms:
        also = (each["word"] for each in word.also)
        english = (word.term, *word.forms, *also, *word.everyday)
        yield [*english, word.term_de, *word.also_de, *word.everyday_de], WHOLE, []
    for group in specification().same:
        touched = group["near"].split(", ") if "near" in group else []
        strength = NAME if group.get("is_name") else WHOLE
        yield f"{group['en']}, {group['de']}".split(", "), strength, touched


@cache
def _places() -> Mapping[str, tuple[tuple[int, int], ...]]:
    """Return where each meaning is met: rare ones weigh more, and all in an entry of few more.

    Of two that are met alike, a clause comes before one that follows from others, a ruling, and one
    that is in force in no edition.
    """
    met: list[dict[str, float]] = []
    for german, english in zip(_told("de"), _told("en"), strict=True):
        found: dict[str, float] = {}
        for told in (german, english):
            for name, weight in _weights(told).items():
                found[name] = max(found.get(name, 0.0), weight)
        met.append(found)
    count = defaultdict[str, float](float)
    for found in met:
        for name, weight in found.items():
            count[name] += min(1.0, weight / SENTENCE)
    places = defaultdict[str, list[tuple[int, int]]](list)
    for (number, found), told in zip(enumerate(met), _told("en"), strict=True):
        rare = {name: log2(1 + len(met) / max(count[name], 0.5)) ** 0.4 for name in found}
        saturated = {name: (weight / (weight + 4)) ** 0.6 for name, weight in found.items()}
        size = sqrt(sum((saturated[name] * rare[name]) ** 2 for name in found)) ** 0.07
        scale = 150 * _share(told) / size
        for name in found:
            places[name].append((number, round(scale * saturated[name] * rare[name])))
    return MappingProxyType({name: tuple(rows) for name, rows in places.items()})


def _share(told: ClauseText | RulingText) -> float:
    """Return what an entry counts beside a clause that is in force and follows from no other."""
    if isinstance(told, RulingText):
        return 0.92
    return 0.9 if not told.editions else 0.98 if told.follows_from else 1.0


def meanings_in(text: str) -> Meanings:
    """Return all that the words of a text mean; one without another meaning stands for its stem."""
    found: dict[str, int] = {}
    for words in _read(words_of(text), _known()):
        if len(words) == 1 and words[0] in IDLE:
            continue
        key = _key(words, _known())
        meanings = {stem(words[0]): WHOLE} if key is None else _known()[key]
        for name, strength in meanings.items():
            found[name] = max(found.get(name, 0), strength)
    return found


def _weights(told: ClauseText | RulingText) -> dict[str, float]:
    """Return what each meaning counts in an entry."""
    weights = defaultdict[str, float](float)
    for weight, text in _fields(told):
        meanings = meanings_in(text)
        share = 1.5 / sqrt(max(1, sum(each >= WHOLE for each in meanings.values())))
        for name, strength in meanings.items():
            weights[name] += weight * min(1, strength / WHOLE) * (share if weight == TITLE else 1)
    return weights


def _fields(told: ClauseText | RulingText) -> Iterator[tuple[float, str]]:
    """Yield the texts of an entry, each with what a meaning counts there."""
    asked = specification().asked.get(told.id, {}).get(told.language, "")
    yield ID_WEIGHT, told.id
    question, _, wordings = asked.partition("?")
    yield ASKED, question
    yield WORDED, wordings
    if isinstance(told, RulingText):
        yield TITLE, told.question
        yield SENTENCE * 0.7, told.answers[0][1]
        yield REST, " ".join(answer for _, answer in told.answers)
        yield REST, told.because
        return
    yield TITLE, told.title
    yield SENTENCE, told.text
    yield REST, told.chapter
    yield REST, " ".join(each.says for each in told.examples)
    if told.language == "en":
        yield REST, " ".join(_sources().get(told.id, ()))


@cache
def _sources() -> Mapping[str, list[str]]:
    """Return what sentences of the texts say, in our words, by the clauses that they support."""
    said = defaultdict[str, list[str]](list)
    for text in specification().texts:
        for sentence in text.sentences:
            for name in sentence.relations:
                if sentence.says not in said[name]:
                    said[name].append(sentence.says)
    return said
