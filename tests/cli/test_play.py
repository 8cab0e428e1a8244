"""Tests of `valletta play`, in which a person plays in a terminal."""

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
def test_a_typed_command_that_is_not_a_move_is_answered_and_leaves_the_prompt_open(
    terminal: Terminal, typed: str, answer: str
) -> None:
    """`commands.toml` lists the commands, such as a request for help, and the expected answers."""
    output = terminal("play --seed 11", [typed, "1"])
    assert answer in " ".join(output.split()), output
    assert "Red, turn 1" in output


def test_a_hint_does_not_depend_on_the_bot_that_plays_the_other_seats() -> None:
    """Hints come from the adviser, which does not use this bot."""
    session = vr.Session(2, seed=11)
    tables = [TerminalTable(session, bot, Screen(), 1) for bot in ("random", "novice")]
    assert [table.hint() for table in tables] == [advise(tables[0].own_view())] * 2


def test_a_resumed_game_with_the_original_seed_draws_the_same_cards(terminal: Terminal) -> None:
    """With another seed, other cards are drawn. If no seed was given, the heading contains none."""
    back = ["undo", "undo", "1", "1"]
    assert "Hans im Glück, 2 players, seed 5" in terminal("play --seed 5", [*"1-" * 5, "save a"])
    assert ", seed 5" in terminal("play --resume a --seed 5", [*back, "save b"])
    terminal("play --resume a --seed 4", [*back, "save c"])
    assert Path("b").read_text("utf-8") == Path("a").read_text("utf-8")
    assert Path("c").read_text("utf-8") != Path("a").read_text("utf-8")
    assert "2 players\n" in terminal("play --resume a")


# At the console


def console_at(state: vr.GameState) -> Console:
    """Return a console for a two-player game in position `state`, in which seat 0 must answer."""
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
    """If the list is too long, its last line explains how to type other payments."""
    desk = console_at(paying(vr.Goods(9, 9, 9, 9)))
    desk.obey("?")
    output = capsys.readouterr().out
    assert re.findall(r"(\d+)  pay ", output) == [str(number) for number in range(1, PAGE + 1)]
    assert "   1  pay 2 gold and 1 wood\n" in output
    assert "more ways to pay: type what you pay" in output
    assert "Valette on space 3" in output


def test_the_options_at_a_site_prompt_are_the_site_numbers_and_a_dash_for_no_site(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each line shows the price of a site, and the payment if it differs from the price."""
    cheap = {3: a_building(cost=vr.Goods(gold=1)), 7: a_building(cost=vr.Goods(wood=1))}
    me = seat(goods=vr.Goods(gold=4), upgraded=())
    state = position(me, seat(), display=cheap, valette=16, agenda=(vr.SitePrompt(0, vr.Goods()),))
    console_at(state).show()
    output = capsys.readouterr().out
    assert re.search(r"\n +3  build .* 1g +.*, Valette 2p\n", output)
    assert re.search(r"\n +7  build .* 1w > 3g ", output)
    assert "neither build nor upgrade" in output
    assert list(choices_of(vr.view(state, 0))) == ["3", "7", "-"]


def test_an_ambiguous_text_is_answered_with_a_list_of_the_possible_moves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same list answers "why not" followed by an ambiguous text."""
    desk = console_at(position(seat(hand=[C.MAID, C.MASON]), seat()))
    desk.obey("ma")
    desk.obey("why not ma")
    output = " ".join(capsys.readouterr().out.split())
    which = "Which do you mean? play the Maid (take 1 good of any kind); play the Mason"
    assert output.count(which) == 2


def test_the_reason_why_a_building_cannot_be_built_names_its_site_and_price(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The player asks by letter or by character, and once with an ambiguous text."""
    dear = {3: a_building(letter="K", character=C.CARVER, cost=vr.Goods(gold=4))}
    twice = {
        site: a_building(letter="M", character=C.MONK, cost=vr.Goods(gold=5)) for site in (4, 5)
    }
    me = seat(hand=[C.KNIGHT], goods=vr.Goods(gold=1))
    choice = position(me, seat(), display=dear | twice, agenda=(vr.SitePrompt(0, vr.Goods()),))
    desk = console_at(choice)
    reason = "site 3 costs 4 gold after reductions"
    for typed, answer in {
        **dict.fromkeys(("K", "why not K", "why not carver"), reason),
        "upgrade 3": "the building on site 3 is nobody's",
        "why not monk": "for 5 gold",
        "baue": "'baue' is not understood; ? shows",
    }.items():
        desk.obey(typed)
        output = " ".join(capsys.readouterr().out.split())
        assert answer in output
        assert output.count("build M (Monk) on site ") == (2 if typed == "why not monk" else 0)


# The screen


def test_in_a_terminal_of_48_columns_no_price_is_cut_off_and_no_line_is_too_wide(
    terminal: Terminal, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of a prompt fit even a terminal of 40 columns."""
    monkeypatch.setenv("COLUMNS", "48")
    output_lines = terminal("play --seed 9 --players 4", ["1", "?", "info", "b"]).splitlines()
    assert max(len(line) for line in output_lines) <= 48
    assert "Stonem" in "".join(output_lines)
    assert "2g1w1s2b" in "".join(output_lines)
    dear = a_building(cost=vr.Goods(gold=2, wood=1))
    me = seat(hand=[C.BUILDER], goods=vr.Goods(9, 9, 9, 9))
    site = position(me, seat(), display={3: dear}, agenda=(vr.SitePrompt(0, vr.Goods()),))
    desk = console_at(site)
    desk.table.screen = Screen(width=40)
    desk.show()
    output_lines = capsys.readouterr().out.splitlines()
    assert max(map(len, output_lines)) <= 40


def played(command: str, *typed: str, **environment: str) -> list[str]:
    """Run a command in a pseudo-terminal, and type a line at each prompt.

    Return the output in parts: one before each typed line, and one after the last.
    """
    master, slave = os.openpty()
    known = {"TERM": "xterm", "LANGUAGE": "en", "COLUMNS": "80", "LINES": "24", "NO_COLOR": ""}
    program = [sys.executable, "-m", "valletta_rules", *command.split()]
    chunks = []
    with subprocess.Popen(
        program, stdin=slave, stdout=slave, stderr=slave, env=os.environ | known | environment
    ):
        os.close(slave)
        for line in typed:
            chunks.append(b"")
            while not chunks[-1].endswith(b"  > "):
                chunks[-1] += os.read(master, 1 << 16)
            os.write(master, f"{line}\n".encode())
        chunks.append(b"")
        with suppress(OSError):  # the other end is closed
            while read := os.read(master, 1 << 16):
                chunks[-1] += read
    os.close(master)
    return [each.decode() for each in chunks]


def rows_of(output: str, count: int) -> tuple[list[str], list[str]]:
    """Emulate a terminal of `count` rows that prints `output`.

    Return the rows on the screen, and the rows that have scrolled off the top.
    """
    rows, gone = [""] * count, [""] * 0
    row = column = 0
    last, saved = count, (0, 0)
    for code in re.findall(r"\033\[[?\d;]*[A-Za-z]|\033.|.|\n|\r", output):
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
    """Text that scrolls off the top remains in the scrollback buffer of the terminal."""
    game, typed = "play --seed 9 --bot random", ["1", "1", "?", "undo", "b", "q"]
    *outputs, ended = played(game, *typed)
    output = ""
    for each in outputs:
        output += each
        rows, _ = rows_of(output, 24)
        assert rows[13] == "  > "
        assert rows[14].startswith("(site, letter, character;")
        assert rows[15].startswith("10 Q Architect  11 B Woodworker")
        assert rows[19].startswith("==1-5====")
        assert rows[23].endswith("2p s 3g1w2b")
    rows, gone = rows_of(output + ended, 24)
    plain, _ = rows_of("".join(played(f"{game} --no-redraw", *typed)), 500)
    assert [*gone, *rows] == plain[: len(gone) + 24]
    assert "The game is left unfinished." in rows


def test_the_number_of_rows_above_the_board_changes_with_the_height_of_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the height leaves too few rows for text, the board scrolls with the text."""
    desk = console_at(paying(vr.Goods(9, 9, 9, 9)))
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
def test_without_colours_without_redrawing_or_under_80_columns_the_cursor_is_not_moved(
    options: str, environment: dict[str, str]
) -> None:
    """The board then scrolls with the text, and does not stay at the bottom of the screen."""
    output = "".join(played(f"play --seed 9{options}", "1", "q", **environment))
    assert not re.search(r"\033(\[[\d;]*[ABCDHJKr]|[78])", output)
    assert "The game is left unfinished." in output


def test_player_names_in_a_line_have_the_colours_of_the_players() -> None:
    """After a name, the style of the line continues."""
    screen = Screen(is_coloured=True)
    assert screen.painted("Red and redder, Blue.") == (
        "\033[31;1mRed\033[0m and redder, \033[34;1mBlue\033[0m."
    )
    assert screen.painted("Red!", "1") == "\033[1m\033[31;1mRed\033[0m\033[1m!\033[0m"
    assert Screen().painted("Red!", "1") == "Red!"


def test_the_output_is_as_wide_as_the_terminal_but_has_40_to_120_columns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Shorter or longer lines would be hard to read."""
    for setting, width in (("100", 100), ("5", 40), ("500", 120)):
        monkeypatch.setenv("COLUMNS", setting)
        assert columns() == width


def test_output_is_coloured_only_on_a_terminal_that_supports_colours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A pipe, the variable NO_COLOR and a dumb terminal turn colours off."""
    monkeypatch.setattr(sys, "stdout", type("Tty", (io.StringIO,), {"isatty": lambda self: True})())
    assert wants_colour({})
    assert not wants_colour({"NO_COLOR": "1"})
    assert not wants_colour({"TERM": "dumb"})
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert not wants_colour({})
    monkeypatch.setattr(sys, "stdout", None)
    assert not wants_colour({})
