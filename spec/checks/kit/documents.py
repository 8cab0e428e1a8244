"""A table of test cases for parsers: valid documents, each with one change.

All parsers must return the same verdict on a case.  The cases in `spec/conformance/documents.json`
and their verdicts are written by hand.  `python -m spec.checks accept generated` generates the
valid documents.
"""

import json
import random
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import attrs

import valletta_rules as vr
from spec.checks.established import ROOT
from spec.checks.random_games import Temper, seeded_moves
from valletta_rules.components import LARGEST_AMOUNT
from valletta_rules.errors import Code, Refusal, violation

FILE: Final = ROOT / "spec" / "conformance" / "documents.json"

CASES: Final = ',\n"cases": ['
"""The text in `FILE` that precedes the list of cases."""

READ, REFUSED = "read", "refused"
"""The verdicts on a changed text: it has the value of the valid text, or must be refused."""


class Case(NamedTuple):
    """A change to a valid text, and the expected verdicts on the changed text."""

    name: str
    of: str
    """The name of the valid text that is changed: a kind of document, or ``line``."""
    old: str
    """The text to replace, which occurs exactly once.  If it is empty, the whole text is replaced.
    """
    new: str
    verdict: str
    schema: str | None = None
    """The verdict of the JSON Schema, or `None` if the schema cannot judge the text.  In that case
    the text is not JSON, or a JSON parser refuses it or hides the fault."""
    pad: int | None = None
    """The length to which the text is padded with spaces."""


def cases() -> list[Case]:
    """Return the cases in the table."""
    return [Case(**each) for each in json.loads(FILE.read_text("utf-8"))["cases"]]


@cache
def sound_texts() -> Mapping[str, str]:
    """Return a valid document of every kind, and a valid position line, keyed by name."""
    start = vr.new_game(2)
    state = vr.resolve_chance(start, random.Random(1))
    moves = list(seeded_moves(start, 1, Temper.EAGER))
    dealt, last = moves[0], moves[-1].after
    main = moves[len(moves) // 2].after
    much = attrs.evolve(main.players[0], goods=vr.Goods(gold=LARGEST_AMOUNT))
    rich = attrs.evolve(main, players=(much, *main.players[1:]))
    scores = vr.outcome(last)
    assert scores is not None
    values: dict[str, Any] = {
        "GameState": state,
        "PlayerView": vr.view(state, 0),
        "Transition": vr.transition(start, dealt.action),
        "Action": vr.Pay(vr.Goods(gold=2)),
        "Event": vr.GoodsReturned(1, vr.Goods(gold=2), "BLD-19"),
        "Prompt": state.prompt,
        "Outcome": scores,
        "Violation": violation("TRN-2", Code.WRONG_KIND, "no"),
        "Refusal": Refusal("x", 'a brace { and "a": 1, "a": 1 in a text'),
        "News": vr.News(1, 2, (dealt.events,), vr.view(dealt.after, None)),
        "RuleSet": vr.HANS_IM_GLUECK,
        "CardSet": vr.RECONSTRUCTION,
        "Record": vr.Record(
            2, actions=[dealt.action], names=["Ann", "Ben"], notes=[vr.Note(1, "Now")]
        ),
        "LogEntry": vr.Answered(1, 1, dealt.action, (dealt.action,), "a-1"),
        "Rich": rich,
    }
    return {
        "line": vr.position_line(state),
        **{kind: vr.to_json(each) for kind, each in values.items()},
    }


def text_of(case: Case) -> str:
    """Return the text of a case: the valid text after the change."""
    sound = sound_texts()[case.of]
    assert case.old in sound, case
    text = sound.replace(case.old, case.new, 1) if case.old else case.new
    return text.ljust(case.pad or 0)


def table() -> str:
    """Return the new text of `FILE`, with regenerated valid texts and unchanged cases."""
    before = FILE.read_text("utf-8")
    texts = json.dumps(dict(sound_texts()), indent=1)
    return f'{{"texts": {texts}{before[before.index(CASES) :]}'
