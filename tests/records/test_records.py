"""Tests of records of games and of record files."""

import random
import re
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks import random_games
from valletta_rules.components import NAME_LIMIT
from valletta_rules.records import files
from valletta_rules.records.files import LINE_LIMIT, SIZE_LIMIT
from valletta_rules.records.record import NOTE_LIMIT


def record_of(game: random_games.Playthrough) -> vr.Record:
    """Convert a random game to a record."""
    start = game.start
    actions = tuple(move.action for move in game.moves)
    return vr.Record(len(start.players), start.rules, start.cards, actions)


NAMES = st.text(
    st.characters(blacklist_categories=["C", "Z"]) | st.just(" "), min_size=1, max_size=12
).filter(lambda text: text == text.strip())
"""A strategy for names and notes in any script."""


@st.composite
def annotated_records(draw: st.DrawFn) -> vr.Record:
    """Draw the record of a random game with names and notes. The rule set may have any name."""
    record = record_of(draw(random_games.playthroughs()))
    moves = len(record.actions)
    names = draw(
        st.just([]) | st.lists(NAMES, min_size=record.players, max_size=record.players, unique=True)
    )
    afters = sorted(draw(st.lists(st.integers(min_value=0, max_value=moves), max_size=6)))
    notes = [vr.Note(after, draw(NAMES)) for after in afters]
    rules = attrs.evolve(record.rules, name=draw(st.just(record.rules.name) | NAMES))
    return attrs.evolve(record, rules=rules, names=names, notes=notes)


def a_game(moves: int = 60, **table: Any) -> vr.Record:
    """Return a record of the first `moves` moves of a game."""
    state, rng, actions = vr.new_game(2, **table), random.Random(1), list[vr.Action]()
    for _ in range(moves):
        chance = isinstance(state.prompt, vr.ChancePrompt)
        actions.append(vr.sample_chance(state, rng) if chance else vr.legal_actions(state)[0])
        state = vr.apply(state, actions[-1])
    return vr.Record(2, state.rules, state.cards, actions)


# Replaying


@random_games.scaled(0.5)
@given(random_games.games())
def test_replaying_a_record_gives_every_position_and_event_of_the_game(
    game: random_games.Playthrough,
) -> None:
    """No seed is needed, because the record contains the results of all random events."""
    steps = [vr.Transition(move.after, move.events) for move in game.moves]
    assert list(vr.replay(record_of(game))) == steps
    assert record_of(game).start == game.start


def test_a_replay_raises_an_error_at_an_illegal_move() -> None:
    """All moves before it are replayed.

    The error contains the number of the move and the violation.
    """
    record = a_game(40)
    wrong = attrs.evolve(record, actions=[*record.actions, vr.Upgrade(3)])
    steps = vr.replay(wrong)
    assert [next(steps) for _ in range(40)] == list(vr.replay(record))
    with pytest.raises(vr.RecordError, match=r"^move 41: upgrade 3: .*\[") as refused:
        next(steps)
    assert refused.value.move == 41
    assert refused.value.line is None
    assert isinstance(refused.value.__cause__, vr.IllegalActionError)


def test_a_replay_raises_an_error_at_a_malformed_move() -> None:
    """The error contains the number of the move. Its cause is a `MalformedActionError`."""
    record = a_game()
    moves = [isinstance(step.state.prompt, vr.SitePrompt) for step in vr.replay(record)].index(
        True
    ) + 1
    wrong = attrs.evolve(record, actions=[*record.actions[:moves], vr.Upgrade(25)])
    with pytest.raises(vr.RecordError, match=f"move {moves + 1}: upgrade 25: ") as refused:
        vr.position_after(wrong)
    assert isinstance(refused.value.__cause__, vr.MalformedActionError)


def test_position_after_returns_the_position_after_any_number_of_moves_of_a_record() -> None:
    """Negative and too large numbers are refused."""
    record = a_game(30)
    assert vr.position_after(record, 0) == vr.new_game(2)
    assert vr.position_after(record, 1) == vr.apply(vr.new_game(2), record.actions[0])
    assert vr.position_after(record) == [*vr.replay(record)][-1].state
    for moves in (-1, 31):
        with pytest.raises(ValueError, match=f"the record has 30 moves, not {moves}"):
            vr.position_after(record, moves)


# Valid records


def test_the_str_of_a_record_contains_player_names_rules_and_number_of_moves() -> None:
    """Players without names are identified by the colours of their houses."""
    assert str(vr.Record(2)) == "red, blue: Hans im Glück, 0 moves"
    assert str(vr.Record(2, vr.Z_MAN, names=["Anna", "Ben"])) == "Anna, Ben: Z-Man, 0 moves"
    assert hash(vr.Record(2)) == hash(vr.Record(2))


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        ({"players": 5}, "^Valletta is for 2, 3 or 4 players, not 5$"),
        ({"players": True}, "players must be a whole number, not bool"),
        ({"rules": "z-man"}, "must be <class"),
        ({"cards": None}, "must be <class"),
        ({"names": ["Anna"]}, "2 players need 2 names, not 1"),
        ({"names": ["Anna", "Anna"]}, "no two players"),
        ({"names": ["Anna", ""]}, "a name must be one line"),
        ({"names": ["Anna", " Ben"]}, "a name must be one line"),
        ({"names": ["Anna", "B\nen"]}, "a name must be one line"),
        ({"names": ["Anna", "B" * (NAME_LIMIT + 1)]}, "a name must be one line"),
        ({"names": ["Anna", 2]}, "a name must be one line"),
        ({"actions": ["Maid"]}, "move 1 is not an action: 'Maid'"),
        (
            {"notes": [vr.Note(1, "too late")]},
            r"must follow moves 0 to 0 in ascending order, not \[1\]",
        ),
        (
            {"actions": [vr.DraftGood(vr.Good.GOLD)], "notes": [vr.Note(1, "b"), vr.Note(0, "a")]},
            "notes must follow moves 0 to 1 in ascending order",
        ),
    ],
)
def test_the_constructor_of_a_record_refuses_invalid_players_rules_names_moves_and_notes(
    parts: dict[str, object], error: str
) -> None:
    """Such a record could not be written to a file and read again."""
    with pytest.raises((ValueError, TypeError), match=error):
        vr.Record(**{"players": 2} | parts)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " ", "a\nb", " a", "x" * (NOTE_LIMIT + 1)])
def test_a_note_that_is_empty_too_long_or_has_several_lines_is_refused(text: str) -> None:
    """Such a note could not be written to a record file and read again."""
    with pytest.raises(ValueError, match="a note must be one line"):
        vr.Note(0, text)


# Files


@random_games.scaled(0.5)
@given(annotated_records())
def test_a_record_survives_a_round_trip_through_its_text(record: vr.Record) -> None:
    """The text contains the rules, the cards, the names, the notes and every move."""
    text = vr.format_record(record)
    assert vr.parse_record(text) == record
    assert vr.format_record(vr.parse_record(text)) == text


def test_a_record_survives_a_round_trip_through_a_utf_8_file(tmp_path: Path) -> None:
    """The file may start with a byte order mark and use Windows line endings."""
    record = attrs.evolve(a_game(), names=["Zoë", "小明"], notes=[vr.Note(3, "schön")])
    path = tmp_path / "game.txt"
    vr.write_record(record, path)
    assert vr.read_record(path) == record
    content = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"))
    assert vr.read_record(str(path)) == record


def test_the_moves_in_a_record_file_are_grouped_by_turn_and_card() -> None:
    """Each row of dealt buildings, each refilled hand and each played card begins a new line."""
    text = vr.format_record(
        attrs.evolve(a_game(), names=["Anna", "Ben"], notes=[vr.Note(32, "off")])
    )
    head, setup, turn, *_ = re.split(r"\n\n", text)
    assert head.splitlines()[:3] == ["valletta: 2", "players: 2", "rules: hans-im-glueck"]
    assert head.splitlines()[4:] == ["seat red: Anna", "seat blue: Ben"]
    lines = setup.splitlines()
    assert lines[0] == "setup"
    assert [line.split()[0] for line in lines[1:]] == ["chance:"] * 4 + [
        *("red:", "blue:", "blue:", "red:")
    ]
    assert all(line.count("deal") == 5 for line in lines[1:5])
    assert lines[-2:] == ["blue: draft gold", "red: draft wood  # off"]
    assert turn.splitlines()[0] == "turn 1, red"
    assert turn.splitlines()[-1].startswith("red: draw ")


BY_HAND = """\
#A game from memory

valletta: 2
players: 2           ; Anna and I
rules: Z-Man+fewer-barrels+start-player
cards: reconstruction
seat red: Player #1
seat blue: C#

deal A, deal B, deal C, deal D, deal E,deal F,deal G
Chance: deal h   # the eighth
chance: deal j, deal k, deal l, deal m, deal a, deal b, deal q, deal r, deal s, deal t
deal u, deal v
draw Krämerin, draw Magd, draw baum, draw Holz, draw steinh
Chance: draw shop, draw maid, draw builder, draw lumber, draw stone
TURN 1
Magd
  take 1 Holz ; she needs it
"""


def test_a_record_file_written_by_hand_is_accepted() -> None:
    """Headings and names of players are optional. Names of cards may be German or abbreviated."""
    record = vr.parse_record(BY_HAND)
    assert record.rules == vr.Z_MAN.with_variants(start_player_variant=True, fewer_barrels=True)
    assert record.names == ("Player #1", "C#")
    assert record.actions[30] == vr.PlayCard(vr.Character.MAID)
    assert len(record.actions) == 32
    assert record.notes == (
        vr.Note(0, "A game from memory"),
        vr.Note(0, "Anna and I"),
        vr.Note(8, "the eighth"),
        vr.Note(32, "she needs it"),
    )
    assert vr.parse_record(vr.format_record(record)) == record


@pytest.mark.parametrize(
    ("written", "name", "notes"),
    [
        ("Anna # the best", "Anna", ["the best"]),
        ("Anna\t; the best", "Anna", ["the best"]),
        ("Anna #1", "Anna #1", []),
        ('"Anna # x"', "Anna # x", []),
        ('"Anna" # x', "Anna", ["x"]),
        ('"Anna" Lee', '"Anna" Lee', []),
        ("#1", "#1", []),
    ],
)
def test_a_player_name_in_a_record_file_may_be_followed_by_a_note(
    written: str, name: str, notes: list[str]
) -> None:
    """A name that looks like a name with a note is written in quotation marks."""
    record = vr.parse_record(f"valletta: 2\nplayers: 2\nseat red: {written}\nseat blue: Ben")
    assert record.names == (name, "Ben")
    assert [note.text for note in record.notes] == notes
    assert vr.parse_record(vr.format_record(record)) == record


def test_the_header_of_a_record_file_may_be_in_capitals() -> None:
    """The name of the card set may be in capitals, too."""
    shouted = TEXT.replace("cards: reconstruction@3a55b6fa", "CARDS: RECONSTRUCTION@3A55B6FA")
    assert shouted != TEXT
    assert vr.parse_record(shouted) == vr.parse_record(TEXT)


def test_the_text_of_a_record_may_begin_with_a_byte_order_mark() -> None:
    """A program may read a file and pass the text on without removing the mark."""
    assert vr.parse_record(f"\ufeff{TEXT}") == vr.parse_record(TEXT)


def test_a_second_record_in_a_file_is_refused() -> None:
    """A file of chess games may contain several games, but a record file contains only one."""
    with pytest.raises(
        vr.RecordError, match=r"^line \d+: a second record begins here, but a file "
    ):
        vr.parse_record(TEXT + TEXT)


def test_a_record_file_with_a_header_alone_is_a_game_without_moves() -> None:
    """If the edition and the card set are not specified, defaults are used."""
    assert vr.parse_record("valletta: 2\nplayers: 3") == vr.Record(3)


TEXT = vr.format_record(a_game())


def test_a_record_file_with_the_heading_of_a_turn_inside_another_turn_is_refused() -> None:
    """The message contains the number of the line."""
    damaged = re.sub(r"(turn 1, red\n.*\n)", r"\1turn 2, blue\n", TEXT)
    with pytest.raises(vr.RecordError, match=r"line 18: .*, but turn 1 is not over"):
        vr.parse_record(damaged)


def test_the_error_for_a_move_in_a_record_file_has_the_original_error_as_its_cause() -> None:
    """In the test, the original error says that the text is not a move."""
    with pytest.raises(vr.RecordError) as refused:
        vr.parse_record(TEXT.replace("draft gold", "dance"))
    assert isinstance(refused.value.__cause__, vr.NotAMoveError)


def test_a_record_file_with_a_move_after_the_end_of_the_game_is_refused() -> None:
    """A note after the end is accepted."""
    actions = [
        move.action
        for move in random_games.seeded_moves(vr.new_game(2), 1, random_games.Temper.EAGER)
    ]
    text = vr.format_record(vr.Record(2, actions=actions))
    with pytest.raises(vr.RecordError, match=rf"move {len(actions) + 1}: Maid: the game is over"):
        vr.parse_record(text + "Red: Maid\n")
    assert vr.parse_record(text + "# the end").notes == (vr.Note(len(actions), "the end"),)


def test_a_record_text_that_is_too_long_or_has_a_too_long_line_or_note_is_refused() -> None:
    """The messages for the three limits are different."""
    for line, part in (("x" * (LINE_LIMIT + 1), "line"), ("#" + "x" * (NOTE_LIMIT + 1), "note")):
        with pytest.raises(vr.RecordError, match=rf"^line \d+: the {part} is too long"):
            vr.parse_record(TEXT + line)
    with pytest.raises(vr.RecordError, match="too large: a file has at most 2,000,000 bytes"):
        vr.parse_record("#" * (SIZE_LIMIT + 1))


def test_notes_by_move_groups_the_notes_of_a_record_by_number_of_moves() -> None:
    """Notes after the same move keep their order."""
    notes = (vr.Note(0, "first"), vr.Note(0, "second"))
    assert vr.Record(2, notes=notes).notes_by_move() == {0: ("first", "second")}


def test_a_record_whose_lines_notes_or_size_are_exactly_at_the_limit_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The limit for files is in bytes; the limits for lines and notes are in characters."""
    for line in ("#" + "ö" * NOTE_LIMIT, "#" + " " * (LINE_LIMIT - 1)):
        assert vr.parse_record(TEXT + line).actions == vr.parse_record(TEXT).actions
    record = vr.Record(2, notes=[vr.Note(0, "ö" * NOTE_LIMIT)])
    text = vr.format_record(record)
    size = len(text.encode("utf-8"))
    assert size > len(text) + 900
    monkeypatch.setattr(files, "SIZE_LIMIT", size)
    assert vr.parse_record(vr.format_record(record)) == record
    monkeypatch.setattr(files, "SIZE_LIMIT", size - 1)
    with pytest.raises(vr.RecordError, match="the record is too long"):
        vr.format_record(record)
    with pytest.raises(vr.RecordError, match="too large: a file has at most"):
        vr.parse_record(text)


def test_a_record_with_more_moves_than_the_caller_allows_is_refused() -> None:
    """The error contains the limit, and the line and number of the first move beyond it."""
    lines = TEXT.splitlines()
    moves = len(vr.parse_record(TEXT).actions)
    assert vr.parse_record(TEXT, most=moves) == vr.parse_record(TEXT)
    with pytest.raises(vr.RecordError) as caught:
        vr.parse_record(TEXT, most=moves - 1)
    assert caught.value.reason == f"the record is too long: a record has at most {moves - 1} moves"
    assert (caught.value.line, caught.value.move) == (len(lines), moves)


@pytest.mark.parametrize("name", ["players", "rules", "cards", "seat red"])
def test_a_repeated_key_in_the_header_of_a_record_file_is_refused(name: str) -> None:
    """The message contains the line number and the key."""
    line = next((each for each in TEXT.splitlines() if each.startswith(name)), f"{name}: Ann")
    with pytest.raises(vr.RecordError, match=f'^line 3: the header "{name}" occurs twice$'):
        vr.parse_record(TEXT.replace("players", f"{line}\n{line}\nplayers", 1))


def test_a_record_that_could_not_be_read_back_is_not_written(tmp_path: Path) -> None:
    """The error is raised before the file is opened, so that an existing file does not change."""
    path = tmp_path / "game.txt"
    with pytest.raises(vr.RecordError, match="move 1"):
        vr.write_record(vr.Record(2, actions=[vr.DraftGood(vr.Good.GOLD)]), path)
    notes = [vr.Note(0, "x" * NOTE_LIMIT)] * (SIZE_LIMIT // NOTE_LIMIT)
    with pytest.raises(vr.RecordError, match="the record is too long"):
        vr.write_record(vr.Record(2, notes=notes), path)
    with pytest.raises(vr.RecordError, match="this is not a valid file name"):
        vr.write_record(vr.Record(2), "/x\0")
    assert not path.exists()


def test_a_note_refuses_a_number_of_moves_that_is_not_a_whole_number() -> None:
    """`True` and `2.0` equal whole numbers, but are also refused."""
    for after in (True, 2.0, "2"):
        with pytest.raises(TypeError, match="the number of moves must be a whole number, not"):
            vr.Note(after, "why not")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="after"):
        vr.Note(-1, "why not")
