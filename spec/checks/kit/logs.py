"""A table of test cases for game logs: valid logs with updates and records, and faulty logs.

`python -m spec.checks accept generated` writes the table to `spec/conformance/logs.json`.
"""

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import valletta_rules as vr
from spec.checks.established import ROOT

FILE: Final = ROOT / "spec" / "conformance" / "logs.json"

UNDONE, FORCED = "two seats, undo and redo", "three seats, forced answers skipped"
"""The names of the valid logs."""


class News(NamedTuple):
    """A document for a viewer with all changes of a game since a revision.

    If `revision` is `None`, the document contains the whole game.  The viewer is a seat, or `None`
    for a spectator.
    """

    revision: int | None
    seat: int | None
    text: str


class Faulty(NamedTuple):
    """A faulty log, which a parser must refuse."""

    name: str
    of: str
    """The name of the valid log from which the faulty one was made."""
    entries: list[int | str]
    """The entries of the faulty log.  An integer is the index of an entry in the valid log.  A
    string is a text that the valid log does not contain."""
    entry: int
    """The index of the entry that the error must name."""
    code: str | None
    """The code of the error, or `None` if implementations may use different codes."""


@cache
def games() -> Mapping[str, vr.Game]:
    """Return the games of the valid logs, keyed by name."""
    return {UNDONE: _with_undo(), FORCED: _with_forced_answers()}


def documents(game: vr.Game) -> list[str]:
    """Return the entries in the log of a game, each as a document."""
    return [vr.to_json(entry) for entry in game.log]


def news(game: vr.Game) -> Iterator[News]:
    """Yield updates of a game: the last revision for every viewer, and two longer ones.

    The longer ones are the whole game for a spectator, and its second half for seat 0.
    """
    for since, seat in (
        (None, None),
        (game.revision // 2, 0),
        *((game.revision - 1, seat) for seat in (*range(len(game.position.players)), None)),
    ):
        yield News(since, seat, vr.to_json(game.since(since, seat)))


def record(game: vr.Game) -> str | None:
    """Return the record of a game as a document, or `None` if the game began after the setup."""
    is_first = game.start == vr.new_game(len(game.start.players))
    return vr.to_json(game.record()) if is_first else None


def faulty() -> Iterator[Faulty]:
    """Yield faulty logs: variants of the valid log that contains an undo, each with one fault."""
    log = documents(games()[UNDONE])
    every: list[int | str] = [*range(len(log))]
    opened = _changed(log[0], revision=len(log))
    other_version = log[1].replace('{"valletta_rules":2', '{"valletta_rules":9')
    cut: list[tuple[str, list[int | str], int, str | None]] = [
        ("it is empty", every[:0], 0, "cut-log"),
        ("its beginning is missing", every[1:], 0, "cut-log"),
        ("an entry is missing", [0, *every[2:]], 1, "cut-log"),
        ("an entry is there twice", [0, 1, *every[1:]], 2, "cut-log"),
        ("the last entry is cut", [*every[:-1], log[-1][:60]], len(log) - 1, None),
        ("a document is no entry", [0, vr.to_json(vr.Decline())], 1, None),
        ("an entry is of another version", [0, other_version], 1, None),
        ("it is opened again", [*every, opened], len(log), "log"),
    ]
    for name, entries, entry, code in cut:
        yield Faulty(name, UNDONE, entries, entry, code)
    decline = {"type": "Decline"}
    changed: list[tuple[str, int, str, dict[str, Any]]] = [
        ("the deal is cut", 0, "cut-log", {"then": []}),
        ("there is no such seat", 1, "seat", {"seat": 3}),
        ("another seat must decide", 1, "not-asked", {"seat": 0}),
        ("an id is that of another call", 2, "foreign-id", {"id": "a"}),
        ("an answer is illegal", 2, "wrong-kind", {"action": decline}),
        ("what follows is no answer of chance", 1, "log", {"then": [decline]}),
        ("an undo leads to the future", 3, "future-revision", {"to": 9}),
        ("an undo takes nothing back", 3, "nothing-to-undo", {"to": 2}),
    ]
    for name, entry, code, values in changed:
        text = _changed(log[entry], **values)
        yield Faulty(name, UNDONE, [*every[:entry], text, *every[entry + 1 :]], entry, code)


def table() -> str:
    """Return the generated text of `FILE`."""
    logs = [
        {
            "name": name,
            "log": documents(game),
            "news": [each._asdict() for each in news(game)],
            "record": record(game),
        }
        for name, game in games().items()
    ]
    tables = {"logs": logs, "faulty": [each._asdict() for each in faulty()]}
    return f"{json.dumps(tables, ensure_ascii=False, indent=1)}\n"


def _with_undo() -> vr.Game:
    """Return a game for two players with an undo, a redo, and answers with and without ids."""
    rng = random.Random(1)
    draw = vr.by_random(rng)
    game = vr.Game.begin(vr.new_game(2), draw=draw)
    for seat, good in ((1, vr.Good.GOLD), (0, vr.Good.WOOD)):
        name = "ab"[game.revision]
        action = vr.DraftGood(good)
        game, _ = game.answer(action, seat=seat, revision=game.revision, draw=draw, id=name)
    game, _ = game.undo(seat=0, revision=2, id="c")
    game, _ = game.redo(seat=1, revision=3)
    game = _answered(game, rng, 12)
    game, _ = game.undo(seat=1, revision=game.revision, to=game.revision - 4)
    return _answered(game, rng, 2)


def _with_forced_answers() -> vr.Game:
    """Return a game for three players that starts shortly before some forced answers."""
    rng = random.Random(2)
    start = vr.resolve_chance(vr.new_game(3), rng)
    game = vr.Game.begin(start, draw=vr.by_random(rng), skip_forced=True)
    while all(isinstance(move.action, vr.ChanceAction) for move in game.done[1:]):
        game = _answered(game, rng, 1)
    earlier = [each.position for each in _back(game, 3)][-1]
    game = vr.Game.begin(earlier, draw=vr.by_random(rng), skip_forced=True)
    return _answered(game, rng, 6)


def _back(game: vr.Game, steps: int) -> Iterator[vr.Game]:
    """Yield the game as it was before each of its last `steps` entries, the latest first."""
    for _ in range(steps):
        assert game.previous is not None
        game = game.previous
        yield game


def _answered(game: vr.Game, rng: random.Random, answers: int) -> vr.Game:
    """Return a game after the given number of random answers have been added."""
    draw = vr.by_random(rng)
    for _ in range(answers):
        assert game.asked is not None
        action = rng.choice(vr.legal_actions(game.position))
        game, _ = game.answer(action, seat=game.asked, revision=game.revision, draw=draw)
    return game


def _changed(text: str, **values: Any) -> str:
    """Return the document of a log entry after some of its values are replaced."""
    document = json.loads(text)
    document["value"] |= values
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
