"""Analysis of a game: the answers beside the best ones, the course, and luck apart from play.

An answer is judged by what its seat knew: by its view, never by the position.  Luck is what chance
brought beyond its expectation: of the deal, by what each seat won in the study of the game; of the
cards drawn for a turn, by what the turn is worth with them and with others that might have been
drawn; of a barrel, by the probabilities of all barrels.
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
from valletta_rules.components import CardBag, Count, Seat, Value
from valletta_rules.events import Event, TurnBegan
from valletta_rules.memory import Memory
from valletta_rules.records.record import Record, replay
from valletta_rules.state import GameState
from valletta_rules.views.seen_events import redact
from valletta_rules.views.view import PlayerView, view

HANDS: Final = 12
"""How many hands that might have been drawn are compared with the one that was."""

TURNING_POINTS: Final = 5
"""How many turning points are named."""

LEAST_TURN: Final = 0.05
"""The least change of a chance to win that is one."""


class Grade(StrEnum):
    """How much an answer loses beside the best one."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LIMITS: Final = (
    (Grade.BLUNDER, 4.0, 0.10),
    (Grade.MISTAKE, 2.0, 0.05),
    (Grade.INACCURACY, 1.0, 0.02),
)
"""From which loss on an answer gets each grade: in points and in chance to win, both of them."""


def grade_of(points: float, chance: float) -> Grade:
    """Return the grade of an answer that loses so many points and so much chance to win."""
    met = (
        grade
        for grade, least_points, least_chance in LIMITS
        if points >= least_points and chance >= least_chance
    )
    return next(met, Grade.GOOD)


@attrs.frozen
class Decision(Value):
    """An answer to a question with a choice, beside the best one."""

    move: Count
    """How many moves of the record come before it."""
    turn: Count
    """The seat's turn, counted from 1; 0 before the first."""
    seat: Seat
    action: Action
    best: Action
    """The best answer, by what the seat knew."""
    plan: tuple[Action, ...]
    """What would have followed it within the turn."""
    lead: float
    """The expected lead in points after the best answer: by rollouts if something is lost, else by
    the search of the turn.
    """
    chance: float
    """The chance to win after it."""
    lost_points: float
    """How many points the answer given is worth less."""
    lost_chance: float
    """How much less the chance to win is."""
    error: float | None
    """How far `lost_points` may be off, by rollouts: what they do not exceed is no loss.  `None` if
    the search of the turn alone tells it, for want of the native backend.
    """
    grade: Grade
    parts: Parts
    """What the best answer brings and lacks beside the one given; none for a good one."""


class LuckSource(StrEnum):
    """What luck comes from."""

    DEAL = "deal"
    """The seat that was dealt: who begins."""
    CARDS = "cards"
    """The cards drawn for a turn."""
    BARREL = "barrel"
    """The barrel revealed."""


@attrs.frozen
class Luck(Value):
    """What chance gave a seat, or took, beyond its expectation."""

    move: Count
    """How many moves of the record come before its effect."""
    turn: Count
    seat: Seat
    source: LuckSource
    points: float
    chance: float


@attrs.frozen
class SeatChance(Value):
    """How a game stood when a turn began, or at its end, by what everybody could see."""

    move: Count
    turn: Count
    seat: Seat
    """Whose turn it is."""
    points: tuple[float, ...]
    """The expected points at the end, seat by seat."""
    chances: tuple[float, ...]
    """The chances to win."""


@attrs.frozen
class TurningPoint(Value):
    """A mistake, or luck, that changed a seat's chance to win more than others did."""

    move: Count
    turn: Count
    seat: Seat
    is_luck: bool
    chance: float
    """By how much."""


@attrs.frozen
class SeatSummary(Value):
    """The play and the luck of a seat."""

    seat: Seat
    decisions: Count
    inaccuracies: Count
    mistakes: Count
    blunders: Count
    lost_points: float
    """How many points all answers lost beside the best ones."""
    luck_points: float
    """How many points chance gave."""
    deal_points: float
    """How many of them came from the deal."""
    cards_points: float
    """How many came from the cards drawn."""
    barrel_points: float
    """How many came from the barrels revealed."""

    @property
    def lost_a_decision(self) -> float:
        """How many points an answer lost on average."""
        return self.lost_points / max(1, self.decisions)

    @property
    def grades(self) -> dict[Grade, int]:
        """How many answers have each grade."""
        bad = self.inaccuracies, self.mistakes, self.blunders
        return dict(zip(Grade, (self.decisions - sum(bad), *bad), strict=True))


@attrs.frozen
class Analysis(Value):
    """How a game went.

    Raises `ValueError` if it tells of seats or moves that the record does not have.
    """

    record: Record
    """The game."""
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    course: tuple[SeatChance, ...]
    turning_points: tuple[TurningPoint, ...]
    """In the order of the game."""
    summaries: tuple[SeatSummary, ...]
    """Seat by seat."""

    def __attrs_post_init__(self) -> None:
        """Refuse what is not of this game."""
        actions, seats = self.record.actions, range(self.record.players)
        told = (self.decisions, self.luck, self.course, self.turning_points)
        placed = [(each.move, each.seat) for part in told for each in part]
        if any(move > len(actions) or seat not in seats for move, seat in placed):
            raise ValueError("it tells of moves or seats that the record does not have")
        if any(actions[each.move : each.move + 1] != (each.action,) for each in self.decisions):
            raise ValueError("its decisions are not those of the record")
        if [each.seat for each in self.summaries] != [*seats]:
            raise ValueError("it has not one summary for each seat")
        if any({len(each.points), len(each.chances)} != {len(seats)} for each in self.course):
            raise ValueError("its course has not one figure for each seat")

    @property
    def players(self) -> int:
        """The number of players."""
        return self.record.players


def judge(
    seen: PlayerView, action: Action, move: int = 0, turn: int = 0, trials: Trials | None = None
) -> Decision | None:
    """Return how an answer compares with the best one; `None` if there is no choice.

    Takes the view of the seat that is asked, the answer, where in its game that is, and the
    rollouts of its turn, if there are such already.  Raises `ValueError` if the seat is not asked.
    """
    if len(seen.legal_actions) == 1:
        return None
    found = adviser.weigh(seen, action)
    best, *others = adviser.settle(found, trials or Trials(seen), action)
    given = _answered(action, (best, *others))
    points = round(best.lead - given.lead, 2)
    chance = round(max(0.0, best.chance - given.chance), 4)
    if points <= max(adviser.EQUAL, given.error or 0.0):
        best, points, chance = _answered(action, found), 0.0, 0.0
    grade = grade_of(points, chance)
    assert seen.seat is not None, "somebody is asked"
    parts = () if grade is Grade.GOOD else compare(given.prospects, best.prospects, seen.seat)
    if sum(each.points for each in parts) <= 0:
        parts = ()  # the forecast contradicts the rollouts
    return Decision(
        move=move,
        turn=turn,
        seat=seen.seat,
        action=action,
        best=best.action,
        plan=best.plan,
        lead=round(best.lead, 2),
        chance=round(best.chance, 4),
        lost_points=points,
        lost_chance=chance,
        error=None if given.error is None else round(given.error, 2),
        grade=grade,
        parts=parts,
    )


def _answered(action: Action, found: Sequence[adviser.Weighed]) -> adviser.Weighed:
    return next(each for each in found if each.action == action)


def analyse(record: Record) -> Analysis:
    """Return the analysis of a record, of a game that has ended or not.

    The same record gets the same analysis.  Raises `RecordError` if a move is illegal.
    """
    *_, found = analysing(record)
    assert found is not None, "it comes last"
    return found


def analysing(record: Record) -> Iterator[Analysis | None]:
    """Analyse a record move by move: yield `None` after each move, and the analysis at the end.

    Raises `RecordError` if a move is illegal.
    """
    state = record.start
    reader = _Reader(state)
    for move, (action, step) in enumerate(zip(record.actions, replay(record), strict=True)):
        reader.read(move, state, action, step.state)
        for event in step.events:
            if isinstance(event, TurnBegan):
                reader.begin(move + 1, event.seat, step.state)
        reader.hear(step.events)
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
    """Reads a game move by move."""

    def __init__(self, start: GameState) -> None:
        self.decisions: list[Decision] = []
        self.luck: list[Luck] = []
        self.course: list[SeatChance] = []
        self.players = len(start.players)
        self.turns = [0] * self.players
        self._memories = [Memory(seat) for seat in range(self.players)]
        for memory in self._memories:
            memory.begin(view(start, memory.seat))
        self._trials: dict[tuple[int, int, int], Trials] = {}
        """The rollouts of the present turn: by its number, whose turn it is, and who is asked."""
        self._drawing: dict[int, GameState] = {}
        """The positions in which seats began to draw the cards for their next turns."""

    def read(self, move: int, state: GameState, action: Action, then: GameState) -> None:
        """Read a move: the answer of a player or of chance, and where it leads."""
        prompt = state.prompt
        if isinstance(prompt, DrawPrompt):
            self._drawing.setdefault(prompt.player, state)
        elif isinstance(prompt, BarrelPrompt):
            self._judge_barrel(move, state, then)
        elif isinstance(prompt, PlayerPrompt):
            self._judge(move, state, prompt.seat, action)

    def hear(self, events: Sequence[Event]) -> None:
        """Let all players see what a move has brought about."""
        for memory in self._memories:
            for event in events:
                memory.see(redact(event, memory.seat))

    def begin(self, move: int, seat: int, state: GameState) -> None:
        """Read the beginning of a turn."""
        if not any(self.turns):
            self._judge_deal(move, state)
        self.turns[seat] += 1
        self.stand(move, state)
        drawing = self._drawing.pop(seat, None)
        if drawing is not None and isinstance(state.prompt, PlayPrompt):
            self._judge_draw(move, seat, drawing, state)

    def stand(self, move: int, state: GameState) -> None:
        """Note how the game stands."""
        if not state.display:
            return
        prospects = _prospects(state, None)
        seat = state.active
        points = tuple([round(expected(each), 2) for each in prospects])
        chances = tuple([round(each, 4) for each in adviser.chances_after(state, prospects, None)])
        self.course.append(SeatChance(move, self.turns[seat], seat, points, chances))

    def _judge(self, move: int, state: GameState, seat: int, action: Action) -> None:
        seen, now = view(state, seat), (sum(self.turns), state.active, seat)
        if len(seen.legal_actions) == 1:
            return
        if now not in self._trials:
            self._trials = {now: Trials(seen, self._memories[seat], move, WORLDS[self.players])}
        judged = judge(seen, action, move, self.turns[seat], self._trials[now])
        if judged is not None:
            self.decisions.append(judged)

    def _judge_deal(self, move: int, state: GameState) -> None:
        """Note what the seats are worth, if the study has such games."""
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
        for outcome, probability in chance_outcomes(state):
            for place, worth in enumerate(_worth(after(state, outcome), seat)):
                expectation[place] += float(probability) * worth
        self._note_luck(move, seat, _worth(then, seat), expectation, LuckSource.BARREL)

    def _judge_draw(self, move: int, seat: int, drawing: GameState, state: GameState) -> None:
        """Compare a turn with what it would be with other cards drawn."""
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
        luck = Luck(move, self.turns[seat], seat, source, round(points, 2), round(chance, 4))
        self.luck.append(luck)


def _prospects(state: GameState, seat: int | None) -> Prospects:
    return adviser.forecast_for(view(state, None)).outlooks(read(state), seat)


def chances_within(state: GameState, seat: int | None) -> tuple[float, ...]:
    """Return each player's chance to win in a position, seat by seat.

    Takes the seat in whose turn it is; `None` if a turn is about to begin.
    """
    return adviser.chances_after(state, _prospects(state, seat), seat)


def _worth(state: GameState, seat: int) -> tuple[float, float]:
    """Return a seat's expected lead in a position within its turn, and its chance to win."""
    prospects = _prospects(state, seat)
    chance = adviser.chances_after(state, prospects, seat)[seat]
    return _lead([expected(each) for each in prospects], seat), chance


def _lead(points: Sequence[float], seat: int) -> float:
    return points[seat] - max(each for other, each in enumerate(points) if other != seat)


def _worth_of_turn(state: GameState, seat: int) -> tuple[float, float]:
    """Return a seat's expected lead and chance to win after the best turn from a position."""
    seen = view(state, seat)
    lead = Lead(adviser.forecast_for(seen), seat)
    best = lines(imagine(seen, random.Random(0)), seat, lead, adviser.BEAM, keep=1)
    found = adviser.weighed(best, lead)
    return found.lead, found.chance


def _drawn(state: GameState, seat: int, rng: random.Random) -> CardBag:
    """Return the hand of a seat after it has drawn its cards, which are drawn again."""
    while isinstance(state.prompt, DrawPrompt) and state.prompt.player == seat:
        state = after(state, sample_chance(state, rng))
    return state.players[seat].hand


def _with_hand(state: GameState, seat: int, hand: CardBag) -> GameState:
    """Return a position in which a seat has drawn other cards, and so has other cards to draw.

    The number of cards in each pile does not depend on which were drawn, so the discard pile and
    the cards shown stay as they are in the position.
    """
    player = state.players[seat]
    draw_pile = player.hand + player.draw_pile - hand
    return state.with_player(seat, player.replace(hand=hand, draw_pile=draw_pile))


def _turning_points(
    decisions: Sequence[Decision], luck: Sequence[Luck]
) -> tuple[TurningPoint, ...]:
    """Return what changed a chance to win most, in the order of the game."""
    found = [TurningPoint(d.move, d.turn, d.seat, False, -d.lost_chance) for d in decisions]
    found += [TurningPoint(e.move, e.turn, e.seat, True, e.chance) for e in luck if e.turn]
    large = [each for each in found if abs(each.chance) >= LEAST_TURN]
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
