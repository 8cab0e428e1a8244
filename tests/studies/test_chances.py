"""Tests of the command that fits a curve of winning chances, and of the curve in the package."""

import json
import random
from pathlib import Path

import attrs
import pytest

from docs.studies import chances, make
from valletta_rules import Session, legal_actions
from valletta_rules.analysis.chances import CURVE, Curve, chances_to_win
from valletta_rules.studies import Store, run_study

SOME = Curve(1.5, 1.2, 2.5)


def drawn(number: int) -> list[chances.Moment]:
    """Simulate moments of games: the expected points, the turns left, the mover and the winner.

    The winners are drawn with the probabilities of the curve `SOME`.
    """
    rng, known = random.Random(4), list[chances.Moment]()
    for _ in range(number):
        players = rng.choice((2, 3))
        points = tuple(rng.gauss(50, 5) for _ in range(players))
        left, mover = rng.uniform(0, 12), rng.randrange(players)
        probabilities = chances_to_win(points, left, mover, SOME)
        (winner,) = rng.choices(range(players), probabilities)
        won = tuple(float(seat == winner) for seat in range(players))
        known.append(chances.Moment(points, left, mover, won))
    return known


def test_fitting_a_curve_to_simulated_games_recovers_the_curve_of_the_simulation() -> None:
    """Players win about as often as the fitted curve predicts."""
    known = drawn(1500)
    curve = chances.fit(known)
    least = chances.surprise(curve, known)
    assert least <= chances.surprise(SOME, known)
    assert attrs.astuple(curve) == pytest.approx(attrs.astuple(SOME), abs=0.6)
    for change in (-0.3, 0.3):
        assert least < chances.surprise(attrs.evolve(curve, to_move=curve.to_move + change), known)
    rows = chances.calibration(curve, known)
    assert sum(count for count, _, _ in rows) == sum(len(each.points) for each in known)
    for count, predicted, won in rows:
        assert won == pytest.approx(predicted, abs=2 / count**0.5)


def test_each_turn_becomes_a_data_point_with_the_player_to_move_and_the_result() -> None:
    """The curve is fitted to these points. The number of remaining turns decreases to 0."""
    session = Session(3, seed=1)
    while session.prompt is not None:
        session.play(legal_actions(session.state)[0])
    known = [*chances.moments(session.record)]
    assert known[0].mover == 0
    assert known[1].mover == 1
    assert {each.won for each in known} == {known[0].won}
    assert sum(known[0].won) == pytest.approx(1)
    assert known[0].left > known[-1].left == 0


def test_the_chances_command_fits_a_curve_to_the_games_of_a_study_and_writes_it_to_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file has the same keys as the one in the package.

    The study has a few games of a weak bot.
    """
    known = json.loads(chances.FITTED.read_text())
    monkeypatch.setattr(chances, "FITTED", tmp_path / "chances.json")
    for name, study in make.cells("automatic", "", 2, 0).items():
        with Store(tmp_path / make.folder_name(name), study) as store:
            run_study(store)
    chances.main([str(tmp_path), "--bot", "automatic", "--games", "2"])
    written = json.loads((tmp_path / "chances.json").read_text())
    assert Curve(**written["curve"]).spread > 0
    assert written.keys() == known.keys()
    assert (written["bot"], written["games"]) == ("automatic", 2)


def test_the_published_curve_predicts_victories_within_8_percentage_points() -> None:
    """The calibration in its file was measured with games that were not used in the fit."""
    written = json.loads(chances.FITTED.read_text())
    assert Curve(**written["curve"]) == CURVE
    assert len(written["calibration"]) == 10
    for count, predicted, won in written["calibration"]:
        assert count > 500
        assert won == pytest.approx(predicted, abs=0.08)
