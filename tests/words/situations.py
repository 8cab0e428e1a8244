"""Situations and what is to be said of them: once for all languages.

What each language says stands in a file beside this one, ``en.txt`` and ``de.txt``, a line for
each situation.  ``python -m tests.words.situations`` writes them anew; whoever does so reads what
has changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from operator import methodcaller
from pathlib import Path
from textwrap import indent
from typing import Final

import attrs

from tests.positions import a_building, position, seat
from valletta_rules import (
    RECONSTRUCTION,
    REFERENCE_MANUAL,
    Action,
    Build,
    CardBag,
    CardSetError,
    Character,
    Code,
    CodecError,
    Decline,
    Dismiss,
    DrawCard,
    EndCondition,
    GameState,
    Good,
    Goods,
    Hire,
    IllegalActionError,
    NotAMoveError,
    NothingToRedoError,
    NothingToUndoError,
    Outcome,
    OutOfTurnError,
    PassedQuestionError,
    Pay,
    PlayCard,
    PlayerCountError,
    RecordError,
    RedactedEvent,
    ReturnGood,
    SeatError,
    TakeGood,
    UnknownLanguageError,
    Upgrade,
    VallettaError,
    VariantError,
    new_game,
    parse_record,
    problems_of,
    table_information,
    view,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BonusPrompt,
    MaidPrompt,
    MonkPrompt,
    NunPrompt,
    PaymentPrompt,
    SitePrompt,
    Step,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.audit.codes import Impossible
from valletta_rules.card_sets.codes import Misprint
from valletta_rules.errors import Problem, Violation
from valletta_rules.events import (
    CardDrawn,
    CardPlayed,
    EffectDeclined,
    EffectFizzled,
    FinalPhaseTriggered,
    GoodsGiven,
    GoodsReturned,
    PointsScored,
)
from valletta_rules.outcome import Score
from valletta_rules.state import Phase
from valletta_rules.svg import (
    Drawing,
    draw,
    draw_building,
    draw_card,
    draw_display,
    draw_good,
    draw_score_track,
    draw_street,
)
from valletta_rules.text.notation import AmbiguousMoveError
from valletta_rules.views.player_information import Ending
from valletta_rules.words import (
    LANGUAGES,
    Language,
    describe_information,
    draw_players,
    draw_score_sheet,
    sketch_display,
)

C = Character
CARVER = a_building(
    character=C.CARVER, cost=Goods(gold=2, wood=1), icon=Good.STONE, points=1, letter="C"
)
NUN = {"character": C.NUN}
SITE: dict[str, Hashable] = {"site": 3}
BILL = SITE | {"price": Goods(wood=2)}
PLAYERS: Final = ("Anna", "Ben")

Said = Callable[[Language], str]
"""What a language says of a situation."""


def asked(*steps: Step, valette: int = 0, **holdings: object) -> GameState:
    """Return a position in which seat 0 is asked something, the Carver's building on site 7."""
    me = seat(**holdings)  # type: ignore[arg-type]
    return position(me, seat(), display={7: CARVER}, valette=valette, agenda=steps)


OVER = asked()
PAYMENT = asked(PaymentPrompt(0, 7, Goods(gold=1)))
HOLDING = position(seat(goods=Goods(3), upgraded=[7], score=1), seat(), display={7: CARVER})
KNOWN = position(
    seat(hand=[C.MAID], goods=Goods(3, 1, 1, 1), built=[7], score=25),
    seat(),
    display={7: CARVER, 5: a_building(cost=Goods(wood=2), icon=Good.BRICK)},
    valette=3,
)
RED, BLUE = Score(0, 20, 30, 3, 8), Score(1, 23, 28, 2, 7)


def action(name: str, state: GameState, chosen: Action) -> tuple[str, Said]:
    """Return a situation in which something can be done."""
    return f"action: {name}", lambda language: language.describe_action(state, chosen)


def prompt(name: str, state: GameState) -> tuple[str, Said]:
    """Return a situation in which something is asked."""
    return f"prompt: {name}", lambda language: language.describe_prompt(state)


def event(name: str, told: RedactedEvent, state: GameState = OVER) -> tuple[str, Said]:
    """Return a situation in which something has happened, told to seat 0."""
    return f"event: {name}", lambda language: language.narrate(told, state, reader=0)


def refusal(name: str, code: Code, clause: str, **facts: Hashable) -> tuple[str, Said]:
    """Return a situation in which an action is illegal; the message is of no use."""
    wrong = Violation(clause, code, "the message", tuple(facts.items()))
    return f"refusal: {name}", lambda language: language.describe_violation(wrong)


def problem(name: str, wrong: Problem) -> tuple[str, Said]:
    """Return a situation in which a value is wrong."""
    return f"problem: {name}", lambda language: language.describe_problem(wrong)


def error(name: str, raised: VallettaError) -> tuple[str, Said]:
    """Return a situation in which something went wrong."""
    return f"error: {name}", lambda language: language.describe_error(raised, PLAYERS)


def ended(clause: str, *winners: int) -> Outcome:
    """Return how a game ended."""
    return Outcome((RED, RED if len(winners) > 1 else BLUE), winners, clause)


def score_sheet(outcome: Outcome, language: Language) -> str:
    """Return the score sheet in a language."""
    return draw_score_sheet(outcome, language=language)


def shown_in(drawn: Callable[..., Drawing], language: Language) -> str:
    """Return what a drawing is called, how it is described, and what is written in it."""
    picture = drawn(language=language)
    texts = dict.fromkeys(re.findall(r"<text[^>]*>([^<]*[^\W\d_]{2}[^<]*)</text>", picture.svg))
    return "\n".join([picture.title, picture.description, " | ".join(texts)])


MANY = position(
    seat(
        hand=[C.MAID, C.MAID],
        discard_pile=[C.BUILDER],
        goods=Goods(gold=4),
        upgraded=[7],
        built=[2],
        score=9,
    ),
    seat(hand=[C.NUN], draw_pile=[C.PIUS, C.MONK]),
    played=[C.MONK],
    supply=[C.NUN, C.NUN],
    valette=3,
)
BANKER = RECONSTRUCTION.building("A")

DRAWINGS: Final[dict[str, Callable[..., Drawing]]] = {
    "front": partial(draw_building, BANKER),
    "back": partial(draw_building, BANKER, upgraded=True),
    "street": partial(draw_street, 2, REFERENCE_MANUAL.with_variants(start_player_variant=True)),
    "score track": partial(draw_score_track, (0, 25, 26, 61)),
    "display": partial(draw_display, 2, [BANKER], site=0),
    "card": partial(draw_card, C.NUN),
    "good": partial(draw_good, Good.STONE),
    "position": partial(draw, MANY),
    "view": partial(draw, view(MANY, 1)),
    "view of a spectator": partial(draw, view(MANY, None), names=PLAYERS),
    "setup": partial(draw, new_game(2)),
    "end": partial(draw, position(seat(score=5), seat(), agenda=(), phase=Phase.OVER)),
}
"""What is drawn, but for the language."""


def an_illegal_record() -> RecordError:
    """Return the error of a record with an illegal move."""
    try:
        parse_record("valletta: 2\nplayers: 2\n\nchance: deal A, build 3")
    except RecordError as raised:
        return raised
    raise AssertionError


def every_situation() -> Iterator[tuple[str, Said]]:
    """Run through the names of the situations, and what is said of each."""
    yield action("build", asked(SitePrompt(0, Goods(wood=2))), Build(7))
    yield action("build unasked", OVER, Build(7))
    beside = asked(SitePrompt(0, Goods()), valette=11, built=[7])
    yield action("upgrade beside Valette", beside, Upgrade(7))
    yield action("share out", asked(NunPrompt(0)), TakeGood(Good.WOOD))
    yield action("count icons", asked(ArtisanPrompt(0), built=[7]), TakeGood(Good.STONE))
    yield action("without icons", asked(ArtisanPrompt(0)), TakeGood(Good.STONE))
    yield action("without icons, neuter", asked(ArtisanPrompt(0)), TakeGood(Good.GOLD))
    yield action("trade", asked(TraderPrompt(0)), ReturnGood(Good.WOOD))
    yield action("return to the Architect", asked(ArchitectPrompt(0)), ReturnGood(Good.WOOD))
    yield action("not to build", asked(SitePrompt(0, Goods())), Decline())
    yield action("not to trade cards", asked(ValettePrompt(0)), Decline())
    yield action("no bonus", asked(BonusPrompt(0, C.MONK)), Decline())
    yield action("to decline", asked(MaidPrompt(0)), Decline())
    yield action("dismiss", asked(ValettePrompt(0)), Dismiss(C.MONK))
    yield action("hire", asked(ValettePrompt(0)), Hire(C.KNIGHT))
    yield action("pay nothing", OVER, Pay(Goods()))
    yield action("draw", OVER, DrawCard(C.CARVER))
    yield action("copy nothing", OVER, PlayCard(C.APPRENTICE))
    copied = position(seat(), seat(), played=[C.MAID])
    yield action("copy", copied, PlayCard(C.APPRENTICE))
    yield action("without effect", OVER, PlayCard(C.MERCHANT, use_effect=False))

    yield prompt("over", OVER)
    yield prompt("reduced", asked(SitePrompt(0, Goods(brick=2))))
    yield prompt("not reduced", asked(SitePrompt(0, Goods())))
    yield prompt("pay to upgrade", asked(PaymentPrompt(0, 7, Goods(gold=1)), built=[7]))
    yield prompt("pay to build", PAYMENT)
    yield prompt("the Monk", asked(MonkPrompt(0, 1)))
    yield prompt("a bonus", asked(BonusPrompt(0, C.INNKEEPER)))

    yield event("played", CardPlayed(0, C.BUILDER))
    yield event("played a king", CardPlayed(0, C.CHARLES))
    yield event("nothing from a man", EffectFizzled(1, C.MONK))
    yield event("nothing from a woman", EffectFizzled(1, C.TRADER))
    yield event("nothing from a pope", EffectFizzled(1, C.PIUS))
    yield event("another draws", CardDrawn(1, C.KNIGHT))
    yield event("the reader draws", CardDrawn(0, C.KNIGHT))
    yield event("paid", GoodsReturned(0, Goods(gold=1), "BLD-19"), PAYMENT)
    yield event("paid by substitution", GoodsReturned(0, Goods(wood=3), "BLD-19"), PAYMENT)
    yield event("returned", GoodsReturned(0, Goods(gold=1), "BLU-7"))
    yield event("given", GoodsGiven(0, 1, Goods(gold=1), "BLU-1"))
    yield event("bonus of Valette", PointsScored(1, 2, "BLD-32"))
    yield event("a point", PointsScored(1, 1, "YEL-10"))
    yield event("not built", EffectDeclined(0, "BLD-2"))
    yield event("no card traded", EffectDeclined(0, "VAL-9"))
    yield event("declined as a card", EffectDeclined(0, "TRN-11"))
    yield event("declined", EffectDeclined(0, "BLU-8"))
    for condition in EndCondition:
        yield event(f"final phase by {condition}", FinalPhaseTriggered(0, condition, "FIN-1"))

    yield refusal("over", Code.GAME_OVER, "FIN-16")
    wrong_kind = {"prompt": "SitePrompt", "action": "PlayCard"}
    yield refusal("another question", Code.WRONG_KIND, "BLD-1", **wrong_kind)
    yield refusal("not in hand", Code.CARD_NOT_IN_HAND, "TRN-3", **NUN)
    yield refusal("not in the supply", Code.CARD_NOT_IN_SUPPLY, "VAL-12", **NUN)
    yield refusal("not in the pile", Code.CARD_NOT_IN_PILE, "TRN-17", **NUN)
    yield refusal("compulsory", Code.EFFECT_COMPULSORY, "TRN-7", character=C.CARVER)
    yield refusal("no effect", Code.NO_EFFECT_TO_DECLINE, "TRN-14", character=C.PHILIP)
    yield refusal("declined later", Code.NO_EFFECT_TO_DECLINE, "TRN-10", **NUN)
    yield refusal("taken", Code.SITE_TAKEN, "BLD-3", **SITE, owner=1)
    yield refusal("not own", Code.SITE_NOT_OWN, "BLD-15", **SITE, owner=1)
    yield refusal("nobody's", Code.SITE_NOT_OWN, "BLD-15", **SITE, owner=None)
    yield refusal("built", Code.ALREADY_BUILT, "BLD-3", **SITE, owner=0)
    yield refusal("upgraded", Code.ALREADY_UPGRADED, "BLD-16", **SITE)
    yield refusal("no house", Code.NO_HOUSE_LEFT, "BLD-4", **SITE)
    yield refusal("too dear", Code.NOT_AFFORDABLE, "BLD-26", **BILL, goods=Goods())
    unpaid = {"payment": Goods(2), "goods": Goods(1)}
    yield refusal("too poor", Code.NOT_OWNED, "BLD-19", **unpaid)
    yield refusal("too few", Code.NOT_OWNED, "YEL-1", good=Good.WOOD, owned=3)
    yield refusal("none", Code.NOT_OWNED, "YEL-1", good=Good.WOOD, owned=0)
    yield refusal("none, masculine", Code.NOT_OWNED, "BLU-7", good=Good.BRICK)
    short = BILL | {"missing": Goods(wood=1)}
    for name, payment in (
        ("nothing else", Goods(wood=1)),
        ("one kind", Goods(gold=2, wood=1)),
        ("two kinds", Goods(gold=1, wood=1, brick=1)),
    ):
        yield refusal(f"short, {name}", Code.PAYMENT_SHORT, "BLD-20", **short, payment=payment)
    for name, payment in (("several", Goods(stone=7)), ("one", Goods(wood=3))):
        yield refusal(
            f"too much, {name}", Code.PAYMENT_EXCESSIVE, "BLD-19", **BILL, payment=payment
        )
    yield refusal("not offered", Code.GOOD_NOT_OFFERED, "BLU-7", good=Good.GOLD)
    yield refusal("wrong number", Code.WRONG_NUMBER_OF_GOODS, "BLU-10", goods=Goods(3))
    yield refusal("no room", Code.BUILDING_NOT_AVAILABLE, "SET-8", building="B")
    yield refusal("no copy", Code.BUILDING_NOT_AVAILABLE, "SET-9", building="B")
    yield refusal("no barrel", Code.NO_SUCH_BARREL, "VAL-5", good=Good.STONE)

    yield problem("goods", Impossible.DRAFTED.at("x", found=Goods(2, 1)))
    yield problem("a character", Impossible.NOT_SHOWN.at("x", character=C.MAID))
    yield problem("a phase", Impossible.NOT_TRIGGERED.at("x", phase=Phase.FINAL))
    yield problem("a good", Misprint.NO_BARREL.at("x", goods=Good.WOOD))
    yield problem("unknown", Problem("x", "new", "something else"))

    yield error("another is asked", OutOfTurnError(1, 0))
    yield error("nobody is asked", OutOfTurnError(None, None))
    yield error("late", PassedQuestionError(1, 2))
    yield error("no such seat", SeatError(5, 2))
    yield error("undo", NothingToUndoError("no player has made a choice"))
    yield error("redo", NothingToRedoError("nothing has been undone"))
    yield error("no move", NotAMoveError("x", "why"))
    yield error("ambiguous", AmbiguousMoveError("x", (TakeGood(Good.WOOD),)))
    yield error("a place in a record", RecordError("why", 1, 2))
    yield error("a record", RecordError("why"))
    yield error("an illegal record", an_illegal_record())
    yield error("players", PlayerCountError("2, 3 or 4"))
    yield error("variant", VariantError("for 2"))
    yield error("language", UnknownLanguageError("xx"))
    taken = Violation("BLD-3", Code.SITE_TAKEN, "a house of seat 1", (("site", 3), ("owner", 1)))
    yield error("illegal", IllegalActionError(taken))
    asks = (("prompt", "SitePrompt"), ("action", "PlayCard"))
    other = Violation("BLD-1", Code.WRONG_KIND, "SitePrompt is asked", asks)
    yield error("no answer", IllegalActionError(other))
    impossible = attrs.evolve(new_game(), barrels=Goods(gold=99))
    yield error("a document", CodecError(*problems_of(impossible)))
    banker = Misprint.BANKER.at("a")
    yield error("a card set", CardSetError("my.toml", [banker]))
    yield error("a card set with problems", CardSetError("my.toml", [banker, banker]))

    for outcome in (ended("SCO-9", 0), ended("SCO-10", 0), ended("SCO-11", 0, 1)):
        yield f"winner by {outcome.clause}", partial(score_sheet, outcome)
    yield "holdings", lambda language: language.describe_holdings(HOLDING, 0)
    yield "no holdings", lambda language: language.describe_holdings(HOLDING, 1)
    yield "standings", lambda language: language.describe_standings(HOLDING)
    yield "players", lambda language: draw_players(view(HOLDING, 1), language=language)
    information = table_information(view(KNOWN, 0))
    yield "information", partial(describe_information, information)
    yield "information of a player", partial(describe_information, information.players[1])
    drawn = position(seat(upgraded=[7]), seat(built=[10]), display={7: CARVER}, valette=12)
    yield "display", lambda language: sketch_display(drawn, language=language)
    cards = CardBag.of(C.NUN, C.NUN, C.MAID)
    yield "cards", lambda language: language.describe_cards(cards)
    yield "no cards", lambda language: language.describe_cards(CardBag())
    yield "a building", lambda language: language.describe_building(CARVER)
    yield "its back", lambda language: language.describe_building(CARVER, upgraded=True)
    for ending in Ending:
        yield f"ending {ending}", methodcaller("describe_ending", ending)
    for character in C:
        yield f"effect of {character.english}", methodcaller("describe_effect", character)
    for name, draw_it in DRAWINGS.items():
        yield f"drawing: {name}", partial(shown_in, draw_it)
    yield "advice", lambda language: language.advise("x", 14.25)
    yield "advice without points", lambda language: language.advise("x", None)


SITUATIONS: Final = dict(every_situation())
"""The situations by their names."""


def expected(code: str) -> Path:
    """Return the file with what a language says."""
    return Path(__file__).with_name(f"{code}.txt")


def written(language: Language) -> dict[str, str]:
    """Return what a language says of each situation, as it stands in its file."""
    said = {name: say(language) for name, say in SITUATIONS.items()}
    return {
        name: f"{name} =\n{indent(text, '    ')}\n" if "\n" in text else f"{name} = {text}\n"
        for name, text in said.items()
    }


def read(code: str) -> list[str]:
    """Return what stands in the file of a language, situation by situation."""
    return re.split(r"^(?=\S)", expected(code).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]


if __name__ == "__main__":
    for language in LANGUAGES.values():
        expected(language.code).write_text("".join(written(language).values()), encoding="utf-8")
