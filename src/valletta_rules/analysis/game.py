"""Analysis of a game: the loss of each answer, the course of the game, and the players' luck.

An answer is judged by the information of the seat that answered, without hidden information.

Luck is the difference between a random result and its expectation.  For the deal of seats, a seat's
mean result in the opening book is compared with the mean of all seats.  The cards drawn for a turn
are compared with other hands that might have been drawn.  A barrel is compared with all possible
barrels and their probabilities.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import fsum
from statistics import fmean
from typing import Final

import attrs

from valletta_rules.actions import Action
from valletta_rules.agenda import BarrelPrompt, DrawPrompt, PlayerPrompt, PlayPrompt
from valletta_rules.analysis import adviser
from valletta_rules.analysis.openings import known_of
from valletta_rules.analysis.settling import WORLDS, Trials
from valletta_rules.analysis.value_parts import Parts, Prospects, compare
from valletta_rules.bots.features import read
from valletta_rules.bots.turns import Lead, after, imagine, lines
from valletta_rules.bots.value import expected
from valletta_rules.chance import chance_outcomes, sample_chance
from valletta_rules.components import CardBag, Count, Seat, Value, need
from valletta_rules.events import Event, TurnBegan
from valletta_rules.memory import Memory
from valletta_rules.records.record import Record, replay
from valletta_rules.rulebook.scoring import outcome
from valletta_rules.state import GameState
from valletta_rules.views.seen_events import redact
from valletta_rules.views.view import PlayerView, asked_seat, view

HANDS: Final = 12
"""The number of random hands with which the hand drawn for a turn is compared."""

TURNING_POINTS: Final = 5
"""The maximum number of turning points of a game."""

LEAST_TURN: Final = 0.05
"""The minimum change in a player's chance to win at a turning point."""


class Grade(StrEnum):
    """The grade of an answer, which depends on its loss compared with the best answer."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LIMITS: Final = (
    (Grade.BLUNDER, 4.0, 0.10),
    (Grade.MISTAKE, 2.0, 0.05),
    (Grade.INACCURACY, 1.0, 0.02),
)
"""The minimum losses for each grade, in points and in the chance to win; both are required."""


def grade_of(points: float, chance: float) -> Grade:
    """Return the grade of an answer, given its losses in points and in chance to win."""
    met = (
        grade
        for grade, least_points, least_chance in LIMITS
        if points >= least_points and chance >= least_chance
    )
    return next(met, Grade.GOOD)


@attrs.frozen
class Decision(Value):
    """An answer to a prompt with a choice, compared with the best answer."""

    move: Count
    """The number of moves in the record before this decision."""
    turn: Count
    """The number of the turn in the game, as in the record; 0 before the first turn."""
    seat: Seat
    action: Action
    """The answer that the player chose."""
    best: Action
    """The best answer, given only the information of the seat."""
    plan: tuple[Action, ...]
    """The best actions for the rest of the turn after the best answer."""
    lead: float
    """The expected lead in points after the best answer.  It is computed by rollouts if they show
    that the player's answer loses points, otherwise by a search of the turn.
    """
    chance: float
    """The chance to win after the best answer."""
    lost_points: float
    """The difference in lead between the best answer and the player's answer."""
    lost_chance: float
    """The difference in the chance to win between the best answer and the player's answer."""
    searched_loss: float
    """The difference in lead between the best answer and the player's answer, as computed by a
    search of the turn alone.
    """
    error: float | None
    """The error of `lost_points`, as estimated by rollouts.  A difference within the error does not
    count as a loss.  `None` without the native backend, which runs the rollouts.
    """
    grade: Grade
    parts: Parts
    """The parts of the loss; empty for a good answer, or if they explain less than half of it."""


class LuckSource(StrEnum):
    """The kind of random event that caused a stroke of luck."""

    DEAL = "deal"
    """The seat that the player was dealt; some seats win more often than others."""
    CARDS = "cards"
    """The cards that a seat drew for a turn."""
    BARREL = "barrel"
    """The barrel that was revealed."""


@attrs.frozen
class Luck(Value):
    """A stroke of luck of a seat: the difference between a random result and its expectation."""

    move: Count
    """The number of moves in the record before the lucky or unlucky result."""
    turn: Count
    seat: Seat
    source: LuckSource
    points: float
    chance: float


@attrs.frozen
class SeatChance(Value):
    """The expected points of all players, and their chances to win, from public information.

    An analysis contains them for the start of each turn and for the end of the record.
    """

    move: Count
    turn: Count
    seat: Seat
    """The seat whose turn it is."""
    points: tuple[float, ...]
    """The expected points at the end of the game, seat by seat."""
    chances: tuple[float, ...]
    """The chances to win, seat by seat."""


@attrs.frozen
class TurningPoint(Value):
    """A mistake or a stroke of luck with one of the largest changes in a player's chance to win."""

    move: Count
    turn: Count
    seat: Seat
    is_luck: bool
    chance: float
    """The change in the seat's chance to win."""


@attrs.frozen
class SeatSummary(Value):
    """The losses and the luck of a seat in a game."""

    seat: Seat
    decisions: Count
    inaccuracies: Count
    mistakes: Count
    blunders: Count
    lost_points: float
    """The total loss of the seat's answers, in points."""
    luck_points: float
    """The luck of the seat in points, from all sources."""
    deal_points: float
    """The luck from the deal, in points."""
    cards_points: float
    """The luck from the cards drawn, in points."""
    barrel_points: float
    """The luck from the barrels revealed, in points."""

    @property
    def lost_a_decision(self) -> float:
        """The mean loss per decision, in points."""
        return self.lost_points / max(1, self.decisions)

    @property
    def grades(self) -> dict[Grade, int]:
        """The number of the seat's answers with each grade."""
        bad = self.inaccuracies, self.mistakes, self.blunders
        return dict(zip(Grade, (self.decisions - sum(bad), *bad), strict=True))


@attrs.frozen
class Analysis(Value):
    """The analysis of a game.

    Raises `ValueError` if the seats, moves or actions in another field do not match `record`.
    """

    record: Record
    """The game that is analysed."""
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    course: tuple[SeatChance, ...]
    turning_points: tuple[TurningPoint, ...]
    """The largest changes in a player's chance to win, in the order of the game."""
    summaries: tuple[SeatSummary, ...]
    """One summary for each seat, in the order of the seats."""

    def __attrs_post_init__(self) -> None:
        """Raise `ValueError` if the data do not fit the record."""
        actions, seats = self.record.actions, range(self.record.players)
        parts = (self.decisions, self.luck, self.course, self.turning_points)
        placed = [(each.move, each.seat) for part in parts for each in part]
        if any(move > len(actions) or seat not in seats for move, seat in placed):
            raise ValueError("the analysis refers to a move or a seat that is not in the record")
        if any(actions[each.move : each.move + 1] != (each.action,) for each in self.decisions):
            raise ValueError("an action of a decision differs from the action in the record")
        if [each.seat for each in self.summaries] != [*seats]:
            raise ValueError("there must be one summary for each seat, in the order of the seats")
        if any({len(each.points), len(each.chances)} != {len(seats)} for each in self.course):
            raise ValueError(
                "each entry of the course must have the points and chances to win of all seats"
            )

    @property
    def players(self) -> int:
        """The number of players."""
        return self.record.players


def judge(
    player_view: PlayerView,
    action: Action,
    move: int = 0,
    turn: int = 0,
    trials: Trials | None = None,
) -> Decision | None:
    """Compare an answer with the best answer, and return the result; `None` if there is no choice.

    `player_view` is the view of the seat that must answer, and `action` is the answer.  `move` and
    `turn` become fields of the `Decision`.  `trials` runs the rollouts of the turn; by default a
    new `Trials` is created.  Raises `ValueError` unless the seat of the view must answer.
    """
    seat = asked_seat(player_view)
    if len(player_view.legal_actions) == 1:
        return None
    evaluations = adviser.weigh(player_view, action)
    best, *others = adviser.settle(evaluations, trials or Trials(player_view), action)
    given = _answered(action, (best, *others))
    points = round(best.lead - given.lead, 2)
    chance = round(max(0.0, best.chance - given.chance), 4)
    searched = evaluations[0].lead - _answered(action, evaluations).lead
    if points <= max(adviser.EQUAL, given.error or 0.0):
        best, points, chance = _answered(action, evaluations), 0.0, 0.0
    grade = grade_of(points, chance)
    parts = () if grade is Grade.GOOD else compare(given.prospects, best.prospects, seat)
    if sum(each.points for each in parts) < points / 2:
        parts = ()  # the forecast explains less than half of the loss
    return Decision(
        move=move,
        turn=turn,
        seat=seat,
        action=action,
        best=best.action,
        plan=best.plan,
        lead=round(best.lead, 2),
        chance=round(best.chance, 4),
        lost_points=points,
        lost_chance=chance,
        searched_loss=round(searched, 2),
        error=None if given.error is None else round(given.error, 2),
        grade=grade,
        parts=parts,
    )


def _answered(action: Action, evaluations: Sequence[adviser.Weighed]) -> adviser.Weighed:
    return next(each for each in evaluations if each.action == action)


def analyse(record: Record) -> Analysis:
    """Return the analysis of the record of a finished or unfinished game.

    Equal records result in equal analyses.  Raises `RecordError` if a move is illegal.
    """
    *_, result = analysing(record)
    assert result is not None, "the analysis comes last"
    return result


def analysing(record: Record) -> Iterator[Analysis | None]:
    """Analyse a record move by move: yield `None` after each move, and the analysis at the end.

    Raises `RecordError` if a move is illegal.
    """
    need(record, Record, "a record")
    state = record.start
    reader = _Reader(state)
    for move, (action, step) in enumerate(zip(record.actions, replay(record), strict=True)):
        reader.read(move, state, action, step.state)
        for event in step.events:
            if isinstance(event, TurnBegan):
                reader.begin(move + 1, event.seat, step.state)
        reader.observe(step.events)
        state = step.state
        yield None
    reader.stand(len(record.actions), state)
    decisions, luck = tuple(reader.decisions), tuple(reader.luck)
    yield Analysis(
        record,
        decisions,
        luck,
        tuple(reader.course),
        _turning_points(decisions, luck),
        tuple(_summary(seat, decisions, luck) for seat in range(record.players)),
    )


class _Reader:
    """A collector of the data for an analysis, which reads a game move by move."""

    def __init__(self, start: GameState) -> None:
        self.decisions: list[Decision] = []
        self.luck: list[Luck] = []
        self.course: list[SeatChance] = []
        self.players = len(start.players)
        self.turns = 0
        self._memories = [Memory(seat) for seat in range(self.players)]
        for memory in self._memories:
            memory.begin(view(start, memory.seat))
        self._trials: dict[tuple[int, int, int], Trials] = {}
        """The latest rollouts, keyed by turn, active seat, and the seat that must answer."""
        self._drawing: dict[int, GameState] = {}
        """The position in which each seat began to draw the cards for its next turn."""

    def read(self, move: int, state: GameState, action: Action, then: GameState) -> None:
        """Evaluate a move from `state` to `then`: a player's answer or a random outcome."""
        prompt = state.prompt
        if isinstance(prompt, DrawPrompt):
            self._drawing.setdefault(prompt.player, state)
        elif isinstance(prompt, BarrelPrompt):
            self._judge_barrel(move, state, then)
        elif isinstance(prompt, PlayerPrompt):
            self._judge(move, state, prompt.seat, action)

    def observe(self, events: Sequence[Event]) -> None:
        """Report the events of a move to the memories of all players."""
        for memory in self._memories:
            for event in events:
                memory.see(redact(event, memory.seat))

    def begin(self, move: int, seat: int, state: GameState) -> None:
        """Evaluate the start of a turn of `seat`, in the position `state` after `move` moves."""
        if not self.turns:
            self._judge_deal(move, state)
        self.turns += 1
        self.stand(move, state)
        drawing = self._drawing.pop(seat, None)
        if drawing is not None and isinstance(state.prompt, PlayPrompt):
            self._judge_draw(move, seat, drawing, state)

    def stand(self, move: int, state: GameState) -> None:
        """Append the expected points and chances of all players in `state` to `course`."""
        if not state.display:
            return
        prospects = _prospects(state, None)
        seat = state.active
        points = tuple([round(expected(each), 2) for each in prospects])
        if (ended := outcome(state)) is not None:
            points = tuple([float(score.total) for score in ended.scores])
        chances = tuple([round(each, 4) for each in adviser.chances_after(state, prospects, None)])
        self.course.append(SeatChance(move, self.turns, seat, points, chances))

    def _judge(self, move: int, state: GameState, seat: int, action: Action) -> None:
        player_view, now = view(state, seat), (self.turns, state.active, seat)
        if len(player_view.legal_actions) == 1:
            return
        if now not in self._trials:
            self._trials = {
                now: Trials(player_view, self._memories[seat], move, WORLDS[self.players])
            }
        judged = judge(player_view, action, move, self.turns, self._trials[now])
        if judged is not None:
            self.decisions.append(judged)

    def _judge_deal(self, move: int, state: GameState) -> None:
        """Append each seat's luck in the deal, if the opening book is for the game's card set."""
        known = known_of(state.rules, state.cards, self.players)
        if known is None:
            return
        leads = [_lead([each.points for each in known.seats], own) for own in range(self.players)]
        usual = fmean(leads), 1 / self.players
        for seat, own in enumerate(known.seats):
            self._note_luck(move, seat, (leads[seat], own.share), usual, LuckSource.DEAL)

    def _judge_barrel(self, move: int, state: GameState, then: GameState) -> None:
        seat = state.active
        expectation = [0.0, 0.0]
        for revealed, probability in chance_outcomes(state):
            for place, worth in enumerate(_worth(after(state, revealed), seat)):
                expectation[place] += float(probability) * worth
        self._note_luck(move, seat, _worth(then, seat), expectation, LuckSource.BARREL)

    def _judge_draw(self, move: int, seat: int, drawing: GameState, state: GameState) -> None:
        """Append a seat's luck in drawing cards for a turn, compared with random hands."""
        rng = random.Random(move)
        hands = [_drawn(drawing, seat, rng) for _ in range(HANDS)]
        worths = [_worth_of_turn(state, seat)]
        for other in hands:
            worths.append(_worth_of_turn(_with_hand(state, seat, other), seat))
        expectation = [fmean(each) for each in zip(*worths[1:], strict=True)]
        self._note_luck(move, seat, worths[0], expectation, LuckSource.CARDS)

    def _note_luck(
        self,
        move: int,
        seat: int,
        worth: Sequence[float],
        usual: Sequence[float],
        source: LuckSource,
    ) -> None:
        points, chance = (a - b for a, b in zip(worth, usual, strict=True))
        luck = Luck(move, self.turns, seat, source, round(points, 2), round(chance, 4))
        self.luck.append(luck)


def _prospects(state: GameState, seat: int | None) -> Prospects:
    return adviser.forecast_for(view(state, None)).outlooks(read(state), seat)


def chances_within(state: GameState, seat: int | None) -> tuple[float, ...]:
    """Return each player's chance to win in a position, in the order of the seats.

    `seat` is the seat whose turn it is, or `None` if a turn is about to begin.
    """
    return adviser.chances_after(state, _prospects(state, seat), seat)


def _worth(state: GameState, seat: int) -> tuple[float, float]:
    """Return a seat's expected lead and chance to win in a position during its turn."""
    prospects = _prospects(state, seat)
    chance = adviser.chances_after(state, prospects, seat)[seat]
    return _lead([expected(each) for each in prospects], seat), chance


def _lead(points: Sequence[float], seat: int) -> float:
    return points[seat] - max(each for other, each in enumerate(points) if other != seat)


def _worth_of_turn(state: GameState, seat: int) -> tuple[float, float]:
    """Return a seat's expected lead and chance to win if it plays the best turn from a position."""
    player_view = view(state, seat)
    lead = Lead(adviser.forecast_for(player_view), seat)
    best = lines(imagine(player_view, random.Random(0)), seat, lead, adviser.BEAM, keep=1)
    evaluation = adviser.weighed(best, lead)
    return evaluation.lead, evaluation.chance


def _drawn(state: GameState, seat: int, rng: random.Random) -> CardBag:
    """Draw a seat's cards at random with `rng`, and return the resulting hand."""
    while isinstance(state.prompt, DrawPrompt) and state.prompt.player == seat:
        state = after(state, sample_chance(state, rng))
    return state.players[seat].hand


def _with_hand(state: GameState, seat: int, hand: CardBag) -> GameState:
    """Return a position in which a seat has drawn `hand` instead of its actual hand.

    The other cards of the hand and the draw pile form the new draw pile.  All other parts of the
    position are unchanged.
    """
    player = state.players[seat]
    draw_pile = player.hand + player.draw_pile - hand
    return state.with_player(seat, player.replace(hand=hand, draw_pile=draw_pile))


def _turning_points(
    decisions: Sequence[Decision], luck: Sequence[Luck]
) -> tuple[TurningPoint, ...]:
    """Return the largest changes in a player's chance to win, in the order of the game."""
    changes = [TurningPoint(d.move, d.turn, d.seat, False, -d.lost_chance) for d in decisions]
    changes += [TurningPoint(e.move, e.turn, e.seat, True, e.chance) for e in luck if e.turn]
    large = [each for each in changes if abs(each.chance) >= LEAST_TURN]
    largest = sorted(large, key=lambda each: -abs(each.chance))[:TURNING_POINTS]
    return tuple(sorted(largest, key=lambda each: each.move))


def _summary(seat: int, decisions: Sequence[Decision], luck: Sequence[Luck]) -> SeatSummary:
    own = [each for each in decisions if each.seat == seat]
    given = [each for each in luck if each.seat == seat]
    points = {
        source: _sum(each.points for each in given if each.source is source)
        for source in LuckSource
    }
    return SeatSummary(
        seat=seat,
        decisions=len(own),
        inaccuracies=sum(each.grade is Grade.INACCURACY for each in own),
        mistakes=sum(each.grade is Grade.MISTAKE for each in own),
        blunders=sum(each.grade is Grade.BLUNDER for each in own),
        lost_points=_sum(each.lost_points for each in own),
        luck_points=_sum(each.points for each in given),
        deal_points=points[LuckSource.DEAL],
        cards_points=points[LuckSource.CARDS],
        barrel_points=points[LuckSource.BARREL],
    )


def _sum(amounts: Iterator[float]) -> float:
    return round(fsum(amounts), 2)
