"""Finding rules by words: the clauses and rulings that words lead to, the likeliest first.

A word is taken for what it means: words for the same thing (those of the glossary, and those of
`spec/everyday.toml`, which people say at the table) count as one, English and German alike, by
their stems, and for what it is made of if it is a compound.  A rule is known by the meanings in its
title, its sentence, the questions that it answers, and, less, in the sentences of the texts that
support it and in its rulings; and more, if one of its phrases has many of the words together.
`index` is what is looked through; with it a program of another language finds the same, as the
pages of the documentation do (`docs/static/finder.js`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
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
from valletta_rules.specification.phrases import LANGUAGES, Phrase
from valletta_rules.text.layout import filled

ID_WEIGHT, ASKED, TITLE, SENTENCE, WORDED, ABOUT, REST = 20.0, 4.2, 2.4, 1.5, 3.6, 1.4, 1.3
"""What a meaning counts by where it stands: in the id, the question, the title, the sentence, other
wordings of the question, what is asked of any character, and in the sentences of the texts, reasons
and examples."""

WHOLE, NEAR, PART = 10, 4, 8
"""What a word counts for what it means, for what that touches, and for what it is made of."""

LEAST_PART = 4
"""How many letters each of the two parts of a compound has at least."""

RANKING: Final[Mapping[str, float]] = MappingProxyType(
    {
        "name": 14,  # what a name of a character counts for what it means
        "whole": WHOLE,
        "part": PART,
        "guessed": 7,  # what a word counts in tenths of another when it is only guessed
        "short": 3,  # up to how many letters a word that is half typed is looked for only alone
        "longest": 4,  # how many words mean something together at most
        "lost": 667,  # what an entry must score for each word that leads nowhere
        "unnamed": 0.65,  # what is left to an entry without a name that is in the question
        "least_part": LEAST_PART,
        "slip": 0.7,  # how like a word must be to one that leads nowhere, to be taken for it
        "slips": 6,  # in words of how many letters slips are looked for
        "offered": 0.45,  # how like a word must be, to be offered
        "phrase": 0.4,  # what the likest phrase of an entry counts beside its words
    }
)
"""How what is met is weighed; a finder in another language reads it from the index, as it does
`BENT` and the words that are idle."""


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
    idle: frozenset[str]
    """Words that only make a question, and are looked for only where there are no others."""
    places: Mapping[str, tuple[tuple[int, int], ...]]
    """Where each meaning is met: the numbers of entries, each with its weight there."""
    phrases: tuple[tuple[int, int], ...]
    """What is said together, in titles, sentences and questions: the entry, in order, and of how
    many words it is."""
    said: Mapping[str, tuple[int, ...]]
    """In which phrases each meaning is met, by their numbers."""
    shares: tuple[float, ...]
    """What each entry counts beside a clause that is in force and follows from no other."""


def find(words: str, language: str = "en") -> tuple[IndexEntry, ...]:
    """Return the clauses and rulings that words lead to, the likeliest first.

    Takes words in English or German, or an id, and the language to be answered in.
    Raises `UnknownLanguageError`.
    """
    looked_through = index(language)
    asked = meant(words, looked_through)
    by_words = _by_words(asked, looked_through)
    by_phrases = _by_phrases(asked, looked_through)
    best = max(max(by_words), 1)
    scores = [a / best + b for a, b in zip(by_words, by_phrases, strict=True)]
    lost = RANKING["lost"] * sum(
        not any(m in looked_through.places for m in each) for each in asked
    )
    found = [n for n, score in enumerate(by_words) if score > lost and scores[n] >= max(scores) / 2]
    entries = looked_through.entries
    ranked = sorted(found, key=lambda n: (-scores[n], len(words_of(entries[n].title)), n))
    return tuple(entries[number] for number in ranked)


def _by_words(asked: Sequence[Meanings], index: Index) -> list[float]:
    """Return what each entry scores by the words that are met in it; a name always counts."""
    scores = [0.0] * len(index.entries)
    unnamed = [1.0] * len(index.entries)
    for meanings in asked:
        best: dict[int, int] = {}
        for meaning, strength in meanings.items():
            for number, weight in index.places.get(meaning, ()):
                best[number] = max(best.get(number, 0), weight * strength)
        for number, score in best.items():
            scores[number] += score
        if best and RANKING["name"] in meanings.values():
            unnamed = [x if n in best else x * RANKING["unnamed"] for n, x in enumerate(unnamed)]
    return [score * share for score, share in zip(scores, unnamed, strict=True)]


def _by_phrases(asked: Sequence[Meanings], index: Index) -> list[float]:
    """Return what each entry scores by its likest phrase: which has the most words in common."""
    wanted = [each for each in asked if each]
    common = Counter[int]()
    for meanings in wanted:
        common.update({number for name in meanings for number in index.said.get(name, ())})
    likest = [0.0] * len(index.entries)
    for phrase, count in common.items():
        number, length = index.phrases[phrase]
        likest[number] = max(likest[number], count / sqrt(length * len(wanted)))
    return [RANKING["phrase"] * a * b for a, b in zip(likest, index.shares, strict=True)]


# What words mean


def words_of(text: str) -> list[str]:
    """Split a text into words: small letters without accents, and ids such as ``blu-1``."""
    plain = unicodedata.normalize("NFC", text.lower()).translate(SPELLED)
    plain = re.sub(r"[\u0300-\u036f'\u2019]", "", unicodedata.normalize("NFD", plain))
    return re.findall(r"[^\W_]+(?:-[0-9]+)?", plain)


SPELLED: Final = MappingProxyType(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}))
"""Letters that are also spelled as two."""


@cache
def stem(word: str) -> str:
    """Return a word without what is bent in it, in English and German alike."""
    if len(word) < 4 or re.search("[0-9]", word):
        return word
    for pattern, replacement in BENT:
        word = re.sub(pattern, replacement, word)
    while (shorter := re.sub(ENDING, "", word)) != word:
        word = shorter
    return word


BENT: Final = (
    ("(?<=[aou])e(?=..)", ""),  # as umlauts are also spelled
    ("^ge(?=.{4})", ""),
    ("(?<=...)(?:ing|ed)$", ""),
    (r"([^0-9])(?=\1)", ""),
    ("y", "i"),
)
"""What is replaced in a word, one after the other."""

ENDING: Final = "(?<=....)(?:em|er|[ent])$|(?<=...)[es]$"
"""Endings of a word, of which it may have several."""

_ID: Final = re.compile(r"^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$")
"""An id, however it is typed."""


def meant(words: str, index: Index) -> list[Meanings]:
    """Return what each of some words means, or several together; nothing for one that is nowhere.

    Words that merely make a question mean something only where there are no others.
    """
    typed = words_of(_ID.sub(r"\1-\2", words))
    read = list(_read(typed, index.known))
    telling = [each for each in read if len(each) > 1 or each[0] not in index.idle] or read
    found: list[Meanings] = []
    for each in telling:
        is_open = (
            each is telling[-1] and all(found) and (not found or len(each[0]) > RANKING["short"])
        )
        found.append(_of(each, index, is_open=is_open))
    return found


def _read(words: Sequence[str], known: Mapping[str, Meanings]) -> Iterator[list[str]]:
    """Yield words by what is to be read together."""
    start = 0
    while start < len(words):
        some = [*words[start : start + int(RANKING["longest"])]]
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
    """Return what words mean; of one that is nowhere, its beginning, or a near one."""
    meanings = _plain(words, index.known)
    if any(meaning in index.places for meaning in meanings):
        return meanings
    word = words[0]
    if is_open and len(word) > 2:
        begun = [key for key in index.known if key.startswith(word)]
        begun += [name for name in index.places if name.startswith(word)]
        if begun:
            return _guess(begun, index)
    return _guess(
        alike(word, index, RANKING["slip"]) if len(word) >= RANKING["slips"] else (), index
    )


def _plain(words: Sequence[str], known: Mapping[str, Meanings]) -> Meanings:
    """Return what words mean; one that is not known stands for its stem, and for its parts."""
    if (key := _key(words, known)) is not None:
        return known[key]
    word, found = words[0], dict[str, int]()
    for cut in range(len(word) - LEAST_PART, LEAST_PART - 1, -1):
        parts = [_key([part], known) for part in (word[:cut], word[cut:])]
        if None not in parts:
            for part in filter(None, parts):
                for name, strength in known[part].items():
                    found[name] = max(found.get(name, 0), strength * PART // WHOLE)
            break
    return {stem(word): WHOLE} | found


def _guess(words: Iterable[str], index: Index) -> Meanings:
    """Return what any of some words mean, which are only guessed."""
    found: dict[str, int] = {}
    for word in words:
        for name, strength in index.known.get(word, {word: WHOLE}).items():
            found[name] = max(found.get(name, 0), strength * int(RANKING["guessed"]) // WHOLE)
    return found


def alike(word: str, index: Index, least: float) -> list[str]:
    """Return known words that begin like a word and look like it, the likest first.

    Two words are as like as the share of pairs of letters, their ends included, that both have.
    """
    pairs = _pairs(word)
    likeness = {
        key: 2 * len(pairs & _pairs(key)) / (len(pairs) + len(_pairs(key)))
        for key in index.known
        if key[0] == word[0] and " " not in key
    }
    found = [key for key, like in likeness.items() if like >= least]
    return sorted(found, key=lambda key: (-likeness[key], key))


@cache
def _pairs(word: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters in a word, and its ends."""
    return frozenset(map("".join, pairwise(f" {word} ")))


def meant_perhaps(words: str, language: str = "en") -> list[str]:
    """Return words that may be meant by words that lead nowhere: two at most for each."""
    looked_through = index(language)
    found: dict[str, None] = {}
    for word in words_of(words):
        by_stem: dict[str, str] = {}
        for key in alike(word, looked_through, RANKING["offered"]):
            by_stem.setdefault(stem(key), key)
        found |= dict.fromkeys([*by_stem.values()][:2])
    return [*found]


ENGLISH_IDLE: Final = frozenset(
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
    true though mate buddy friend argue argues arguing everything anything hasnt havent wont
    wouldnt couldnt isnt arent wasnt come comes came make makes made time already rather
    notice noticed simply exist exists each every eachother now
    """)
)
"""Words that only make a question in English."""

GERMAN_IDLE: Final = frozenset(
    words_of("""
    aber alle allem allen aller alles als also am an auch auf aus bei bin bis bitte da dabei
    dann das dass dem den denn der des die dies diese diesem diesen dieser doch durch darf
    duerfen dürfen ein eigentlich eine einem einen einer eines er es etwas für geht genau
    geschieht gibt gibts hab habe haben hat hatte ich ihm ihn ihr im immer in irgendwie ist ja
    jede jeden jeder kann kannst können kriegt machen macht mal man mehr mein meine meinem
    meinen meiner mich mir mit nach nein nicht nichts noch nun nur ob oder okay passiert regel
    regeln sein seine seinem seinen sich sie sind so soll sollte spiel trotzdem über überhaupt
    um und uns vom von vor wann war warum was weil wem wen wenn wer werden weshalb welche
    welchem welchen welcher welches wie wieso wieviel wieviele will wird wofür womit wozu
    worauf wurde würde viel viele zu zum zur erlaubt möglich zulässig gestattet sagt sagen
    behauptet meint denke glaube frage hallo danke weiß ahnung stimmt eben gerade beim irgendwas
    mag möchte wäre hätte wirklich selber selbst davon damit dazu bringt bringen nix plötzlich
    kumpel freund kommt kommen wir wollen nutzen benutzen einsetzen verwenden jedem
    jeder jedes fürs lässt holt ja halt wohl nämlich gar bisschen jetzt insgesamt eigentliche
    liegt liegen steht stehen drauf rein gegen bloß andern
    """)
)
"""Words that only make a question in German."""


# What is looked through


@cache
def index(language: str = "en") -> Index:
    """Return the index to be searched, in a language.

    Raises `UnknownLanguageError` if the rulebook is not told in it.
    """
    asked = specification().asked
    entries = tuple(_entry(each, asked.get(each.id, {})) for each in _told(language))
    shares = tuple(_share(each) for each in _told(language))
    phrases = tuple((number, len(phrase)) for number, phrase in _phrases())
    return Index(entries, _known(), _idle(language), _places(), phrases, _said(), shares)


@cache
def _idle(language: str) -> frozenset[str]:
    """Return the words that only make a question, whatever else they mean in the other language."""
    names = {word for word, meanings in _known().items() if RANKING["name"] in meanings.values()}
    own, other = (ENGLISH_IDLE, GERMAN_IDLE) if language == "en" else (GERMAN_IDLE, ENGLISH_IDLE)
    return own | (other - names)


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
        strength = int(RANKING["name"]) if group.get("is_name") else WHOLE
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
        rare = {name: log2(1 + len(met) / max(count[name], 0.5)) ** 0.6 for name in found}
        saturated = {name: (weight / (weight + 4)) ** 0.7 for name, weight in found.items()}
        size = sqrt(sum((saturated[name] * rare[name]) ** 2 for name in found)) ** 0.07
        scale = 50 * _share(told) / size
        for name in found:
            places[name].append((number, round(scale * saturated[name] * rare[name])))
    return MappingProxyType({name: tuple(rows) for name, rows in places.items()})


def _share(told: ClauseText | RulingText) -> float:
    """Return what an entry counts beside a clause that is in force and follows from no other."""
    if isinstance(told, RulingText):
        return 0.89
    return 0.9 if not told.editions else 0.99 if told.follows_from else 1.0


def read(text: str, language: str) -> Iterator[Meanings]:
    """Yield what each word of a text means, or several together."""
    for words in _read(words_of(text), _known()):
        if len(words) > 1 or words[0] not in _idle(language):
            yield _plain(words, _known())


def meanings_in(text: str, language: str) -> Meanings:
    """Return all that the words of a text mean."""
    found: dict[str, int] = {}
    for meanings in read(text, language):
        for name, strength in meanings.items():
            found[name] = max(found.get(name, 0), strength)
    return found


def _weights(told: ClauseText | RulingText) -> dict[str, float]:
    """Return what each meaning counts in an entry; in more of its wordings it counts more."""
    weights = defaultdict[str, float](float)
    for weight, texts in _fields(told):
        counts = defaultdict[str, float](float)
        for text in texts:
            for name, strength in meanings_in(text, told.language).items():
                counts[name] += min(1, strength / WHOLE)
        share = 1 / sqrt(max(1, sum(each >= 1 for each in counts.values())))
        for name, count in counts.items():
            often = sqrt(count) if weight == WORDED else min(count, 1)
            weights[name] += weight * often * (share if weight == TITLE else 1)
    return weights


@cache
def _phrases() -> tuple[tuple[int, frozenset[str]], ...]:
    """Return what is said together, in either language, each with the number of its entry."""
    phrases: dict[tuple[int, frozenset[str]], None] = {}
    for language in LANGUAGES:
        for number, told in enumerate(_told(language)):
            for text in chain(*(texts for weight, texts in _fields(told) if weight > REST)):
                meant = (max(each, key=each.__getitem__) for each in read(text, language))
                phrases[number, frozenset(meant)] = None
    return tuple(sorted((each for each in phrases if each[1]), key=lambda each: each[0]))


@cache
def _said() -> Mapping[str, tuple[int, ...]]:
    """Return in which phrases each meaning is met."""
    said = defaultdict[str, list[int]](list)
    for number, (_, phrase) in enumerate(_phrases()):
        for name in sorted(phrase):
            said[name].append(number)
    return MappingProxyType({name: tuple(numbers) for name, numbers in said.items()})


def _fields(told: ClauseText | RulingText) -> Iterator[tuple[float, list[str]]]:
    """Yield the texts of an entry, by what a meaning counts there."""
    asked = specification().asked.get(told.id, {}).get(told.language, "")
    question, _, wordings = asked.partition("?")
    yield ID_WEIGHT, [told.id]
    yield ASKED, [question]
    yield WORDED, wordings.split(",")
    yield ABOUT, [*_about(told)]
    if isinstance(told, RulingText):
        yield TITLE, [told.question]
        yield SENTENCE * 0.55, [told.answers[0][1]]
        yield REST, [*(answer for _, answer in told.answers), told.because]
        return
    yield TITLE, [told.title]
    yield SENTENCE, [told.text]
    yield REST, [told.chapter, *(each.says for each in told.examples)]
    if told.language == "en":
        yield REST, _sources().get(told.id, [])


def _about(told: ClauseText | RulingText) -> Iterator[str]:
    """Yield how players ask for what a character does, if that is what a clause says."""
    if isinstance(told, RulingText):
        return
    name = [*read(told.title, told.language)]
    if len(name) == 1 and RANKING["name"] in name[0].values():
        for wording in specification().asked_of_characters[told.language].split(", "):
            yield f"{told.title} {wording}"


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
