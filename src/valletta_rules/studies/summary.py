"""The summary of a study: standings, seats, length of games, buildings, cards."""

from __future__ import annotations

import statistics as means
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import permutations
from typing import Any

import attrs

from valletta_rules.components.characters import Character
from valletta_rules.components.values import Value
from valletta_rules.events import EndCondition
from valletta_rules.studies.game import GameResult
from valletta_rules.studies.statistics import (
    ConfidenceInterval,
    SprtVerdict,
    around,
    bradley_terry,
    wilson,
)
from valletta_rules.studies.study import Results, Study


@attrs.frozen
class Standing(Value):
    """The results of a bot."""

    bot: str
    seats: int
    """The number of seats that it had in all games."""
    share: ConfidenceInterval
    """Its share of the victories, with Wilson's interval over these seats."""
    by_block: ConfidenceInterval
    """The same, with the interval from the spread of the blocks; those of one seed count as one."""
    points: float
    """Its points on average."""
    elo: float
    """Its Bradley-Terry rating from pairwise results; the mean of all bots is 0."""
    skill: tuple[float, float] | None
    """Its openskill rating and the uncertainty, if openskill is installed."""
    decision_ms: float
    """The CPU time of a decision on average, in milliseconds."""
    longest_ms: float
    """That of the longest decision."""


@attrs.frozen
class Meeting(Value):
    """How often one bot came in before another; a tie counts as one half."""

    one: str
    other: str
    ahead: ConfidenceInterval


@attrs.frozen
class Chair(Value):
    """The results of a seat, over all players in it."""

    seat: int
    share: ConfidenceInterval
    """Its share of the victories."""
    points: float
    """Its points on average."""


@attrs.frozen
class Design(Value):
    """The results of a building design; every copy that was dealt counts."""

    code: str
    character: Character
    dealt: int
    """How many copies were dealt."""
    built: ConfidenceInterval
    """The share of them that was built."""
    upgraded: float
    """The share of them that was upgraded."""
    turn: float | None
    """The median of the turns of its owners in which it was built."""
    beyond: ConfidenceInterval
    """By how much its owners' share of the victory exceeds that of their bots in their seats."""


@attrs.frozen
class Usage(Value):
    """The average uses of a kind of card in a game, by all players together."""

    character: Character
    played: float
    dismissed: float
    hired: float


@attrs.frozen
class Summary(Value):
    """The results of a study."""

    study: Study
    games: int
    """The number of games that count: those of complete blocks."""
    broken_off: int
    """How many of them took too many turns."""
    shared: int
    """How many had several winners."""
    verdict: SprtVerdict | None
    """The verdict of the test, if there is one."""
    standings: tuple[Standing, ...]
    """The bots, best first."""
    meetings: tuple[Meeting, ...]
    """Each bot against each other that it met."""
    chairs: tuple[Chair, ...]
    """The seats."""
    main_turns: tuple[tuple[int, int], ...]
    """The numbers of turns of the first seat before the final phase, with their counts of games."""
    turns: tuple[tuple[int, int], ...]
    """The numbers of its turns in all, with their counts of games."""
    triggers: tuple[tuple[EndCondition, int], ...]
    """In how many games each condition triggered the final phase."""
    valette: float
    """On which space Valette stood at the end, on average."""
    winner_points: float
    """The most points in a game, on average."""
    margin: float
    """The points between the best and the second, on average."""
    designs: tuple[Design, ...]
    """The designs of building, in the order of the card set."""
    usages: tuple[Usage, ...]
    """The kinds of card, in the order of the rulebook."""


def summarise(study: Study, results: Results) -> Summary:
    """Return the summary of a study's complete blocks."""
    games = tuple(game for block in study.complete(results) for game in block)
    ranked = [sorted(game.points, reverse=True) for game in games]
    triggers = Counter(each for game in games for each in game.course.triggers)
    return Summary(
        study=study,
        games=len(games),
        broken_off=sum(game.stop != "over" for game in games),
        shared=sum(len(game.winners) > 1 for game in games),
        verdict=study.verdict(results),
        standings=_standings(games),
        meetings=_meetings(games),
        chairs=tuple(_chair(seat, games) for seat in range(study.players)),
        main_turns=_counted(game.course.main_turns[0] for game in games),
        turns=_counted(game.course.turns[0] for game in games),
        triggers=tuple((each, triggers[each]) for each in EndCondition),
        valette=_mean(game.course.valette for game in games),
        winner_points=_mean(points[0] for points in ranked),
        margin=_mean(points[0] - points[1] for points in ranked),
        designs=_designs(study, games),
        usages=_usages(games),
    )


def _mean(values: Iterable[float]) -> float:
    """Return the mean, rounded as in a summary; 0 if there are no values."""
    found = list(values)
    return round(means.fmean(found), 4) if found else 0.0


def _counted(values: Iterable[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(values).items()))


# Bots


def _standings(games: Sequence[GameResult]) -> tuple[Standing, ...]:
    bots = dict.fromkeys(bot for game in games for bot in game.job.bots)
    elos, skills = bradley_terry(_beaten(games)), _skills(games)
    standings = []
    for bot in bots:
        seats = [
            (game, seat) for game in games for seat, name in enumerate(game.job.bots) if name == bot
        ]
        by_seed = defaultdict[int, list[float]](list)
        for game, seat in seats:
            by_seed[game.job.seed].append(game.shares[seat])
        decisions = sum(game.decisions[seat] for game, seat in seats)
        standing = Standing(
            bot,
            len(seats),
            wilson(sum(game.shares[seat] for game, seat in seats), len(seats)),
            around([*map(means.fmean, by_seed.values())]),
            _mean(game.points[seat] for game, seat in seats),
            round(elos.get(bot, 0.0), 2),
            skills.get(bot),
            round(sum(game.cpu_ms[seat] for game, seat in seats) / max(1, decisions), 4),
            max(game.longest_ms[seat] for game, seat in seats),
        )
        standings.append(standing)
    return tuple(sorted(standings, key=lambda each: -each.share.estimate))


def _beaten(games: Iterable[GameResult]) -> Mapping[tuple[str, str], float]:
    """Return how often each bot came in before each other; a tie is one half for both."""
    beaten = defaultdict[tuple[str, str], float](float)
    for game in games:
        for (one, place), (other, next_place) in permutations(
            zip(game.job.bots, game.places, strict=True), 2
        ):
            if one != other:
                beaten[one, other] += (place < next_place) + (place == next_place) / 2
    return beaten


def _meetings(games: Sequence[GameResult]) -> tuple[Meeting, ...]:
    beaten = _beaten(games)
    return tuple(
        Meeting(one, other, wilson(ahead, round(ahead + beaten[other, one])))
        for (one, other), ahead in sorted(beaten.items())
    )


def _skills(games: Iterable[GameResult]) -> Mapping[str, tuple[float, float]]:
    """Return ratings by openskill, if it is installed; the games are rated in their order."""
    try:
        model: Any = import_module("openskill.models").PlackettLuce()
    except ImportError:
        return {}
    ratings: dict[str, Any] = {}
    for game in games:
        bots = game.job.bots
        if len(set(bots)) < len(bots):  # it cannot rate a bot against itself
            continue
        teams = [[ratings.setdefault(bot, model.rating(name=bot))] for bot in bots]
        rated = model.rate(teams, ranks=list(map(float, game.places)))
        ratings.update((bot, team[0]) for bot, team in zip(bots, rated, strict=True))
    return {bot: (round(each.mu, 2), round(each.sigma, 2)) for bot, each in ratings.items()}


def _chair(seat: int, games: Sequence[GameResult]) -> Chair:
    share = wilson(sum(game.shares[seat] for game in games), len(games))
    return Chair(seat, share, _mean(game.points[seat] for game in games))


# Buildings and cards


def _designs(study: Study, games: Sequence[GameResult]) -> tuple[Design, ...]:
    chairs = defaultdict[tuple[str, int], list[float]](list)
    dealt = Counter[str]()
    built = defaultdict[str, list[tuple[tuple[str, int], float, int]]](list)
    upgraded = Counter[str]()
    for game in games:
        for seat, chair in enumerate(zip(game.job.bots, game.shares, strict=True)):
            chairs[chair[0], seat].append(chair[1])
        for site in game.course.sites:
            dealt[site.code] += 1
            upgraded[site.code] += site.upgraded is not None
            if site.owner is not None:
                owner = game.job.bots[site.owner], site.owner
                built[site.code].append((owner, game.shares[site.owner], site.built or 0))
    usual = {chair: means.fmean(shares) for chair, shares in chairs.items()}
    return tuple(
        Design(
            code := building.code,
            building.character,
            dealt[code],
            wilson(len(built[code]), dealt[code]),
            round(upgraded[code] / max(1, dealt[code]), 4),
            _middle([turn for _, _, turn in built[code]]),
            around([share - usual[owner] for owner, share, _ in built[code]], -1, 1),
        )
        for building in study.cards.buildings
    )


def _middle(values: Sequence[int]) -> float | None:
    """Return the median, if there is one."""
    return means.median(values) if values else None


def _usages(games: Sequence[GameResult]) -> tuple[Usage, ...]:
    """Return how often each kind of card was used in a game."""
    sums = {character: [0, 0, 0] for character in Character}
    for game in games:
        for cards in game.course.cards:
            for which, count in enumerate((cards.played, cards.dismissed, cards.hired)):
                sums[cards.character][which] += count
    return tuple(
        Usage(character, *(round(count / max(1, len(games)), 4) for count in counts))
        for character, counts in sums.items()
    )
