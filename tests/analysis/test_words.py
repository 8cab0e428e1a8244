"""Tests of the sentences that describe hints and analyses."""

import attrs
import pytest

import valletta_rules as vr
from tests.positions import position, seat
from valletta_rules import words
from valletta_rules.analysis import Analysis, Decision, Grade, Luck, LuckSource, Share, ValuePart
from valletta_rules.analysis import words as sentences
from valletta_rules.analysis.game import SeatSummary, TurningPoint
from valletta_rules.words import ENGLISH, GERMAN

MAID, SHOPKEEPER = vr.PlayCard(vr.Character.MAID), vr.PlayCard(vr.Character.SHOPKEEPER)

ASKING = position(
    seat(hand=vr.CardBag.of(vr.Character.MAID, vr.Character.SHOPKEEPER)),
    seat(),
    agenda=(vr.PlayPrompt(0, 3), vr.EndTurn(0)),
)

PARTS = tuple(
    Share(part, points)
    for part, points in (
        *(
            (ValuePart.POINTS, 6.04),
            (ValuePart.GOODS, -1.525),
            (ValuePart.TEMPO, 0.15),
            (ValuePart.HAND, 0.15),
        ),
        (ValuePart.RIVALS, 0.149),
    )
)


def decision(move: int, lost: float, grade: Grade = Grade.BLUNDER) -> Decision:
    """Return a decision that lost `lost` points, and 0.125 of the chance to win."""
    shared = {"turn": 4, "seat": 0, "plan": (), "lead": 1.0, "chance": 0.5, "lost_chance": 0.125}
    shared |= {"searched_loss": 0.5, "error": 1.24}
    return Decision(
        move=move,
        action=MAID,
        best=SHOPKEEPER,
        lost_points=lost,
        grade=grade,
        parts=PARTS,
        **shared,  # type: ignore[arg-type]
    )


def analysis(*decisions: Decision, luck: tuple[Luck, ...] = ()) -> Analysis:
    """Return an analysis with a turning point for each decision and each stroke of luck."""
    by_source = {"deal_points": 2.55, "cards_points": -0.01, "barrel_points": -4.16}
    mine = SeatSummary(0, 139, 17, 22, 10, 209.06, -1.62, **by_source)
    points = [TurningPoint(each.move, each.turn, each.seat, False, -0.125) for each in decisions]
    points += [TurningPoint(each.move, each.turn, each.seat, True, each.chance) for each in luck]
    record = vr.Record(players=2, actions=(MAID,) * 20)
    rest = tuple(points), (mine, attrs.evolve(mine, seat=1, luck_points=0.04))
    return Analysis(record, decisions, luck, (), *rest)


def test_the_package_words_exports_the_functions_that_describe_an_analysis() -> None:
    """Any other name raises an `AttributeError`."""
    assert words.describe_advice is sentences.describe_advice
    for name in ("describe_nothing", "worst"):
        with pytest.raises(AttributeError, match=name):
            getattr(words, name)


def test_points_are_written_with_their_sign_and_one_decimal() -> None:
    """The minus sign is U+2212, zero has a plus sign, and German uses a decimal comma."""
    assert [sentences.signed(ENGLISH, each) for each in (1.44, -1.46, -0.04, 0)] == [
        *("+1.4", "\u22121.5", "+0.0", "+0.0"),
    ]
    assert sentences.signed(GERMAN, -12.25) == "\u221212,2"


def test_the_table_of_losses_and_luck_has_a_row_for_each_player() -> None:
    """Amounts of luck have a sign, but the average loss per decision has none."""
    headings, lines = sentences.describe_play(ENGLISH, analysis(), ("Ann", "Bo"))
    assert headings == (
        *("Player", "Decisions", "Inaccuracies", "Mistakes", "Blunders"),
        *("Points lost a decision", "Played like", "Luck in points"),
        *("\u2026 by the seat", "\u2026 by cards drawn", "\u2026 by barrels"),
    )
    luck = ("+2.5", "+0.0", "\u22124.2")
    assert lines == (
        ("Ann", 139, 17, 22, 10, "1.50", "\u2013", "\u22121.6", *luck),
        ("Bo", 139, 17, 22, 10, "1.50", "\u2013", "+0.0", *luck),
    )


def test_the_table_of_losses_and_luck_names_the_bot_level_closest_to_each_player() -> None:
    """No level is named for a player with too few decisions. Names are in the table's language."""
    analysed = analysis(*(decision(move, 4.5) for move in range(20)))
    many = attrs.evolve(analysed, decisions=analysed.decisions * 2)
    for language, level in ((ENGLISH, "Novice"), (GERMAN, "Einsteiger")):
        _, (mine, other) = sentences.describe_play(language, many, ("Ann", "Bo"))
        assert (mine[6], other[6]) == (level, "\u2013")


def test_the_description_of_a_plan_names_each_card_and_its_effect() -> None:
    """Payments and declined effects are left out. An answer without a plan is described in full."""
    built = (vr.PlayCard(vr.Character.BUILDER), vr.Build(3), vr.Pay(vr.Goods(1, 0, 0, 0)))
    for language, text in (
        (ENGLISH, "Builder: build {} on site 3, then Maid: take 1 gold"),
        (GERMAN, "Baumeister: {} auf Bauplatz 3 bauen, dann Magd: 1 Gold nehmen"),
    ):
        named = language.form(ASKING.display[3])
        plan = (*built[1:], MAID, vr.TakeGood(vr.Good.GOLD))
        assert sentences.describe_plan(language, ASKING, built[0], plan) == text.format(named)
        alone = sentences.describe_plan(language, ASKING, built[0], (vr.Decline(),))
        assert alone == language.describe_action(ASKING, built[0])
    vain = vr.PlayCard(vr.Character.MAID, use_effect=False)
    text = sentences.describe_plan(
        ENGLISH, ASKING, vr.TakeGood(vr.Good.WOOD), (vain, vr.Upgrade(3))
    )
    assert text.startswith("take 1 wood, play the Maid without effect, upgrade ")


def test_the_note_on_the_limits_of_an_analysis_names_the_method_used() -> None:
    """A decision without an estimated error was judged without rollouts."""
    settled = decision(2, 4.48)
    assert "played on to their end" in sentences.describe_limits(ENGLISH, analysis(settled))
    alone = attrs.evolve(settled, move=3, error=None)
    assert "backend is missing" in sentences.describe_limits(ENGLISH, analysis(settled, alone))


def test_the_sentence_on_a_turning_point_names_player_turn_and_change_of_chance() -> None:
    """A better answer is named only in the list of the largest losses."""
    luck = [Luck(5, 3, 1, source, 1.0, 0.234) for source in LuckSource]
    luck = [attrs.evolve(each, move=5 + number) for number, each in enumerate(luck)]
    analysed = analysis(decision(2, 4.48), luck=tuple(luck))
    assert [*sentences.describe_points(ENGLISH, analysed, [ASKING] * 21, ("Ann", "Bo"))] == [
        (
            2,
            "Ann, turn 4: Blunder (chance to win 38 instead of 50 %) \u2013 "
            "play the Maid (take 1 good of any kind).",
        ),
        (5, "Bo: the seat dealt, chance to win +23 percentage points."),
        (6, "Bo, turn 3: the cards drawn, chance to win +23 percentage points."),
        (7, "Bo, turn 3: the barrel revealed, chance to win +23 percentage points."),
    ]


def test_the_sentence_on_an_answer_names_the_card_that_caused_the_prompt() -> None:
    """The sentence also lists the three largest parts of the loss."""
    lost = decision(2, 4.48)
    worse = sentences.describe_decision(ENGLISH, ASKING, lost)
    assert worse == (
        "Blunder \u2013 play the Maid (take 1 good of any kind) "
        "(4.5 \u00b1 1.2 points worse, chance to win 38 instead of 50 %). "
        "Better: play the Shopkeeper (take 1 gold) "
        "(gain: points +6.0, goods in stock \u22121.5, pace of the game +0.1)."
    )
    prompted = attrs.evolve(ASKING, played=(vr.Character.BUILDER,))
    built = sentences.describe_decision(ENGLISH, prompted, attrs.evolve(lost, action=vr.Build(3)))
    assert built.startswith("Blunder \u2013 Builder: build ")
    played = sentences.describe_decision(ENGLISH, prompted, lost)
    assert played == worse


def test_the_list_of_worst_answers_contains_the_ten_largest_losses() -> None:
    """Answers with the grade *good* are left out, even if their loss is larger."""
    good = decision(0, 99, Grade.GOOD)
    decisions = sentences.worst(
        analysis(good, *(decision(move, move / 2) for move in range(1, 13)))
    )
    assert [each.move for each in decisions] == [*range(12, 2, -1)]
