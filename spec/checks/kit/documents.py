"""The table of documents: texts that all readers judge alike, made from sound ones by one change.

The verdicts are stated here; none is computed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

import attrs

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
from valletta_rules.codec import DEEPEST, KINDS, LONGEST
from valletta_rules.components.limits import MOST_HELD
from valletta_rules.errors import Code, Refusal, violation
from valletta_rules.events import GoodsReturned
from valletta_rules.records.position_line import LINE_LIMIT
from valletta_rules.records.record import Note
from valletta_rules.views.news import News

NAME: Final = "documents.json"
"""The file of the table."""

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
    schema: str | None
    """What the JSON Schema makes of it; `None` if it is not asked: a parser has refused the text or
    has lost what is wrong with it, or it is no JSON."""
    pad: int | None = None
    """How many characters the text has after spaces are added to it."""


GOLD: Final = '"gold":2'
"""A number in the action."""

NUMBERS: Final = {
    READ: ("2.0", "2e0", "2E0", "2E+0", "20e-1", "0.2e1", "2.000000000000000000000000000000"),
    REFUSED: (
        *("2.5", "true", "false", "null", '"2"', "[2]", "{}", "1e400", "-1", "-1.0", "-1e0"),
        *("65001", "65001.0", "65535", "65536", "6.5536e4", "9007199254740991", "9007199254740992"),
        *("9007199254740993", "1e16", "1" + 40 * "0", "5e-1"),
    ),
}
"""What may be written for the 2, and what may not."""

NO_JSON: Final = (
    *("02", "+2", "2.", ".2", "2e", "0x2", "2n", "NaN", "Infinity", "-Infinity", "2_0", "2,", ""),
    *("'2'", "2 // two", "\ufeff2", "\u00a02", "undefined", "\uff12"),
)
"""Likewise, where the text is no JSON any more."""


LINES: Final = {
    READ: (
        ("valette=0", "valette=000"),
        ("valette=0", "valette=-0"),
        ("hand=", " \thand="),
        ("phase=setup", "phase=SETUP"),
        ("discard=-", "discard=-\x1c"),
        ("draft/1", "Draft/1"),
        ("7g6w", "6w7g"),
        ("7g6w", "7g+6w"),
        ("7g6w", "3g4g6w"),
        ("built=-", "built=-\x85"),
        ("rules=hans", "rules=Hans"),
        ("valletta/2", "```valletta/02"),
        ("4builder", "04Builder"),
    ),
    REFUSED: (
        ("valette=0", "valette=0.0"),
        ("valette=0", "valette=0e0"),
        ("valette=0", "valette=+0"),
        ("valette=0", "valette=0 valette=0"),
        ("valette=0", "valette=\uff10"),
        ("valette=0", ""),
        ("valletta/2", "\ufeffvalletta/2"),
        ("valletta/2", "valletta/2.0"),
        ("hand=", "\ufeffhand="),
        ("valette=0", "valette=26"),
        ("valette=0", "valette=1" + 15 * "0"),
        ("7g6w", "7g 6w"),
        ("4builder", "0builder"),
        ("4builder", "4builder,builder"),
        ("=4builder", "=4builder,"),
        ("built=-", "built=30"),
        ("7g6w", "7.0g6w"),
        ("hans-im-glueck", "hans-im-gl\u00fcck"),
        ("phase=setup", "phase=noon"),
        ("phase=setup", "phase=setup tin=1"),
        ("score=0", "score=x"),
    ),
}
"""What may be replaced in a position line, and by which text, and what may not."""


def cases() -> Iterator[Case]:
    """Run through the table."""
    for verdict, numbers in NUMBERS.items():
        for each in numbers:
            yield Case(f"number {each[:20]}", "Action", GOLD, f'"gold":{each}', verdict, verdict)
    for each in NO_JSON:
        yield Case(f"no number {each!a}", "Action", GOLD, f'"gold":{each}', REFUSED, None)
    zero = '"wood":0'
    for each in ("-0", "-0.0", "0e9", "0E-9", "0.0", "1e-400"):
        yield Case(f"zero {each}", "Action", zero, f'"wood":{each}', READ, READ)
    for gold in ("65000", "65000.0"):
        text = f'"gold":{gold}'
        yield Case(f"most goods {gold}", "Rich", '"gold":65000', text, READ, READ)
    for of, old in (("Rich", '"gold":65000'), ("GameState", '"score":0')):
        field = old.partition(":")[0]
        for more in (65_001, 65_535, 65_536):
            yield Case(f"{field} {more}", of, old, f"{field}:{more}", REFUSED, REFUSED)
    for total, verdict in (("40.0", READ), ("41", REFUSED), ("39", REFUSED)):
        yield Case(f"total {total}", "Outcome", '"total":40', f'"total":{total}', verdict, READ)
    yield Case("no total", "Outcome", ',"total":40', "", REFUSED, REFUSED)
    yield from _texts()
    yield from _names()
    yield from _keys()
    yield from _of_each_kind()
    yield from _lines()


def _texts() -> Iterator[Case]:
    """Run through what is wrong with a text as a whole."""
    sound = sound_texts()["Action"]
    for name, text in {
        "nothing": " ",
        "no object": "7",
        "null": "null",
        "an array": "[]",
        "a string": json.dumps(sound),
        "two documents": sound * 2,
        "cut off": sound[:-1],
        "one bracket more": f"{sound}}}",
        "a comma at the end": f"{sound[:-1]},}}",
        "a comment": f"{sound}// sound",
        "garbage after it": f"{sound}x",
        "a zero byte after it": f"{sound}\x00",
        "a mark after it": f"{sound}\ufeff",
        "a mark between": sound.replace(",", ",\ufeff", 1),
        "deep": "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
        "very deep": "[" * 10_000 + "]" * 10_000,
        "half a character": "\ud800",
    }.items():
        no_json = name not in ("no object", "null", "an array", "a string", "deep")
        schema = None if no_json or name == "very deep" else REFUSED
        yield Case(name, "Action", "", text, REFUSED, schema)
    yield Case("white space", "Action", "", f" \t\r\n{sound}\n", READ, READ)
    yield Case("longest", "Action", "}}}", "}}}", READ, READ, LONGEST)
    yield Case("too long", "Action", "}}}", "}}}", REFUSED, None, LONGEST + 1)


def _names() -> Iterator[Case]:
    """Run through what is wrong with a name in a text."""
    own = '"name":"Hans im Gl\u00fcck"'
    yield Case("escaped", "RuleSet", own, r'"n\u0061me":"Hans im Gl\u00fcck"', READ, READ)
    for name, value in {
        "half a character in a name": r"\ud800",
        "other half in a name": r"x\udc00x",
        "a mark in a name": r"\ufeffHans",
        "no name": "",
        "a space before a name": " Hans",
        "a line break in a name": r"a\nb",
        "a long name": "x" * 81,
    }.items():
        yield Case(name, "RuleSet", own, f'"name":"{value}"', REFUSED, READ)
    yield Case("a raw half", "RuleSet", own, '"name":"\ud800"', REFUSED, READ)
    yield Case("a control character", "RuleSet", own, '"name":"a\tb"', REFUSED, None)


def _keys() -> Iterator[Case]:
    """Run through repeated keys, which a parser may lose, and unknown ones."""
    goods = '"goods":{"gold":2'
    for name, old, new in (
        ("a key twice", GOLD, '"gold":2,"gold":2'),
        ("a key with two values", GOLD, '"gold":2,"gold":9'),
        ("a key twice, once escaped", GOLD, r'"gold":2,"\u0067old":2'),
        ("a key thrice", GOLD, '"gold":1,"gold":"x","gold":2'),
        ("a key twice, farther out", goods, f'"goods":{{}},{goods}'),
        ("a version twice", '"kind"', '"valletta_rules":2,"kind"'),
        ("a kind twice", '"kind"', '"kind":"Event","kind"'),
        ("a value twice", '"value"', '"value":7,"value"'),
        ("a type twice", '"type"', '"type":"Build","type"'),
        ("an unknown key twice", GOLD, '"tin":2,"tin":2,"gold":2'),
        ("__proto__ twice", GOLD, '"__proto__":2,"__proto__":2,"gold":2'),
        ("a key twice in what is dropped", '"kind"', '"kind":{"a":1,"a":1},"kind"'),
    ):
        dropped = REFUSED if "unknown" in name or "__proto__" in name else None
        yield Case(name, "Action", old, new, REFUSED, dropped)
    for key in ("tin", "__proto__", "constructor", "Gold", r"gold\u0000", ""):
        yield Case(f"unknown {key}", "Action", GOLD, f'{GOLD},"{key}":2', REFUSED, REFUSED)


def _of_each_kind() -> Iterator[Case]:
    """Run through what is the same in documents of every kind."""
    version = '"valletta_rules":2'
    for kind in KINDS:
        text = sound_texts()[kind]
        value = text.partition('"value":')[2]
        first = value[1 : value.index(":")]
        for name, old, new, verdict, schema in (
            ("as it is", version, version, READ, READ),
            ("version 2.0", version, f"{version}.0", READ, READ),
            ("version true", version, '"valletta_rules":true', REFUSED, REFUSED),
            ("another version", version, '"valletta_rules":3', REFUSED, REFUSED),
            ("a mark before it", "{", "\ufeff{", REFUSED, None),
            ("its kind twice", '"kind"', f'"kind":"{kind}","kind"', REFUSED, None),
            ("its first key twice", '"value":{', f'"value":{{{first}:0,', REFUSED, None),
            (
                "its kind in capitals",
                f'"kind":"{kind}"',
                f'"kind":"{kind.upper()}"',
                *2 * [REFUSED],
            ),
        ):
            yield Case(f"{kind}: {name}", kind, old, new, verdict, schema)


def _lines() -> Iterator[Case]:
    """Run through position lines."""
    for verdict, changes in LINES.items():
        for old, new in changes:
            yield Case(f"{old} to {new!a}", "line", old, new, verdict, None)
    yield Case("longest line", "line", "valletta", "valletta", READ, None, LINE_LIMIT)
    yield Case("too long a line", "line", "valletta", "valletta", REFUSED, None, LINE_LIMIT + 1)


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
    """Return the text of the file."""
    rows = [
        json.dumps({key: each for key, each in case._asdict().items() if each is not None})
        for case in cases()
    ]
    texts = json.dumps(dict(sound_texts()), indent=1)
    return f'{{"texts": {texts},\n"cases": [\n{f",{chr(10)}".join(rows)}\n]}}\n'
