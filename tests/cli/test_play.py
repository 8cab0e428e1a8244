"""A person plays in the terminal."""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    Action,
    Character,
    GameState,
    Goods,
    PlayerView,
    Session,
    parse_record,
    position_after,
    view,
)
from valletta_rules.agenda import PaymentPrompt, SitePrompt
from valletta_rules.bots import registry
from valletta_rules.bots.protocol import Plan
from valletta_rules.cli.console import PAGE, Console, choices_of
from valletta_rules.cli.main import main
from valletta_rules.cli.screen import Screen, columns, wants_colour
from valletta_rules.cli.table import TerminalTable
from valletta_rules.views.redaction import RedactedEvent

COMMANDS = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))

C = Character
Play = Callable[..., str]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Return a function that types lines at the terminal and returns what is printed."""

    def run(lines: Sequence[str], *argv: str, status: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        assert main(["play", "--seed", "3", *argv]) == status
        captured = capsys.readouterr()
        return captured.out + captured.err

    return run


GREEDY = [word for _ in range(400) for word in ("1", "-")]
"""Lines of somebody who takes what is offered first, and builds nothing if 1 is no site."""


# Whole games


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ((), "Score sheet"),
        (("--rules", "z-man", "--players", "3", "--language", "de"), "Wertung"),
        (("--rules", "reference-manual", "--bot", "random"), "Score sheet"),
    ],
)
def test_a_person_plays_a_whole_game(play: Play, options: tuple[str, ...], result: str) -> None:
    """Whoever always takes the first offer comes to the end of a game, within 80 columns."""
    told = play(GREEDY, *options)
    assert result in told
    assert "(SCO-" in told
    assert max(len(line.removeprefix("  > ")) for line in told.splitlines()) <= 80


def test_only_the_persons_own_cards_are_named(play: Play) -> None:
    """What others draw is not told, nor are their hands."""
    turns = re.split(r"\n(?=(?:Red|Blue), turn )", play(GREEDY))
    assert "Opening hand    draws " in turns[0]
    assert any("Refill" in turn and "draws " in turn for turn in turns if turn.startswith("Red"))
    assert not any("draws " in turn for turn in turns if turn.startswith("Blue"))


@pytest.mark.parametrize("lines", [[], ["q"], ["QUIT "], ["1"]])
def test_the_game_can_be_left(play: Play, lines: list[str]) -> None:
    """By a word, or when the input ends."""
    assert play(lines).endswith("The game is left unfinished.\n")


# Commands


@pytest.mark.parametrize(("typed", "answer"), COMMANDS["at_the_terminal"])
def test_a_command_is_answered_and_the_question_stands(play: Play, typed: str, answer: str) -> None:
    """After any of them, the question can be answered."""
    told = play([typed, "1"], "--seed", "11")
    assert answer in " ".join(told.split()), told
    assert "Red, turn 1" in told


def test_chance_gives_no_hints() -> None:
    """Against bots that play at random, a better one is asked for advice."""
    session = Session(2, seed=11)
    hints = {TerminalTable(session, bot, Screen(), 1).hint() for bot in ("random", "automatic")}
    assert len(hints) == 1


def test_german_is_spoken_and_understood(play: Play) -> None:
    """All of it, and English commands too."""
    lines = ["warum nicht magd", "zurück", "Holz", "hilfe", "undo", "regel Bettelmönch", "tipp"]
    told = play([*lines, "ende"], "--language", "de", "--seed", "11")
    words = " ".join(told.split())
    for said in (
        "Du spielst Rot.",
        "mit welchem zusätzlichen Gut beginnst du?",
        "Das geht nicht: gefragt ist nach dem zusätzlichen Gut",
        "Es gibt nichts zurückzunehmen.",
        "Deine letzte Wahl ist zurückgenommen.",
        "Bettelmönch: Von jedem Mitspieler",
        "Der Computer würde ",
        "Das Spiel bleibt unvollendet.",
    ):
        assert said in words


def test_a_choice_is_taken_back_with_all_that_followed(play: Play) -> None:
    """The question before it is asked again, and the turns are counted as before."""
    lines = ["1", "1", "1", "1", "undo", "undo", "1", "1", "q"]
    told = play(lines, "--seed", "5")
    assert told.count("Your last choice is taken back.") == 2
    assert told.count("(2 to play)") == 2
    assert "turn 3" not in told


def test_a_game_is_saved_and_gone_on_with(play: Play, tmp_path: Path) -> None:
    """No other file is replaced, and what cannot be written is said."""
    file, taken = tmp_path / "game.txt", tmp_path / "taken.txt"
    taken.write_text("mine", encoding="utf-8")
    saves = [f"save {taken}", f"save {tmp_path}/no/where", f"save {tmp_path}/{'x' * 300}"]
    saves += ["save \0", f"save\t{file}", "1", "save", "q"]
    told = " ".join(play(["1", "1", *saves]).split())
    assert "exists already; choose another name." in told
    assert "No such file or directory" in told
    assert "File name too long" in told
    assert "embedded null byte" in told
    assert told.count(f"Go on with: valletta play --resume={shlex.quote(str(file))}") == 2
    assert taken.read_text(encoding="utf-8") == "mine"
    saved = parse_record(file.read_text(encoding="utf-8"))
    resumed = play(["undo", "1", "q"], "--resume", str(file), "--language", "de")
    resumed = " ".join(resumed.split())
    assert "geht weiter." in resumed
    assert "==21-25" in resumed
    assert "Deine letzte Wahl ist zurückgenommen." in resumed
    assert saved.players == 2


def test_how_to_go_on_is_a_command_that_can_be_copied(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With quotation marks where they are needed, and with the bot if it is not the usual one."""
    monkeypatch.chdir(tmp_path)
    told = " ".join(play(["1", "save my game.txt"], "--bot", "novice").split())
    assert "valletta play --resume='my game.txt' --bot=novice" in told


def test_a_finished_game_stays_in_its_file(play: Play, tmp_path: Path) -> None:
    """If it was saved on the way; the record ends with the game."""
    file = tmp_path / "game"
    told = play(["1", f"save {file}", *GREEDY])
    assert " ".join(told.split()).count(f"The game is in {file}.") == 2
    assert position_after(parse_record(file.read_text("utf-8"))).prompt is None


def test_an_interrupted_game_is_kept_in_its_file(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends the line; what is lost without a file is said."""
    lines = iter(["1"])

    def interrupted(prompt: str) -> str:
        if line := next(lines, None):
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert play([], status=130).endswith(
        "\nThe game is left unfinished.\nIt is not saved; next time, save FILE keeps it.\n"
    )
    file, lines = str(tmp_path / "game"), iter(["1", f"save {tmp_path}/game", "1"])
    assert " ".join(play([], status=130).split()).count(f"The game is in {file}.") == 2
    moves = len(parse_record(Path(file).read_text("utf-8")).actions)
    lines = iter(["1"])
    play([], "--resume", file, status=130)
    assert len(parse_record(Path(file).read_text("utf-8")).actions) > moves


def test_a_person_too_is_told_that_a_game_is_broken_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After as many turns as --max-turns says."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n-\n" * 20))
    assert main(["--interactive", "--seed", "3", "--max-turns", "2"]) == 1
    told = capsys.readouterr()
    assert "If it ended now: Red " in told.out
    assert "broken off after 2 turns (--max-turns)" in told.err


def test_a_game_gone_on_with_has_the_luck_of_its_seed(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same answer brings the same cards again; without the seed no seed is told."""
    file, again, other = (str(tmp_path / name) for name in ("game", "again", "other"))
    back = ["undo", "undo", "1", "1"]
    assert "Hans im Glück, 2 players, seed 3" in play([*GREEDY[:10], f"save {file}"])
    assert ", seed 3" in play([*back, f"save {again}"], "--resume", file)
    assert Path(again).read_text("utf-8") == Path(file).read_text("utf-8")
    play([*back, f"save {other}"], "--resume", file, "--seed", "4")
    assert Path(other).read_text("utf-8") != Path(file).read_text("utf-8")
    assert main(["play", "--resume", file]) == 0
    assert "2 players\n" in capsys.readouterr().out


def test_a_damaged_file_cannot_be_gone_on_with(play: Play, tmp_path: Path) -> None:
    """It ends with status 2."""
    (tmp_path / "game.txt").touch()
    said = play([], "--resume", str(tmp_path / "game.txt"), status=2)
    assert "this is no record of a game" in said


# At the desk


def asked(state: GameState) -> Console:
    """Return a desk before a position of seat 0."""
    session = Session(2, seed=1)
    session._history = session._history.__class__(state, session._history.luck)
    return Console(TerminalTable(session, "automatic", Screen(), 0), "en")


def paying(goods: Goods) -> GameState:
    """Return a position in which two gold and one wood are to be paid."""
    cheap = a_building(cost=Goods(gold=2, wood=1))
    prompt = PaymentPrompt(0, 0, cheap.cost)
    return position(seat(goods=goods), seat(), display={0: cheap}, valette=3, agenda=(prompt,))


def test_payments_are_listed_cheapest_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Of many payments the cheapest are listed, and more on request."""
    desk = asked(paying(Goods(9, 9, 9, 9)))
    desk.show()
    for typed in ("?", "m", "all", "m"):
        desk.obey(typed)
    told = capsys.readouterr().out
    numbers = [int(number) for number in re.findall(r"(\d+)  pay ", told)]
    assert numbers[:PAGE] == numbers[PAGE : 2 * PAGE] == list(range(1, PAGE + 1))
    assert numbers[PAGE:] == list(range(1, len(numbers) - PAGE + 1))
    assert "pay 2 gold and 1 wood\n" in told
    assert told.count("more: m for the next") == 3
    assert "see more payments" in told
    assert "Valette on space 3" in told


def test_sites_are_chosen_by_their_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    """A line tells the price, and the payment if it is another; a dash chooses none."""
    cheap = {3: a_building(cost=Goods(gold=1)), 7: a_building(cost=Goods(wood=1))}
    me = seat(goods=Goods(gold=4), upgraded=())
    state = position(me, seat(), display=cheap, valette=16, agenda=(SitePrompt(0, Goods()),))
    asked(state).show()
    told = capsys.readouterr().out
    assert re.search(r"\n +3  build .* 1g +.*, Valette 2p\n", told)
    assert re.search(r"\n +7  build .* 1w > 3g ", told)
    assert "neither build nor upgrade" in told
    assert list(choices_of(view(state, 0))) == ["3", "7", "-"]


def test_what_can_mean_several_moves_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """It is said what it can mean, and for a reason it must be said which."""
    desk = asked(position(seat(hand=[C.MAID, C.MASON]), seat()))
    desk.obey("ma")
    desk.obey("why not ma")
    told = " ".join(capsys.readouterr().out.split())
    which = "Which do you mean? play the Maid (take 1 good of any kind); play the Mason"
    assert told.count(which) == 2


def test_what_cannot_be_built_is_told_with_its_price(capsys: pytest.CaptureFixture[str]) -> None:
    """Called by the letter of its building, which begins names of cards, too, or by a name."""
    dear = {3: a_building(letter="K", character=C.CARVER, cost=Goods(gold=4))}
    twice = {site: a_building(letter="M", character=C.MONK, cost=Goods(gold=5)) for site in (4, 5)}
    me = seat(hand=[C.KNIGHT], goods=Goods(gold=1))
    choice = position(me, seat(), display=dear | twice, agenda=(SitePrompt(0, Goods()),))
    desk = asked(choice)
    here = "site 3 costs 4 gold after reductions"
    for typed, said in {
        **dict.fromkeys(("K", "why not K", "why not carver"), here),
        "upgrade 3": "the building on site 3 is nobody's",
        "why not monk": "for 5 gold",
        "baue": "'baue' is not understood; ? shows",
    }.items():
        desk.obey(typed)
        told = " ".join(capsys.readouterr().out.split())
        assert said in told
        assert told.count("build M (Monk) on site ") == (2 if typed == "why not monk" else 0)


class Thinker:
    """A bot that remembers and explains: it does what is first, and counts what it sees."""

    def __init__(self, rng: object) -> None:
        """Know nothing."""
        self.begun, self.seen = 0, 0

    def begin(self, view: PlayerView) -> None:
        """Count the games."""
        self.begun += 1

    def see(self, event: RedactedEvent) -> None:
        """Count the events."""
        self.seen += 1

    def decide(self, view: PlayerView) -> Action:
        """Do what is first."""
        assert self.begun == 1
        assert self.seen > 20
        return view.legal_actions[0]

    def explain(self) -> tuple[Plan, ...]:
        """Have one plan."""
        return (Plan((), 2.5),)


def test_a_bot_hears_everything_and_tells_its_plan(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that remember hear the game from its beginning, also after an undo."""
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "thinker": Thinker})
    told = play(["1", "hint", "1", "1", "1", "1", "undo", "1", "q"], "--bot", "thinker")
    assert "(+2.5 points ahead at the end, it thinks)" in " ".join(told.split())


# The screen


def test_a_narrow_terminal_shows_every_price(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is wider than it, and what has to be cut off is marked."""
    monkeypatch.setenv("COLUMNS", "48")
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n?\ninfo\nb\n"))
    assert main(["play", "--seed", "9", "--players", "4"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert max(len(line.removeprefix("  > ")) for line in told) <= 48
    assert "Stonem" in "".join(told)
    assert "1g1w1s2b" in "".join(told)
    dear = a_building(cost=Goods(gold=2, wood=1))
    me = seat(hand=[C.BUILDER], goods=Goods(9, 9, 9, 9))
    site = position(me, seat(), display={3: dear}, agenda=(SitePrompt(0, Goods()),))
    desk = asked(site)
    desk.table.screen = Screen(width=40)
    desk.show()
    told = capsys.readouterr().out.splitlines()
    assert max(map(len, told)) <= 40


def test_names_are_painted_and_nothing_else() -> None:
    """In the colours of the houses; styles go on after a name."""
    screen = Screen(is_coloured=True)
    assert screen.painted("Red and redder, Blue.") == (
        "\033[31;1mRed\033[0m and redder, \033[34;1mBlue\033[0m."
    )
    assert screen.painted("Red!", "1") == "\033[1m\033[31;1mRed\033[0m\033[1m!\033[0m"
    assert Screen().painted("Red!", "1") == "Red!"


def test_the_screen_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within limits, so that it can be read."""
    for told, width in (("100", 100), ("5", 40), ("500", 120)):
        monkeypatch.setenv("COLUMNS", told)
        assert columns() == width


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for a pipe, nor with NO_COLOR, nor for a terminal that has none."""
    monkeypatch.setattr(sys, "stdout", type("Tty", (io.StringIO,), {"isatty": lambda self: True})())
    assert wants_colour({})
    assert not wants_colour({"NO_COLOR": "1"})
    assert not wants_colour({"TERM": "dumb"})
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not wants_colour({})
    monkeypatch.setattr(sys, "stdout", None)
    assert not wants_colour({})


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_in_a_terminal_the_game_has_colours() -> None:
    """Where somebody really sits before a terminal, in his language."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "valletta_rules", "play", "--seed", "3"]
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "de_DE.UTF-8", "COLUMNS": "80"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as game:
        os.close(theirs)
        os.write(ours, b"1\nende\n")
        told = b""
        while b"unvollendet" not in told:
            told += os.read(ours, 4096)
        assert game.wait(60) == 0
    os.close(ours)
    assert "Du spielst \033[31;1mRot\033[0m." in told.decode()
