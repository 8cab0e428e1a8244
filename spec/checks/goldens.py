"""Games played by a seed, in words, one file each: how they are played today.

There is a game for each edition, with each variant that the number of players allows.  Players
choose at random among their legal actions, save that they pay in the way listed first.

    python -m spec.checks.goldens  shows in what they differ from those in tests/goldens/

Where a rule, a ruling or a card has changed on purpose, read the difference, then
`python -m spec.checks accept goldens`.
"""

from __future__ import annotations

import difflib
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

from valletta_rules import (
    HANS_IM_GLUECK,
    Action,
    Build,
    CardBag,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    Pay,
    PlayCard,
    ReturnGood,
    RevealBarrel,
    RuleSet,
    TakeGood,
    TakeGoods,
    Transition,
    Upgrade,
    legal_actions,
    new_game,
    outcome,
    sample_chance,
    transition,
)
from valletta_rules.agenda import DealPrompt, DrawPrompt, PaymentPrompt, Prompt
from valletta_rules.events import (
    EffectFizzled,
    FinalPhaseBegan,
    FinalPhaseTriggered,
    GoodsGiven,
    GoodsTaken,
    PointsScored,
    Reshuffled,
    TurnBegan,
    ValetteMoved,
)
from valletta_rules.rulings import EDITIONS

FOLDER = Path(__file__).parents[2] / "tests" / "goldens"
"""Where the goldens lie."""

TURNS_BETWEEN_SUMMARIES = 25
"""After so many turns the table is described."""


@attrs.frozen
class Golden:
    """A game that is kept in writing."""

    name: str
    """What the file is called, and the seed of the game."""
    rules: RuleSet
    players: int

    @property
    def path(self) -> Path:
        """The file that keeps the game."""
        return FOLDER / f"{self.name}.txt"

    def text(self) -> str:
        """Play the game and return it in words."""
        return "".join(f"{line}\n" for line in tell(self))


def variants_of(players: int) -> dict[str, RuleSet]:
    """Return the variants for a number of players, switched on over the default edition."""
    plain = {"no-variant": HANS_IM_GLUECK}
    plain["start-player"] = HANS_IM_GLUECK.with_variants(start_player_variant=True)
    if players == 2:
        plain["fewer-barrels"] = HANS_IM_GLUECK.with_variants(fewer_barrels=True)
        plain["both"] = plain["start-player"].with_variants(fewer_barrels=True)
    return plain


def goldens() -> tuple[Golden, ...]:
    """Return every game that is kept in writing."""
    return tuple(
        Golden(
            f"{edition}-{variant}-{players}p",
            rules.with_variants(
                start_player_variant=on.start_player_variant, fewer_barrels=on.fewer_barrels
            ),
            players,
        )
        for edition, rules in EDITIONS.items()
        for players in (2, 3, 4)
        for variant, on in variants_of(players).items()
    )


# A game in words


def tell(golden: Golden) -> Iterator[str]:
    """Play a game by its seed and give it line by line.

    Each answer is a line, except that the cards drawn or dealt one after the other share one.
    """
    rng = random.Random(golden.name)
    state = new_game(golden.players, rules=golden.rules)
    yield f"{golden.rules}, {golden.players} players, cards: {state.cards}, seed: {golden.name}"
    yield ""
    gathered: list[str] = []
    turns = 0
    while (prompt := state.prompt) is not None:
        action = choose(state, prompt, rng)
        result = transition(state, action)
        state = result.state
        gathered.append(words_of(action) + "".join(remarks(result, seat_of(prompt))))
        if state.prompt != prompt or not isinstance(prompt, DealPrompt | DrawPrompt):
            yield f"{who(prompt)}{', '.join(gathered)}"
            gathered = []
        for event in result.events:
            if isinstance(event, TurnBegan):
                yield ""
                if turns % TURNS_BETWEEN_SUMMARIES == 0:
                    yield from summary(state)
                turns += 1
                plays = "" if event.plays == 3 else f" ({event.plays} to play)"
                yield f"turn {turns}, seat {event.seat}{plays}"
    yield ""
    yield from summary(state)
    yield from score_sheet(state)


def choose(state: GameState, prompt: Prompt, rng: random.Random) -> Action:
    """Choose an action at random, or the first payment."""
    if prompt.seat is None:
        return sample_chance(state, rng)
    actions = legal_actions(state)
    if isinstance(prompt, PaymentPrompt):
        return actions[0]
    return actions[rng.randrange(len(actions))]


def who(prompt: Prompt) -> str:
    """Name who is asked, or for whom chance answers, and the prompt."""
    name = type(prompt).__name__.removesuffix("Prompt").lower()
    seat = seat_of(prompt)
    return f"{name}: " if seat is None else f"{seat} {name}: "


def seat_of(prompt: Prompt) -> int | None:
    """Return the seat that is asked, or that chance answers for."""
    seat: int | None = getattr(prompt, "player", prompt.seat)
    return seat


def words_of(action: Action) -> str:
    """Say an action in few words."""
    match action:
        case DealBuilding(building):
            return building
        case DrawCard(character) | PlayCard(character, True):
            return short(character.english)
        case PlayCard(character):
            return f"{short(character.english)}, unused"
        case Dismiss(character):
            return f"dismiss {short(character.english)}"
        case Hire(character):
            return f"hire {short(character.english)}"
        case (
            RevealBarrel(good)
            | DraftGood(good)
            | TakeGood(good)
            | ReturnGood(good)
            | GiveGood(good)
        ):
            return f"{good}"
        case TakeGoods(goods) | Pay(goods):
            return f"{goods}"
        case Build(site):
            return f"build on site {site}"
        case Upgrade(site):
            return f"upgrade site {site}"
        case Decline():
            return "decline"


SHORT = {
    "Jean Parisot de Valette": "Valette",
    "Architect Francesco Laparelli": "Architect",
    "Grand Bailiff Georg Schilling von Cannstatt": "Grand Bailiff",
    "Grand Master Pietro del Monte": "Grand Master",
    "Philip II of Spain": "Philip",
    "Emperor Charles V": "Charles",
    "Pope Pius V": "Pius",
    "Knight Hieronymus von Rekuk": "Knight",
}
"""Names that would make long lines."""


def short(name: str) -> str:
    """Return the short form of a character's name."""
    return SHORT.get(name, name)


def remarks(result: Transition, asked: int | None) -> Iterator[str]:
    """Say what happened that the action does not tell."""
    for event in result.events:
        match event:
            case PointsScored(_, points):
                yield f", scores {points}"
            case GoodsTaken(seat, goods) if seat == asked:
                yield f" +{compact(goods)}"
            case GoodsTaken(seat, goods):
                yield f"; {seat} gets {compact(goods)}"
            case GoodsGiven(giver, taker, goods):
                yield f"; {giver} gives {taker} {compact(goods)}"
            case ValetteMoved(space):
                yield f", moves to {space}"
            case Reshuffled():
                yield "; reshuffles"
            case EffectFizzled():
                yield ", no effect"
            case FinalPhaseTriggered(_, condition):
                yield f"; final phase triggered ({condition})"
            case FinalPhaseBegan():
                yield "; FINAL PHASE"
            case _:
                pass


def compact(goods: Goods) -> str:
    """Write goods with the letters of their kinds, as in ``2g1s``."""
    parts = (f"{goods[good]}{good[0]}" for good in Good if goods[good])
    return "".join(parts) or "nothing"


def summary(state: GameState) -> Iterator[str]:
    """Describe the table."""
    yield (
        f"| Valette {state.valette}, barrels {compact(state.barrels)}, "
        f"supply: {cards(state.supply)}"
    )
    for seat, player in enumerate(state.players):
        sites = (f"{site}{'+' if site in player.upgraded else ''}" for site in player.built)
        yield (
            f"| {seat}: {player.score} points, {compact(player.goods)}, "
            f"built {' '.join(sites) or '-'}; hand: {cards(player.hand)}; "
            f"{len(player.draw_pile)} to draw, {len(player.discard_pile)} discarded"
        )


def cards(bag: CardBag) -> str:
    """Name the cards of a bag."""
    named = (
        f"{count} {short(card.english)}" if count > 1 else short(card.english)
        for card, count in bag.items()
    )
    return ", ".join(named) or "none"


def score_sheet(state: GameState) -> Iterator[str]:
    """Write down the final scores."""
    result = outcome(state)
    assert result is not None
    yield ""
    yield "seat  track  buildings  goods  total  houses"
    for score in result.scores:
        yield (
            f"{score.seat:4}  {score.track:5}  {score.buildings:9}  {score.goods:5}  "
            f"{score.total:5}  {score.houses:6}"
        )
    yield f"won by seat {' and seat '.join(map(str, result.winners))} [{result.clause}]"


# The command


def difference(golden: Golden) -> str:
    """Return in which lines a file differs from its game; nothing if it does not."""
    path = golden.path
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = difflib.unified_diff(
        kept.splitlines(), golden.text().splitlines(), f"{path.name} as kept", "as played", n=1
    )
    return "\n".join(line.rstrip("\n") for line in lines)


def strays() -> tuple[Path, ...]:
    """Return the files that belong to no game."""
    wanted = {golden.path for golden in goldens()}
    return tuple(sorted(set(FOLDER.glob("*.txt")) - wanted))


def accept() -> int:
    """Write every game down as it is played today."""
    for path in strays():
        path.unlink()
    for golden in goldens():
        golden.path.write_text(golden.text(), encoding="utf-8", newline="\n")
    return 0


def main() -> int:
    """Show what has changed; the exit code is 1 if anything has."""
    found = [text for golden in goldens() if (text := difference(golden))]
    found += [f"{path.name} belongs to no game" for path in strays()]
    sys.stdout.write("".join(f"{text}\n" for text in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
