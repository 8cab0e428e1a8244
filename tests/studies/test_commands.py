"""Tests of the commands `valletta tournament` and `valletta report`."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

from tests.sources import ROOT
from valletta_rules import parse_record
from valletta_rules.bots.automatic import AutomaticBot, choose
from valletta_rules.cli import tournament
from valletta_rules.cli.main import main
from valletta_rules.studies import Study
from valletta_rules.studies.store import STUDY, read_store, replay_game
from valletta_rules.studies.summary import summarise

CASES = tomllib.loads(Path(__file__).with_name("refused.toml").read_text("utf-8"))

OPTIONS = ["--games", "4", "--max-turns", "6"]


def call(*arguments: object) -> int:
    """Run `valletta` with arguments and return the exit status."""
    return main([str(each) for each in arguments])


def test_the_tournament_command_prints_its_report_and_stores_its_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command `report` prints the same report from the stored games."""
    assert call("tournament", "random", "automatic", *OPTIONS, "--out", tmp_path) == 0
    output = capsys.readouterr()
    assert output.out.startswith("random - automatic: Hans im Glück")
    assert "Standings" in output.out
    assert not output.err
    sums = read_store(tmp_path)
    assert (sums.study.bots, sums.games) == (("random", "automatic"), 4)
    assert call("report", tmp_path) == 0
    assert capsys.readouterr().out == output.out


def test_a_resumed_tournament_has_the_same_report_as_an_uninterrupted_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is resumed with `--resume`, or with the same command and more games."""
    command = ["tournament", "random", "--max-turns", "6", "--out"]
    assert call(*command, tmp_path / "4", "--games", 4) == 0
    whole = capsys.readouterr().out
    assert call(*command, tmp_path / "2", "--games", 2) == 0
    capsys.readouterr()
    more = ["tournament", "random", "--max-turns", "6", "--games", 4, "--out"]
    for again in (more, ["tournament", "--resume"]):
        assert call(*again, tmp_path / "2") == 0
        assert _without_times(capsys.readouterr().out) == _without_times(whole)
        assert read_store(tmp_path / "2").games == 4


def test_the_report_command_with_the_number_of_a_game_prints_the_record_of_this_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bots play the game again. If the number does not exist, the exit status is 2."""
    assert call("tournament", "random", "automatic", *OPTIONS, "--out", tmp_path) == 0
    capsys.readouterr()
    assert call("report", tmp_path, "--game", 3) == 0
    record = parse_record(capsys.readouterr().out)
    assert record == replay_game(tmp_path, 3)
    for number in (4, -1):
        assert call("report", tmp_path, "--game", number) == 2
        assert f"this study has no game {number}" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="needs a closed pipe")
def test_the_report_command_exits_with_status_1_if_the_reader_of_its_output_has_exited(
    tmp_path: Path,
) -> None:
    """Status 2 would mean that the folder contains no valid tournament."""
    assert call("tournament", "random", "automatic", *OPTIONS, "--out", tmp_path) == 0
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-u", "-m", "valletta_rules", "report", str(tmp_path)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def _without_times(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("random ")]


def test_the_options_of_a_tournament_set_its_rules_cards_players_and_seed(tmp_path: Path) -> None:
    """An edition and its variants are written as in a record: "z-man+start-player"."""
    cards = tmp_path / "cards.toml"
    built_in = Path(tournament.__file__).parents[1] / "card_sets" / "reconstruction.toml"
    cards.write_text(built_in.read_text("utf-8").replace('"Reconstruction', '"Mine'), "utf-8")
    rules = ["--rules", "z-man+start-player", "--cards", cards, "--players", 3, "--seed", 5]
    assert call("tournament", "random", *OPTIONS, *rules, "--out", tmp_path / "out") == 0
    study = read_store(tmp_path / "out").study
    assert (study.rules.start_player_variant, study.rules.name) == (True, "Z-Man")
    assert study.cards.name.startswith("Mine")
    assert (study.players, study.seed) == (3, 5)


@pytest.mark.parametrize(("arguments", "complaint"), CASES["tournaments"])
def test_the_tournament_command_with_an_invalid_option_exits_with_status_2_and_a_message(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No folder is created. `refused.toml` lists the options and the messages."""
    options = ["--games", 1, "--max-turns", 1, *arguments, "--out", tmp_path / "out"]
    assert call("tournament", *options) == 2
    output = capsys.readouterr()
    assert output.err.startswith("valletta tournament: ")
    assert complaint in output.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("command", "folder", "complaint"), CASES["folders"])
def test_a_command_with_a_wrong_study_folder_exits_with_status_2_and_a_message(
    command: str, folder: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For example, the folder is missing, or `--resume` is combined with other options."""
    (tmp_path / "file").write_text("")
    (tmp_path / STUDY).mkdir()
    assert call(*command.split(), tmp_path / folder) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (ValueError("too tired"), "valletta tournament: too tired\n"),
        (OSError("no paper"), "valletta tournament: no paper\n"),
        (KeyError("Maid"), "KeyError: 'Maid'\n"),
    ],
)
def test_an_error_raised_by_a_bot_is_reported_with_the_bot_its_seat_and_the_seed(
    error: Exception,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The user can reproduce the error with this information."""

    def fail(bot: AutomaticBot, view: object) -> object:
        raise error

    monkeypatch.setattr(AutomaticBot, "decide", fail)
    command = ["tournament", "automatic", "random", *OPTIONS, "--out", tmp_path]
    assert call(*command) == 2
    notes = capsys.readouterr().err.partition(message)[2].splitlines()
    assert notes[0] == "when automatic had to answer, in seat 0"
    assert "seed=1000" in notes[1]


def test_the_example_bot_in_the_guide_to_comparing_bots_has_ten_lines_and_beats_a_random_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command names the bot by module and class. Bots that cannot be loaded cause an error."""
    guide = (ROOT / "docs" / "howto" / "compare_bots.rst").read_text("utf-8")
    block = guide.partition(".. testcode::\n\n")[2].partition("\n\n")[0]
    assert len(block.splitlines()) <= 10
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.chdir(tmp_path)
    Path("my_bot.py").write_text(dedent(block), "utf-8")
    bots = ("my_bot:MyBot", "random")
    command = ["tournament", *bots, "--games", 20, "--seed", 1, "--out", "match"]
    assert call(*command) == 0
    capsys.readouterr()
    standings = {each.bot: each for each in summarise(read_store("match")).standings}
    assert standings["my_bot:MyBot"].share.low > 0.6
    assert call("report", "match", "--game", 3) == 0
    monkeypatch.setattr(sys, "path", sys.path[1:])
    monkeypatch.delitem(sys.modules, "my_bot")
    Path("my_bot.py").rename("gone.py")
    capsys.readouterr()
    assert call("report", "match", "--game", 3) == 2
    assert "cannot be loaded: ModuleNotFoundError" in capsys.readouterr().err
    Path("gone.py").rename("my_bot.py")
    for name, message in (
        ("my_bot:Second", "cannot be loaded: AttributeError: "),
        ("no_module:Bot", "cannot be loaded: ModuleNotFoundError: "),
        ("builtins:divmod", "the option y of the bot 'builtins:divmod' needs a default"),
        ("builtins:repr", "has no method decide"),
        ("my_bot:MyBot:worlds=3", "my_bot:MyBot has no option 'worlds'"),
    ):
        assert call("tournament", name, "random", "--out", "new") == 2
        assert message in capsys.readouterr().err
    with pytest.raises(
        TypeError, match="a bot must be a string such as 'my_module:MyBot', not <function"
    ):
        Study((choose, "random"))  # type: ignore[arg-type]


def test_the_option_executor_of_a_tournament_names_a_function_that_creates_the_executor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option contains the module and the name of a function or class.

    If the executor breaks, the command prints an error.
    """
    monkeypatch.setattr(sys, "path", sys.path[:])
    command = ["tournament", "random", *OPTIONS, "--out", tmp_path, "--executor"]
    assert call(*command, "tests.studies.executors:open_broken") == 2
    assert "valletta tournament: broken" in capsys.readouterr().err
    assert call(*command, "valletta_rules.studies.run:InlineExecutor") == 0
    assert read_store(tmp_path).games == 4


@pytest.mark.parametrize(
    ("accepted", "hypotheses", "games"), [(1, "200,300", 64), (0, "-1000,-900", 64), (3, "0,35", 4)]
)
def test_the_exit_status_of_a_tournament_is_the_verdict_of_its_sequential_test(
    accepted: int, hypotheses: str, games: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the test, all games are truncated and count as ties. Status 3 means no verdict."""
    options = ["--games", games, "--max-turns", 1, f"--sprt={hypotheses}", "--out", tmp_path]
    assert call("tournament", "random", "automatic", *options) == accepted
    assert "SPRT of" in capsys.readouterr().out


def test_a_tournament_prints_its_progress_to_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line contains the number of games, the games per second, and a win rate.

    The win rate is that of the first bot or, with a single bot, of the first seat.
    """
    monkeypatch.setattr(tournament, "EVERY", 0.0)
    assert call("tournament", "random", *OPTIONS, "--out", tmp_path / "1") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("4 of 4 games, ")
    assert lines[-1].endswith(" a second, first seat 50 % [15, 85]")
