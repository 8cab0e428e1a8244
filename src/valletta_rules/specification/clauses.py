"""The text of the clauses of the rulebook, with their sources, rulings and worked examples.

Every violation, prompt and event of this package names a clause.  `explain` returns the sentence of
a clause, its kind, its sources and the rulings on which it depends.  The texts come from the files
against which the rules are tested; an installed package contains these files.  `clauses_in_force`
lists the clauses that hold under a rule set.  Clauses, chapters and rulings exist in each of the
`LANGUAGES`; only their texts differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, Final, SupportsIndex

import attrs

from valletta_rules import rulings
from valletta_rules.components import QUOTAS, Value, abbreviated, need, whole
from valletta_rules.errors import VallettaError
from valletta_rules.rulings import VARIANTS, RuleSet
from valletta_rules.specification import files
from valletta_rules.specification.files import TomlTable, specification
from valletta_rules.specification.phrases import CONDITIONS, LANGUAGES, Phrase, key_in
from valletta_rules.specification.sources import (
    Source,
    citations,
    in_language_first,
    seeds,
    sources_of,
)
from valletta_rules.text.layout import filled
from valletta_rules.text.values import quoted

EDITIONS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {name.upper().replace("-", "_"): edition for name, edition in rulings.EDITIONS.items()}
)
"""The rule sets of the editions, keyed by their names in `spec/rulings.toml`."""


class ClauseKind(StrEnum):
    """The kind of a clause."""

    __hash__ = str.__hash__

    DEFINITION = "definition"
    """The clause defines a word, or lists the parts of a component of the game."""
    RULE = "rule"
    """The clause states what happens in the game, or what a player may, must or cannot do."""
    EXCEPTION = "exception"
    """The clause is a rule that overrides other rules in every case to which they also apply."""
    CONSEQUENCE = "consequence"
    """The clause follows from other clauses, and is stated for clarity."""
    PROTOCOL = "protocol"
    """The clause states a convention of this library, for example on prompts or numbering.

    No rule of the game depends on the clause.
    """
    FACT = "fact"
    """The clause states facts that are printed on the cards, or the contents of the box."""


@attrs.frozen
class Condition(Value):
    """The rule sets and the numbers of players for which a clause is in force."""

    answers: tuple[tuple[str, tuple[str | bool, ...]], ...] = ()
    """The fields of `RuleSet` that the condition restricts, each with its allowed values; empty if
    every rule set satisfies the condition.
    """
    players: tuple[int, ...] = tuple(QUOTAS)
    """The numbers of players for which the clause is in force."""

    def allows(self, rules: RuleSet) -> bool:
        """Return whether the answers of a rule set satisfy the condition."""
        return all(getattr(rules, field) in allowed for field, allowed in self.answers)

    def allows_edition(self, edition: RuleSet) -> bool:
        """Return whether an edition satisfies the condition with some choice of variants."""
        fixed = [each for each in self.answers if each[0] not in VARIANTS.values()]
        return Condition(tuple(fixed)).allows(edition)

    def written(self, language: str = "en") -> str:
        """Return the condition in words: ``effects are optional and there are two players``."""
        demands: list[tuple[str, tuple[object, ...]]] = [*self.answers]
        if self.players != tuple(QUOTAS):
            demands.append(("players", self.players))
        keys = ((field, " or ".join(str(each).lower() for each in some)) for field, some in demands)
        column = LANGUAGES.index(language)
        return f" {Phrase.AND.of(language)} ".join(CONDITIONS[key][column] for key in keys)

    def __str__(self) -> str:
        """Return the condition as English text."""
        return self.written()


class UnknownClauseError(VallettaError, LookupError):
    """Raised for an unknown name of a clause, chapter or ruling; it suggests similar names."""

    kind: str
    """The kind of name that was expected, such as ``clause``."""
    name: str
    """The unknown name."""
    suggestions: tuple[str, ...]
    """Similar names that exist, the most similar first."""

    def __init__(self, kind: str, name: str, suggestions: tuple[str, ...] = ()) -> None:
        """Create the error for an unknown name, with the expected kind and suggestions."""
        super().__init__(kind, name, suggestions)
        self.kind = kind
        self.name = name
        self.suggestions = suggestions

    def __str__(self) -> str:
        """Return the message: the unknown name, and similar names."""
        meant = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        return f"there is no {self.kind} {quoted(self.name)}{meant}"


@attrs.frozen
class Reference(Value):
    """A place in the repository that implements a clause, tests it or states it formally."""

    name: str
    """The name of the function, test or definition."""
    path: str
    """The file, relative to the root of the repository."""
    line: int
    """The number of the line that names the clause."""

    def __str__(self) -> str:
        """Return the name, the file and the line as text."""
        inner = self.name.removeprefix(f"{self.path}::")
        return f"{inner} ({self.path}:{self.line})"


class Confidence(StrEnum):
    """How well the source texts support a ruling."""

    __hash__ = str.__hash__

    CERTAIN = "certain"
    """Only the reading of the ruling is consistent with all the texts."""
    LIKELY = "likely"
    """The texts fit the reading of the ruling better than any other."""
    OPEN = "open"
    """Another reading is as defensible as that of the ruling."""


@attrs.frozen
class Objection(Value):
    """A sentence in a source text that supports a different interpretation than the ruling."""

    sentence: str
    """The id of the sentence in `spec/texts`: the numbers of the text and of the sentence."""
    says: str
    """The argument for the different interpretation."""
    language: str = "en"
    """The language of the argument, and of the title `text`."""

    @property
    def text(self) -> str:
        """The title of the text that contains the sentence."""
        return seeds(self.language)[self.sentence.partition("-")[0]]


@attrs.frozen
class RulingText(Value):
    """A ruling: a question that the rulebooks do not settle, with its answers and reasons."""

    id: str
    """The name of the ruling, such as ``substitution``."""
    title: str
    """The title in the language `language`, such as ``Rohstoffe ersetzen``."""
    question: str
    """The question that the ruling answers."""
    answers: tuple[tuple[RuleSet, str], ...]
    """The answers, as pairs of an edition's rule set and the answer for that edition."""
    default: str | bool
    """The answer for the default edition, in short form."""
    field: str | None
    """The field of `RuleSet` that sets the answer, or `None` if the answer cannot be chosen."""
    confidence: Confidence
    """How well the texts support the answers."""
    because: str
    """The reasons for the answers."""
    against: tuple[Objection, ...]
    """The objections, text by text; empty if none is known."""
    in_play: str
    """The difference that another answer would make in a game."""
    sources: tuple[Source, ...]
    """The passages of the rulebooks that disagree, or that leave the question open."""
    clauses: tuple[str, ...]
    """The clauses that depend on the ruling."""
    language: str = "en"
    """The language of the text."""

    def answer_of(self, edition: RuleSet) -> str:
        """Return the ruling's answer for one of the three editions.

        `edition` is `HANS_IM_GLUECK`, `Z_MAN` or `REFERENCE_MANUAL`, with or without variants.
        Raises `LookupError` for a custom rule set.
        """
        name = rulings.edition_of(edition)
        if name is None:
            raise LookupError(f"expected one of the three editions, not {edition}")
        return dict(self.answers)[rulings.EDITIONS[name]]

    def __str__(self) -> str:
        """Format the ruling as text for a terminal."""
        heading = f"{self.id}: {self.question}"
        field = f"RuleSet.{self.field}"
        choice = ["", Phrase.CHOSEN_BY.of(self.language, field)] if self.field else []
        in_play, clauses = (each.of(self.language) for each in (Phrase.IN_PLAY, Phrase.CLAUSES))
        return "\n".join(
            [
                filled(heading),
                "",
                *_answer_lines(self, "  "),
                "",
                *_reason_lines(self, ""),
                filled(f"{in_play}: {self.in_play}", rest="  "),
                *choice,
                *_list(Phrase.SOURCES.of(self.language), citations(self.sources, self.language)),
                "",
                filled(f"{clauses}: {', '.join(self.clauses)}", rest="  "),
            ]
        )


@attrs.frozen
class Example(Value):
    """The text of a worked example of a clause.  The module `worked_examples` plays it."""

    id: str
    """The id of the example: a few words joined by hyphens, unique within the clause."""
    clause: str
    """The id of the clause that the example explains."""
    given: tuple[tuple[str, str], ...]
    """The relevant parts of the position, as pairs of a key such as ``red.goods`` and a value."""
    play: tuple[str, ...]
    """The notation of each action; empty if the example is about the given position itself."""
    then: tuple[tuple[str, str], ...]
    """The relevant parts of the result, in the same form as `given`."""
    refused: str
    """The code of the violation if the last action is illegal; otherwise empty."""
    by: str
    """The clause that the last action violates; empty if it is the clause of the example."""
    says: str
    """The example in a sentence."""
    sentence: str
    """The id of the sentence in a source text that contains the example; empty if there is none."""
    ask: str
    """A query for facts that the library derives from the resulting position, such as ``track of
    red``; empty if the example has no query.
    """

    def __str__(self) -> str:
        """Return the name of the example, its clause and its id: ``BLD-6/two-neighbours``."""
        return f"{self.clause}/{self.id}"


@attrs.frozen
class ClauseText(Value):
    """A clause of the rulebook."""

    id: str
    """The id: the prefix of the chapter and a number, such as ``BLD-3``.  Ids are never reused."""
    title: str
    """The title of the clause, in a few words."""
    kind: ClauseKind
    """The kind of the clause."""
    text: str
    """The text of the clause, one sentence."""
    chapter: str
    """The title of the chapter that contains the clause."""
    revision: int
    """The number of the revision, incremented whenever the sentence or the condition changes."""
    when: Condition
    """The rule sets and numbers of players for which the clause is in force."""
    follows_from: tuple[str, ...]
    """The clauses from which this clause follows."""
    overrides: tuple[str, ...]
    """The clauses to which this clause is an exception.  If both apply, this clause prevails."""
    rulings: tuple[RulingText, ...]
    """The rulings on which the clause depends."""
    why: str = ""
    """The reason for a missing implementation, test or formal statement; empty if none is missing.
    """
    examples: tuple[Example, ...] = ()
    """The worked examples of the clause."""
    language: str = "en"
    """The language of the text."""

    @property
    def editions(self) -> tuple[RuleSet, ...]:
        """The editions in which the clause can be in force, with or without variants."""
        return tuple(each for each in EDITIONS.values() if self.when.allows_edition(each))

    @property
    def overridden_by(self) -> tuple[str, ...]:
        """The ids of the clauses that are exceptions to this clause."""
        return tuple(each.id for each in _clauses("en").values() if self.id in each.overrides)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sentences in the rulebooks about the clause, those with the strongest relation first.

        If the clause is in German, the sentences of the German rulebook precede all others.
        """
        return in_language_first(sources_of(self.id), self.language)

    @property
    def code(self) -> tuple[Reference, ...]:
        """The functions and tables that implement the clause.

        Raises `FileNotFoundError` if the package has no `matrix.json`, which the build creates.
        The properties `native`, `proved`, `tests` and `formal` raise this error, too.
        """
        return _references(self.id, "code")

    @property
    def native(self) -> tuple[Reference, ...]:
        """The functions of the native backend that implement the clause."""
        return _references(self.id, "native")

    @property
    def proved(self) -> tuple[Reference, ...]:
        """The functions of the native backend that are proved to satisfy the whole clause.

        Tests compare the Python engine with these functions.
        """
        return _references(self.id, "proofs")

    @property
    def tests(self) -> tuple[Reference, ...]:
        """The tests of the clause."""
        return _references(self.id, "tests")

    @property
    def formal(self) -> tuple[Reference, ...]:
        """The definitions in the formal model that state the clause.  See `formal_text`."""
        return _references(self.id, "quint")

    @property
    def address(self) -> str:
        """The address of the clause's page, relative to the documentation: ``rule/BLD-3.html``."""
        folder = "" if self.language == "en" else f"{self.language}/"
        return f"{folder}rule/{self.id}.html"

    @property
    def citation(self) -> str:
        """The citation of the clause: its id and revision, and the version of the specification."""
        return citation_of(self.id, self.revision)

    @property
    def standing(self) -> str:
        """A description of the clause's kind, condition and relations to other clauses."""
        tongue = self.language
        parts = [Phrase[self.kind.name].of(tongue)]
        for phrase, named in (
            (Phrase.FOLLOWS_FROM, self.follows_from),
            (Phrase.OVERRIDES, self.overrides),
        ):
            parts += [phrase.of(tongue, _listed(named, tongue))] if named else []
        phrases = [" ".join(parts)]
        if self.overridden_by:
            phrases.append(Phrase.GIVES_WAY.of(tongue, _listed(self.overridden_by, tongue)))
        if self.when != Condition():
            names = ", ".join(_named(edition, tongue) for edition in self.editions)
            names = names or Phrase.NO_EDITION.of(tongue)
            editions = f" ({names})" if len(self.editions) < len(EDITIONS) else ""
            phrases.append(f"{Phrase.IN_FORCE.of(tongue, self.when.written(tongue))}{editions}")
        return f"{'; '.join(phrases)}."

    def evidence(self, *, formal: bool = False) -> str:
        """List the clause's code, its tests and its formal statements, as text for a terminal.

        If `formal` is true, the text includes the definitions in the formal model.
        """
        try:
            lines = self._met(Phrase.CODE, self.code)
        except FileNotFoundError as error:
            return filled(str(error))
        lines += self._met(Phrase.NATIVE, self.native) if self.native else []
        lines += self._met(Phrase.PROVED, self.proved) if self.proved else []
        lines += self._met(Phrase.TESTS, self.tests)
        lines += self._met(Phrase.FORMAL, self.formal)
        if formal:
            lines += [line for each in self.formal for line in ("", formal_text(each))]
        return "\n".join(lines[1:])

    def _met(self, heading: Phrase, places: tuple[Reference, ...]) -> list[str]:
        """Format a list of references or, if it is empty, the reason why it is empty."""
        nothing = Phrase.NOTHING.of(self.language, self.why)
        return _list(heading.of(self.language), map(str, places) if places else [nothing])

    def __str__(self) -> str:
        """Format the clause for a terminal, with its relations, rulings, examples and sources."""
        title = filled(f"{self.id}  {self.title}  ({self.chapter})", rest="  ")
        lines = [title, "", filled(self.text, "  ")]
        lines += ["", filled(self.standing, rest="  ")]
        for ruling in self.rulings:
            heading = Phrase.RULING.of(self.language, ruling.id)
            lines += ["", filled(f"{heading}: {ruling.question}", rest="  ")]
            lines += [*_answer_lines(ruling, "  "), *_reason_lines(ruling, "  ")]
        if self.examples:
            lines += _list(Phrase.EXAMPLES.of(self.language), (each.says for each in self.examples))
        if self.sources:
            items = citations(self.sources, self.language)
            lines += _list(Phrase.SOURCES.of(self.language), items)
        return "\n".join(lines)


@attrs.frozen
class Chapter(Value):
    """A chapter of the rulebook."""

    name: str
    """The name of the chapter, such as ``building``.

    Its files, code and tests have the same name.
    """
    prefix: str
    """The prefix of the ids of the chapter's clauses, such as ``BLD``."""
    title: str
    """The title of the chapter."""
    clauses: tuple[ClauseText, ...]
    """The clauses of the chapter, in the order of the rulebook."""

    def __str__(self) -> str:
        """List the ids and titles of the clauses."""
        width = max(len(clause.id) for clause in self.clauses)
        rows = [f"  {clause.id:{width}}  {clause.title}" for clause in self.clauses]
        return "\n".join([f"{self.title} ({self.name})", "", *rows])


def explain(clause: str, language: str = "en") -> ClauseText:
    """Return the text of a clause, with its sources and the rulings on which it depends.

    `clause` is an id such as ``BLD-3``.  Violations, prompts and events contain such ids.  Case and
    surrounding blanks are ignored.  `language` is ``en`` or ``de``.  Raises `UnknownClauseError`, a
    `LookupError` that suggests similar ids, if no clause has the id, `UnknownLanguageError` for
    another language, and `TypeError` for an argument that is not a string.
    """
    need(clause, str, "text")
    known = _clauses(language)
    match = known.get(clause.strip().upper())
    if match is None:
        raise _unknown("clause", clause, known)
    return match


def clauses_in_force(
    rules: RuleSet, players: SupportsIndex, language: str = "en"
) -> tuple[ClauseText, ...]:
    """Return the clauses that are in force under a rule set, in the order of the rulebook.

    `rules` is the rule set, which may be an edition or custom; `players` is the number of players;
    `language` is the language of the texts.  Raises `PlayerCountError` if `players` is not 2, 3 or
    4, `VariantError` for a variant that does not fit the number of players, `UnknownLanguageError`
    for a language without a translation, and `TypeError` for an argument of a wrong type.
    """
    from valletta_rules.rulebook.setup import check_table  # only this function needs the rules

    need(rules, RuleSet, "a rule set")
    players = whole(players, "players")
    check_table(players, rules)
    return tuple(
        clause
        for clause in _clauses(language).values()
        if players in clause.when.players and clause.when.allows(rules)
    )


def specification_version() -> str:
    """Return the version of the specification, which differs from the version of the package."""
    return str(specification().version["version"])


def citation_of(clause: str, revision: int) -> str:
    """Return the citation of a revision of a clause, with the version of the specification."""
    return (
        f"Valletta: the rules as numbered clauses, version {specification_version()} "
        f"({specification().version['date']}), {clause}, revision {revision}"
    )


def formal_text(definition: Reference) -> str:
    """Return the Quint source of a definition in the formal model, with the comment above it.

    `definition` is one of the references in `ClauseText.formal`.  Raises `LookupError` for any
    other reference, and `TypeError` if it is not a `Reference`.
    """
    need(definition, Reference, "a reference")
    file, _, name = definition.name.partition("::")
    model = {module.name: module for module in (specification().folder / "quint").iterdir()}
    lines = model[file].read_text(encoding="utf-8").splitlines() if file in model else []
    begins = re.compile(rf"(\s*)(?:pure )?(?:def|val|type|action|const|var|run) {name}\b")
    first = next((n for n, line in enumerate(lines) if begins.match(line)), None)
    if first is None:
        raise LookupError(f"{abbreviated(definition.name)} is not a definition in the formal model")
    last, margin = first, len(lines[first]) - len(lines[first].lstrip())
    while lines[first - 1].strip().startswith("//"):
        first -= 1
    while _is_deeper(lines[last + 1], margin):
        last += 1
    return "\n".join(line[margin:] for line in lines[first : last + 1])


def _is_deeper(line: str, margin: int) -> bool:
    """Return whether a line belongs to the definition that begins with the indentation `margin`."""
    return line[margin : margin + 1] in (" ", "}", ")")


def clause_ids() -> tuple[str, ...]:
    """Return the ids of all clauses, in the order of the rulebook."""
    return tuple(_clauses("en"))


def chapters(language: str = "en") -> tuple[Chapter, ...]:
    """Return the chapters of the rulebook, with titles and clauses in a language.

    Raises `UnknownLanguageError` for a language without a translation.
    """
    return _chapters(language)


def ruling(name: str, language: str = "en") -> RulingText:
    """Return the ruling called `name`, such as ``substitution``, with its texts in a language.

    Raises `UnknownClauseError`, a `LookupError`, if no ruling has the name, `UnknownLanguageError`
    for a language without a translation, and `TypeError` for an argument that is not a string.
    """
    need(name, str, "text")
    known = _rulings(language)
    match = known.get(name.strip().lower())
    if match is None:
        raise _unknown("ruling", name, known)
    return match


def ruling_ids() -> tuple[str, ...]:
    """Return the names of all rulings."""
    return tuple(_rulings("en"))


def look_up(name: str, language: str = "en") -> ClauseText | Chapter | RulingText:
    """Return the clause, chapter or ruling called `name`, in a language.

    The name of a chapter is its file name or its prefix, such as ``building`` or ``BLD``; case and
    surrounding blanks are ignored.  Raises `UnknownClauseError`, a `LookupError`, for any other
    name, `UnknownLanguageError` for a language without a translation, and `TypeError` for an
    argument that is not a string.
    """
    need(name, str, "text")
    named: dict[str, ClauseText | Chapter | RulingText] = {**_clauses(language)}
    for chapter in _chapters(language):
        named |= {chapter.name: chapter, chapter.prefix: chapter}
    named |= _rulings(language)
    for known, entry in named.items():
        if known.casefold() == name.strip().casefold():
            return entry
    raise _unknown("clause, chapter or ruling", name, named)


def _unknown(kind: str, name: str, known: Iterable[str]) -> UnknownClauseError:
    """Return the error for an unknown name.  It suggests up to three similar names.

    The best suggestions have the same letters and digits, in the same or a different order (``bld
    3``, ``BDL-3``).  Names with the same beginning follow, and then names with similar spelling.
    """
    letters = _letters(name[:_LONGEST])
    by_letters = {_letters(each): each for each in known}
    likely = [each for each in by_letters if each == letters]
    likely = likely or [each for each in by_letters if sorted(each) == sorted(letters)]
    if len(letters) > 3:
        likely = likely or [each for each in by_letters if each.startswith(letters)]
    likely = likely or get_close_matches(letters, by_letters, 3, 0.65)
    return UnknownClauseError(kind, name, tuple(by_letters[each] for each in likely[:3]))


_LONGEST: Final = 40
"""The maximum number of characters of an unknown name that are compared with known names."""


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


# Reading


@cache
def _rulings(language: str) -> Mapping[str, RulingText]:
    rulings = (_ruling_of(table, language) for table in specification().rulings)
    return MappingProxyType({each.id: each for each in rulings})


@cache
def _chapters(language: str) -> tuple[Chapter, ...]:
    return tuple(_chapter_of(chapter, language) for chapter in specification().chapters)


@cache
def _clauses(language: str) -> Mapping[str, ClauseText]:
    return MappingProxyType(
        {clause.id: clause for chapter in _chapters(language) for clause in chapter.clauses}
    )


def _ruling_of(table: TomlTable, language: str) -> RulingText:
    alike = dict.fromkeys(EDITIONS, table.get(key_in(language, "answer"), ""))
    answers: Mapping[str, str] = table.get(key_in(language, "answers"), alike)
    says = key_in(language, "says")
    return RulingText(
        id=table["id"],
        title=table.get(key_in(language, "title"), table["id"].replace("-", " ")),
        question=table[key_in(language, "question")],
        answers=tuple((edition, answers[name]) for name, edition in EDITIONS.items()),
        default=table["default"],
        field=table.get("field"),
        confidence=Confidence(table["confidence"]),
        because=table[key_in(language, "because")],
        against=tuple(
            Objection(each["sentence"], each[says], language) for each in table["against"]
        ),
        in_play=table[key_in(language, "in_play")],
        sources=in_language_first(
            (Source(each["seed"], each["section"]) for each in table["sources"]), language
        ),
        clauses=tuple(table["clauses"]),
        language=language,
    )


def _chapter_of(chapter: files.ChapterFile, language: str) -> Chapter:
    title: str = getattr(chapter, key_in(language, "title"))
    clauses = tuple(_clause_of(clause, title, language) for clause in chapter.clause)
    return Chapter(chapter.chapter, chapter.prefix, title, clauses)


def _clause_of(clause: files.Clause, chapter: str, language: str) -> ClauseText:
    return ClauseText(
        id=clause.id,
        kind=ClauseKind(clause.kind),
        chapter=chapter,
        revision=clause.revision,
        when=_condition_of(clause.when),
        follows_from=clause.follows_from,
        overrides=clause.overrides,
        examples=tuple(_example_of(clause.id, each, language) for each in clause.example),
        rulings=tuple(_rulings(language)[name] for name in clause.rulings),
        language=language,
        **{name: getattr(clause, key_in(language, name)) for name in ("title", "text", "why")},
    )


def _condition_of(table: TomlTable) -> Condition:
    """Parse a condition; a single value is treated as a list with one item."""
    allowed = {key: tuple(v if isinstance(v, list) else [v]) for key, v in table.items()}
    players = allowed.pop("players", tuple(QUOTAS))
    return Condition(tuple(allowed.items()), players)


def _example_of(clause: str, table: TomlTable, language: str) -> Example:
    return Example(
        id=table["id"],
        clause=clause,
        given=tuple(lines_of(table.get("given", {}))),
        then=tuple(lines_of(table.get("then", {}))),
        play=tuple(table.get("play", ())),
        says=table[key_in(language, "says")],
        **{name: table.get(name, "") for name in ("refused", "by", "sentence", "ask")},
    )


def lines_of(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Flatten a table to pairs of a key and a text; nested keys are joined as in ``red.goods``."""
    if isinstance(value, dict):
        for inner, each in value.items():
            yield from lines_of(each, f"{key}.{inner}".lstrip("."))
    else:
        yield key, ", ".join(map(str, value)) if isinstance(value, list) else str(value)


_Matrix = dict[str, dict[str, list[list[Any]]]]
"""References to clauses from the code, the tests and the formal model.

The outer keys are clause ids, and the inner keys are kinds of reference.
"""


@cache
def _matrix() -> _Matrix:
    """Load the references of all clauses from `matrix.json`, in the wheel or in the repository."""
    file = specification().folder / "matrix.json"
    if not file.is_file():
        raise FileNotFoundError(
            f"the code and tests of the clauses are not available: {file} does not exist; "
            f"install the package, or run `python spec/traceability.py` to write it"
        )
    return _Matrix(json.loads(file.read_text(encoding="utf-8")))


def _references(clause: str, kind: str) -> tuple[Reference, ...]:
    return tuple(Reference(*place) for place in _matrix()[clause][kind])


# Writing


def _listed(names: Sequence[str], language: str) -> str:
    """Join names with commas, and the last two with the word for *and* in `language`."""
    together = f" {Phrase.AND.of(language)} "
    return together.join(filter(None, (", ".join(names[:-1]), names[-1])))


def _named(edition: RuleSet, language: str) -> str:
    is_manual = edition == rulings.REFERENCE_MANUAL
    return Phrase.REFERENCE_MANUAL.of(language) if is_manual else edition.name


def _answer_lines(ruling: RulingText, indent: str) -> list[str]:
    """Format the answers of a ruling as lines; editions with the same answer share a line."""
    by_answer: dict[str, list[str]] = {}
    for edition, answer in ruling.answers:
        by_answer.setdefault(answer, []).append(_named(edition, ruling.language))
    if len(by_answer) == 1:
        return [filled(answer, indent) for answer in by_answer]
    return [
        filled(f"{_listed(names, ruling.language)}: {answer}", indent, f"{indent}  ")
        for answer, names in by_answer.items()
    ]


def _reason_lines(ruling: RulingText, indent: str) -> list[str]:
    tongue = ruling.language
    because = Phrase.BECAUSE.of(tongue, Phrase[ruling.confidence.name].of(tongue))
    paragraphs = [f"{because}: {ruling.because}"]
    for each in ruling.against:
        paragraphs.append(
            f"{Phrase.AGAINST.of(tongue, f'{each.sentence}, {each.text}')}: {each.says}"
        )
    return [filled(each, indent, f"{indent}  ") for each in paragraphs]


def _list(heading: str, items: Iterable[str]) -> list[str]:
    return ["", f"{heading}:", *(filled(f"- {item}", "  ", "    ") for item in items)]
