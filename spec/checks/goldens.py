"""Golden games: the texts of games that the engine has played, in one file per seed.

The games include each edition, each variant and each number of players.  Players choose their
actions at random, except that they always choose the first legal payment.  After an intended change
of a rule, a ruling or a card, `python -m spec.checks accept goldens` regenerates the files, and
``git diff`` shows the differences.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import attrs

import valletta_rules as vr
from valletta_rules import rulings
from valletta_rules.specification.worked_examples import write_event

FOLDER = Path(__file__).parents[2] / "tests" / "goldens"

TURNS_BETWEEN_SUMMARIES = 25
"""The number of turns between two summaries of the table in a golden game."""


@attrs.frozen
class Golden:
    """A golden game, which is determined by its seed."""

    name: str
    """The name of the file, which is also the seed of the game."""
    rules: vr.RuleSet
    players: int

    @property
    def path(self) -> Path:
        """The path of the file with the text of the game."""
        return FOLDER / f"{self.name}.txt"

    def text(self) -> str:
        """Play the game, and return its text."""
        return "".join(f"{line}\n" for line in narrate(self))


def goldens() -> tuple[Golden, ...]:
    """Return all golden games."""
    tables = (
        (rulings.HANS_IM_GLUECK, 3),
        (rulings.Z_MAN.with_variants(start_player_variant=True), 4),
        (rulings.Z_MAN.with_variants(fewer_barrels=True), 2),
        (rulings.REFERENCE_MANUAL.with_variants(start_player_variant=True), 2),
    )
    return tuple(
        Golden("-".join((str(rulings.edition_of(rules)), *variants, f"{players}p")), rules, players)
        for rules, players in tables
        for variants in [rulings.variants_of(rules) or ("no-variant",)]
    )


# A game in words


def narrate(golden: Golden) -> Iterator[str]:
    """Play a golden game, and yield the lines of its text.

    Each action forms one line with its events, but cards that are drawn or dealt one after another
    share a line.  Every few turns, another line summarises the table.
    """
    rng = random.Random(golden.name)
    state = vr.new_game(golden.players, rules=golden.rules)
    yield f"{golden.rules}, {golden.players} players, cards: {state.cards}, seed: {golden.name}"
    yield ""
    gathered: list[str] = []
    turns = 0
    while (prompt := state.prompt) is not None:
        action = choose(state, prompt, rng)
        result = vr.transition(state, action)
        state = result.state
        if isinstance(prompt, vr.DealPrompt | vr.DrawPrompt):
            events = [write_event(event) for event in result.events[1:]]
        else:
            events = list(map(write_event, result.events))
        gathered.append("; ".join([vr.format_action(action), *events]))
        if state.prompt != prompt or not isinstance(prompt, vr.DealPrompt | vr.DrawPrompt):
            yield ", ".join(gathered)
            gathered = []
        if any(isinstance(event, vr.TurnBegan) for event in result.events):
            yield ""
            if turns % TURNS_BETWEEN_SUMMARIES == 0:
                yield vr.position_line(state)
            turns += 1
            yield f"turn {turns}"
    yield vr.position_line(state)
    yield repr(vr.outcome(state))


def choose(state: vr.GameState, prompt: vr.Prompt, rng: random.Random) -> vr.Action:
    """Choose a legal action at random; if a payment is due, choose the first one."""
    if prompt.seat is None:
        return vr.sample_chance(state, rng)
    actions = vr.legal_actions(state)
    if isinstance(prompt, vr.PaymentPrompt):
        return actions[0]
    return actions[rng.randrange(len(actions))]


# The files


def strays() -> tuple[Path, ...]:
    """Return the text files in `FOLDER` that belong to no golden game."""
    wanted = {golden.path for golden in goldens()}
    return tuple(sorted(set(FOLDER.glob("*.txt")) - wanted))


def accept() -> int:
    """Play every golden game with the current engine, and write its text; delete other texts."""
    for path in strays():
        path.unlink()
    for golden in goldens():
        golden.path.write_text(golden.text(), encoding="utf-8", newline="\n")
    return 0
