"""A fixture that runs `valletta` with typed input, in a folder with sample files."""

import random
from collections.abc import Iterable
from pathlib import Path
from unittest.mock import Mock

import attrs
import pytest

from tests.card_sets.texts import SOUND
from valletta_rules import Note, Record, Session, format_record
from valletta_rules.bots.automatic import choose
from valletta_rules.cli.main import main


def a_game() -> Record:
    """Return the record of a finished game between bots, with two notes."""
    session, rng = Session(["Anna", "Ben"], seed=7), random.Random(1)
    while session.prompt is not None:
        session.play(choose(session.state, rng))
    return attrs.evolve(session.record, notes=[Note(0, "league, round 3"), Note(33, "why?")])


RECORD = format_record(a_game()).encode()

FILES = {
    "game.txt": RECORD,
    "empty.txt": b"",
    "latin-1.txt": b"\xff",
    "damaged.txt": RECORD.replace(b"draft ", b"draft x", 1),
    "longer.txt": RECORD.replace(b"Turn 1, Anna", b"") + b"Maid\n",
    "faulty.toml": b"format = 1\n[barrels]\ngold = 99\n",
    "mine.toml": SOUND.replace('"Reconstruction 3"', '"Mine"').encode(),
}


@attrs.define
class Terminal:
    """A callable that runs `valletta` in a folder with sample files and captures the output."""

    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    complaints: str = ""
    """The text that the last command wrote to standard error."""

    def __call__(self, command: str, lines: Iterable[str] = (), status: int = 0) -> str:
        """Run `command` with `lines` as input, check its exit status, and return its output."""
        typed = [KeyboardInterrupt if line == "^C" else line for line in lines]
        self.monkeypatch.setattr("builtins.input", Mock(side_effect=[*typed, EOFError]))
        self.capsys.readouterr()
        try:
            ended: object = main(command.split(" "))
        except SystemExit as exit_:
            ended = exit_.code or 0
        assert ended == status
        output, self.complaints = self.capsys.readouterr()
        return output


@pytest.fixture
def terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Terminal:
    """Return a `Terminal` in a folder that contains the sample files `FILES`."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        Path(name).write_bytes(content)
    return Terminal(monkeypatch, capsys)
