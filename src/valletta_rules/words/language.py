"""The class `Language`.  A language describes actions, prompts, events and errors in sentences.

The words of a language are data in a file in ``phrases``.  This module contains the parts that all
languages share, such as the facts that are inserted into the phrase for an action or an event.
Inflection within a sentence is in `valletta_rules.words.grammar`.

All methods are pure functions.  A method with the argument `position` also accepts a view of a
position.  The caller may choose the names of the players.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import resources
from string import Formatter
from types import MappingProxyType
from typing import Any, Final

import attrs

from valletta_rules import actions, agenda, errors, events
from valletta_rules.card_sets.built_in import UnknownCardSetError
from valletta_rules.card_sets.files import CardSetError
from valletta_rules.codec.text import CodecError
from valletta_rules.components.bags import CardBag
from valletta_rules.components.buildings import Building
from valletta_rules.components.characters import Character, Colour
from valletta_rules.components.display import column_of
from valletta_rules.components.goods import GOODS, NOTHING, ONE, Good, Goods
from valletta_rules.components.street import area_of
from valletta_rules.components.values import Value
from valletta_rules.records.position_line import PositionLineError
from valletta_rules.records.record import RecordError
from valletta_rules.results import Outcome, Score
from valletta_rules.rulebook import blue, final_phase, yellow
from valletta_rules.rulebook import building as construction
from valletta_rules.rulebook.building import building_price, upgrade_price
from valletta_rules.rulebook.houses_and_icons import icons
from valletta_rules.rulebook.red import stands_for
from valletta_rules.rulebook.scoring import score_sheet
from valletta_rules.rulings import RuleSet, variants_of
from valletta_rules.specification.clauses import UnknownClauseError
from valletta_rules.state import GameState, Phase
from valletta_rules.text.files import printable_path
from valletta_rules.text.notation import AmbiguousMoveError, NotAMoveError
from valletta_rules.text.values import UnfitError, plain
from valletta_rules.views import PlayerView, Table, player_information
from valletta_rules.views.seen_events import RedactedEvent
from valletta_rules.words.grammar import Grammar

Asking = GameState | PlayerView
"""A value that has a prompt: a position, or a view of a position."""

CONSTANTS: Final[Mapping[str, object]] = MappingProxyType(
    {
        name: value
        for chapter in (blue, yellow, construction, final_phase)
        for name, value in vars(chapter).items()
        if name.isupper() and isinstance(value, int | Goods)
    }
)
"""The constants of the rules.  All phrases can use their names as placeholders."""

_KINDS: Final = frozenset({"wanted", "found"})
"""The names of the facts about a problem that state a kind of value, such as *a number*."""

_SEATS: Final = frozenset({"seat", "player", "giver", "taker"})
"""The names of prompt and event fields that contain a seat."""


def board_of(position: player_information.Position) -> GameState | Table:
    """Return the argument if it is a position, and the table if it is a view."""
    return position.table if isinstance(position, PlayerView) else position


def read_phrases(code: str) -> Mapping[str, Any]:
    """Return the content of the file in ``phrases`` for the language with the code `code`."""
    file = resources.files("valletta_rules") / "words" / "phrases" / f"{code}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@attrs.frozen
class Sentence(Value):
    """A sentence in two parts, so that several predicates can share a subject."""

    subject: str
    """The subject, such as ``Red``."""
    predicate: str
    """The predicate, such as ``plays the Maid``."""

    def __str__(self) -> str:
        """Return the sentence with a capital letter and a full stop."""
        return f"{capitalized(self.subject)} {self.predicate}."


@attrs.frozen(kw_only=True)
class Vocabulary:
    """The words of typed moves, in lower case.

    The names of goods and characters are not included.
    """

    verbs: Mapping[str, tuple[str, ...]]
    """The verbs of the language.  Each is mapped to all verbs of the notation that it can mean.

    If a verb has several meanings, the prompt decides between them.  If the prompt accepts none of
    them, the first one is used.
    """
    numbers: Mapping[str, str]
    """The words for numbers, mapped to their digits."""
    fillers: frozenset[str]
    """The words that the parser ignores: articles, prepositions, the word for a site."""
    in_vain: tuple[str, ...]
    """Phrases, at the end of a typed move, for playing a card without its effect."""
    endings: tuple[str, ...]
    """The inflectional endings of names within a sentence."""


class Language:
    """A language, with methods that return names, phrases and sentences."""

    code: str
    """The code of the language, such as ``en``."""
    grammar: Grammar
    """The grammar of the language."""

    def __init__(
        self, code: str, grammar: Grammar, phrases: Mapping[str, Any] | None = None
    ) -> None:
        """Create a language.

        `code` is the code of the language, and `grammar` is its grammar.  `phrases` contains the
        phrases; by default they are read on first use from the file with the name `code`.
        """
        self.code, self.grammar, self._given = code, grammar, phrases
        self._formatter = _Formatter(self)

    # The content of the language's file

    @cached_property
    def phrases(self) -> Mapping[str, Any]:
        """The content of the language's file: all phrases, in nested sections."""
        return read_phrases(self.code) if self._given is None else self._given

    @cached_property
    def _templates(self) -> Mapping[str, str]:
        return dict(_flat(self.phrases))

    def phrase(self, key: str, /, *parts: object, **facts: object) -> str:
        """Return the phrase with a key such as ``console.tower``, and fill in its placeholders.

        `parts` contains the values for positional placeholders, and `facts` those for named
        placeholders.  A value such as a good or a character is replaced by its name.  A placeholder
        can specify a form after a colon (see `form`).  Raises `KeyError` if the language has no
        phrase with this key.
        """
        return self._formatter.vformat(self._templates[key], parts, {**CONSTANTS, **facts})

    def has(self, key: str) -> bool:
        """Return whether the language has a phrase with this key."""
        return key in self._templates

    def table(self, key: str) -> Mapping[str, str]:
        """Return the phrases of a section such as ``page.levels``, keyed by name."""
        section: Any = self.phrases
        for part in key.split("."):
            section = section[part]
        return MappingProxyType(
            {name: phrase for name, phrase in section.items() if type(phrase) is str}
        )

    def form(self, fact: object, form: str = "") -> str:
        """Return a value in words, in the form that a phrase requires.

        For a character, the form is the case; the default is the nominative.  For a good, the form
        ``none`` returns words for its absence.  A form such as ``point|points`` contains a singular
        and a plural.  For a number, the result is the number and the matching word.  For goods, the
        result is the matching word alone, such as ``is`` or ``are`` from the form ``is|are``.
        """
        match fact:
            case Character():
                name = self.short_names[fact]
                return self.grammar.title(fact, name, form or "nominative")
            case Good():
                name = self.good_names[fact]
                return self.grammar.none_of(fact, name) if form == "none" else name
            case Goods() if form:
                return form.split("|")[self.grammar.are_several(fact)]
            case Goods():
                return self.describe_goods(fact)
            case Building():
                return self.label(fact)
            case RuleSet():
                return self.describe_rules(fact)
            case Colour() | Phase():
                return self._templates[f"{_NAMED[type(fact)]}.{fact}"]
            case int() if form:
                return f"{fact} {form.split('|')[fact != 1]}"
            case _:
                return str(fact)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The default names of the players, seat by seat."""
        return tuple(self.phrases["names"])

    @cached_property
    def short_names(self) -> Mapping[Character, str]:
        """The short names of the characters."""
        names = self.phrases["short_names"]
        return MappingProxyType({character: names[character] for character in Character})

    @cached_property
    def gists(self) -> Mapping[Character, str]:
        """The brief descriptions of the characters' effects, in the imperative."""
        return MappingProxyType({each: self.phrase(f"gists.{each}") for each in Character})

    @cached_property
    def good_names(self) -> Mapping[Good, str]:
        """The names of the goods."""
        return MappingProxyType({good: self.phrases["goods"][good] for good in GOODS})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of typed moves."""
        typed, verbs = self.phrases["vocabulary"], dict[str, tuple[str, ...]]()
        for verb, words in typed["verbs"].items():
            verbs |= {word: (*verbs.get(word, ()), verb) for word in words.split()}
        numbers = typed["numbers"].items()
        return Vocabulary(
            verbs=verbs,
            numbers={word: number for number, words in numbers for word in words.split()},
            fillers=frozenset(typed["fillers"].split()),
            in_vain=tuple(typed["in_vain"]),
            endings=tuple(typed["endings"].split()),
        )

    @cached_property
    def typed_words(self) -> Mapping[str, str]:
        """The verbs and names suggested for misspelt words, mapped to notation words."""
        names = (*self.short_names.items(), *self.good_names.items())
        verbs = {word: meant[0] for word, meant in self.vocabulary.verbs.items()}
        return MappingProxyType(verbs | {name: each.value for each, name in names})

    @cached_property
    def commands(self) -> Mapping[str, str]:
        """The words that a player can type as commands in the terminal, mapped to the commands."""
        table = self.table("commands")
        return {word: command for command, words in table.items() for word in words.split()}

    # Names of components

    def title(self, character: Character) -> str:
        """Return the name of a character within a sentence: ``the Builder``, but ``Valette``."""
        return self.form(character)

    def label(self, building: Building) -> str:
        """Return the name of a building, its code and its character: ``A (Banker)``."""
        return f"{building.code} ({self.short_names[building.character]})"

    def describe_copies(self, count: int) -> str:
        """Return a number of cards in words: ``1 card``, ``2 cards``."""
        return self.phrase("cards", count=count)

    def describe_building(self, building: Building, *, upgraded: bool = False) -> str:
        """Describe one side of a building: ``A green building: costs 1 gold; ...``."""
        times = 2 if upgraded else 1
        return self.phrase(
            "buildings.back" if upgraded else "buildings.front",
            colour=building.colour,
            price=building.cost,
            shows=self.phrase(
                "buildings.shows", count=times, icon=building.icon, points=times * building.points
            ),
            copies=self.describe_copies(building.copies),
        )

    def joined(self, parts: Sequence[str]) -> str:
        """Return the parts joined by commas and *and*: ``Red, Blue and Green``."""
        last = f" {self.phrases['and']} "
        return last.join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))

    def describe_goods(self, goods: Goods) -> str:
        """Return goods in words: ``2 gold and 1 stone``, or ``nothing`` for no goods."""
        amount, names = self.grammar.amount, self.good_names
        parts = [amount(goods[good], good, names[good]) for good in goods.kinds()]
        return self.joined(parts) or str(self.phrases["nothing"])

    def describe_cards(self, cards: CardBag) -> str:
        """Return the names of cards: ``Maid, Builder (x2)``; ``none`` for an empty bag."""
        named = (
            self.short_names[card] + (f" (x{count})" if count > 1 else "")
            for card, count in cards.items()
        )
        return ", ".join(named) or str(self.phrases["no_cards"])

    def describe_rules(self, rules: RuleSet) -> str:
        """Return the name of a rule set and its variants: ``Hans im Glück (fewer barrels)``."""
        name = self._templates.get(f"rule_sets.{rules.name}", rules.name)
        variants = ", ".join(self.phrase(f"variants.{each}") for each in variants_of(rules))
        return f"{name} ({variants})" if variants else name

    def describe_effect(self, character: Character) -> str:
        """Return the complete effect of a character in sentences, for the text of its card."""
        return capitalized(self.phrase(f"effects.{character}", gist=self.gists[character]))

    # Actions and prompts

    def describe_action(self, position: Asking, action: actions.Action) -> str:
        """Describe the effect of an action at the current prompt, in the imperative.

        `position` is a position or a view.  The action may be illegal, but its site or building
        must exist.
        """
        board, prompt = board_of(position), position.prompt
        facts = attrs.asdict(action, recurse=False)
        if (good := facts.get("good")) is not None:
            facts["goods"] = facts["one"] = ONE[good]
        kind = type(action).__name__
        match action:
            case actions.DealBuilding(code):
                facts |= {"building": board.cards.building(code), "site": len(board.display)}
            case actions.PlayCard(character, use_effect):
                kind += "" if use_effect else "-in-vain"
                facts["gist"] = self._gist(board, character)
            case actions.Hire(character):
                facts["gist"] = self.gists[character]
            case actions.TakeGood(good):
                if isinstance(prompt, agenda.NunPrompt):
                    facts["goods"] = Goods.of(good, blue.NUN_TAKES)
                elif isinstance(prompt, agenda.ArtisanPrompt):
                    facts["goods"] = Goods.of(good, icons(board, prompt.seat, good))
                    kind += "" if facts["goods"] else "-no-icon"
            case actions.ReturnGood(good) if isinstance(prompt, agenda.ArchitectPrompt):
                facts["goods"] = Goods.of(good, yellow.ARCHITECT_PRICE)
            case actions.Build() | actions.Upgrade():
                facts |= self._construction(board, prompt, action)
        key = f"actions.{kind}-{type(prompt).__name__}"
        return self.phrase(key if self.has(key) else f"actions.{kind}", **facts)

    def _gist(self, board: GameState | Table, character: Character) -> str:
        if character is not Character.APPRENTICE:
            return self.gists[character]
        copied = stands_for(board.rules, board.played, character)
        if copied is None:
            return self.phrase("actions.nothing-to-copy")
        return self.phrase("actions.copy", character=copied, gist=self.gists[copied])

    def _construction(
        self,
        board: GameState | Table,
        prompt: agenda.Prompt | None,
        action: actions.Build | actions.Upgrade,
    ) -> dict[str, object]:
        site = action.site
        seat = board.active if prompt is None or prompt.seat is None else prompt.seat
        reduction = prompt.reduction if isinstance(prompt, agenda.SitePrompt) else NOTHING
        building = board.display[site]
        has_bonus = area_of(board.valette) == column_of(site)
        gains = "gains-with-bonus" if has_bonus else "gains"
        return {
            "building": building,
            "icon": building.icon,
            "gains": self.phrase(f"actions.{gains}", points=building.points),
            "price": upgrade_price(board, site, reduction)
            if isinstance(action, actions.Upgrade)
            else building_price(board, seat, site, reduction),
        }

    def describe_prompt(self, position: Asking, names: Sequence[str] = ()) -> str:
        """Return the current prompt in words, addressed to the player who must answer.

        `position` is a position or a view.
        """
        board, prompt, names = board_of(position), position.prompt, names or self.names
        if prompt is None:
            return self.phrase("prompts.over")
        kind, facts = type(prompt).__name__, _facts(prompt, names)
        match prompt:
            case agenda.DealPrompt():
                facts["site"] = len(board.display)
            case agenda.BarrelPrompt():
                facts["space"] = board.valette
            case agenda.SitePrompt(_, reduction):
                kind += "-reduced" if reduction else ""
            case agenda.PaymentPrompt(seat, site):
                kind += "-upgrade" if site in board.players[seat].built else ""
                facts["building"] = board.display[site]
        question = self.phrase(f"prompts.{kind}", **facts)
        return question if prompt.seat is None else f"{names[prompt.seat]}, {question}"

    # Errors

    def describe_violation(
        self,
        violation: errors.Violation,
        names: Sequence[str] = (),
        *,
        is_addressed: bool = True,
    ) -> str:
        """Return the reason why an action is illegal, as a sentence without a full stop.

        The sentence addresses the player who must answer (``your hand``), unless `is_addressed` is
        false.  The sentence is the language's phrase for the violation's code, filled in with the
        facts of the violation and the players' names.  If the language has no phrase for the code,
        the result is the English message of the violation.  Raises `KeyError` for a violation
        without the facts that its code requires.
        """
        reason = self._violation(violation, names or self.names)
        for third, second in self.phrases["addressed"] if is_addressed else ():
            reason = reason.replace(third, second)
        return reason

    def _violation(self, violation: errors.Violation, names: Sequence[str]) -> str:
        """Return the reason why an action is illegal, in the third person (*the player*)."""
        facts = dict[str, Any](violation.facts)
        code, owner = violation.code, facts.get("owner")
        if not self.has(f"violations.{code}"):
            whose = f"seat {owner}"
            message = violation.message
            return message.replace(whose, names[owner]) if isinstance(owner, int) else message
        variant = f"-{violation.clause}"
        match code:
            case errors.Code.WRONG_KIND:
                for placeholder, fact in (("question", "prompt"), ("answer", "action")):
                    facts[placeholder] = self._templates.get(
                        f"violations.{placeholder}s.{facts[fact]}"
                    )
            case errors.Code.NOT_OWNED if "payment" in facts:
                variant = "-payment"
            case errors.Code.NOT_OWNED if facts.get("owned"):
                variant, facts["goods"] = "-enough", Goods.of(facts["good"], facts["owned"])
            case errors.Code.PAYMENT_SHORT:
                facts["extra"] = facts["payment"].less(facts["price"])
                variant = "-instead" if facts["extra"] else ""
            case errors.Code.SITE_TAKEN | errors.Code.SITE_NOT_OWN:
                facts["owner"] = self.phrase("violations.nobody") if owner is None else names[owner]
        key = f"violations.{code}{variant}"
        return self.phrase(key if self.has(key) else f"violations.{code}", **facts)

    def describe_problem(self, problem: errors.Problem) -> str:
        """Describe a problem in a position, a card set or a document, without the problem's path.

        The result is the English message of the problem if the language has no phrase for it.
        """
        facts = {name: self._fact(name, fact) for name, fact in problem.facts.items()}
        key = f"problems.{problem.code}"
        return self.phrase(key, **facts) if self.has(key) else problem.message

    def _fact(self, name: str, fact: object) -> object:
        """Return a fact about a problem in words, or unchanged if there are no words for it."""
        if isinstance(fact, Character):
            return self.short_names[fact]
        return self._kind(fact) if name in _KINDS and isinstance(fact, str) else fact

    def _kind(self, kind: str) -> str:
        """Translate a kind of value, such as *a number*, into the language."""
        kinds = self.table("problems.kinds") if "problems" in self.phrases else {}
        start = next((each for each in kinds if kind == each or kind.startswith(f"{each} ")), None)
        if start is None:
            return kind
        return kinds[start] + kind.removeprefix(start).replace(" to ", f" {kinds['to']} ")

    def describe_error(self, error: errors.VallettaError, names: Sequence[str] = ()) -> str:
        """Describe an error as a sentence without a full stop.

        `names` are the players' names.  The result is the English message of the error if the
        language has no phrase for it.
        """
        kinds = (f"errors.{kind.__name__}" for kind in type(error).__mro__)
        key = next(filter(self.has, kinds), None)
        if key is None:
            cause = error.__cause__
            if isinstance(cause, CodecError | UnfitError) and self.has("errors.UnfitError"):
                return self.describe_error(cause, names)
            return str(error)
        if isinstance(error, errors.NothingToUndoError | errors.NothingToRedoError) and error.text:
            return error.text
        facts = dict(error.facts) | self._facts_of(error, names or self.names)
        return self.phrase(key + _variant(error), **facts)

    def _facts_of(self, error: errors.VallettaError, names: Sequence[str]) -> dict[str, Any]:
        """Return the values for the placeholders in the phrase for an error."""
        match error:
            case errors.IllegalActionError(violation=violation):
                reason = self.describe_violation(violation, names)
                return {"reason": reason, "clause": violation.clause}
            case errors.NotAskedError(seat=seat, asked=asked):
                who = self.phrase("errors.spectator") if seat is None else names[seat]
                return {"who": who, "asked": None if asked is None else names[asked]}
            case CodecError(problems=problems):
                return {"problems": self._listed(problems)}
            case CardSetError(source=source, problems=problems):
                return {"source": printable_path(source), "problems": self._listed(problems)}
            case RecordError():
                return {"reason": self._about_a_record(error)}
            case errors.LogError(problem=problem) if problem is not None:
                return {"reason": self.describe_problem(problem)}
            case errors.LogError():
                return {"reason": self._reason(error)}
            case UnfitError():
                return {"reason": self._about_a_text(error)}
            case PositionLineError(field=field):
                return {"place": self._place(field), "reason": self._reason(error)}
            case NotAMoveError(text=text):
                return {"text": plain(text), "reason": self._about_a_move(error)}
            case UnknownClauseError(name=name, suggestions=suggestions):
                meant = self.phrase("errors.meant", suggestions[0]) if suggestions else ""
                return {"name": plain(name), "meant": meant}
            case UnknownCardSetError(name=name):
                return {"name": plain(name)}
            case AmbiguousMoveError(text=text, candidates=candidates):
                moves = ", ".join(map(self.describe_briefly, candidates))
                return {"text": plain(text), "moves": moves}
            case _:
                return {}

    def named(self, word: str) -> str:
        """Return the language's word for a notation word, or the notation word if there is none."""
        return next(
            (translation for translation, each in self.typed_words.items() if each == word), word
        )

    def describe_briefly(self, action: actions.Action) -> str:
        """Describe an action without reference to a position."""
        kind, facts = type(action).__name__, attrs.asdict(action, recurse=False)
        if (good := facts.get("good")) is not None:
            facts["goods"] = ONE[good]
        kind += "" if facts.get("use_effect", True) else "-in-vain"
        key = f"readings.{kind}"
        return self.phrase(key if self.has(key) else f"actions.{kind}", **facts)

    def _listed(self, problems: Sequence[errors.Problem]) -> str:
        """Describe problems with their paths and clauses.

        Several problems are written as a list.
        """
        messages = [
            str(attrs.evolve(each, message=self.describe_problem(each)))
            for each in errors.limit_problems(problems)
        ]
        several = self.phrase("errors.problems", count=len(problems))
        return (
            messages[0]
            if len(messages) == 1
            else several + "".join(f"\n- {each}" for each in messages)
        )

    def _about_a_record(self, error: RecordError) -> str:
        """Return where in a record an error occurred, and why."""
        places = (("errors.line", error.line), ("errors.move", error.move))
        where = ", ".join(self.phrase(key, number) for key, number in places if number is not None)
        reason = self._reason(error)
        return f"{where}: {reason}" if where else reason

    def _place(self, field: str) -> str:
        """Return where in a position line an error occurred: the entry, and the player if any."""
        whose, _, entry = field.rpartition(", ")
        place = self.phrase("errors.seat", whose.removeprefix("seat "), entry) if whose else field
        return f"{place}: " if place else ""

    def _reason(
        self, error: RecordError | PositionLineError | NotAMoveError | errors.LogError
    ) -> str:
        """Return the cause of an error in a text, in English if the language has no phrase."""
        cause = error.__cause__
        if isinstance(cause, UnfitError):
            return self._about_a_text(cause, is_placed=isinstance(error, PositionLineError))
        if isinstance(cause, errors.IllegalActionError):
            reason = self.describe_violation(cause.violation, is_addressed=False)
            return f"{reason} [{cause.violation.clause}]"
        return (
            self.describe_error(cause) if isinstance(cause, errors.VallettaError) else error.reason
        )

    def _about_a_move(self, error: NotAMoveError) -> str:
        """Explain why a text is not a move, and describe the current prompt."""
        question = self._templates.get(f"violations.questions.{error.prompt}")
        still = self.phrase("errors.asked", question) if question else ""
        return f"{self._reason(error)}{still}"

    def _about_a_text(self, unfit: UnfitError, *, is_placed: bool = False) -> str:
        """Describe an error in a text, with its key and a suggestion.

        If `is_placed` is true, the key is omitted, because the message already names it.
        """
        reason, cause = unfit.reason, unfit.__cause__
        if unfit.problem is not None:
            reason = self.describe_problem(unfit.problem)
        elif isinstance(cause, errors.VallettaError):
            reason = self.describe_error(cause)
        if unfit.known:
            reason += self.phrase("errors.known", ", ".join(unfit.known))
        if unfit.suggestion:
            reason += self.phrase("errors.meant", self.named(unfit.suggestion))
        return f"{plain(unfit.key)}: {reason}" if unfit.key and not is_placed else reason

    # Events

    def narrate(
        self,
        event: RedactedEvent,
        position: Asking,
        names: Sequence[str] = (),
        *,
        reader: int | None = None,
    ) -> str:
        """Describe an event in a sentence.

        `position` is the position before the action that caused the event, or a view of that
        position.  `reader` is the seat of the reader; `None` means a spectator.  A drawn card is
        named only if the reader has drawn it.
        """
        return str(self.event_sentence(event, position, names, reader=reader))

    def event_sentence(
        self,
        event: RedactedEvent,
        position: Asking,
        names: Sequence[str] = (),
        *,
        reader: int | None = None,
    ) -> Sentence:
        """Describe an event as `narrate` does, but return the two parts of the sentence."""
        board, names = board_of(position), names or self.names
        kind, facts = type(event).__name__, _facts(event, names)
        subject = facts.get("giver") or facts.get("seat")
        if (good := facts.get("good")) is not None:
            facts["goods"] = ONE[good]
        match event:
            case events.BuildingDealt(building=code):
                facts["building"] = board.cards.building(code)
            case events.GameEnded(outcome):
                facts["winner"] = self.describe_winner(outcome, names)
            case events.CardDrawn(seat) if seat != reader:
                kind = "HiddenCardDrawn"
            case events.GoodsReturned(_, goods) if isinstance(
                position.prompt, agenda.PaymentPrompt
            ):
                facts["price"] = position.prompt.price
                kind += "-paid" if goods == position.prompt.price else "-replaced"
            case events.FinalPhaseTriggered(_, condition):
                facts["reason"] = self.phrase(f"triggers.{condition}")
            case _ if "site" in facts:
                facts["building"] = board.display[facts["site"]]
        if subject is None:
            subject = self.phrase(f"subjects.{kind}", **facts)
        if self.has(f"events.{kind}-{event.clause}"):
            kind += f"-{event.clause}"
        return Sentence(subject, self.phrase(f"events.{kind}", **facts))

    # The table and the players

    def describe_holdings(self, position: player_information.Position, seat: int) -> str:
        """Describe a player's goods, houses and points on the score track."""
        player = board_of(position).players[seat]
        return self.phrase(
            "players.holdings-upgraded" if player.upgraded else "players.holdings",
            goods=player.goods,
            houses=len(player.built),
            upgraded=len(player.upgraded),
            points=player.score,
        )

    def describe_standings(
        self, position: player_information.Position, names: Sequence[str] = ()
    ) -> str:
        """Return the scores of all players if the game ended now, in one line."""
        called = names or self.names
        return "; ".join(
            self.phrase(
                "players.standing", name=called[each.seat], total=each.total, houses=each.houses
            )
            for each in score_sheet(board_of(position))
        )

    def describe_winner(self, outcome: Outcome, names: Sequence[str] = ()) -> str:
        """Return a sentence that names the winners and says how any tie was broken."""
        called = names or self.names
        return self.phrase(
            f"winner.{outcome.clause}",
            winners=self.joined([called[seat] for seat in outcome.winners]),
            points=max(score.total for score in outcome.scores),
        )

    def describe_points(self, score: Score) -> str:
        """Describe a player's points, and the player's score if the game ended now."""
        facts = attrs.asdict(score, recurse=False)
        return self.phrase("players.points", total=score.total, **facts)

    def describe_houses(self, count: int) -> str:
        """Return in words how many of a player's houses have been placed."""
        return self.phrase("players.houses", count=count)

    def describe_house(self, house: player_information.OwnBuilding) -> str:
        """Return the name of a player's building and its worth in points."""
        icon = house.building.icon
        return self.phrase(
            "buildings.own-upgraded" if house.is_upgraded else "buildings.own",
            building=house.building,
            site=house.site,
            worth=self.phrase(
                "buildings.worth", points=house.points, icon=icon, count=house.icons[icon]
            ),
        )

    def describe_progress(self, progress: player_information.EndProgress) -> str:
        """Describe a player's progress towards a condition that starts the final phase."""
        variant = "-fulfilled" if progress.is_fulfilled else ""
        facts = attrs.asdict(progress, recurse=False)
        return self.phrase(f"progress.{progress.condition}{variant}", **facts)

    def describe_offer(self, offer: player_information.Offer) -> str:
        """Describe the offer at a site: the building, its price, and the cheapest payment."""
        is_replaced = offer.payment != offer.price
        return self.phrase(
            f"offers.{type(offer.action).__name__}",
            building=offer.building,
            site=offer.action.site,
            price=offer.price,
            paid=self.phrase("offers.paid", payment=offer.payment) if is_replaced else "",
            points=offer.points,
            bonus=self.phrase("offers.bonus", bonus=offer.bonus) if offer.bonus else "",
        )

    def describe_ending(self, ending: player_information.Ending) -> str:
        """Return a sentence that says how close the final phase is."""
        return self.phrase(f"endings.{ending}")


class _Formatter(Formatter):
    """A formatter that fills in the placeholders of a phrase with `Language.form`."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        return self._language.form(value, format_spec)


_NAMED: Final[Mapping[type, str]] = MappingProxyType({Colour: "card_colours", Phase: "phases"})
"""A mapping from enumerations to the sections of phrases that name their members."""


def _flat(phrases: Mapping[str, Any], path: str = "") -> list[tuple[str, str]]:
    """Return pairs of a full key, such as ``console.tower``, and its phrase."""
    flat: list[tuple[str, str]] = []
    for key, entry in phrases.items():
        if isinstance(entry, Mapping):
            flat += _flat(entry, f"{path}{key}.")
        elif isinstance(entry, str):
            flat.append((path + key, entry))
    return flat


def _variant(error: errors.VallettaError) -> str:
    """Return the suffix of the phrase key for an error.  Some errors have two phrases."""
    match error:
        case errors.NothingToUndoError(to=int()):
            return "-to"
        case errors.NotAskedError(asked=None):
            return "-none"
        case NotAMoveError() if error.__cause__ is not None:
            return "-why"
        case _:
            return ""


def _facts(step: agenda.Prompt | RedactedEvent, names: Sequence[str]) -> dict[str, Any]:
    """Return the fields of a prompt or an event, keyed by name, with names in place of seats."""
    fields = attrs.asdict(step, recurse=False)
    return {name: names[fact] if name in _SEATS else fact for name, fact in fields.items()}


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case, and all other letters unchanged."""
    return text[:1].upper() + text[1:]
