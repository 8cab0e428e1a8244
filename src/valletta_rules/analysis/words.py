"""Functions that describe hints, their reasons, and the analysis of a game in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from valletta_rules.actions import Action, Build, Decline, Pay, PlayCard, Upgrade
from valletta_rules.analysis.adviser import Advice, Suggestion
from valletta_rules.analysis.bands import played_like
from valletta_rules.analysis.game import LIMITS, Analysis, Decision, Grade, Luck, LuckSource
from valletta_rules.analysis.value_parts import Parts
from valletta_rules.words.language import Asking, Language, board_of

MOST_ANSWERS: Final = 10
"""The maximum number of answers in the list of the largest losses."""

MOST_PARTS: Final = 3
"""The maximum number of parts of a difference that a sentence lists."""

LEAST_PART: Final = 0.15
"""The minimum share of a part, in points, for a sentence to mention the part."""


def signed(language: Language, number: float) -> str:
    """Return points as text, with the sign and the decimal separator of `language`: ``+1.4``."""
    written = f"{number:+.1f}".replace("-0.0", "+0.0").replace("-", "\u2212")
    return written.replace(".", language.phrase("console.decimal"))


def percent(chance: float) -> str:
    """Return a chance as a percentage without the percent sign: ``45`` for a chance of 0.45."""
    return f"{100 * chance:.0f}"


def describe_parts(language: Language, parts: Parts) -> str:
    """Describe the parts of a difference, the largest part first; empty if all parts are small."""
    named = [each for each in parts if abs(each.points) >= LEAST_PART][:MOST_PARTS]
    return ", ".join(
        language.phrase(f"advice.parts.{each.part}", points=signed(language, each.points))
        for each in named
    )


def _because(language: Language, parts: Parts, key: str = "advice.because") -> str:
    reasons = describe_parts(language, parts)
    return language.phrase(key, parts=reasons) if reasons else ""


def describe_loss(language: Language, points: float, error: float | None = None) -> str:
    """Return a loss in points, with its error if the error is known: ``3.2 ± 1.1``."""
    lost, within = (
        signed(language, abs(each)).removeprefix("+") for each in (points, error or 0.0)
    )
    return language.phrase("advice.lost", points=f"{lost} \u00b1 {within}" if error else lost)


def describe_plan(
    language: Language, position: Asking, action: Action, plan: Sequence[Action] = ()
) -> str:
    """Describe an answer and the rest of its turn: ``Maid: take 1 gold, then \u2026``.

    `position` is the position or view with the prompt, `action` is the answer, and `plan` contains
    the actions that follow.  `Pay` and `Decline` actions in `plan` are left out.  If `plan`
    contains nothing else, the result is that of `Language.describe_action`.
    """
    follows = [each for each in plan if not isinstance(each, Pay | Decline)]
    if not follows:
        return language.describe_action(position, action)
    cards = [[""]]
    for each in (action, *follows):
        if isinstance(each, PlayCard) and each.use_effect:
            cards.append([language.short_names[each.character]])
        elif isinstance(each, Build | Upgrade):
            building = board_of(position).display[each.site]
            kind = f"advice.{type(each).__name__}"
            cards[-1].append(language.phrase(kind, building=building, site=each.site))
        else:
            cards[-1].append(language.describe_briefly(each))
    phrases = (": ".join(filter(None, (card, ", ".join(does)))) for card, *does in cards)
    return language.phrase("advice.then").join(filter(None, phrases))


def describe_advice(language: Language, position: Asking, advice: Advice) -> tuple[str, ...]:
    """Return one or two sentences on each suggested answer.

    `position` is the position or view with the prompt.
    """
    return tuple(" ".join(filter(None, each)) for each in advised(language, position, advice))


def advised(language: Language, position: Asking, advice: Advice) -> Iterator[tuple[str, str]]:
    """Yield, for each suggested answer, a sentence without figures and a text with its figures.

    `position` is the position or view with the prompt.  The second text is empty for an
    alternative that is about as good as the best answer.
    """
    best, *others = advice.suggestions
    yield _on_best(language, position, best)
    for each in others:
        yield _on_other(language, position, best, each)


def _on_best(language: Language, position: Asking, best: Suggestion) -> tuple[str, str]:
    action = describe_plan(language, position, best.action, best.plan)
    reason = describe_gain(language, best)
    sentence = language.phrase("advice.best", action=f"{action}; {reason}" if reason else action)
    lead, chance = signed(language, best.lead), percent(best.chance)
    key = "advice.lead" if best.error is not None else "advice.lead_by_search"
    figures = language.phrase(key, lead=lead, chance=chance)
    parts = describe_parts(language, best.parts)
    return (
        sentence,
        f"{figures} {language.phrase('advice.adds', parts=parts)}" if parts else figures,
    )


def describe_gain(language: Language, best: Suggestion) -> str:
    """Describe the largest gain from the best answer; empty if every gain is small."""
    gained = [each for each in best.parts if each.points >= LEAST_PART]
    return language.phrase(f"advice.gains.{gained[0].part}") if gained else ""


def _on_other(
    language: Language, position: Asking, best: Suggestion, other: Suggestion
) -> tuple[str, str]:
    action = describe_plan(language, position, other.action, other.plan)
    if other.is_equal:
        return language.phrase("advice.equal", action=action), ""
    kind = "tempting" if other.is_tempting else "next"
    figures = language.phrase(
        f"advice.{kind}_worse",
        lost=describe_loss(language, best.lead - other.lead, other.error),
        chance=percent(other.chance),
        parts=_because(language, other.parts),
    )
    return language.phrase(f"advice.{kind}", action=action), figures


def describe_decision(language: Language, position: Asking, decision: Decision) -> str:
    """Describe the loss of an answer, a better answer, and the reasons.

    `position` is the position before the answer, or the view of the seat that answered.
    """
    return language.phrase(
        "analysis.decision",
        lost=describe_loss(language, decision.lost_points, decision.error),
        best=describe_plan(language, position, decision.best, decision.plan),
        parts=_because(language, decision.parts, "analysis.gain"),
        **_graded(language, position, decision),
    )


def _graded(language: Language, position: Asking, decision: Decision) -> dict[str, str]:
    """Return the grade, the answer, and the chances to win after it and the best answer, as texts.

    If a played card led to the prompt, the text of the answer begins with the name of the card.
    """
    action = language.describe_action(position, decision.action)
    played = board_of(position).played
    if played and not isinstance(decision.action, PlayCard):
        action = f"{language.short_names[played[-1]]}: {action}"
    return {
        "grade": language.phrase(f"analysis.grades.{decision.grade.value}"),
        "action": action,
        "chance": percent(decision.chance - decision.lost_chance),
        "best_chance": percent(decision.chance),
    }


def describe_luck(language: Language, luck: Luck, names: Sequence[str]) -> str:
    """Describe a stroke of luck: the player, the turn, and the change in the chance to win."""
    return language.phrase(
        f"analysis.luck_{luck.source.value}",
        name=names[luck.seat],
        turn=luck.turn,
        chance=f"{100 * luck.chance:+.0f}".replace("-", "\u2212"),
    )


Cells = tuple[str | int, ...]
"""The cells of a table row."""


def describe_play(
    language: Language, analysis: Analysis, names: Sequence[str]
) -> tuple[tuple[str, ...], tuple[Cells, ...]]:
    """Return a table of the players' losses and luck, as headings and rows."""
    phrase, counted = language.phrase, [grade for grade in Grade if grade is not Grade.GOOD]
    lines: tuple[Cells, ...] = tuple(
        (
            names[each.seat],
            each.decisions,
            *(each.grades[grade] for grade in counted),
            f"{each.lost_a_decision:.2f}".replace(".", phrase("console.decimal")),
            _band(language, [one for one in analysis.decisions if one.seat == each.seat]),
            *(
                signed(language, points)
                for points in (
                    each.luck_points,
                    each.deal_points,
                    each.cards_points,
                    each.barrel_points,
                )
            ),
        )
        for each in analysis.summaries
    )
    headings = (
        *(phrase(f"analysis.{key}") for key in ("player", "decisions")),
        *(phrase(f"analysis.counts.{grade.value}") for grade in counted),
        *(phrase(f"analysis.{key}") for key in ("lost_a_decision", "played_like", "luck")),
        *(phrase(f"analysis.of_{source.value}") for source in LuckSource),
    )
    return headings, lines


def _band(language: Language, decisions: Sequence[Decision]) -> str:
    band = played_like(decisions)
    return language.phrase(f"analysis.bands.{band.value}") if band else "\u2013"


def worst(analysis: Analysis) -> list[Decision]:
    """Return the inaccuracies, mistakes and blunders with the largest losses, the largest first."""
    graded = [each for each in analysis.decisions if each.grade is not Grade.GOOD]
    return sorted(graded, key=lambda each: -each.lost_points)[:MOST_ANSWERS]


def describe_points(
    language: Language, analysis: Analysis, states: Sequence[Asking], names: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Yield the number of moves before each turning point, and a sentence on the turning point.

    `states` contains the position before each move.
    """
    decisions = {each.move: each for each in analysis.decisions}
    luck = {(each.move, each.chance): each for each in analysis.luck}
    for point in analysis.turning_points:
        if point.is_luck:
            yield point.move, describe_luck(language, luck[point.move, point.chance], names)
        else:
            decision = decisions[point.move]
            graded = _graded(language, states[point.move], decision)
            when = _when(language, decision, names)
            yield point.move, language.phrase("analysis.turning_answer", when=when, **graded)


def describe_when(
    language: Language, decision: Decision, states: Sequence[Asking], names: Sequence[str]
) -> str:
    """Describe an answer, its player, turn and loss.

    `states` contains the position before each move.
    """
    when = _when(language, decision, names)
    return f"{when}: {describe_decision(language, states[decision.move], decision)}"


def describe_question(
    language: Language, decision: Decision, states: Sequence[Asking], names: Sequence[str]
) -> str:
    """Return a question that states an answer, its grade and turn, and asks for a better answer.

    `states` contains the position before each move.
    """
    return language.phrase(
        "analysis.question",
        when=_when(language, decision, names),
        **_graded(language, states[decision.move], decision),
    )


def _when(language: Language, decision: Decision, names: Sequence[str]) -> str:
    return language.phrase("analysis.when", name=names[decision.seat], turn=decision.turn)


def describe_limits(language: Language, analysis: Analysis) -> str:
    """Describe the method by which answers were judged, and the minimum losses of each grade."""
    by_search = any(each.error is None for each in analysis.decisions)
    judge = language.phrase(f"analysis.{'by_search' if by_search else 'by_rollouts'}")
    return language.phrase("analysis.limits", judge=judge, **dict(_limits(language)))


def _limits(language: Language) -> Iterator[tuple[str, str]]:
    for grade, points, chance in LIMITS:
        text = language.phrase("analysis.limit", points=round(points), chance=percent(chance))
        yield grade.value, text
