"""The table of documents: texts that all readers judge alike, made from sound ones by one change.

The cases in `spec/conformance/documents.json`, with their verdicts, are written by hand.  The sound
texts in it are generated: `python -m spec.checks accept generated` writes them.
"""

import json
import random
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import attrs

from spec.checks.established import ROOT
from spec.checks.random_games import Temper, seeded_moves
from valletta_rules import (
    HANS_IM_GLUECK,
    RECONSTRUCTION,
    Goods,
    Pay,
    Record,
    new_game,
    outcome,
    position_line,
    resolve_chance,
    to_json,
    transition,
    view,
)
from valletta_rules.components import MOST_HELD
from valletta_rules.errors import Code, Refusal, violation
from valletta_rules.events import GoodsReturned
from valletta_rules.records.log import Answered
from valletta_rules.records.record import Note
from valletta_rules.views.news import News

FILE: Final = ROOT / "spec" / "conformance" / "documents.json"
"""The table."""

CASES: Final = ',\n"cases": ['
"""What the cases begin with in the file."""

READ, REFUSED = "read", "refused"
"""The verdicts: a text is read as the sound one that it was made from, or it is refused."""


class Case(NamedTuple):
    """A sound text, a change, and what readers make of the result."""

    name: str
    of: str
    """The sound text: a kind of document, or ``line``."""
    old: str
    """What is replaced, once; if it is empty, the whole text is."""
    new: str
    verdict: str
    """What a reader makes of the text."""
    schema: str | None = None
    """What the JSON Schema makes of it; `None` if it is not asked: a parser has refused the text or
    has lost what is wrong with it, or it is no JSON."""
    pad: int | None = None
    """How many characters the text has after spaces are added to it."""


def cases() -> list[Case]:
    """Return the cases of the table."""
    return [Case(**each) for each in json.loads(FILE.read_text("utf-8"))["cases"]]


@cache
def sound_texts() -> Mapping[str, str]:
    """Return a sound document of every kind, and a position line."""
    start = new_game(2)
    state = resolve_chance(start, random.Random(1))
    moves = list(seeded_moves(start, 1, Temper.EAGER))
    dealt, last = moves[0], moves[-1].after
    main = moves[len(moves) // 2].after
    much = attrs.evolve(main.players[0], goods=Goods(gold=MOST_HELD))
    rich = attrs.evolve(main, players=(much, *main.players[1:]))
    scores = outcome(last)
    assert scores is not None
    values: dict[str, Any] = {
        "GameState": state,
        "PlayerView": view(state, 0),
        "Transition": transition(start, dealt.action),
        "Action": Pay(Goods(gold=2)),
        "Event": GoodsReturned(1, Goods(gold=2), "BLD-19"),
        "Prompt": state.prompt,
        "Outcome": scores,
        "Violation": violation("TRN-2", Code.WRONG_KIND, "no"),
        "Refusal": Refusal("x", 'a brace { and "a": 1, "a": 1 in a text'),
        "News": News(1, 2, (dealt.events,), view(dealt.after, None)),
        "RuleSet": HANS_IM_GLUECK,
        "CardSet": RECONSTRUCTION,
        "Record": Record(2, actions=[dealt.action], names=["Ann", "Ben"], notes=[Note(1, "Now")]),
        "LogEntry": Answered(1, 1, dealt.action, (dealt.action,), "a-1"),
        "Rich": rich,
    }
    return {"line": position_line(state), **{kind: to_json(each) for kind, each in values.items()}}


def text_of(case: Case) -> str:
    """Return the text that a case is about."""
    sound = sound_texts()[case.of]
    assert case.old in sound, case
    text = sound.replace(case.old, case.new, 1) if case.old else case.new
    return text.ljust(case.pad or 0)


def table() -> str:
    """Return the text of the file, with the sound texts generated again and the same cases."""
    before = FILE.read_text("utf-8")
    texts = json.dumps(dict(sound_texts()), indent=1)
    return f'{{"texts": {texts}{before[before.index(CASES) :]}'
