"""Snapshots of all descriptions in every language.

Actions, prompts and events are in ``situations.toml``.
Refusals are those of the worked examples and of ``situations.toml``.
The expected texts are in ``en.txt`` and ``de.txt`` in the same folder.
``python -m tests.words.situations`` rewrites both files; review the changes.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from operator import methodcaller
from pathlib import Path
from textwrap import indent
from typing import Any, Final

import attrs
import pytest

import valletta_rules as vr
from tests.positions import a_building, position, seat
from valletta_rules import analysis, svg, words
from valletta_rules.analysis.words import (
    describe_advice,
    describe_decision,
    describe_limits,
    describe_luck,
)
from valletta_rules.audit.impossible import Impossible
from valletta_rules.card_sets.misprint import Misprint
from valletta_rules.codec import DOCUMENT_VERSION, from_document
from valletta_rules.specification.worked_examples import action_of, examples, position_of

C = vr.Character
PLAYERS: Final = ("Anna", "Ben")

Describer = Callable[[words.Language], str]
"""A function that returns the description of a situation in a given language."""

# Questions, actions and events

ROWS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def standard_position(given: Mapping[str, Any]) -> vr.GameState:
    """Return the standard position of these tests, changed as `given` describes."""
    goods = {"goods": "1 gold, 1 wood, 1 stone, 1 brick"}
    return position_of({"sites.7": "carver", **given, "red": goods | given.get("red", {})})


def action_describer(given: Mapping[str, Any], text: str) -> Describer:
    """Return a function that describes, in a given language, the action written as `text`."""
    state = standard_position(given)
    return methodcaller("describe_action", state, action_of(state, text))


def read_value(kind: str, value: Mapping[str, Any]) -> Any:
    """Parse JSON data as a value of type `kind`."""
    return from_document({"valletta_rules": DOCUMENT_VERSION, "kind": kind, "value": value})


def event_describer(given: Mapping[str, Any], event: Mapping[str, Any]) -> Describer:
    """Return a function that narrates an event to seat 0 in a given language."""
    return methodcaller("narrate", read_value("Event", event), standard_position(given), reader=0)


# Refusals and errors


def refused(row: Mapping[str, Any]) -> vr.Violation:
    """Return the violation in a refusal that is given as JSON data."""
    sent = read_value("Refusal", row)
    return vr.Violation(sent.clause, vr.Code(sent.code), sent.message, sent.details)


REFUSED: Final = {
    **{str(each.example): each.violation for each in examples() if each.violation},
    **{name: refused(row) for name, row in ROWS["refusals"].items()},
}
"""Violations from the worked examples and from `situations.toml`, keyed by name."""

PROBLEMS: Final = {
    "goods": Impossible.DRAFTED.at("x", found=vr.Goods(2, 1)),
    "a character": Impossible.NOT_SHOWN.at("x", character=C.MAID),
    "a phase": Impossible.NOT_TRIGGERED.at("x", phase=vr.Phase.FINAL),
    "a good": Misprint.NO_BARREL.at("x", goods=vr.Good.WOOD),
    "unknown": vr.Problem("x", "new", "something else"),
}

with pytest.raises(vr.RecordError) as illegal:
    vr.parse_record("valletta: 2\nplayers: 2\n\nchance: deal A, build 3")


def bad(read: Callable[[str], object], text: str) -> vr.VallettaError:
    """Return the error that `read` raises for the invalid `text`."""
    with pytest.raises(vr.VallettaError) as caught:
        read(text)
    return caught.value


BAD_LINES: Final = {
    "the whole": "x",
    "a word meant": "valletta/2 display=- cards=reconstruction rules=z-men | |",
    "cards": "valletta/2 cards=mine | |",
    "a seat": "valletta/2 display=- cards=reconstruction rules=z-man | score=0 | score=x",
}
"""Invalid position lines, keyed by the name of the error that they cause."""

BAD_RECORDS: Final = {
    "the whole": "x",
    "a word of few": "valletta: 2\nplayers: 2\nrules: q",
    "a move": "valletta: 2\nplayers: 2\nred: build",
    "a mover": "valletta: 2\nplayers: 2\nred: deal A",
}
"""Invalid records of games, keyed by the name of the error that they cause."""

SITE_TAKEN = vr.Violation(
    "BLD-3", vr.Code.SITE_TAKEN, "a house of seat 1", (("site", 3), ("owner", 1))
)
WRONG_KIND_FACTS = (("prompt", "SitePrompt"), ("action", "PlayCard"))
BANKER = Misprint.BANKER.at("a")

ERRORS: Final = {
    "another is asked": vr.NotAskedError(1, 0),
    "no one is asked": vr.NotAskedError(None, None),
    "late": vr.StaleError(1, 2),
    "early": vr.FutureRevisionError(3, 2),
    "an id of another": vr.ForeignIdError("a-1", 2),
    "no such seat": vr.SeatError(5, 2),
    "undo": vr.NothingToUndoError(),
    "undo to a revision": vr.NothingToUndoError(to=3),
    "undo not allowed": vr.NothingToUndoError("only the host may undo"),
    "a bad id": vr.CallIdError("a 1"),
    "redo": vr.NothingToRedoError(),
    "no move": vr.NotAMoveError("x", "why"),
    "ambiguous": vr.AmbiguousMoveError("x", (vr.TakeGood(vr.Good.WOOD),)),
    "a place in a record": vr.RecordError("why", 1, 2),
    "a record": vr.RecordError("why"),
    "an illegal record": illegal.value,
    **{
        f"a bad line: {name}": bad(vr.parse_position_line, line) for name, line in BAD_LINES.items()
    },
    **{f"a bad record: {name}": bad(vr.parse_record, text) for name, text in BAD_RECORDS.items()},
    "no such example": vr.UnknownClauseError("example", "BLD-6/x", ("BLD-6/y",)),
    "players": vr.PlayerCountError("2, 3 or 4"),
    "variant": vr.VariantError("for 2"),
    "language": vr.UnknownLanguageError("xx"),
    "illegal": vr.IllegalActionError(SITE_TAKEN),
    "no answer": vr.IllegalActionError(
        vr.Violation("BLD-1", vr.Code.WRONG_KIND, "asked", WRONG_KIND_FACTS)
    ),
    "a document": vr.CodecError(
        *vr.problems_of(attrs.evolve(vr.new_game(), barrels=vr.Goods(gold=99)))
    ),
    "a card set": vr.CardSetError("my.toml", (BANKER,)),
    "a card set with problems": vr.CardSetError("my.toml", (BANKER, BANKER)),
}

# The table

RED, BLUE = vr.Score(0, 20, 30, 3, 8), vr.Score(1, 23, 28, 2, 7)
CARVER = a_building(
    character=C.CARVER, cost=vr.Goods(gold=2, wood=1), icon=vr.Good.STONE, points=1, letter="C"
)
HOLDING = position(seat(goods=vr.Goods(3), upgraded=[7], score=1), seat(), display={7: CARVER})

EVERY_PART = tuple(
    analysis.Share(part, 2.5 if place % 2 else -0.5)
    for place, part in enumerate(analysis.ValuePart)
)
PLAN = (
    vr.PlayCard(vr.Character.BUILDER),
    vr.Build(3),
    vr.PlayCard(vr.Character.CARVER),
    vr.Upgrade(3),
)
ADVICE = analysis.Advice(
    (
        analysis.Suggestion(vr.TakeGood(vr.Good.GOLD), PLAN, 14.25, 0.9, EVERY_PART[:3]),
        analysis.Suggestion(vr.TakeGood(vr.Good.WOOD), (), 14.25, 0.9, (), is_equal=True),
        analysis.Suggestion(vr.TakeGood(vr.Good.STONE), (), 12.0, 0.8, EVERY_PART[3:6], error=1.25),
        analysis.Suggestion(vr.TakeGood(vr.Good.BRICK), (), -1.0, 0.25, EVERY_PART[6:], True),
    )
)
MISTAKE = analysis.Decision(
    *(9, 2, 0, vr.TakeGood(vr.Good.GOLD), vr.TakeGood(vr.Good.WOOD), PLAN, 3.5, 0.7, 2.25, 0.06),
    *(0.5, 1.25, analysis.Grade.MISTAKE, EVERY_PART[:1]),
)
JUDGED = analysis.Analysis(
    vr.Record(2, actions=(vr.TakeGood(vr.Good.GOLD),) * 10),
    *((MISTAKE,), (), (), ()),
    tuple(analysis.SeatSummary(seat, 1, 0, 1, 0, 2.25, 0, 0, 0, 0) for seat in range(2)),
)
DRAWN = analysis.Luck(9, 2, 0, analysis.LuckSource.CARDS, 3.5, 0.14)


def advised(advice: analysis.Advice, language: words.Language) -> str:
    """Return the description of advice in a language."""
    return " ".join(describe_advice(language, HOLDING, advice))


KNOWN = position(
    seat(hand=[C.MAID], goods=vr.Goods(3, 1, 1, 1), built=[7], score=25),
    seat(),
    display={7: CARVER, 5: a_building(cost=vr.Goods(wood=2), icon=vr.Good.BRICK)},
    valette=3,
)
INFORMATION = vr.table_information(vr.view(KNOWN, 0))
DISPLAY = position(seat(upgraded=[7]), seat(built=[10]), display={7: CARVER}, valette=12)


def sheet(outcome: vr.Outcome, language: words.Language) -> str:
    """Draw a score sheet in a language."""
    return words.draw_score_sheet(outcome, language=language)


TABLE: Final[dict[str, Describer]] = {
    "over": methodcaller("describe_prompt", position(seat(), seat(), agenda=())),
    "winner by SCO-9": partial(sheet, vr.Outcome((RED, BLUE), (0,), "SCO-9")),
    "winner by SCO-10": partial(sheet, vr.Outcome((RED, BLUE), (0,), "SCO-10")),
    "winner by SCO-11": partial(sheet, vr.Outcome((RED, RED), (0, 1), "SCO-11")),
    "holdings": methodcaller("describe_holdings", HOLDING, 0),
    "no holdings": methodcaller("describe_holdings", HOLDING, 1),
    "standings": methodcaller("describe_standings", HOLDING),
    "players": lambda language: words.draw_players(vr.view(HOLDING, 1), language=language),
    "information": partial(words.describe_information, INFORMATION),
    "information of a player": partial(words.describe_information, INFORMATION.players[1]),
    "display": lambda language: words.sketch_display(DISPLAY, language=language),
    "cards": methodcaller("describe_cards", vr.CardBag.of(C.NUN, C.NUN, C.MAID)),
    "no cards": methodcaller("describe_cards", vr.CardBag()),
    "a building": methodcaller("describe_building", CARVER),
    "its back": methodcaller("describe_building", CARVER, upgraded=True),
    "advice": partial(advised, ADVICE),
    "advice without a choice": partial(advised, analysis.Advice(ADVICE.suggestions[:1])),
    "advice by rollouts": partial(
        advised, analysis.Advice((attrs.evolve(ADVICE.suggestions[0], error=0.0),))
    ),
    "a mistake": lambda language: describe_decision(language, HOLDING, MISTAKE),
    "luck with cards": lambda language: describe_luck(language, DRAWN, language.names),
    "luck with the deal": lambda language: describe_luck(
        language, attrs.evolve(DRAWN, source=analysis.LuckSource.DEAL), language.names
    ),
    "luck with a barrel": lambda language: describe_luck(
        language,
        attrs.evolve(DRAWN, source=analysis.LuckSource.BARREL, chance=-0.2),
        language.names,
    ),
    "how answers are judged": lambda language: describe_limits(language, JUDGED),
    "how a search alone judges": lambda language: describe_limits(
        language, attrs.evolve(JUDGED, decisions=(attrs.evolve(MISTAKE, error=None),))
    ),
}

# Drawings

MANY = position(
    seat(
        hand=[C.MAID, C.MAID],
        discard_pile=[C.BUILDER],
        goods=vr.Goods(gold=4),
        upgraded=[7],
        built=[2],
        score=9,
    ),
    seat(hand=[C.NUN], draw_pile=[C.PIUS, C.MONK]),
    played=[C.MONK],
    supply=[C.NUN, C.NUN],
    valette=3,
)
A = vr.RECONSTRUCTION.building("A")

DRAWINGS: Final[dict[str, Callable[..., svg.Drawing]]] = {
    "front": partial(svg.draw_building, A),
    "back": partial(svg.draw_building, A, upgraded=True),
    "street": partial(
        svg.draw_street, 2, vr.REFERENCE_MANUAL.with_variants(start_player_variant=True)
    ),
    "score track": partial(svg.draw_score_track, (0, 25, 26, 61)),
    "display": partial(svg.draw_display, 3, [A], site=0),
    "card": partial(svg.draw_card, C.NUN),
    "good": partial(svg.draw_good, vr.Good.STONE),
    "position": partial(svg.draw, MANY),
    "view": partial(svg.draw, vr.view(MANY, 1)),
    "view of a spectator": partial(svg.draw, vr.view(MANY, None), names=PLAYERS),
    "setup": partial(svg.draw, vr.new_game(2)),
    "end": partial(svg.draw, position(seat(score=5), seat(), agenda=(), phase=vr.Phase.OVER)),
}
"""Functions that make a drawing in a given language, keyed by the name of the situation."""


def drawn(picture: Callable[..., svg.Drawing], language: words.Language) -> str:
    """Draw a picture in a language and return its texts.

    These are the title, the description, and the visible texts that contain words.
    """
    drawing = picture(language=language)
    texts = dict.fromkeys(re.findall(r"<text[^>]*>([^<]*[^\W\d_]{2}[^<]*)</text>", drawing.svg))
    return "\n".join([drawing.title, drawing.description, " | ".join(texts)])


SITUATIONS: Final[Mapping[str, Describer]] = {
    **{f"action: {name}": action_describer(*row) for name, row in ROWS["actions"].items()},
    **{
        f"prompt: {name}": methodcaller("describe_prompt", standard_position(given))
        for name, given in ROWS["prompts"].items()
    },
    **{f"event: {name}": event_describer(*row) for name, row in ROWS["events"].items()},
    **{
        f"refusal: {name}": methodcaller("describe_violation", violation)
        for name, violation in REFUSED.items()
    },
    **{
        f"problem: {name}": methodcaller("describe_problem", problem)
        for name, problem in PROBLEMS.items()
    },
    **{
        f"error: {name}": methodcaller("describe_error", error, PLAYERS)
        for name, error in ERRORS.items()
    },
    **TABLE,
    **{f"ending {ending}": methodcaller("describe_ending", ending) for ending in vr.Ending},
    **{f"effect of {card.english}": methodcaller("describe_effect", card) for card in C},
    **{f"drawing: {name}": partial(drawn, picture) for name, picture in DRAWINGS.items()},
}
"""Functions that describe a situation in a given language, keyed by the name of the situation."""


def expected(code: str) -> Path:
    """Return the path of the snapshot file that contains the expected texts of a language."""
    return Path(__file__).with_name(f"{code}.txt")


def written(language: words.Language) -> dict[str, str]:
    """Return the entries of the snapshot file for a language, keyed by situation."""
    texts = {name: describe(language) for name, describe in SITUATIONS.items()}
    return {
        name: f"{name} =\n{indent(text, '    ')}\n" if "\n" in text else f"{name} = {text}\n"
        for name, text in texts.items()
    }


def read(code: str) -> list[str]:
    """Read the snapshot file of a language and return its entries, one for each situation."""
    return re.split(r"^(?=\S)", expected(code).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


if __name__ == "__main__":
    for language in words.LANGUAGES.values():
        expected(language.code).write_text("".join(written(language).values()), encoding="utf-8")
