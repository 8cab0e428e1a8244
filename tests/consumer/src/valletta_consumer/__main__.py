"""Use valletta-rules as a new user would: play games, save them, and read clauses."""

import argparse
import json
import random
import tempfile
from collections import Counter
from pathlib import Path

import valletta_rules as valletta
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Z_MAN,
    Action,
    CardSet,
    Chapter,
    Character,
    ClauseText,
    Code,
    Event,
    GameState,
    IllegalActionError,
    Outcome,
    PlayCard,
    PlayerInformation,
    PlayerView,
    Problem,
    Prompt,
    Record,
    RedactedEvent,
    RuleSet,
    Session,
    Table,
    TableInformation,
    Transition,
    Violation,
)
from valletta_rules.codec import SCHEMA

from .wording import word_action, word_event, word_prompt


def play_by_hand(players: int, rules: RuleSet, cards: CardSet, seed: int) -> None:
    """Play a random game with the functions of the engine, without a session."""
    rng = random.Random(seed)
    state: GameState = valletta.resolve_chance(
        valletta.new_game(players, rules=rules, cards=cards), rng
    )
    words: Counter[str] = Counter()
    while (prompt := state.prompt) is not None:
        actions: tuple[Action, ...] = valletta.legal_actions(state)
        action: Action = rng.choice(actions)
        words[word_action(action)] += 1
        words[word_prompt(prompt)] += 1
        assert valletta.check(state, action) is None
        step: Transition = valletta.transition(state, action)
        assert step.state == valletta.apply(state, action)
        state = valletta.resolve_chance(step.state, rng)
    outcome: Outcome | None = valletta.outcome(state)
    assert outcome is not None
    assert outcome.winners
    assert words
    table: TableInformation = valletta.table_information(state)
    player: PlayerInformation = valletta.player_information(state, 0)
    assert table.players[0] == player


def play_in_session(seed: int) -> Session:
    """Play a random game in a session, and check the events that seat 1 receives."""
    session = Session(["Anna", "Ben", "Carla"], rules=Z_MAN, seed=seed)
    sentences: list[str] = []
    tables: list[Table] = [valletta.view(session.state, 1).table]

    def observe(step: Transition) -> None:
        events: tuple[Event, ...] = step.events
        redacted: list[RedactedEvent] = [valletta.redact(event, 1) for event in events]
        sentences.extend(map(word_event, redacted))
        tables.append(valletta.fold(tables[-1], redacted))

    stop = session.subscribe(observe)
    rng = random.Random(seed)
    while (prompt := session.prompt) is not None:
        seat: int | None = prompt.seat
        assert seat is not None
        mine: PlayerView = valletta.view(session.state, seat)
        guess: GameState = valletta.determinize(mine, rng)
        assert valletta.view(guess, seat) == mine
        action: Action = rng.choice(mine.legal_actions)
        text: str = valletta.format_action(action)
        assert valletta.parse_action(session.state, text) == action
        session.play(action, seat=seat, revision=session.game.revision)
    stop()
    assert sentences
    assert tables[-1] == valletta.view(session.state, 1).table
    session.undo()
    assert session.game.can_redo
    session.redo()
    return session


def be_refused() -> None:
    """Check that an illegal action raises an error with a clause, and look up the clause."""
    session = Session(2, seed=1)
    prompt: Prompt | None = session.prompt
    assert prompt is not None
    assert prompt.seat is not None
    try:
        session.play(PlayCard(Character.MAID), seat=prompt.seat)
    except IllegalActionError as error:
        violation: Violation = error.violation
        assert violation.code is Code.WRONG_KIND
        clause: ClauseText = valletta.explain(violation.clause)
        assert clause.text
        assert clause.sources
    else:
        raise AssertionError("an illegal move was accepted")


def keep(session: Session) -> None:
    """Check that positions, records and other values survive being written and read."""
    state, record = session.state, session.record
    spectator: PlayerView = valletta.view(state, None)
    for value in (state, record, spectator, session.transitions[-1], RECONSTRUCTION, Z_MAN):
        assert valletta.from_json(valletta.to_json(value, indent=1)) == value
    problems: tuple[Problem, ...] = valletta.problems_of(state)
    assert problems == ()
    assert valletta.parse_position_line(valletta.position_line(state)) == state
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "game.valletta")
        valletta.write_record(record, path)
        read: Record = valletta.read_record(path)
    assert read == record
    assert valletta.position_after(read) == state


def check_package_contents(root: Path) -> None:
    """Check that the wheel contains card sets, clauses, rulings, the schema and ``py.typed``."""
    package = Path(valletta.__file__).resolve().parent
    assert package.is_relative_to(root.resolve()), f"{package} is not the installed wheel"
    assert (package / "py.typed").is_file()
    assert json.loads(SCHEMA.read_text("utf-8"))["$schema"]
    assert RECONSTRUCTION.buildings
    chapters: tuple[Chapter, ...] = valletta.chapters()
    assert len(chapters) >= 11
    assert all(valletta.explain(clause).text for clause in valletta.clause_ids())
    assert all(valletta.ruling(name).question for name in valletta.ruling_ids())
    names: list[str] = valletta.__all__
    assert all(hasattr(valletta, name) for name in names)


def main() -> None:
    """Run all checks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--environment", type=Path, required=True)
    check_package_contents(parser.parse_args().environment)
    for players, rules in ((2, HANS_IM_GLUECK), (3, Z_MAN), (4, REFERENCE_MANUAL)):
        play_by_hand(players, rules, RECONSTRUCTION, seed=players)
    be_refused()
    keep(play_in_session(seed=5))
    print("All checks passed.")  # noqa: T201 - the last word of a command


if __name__ == "__main__":
    main()
