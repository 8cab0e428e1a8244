"""Full-text search in the rulebook, which ranks the clauses and rulings that match a query.

A *term* of the index is a meaning: synonyms in English and German share a term, and so do the
inflected forms of a word.  The synonyms come from the glossary and from `spec/everyday.toml`, which
contains the words that players use at the table.  A compound word also has the terms of its parts.
An entry is indexed by the terms of its title, its sentence, the questions that it answers and its
rulings.

Entries are ranked by a unigram language model with Dirichlet smoothing: the score of an entry is a
sum of weights, which are stored in the index.  Some weights are corrected by `leads` in
`spec/everyday.toml`.  A logistic regression computed these corrections from four times as many
questions as the file contains.  Programs in other languages compute the same ranking from the
index, as the pages of the documentation do (`docs/static/finder.js`).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules.components import Value
from valletta_rules.specification import clauses
from valletta_rules.specification.files import specification
from valletta_rules.specification.phrases import LANGUAGES, Phrase
from valletta_rules.text.layout import filled

ID, TITLE, QUESTION, WORDING, SENTENCE, ABOUT = 5.0, 3.0, 2.0, 1.0, 0.6, 0.4
"""The weights of a term in the id, the title, the first question, the other questions, the
sentence, and the questions that several characters share."""

LONG: Final = 0.3
"""The weight of a term in a text is divided by the text's length raised to this power."""

PRIOR: Final = 0.2
"""The smoothing parameter of the language model, as a fraction of the average entry's length."""

UNSEEN: Final = 2.0
"""The pseudo-count that is added to the total count of each term, so that rare terms do not
dominate.
"""

FINE, LEAST = 8, 3
"""The resolution of weights.  Weights are rounded to multiples of 1 / `FINE`, so that all programs
compute the same ranking, and dropped if they are less than `LEAST` / `FINE`.
"""

NAMED, COST = 1.4, 0.7
"""The factors by which the weights of characters' names and the costs of entries are multiplied.
Both were tuned on a separate set of questions.
"""

OWN, LATER = 50, 100
"""The bonus for the clause that states a character's effect, and the penalty for rulings and for
clauses that are in force in no edition."""

SHARED, LED = 0.4, 8
"""`SHARED` is the share of a term's weight in a ruling that is distributed to the ruling's clauses.
`LED` is the step by which `leads` raises or lowers the weight of a term; each ``+`` after the term
is one more step.
"""

RANKING: Final[Mapping[str, float]] = MappingProxyType(
    {
        "whole": 10,  # the weight of the terms of a known phrase, or of the stem of an unknown word
        "part": 6,  # the maximum weight of terms of a part of a compound, or of a word in a phrase
        "stem": 4,  # the weight of the stem of a known word
        "guessed": 5,  # the weight of the terms of completions and similar words
        "idle": 4,  # the weight of a stop word
        "short": 3,  # up to this length, a word is completed only if it is the only word
        "longest": 4,  # the maximum number of words in a phrase
        "share": 0.4,  # the minimum score of a hit, relative to the highest score
        "lost": 300,  # the minimum score of a hit, for each word without a term
        "least_part": 4,  # the minimum length of each part of a compound
        "slip": 0.7,  # the minimum similarity of a word that replaces an unknown word
        "slips": 6,  # the minimum length of an unknown word that is replaced
        "offered": 0.45,  # the minimum similarity of a suggested word
    }
)
"""The parameters of the search.  They are exported with the index, together with `BENT` and the
stop words, for programs in other languages.
"""


@attrs.frozen
class IndexEntry(Value):
    """An entry of the index: a clause or a ruling."""

    id: str
    """The id of the clause, such as ``BLU-1``, or the name of the ruling."""
    kind: str
    """``clause`` or ``ruling``."""
    title: str
    """The title of the clause, or the question of the ruling."""
    text: str
    """The text of the clause, or the answer of the default edition.

    If a common question about the clause has a short answer, the question and the answer precede
    the text.
    """

    def __str__(self) -> str:
        """Format the entry as text for a terminal."""
        return f"{self.id}  {self.title}\n{filled(self.text, '    ')}"


Meanings = Mapping[str, int]
"""A mapping from terms to their weights."""


@attrs.frozen
class Index(Value):
    """The search index: the entries in the order of the rulebook, the terms and their weights."""

    entries: tuple[IndexEntry, ...]
    """The clauses, followed by the rulings."""
    known: Mapping[str, tuple[str, ...]]
    """A mapping from words, stems and phrases to terms; blanks separate the words of a phrase."""
    idle: frozenset[str]
    """The stop words.  They only form questions, and say nothing about the topic."""
    weights: Mapping[str, tuple[tuple[int, int], ...]]
    """For each term, pairs of an entry's number and the term's weight in that entry."""
    costs: tuple[int, ...]
    """The cost of each entry.

    The cost times the weight of the query is subtracted from the score.
    """
    later: tuple[int, ...]
    """The penalty of each entry; a bonus is a negative penalty."""


def find(words: str, language: str = "en") -> tuple[IndexEntry, ...]:
    """Return the clauses and rulings that match a query, the best match first.

    `words` is a query in English or German, or an id; `language` is the language of the entries.
    Raises `UnknownLanguageError` for a language without a translation.
    """
    search_index = index(language)
    meanings, lost = meant(words, search_index)
    total = sum(meanings.values())
    scores = [
        -cost * total - later
        for cost, later in zip(search_index.costs, search_index.later, strict=True)
    ]
    met = [0] * len(scores)
    for name, strength in meanings.items():
        for number, weight in search_index.weights[name]:
            scores[number] += strength * weight
            met[number] += strength * weight if strength > RANKING["idle"] else 0
    enough = max(max(met) * RANKING["share"], lost * RANKING["lost"] + 1)
    hits = [number for number, score in enumerate(met) if score >= enough]
    ranked = sorted(hits, key=lambda number: -scores[number])
    return tuple(search_index.entries[number] for number in ranked)


# The terms of a query


def words_of(text: str) -> list[str]:
    """Split a text into words in lower case without accents, and ids such as ``blu-1``."""
    plain = unicodedata.normalize("NFC", text.lower()).translate(SPELLED)
    plain = re.sub(r"[\u0300-\u036f'\u2019]", "", unicodedata.normalize("NFD", plain))
    return re.findall(r"[^\W_]+(?:-[0-9]+)?", plain)


SPELLED: Final = MappingProxyType(str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}))
"""German letters, each with the two letters that replace it before words are compared."""


@cache
def stem(word: str) -> str:
    """Return the stem of a word.  English and German words are stemmed with the same rules."""
    if len(word) < 4 or re.search("[0-9]", word):
        return word
    for pattern, replacement in BENT:
        word = re.sub(pattern, replacement, word)
    while (shorter := re.sub(ENDING, "", word)) != word:
        word = shorter
    return word


BENT: Final = (
    ("(?<=[aou])e(?=..)", ""),  # so that "ae" for "ä" becomes "a"
    ("^ge(?=.{4})", ""),
    ("(?<=...)(?:ing|ed)$", ""),
    (r"([^0-9])(?=\1)", ""),
    ("y", "i"),
)
"""The rules of the stemmer: patterns and replacements, applied in this order."""

ENDING: Final = "(?<=....)(?:em|er|[ent])$|(?<=...)[es]$"
"""The pattern of the endings that the stemmer removes, until a word has no such ending."""

_ID: Final = re.compile(r"^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$")
"""A clause id in any spelling, such as ``bld 6``."""


def meant(words: str, index: Index) -> tuple[Meanings, int]:
    """Return the terms of a query with their weights, and the number of words that have no term.

    Stop words have a low weight if the query has other words.
    """
    read = list(_read(words_of(_ID.sub(r"\1-\2", words)), index.known))
    telling = [each for each in read if len(each) > 1 or each[0] not in index.idle] or read
    terms = {each[0]: int(RANKING["idle"]) for each in read if each not in telling}
    lost = 0
    for each in telling:
        alone = len(telling) == 1 or len(each[0]) > RANKING["short"]
        meanings = _of(each, index, is_open=each is telling[-1] and alone and not lost)
        lost += not meanings
        _add(terms, meanings)
    return {name: strength for name, strength in terms.items() if name in index.weights}, lost


def _add(terms: dict[str, int], meanings: Meanings) -> None:
    """Merge `meanings` into `terms`; a term that occurs twice has its higher weight."""
    for name, strength in meanings.items():
        terms[name] = max(terms.get(name, 0), strength)


def _read(words: Sequence[str], known: Mapping[str, object]) -> Iterator[list[str]]:
    """Split a text: yield the longest known phrases, and every other word by itself."""
    start = 0
    while start < len(words):
        some = [*words[start : start + int(RANKING["longest"])]]
        while len(some) > 1 and _key(some, known) is None:
            some.pop()
        yield some
        start += len(some)


def _key(words: Sequence[str], known: Mapping[str, object]) -> str | None:
    """Return the key of a phrase in `known`: the phrase itself, its stems, or `None`."""
    if (key := " ".join(words)) in known:
        return key
    return key if (key := " ".join(map(stem, words))) in known else None


def _of(words: Sequence[str], index: Index, *, is_open: bool) -> Meanings:
    """Return the terms of a phrase.  For an unknown word, use its completions or similar words."""
    meanings = _plain(words, index.known)
    if met := {name: meanings[name] for name in meanings if name in index.weights}:
        return met
    word = words[0]
    if is_open and len(word) > 2:
        completions = [key for key in (*index.known, *index.weights) if key.startswith(word)]
        if completions:
            return _guess(completions, index)
    return _guess(
        alike(word, index, RANKING["slip"]) if len(word) >= RANKING["slips"] else (), index
    )


def _plain(words: Sequence[str], known: Mapping[str, Sequence[str]]) -> Meanings:
    """Return the terms of a phrase, including those of its words, their stems and their parts."""
    terms: dict[str, int] = {}
    is_known = (key := _key(words, known)) is not None
    if key is not None:
        terms |= dict.fromkeys(known[key], int(RANKING["whole"]))
    if len(words) == 1:
        _add(terms, {stem(words[0]): int(RANKING["stem" if is_known else "whole"])})
    for part in words if len(words) > 1 else () if is_known else _split(words[0], known):
        if part not in idle_words():
            meanings = _plain([part], known)
            _add(terms, {each: min(meanings[each], int(RANKING["part"])) for each in meanings})
    return terms


def _split(word: str, known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the two known words in a compound; empty if the word is not a compound."""
    least = int(RANKING["least_part"])
    for cut in range(len(word) - least, least - 1, -1):
        if None not in (_key([word[:cut]], known), _key([word[cut:]], known)):
            return word[:cut], word[cut:]
    return ()


def _guess(words: Iterable[str], index: Index) -> Meanings:
    """Return the terms of the given words, each with the weight for a guessed meaning."""
    names = [name for word in words for name in index.known.get(word, (word,))]
    return {name: int(RANKING["guessed"]) for name in names if name in index.weights}


def alike(word: str, index: Index, least: float) -> list[str]:
    """Return the known words with a similar spelling and the same first letter, most similar first.

    The similarity of two words is the Dice coefficient of their bigrams.
    """
    pairs = _pairs(word)
    likeness = {
        key: 2 * len(pairs & _pairs(key)) / (len(pairs) + len(_pairs(key)))
        for key in index.known
        if key[0] == word[0] and " " not in key
    }
    similar = [key for key, like in likeness.items() if like >= least]
    return sorted(similar, key=lambda key: (-likeness[key], key))


@cache
def _pairs(word: str) -> frozenset[str]:
    """Return the bigrams of a word with a blank added at each end."""
    return frozenset(map("".join, pairwise(f" {word} ")))


def similar_words(words: str, language: str = "en") -> list[str]:
    """Return similar known words for the words of a query, at most two for each word."""
    search_index = index(language)
    suggestions: dict[str, None] = {}
    for word in words_of(words):
        by_stem: dict[str, str] = {}
        for key in alike(word, search_index, RANKING["offered"]):
            by_stem.setdefault(stem(key), key)
        suggestions |= dict.fromkeys([*by_stem.values()][:2])
    return [*suggestions]


@cache
def idle_words() -> frozenset[str]:
    """Return the stop words of both languages."""
    idle = specification().everyday["idle"]
    return frozenset(words_of(" ".join(map(idle.__getitem__, LANGUAGES))))


# The index


@cache
def index(language: str = "en") -> Index:
    """Return the search index with entries in a language.

    Raises `UnknownLanguageError` for a language without a translation.
    """
    questions = specification().everyday["asked"]
    entries = tuple(_entry(each, questions.get(each.id, {})) for each in _items(language))
    weights = defaultdict[str, list[tuple[int, int]]](list)
    weighed_entries = [weighed(each) for each in _counts()]
    for number, (entry, (term_weights, _)) in enumerate(zip(entries, weighed_entries, strict=True)):
        for name, weight in _corrected(term_weights, entry.id).items():
            weights[name].append((number, weight))
    met = MappingProxyType({name: tuple(rows) for name, rows in weights.items()})
    return Index(
        entries,
        _known(),
        idle_words() | {*specification().everyday["idle"].get(f"only_{language}", "").split()},
        met,
        tuple(cost for _, cost in weighed_entries),
        tuple(_later(each) for each in _items(language)),
    )


def _corrected(weights: Mapping[str, int], entry: str) -> dict[str, int]:
    """Return the weights of an entry, corrected by its `leads` in `spec/everyday.toml`."""
    corrected = Counter(weights)
    leads = specification().everyday["leads"].get(entry, ())
    for words, more in zip(leads, (LED, -LED), strict=False):
        for name in filter(None, _listed(words)):
            corrected[name.rstrip("+")] += more * (1 + name.count("+"))
    return {name: weight for name, weight in corrected.items() if weight >= LEAST}


def _later(item: clauses.ClauseText | clauses.RulingText) -> int:
    """Return the penalty of an entry; it is negative for the clause of a character's effect."""
    if any(
        group.get("own") and item.id in group["of"]
        for group in specification().everyday["asked_of_characters"]
    ):
        return -OWN
    return 0 if isinstance(item, clauses.ClauseText) and item.editions else LATER


def _items(language: str) -> Iterator[clauses.ClauseText | clauses.RulingText]:
    """Yield all clauses, and then all rulings, in the given language."""
    yield from (clause for chapter in clauses.chapters(language) for clause in chapter.clauses)
    yield from (clauses.ruling(name, language) for name in clauses.ruling_ids())


def _entry(
    item: clauses.ClauseText | clauses.RulingText, questions: Mapping[str, str]
) -> IndexEntry:
    """Return the index entry of a clause or a ruling.

    `questions` contains the questions that the entry answers, and the answer if it is short.
    """
    if isinstance(item, clauses.RulingText):
        return IndexEntry(item.id, "ruling", item.question, item.answers[0][1])
    text = item.text
    if answer := questions.get("answer"):
        question = questions[item.language].splitlines()[0]
        text = f"{question} {Phrase[answer.upper()].of(item.language)}. {text}"
    return IndexEntry(item.id, "clause", item.title, text)


@cache
def _known() -> Mapping[str, tuple[str, ...]]:
    """Return a mapping from words, phrases and stems to the terms of their groups of synonyms."""
    exact: dict[str, dict[str, None]] = defaultdict(dict)
    bent: dict[str, dict[str, None]] = defaultdict(dict)
    for words in _same():
        name = f"={' '.join(words_of(words[0]))}"
        for word in words:
            split = words_of(word)
            exact[" ".join(split)][name] = None
            bent[" ".join(map(stem, split))][name] = None
    return MappingProxyType({word: tuple(names) for word, names in (bent | exact).items()})


def _same() -> Iterator[list[str]]:
    """Yield groups of synonyms; the first word of a group names its term."""
    for word in specification().terms:
        english = (word.term, *word.forms, *(each["word"] for each in word.also), *word.everyday)
        yield [*english, word.term_de, *word.also_de, *word.everyday_de]
    for group in specification().everyday["same"]:
        yield _listed(f"{group['en']}, {group['de']}")


@cache
def _counts() -> tuple[Mapping[str, float], ...]:
    """Return the weighted counts of terms in each entry, added up over both languages."""
    totals: list[dict[str, float]] = [defaultdict(float) for _ in _items("en")]
    for language in LANGUAGES:
        for counts, item in zip(totals, _items(language), strict=True):
            for weight, text in _fields(item):
                for name, count in counted(text).items():
                    counts[name] += weight * count
    by_id = {item.id: counts for counts, item in zip(totals, _items("en"), strict=True)}
    for name in clauses.ruling_ids():
        ruled = clauses.ruling(name).clauses
        for counts in map(by_id.__getitem__, ruled):
            for meaning, count in by_id[name].items():
                counts[meaning] += SHARED * count / len(ruled)
    return tuple(totals)


def counted(text: str) -> dict[str, float]:
    """Return the terms of a text with their weights, which decrease with the text's length."""
    terms: dict[str, int] = {}
    for words in _read(words_of(text), _known()):
        is_idle = len(words) == 1 and words[0] in idle_words()
        _add(terms, {words[0]: int(RANKING["whole"])} if is_idle else _plain(words, _known()))
    length = max(1.0, sum(terms.values()) / RANKING["whole"]) ** LONG
    return {name: strength / RANKING["whole"] / length for name, strength in terms.items()}


@cache
def _usual() -> Mapping[str, float]:
    """Return each term's average count per entry; the key ``""`` has the average of their sum."""
    averages = defaultdict[str, float](float)
    for counts in _counts():
        for name, count in (*counts.items(), ("", sum(counts.values()))):
            averages[name] += count / len(_counts())
    return averages


def weighed(counts: Mapping[str, float]) -> tuple[dict[str, int], int]:
    """Return the weights of the terms in an entry, and the cost of the entry.

    A term's weight is the logarithm of a ratio: its probability in the entry, divided by its
    probability in all entries.
    """
    usual = _usual()

    def weight(count: float, name: str, fine: float) -> int:
        expected = usual.get(name, 0.0) + UNSEEN / len(_counts())
        return round(fine * math.log(1 + count / (PRIOR * expected)))

    weights = {
        name: weight(count, name, FINE * NAMED if name in _characters() else FINE)
        for name, count in counts.items()
    }
    cost = weight(sum(counts.values()), "", FINE * COST)
    return {name: each for name, each in weights.items() if each >= LEAST}, cost


def _fields(item: clauses.ClauseText | clauses.RulingText) -> Iterator[tuple[float, str]]:
    """Yield the texts of an entry, each with the weight of its terms."""
    questions = specification().everyday["asked"].get(item.id, {}).get(item.language, "\n")
    question, *others = questions.splitlines()
    yield QUESTION, question
    yield from ((WORDING, each) for each in others)
    yield from ((ABOUT, each) for each in _about(item))
    if isinstance(item, clauses.RulingText):
        yield from ((WORDING, item.id), (TITLE, item.question), (SENTENCE, item.answers[0][1]))
    else:
        yield from ((ID, item.id), (TITLE, item.title), (SENTENCE, item.text))


def _about(item: clauses.ClauseText | clauses.RulingText) -> Iterator[str]:
    """Yield questions about an entry from templates that are filled in with characters' names."""
    for group in specification().everyday["asked_of_characters"]:
        for name in _listed(group["of"][item.id]) if item.id in group["of"] else ():
            for wording in group[item.language].splitlines():
                yield wording.replace("{}", _names(item.language)[name])


@cache
def _characters() -> frozenset[str]:
    """Return the terms that denote characters."""
    groups = specification().everyday["asked_of_characters"]
    named = [name for each in groups for names in each["of"].values() for name in _listed(names)]
    return frozenset(f"={' '.join(words_of(name))}" for name in named)


@cache
def _names(language: str) -> Mapping[str, str]:
    """Return the characters' names in a language, keyed by their English names."""
    return {
        _listed(group["en"])[0]: _listed(group[language])[0]
        for group in specification().everyday["same"]
    }


def _listed(words: str) -> list[str]:
    """Split a comma-separated list; line breaks are treated as blanks."""
    return " ".join(words.split()).split(", ")
