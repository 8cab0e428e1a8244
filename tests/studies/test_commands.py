"""`valletta tournament` and `valletta report`."""

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
    """Run a command line."""
    return main([str(each) for each in arguments])


def test_a_tournament_is_played_and_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table goes to standard output, the games to the folder."""
    assert call("tournament", "random", "automatic", *OPTIONS, "--out", tmp_path) == 0
    told = capsys.readouterr()
    assert told.out.startswith("random - automatic: Hans im Glück")
    assert "Standings" in told.out
    assert not told.err
    sums = read_store(tmp_path)
    assert (sums.study.bots, sums.games) == (("random", "automatic"), 4)
    assert call("report", tmp_path) == 0
    assert capsys.readouterr().out == told.out


def test_a_resumed_tournament_has_the_same_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is resumed with --resume, or with the same command again, also with more games."""
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


def test_the_record_of_a_game_is_printed_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bots play it again, and it can be replayed; an unknown number is refused."""
    assert call("tournament", "random", "automatic", *OPTIONS, "--out", tmp_path) == 0
    capsys.readouterr()
    assert call("report", tmp_path, "--game", 3) == 0
    record = parse_record(capsys.readouterr().out)
    assert record == replay_game(tmp_path, 3)
    for number in (4, -1):
        assert call("report", tmp_path, "--game", number) == 2
        assert f"there is no game {number} in this study" in capsys.readouterr().err


def _without_times(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("random ")]


def test_rules_and_cards_are_those_of_the_options(tmp_path: Path) -> None:
    """Editions and variants are in one text, as in records."""
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
def test_invalid_parameters_of_a_game_are_refused(
    arguments: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message describes the problem, and no file is left behind."""
    options = ["--games", 1, "--max-turns", 1, *arguments, "--out", tmp_path / "out"]
    assert call("tournament", *options) == 2
    told = capsys.readouterr()
    assert told.err.startswith("valletta tournament: ")
    assert complaint in told.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("command", "folder", "complaint"), CASES["folders"])
def test_an_unsuitable_folder_is_refused(
    command: str, folder: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So is resuming without a study, or with options; the message names each of them."""
    (tmp_path / "file").write_text("")
    (tmp_path / STUDY).mkdir()
    assert call(*command.split(), tmp_path / folder) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("too tired"), "valletta tournament: too tired\n"),
        (OSError("no paper"), "valletta tournament: no paper\n"),
        (KeyError("Maid"), "KeyError: 'Maid'\n"),
    ],
)
def test_an_error_of_a_bot_is_reported_with_its_game(
    error: Exception,
    told: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message has the bot, its seat and the seed."""

    def fail(bot: AutomaticBot, view: object) -> object:
        raise error

    monkeypatch.setattr(AutomaticBot, "decide", fail)
    command = ["tournament", "automatic", "random", *OPTIONS, "--out", tmp_path]
    assert call(*command) == 2
    notes = capsys.readouterr().err.partition(told)[2].splitlines()
    assert notes[0] == "when automatic had to answer, in seat 0"
    assert "seed=1000" in notes[1]


def test_the_bot_of_the_guide_plays_and_beats_random_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has ten lines, and is named by its module, in the current folder, and its class."""
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
    for name, said in (
        ("my_bot:Second", "cannot be loaded: AttributeError: "),
        ("no_module:Bot", "cannot be loaded: ModuleNotFoundError: "),
        ("builtins:divmod", "the bot 'builtins:divmod' has no default for y"),
        ("builtins:repr", "has no method decide"),
        ("my_bot:MyBot:worlds=3", "my_bot:MyBot has no option 'worlds'"),
    ):
        assert call("tournament", name, "random", "--out", "new") == 2
        assert said in capsys.readouterr().err
    with pytest.raises(TypeError, match="a bot is named, as in 'my_module:MyBot', not <function"):
        Study((choose, "random"))  # type: ignore[arg-type]


def test_a_custom_executor_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function of a module opens it; an executor that breaks is reported."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    command = ["tournament", "random", *OPTIONS, "--out", tmp_path, "--executor"]
    assert call(*command, "tests.studies.executors:open_broken") == 2
    assert "valletta tournament: broken" in capsys.readouterr().err
    assert call(*command, "valletta_rules.studies.run:InlineExecutor") == 0
    assert read_store(tmp_path).games == 4


@pytest.mark.parametrize(
    ("accepted", "hypotheses", "games"), [(1, "200,300", 64), (0, "-1000,-900", 64), (3, "0,35", 4)]
)
def test_the_exit_status_is_the_verdict(
    accepted: int, hypotheses: str, games: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Truncated games are shared: not better than 0, better than -900."""
    options = ["--games", games, "--max-turns", 1, f"--sprt={hypotheses}", "--out", tmp_path]
    assert call("tournament", "random", "automatic", *options) == accepted
    assert "SPRT of" in capsys.readouterr().out


def test_progress_goes_to_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the number of games, the speed, and the share of the first bot."""
    monkeypatch.setattr(tournament, "EVERY", 0.0)
    assert call("tournament", "random", *OPTIONS, "--out", tmp_path / "1") == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith("4 of 4 games, ")
    assert lines[-1].endswith(" a second, first seat 50 % [15, 85]")
