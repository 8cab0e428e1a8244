"""Print random games as JSON for the JavaScript tests: ``python games.py COUNT``.

Each line is one object: the start of a game, a step with its expected results, or the end.
"""

import json
import random
import sys
from collections.abc import Iterable, Sequence

import attrs

import valletta_rules as valletta
from valletta_rules.codec import to_document
from valletta_rules.text.notation import format_action
from valletta_rules.views.seen_events import redact
from valletta_rules.words import LANGUAGES

NAMES: tuple[Sequence[str], ...] = ((), ("ßeta", "{seat} $& $1", "Żofia", "\U00010437 __proto__"))
"""The two lists of player names.  With the empty list, texts use the players' colours."""


def text_of(value: object) -> str:
    """Return a value as JSON text that equals the output of `JSON.stringify`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def documents(values: Iterable[valletta.RedactedEvent]) -> str:
    """Return events as a JSON array, without the version and kind that documents contain."""
    return text_of([to_document(value)["value"] for value in values])


def sentences(
    state: valletta.GameState, events: list[valletta.Event], names: Sequence[str], seat: int | None
) -> dict[str, list[str]]:
    """Return the texts for a prompt and for events, keyed by language."""
    return {
        code: [
            language.describe_prompt(state, names),
            *(language.narrate(each, state, names, reader=seat) for each in events),
        ]
        for code, language in LANGUAGES.items()
    }


def step(
    state: valletta.GameState, rng: random.Random, names: Sequence[str]
) -> tuple[dict[str, object], valletta.GameState]:
    """Apply a random action; return the results expected of JavaScript, and the new position."""
    legal = valletta.legal_actions(state)
    action = rng.choice(legal)
    seat = rng.choice((None, *state.seats))
    after, events = attrs.astuple(valletta.transition(state, action), recurse=False)
    return {
        "state": valletta.to_json(state),
        "line": valletta.position_line(state),
        "notation": [format_action(each) for each in legal],
        "described": {
            code: [language.describe_action(state, each) for each in legal]
            for code, language in LANGUAGES.items()
        },
        "seat": seat,
        "action": valletta.to_json(action),
        "events": documents(events),
        "redacted": documents([redact(each, seat) for each in events]),
        "sentences": sentences(state, events, names, seat),
    }, after


def over(state: valletta.GameState, names: Sequence[str]) -> dict[str, object]:
    """Return the results that JavaScript must reproduce for a finished game and for rare events."""
    outcome = valletta.outcome(state)
    assert outcome is not None
    rare: list[valletta.Event] = [
        valletta.EffectDeclined(0, "TRN-11"),
        *(valletta.FinalPhaseTriggered(0, each, "FIN-3") for each in valletta.EndCondition),
    ]
    rare += [
        valletta.GameEnded(attrs.evolve(outcome, winners=winners, clause=clause))
        for winners, clause in (((0,), "SCO-9"), ((1,), "SCO-10"), ((*state.seats,), "SCO-11"))
    ]
    return {
        "state": valletta.to_json(state),
        "outcome": valletta.to_json(outcome),
        "events": documents(rare),
        "sentences": sentences(state, rare, names, None),
    }


def main(games: int) -> None:
    """Print the start, each step and the end of games, with the results expected of JavaScript."""
    editions = (valletta.HANS_IM_GLUECK, valletta.Z_MAN, valletta.REFERENCE_MANUAL)
    for number in range(games):
        rng = random.Random(number)
        players = 2 + number % 3
        names = NAMES[number % 2][:players]
        rules = editions[number // 3 % 3].with_variants(start_player_variant=number % 2 == 1)
        state = valletta.new_game(players, rules=rules)
        print(text_of({"players": players, "rules": to_document(rules)["value"], "names": names}))
        while state.prompt is not None:
            results, state = step(state, rng, names)
            print(text_of(results))
        print(text_of(over(state, names)))


if __name__ == "__main__":
    main(int(sys.argv[1]))
