"""Games of the engine for the tests in JavaScript, one object per line: ``python games.py 12``."""

import json
import random
import sys
from contextlib import suppress
from typing import get_args

import attrs

import valletta_rules as valletta
from spec.checks.random_games import every_action
from valletta_rules.codec import to_document
from valletta_rules.text.notation import format_action
from valletta_rules.views.redaction import redact


def text_of(value: object) -> str:
    """Write a value as JavaScript does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def refused(state: valletta.GameState, rng: random.Random) -> list[object]:
    """Return some actions that are illegal in a position, each with the reason."""
    reasons: list[object] = []
    for action in rng.sample(every_action(state), 3):
        with suppress(valletta.MalformedActionError):
            if (violation := valletta.check(state, action)) is not None:
                reason: dict[str, object] = to_document(violation)["value"]
                del reason["message"]
                reasons.append([to_document(action)["value"], reason])
    return reasons


def main(games: int) -> None:
    """Print games: how each begins, and at every position what JavaScript must say of it."""
    editions = (valletta.HANS_IM_GLUECK, valletta.Z_MAN, valletta.REFERENCE_MANUAL)
    for number in range(games):
        rng = random.Random(number)
        players = 2 + number % 3
        rules = editions[number // 3 % 3].with_variants(start_player_variant=number % 2 == 1)
        state = valletta.new_game(players, rules=rules)
        begun = {"players": players, "rules": to_document(rules)["value"]}
        print(json.dumps(begun, ensure_ascii=False))
        while state.prompt is not None:
            is_chance = isinstance(state.prompt, get_args(valletta.ChancePrompt))
            outcomes = valletta.chance_outcomes(state) if is_chance else ()
            legal = valletta.legal_actions(state)
            action = rng.choice(legal)
            seat = rng.choice((None, *range(players)))
            told = {
                "state": valletta.to_json(state),
                "line": valletta.position_line(state),
                "legal": [to_document(each)["value"] for each in legal],
                "notation": [format_action(each) for each in legal],
                "chance": [[each.numerator, each.denominator] for _, each in outcomes],
                "refused": refused(state, rng),
                "seat": seat,
                "view": valletta.to_json(valletta.view(state, seat)),
                "action": valletta.to_json(action),
            }
            state_after, events = attrs.astuple(valletta.transition(state, action), recurse=False)
            seen = [redact(each, seat) for each in events]
            for name, each in (("events", events), ("seen", seen)):
                told[name] = text_of([to_document(event)["value"] for event in each])
            print(json.dumps(told, ensure_ascii=False))
            state = state_after
        outcome = valletta.outcome(state)
        assert outcome is not None
        over = {"state": valletta.to_json(state), "outcome": valletta.to_json(outcome)}
        print(json.dumps(over, ensure_ascii=False))


if __name__ == "__main__":
    main(int(sys.argv[1]))
