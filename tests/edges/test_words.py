"""The game in English."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, cast, get_args

import attrs
import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    REFERENCE_MANUAL,
    Z_MAN,
    Action,
    Build,
    CardBag,
    Character,
    Decline,
    DrawCard,
    Event,
    GameState,
    Good,
    Goods,
    Outcome,
    Pay,
    PlayCard,
    Prompt,
    ReturnGood,
    Score,
    TakeGood,
    Upgrade,
    apply,
    check,
    legal_actions,
    new_game,
    redact,
    table_information,
    transition,
    view,
)
from valletta_rules.agenda import (
    ArchitectPrompt,
    ArtisanPrompt,
    BonusPrompt,
    MaidPrompt,
    NunPrompt,
    PaymentPrompt,
    SitePrompt,
    Step,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.events import (
    CardDrawn,
    EffectDeclined,
    EndCondition,
    FinalPhaseTriggered,
    GoodsReturned,
    GoodsTaken,
    PointsScored,
)
from valletta_rules.words import (
    GISTS,
    LANGUAGES,
    NAMES,
    Language,
    Sentence,
    brief,
    describe_action,
    describe_cards,
    describe_effect,
    describe_goods,
    describe_holdings,
    describe_information,
    describe_prompt,
    describe_standings,
    describe_violation,
    describe_winner,
    draw_players,
    draw_score_sheet,
    english,
    joined,
    narrate,
    sketch_display,
    tell,
    title,
)
from valletta_rules.words.language import Headings

C = Character
CARVER = a_building(
    character=C.CARVER, cost=Goods(gold=2, wood=1), icon=Good.STONE, points=1, letter="C"
)


def random_play() -> Iterator[tuple[GameState, Action]]:
    """Run through positions of random games, each with a legal action that is played in it."""
    for seed, players, rules in ((2, 2, Z_MAN), (11, 2, Z_MAN), (3, 3, REFERENCE_MANUAL)):
        rng = random.Random(seed)
        state = new_game(players, rules=rules)
        while state.prompt is not None:
            action = rng.choice(legal_actions(state))
            yield state, action
            state = apply(state, action)


@pytest.fixture(scope="module")
def plays() -> list[tuple[GameState, Action]]:
    """Return what was played in some random games."""
    return list(random_play())


def is_plain(text: str) -> bool:
    """Tell whether a text is fit for people: not empty, and no code in it."""
    return bool(text) and not any(sign in text for sign in ("Good.", "Goods(", "None", "_", "<"))


def test_every_prompt_is_described(plays: list[tuple[GameState, Action]]) -> None:
    """Each question names who is asked and ends with a question mark or a remark."""
    seen = set()
    for state, _ in plays:
        question = describe_prompt(state)
        assert is_plain(question)
        assert question.startswith(("Chance, ", *(f"{name}, " for name in NAMES)))
        assert question.endswith(("?", ")"))
        seen.add(type(state.prompt))
    assert seen == set(get_args(Prompt))


def test_every_action_is_described(plays: list[tuple[GameState, Action]]) -> None:
    """Each action is a request: it begins with a verb in lower case."""
    seen = set()
    for state, action in plays:
        words = describe_action(state, action)
        assert is_plain(words)
        assert words[0].islower()
        seen.add(type(action))
    assert seen == set(get_args(Action))


def test_legal_actions_are_told_apart(plays: list[tuple[GameState, Action]]) -> None:
    """No two legal actions of a position are described alike."""
    for state, _ in plays[::7]:
        described = [describe_action(state, action) for action in legal_actions(state)]
        assert len(set(described)) == len(described)


def test_every_event_is_narrated(plays: list[tuple[GameState, Action]]) -> None:
    """Each event is a sentence: a capital, a subject, a full stop."""
    seen = set()
    for state, action in plays:
        for event in transition(state, action).events:
            sentence = narrate(event, state)
            assert is_plain(sentence)
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            seen.add(type(event))
    assert seen == set(get_args(Event))


def test_every_character_is_named_and_summed_up() -> None:
    """All 31 characters have a short name and a gist."""
    assert title(C.BUILDER) == "the Builder"
    assert title(C.VALETTE) == "Valette"


@pytest.mark.parametrize(
    ("character", "words"),
    [
        (C.KNIGHT, "Score 2 points."),
        (C.BUILDER, "You may build or upgrade. The card takes nothing off the price."),
        (
            C.VALETTE,
            "Move him and take the good in the barrel; then you may dismiss or hire a character.",
        ),
        (C.CARVER, "Take 1 stone for each stone icon on your buildings."),
        (
            C.INNKEEPER,
            "Take 1 gold from each opponent with 2 or more."
            " If you are 2 players, you may take 1 gold besides.",
        ),
    ],
)
def test_an_effect_is_told_in_whole_sentences(character: Character, words: str) -> None:
    """What a character does is its gist, and what is to be known besides."""
    assert describe_effect(character) == words


def test_every_effect_begins_with_its_gist() -> None:
    """The brief and the full text of an effect cannot differ: one is in the other.

    Only Valette's is said in words of its own, as half of it is for the player to do or not.
    """
    for character in C:
        said = describe_effect(character)
        assert is_plain(said)
        assert GISTS[character][1:] in said or character is C.VALETTE
        assert said.endswith(".")


def test_a_violation_is_told_with_its_facts() -> None:
    """Why an action is illegal is told in a sentence."""
    violation = check(asked(TraderPrompt(0)), ReturnGood(Good.GOLD))
    assert violation is not None
    assert describe_violation(violation) == violation.message
    assert is_plain(describe_violation(violation))


@pytest.mark.parametrize("language", LANGUAGES.values())
def test_a_language_has_all_names(language: Language) -> None:
    """Whatever a language names one by one, it names completely and in the usual order."""
    assert len(language.NAMES) == 4
    assert list(language.SHORT_NAMES) == list(language.GISTS) == list(C)
    assert list(language.GOOD_NAMES) == list(Good)


def loud(said: Any) -> Any:
    """Return what a language says in capitals, be it a text, a table of texts or a function."""
    match said:
        case str():
            return said.upper()
        case Headings():
            return Headings(**{name: loud(each) for name, each in attrs.asdict(said).items()})
        case Mapping():
            return {key: loud(each) for key, each in said.items()}
        case tuple():
            return tuple(map(loud, said))
        case _:
            return lambda *asked, **more: loud(said(*asked, **more))


def test_tables_say_nothing_that_the_language_does_not_say(
    plays: list[tuple[GameState, Action]],
) -> None:
    """Drawn in a language of capitals, a table has no word in small letters."""
    names = [name for name in vars(Language) if not name.startswith("_")]
    said = {name: loud(getattr(english, name)) for name in names}
    capitals = cast(Language, SimpleNamespace(**said))
    for state, _ in plays[200::100]:
        shown = table_information(state)
        texts = [
            sketch_display(state, language=capitals),
            describe_information(shown, capitals),
            describe_information(shown.players[0], capitals),
            draw_score_sheet(Outcome((RED, BLUE), (0,), "SCO-9"), language=capitals),
        ]
        assert not re.search("[a-z]{2}", "".join(texts))


def test_goods_and_cards_are_counted() -> None:
    """Goods and cards are told kind by kind, and nothing is told as such."""
    assert describe_goods(Goods(2, 0, 1)) == "2 gold and 1 stone"
    assert describe_goods(Goods()) == "nothing"
    assert describe_cards(CardBag.of(C.NUN, C.NUN, C.MAID)) == "Maid, Nun (x2)"
    assert describe_cards(CardBag()) == "none"


def asked(*steps: Step, valette: int = 0, **holdings: object) -> GameState:
    """Return a position in which seat 0 is asked something, the Carver's building on site 7."""
    me = seat(**holdings)  # type: ignore[arg-type]
    return position(me, seat(), display={7: CARVER}, valette=valette, agenda=steps)


@pytest.mark.parametrize(
    ("state", "action", "words"),
    [
        (
            asked(SitePrompt(0, Goods(wood=2))),
            Build(7),
            "build C (Carver) on site 7 for 2 gold: 1 point, stone icon",
        ),
        (
            asked(SitePrompt(0, Goods()), valette=11, built=[7]),
            Upgrade(7),
            "upgrade C (Carver) on site 7 for 1 wood: 1 point, Valette gives 2",
        ),
        (
            asked(),
            Build(7),
            "build C (Carver) on site 7 for 2 gold and 1 wood: 1 point, stone icon",
        ),
        (asked(NunPrompt(0)), TakeGood(Good.WOOD), "take 3 wood, every opponent 1 wood"),
        (asked(ArtisanPrompt(0), built=[7]), TakeGood(Good.STONE), "take 1 stone"),
        (asked(ArtisanPrompt(0)), TakeGood(Good.STONE), "take no stone, for want of icons"),
        (asked(TraderPrompt(0)), ReturnGood(Good.WOOD), "return 1 wood for 3 gold"),
        (asked(ArchitectPrompt(0)), ReturnGood(Good.WOOD), "return 4 wood for 4 points"),
        (asked(SitePrompt(0, Goods())), Decline(), "neither build nor upgrade"),
        (asked(ValettePrompt(0)), Decline(), "neither dismiss nor hire"),
        (asked(BonusPrompt(0, C.MONK)), Decline(), "take no extra good"),
        (asked(MaidPrompt(0)), Decline(), "make no use of it"),
        (asked(), PlayCard(C.APPRENTICE), "play the Apprentice (nothing to copy)"),
        (asked(), PlayCard(C.MERCHANT, use_effect=False), "play the Merchant without effect"),
    ],
)
def test_an_action_is_described_by_what_it_brings(
    state: GameState, action: Action, words: str
) -> None:
    """What an action would bring depends on the question it answers."""
    assert describe_action(state, action) == words


def test_the_apprentice_is_described_by_what_he_copies() -> None:
    """After a red or green card the Apprentice is described as that card."""
    state = position(seat(), seat(), played=[C.MAID])
    words = "play the Apprentice (as the Maid: take 1 good of any kind)"
    assert describe_action(state, PlayCard(C.APPRENTICE)) == words


def test_a_view_is_spoken_of_like_its_position(plays: list[tuple[GameState, Action]]) -> None:
    """Whoever sees only a view reads the same of questions, answers, prices and points."""
    for state, action in plays[::20]:
        for watcher in (None, *state.seats):
            seen = view(state, watcher)
            assert describe_prompt(seen) == describe_prompt(state)
            assert describe_action(seen, action) == describe_action(state, action)
            assert describe_standings(seen) == describe_standings(state)
            assert describe_holdings(seen.table, 0) == describe_holdings(state, 0)
            assert sketch_display(seen) == sketch_display(seen.table) == sketch_display(state)


def test_redacted_events_are_told_like_the_others(plays: list[tuple[GameState, Action]]) -> None:
    """What a seat may learn of an event is what it is told of the whole event."""
    for state, action in plays[::5]:
        for event in transition(state, action).events:
            for reader in (None, *state.seats):
                told = narrate(redact(event, reader), view(state, reader), reader=reader)
                assert told == narrate(event, state, reader=reader)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (asked(), "The game is over."),
        (
            asked(SitePrompt(0, Goods(brick=2))),
            "Red, what do you build or upgrade? (2 brick off the price)",
        ),
        (asked(SitePrompt(0, Goods())), "Red, what do you build or upgrade?"),
        (
            asked(PaymentPrompt(0, 7, Goods(gold=1)), built=[7]),
            "Red, how do you pay 1 gold for upgrading C (Carver)?",
        ),
        (
            asked(PaymentPrompt(0, 7, Goods(gold=1))),
            "Red, how do you pay 1 gold for building C (Carver)?",
        ),
    ],
)
def test_a_prompt_is_described_with_its_facts(state: GameState, words: str) -> None:
    """A question says what it is about."""
    assert describe_prompt(state) == words


def test_a_payment_is_narrated_with_its_price() -> None:
    """The price is told where something else was paid; other returns have none."""
    state = asked(PaymentPrompt(0, 7, Goods(gold=1)))
    paid = GoodsReturned(0, Goods(gold=1), "BLD-19")
    assert narrate(paid, state) == "Red pays 1 gold."
    replaced = GoodsReturned(0, Goods(wood=3), "BLD-19")
    assert narrate(replaced, state) == "Red pays 3 wood for a price of 1 gold."
    assert narrate(paid, asked()) == "Red returns 1 gold."


def test_points_from_valette_are_told_apart() -> None:
    """The construction bonus is told as coming from Valette."""
    assert narrate(PointsScored(1, 2, "BLD-32"), asked()) == "Blue scores 2 points from Valette."
    assert narrate(PointsScored(1, 1, "YEL-10"), asked()) == "Blue scores 1 point."


def test_a_declined_offer_is_narrated_by_its_clause() -> None:
    """What was declined follows from the clause."""
    assert narrate(EffectDeclined(0, "BLD-2"), asked()) == "Red neither builds nor upgrades."
    assert narrate(EffectDeclined(0, "BLU-8"), asked()) == "Red declines."


@pytest.mark.parametrize("condition", EndCondition)
def test_every_trigger_of_the_final_phase_is_narrated(condition: EndCondition) -> None:
    """Each end condition has its own words."""
    sentence = narrate(FinalPhaseTriggered(0, condition, "FIN-1"), asked())
    assert sentence.endswith(", which triggers the final phase.")


def test_drawn_cards_are_named_to_their_player_only() -> None:
    """Others and spectators are told of a card without its name."""
    drawn = CardDrawn(1, C.KNIGHT)
    assert narrate(drawn, asked()) == "Blue draws a card."
    assert narrate(drawn, asked(), reader=0) == "Blue draws a card."
    assert narrate(drawn, asked(), reader=1) == "Blue draws the Knight."
    assert describe_action(asked(), DrawCard(C.KNIGHT)) == "draw the Knight"


def test_players_are_called_by_the_names_given() -> None:
    """Names are the caller's choice."""
    taken = GoodsTaken(0, Goods(wood=1), "RED-2")
    assert tell(taken, asked(), ("Ann", "Bob")) == Sentence("Ann", "takes 1 wood")


def test_goods_are_written_as_they_are_typed() -> None:
    """Goods in brief are counts and initials."""
    assert brief(Goods(2, 0, 1, 3)) == "2g 1s 3b"
    assert brief(Goods()) == "0"


def test_parts_are_joined_as_in_speech() -> None:
    """The last of several parts follows an "and"."""
    assert joined(["Red"]) == "Red"
    assert joined(["Red", "Blue"]) == "Red and Blue"
    assert joined(["Red", "Blue", "Green"]) == "Red, Blue and Green"
    assert joined([]) == ""


def test_the_display_is_drawn_as_it_lies() -> None:
    """Outer rows lie further from the street, and every owner is shown."""
    state = position(seat(upgraded=[7]), seat(built=[10]), display={7: CARVER}, valette=12)
    lines = sketch_display(state).splitlines()
    assert lines[0].startswith("10 Z 1p gold  ")
    assert lines[3].startswith("   Blue")
    assert lines[4].startswith(" 0 ")
    assert lines[8].startswith("==1-5==")
    assert "==11-15 V:12==" in lines[8]
    assert " 7 C 1p stone " in lines[9]
    assert "   Carver " in lines[10]
    assert "   2g 1w " in lines[11]
    assert "   Red+" in lines[12]
    assert lines[13].startswith("15 ")
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("width", "cost"),
    [(40, "2g1w1s…"), (48, "2g1w1s1b"), (60, "2g 1w 1s 1b"), (80, "2g 1w 1s 1b"), (150, "2g 1w")],
)
def test_the_display_is_as_wide_as_there_is_room(width: int, cost: str) -> None:
    """What is cut off is marked, and longer names begin farther to the left."""
    nun = a_building(character=C.NUN, cost=Goods(2, 1, 1, 1))
    state = position(seat(), seat(), display=dict.fromkeys(range(20), nun))
    drawn = sketch_display(state, language=LANGUAGES["de"], width=width)
    assert max(map(len, drawn.splitlines())) <= min(width, 120)
    assert ("Ordensschwester" in drawn) == (width >= 80)
    assert ("Orden" in drawn and "…" in drawn) == (width < 80)
    assert cost in drawn


def test_players_are_drawn_in_a_line_each() -> None:
    """Goods with icons in brackets, houses, points now and if the game ended now."""
    me = seat(goods=Goods(3, 0, 12), built=[7], score=4)
    state = position(me, seat(), display={7: CARVER})
    head, red, blue = draw_players(view(state, 1)).splitlines()
    assert head.split() == ["gold", "wood", "stone", "brick", "houses", "points", "total"]
    assert red.split() == ["Red", "3", "0", "12", "(1)", "0", "1", "4", "10"]
    assert blue.split() == ["Blue", "0", "0", "0", "0", "0", "0", "0"]
    assert draw_players(state, ("Anna", "Ben")).count("Anna") == 1


def test_holdings_and_standings_are_one_line() -> None:
    """What a player has, and where everybody stands, is told in brief."""
    state = position(seat(goods=Goods(3), upgraded=[7], score=1), seat(), display={7: CARVER})
    holdings = "3 gold; 1 house (1 upgraded); 1 point scored"
    assert describe_holdings(state, 0) == holdings
    assert describe_holdings(state, 1) == "nothing; 0 houses; 0 points scored"
    assert describe_standings(state) == "Red 4 (1 house); Blue 0 (0 houses)"


def test_a_display_is_drawn_while_it_is_laid() -> None:
    """Sites to which nothing has been dealt are not drawn."""
    state = new_game(2)
    assert sketch_display(state).startswith("==1-5==")
    for _ in range(7):
        state = apply(state, legal_actions(state)[0])
    lines = sketch_display(state).splitlines()
    assert [line[:2] for line in lines[:6:5]] == [" 0", " 5"]
    assert [len(line) > 38 for line in lines] == [True, True, True, False, True, *[False] * 3]


RED, BLUE = Score(0, 20, 30, 3, 8), Score(1, 23, 28, 2, 7)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome((RED, BLUE), (0,), "SCO-9"), "Red wins with 53 points, the most of all"),
        (Outcome((RED, BLUE), (0,), "SCO-10"), "Red wins a tie at 53 points by the most houses"),
        (
            Outcome((RED, RED), (0, 1), "SCO-11"),
            "Red and Blue share the victory with 53 points and as many houses",
        ),
    ],
)
def test_the_winner_is_told_with_the_tie_break(outcome: Outcome, words: str) -> None:
    """It is said by what the victory was decided."""
    assert describe_winner(outcome) == words
    assert draw_score_sheet(outcome).endswith(f"{words} ({outcome.clause}).")


def test_the_score_sheet_lists_every_part() -> None:
    """A line of the score sheet shows track, buildings, goods, total and houses."""
    sheet = draw_score_sheet(Outcome((RED, BLUE), (0,), "SCO-9")).splitlines()
    assert sheet[0].split() == ["track", "buildings", "goods", "total", "houses"]
    assert sheet[1].split() == ["Red", "20", "30", "3", "53", "8"]
    longer = draw_score_sheet(Outcome((RED, BLUE), (0,), "SCO-9"), ("Maximilian", "Ben"))
    assert len({len(line) for line in longer.splitlines()[:3]}) == 1


def test_a_payment_is_described_by_its_goods() -> None:
    """Paying nothing is said so."""
    assert describe_action(asked(), Pay(Goods())) == "pay nothing"
