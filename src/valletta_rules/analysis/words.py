"""What the adviser thinks, in words: hints with reasons, and the analysis of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from valletta_rules.analysis import (
    Advice,
    Analysis,
    Decision,
    Grade,
    Luck,
    LuckSource,
    Parts,
    Suggestion,
)
from valletta_rules.analysis.adviser import EQUAL
from valletta_rules.analysis.game import LIMITS
from valletta_rules.words.language import Asking, Language

MOST_ANSWERS: Final = 10
"""How many of the answers that lost most are listed."""

MOST_PARTS: Final = 3
"""How many parts of a difference are named."""

LEAST_PART: Final = 0.15
"""The least share of a difference, in points, that is named."""


def signed(language: Language, number: float) -> str:
    """Return a number of points with its sign, as a language writes it: ``+1.4``."""
    written = f"{number:+.1f}".replace("-0.0", "+0.0").replace("-", "\u2212")
    return written.replace(".", language.say("console.decimal"))


def percent(chance: float) -> str:
    """Return a chance in percent, without the sign of percent."""
    return f"{100 * chance:.0f}"


def describe_parts(language: Language, parts: Parts) -> str:
    """Return what a difference is made of, the largest parts first; nothing if all are small."""
    named = [each for each in parts if abs(each.points) >= LEAST_PART][:MOST_PARTS]
    return ", ".join(
        language.say(f"advice.parts.{each.part}", points=signed(language, each.points))
        for each in named
    )


def _because(language: Language, parts: Parts) -> str:
    said = describe_parts(language, parts)
    return language.say("advice.because", parts=said) if said else ""


def describe_loss(language: Language, points: float) -> str:
    """Return how many points something loses."""
    return language.say("advice.lost", points=signed(language, abs(points)).removeprefix("+"))


def describe_advice(language: Language, position: Asking, advice: Advice) -> tuple[str, ...]:
    """Return a sentence or two on each answer of an advice.

    Takes the position or view that asks.
    """
    return tuple(" ".join(filter(None, each)) for each in advised(language, position, advice))


def advised(language: Language, position: Asking, advice: Advice) -> Iterator[tuple[str, str]]:
    """Run through the answers of an advice: a sentence without figures on each, and its figures.

    Takes the position or view that asks.  There are no figures of an answer as good as the best.
    """
    best, *others = advice.suggestions
    yield _on_best(language, position, best)
    for each in others:
        yield _on_other(language, position, best, each)


def _on_best(language: Language, position: Asking, best: Suggestion) -> tuple[str, str]:
    action, reason = language.describe_action(position, best.action), describe_gain(language, best)
    said = language.say("advice.best", action=f"{action}; {reason}" if reason else action)
    lead, chance = signed(language, best.lead), percent(best.chance)
    figures = language.say("advice.lead", lead=lead, chance=chance)
    parts = describe_parts(language, best.parts)
    return said, f"{figures} {language.say('advice.adds', parts=parts)}" if parts else figures


def describe_gain(language: Language, best: Suggestion) -> str:
    """Say in words what the best answer brings above all; nothing if that is little."""
    gained = [each for each in best.parts if each.points >= LEAST_PART]
    return language.say(f"advice.gains.{gained[0].part}") if gained else ""


def _on_other(
    language: Language, position: Asking, best: Suggestion, other: Suggestion
) -> tuple[str, str]:
    action = language.describe_action(position, other.action)
    if (lost := best.lead - other.lead) <= EQUAL:
        return language.say("advice.equal", action=action), ""
    kind = "tempting" if other.is_tempting else "next"
    figures = language.say(
        f"advice.{kind}_worse",
        lost=describe_loss(language, lost),
        chance=percent(other.chance),
        parts=_because(language, other.parts),
    )
    return language.say(f"advice.{kind}", action=action), figures


def describe_decision(language: Language, position: Asking, decision: Decision) -> str:
    """Return what an answer lost, and what would have been better, and why.

    Takes the position in which it was given, or the view of its seat.
    """
    return language.say(
        "analysis.decision",
        grade=language.say(f"analysis.grades.{decision.grade.value}"),
        action=language.describe_action(position, decision.action),
        lost=signed(language, -decision.lost_points),
        chance=f"\u2212{percent(decision.lost_chance)}",
        best=language.describe_action(position, decision.best),
        parts=_because(language, decision.parts),
    )


def describe_luck(language: Language, luck: Luck, names: Sequence[str]) -> str:
    """Return whom chance gave something, or took it from, and when."""
    return language.say(
        f"analysis.luck_{luck.source.value}",
        name=names[luck.seat],
        turn=luck.turn,
        chance=f"{100 * luck.chance:+.0f}".replace("-", "\u2212"),
    )


Cells = tuple[str | int, ...]
"""A line of a table."""


def describe_play(
    language: Language, analysis: Analysis, names: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Cells, ...]]:
    """Return the headings of a table of the play and the luck of the players, and its lines."""
    say, counted = language.say, [grade for grade in Grade if grade is not Grade.GOOD]
    lines: tuple[Cells, ...] = tuple(
        (
            names[each.seat],
            each.decisions,
            *(each.grades[grade] for grade in counted),
            signed(language, each.lost_points).removeprefix("+"),
            f"{percent(each.lost_chance)} %",
            signed(language, each.luck_points),
            *(
                f"{100 * chance:+.0f} %".replace("-0 ", "+0 ").replace("-", "\u2212")
                for chance in (
                    each.luck_chance,
                    each.deal_chance,
                    each.cards_chance,
                    each.barrel_chance,
                )
            ),
        )
        for each in analysis.summaries
    )
    headings = (
        *(say(f"analysis.{key}") for key in ("player", "decisions")),
        *(say(f"analysis.counts.{grade.value}") for grade in counted),
        *(say(f"analysis.{key}") for key in ("lost_points", "lost_chance")),
        *(say(f"analysis.{key}") for key in ("luck", "luck_chance")),
        *(say(f"analysis.of_{source.value}") for source in LuckSource),
    )
    return headings, lines


def worst(analysis: Analysis) -> list[Decision]:
    """Return the answers that lost most."""
    graded = [each for each in analysis.decisions if each.grade is not Grade.GOOD]
    return sorted(graded, key=lambda each: -each.lost_points)[:MOST_ANSWERS]


def describe_points(
    language: Language, analysis: Analysis, states: Sequence[Asking], names: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Run through the turning points: how many moves come before each, and what it is.

    Takes the positions before all moves.
    """
    decisions = {each.move: each for each in analysis.decisions}
    luck = {(each.move, each.chance): each for each in analysis.luck}
    for point in analysis.turning_points:
        if point.is_luck:
            yield point.move, describe_luck(language, luck[point.move, point.chance], names)
        else:
            yield point.move, describe_when(language, decisions[point.move], states, names)


def describe_when(
    language: Language, decision: Decision, states: Sequence[Asking], names: Sequence[str]
) -> str:
    """Return who gave an answer and when, and what it lost; takes the positions of the game."""
    when = language.say("analysis.when", name=names[decision.seat], turn=decision.turn)
    return f"{when}: {describe_decision(language, states[decision.move], decision)}"


def describe_limits(language: Language) -> str:
    """Return by what answers are judged, and from which loss on they are graded."""
    return language.say("analysis.limits", **dict(_limits(language)))


def _limits(language: Language) -> Iterator[tuple[str, str]]:
    for grade, points, chance in LIMITS:
        said = language.say("analysis.limit", points=round(points), chance=percent(chance))
        yield grade.value, said
