"""Corrupt documents of every kind at random, and judge how the parser handles them."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import valletta_rules as vr
from spec.checks.random_games import EDITIONS, Temper, seeded_moves
from valletta_rules.actions import PLAY_IN_VAIN, Action, Pay
from valletta_rules.codec import DOCUMENT_VERSION

Pick = Callable[[int], int]
"""A random choice: a function that takes a limit and returns an integer from 0 up to, but not
including, the limit."""


def judge(text: str) -> bool:
    """Return whether a text is a valid document; raise `AssertionError` if a parser misbehaves.

    The error for a refused text must be short and printable, and begin with a path.  An accepted
    value must survive a round trip.
    """
    try:
        value = vr.from_json(text)
    except vr.CodecError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert refused.startswith("$"), refused
        assert refused.isprintable(), refused
        assert len(refused) < 1_000, refused
        return False
    again, document = vr.to_json(value), json.loads(text)
    assert vr.from_json(again) == value
    assert json.loads(again) == document or document["valletta_rules"] < DOCUMENT_VERSION
    return True


@lru_cache(maxsize=1)
def corpus() -> tuple[str, ...]:
    """Return documents of every kind, generated from a few games."""
    return tuple(dict.fromkeys(_documents()))


def samples(most: int) -> Iterator[str]:
    """Yield at most `most` documents of each type in the corpus.

    For values without a type, the limit applies to each kind of document.
    """
    counts = Counter[str]()
    for text in corpus():
        document = json.loads(text)
        kind = document["value"].get("type", document["kind"])
        counts[kind] += 1
        if counts[kind] <= most:
            yield text


def _documents() -> Iterator[str]:
    for seed, players in enumerate((2, 3, 4)):
        rules = EDITIONS[seed % len(EDITIONS)].with_variants(fewer_barrels=players == 2)
        start = vr.new_game(players, rules=rules)
        moves = list(islice(seeded_moves(start, seed, Temper.EAGER), 2_000))
        yield from (vr.to_json(rules), vr.to_json(start.cards))
        yield vr.to_json(
            vr.Record(players, rules, start.cards, [move.action for move in moves[:60]])
        )
        for move in moves[:: 1 + len(moves) // 12]:
            state = move.after
            yield vr.to_json(state)
            yield vr.to_json(vr.Transition(state, move.events))
            yield from (vr.to_json(vr.view(state, seat)) for seat in (None, 0))
        for move in moves:
            yield vr.to_json(move.action)
            yield from (vr.to_json(vr.redact(event, 0)) for event in move.events)
            if move.after.prompt is not None:
                yield vr.to_json(move.after.prompt)
        for move in moves[::20]:
            tried: list[Action] = [*PLAY_IN_VAIN.values(), Pay(move.after.barrels)]
            for action in tried:
                if (violation := vr.check(move.after, action)) is not None:
                    yield vr.to_json(violation)
        if (result := vr.outcome(moves[-1].after)) is not None:
            yield vr.to_json(result)
        steps, view = tuple(move.events for move in moves[:9]), vr.view(moves[8].after, None)
        yield vr.to_json(vr.News(1, 2, steps, view))
        yield vr.to_json(vr.Opened(0, start, skip_forced=True, then=(moves[0].action,)))
        yield vr.to_json(vr.Answered(1, 0, moves[-1].action, (moves[0].action,), "a-1"))
        yield from (vr.to_json(vr.Undone(2, 1, 0, None)), vr.to_json(vr.Redone(3, 1, "!~")))
        yield vr.to_json(vr.Refusal("too-long", "it is", details=(("seat", 1), ("asked", None))))
        yield vr.to_json(
            vr.Refusal("x", "y", problems=(vr.Problem("$.a", "no-text", "must be", "SET-1"),))
        )


def damaged(document: Any, pick: Pick) -> str:
    """Return the text of a document after a few random changes."""
    for _ in range(1 + pick(3)):
        document = _changed(document, pick)
    text = json.dumps(document, ensure_ascii=bool(pick(2)))
    return _scribbled(text, pick) if pick(4) == 0 else text


ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 5, 8, 24, 25, 26, 255, 10**15, 10**30, -(10**400), 1.0, 0.5),
    *(float("nan"), float("inf"), "", "maid", "valette", "gold", "A", "A2", "PlayPrompt", "main"),
    *("\ud800", "\x00", "TRN-2", [], {}, [[]], [0], {"type": "Decline"}, {"maid": 1}, "x" * 100),
)
"""Values that replace parts of a document."""


def _changed(document: Any, pick: Pick) -> Any:
    """Change a document at one place, which is chosen at random."""
    if isinstance(document, dict) and document and pick(12):
        keys = list(document)
        key = keys[pick(len(keys))]
        content = dict(document)
        match pick(16):
            case 0:
                del content[key]
            case 1:
                content[key + "_"] = content.pop(key)
            case 2:
                content[str(ODD_VALUES[pick(len(ODD_VALUES))])] = content[key]
            case _:
                content[key] = _changed(content[key], pick)
        return content
    if isinstance(document, list) and document and pick(12):
        at = pick(len(document))
        match pick(16):
            case 0:
                return document[:at] + document[at + 1 :]
            case 1:
                return [*document, document[at]]
            case 2:
                return document[::-1]
            case _:
                return [*document[:at], _changed(document[at], pick), *document[at + 1 :]]
    if type(document) is int and pick(2):
        return document + pick(5) - 2
    if pick(8) == 0:
        return [document]
    return ODD_VALUES[pick(len(ODD_VALUES))]


def _scribbled(text: str, pick: Pick) -> str:
    """Change a few characters of a text."""
    for _ in range(1 + pick(4)):
        at, end = sorted((pick(len(text) + 1), pick(len(text) + 1)))
        match pick(5):
            case 0:
                text = text[:at] + text[at + 1 :]
            case 1:
                text = text[:at] + '{}[]":,\\\x00\ud8009eEN-.'[pick(16)] + text[at:]
            case 2:
                text = text[:at] + text[end:]
            case 3:
                text = text[:end] + text[at:end] + text[end:]
            case _:
                text = text[:at]
    return text
