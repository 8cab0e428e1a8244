"""The summary of a study: results of bots and seats, and statistics of buildings and cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import attrs

from valletta_rules.analysis import Experience, Fortune, Openings, opening_of
from valletta_rules.components import CHARACTERS, GOODS, Character, Good, Value
from valletta_rules.events import EndCondition
from valletta_rules.studies import statistics
from valletta_rules.studies.game import WHOLE_VICTORY
from valletta_rules.studies.study import Study
from valletta_rules.studies.totals import FIRST_HOUSES, Totals

T = TypeVar("T", Good, Character)


@attrs.frozen
class Standing(Value):
    """The results of a bot in a study."""

    bot: str
    seats: int
    """The number of seats that the bot had in all games."""
    share: statistics.ConfidenceInterval
    """The bot's win rate, with Wilson's interval, which assumes independent seats."""
    by_block: statistics.ConfidenceInterval
    """The bot's win rate; the interval is based on the variance between seeds."""
    points: float
    """The bot's average points."""
    elo: float
    """The bot's Bradley-Terry rating from pairwise results.  The mean rating of the bots is 0."""
    decision_ms: float
    """The average CPU time of a decision, in milliseconds."""
    longest_ms: float
    """The CPU time of the longest decision, in milliseconds."""


@attrs.frozen
class Meeting(Value):
    """A pair of bots, with the share of games in which `one` ranked above `other`.

    A tie is counted as one half of a game.
    """

    one: str
    other: str
    ahead: statistics.ConfidenceInterval


@attrs.frozen
class Chair(Value):
    """The results of a seat, over all bots that played in it."""

    seat: int
    share: statistics.ConfidenceInterval
    """The seat's win rate."""
    points: float
    """The seat's average points."""


@attrs.frozen
class Design(Value):
    """The results of a building design, over all copies that were dealt."""

    code: str
    character: Character
    dealt: int
    """The number of copies that were dealt."""
    built: statistics.ConfidenceInterval
    """The share of the dealt copies that were built."""
    upgraded: float
    """The share of the dealt copies that were upgraded."""
    turn: float | None
    """The median number of the turn in which owners built a copy; `None` if no copy was built."""
    beyond: statistics.ConfidenceInterval
    """The win rate of players who owned a copy, minus that of the same bots in the same seats."""


@attrs.frozen
class Usage(Value):
    """The average number of times that a card is used in a game, by all players together."""

    character: Character
    played: float
    dismissed: float
    hired: float


@attrs.frozen
class Summary(Value):
    """The results of a study."""

    study: Study
    games: int
    """The number of games in complete blocks; all other games are ignored."""
    broken_off: int
    """The number of games that were truncated."""
    shared: int
    """The number of games with several winners."""
    verdict: statistics.SprtVerdict | None
    """The verdict of the sequential test; `None` without a test."""
    standings: tuple[Standing, ...]
    """The results of the bots, beginning with the best."""
    meetings: tuple[Meeting, ...]
    """The results of each pair of bots."""
    chairs: tuple[Chair, ...]
    """The results of the seats."""
    main_turns: tuple[tuple[int, int], ...]
    """The distribution of the first seat's turns before the final phase: pairs of a number of turns
    and a number of games.
    """
    turns: tuple[tuple[int, int], ...]
    """The distribution of the first seat's turns in the whole game, as in `main_turns`."""
    triggers: tuple[tuple[EndCondition, int], ...]
    """The number of games in which each condition triggered the final phase."""
    valette: float
    """The average space of Valette at the end of a game."""
    winner_points: float
    """The average of the highest points in each game."""
    margin: float
    """The average difference between the highest and the second-highest points in each game."""
    designs: tuple[Design, ...]
    """The results of the building designs, in the order of the card set."""
    usages: tuple[Usage, ...]
    """The average uses of each card, in the order of the rulebook."""


def summarise(sums: Totals) -> Summary:
    """Compute the summary of a study from its totals."""
    study, games = sums.study, max(1, sums.games)
    triggers = dict(sums.named("trigger"))
    return Summary(
        study=study,
        games=sums.games,
        broken_off=sums.total("broken_off"),
        shared=sums.total("shared"),
        verdict=sums.verdict,
        standings=_standings(sums),
        meetings=_meetings(sums),
        chairs=tuple([_chair(seat, sums) for seat in range(study.players)]),
        main_turns=tuple(sorted(sums.named("main_turns"))),
        turns=tuple(sorted(sums.named("turns"))),
        triggers=tuple([(each, triggers.get(each, 0)) for each in EndCondition]),
        valette=round(sums.total("valette") / games, 4),
        winner_points=round(sums.total("winner_points") / games, 4),
        margin=round(sums.total("margin") / games, 4),
        designs=tuple(_designs(sums)),
        usages=_usages(sums),
    )


# Bots and seats


def _standings(sums: Totals) -> tuple[Standing, ...]:
    """Return the results of the bots, beginning with the best."""
    elos = statistics.bradley_terry(_beaten(sums))
    decisions = dict(sums.named("decisions"))
    points, rounds = Counter[str](), defaultdict[str, Counter[float]](Counter)
    for bot, _, count in sums.named("points"):
        points[bot] += count
    last = ((bot, *met, 1) for bot, met in sums.round.items())
    for bot, won, seats, count in (*sums.named("round"), *last):
        rounds[bot][won / WHOLE_VICTORY / seats] += count
    standings = []
    for bot, (spent, longest) in sums.times.items():
        won, seats = sums.won(bot)
        standing = Standing(
            bot,
            seats,
            statistics.wilson(won, seats),
            statistics.around(rounds[bot]),
            round(points[bot] / seats, 4),
            round(elos.get(bot, 0.0), 2),
            round(spent / max(1, decisions[bot]), 4),
            longest,
        )
        standings.append(standing)
    return tuple(sorted(standings, key=lambda each: -each.share.estimate))


def _beaten(sums: Totals) -> Mapping[tuple[str, str], float]:
    """Return how often each bot ranked above each other bot; a tie adds one half to both."""
    return {(one, other): halves / 2 for one, other, halves in sums.named("ahead")}


def _meetings(sums: Totals) -> tuple[Meeting, ...]:
    beaten = _beaten(sums)
    return tuple(
        Meeting(one, other, statistics.wilson(ahead, round(ahead + beaten[other, one])))
        for (one, other), ahead in sorted(beaten.items())
    )


def _chair(seat: int, sums: Totals) -> Chair:
    points = sum([count for _, at, count in sums.named("points") if at == seat])
    won, games = sums.won(seat)
    return Chair(seat, statistics.wilson(won, games), round(points / max(1, games), 4))


# Buildings and cards


def _usual(sums: Totals) -> dict[tuple[str, int], float]:
    """Return each bot's win rate in each seat."""
    seats, won = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for bot, seat, twelfths, count in sums.named("share"):
        seats[bot, seat] += count
        won[bot, seat] += twelfths * count
    return {chair: won[chair] / WHOLE_VICTORY / seats[chair] for chair in seats}


def openings(sums: Totals, drafted: Totals | None = None) -> Openings:
    """Return the results of first buildings and of extra goods, for the opening book.

    The results of buildings are computed from `sums`, and those of extra goods from `drafted`.
    """
    houses, drafts = _fared(sums, "first"), {} if drafted is None else _fared(drafted, "drafted")
    return Openings(
        sums.study.players,
        opening_of(sums.study.rules),
        sums.games,
        tuple([_fortune(_chair(seat, sums)) for seat in range(sums.study.players)]),
        tuple([_of(drafts, seat, GOODS) for seat in range(sums.study.players) if drafts]),
        tuple([_of(houses, place, CHARACTERS) for place in range(1, FIRST_HOUSES + 1)]),
    )


def _fortune(chair: Chair) -> Fortune:
    return Fortune(round(chair.share.estimate, 4), round(chair.points, 2))


def _fared(sums: Totals, name: str) -> dict[tuple[int, str], Experience]:
    """Return the results of each extra good (`name` is ``drafted``) or first building (``first``).

    A key consists of a seat and its extra good, or of the ordinal number of a seat's building and
    the building's character.
    """
    usual, fared = _usual(sums), defaultdict[tuple[int, str], Counter[float]](Counter)
    for place, chosen, bot, seat, twelfths, count in sums.named(name):
        fared[place, chosen][twelfths / WHOLE_VICTORY - usual[bot, seat]] += count
    return {way: _experience(won) for way, won in fared.items()}


def _experience(won: Counter[float]) -> Experience:
    """Return the results of a choice; `won` counts seats by victory share minus usual win rate."""
    mean = statistics.around(won, -1, 1)
    return Experience(won.total(), round(mean.estimate, 4), round(mean.high - mean.estimate, 4))


def _of(
    fared: Mapping[tuple[int, str], Experience], place: int, ways: Iterable[T]
) -> dict[T, Experience]:
    """Return the results of the choices `ways`, in this order; `place` begins their keys."""
    return {way: fared[place, way] for way in ways if (place, way) in fared}


def _designs(sums: Totals) -> Iterator[Design]:
    usual = _usual(sums)
    turns = defaultdict[str, Counter[int]](Counter)
    for code, turn, count in sums.named("built"):
        turns[code][turn] += count
    beyond = defaultdict[str, Counter[float]](Counter)
    for code, bot, seat, twelfths, count in sums.named("owned"):
        beyond[code][twelfths / WHOLE_VICTORY - usual[bot, seat]] += count
    dealt, upgraded = dict(sums.named("dealt")), dict(sums.named("upgraded"))
    for building in sums.study.cards.buildings:
        code = building.code
        met = dealt.get(code, 0)
        yield Design(
            code,
            building.character,
            met,
            statistics.wilson(turns[code].total(), met),
            round(upgraded.get(code, 0) / max(1, met), 4),
            _middle(turns[code]),
            statistics.around(beyond[code], -1, 1),
        )


def _middle(counts: Counter[int]) -> float | None:
    """Return the median of numbers, given the count of each number; `None` without numbers."""
    if not (total := counts.total()):
        return None
    in_order = sorted(counts.items())
    return (
        statistics.ranked(in_order, (total - 1) // 2) + statistics.ranked(in_order, total // 2)
    ) / 2


def _usages(sums: Totals) -> tuple[Usage, ...]:
    used = {(rank, use): count for use, rank, count in sums.named("used")}
    games = max(1, sums.games)
    return tuple(
        Usage(character, *(round(used.get((rank, use), 0) / games, 4) for use in range(3)))
        for rank, character in enumerate(CHARACTERS)
    )
