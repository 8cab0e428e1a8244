"""Describe a game for a viewer, in a language and at a revision.

The presenter uses views and redacted events, so that it reveals no hidden facts.  It shows all
hands only after the end of the game; `showing.show_revision` refuses earlier requests for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

import attrs

from valletta_rules import events
from valletta_rules.actions import Action, ChanceAction, Pay
from valletta_rules.agenda import ChancePrompt, PaymentPrompt
from valletta_rules.analysis import Advice, Analysis, Decision, Grade, words
from valletta_rules.analysis.game import chances_within
from valletta_rules.codec import MOST_LISTED, to_document
from valletta_rules.components import HOUSES_PER_PLAYER, Goods
from valletta_rules.play.game import Game
from valletta_rules.records.log import Opened, Undone
from valletta_rules.results import Outcome
from valletta_rules.rulebook.building import SUBSTITUTES, payments
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.rulings import RuleSet
from valletta_rules.specification.clauses import UnknownClauseError, explain
from valletta_rules.specification.worked_examples import example_named
from valletta_rules.state import GameState
from valletta_rules.svg import Part
from valletta_rules.views import PlayerView, view
from valletta_rules.views.player_information import (
    PlayerInformation,
    cheapest_payment,
    ending,
    player_information,
    predicted_scores,
)
from valletta_rules.views.seen_events import RedactedEvent, redact
from valletta_rules.web import pictures, protocol
from valletta_rules.web.coach import is_new
from valletta_rules.web.ending import MOMENTS, describe_lead, lead_of, swings
from valletta_rules.web.game import TableGame
from valletta_rules.web.pictures import Appearance
from valletta_rules.web.store import Occupant
from valletta_rules.words import LANGUAGES, Language


@attrs.frozen
class Perspective:
    """The perspective from which a table is shown: the viewer, the language, and open hands."""

    viewer: int | None
    """The seat of the viewer; `None` for a spectator."""
    language: str
    """The code of the language of all texts."""
    is_open: bool = False
    """Whether all hands are shown."""


@attrs.frozen
class ViewModel:
    """The content of a page at a revision: a `Moment`, and the parts of a drawing by key."""

    moment: protocol.Moment
    parts: Mapping[str, Part]


class Presenter:
    """Describes a game to a viewer without revealing hidden facts."""

    def __init__(
        self, game: TableGame, seats: Sequence[Occupant], example: str | None = None
    ) -> None:
        """Create a presenter for a game; `example` is the full id of the worked example, if any."""
        self._game, self._example = game, example
        self._cached_revision = -1
        """The revision for which view models are cached."""
        self._view_models: dict[Perspective, ViewModel] = {}
        self._entries: dict[tuple[int, Perspective], str] = {}
        """The cache of log entries in JSON, keyed by revision and perspective."""
        self._totals: dict[int, tuple[int, ...]] = {}
        """The cache of `totals`, keyed by revision."""
        self.introduce(seats)

    def introduce(self, seats: Sequence[Occupant]) -> None:
        """Set the names and colours of the players, and discard all cached texts."""
        self._appearances = {code: _appearance(seats, code) for code in LANGUAGES}
        self._cached_revision = -1
        self._entries.clear()

    def names(self, code: str) -> tuple[str, ...]:
        """Return the names of the players; the default is the name of the seat's colour."""
        return self._appearances[code].names

    def view_model(self, step: Game, perspective: Perspective, *, asks: bool = False) -> ViewModel:
        """Return the view model of a step.

        The viewer's choices are included if the step is the last one, or if `asks` is true.
        """
        if step is not self._game.now:
            return self._make(step, perspective, is_now=asks)
        if step.revision != self._cached_revision:
            self._cached_revision = step.revision
            self._view_models.clear()
        if perspective not in self._view_models:
            self._view_models[perspective] = self._make(step, perspective, is_now=True)
        return self._view_models[perspective]

    def _make(self, step: Game, perspective: Perspective, is_now: bool) -> ViewModel:
        player_view = _listed(view(step.position, perspective.viewer))
        asks = is_now and player_view.is_asked
        is_payment = isinstance(player_view.prompt, PaymentPrompt)
        language = LANGUAGES[perspective.language]
        appearance = self._appearances[perspective.language]
        visible = _opened(player_view, step.position) if perspective.is_open else player_view
        choices = player_view.legal_actions if asks and not is_payment else ()
        moment = protocol.Moment(
            revision=step.revision,
            viewer=perspective.viewer,
            asked=step.asked,
            waits_for=None,
            bar=_bar(player_view, language, appearance.names),
            view=to_document(visible),
            choices=tuple(
                protocol.Choice(to_document(action), language.describe_action(player_view, action))
                for action in choices
            ),
            payment=_payment(player_view) if asks else None,
            undo=None,
            panels=_panels(view(step.position, None), perspective.language),
            ending=language.describe_ending(ending(player_view)),
            finish=self._finish(step, perspective.language),
        )
        return ViewModel(moment, pictures.board(player_view, appearance, choices))

    # The log

    def entry(self, step: Game, perspective: Perspective) -> protocol.Entry:
        """Return the log entry of a step, without events hidden from the viewer."""
        news = step.since(step.revision - 1 if step.revision else None, perspective.viewer)
        return protocol.Entry(
            revision=step.revision,
            at=int(self._game.times[step.revision]),
            seat=getattr(step.entry, "seat", None),
            back_to=getattr(step.entry, "to", None),
            lines=tuple(self._lines(step, perspective)),
            events=tuple(to_document(event) for each in news.steps for event in each),
        )

    def written_entry(self, step: Game, perspective: Perspective) -> str:
        """Return the log entry of a step in JSON; pages with equal perspectives share a cache."""
        key = (step.revision, perspective)
        if key not in self._entries:
            self._entries[key] = protocol.write(self.entry(step, perspective))
        return self._entries[key]

    def _lines(self, step: Game, perspective: Perspective) -> Iterator[protocol.LogLine]:
        language, names = LANGUAGES[perspective.language], self.names(perspective.language)
        match step.entry:
            case Opened():
                yield protocol.LogLine(None, language.phrase("talk.laid"))
            case Undone(seat=seat, to=to):
                description = self.undone(to, step.revision - 1, perspective.language)
                yield protocol.LogLine(
                    seat, language.phrase("talk.takes_back", name=names[seat], what=description)
                )
        for event, text in self._events(step, perspective):
            if not isinstance(event, events.BuildingDealt):
                yield protocol.LogLine(getattr(event, "seat", None), text)

    def _events(self, step: Game, perspective: Perspective) -> Iterator[tuple[RedactedEvent, str]]:
        """Yield the events of a step, redacted for the viewer, each with its description."""
        language, names = LANGUAGES[perspective.language], self.names(perspective.language)
        viewer, state = perspective.viewer, step.before
        for each in step.done:
            before = view(state, viewer)
            for event in (redact(event, viewer) for event in each.events):
                yield event, str(language.event_sentence(event, before, names, reader=viewer))
            state = each.state

    def undone(self, to: int, revision: int, code: str) -> str:
        """Describe the earliest action that a takeback from `revision` to `to` undoes."""
        stands = [each for each in self._game.standing(revision) if each.revision > to]
        first = stands[0]
        return LANGUAGES[code].describe_action(first.before, first.done[0].action)

    # Examples, and a first game

    def example(self, code: str) -> protocol.Guide | None:
        """Return the text and next answer of the worked example of this game, if it has one."""
        if self._example is None:
            return None
        example, phrase = example_named(self._example, code), LANGUAGES[code].phrase
        action, state = self._game.next_in_script(), self._game.now.position
        answer = None
        if action is not None and not isinstance(action, ChanceAction) and state.prompt is not None:
            answer = _offered("talk.example_plays", state, action, code)
        over = [phrase("talk.example_over")] * self._game.has_played_script()
        text = " ".join([example.says, *over])
        return protocol.Guide(phrase("talk.example"), text, rule(example.clause, code), answer)

    def coaching(self, seat: int, advice: Advice | None, code: str) -> protocol.Guide | None:
        """Return the coach's text and recommendation for a seat, or `None` if there is neither.

        The text explains either a new kind of prompt, or the gain from the recommended answer.
        """
        language, state = LANGUAGES[code], self._game.now.position
        sentences, clause, answer = [], None, None
        if (prompt := state.prompt) is not None and is_new(self._game, seat):
            clause = rule(prompt.clause, code)
            hints = language.table("talk.coach_on")
            sentences = [clause.text if clause else "", hints.get(type(prompt).__name__, "")]
        if advice is not None:
            best, *_ = advice.suggestions
            answer = _offered("talk.coach_plays", state, best.action, code)
            if not sentences and (gain := words.describe_gain(language, best)):
                sentences = [language.phrase("talk.coach_because", gain=gain)]
        text = " ".join(filter(None, sentences))
        return (
            protocol.Guide(language.phrase("talk.coach"), text, clause, answer)
            if text or answer
            else None
        )

    # The end

    def _finish(self, step: Game, code: str) -> protocol.Finish | None:
        ended = outcome(step.position)
        if ended is None:
            return None
        language, steps = LANGUAGES[code], [*self._game.standing(step.revision)]
        course = tuple(map(self.totals, steps))
        return protocol.Finish(
            sentence=language.describe_winner(ended, self.names(code)),
            decided=describe_lead(language, ended, self.names(code)),
            moments=self._moments(ended, course, steps, code),
            rule=rule(ended.clause, code) if ended.clause != MOST_POINTS else None,
            scores=ended.scores,
            winners=ended.winners,
            course=course,
        )

    def _moments(
        self, ended: Outcome, course: Sequence[Sequence[int]], steps: Sequence[Game], code: str
    ) -> tuple[protocol.Judgement, ...]:
        """Return the moments at which the winner's chance changed most, in chronological order."""
        winner, candidates = ended.winners[0], list[tuple[float, protocol.Judgement]]()
        for number in swings(ended, course):
            step, seat = steps[number], getattr(steps[number].entry, "seat", None)
            positions = (steps[number - 1].position, step.position)
            before, after = (chances_within(each, seat)[winner] for each in positions)
            changed = LANGUAGES[code].phrase(
                "talk.changed",
                name=self.names(code)[winner],
                before=_signed(lead_of(winner, course[number - 1])),
                after=_signed(lead_of(winner, course[number])),
                chance_before=words.percent(before),
                chance=words.percent(after),
            )
            sentence = f"{self._deeds(step, code)} {changed}"
            candidates.append((abs(after - before), protocol.Judgement(step.revision, sentence)))
        largest = sorted(candidates, key=lambda each: -each[0])[:MOMENTS]
        return tuple(
            sorted((judgement for _, judgement in largest), key=lambda each: each.revision)
        )

    def _deeds(self, step: Game, code: str) -> str:
        """Describe the important events of a step, or all events if none is important."""
        pairs = [*self._events(step, Perspective(None, code))]
        important = [text for event, text in pairs if isinstance(event, DEEDS)]
        return " ".join(important or (text for _, text in pairs))

    def report(self, analysis: Analysis, code: str) -> protocol.GameReport:
        """Describe an analysis of the game in the language `code`."""
        language, names = LANGUAGES[code], self.names(code)
        states, moments, last = [self._game.now.start], list[int](), 0
        for step in self._game.standing():
            states += [each.state for each in step.done]
            moments += [last, *[step.revision] * (len(step.done) - 1)][: len(step.done)]
            last = step.revision
        moments.append(last)
        headings, lines = words.describe_play(language, analysis, names)

        def judged(each: Decision) -> protocol.Judgement:
            return protocol.Judgement(
                moments[each.move], words.describe_when(language, each, states, names)
            )

        points = (
            protocol.Judgement(moments[move], sentence)
            for move, sentence in words.describe_points(language, analysis, states, names)
        )
        return protocol.GameReport(
            limits=words.describe_limits(language, analysis),
            play=language.phrase("analysis.play"),
            headings=headings,
            lines=tuple(tuple(map(str, line)) for line in lines),
            chances=language.phrase("analysis.course"),
            course=tuple(each.chances for each in analysis.course),
            sections=(
                protocol.Judgements(language.phrase("analysis.turning"), tuple(points)),
                protocol.Judgements(
                    language.phrase("analysis.mistakes"), tuple(map(judged, words.worst(analysis)))
                ),
            ),
            answers=tuple(
                _flagged(each, judged(each), words.describe_question(language, each, states, names))
                for each in analysis.decisions
                if each.grade is not Grade.GOOD
            ),
        )

    def totals(self, step: Game) -> tuple[int, ...]:
        """Return the total score that each seat would have if the game had ended after a step."""
        if step.revision not in self._totals:
            scores = predicted_scores(step.position)
            self._totals[step.revision] = tuple(score.total for score in scores)
        return self._totals[step.revision]


REPLACED: Final = 3
"""The number of replaced goods with which `_listed` begins; more if it finds too few payments."""


def _flagged(
    decision: Decision, judged: protocol.Judgement, question: str
) -> protocol.FlaggedAnswer:
    answer, best = to_document(decision.action), to_document(decision.best)
    return protocol.FlaggedAnswer(
        judged.revision, decision.seat, judged.sentence, question, answer, best
    )


def _offered(key: str, state: GameState, action: Action, code: str) -> protocol.Choice:
    """Return an action as a choice; `key` is the key of the phrase for its label."""
    label = LANGUAGES[code].describe_action(state, action)
    return protocol.Choice(to_document(action), LANGUAGES[code].phrase(key, action=label))


DEEDS: Final = (
    events.Built
    | events.Upgraded
    | events.CardPlayed
    | events.EffectDeclined
    | events.GoodsReturned
    | events.PointsScored
)
"""The types of events that are important in the description of a decisive moment."""


def _signed(points: int) -> str:
    return f"{points:+}".replace("-", "\u2212") if points else "0"


MOST_POINTS: Final = "SCO-9"
"""The clause that determines the winner of a game without a tie."""


def heading(rules: RuleSet, variants: Sequence[str], cards: str, language: Language) -> str:
    """Return the heading of a table: the edition, the variants and the name of the card set."""
    called = [language.phrase(f"variants.{each}") for each in variants]
    plain = rules.with_variants(start_player_variant=False, fewer_barrels=False)
    return " · ".join([language.describe_rules(plain), *called, cards])


def rule(clause: str, code: str) -> protocol.ClauseSeen | None:
    """Return the clause with the id `clause`, or `None` if the rulebook has no such clause."""
    try:
        explanation = explain(clause, code)
    except UnknownClauseError:
        return None
    return protocol.ClauseSeen(explanation.id, explanation.title, explanation.text)


def _appearance(seats: Sequence[Occupant], code: str) -> Appearance:
    called = LANGUAGES[code].table("seat_colours")
    names = tuple(seat.name or called[seat.colour].capitalize() for seat in seats)
    return Appearance(names, tuple(seat.colour for seat in seats), code)


def _opened(player_view: PlayerView, state: GameState) -> PlayerView:
    """Return a copy of a view that shows the hands of all players in the position `state`."""
    players = tuple(
        attrs.evolve(visible, hand=player.hand)
        for visible, player in zip(player_view.table.players, state.players, strict=True)
    )
    return attrs.evolve(player_view, table=attrs.evolve(player_view.table, players=players))


def _listed(player_view: PlayerView) -> PlayerView:
    """Return a view without those legal payments that use many more goods than necessary.

    A viewer with many goods may have more than a hundred thousand payments.  The view still has all
    payments that its JSON document lists: those that replace the fewest goods.
    """
    prompt = player_view.prompt
    if not (isinstance(prompt, PaymentPrompt) and player_view.is_asked):
        return player_view
    owned = player_view.table.players[prompt.seat].goods
    options: tuple[Pay, ...] = ()
    for replaced in range(REPLACED, prompt.price.total + REPLACED):
        most = SUBSTITUTES * replaced
        within = (min(have, item + most) for have, item in zip(owned, prompt.price, strict=True))
        options = payments(prompt.price, Goods(*within))
        total = prompt.price.total + (SUBSTITUTES - 1) * replaced
        if sum(pay.goods.total <= total for pay in options) >= MOST_LISTED:
            break
    return attrs.evolve(player_view, legal_actions=options)


def _bar(player_view: PlayerView, language: Language, names: Sequence[str]) -> str:
    """Describe the prompt; if the viewer must answer, omit the viewer's name."""
    prompt = player_view.prompt
    if prompt is not None and isinstance(prompt, ChancePrompt):
        return language.phrase("talk.chance")
    sentence = language.describe_prompt(player_view, names)
    if prompt is None or prompt.seat is None or not player_view.is_asked:
        return sentence
    sentence = sentence.removeprefix(f"{names[prompt.seat]}, ")
    return sentence[:1].upper() + sentence[1:]


def _payment(player_view: PlayerView) -> protocol.Payment | None:
    prompt = player_view.prompt
    if not isinstance(prompt, PaymentPrompt):
        return None
    owned = player_view.table.players[prompt.seat].goods
    cheapest = cheapest_payment(prompt.price, owned)
    return protocol.Payment(prompt.price, cheapest, owned, SUBSTITUTES)


@lru_cache(maxsize=512)
def _panels(player_view: PlayerView, code: str) -> tuple[protocol.Panel, ...]:
    """Return the public facts about all players; `player_view` is a spectator's view."""
    seats = range(len(player_view.table.players))
    return tuple(_panel(player_information(player_view, seat), LANGUAGES[code]) for seat in seats)


def _panel(known: PlayerInformation, language: Language) -> protocol.Panel:
    deck = known.deck
    return protocol.Panel(
        seat=known.seat,
        points=known.current_points,
        predicted=known.predicted_points,
        goods=known.goods,
        icons=known.icons,
        houses=known.houses,
        most_houses=HOUSES_PER_PLAYER,
        hand=deck.hand_size,
        draw_pile=deck.draw_pile,
        discard_pile=deck.discard_pile,
        hidden=deck.hidden,
        conditions=tuple(map(language.describe_progress, known.conditions)),
        buildings=tuple(map(language.describe_house, known.buildings)),
    )
