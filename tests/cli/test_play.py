"""Tests of `valletta play`: a person plays in the terminal."""

import io
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import attrs
import pytest

import valletta_rules as vr
from tests.cli.conftest import Terminal
from tests.cli.test_command_line import COMMANDS
from tests.positions import a_building, position, seat
from valletta_rules.analysis import advise
from valletta_rules.cli.console import PAGE, Console, choices_of
from valletta_rules.cli.screen import Screen, wants_colour
from valletta_rules.cli.table import TerminalTable
from valletta_rules.text.layout import columns

C = vr.Character


# Commands
@pytest.mark.parametrize(("typed", "answer"), COMMANDS["at_the_terminal"])
def test_after_a_command_that_is_no_move_the_same_prompt_can_be_answered(
    terminal: Terminal, typed: str, answer: str
) -> None:
    """The commands and their expected answers are in `commands.toml`."""
    told = terminal("play --seed 11", [typed, "1"])
    assert answer in " ".join(told.split()), told
    assert "Red, turn 1" in told


def test_a_hint_is_the_same_whatever_bot_the_opponents_are() -> None:
    """Hints come from the adviser, not from the bot that plays the other seats."""
    session = vr.Session(2, seed=11)
    tables = [TerminalTable(session, bot, Screen(), 1) for bot in ("random", "novice")]
    assert [table.hint() for table in tables] == [advise(tables[0].seen())] * 2


def test_a_resumed_game_with_the_original_seed_draws_the_same_cards(terminal: Terminal) -> None:
    """Another seed draws other cards. The heading names no seed if none was given."""
    back = ["undo", "undo", "1", "1"]
    assert "Hans im Glück, 2 players, seed 5" in terminal("play --seed 5", [*"1-" * 5, "save a"])
    assert ", seed 5" in terminal("play --resume a --seed 5", [*back, "save b"])
    terminal("play --resume a --seed 4", [*back, "save c"])
    assert Path("b").read_text("utf-8") == Path("a").read_text("utf-8")
    assert Path("c").read_text("utf-8") != Path("a").read_text("utf-8")
    assert "2 players\n" in terminal("play --resume a")


# At the console


def asked(state: vr.GameState) -> Console:
    """Return a console for a two-player game at `state`, in which seat 0 must answer."""
    session = vr.Session(2, seed=1)
    standing = attrs.evolve(session.game._standing, position=state)
    session._game = attrs.evolve(session.game, standing=standing)
    return Console(TerminalTable(session, "automatic", Screen(), 0), "en")


def paying(goods: vr.Goods) -> vr.GameState:
    """Return a position in which seat 0 has `goods` and must pay two gold and one wood."""
    cheap = a_building(cost=vr.Goods(gold=2, wood=1))
    prompt = vr.PaymentPrompt(0, 0, cheap.cost)
    return position(seat(goods=goods), seat(), display={0: cheap}, valette=3, agenda=(prompt,))


def test_the_list_of_payments_begins_with_the_cheapest(capsys: pytest.CaptureFixture[str]) -> None:
    """If there are too many payments to list, a line explains how to type the others."""
    desk = asked(paying(vr.Goods(9, 9, 9, 9)))
    desk.obey("?")
    told = capsys.readouterr().out
    assert re.findall(r"(\d+)  pay ", told) == [str(number) for number in range(1, PAGE + 1)]
    assert "   1  pay 2 gold and 1 wood\n" in told
    assert "more ways to pay: type what you pay" in told
    assert "Valette on space 3" in told


def test_the_options_for_sites_are_their_numbers_and_a_dash_for_no_site(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A line shows the price of a site, and also the payment if it is different."""
    cheap = {3: a_building(cost=vr.Goods(gold=1)), 7: a_building(cost=vr.Goods(wood=1))}
    me = seat(goods=vr.Goods(gold=4), upgraded=())
    state = position(me, seat(), display=cheap, valette=16, agenda=(vr.SitePrompt(0, vr.Goods()),))
    asked(state).show()
    told = capsys.readouterr().out
    assert re.search(r"\n +3  build .* 1g +.*, Valette 2p\n", told)
    assert re.search(r"\n +7  build .* 1w > 3g ", told)
    assert "neither build nor upgrade" in told
    assert list(choices_of(vr.view(state, 0))) == ["3", "7", "-"]


def test_an_ambiguous_text_is_answered_with_the_moves_it_may_mean(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The command "why not" followed by an ambiguous text asks the same question."""
    desk = asked(position(seat(hand=[C.MAID, C.MASON]), seat()))
    desk.obey("ma")
    desk.obey("why not ma")
    told = " ".join(capsys.readouterr().out.split())
    which = "Which do you mean? play the Maid (take 1 good of any kind); play the Mason"
    assert told.count(which) == 2


def test_the_reason_why_a_building_cannot_be_built_names_its_site_and_price(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The player types the letter or the character of the building, or an ambiguous text."""
    dear = {3: a_building(letter="K", character=C.CARVER, cost=vr.Goods(gold=4))}
    twice = {
        site: a_building(letter="M", character=C.MONK, cost=vr.Goods(gold=5)) for site in (4, 5)
    }
    me = seat(hand=[C.KNIGHT], goods=vr.Goods(gold=1))
    choice = position(me, seat(), display=dear | twice, agenda=(vr.SitePrompt(0, vr.Goods()),))
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


# The screen


def test_a_terminal_of_48_columns_shows_all_prices_and_no_wider_line(
    terminal: Terminal, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of a prompt even fit a terminal of 40 columns."""
    monkeypatch.setenv("COLUMNS", "48")
    told = terminal("play --seed 9 --players 4", ["1", "?", "info", "b"]).splitlines()
    assert max(len(line) for line in told) <= 48
    assert "Stonem" in "".join(told)
    assert "2g1w1s2b" in "".join(told)
    dear = a_building(cost=vr.Goods(gold=2, wood=1))
    me = seat(hand=[C.BUILDER], goods=vr.Goods(9, 9, 9, 9))
    site = position(me, seat(), display={3: dear}, agenda=(vr.SitePrompt(0, vr.Goods()),))
    desk = asked(site)
    desk.table.screen = Screen(width=40)
    desk.show()
    told = capsys.readouterr().out.splitlines()
    assert max(map(len, told)) <= 40


def played(command: str, *typed: str, **environment: str) -> list[str]:
    """Run a command in a pseudo-terminal and type lines at its prompts.

    Return the output in pieces: one up to each prompt, and the rest.
    """
    master, slave = os.openpty()
    known = {"TERM": "xterm", "LANGUAGE": "en", "COLUMNS": "80", "LINES": "24", "NO_COLOR": ""}
    program = [sys.executable, "-m", "valletta_rules", *command.split()]
    told = []
    with subprocess.Popen(
        program, stdin=slave, stdout=slave, stderr=slave, env=os.environ | known | environment
    ):
        os.close(slave)
        for line in typed:
            told.append(b"")
            while not told[-1].endswith(b"  > "):
                told[-1] += os.read(master, 1 << 16)
            os.write(master, f"{line}\n".encode())
        told.append(b"")
        with suppress(OSError):  # the other end is closed
            while read := os.read(master, 1 << 16):
                told[-1] += read
    os.close(master)
    return [each.decode() for each in told]


def rows_of(told: str, count: int) -> tuple[list[str], list[str]]:
    """Emulate a terminal of `count` rows that prints `told`.

    Return the rows on the screen and the lines that have scrolled off its top.
    """
    rows, gone = [""] * count, [""] * 0
    row = column = 0
    last, saved = count, (0, 0)
    for code in re.findall(r"\033\[[?\d;]*[A-Za-z]|\033.|.|\n|\r", told):
        numbers = [int(number) for number in re.findall(r"\d+", code[2:])]
        if code == "\n" and row == last - 1:
            gone.append(rows.pop(0))
            rows.insert(row, "")
        elif code == "\n":
            row += 1
        elif code == "\r":
            column = 0
        elif code == "\0337":
            saved = row, column
        elif code == "\0338":
            row, column = saved
        elif re.fullmatch(r"\033\[.*r", code):
            last = numbers[-1] if numbers else count
            row = column = 0
        elif re.fullmatch(r"\033\[.*H", code):
            row, column = numbers[0] - 1, 0
        elif re.fullmatch(r"\033\[.*A", code):
            row -= numbers[0]
        elif code == "\033[J":
            rows[row:] = [rows[row][:column], *[""] * (count - row - 1)]
        elif code.isprintable():
            rows[row] = rows[row][:column].ljust(column) + code + rows[row][column + 1 :]
            column += 1
    return rows, gone


def test_the_board_stays_at_the_bottom_of_the_screen_while_text_scrolls_above_it() -> None:
    """Lines that scroll off the top stay in the scrollback buffer, as they do without a board."""
    game, typed = "play --seed 9 --bot random", ["1", "1", "?", "undo", "b", "q"]
    *asked, ended = played(game, *typed)
    told = ""
    for each in asked:
        told += each
        rows, _ = rows_of(told, 24)
        assert rows[13] == "  > "
        assert rows[14].startswith("(site, letter, character;")
        assert rows[15].startswith("10 Q Architect  11 B Woodworker")
        assert rows[19].startswith("==1-5====")
        assert rows[23].endswith("2p s 3g1w2b")
    rows, gone = rows_of(told + ended, 24)
    plain, _ = rows_of("".join(played(f"{game} --no-redraw", *typed)), 500)
    assert [*gone, *rows] == plain[: len(gone) + 24]
    assert "The game is left unfinished." in rows


def test_the_number_of_rows_for_text_changes_with_the_height_of_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The height is read before each prompt. If it leaves too few rows, the board is not fixed."""
    desk = asked(paying(vr.Goods(9, 9, 9, 9)))
    desk.footer.is_wanted = True
    for rows, left in ((24, 14), (48, 30), (45, 35), (19, 0), (24, 14)):
        monkeypatch.setenv("LINES", str(rows))
        desk.show()
        assert desk.footer.rows == left
        drawn = f"\033[1;{left}r" in capsys.readouterr().out
        assert drawn is bool(left)


@pytest.mark.parametrize(
    ("options", "environment"),
    [
        ("", {"NO_COLOR": "1"}),
        ("", {"COLUMNS": "79"}),
        (" --no-redraw", {}),
    ],
)
def test_with_no_color_no_redraw_or_under_80_columns_the_output_has_no_cursor_movements(
    options: str, environment: dict[str, str]
) -> None:
    """The board then scrolls with the text instead of staying at the bottom of the screen."""
    told = "".join(played(f"play --seed 9{options}", "1", "q", **environment))
    assert not re.search(r"\033(\[[\d;]*[ABCDHJKr]|[78])", told)
    assert "The game is left unfinished." in told


def test_only_the_names_of_players_are_coloured_in_a_line() -> None:
    """A name has the colour of its player. The text after it has the style of the line again."""
    screen = Screen(is_coloured=True)
    assert screen.painted("Red and redder, Blue.") == (
        "\033[31;1mRed\033[0m and redder, \033[34;1mBlue\033[0m."
    )
    assert screen.painted("Red!", "1") == "\033[1m\033[31;1mRed\033[0m\033[1m!\033[0m"
    assert Screen().painted("Red!", "1") == "Red!"


def test_the_width_of_the_output_is_that_of_the_terminal_from_40_to_120_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Longer or shorter lines would be hard to read."""
    for told, width in (("100", 100), ("5", 40), ("500", 120)):
        monkeypatch.setenv("COLUMNS", told)
        assert columns() == width


def test_output_is_coloured_only_on_a_terminal_that_supports_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There are no colours in a pipe, with the variable NO_COLOR, or on a dumb terminal."""
    monkeypatch.setattr(sys, "stdout", type("Tty", (io.StringIO,), {"isatty": lambda self: True})())
    assert wants_colour({})
    assert not wants_colour({"NO_COLOR": "1"})
    assert not wants_colour({"TERM": "dumb"})
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not wants_colour({})
    monkeypatch.setattr(sys, "stdout", None)
    assert not wants_colour({})
