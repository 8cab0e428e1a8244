"""Tests of the analysis of a game, of `valletta analyse`, and of analysis documents."""

import json
import math
import random
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import attrs
import jsonschema
import pytest

import valletta_rules as vr
from spec.checks import random_games
from valletta_rules import analysis, native, studies
from valletta_rules.bots import LEVELS, make_bot
from valletta_rules.cli.analyse import FAULTY
from valletta_rules.cli.main import main

pytestmark = pytest.mark.usefixtures("alone")


IS_NIGHT = random_games.PROFILE.max_examples > 400

GAMES = {2: 200, 3: 120, 4: 80} if IS_NIGHT else {2: 2, 3: 1, 4: 1}
"""The number of games from which the mean luck is computed, keyed by number of players."""

SEED = random.SystemRandom().randrange(2**32) if IS_NIGHT else 56

LEAST = 10
"""The minimum number of measurements for testing a mean."""

SURE = 4.5
"""The maximum distance of a mean from 0, in standard errors.

It is large because about 50 means are tested, with different games each night.
"""

Kinds = dict[tuple[analysis.LuckSource, int, vr.Phase, str], list[float]]
"""Measurements of luck by source, seat, phase and unit: `points`, or `chance` (to win)."""


def played(*specs: str, seed: int = 3) -> vr.Record:
    """Play a game between the bots `specs` and return its record."""
    session = vr.Session(len(specs), seed=seed)
    bots = [make_bot(spec, random.Random(f"{seed} {seat}")) for seat, spec in enumerate(specs)]
    while session.prompt is not None:
        seat = session.prompt.seat
        assert seat is not None, "chance is resolved"
        session.play(bots[seat].decide(vr.view(session.state, seat)))
    return session.record


RECORD = played("random", "planner")
with pytest.MonkeyPatch.context() as patch:
    patch.setattr(analysis.settling.Trials, "are_possible", lambda *_: False)
    ANALYSIS = analysis.analyse(RECORD)


def settled(moves: int, patch: pytest.MonkeyPatch) -> analysis.Analysis:
    """Analyse the first `moves` moves of a game with a few rollouts."""
    patch.setattr(analysis.settling.Trials, "are_possible", lambda *_: True)
    patch.setattr(analysis.game, "WORLDS", {2: (4, 12)})
    return analysis.analyse(attrs.evolve(RECORD, actions=RECORD.actions[:moves]))


@pytest.mark.skipif(not native.available, reason="rollouts need the native backend")
def test_a_loss_measured_by_rollouts_exceeds_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer whose loss is within the error counts as the best answer."""
    analysed = settled(140, monkeypatch)
    assert any(each.lost_points for each in analysed.decisions)
    for each in analysed.decisions:
        assert each.error is not None
        assert not each.lost_points or each.lost_points > each.error
        assert (each.best == each.action) is (each.lost_points == 0)


def test_a_random_bot_loses_over_ten_times_as_many_points_as_the_planner() -> None:
    """The losses are those that the analysis computes for a game between the two bots."""
    rash, strong = ANALYSIS.summaries
    assert rash.lost_points / rash.decisions > 0.25
    assert strong.lost_points / strong.decisions < 0.05
    assert rash.lost_points > 10 * strong.lost_points


def test_the_course_of_a_game_has_the_turn_numbers_of_the_record_and_ends_with_the_scores() -> None:
    """The course has an entry for the start of each turn, and one for the end of the game."""
    *_, end = vr.replay(RECORD)
    turns = vr.format_record(RECORD).count("\nturn ")
    assert [each.turn for each in ANALYSIS.course] == [*range(1, turns + 1), turns]
    ended = vr.outcome(end.state)
    assert ended is not None
    assert ANALYSIS.course[-1].points == tuple(score.total for score in ended.scores)


@pytest.mark.parametrize(
    ("worse", "lost", "band"),
    [
        (8, 0.0, analysis.Band.CLUB),
        (9, 0.099, analysis.Band.EXPERT),
        (9, 0.1, analysis.Band.CLUB),
        (18, 0.1, analysis.Band.REGULAR),
        (33, 0.099, analysis.Band.EXPERT),
        (34, 0.0, analysis.Band.NOVICE),
    ],
)
def test_the_band_of_bot_levels_depends_on_the_share_of_worse_answers_and_on_points_lost(
    worse: int, lost: float, band: analysis.Band
) -> None:
    """Each case has the number of worse answers in 100, and the mean loss in points."""
    one = attrs.evolve(ANALYSIS.decisions[0], error=1.0, lost_points=lost)
    decisions = [attrs.evolve(one, searched_loss=each < worse) for each in range(100)]
    assert analysis.played_like(decisions) is band


def test_no_band_of_bot_levels_is_reported_for_few_decisions_or_without_rollouts() -> None:
    """At least 40 decisions are needed. Rollouts must have measured each of them."""
    one = attrs.evolve(ANALYSIS.decisions[0], error=1.0)
    assert analysis.played_like([one] * 40) is not None
    assert analysis.played_like([one] * 39) is None
    assert analysis.played_like([one] * 40 + [attrs.evolve(one, error=None)]) is None


def test_every_bot_level_belongs_to_exactly_one_band_of_levels() -> None:
    """The bands list the levels in order of strength."""
    assert [each for band in analysis.Band for each in analysis.LEVELS_OF[band]] == [*LEVELS]


def test_losses_grades_and_totals_of_an_analysis_are_consistent() -> None:
    """Losses are never negative. Reasons are listed only for answers below the grade *good*."""
    for each in ANALYSIS.decisions:
        assert each.lost_points >= 0 <= each.lost_chance
        assert bool(each.parts) == (each.grade is not analysis.Grade.GOOD)
        assert each.grade is analysis.grade_of(each.lost_points, each.lost_chance)
        assert RECORD.actions[each.move] == each.action
    for own in ANALYSIS.summaries:
        decisions = [each for each in ANALYSIS.decisions if each.seat == own.seat]
        assert sum(own.grades.values()) == own.decisions == len(decisions)
        assert own.lost_points == pytest.approx(sum(each.lost_points for each in decisions), abs=1)


@pytest.mark.parametrize(
    ("points", "chance", "grade", "lower"),
    [
        (1, 0.02, analysis.Grade.INACCURACY, analysis.Grade.GOOD),
        (2, 0.05, analysis.Grade.MISTAKE, analysis.Grade.INACCURACY),
        (4, 0.10, analysis.Grade.BLUNDER, analysis.Grade.MISTAKE),
    ],
)
def test_an_answer_has_a_grade_if_it_loses_enough_points_and_enough_chance_to_win(
    points: float, chance: float, grade: analysis.Grade, lower: analysis.Grade
) -> None:
    """If one of the losses is slightly below its limit, the next milder grade applies."""
    assert analysis.grade_of(points, chance) is grade
    assert (
        analysis.grade_of(points - 0.01, chance)
        is analysis.grade_of(points, chance - 0.0001)
        is lower
    )


def test_the_course_of_a_finished_game_ends_with_chances_to_win_of_0_and_1() -> None:
    """The course lists the chances of all players during the game. They always add up to 1."""
    last = ANALYSIS.course[-1]
    session = vr.Session.resume(RECORD)
    result = vr.outcome(session.state)
    assert result is not None
    assert last.chances == tuple(float(seat in result.winners) for seat in (0, 1))
    assert all(sum(each.chances) == pytest.approx(1, abs=1e-3) for each in ANALYSIS.course)
    assert [each.move for each in ANALYSIS.course] == sorted(each.move for each in ANALYSIS.course)


def drawn_again(record: vr.Record, luck: analysis.Luck, hands: int) -> list[vr.Record]:
    """Return copies of a record with other hands for the turn that `luck` evaluates.

    Each copy ends before this turn.  The analysis compares the drawn hand with these hands.
    """
    states = [record.start, *[step.state for step in vr.replay(record)]]
    draws = [state.prompt == vr.DrawPrompt(luck.seat) for state in states[: luck.move]]
    last = max(move for move in range(luck.move) if draws[move])
    first = max(move for move in range(last + 1) if not draws[move - 1])
    rng, records = random.Random(luck.move), []
    for _ in range(hands):
        state, drawn = states[first], list[vr.Action]()
        while state.prompt == vr.DrawPrompt(luck.seat):
            drawn.append(vr.sample_chance(state, rng))
            state = vr.apply(state, drawn[-1])
        actions = (*record.actions[:first], *drawn, *record.actions[last + 1 : luck.move])
        records.append(attrs.evolve(record, actions=actions))
    return records


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_luck_of_all_hands_that_the_analysis_compares_adds_up_to_zero(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drawn hand is compared with other hands that could have been drawn.

    The tested turns are the first one, one after a reshuffle, and each seat's first final turn.
    """
    monkeypatch.setattr(analysis.game, "judge", lambda *_: None)
    monkeypatch.setattr(analysis.game, "HANDS", 2)
    record = played(*["automatic"] * players, seed=players)
    card_luck = [
        each for each in analysis.analyse(record).luck if each.source is analysis.LuckSource.CARDS
    ]
    steps = [*vr.replay(record)]
    began = next(n for n, step in enumerate(steps, 1) if step.state.phase is vr.Phase.FINAL)
    amid, seat = next(
        (move, event.seat)
        for move, (action, step) in enumerate(zip(record.actions, steps, strict=True))
        for event in step.events
        if isinstance(action, vr.DrawCard) and isinstance(event, vr.Reshuffled)
    )
    final = [each for each in card_luck if each.move >= began]
    chosen = [
        card_luck[0],
        next(each for each in card_luck if each.move > amid and each.seat == seat),
    ]
    chosen += {each.seat: each for each in reversed(final)}.values()
    assert len(chosen) == 2 + players
    for luck in chosen:
        judged = [analysis.analyse(each).luck[-1] for each in drawn_again(record, luck, 2)]
        assert {(each.move, each.source) for each in judged} == {
            (luck.move, analysis.LuckSource.CARDS)
        }
        assert sum(each.points for each in judged) == pytest.approx(0, abs=0.02)
        assert sum(each.chance for each in judged) == pytest.approx(0, abs=0.0002)


def test_the_luck_of_the_deal_is_the_advantage_of_the_seat_in_the_opening_book() -> None:
    """With cards that are not built in, the analysis lists no luck of the deal."""
    deal = [each for each in ANALYSIS.luck if each.source is analysis.LuckSource.DEAL]
    assert [each.seat for each in deal] == [0, 1]
    assert 0.05 < deal[0].chance == -deal[1].chance < 0.2
    assert 3 < deal[0].points == -deal[1].points < 3.5
    assert not any(isinstance(each, vr.PlayCard) for each in RECORD.actions[: deal[0].move])
    other = attrs.evolve(RECORD, cards=attrs.evolve(RECORD.cards, name="Mine"))
    assert not any(each.source is analysis.LuckSource.DEAL for each in analysis.analyse(other).luck)


def test_turning_points_are_the_five_largest_changes_by_at_least_5_percentage_points() -> None:
    """A turning point is a change in a player's chance to win.

    Changes before turn 1 are left out.
    """
    luck = [
        analysis.Luck(1, 0, 0, analysis.LuckSource.DEAL, 0.0, 0.9),
        analysis.Luck(2, 1, 0, analysis.LuckSource.CARDS, 0.0, 0.0499),
    ]
    luck += [
        analysis.Luck(move, 1, 0, analysis.LuckSource.CARDS, 0.0, chance)
        for move, chance in ((3, -0.05), (4, 0.6))
    ]
    assert [each.move for each in analysis.game._turning_points((), luck)] == [3, 4]
    luck += [
        analysis.Luck(move, 1, 1, analysis.LuckSource.BARREL, 0.0, 0.5) for move in range(5, 9)
    ]
    assert [each.move for each in analysis.game._turning_points((), luck)] == [4, 5, 6, 7, 8]


def test_the_numbers_in_an_analysis_are_rounded_to_keep_documents_short() -> None:
    """Chances have four decimals, points and totals two, and parts of a difference three."""
    every: list[Any] = [*ANALYSIS.decisions, *ANALYSIS.luck, *ANALYSIS.course]
    for each in (*every, *ANALYSIS.turning_points, *ANALYSIS.summaries):
        for name, value in attrs.asdict(each, recurse=False).items():
            digits = 4 if "chance" in name and each not in ANALYSIS.summaries else 2
            figures = [
                x for x in (value if isinstance(value, tuple) else (value,)) if type(x) is float
            ]
            assert figures == [round(x, digits) for x in figures], name
            parts = value if name == "parts" else ()
            assert all(share.points == round(share.points, 3) for share in parts)


def answers(record: vr.Record) -> list[str]:
    """Return the notation of each action of a record."""
    return [vr.format_action(action) for action in record.actions]


def turning(judged: analysis.Analysis) -> list[tuple[int, int, int, bool, float]]:
    """Return the fields `move`, `turn`, `seat`, `is_luck` and `chance` of each turning point."""
    return [
        (each.move, each.turn, each.seat, each.is_luck, each.chance)
        for each in judged.turning_points
    ]


def test_the_luck_of_the_deal_equals_that_computed_by_hand() -> None:
    """A seat's luck is the difference between its statistics in the opening book and the mean.

    The average points of the three seats are 59.3, 57.39 and 55.45.
    Their leads are therefore 1.91, -1.91 and -3.85, and the mean lead is -1.28.
    Their chances to win are 0.4577, 0.3182 and 0.224, and the mean chance is a third.
    The deal is not a turning point, even if the difference in chance exceeds the limit.
    """
    whole = played("random", "random", "random", seed=5)
    analysed = analysis.analyse(attrs.evolve(whole, actions=whole.actions[:43]))
    deal = [each for each in analysed.luck if each.source is analysis.LuckSource.DEAL]
    assert [(each.move, each.turn, each.points, each.chance) for each in deal] == [
        (43, 0, 3.19, 0.1244),
        (43, 0, -0.63, -0.0151),
        (43, 0, -2.57, -0.1093),
    ]
    assert [(each.seat, each.grade, each.lost_points) for each in analysed.decisions] == [
        (seat, analysis.Grade.GOOD, lost) for seat, lost in ((2, 0.33), (1, 0.0), (0, 0.0))
    ]
    assert analysed.turning_points == ()
    (start, *_) = analysed.course
    assert (start.move, start.turn, start.seat) == (43, 1, 0)
    assert {*start.points} == {33.12, 32.79}
    first = analysed.summaries[0]
    assert (first.deal_points, first.luck_points) == (3.19, 3.04)


def test_the_loss_of_an_answer_in_the_last_turn_equals_that_computed_by_hand() -> None:
    """In the last turn, seat 0 has 45 points and 6 houses.

    Seat 1 has 53 points and 8 houses.
    If seat 0 upgrades site 8 for 5 goods, it ends with 48 points and loses.
    If it builds on sites 3 and 11 first, it ends with 53 points and 8 houses and shares the
    victory.
    """
    record = played("random", "random", seed=54)
    assert answers(record)[512:] == ["builder", "upgrade 8", "pay 1g 3w 1s", "woodworker"]
    analysed = analysis.analyse(record)
    *_, played_builder, upgraded, paid = analysed.decisions
    assert played_builder.lost_points == played_builder.lost_chance == paid.lost_chance == 0.0
    assert (upgraded.move, upgraded.turn, upgraded.seat, upgraded.lead) == (513, 67, 0, -1.66)
    assert vr.format_action(upgraded.best) == "build 3"
    assert (upgraded.chance, upgraded.lost_chance, upgraded.lost_points) == (0.5, 0.5, 4.67)
    assert [(each.part, each.points) for each in upgraded.parts] == [
        (analysis.ValuePart.POINTS, 6.0),  # 18 scored and 25 of buildings, and not 16 and 21
        (analysis.ValuePart.GOODS, -1.331),
    ]
    assert upgraded.grade is analysis.Grade.BLUNDER
    assert analysed.course[-1].chances == (0.0, 1.0)
    assert turning(analysed) == [
        (154, 17, 0, True, -0.2733),
        (163, 18, 1, False, -0.3787),
        (203, 23, 0, False, -0.2565),
        (287, 34, 1, False, -0.2574),
        (513, 67, 0, False, -0.5),
    ]
    loser, winner = analysed.summaries
    assert loser.grades == dict(zip(analysis.Grade, (84, 32, 17, 6), strict=True))
    assert winner.grades == dict(zip(analysis.Grade, (104, 20, 22, 3), strict=True))
    assert (loser.lost_points, round(loser.lost_a_decision, 2)) == (173.93, 1.25)
    assert (winner.luck_points, winner.deal_points) == (-3.02, -3.06)


def test_an_answer_that_loses_points_but_shares_the_victory_loses_no_chance() -> None:
    """The answer with the larger expected lead is *Stone Sculptor*, but it loses the game.

    Both players would have 47 points and 4 goods, but 7 and 8 houses.
    The answer *Pius* shares the victory: both players have 47 points and 8 houses.
    """
    whole = played("random", "random", seed=55)
    record = attrs.evolve(whole, actions=(*whole.actions[:562], vr.PlayCard(vr.Character.PIUS)))
    analysed = analysis.analyse(record)
    last = analysed.decisions[-1]
    assert (last.move, last.seat, vr.format_action(last.best)) == (562, 1, "stone_sculptor")
    assert (last.lead, last.chance, last.lost_points) == (0.22, 0.0, 0.5)
    assert (last.lost_chance, last.grade, last.parts) == (0.0, analysis.Grade.GOOD, ())
    assert turning(analysed) == [
        (294, 37, 0, False, -0.3182),
        (346, 44, 1, False, -0.2685),
        (420, 54, 1, False, -0.3286),
        (503, 65, 0, False, -0.3603),
        (509, 66, 1, False, -0.27),
    ]


def test_later_moves_do_not_change_the_analysis_of_earlier_decisions() -> None:
    """The first 120 moves are analysed alone and as a part of the whole game."""
    half = attrs.evolve(RECORD, actions=RECORD.actions[:120])
    assert analysis.analyse(half).decisions == tuple(e for e in ANALYSIS.decisions if e.move < 120)
    assert analysis.analyse(attrs.evolve(RECORD, actions=())).course == ()


def test_an_answer_is_judged_only_by_the_view_of_the_seat_that_gave_it() -> None:
    """From this view alone, `judge` returns the same decision. Only its move and turn differ."""
    judged = next(each for each in ANALYSIS.decisions if each.grade is not analysis.Grade.GOOD)
    state = [RECORD.start, *[step.state for step in vr.replay(RECORD)]][judged.move]
    alone = analysis.game.judge(vr.view(state, judged.seat), judged.action)
    assert alone == attrs.evolve(judged, move=0, turn=0)
    for seat in (None, 1 - judged.seat):
        with pytest.raises(ValueError, match="must answer"):
            analysis.game.judge(vr.view(state, seat), judged.action)


def test_analysing_a_record_with_an_illegal_move_raises_a_record_error() -> None:
    """The first move of the game is repeated as move 51."""
    with pytest.raises(vr.RecordError, match=r"GAM-|SET-|TRN-|."):
        analysis.analyse(attrs.evolve(RECORD, actions=RECORD.actions[:50] + RECORD.actions[:1]))


# The command


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Write a record to a file and return the path."""
    vr.write_record(RECORD, tmp_path / "game.txt")
    return str(tmp_path / "game.txt")


def test_the_analyse_command_prints_charts_of_chances_and_points_and_the_turning_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The option `--language` determines the language of the headings."""
    written = tmp_path / "analysis.json"
    written.write_text(analysis.analysis_to_json(ANALYSIS))
    for language, titles in (
        ("en", ("Chance to win (a", "Expected points at the end (a", "Turning points")),
        ("de", ("Gewinnchance (ein", "Erwartete Punkte am Ende (ein", "Wendepunkte")),
    ):
        assert main(["analyse", str(written), "--language", language]) == 0
        lines = capsys.readouterr().out.splitlines()
        places = [[line.startswith(title) for line in lines].index(True) for title in titles]
        chances, points, turning = places
        assert any("\u2581" in line for line in lines[chances:points])
        assert any("\u2588" in line for line in lines[points:turning])


def test_the_analyse_command_prints_the_whole_analysis_as_json(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Parsing the output gives an equal analysis."""
    assert main(["analyse", file, "--format", "json"]) == 0
    output = capsys.readouterr().out
    assert analysis.analysis_from_json(output) == ANALYSIS
    assert output == f"{analysis.analysis_to_json(ANALYSIS, indent=2)}\n"


def test_the_analyse_command_prints_the_same_report_for_its_json_as_for_the_record(
    tmp_path: Path, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Damaged documents, and documents whose record has an illegal move, are refused."""
    assert main(["analyse", file]) == 0
    output = capsys.readouterr().out
    written = tmp_path / "analysis.json"
    written.write_text(analysis.analysis_to_json(ANALYSIS))
    assert main(["analyse", str(written)]) == 0
    assert capsys.readouterr().out == output
    written.write_text("{}")
    assert main(["analyse", str(written)]) == FAULTY
    assert "valletta_rules" in capsys.readouterr().err
    moves = (RECORD.actions[-1], *RECORD.actions[1:])
    document = json.loads(analysis.analysis_to_json(ANALYSIS))
    document["value"]["record"]["actions"][0] = json.loads(vr.to_json(moves[0]))["value"]
    written.write_text(json.dumps(document))
    assert main(["analyse", str(written)]) == FAULTY
    assert "move 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("players",), 2, r"\$\.value"),
        (("decisions", 0, "lead"), "1.5", "a number"),
        (("decisions", 0, "lead"), True, "a number"),
        (("decisions", 0, "move"), 10_000, "a move or a seat"),
        (("decisions", 0, "move"), 1, "differs from the action"),
        *(
            ((part, 0, name), wrong, "a move or a seat")
            for part in ("decisions", "luck", "course", "turning_points")
            for name, wrong in (("seat", 2), ("move", len(RECORD.actions) + 1))
        ),
        (("summaries",), [], "one summary"),
        (("summaries", 0, "seat"), 1, "one summary"),
        (("course", 0, "chances"), [0.5], "points and chances"),
        (("course", 0, "points"), [0.5], "points and chances"),
    ],
)
def test_an_analysis_document_with_inconsistent_values_is_refused_with_the_reason(
    path: tuple[str | int, ...], value: object, reason: str
) -> None:
    """The test changes the value at `path` in a valid document."""
    document = json.loads(analysis.analysis_to_json(ANALYSIS))
    *way, last = path
    inner = document["value"]
    for key in way:
        inner = inner[key]
    inner[last] = value
    with pytest.raises(vr.CodecError, match=reason):
        analysis.analysis_from_json(json.dumps(document))


def test_infinite_and_overlong_numbers_in_an_analysis_document_are_refused() -> None:
    """JSON has no NaN and no infinity. The number of digits in a fraction is limited."""
    text = analysis.analysis_to_json(ANALYSIS)
    lead = f'"lead":{ANALYSIS.decisions[0].lead}'
    assert lead in text
    for wrong in ("NaN", "Infinity", "1e999", f"1.{'1' * 5000}"):
        with pytest.raises(vr.CodecError, match="lead"):
            analysis.analysis_from_json(text.replace(lead, f'"lead":{wrong}', 1))


def test_the_schema_of_analyses_accepts_an_analysis_and_rejects_an_additional_key() -> None:
    """The schema file in the package equals the schema generated from the types."""
    schema = json.loads(analysis.ANALYSIS_SCHEMA.read_text("utf-8"))
    assert analysis.ANALYSIS_SCHEMA.read_text("utf-8") == analysis.documents.schema_text()
    document = json.loads(analysis.analysis_to_json(ANALYSIS))
    jsonschema.Draft202012Validator(schema).validate(document)
    del document["value"]["decisions"][1:]
    document["value"]["decisions"][0]["more"] = 1
    assert not jsonschema.Draft202012Validator(schema).is_valid(document)


def test_the_analyse_command_exits_with_status_2_if_the_file_does_not_exist(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The message contains the file name."""
    assert main(["analyse", "nowhere.txt"]) == FAULTY
    assert "nowhere.txt" in capsys.readouterr().err


def read(game: vr.Record, every: Kinds) -> None:
    """Append the amounts of luck in the analysis of `game` to the lists in `every`."""
    analysed = analysis.analyse(game)
    phases = [game.start.phase, *(step.state.phase for step in vr.replay(game))]
    for each in analysed.luck:
        kind = each.source, each.seat, phases[each.move]
        every[*kind, "points"].append(each.points)
        every[*kind, "chance"].append(each.chance)


@pytest.mark.parametrize("players", GAMES)
def test_the_mean_luck_in_many_games_is_zero_within_its_error(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Luck with cards and barrels is averaged for each seat and phase.

    In each game, the luck of the deal adds up to 0.
    """
    monkeypatch.setattr(analysis.game._Reader, "_judge", lambda *_: None)
    every: Kinds = defaultdict(list)
    for number in range(GAMES[players]):
        read(studies.play_game(studies.Job(("regular",) * players, SEED + number)).record, every)
    dealt = [
        each
        for kind, amounts in every.items()
        if kind[0] is analysis.LuckSource.DEAL
        for each in amounts
    ]
    assert math.fsum(dealt) == pytest.approx(0, abs=0.02 * len(dealt))
    counted = 0
    for kind, amounts in every.items():
        if kind[0] is not analysis.LuckSource.DEAL and len(amounts) >= LEAST:
            error = stdev(amounts) / math.sqrt(len(amounts))
            assert abs(fmean(amounts)) <= SURE * error, (players, SEED, kind, fmean(amounts), error)
            counted += 1
    assert counted >= players
