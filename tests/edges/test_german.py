"""The game in German."""

from __future__ import annotations

import random
import re
from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from typing import get_args

import pytest

from tests.positions import a_building, position, seat
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    Action,
    Build,
    CardBag,
    Character,
    Code,
    DealBuilding,
    Decline,
    Dismiss,
    DraftGood,
    DrawCard,
    Event,
    GameState,
    GiveGood,
    Good,
    Goods,
    Hire,
    Outcome,
    Pay,
    PlayCard,
    Prompt,
    ReturnGood,
    RevealBarrel,
    Score,
    TakeGood,
    TakeGoods,
    Upgrade,
    Violation,
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
    MonkPrompt,
    NunPrompt,
    PaymentPrompt,
    SitePrompt,
    Step,
    TraderPrompt,
    ValettePrompt,
)
from valletta_rules.events import (
    CardDrawn,
    CardPlayed,
    EffectDeclined,
    EffectFizzled,
    EndCondition,
    FinalPhaseTriggered,
    GoodsGiven,
    GoodsReturned,
    PointsScored,
)
from valletta_rules.views.player_information import Ending
from valletta_rules.views.redaction import RedactedEvent
from valletta_rules.words import (
    Sentence,
    describe_information,
    draw_score_sheet,
    english,
    german,
    sketch_display,
)
from valletta_rules.words.german import Case, declined

C = Character
CARVER = a_building(
    character=C.CARVER, cost=Goods(gold=2, wood=1), icon=Good.STONE, points=1, letter="C"
)

Play = tuple[GameState, Action]


def random_play() -> Iterator[Play]:
    """Run through random games of all editions, each position with the action played in it."""
    games = ((2, 2, Z_MAN), (11, 2, Z_MAN), (3, 3, REFERENCE_MANUAL), (2, 2, HANS_IM_GLUECK))
    for seed, players, rules in games:
        rng = random.Random(seed)
        state = new_game(players, rules=rules)
        while state.prompt is not None:
            action = rng.choice(legal_actions(state))
            yield state, action
            state = apply(state, action)


@pytest.fixture(scope="module")
def plays() -> list[Play]:
    """Return what was played in some random games."""
    return list(random_play())


@cache
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, each of two letters or more."""
    return frozenset(re.findall("[a-zäöüß]{2,}", text.lower()))


# Nothing is missing, and nothing is English


def test_every_prompt_action_and_event_has_german_words(plays: list[Play]) -> None:
    """All kinds occur in the games, and what is said of them shares no word with English.

    But for names, and for words that both languages have.
    """
    said = {language: set[str]() for language in (english, german)}
    kinds = set[type]()
    for state, action in plays:
        events = transition(state, action).events
        kinds |= {type(state.prompt), type(action), *map(type, events)}
        for language, words in said.items():
            words |= words_of(language.describe_prompt(state))
            words |= words_of(language.describe_action(state, action))
            for event in events:
                told = str(language.tell(event, state, reader=state.active))
                assert told.endswith(".")
                words |= words_of(told)
    assert kinds == {*get_args(Prompt), *get_args(Action), *get_args(Event)}
    assert said[english] & said[german] <= BOTH


BOTH = {"an", "gold", "hand", "pius", "valette", "von"}
"""The words that are the same in both languages."""


def test_effects_and_cards_share_no_word_with_english() -> None:
    """The texts and names of cards are German, but for names of people and for gold."""
    for character in C:
        words = words_of(german.describe_effect(character) + " " + german.title(character))
        said = english.describe_effect(character) + " " + english.title(character)
        assert words & words_of(said) <= BOTH
        gist = "ziehen" if character is C.VALETTE else german.GISTS[character][1:]
        assert gist in german.describe_effect(character)


def test_legal_actions_are_told_apart(plays: list[Play]) -> None:
    """No two legal actions of a position are described alike."""
    for state, _ in plays[::7]:
        described = [german.describe_action(state, action) for action in legal_actions(state)]
        assert len(set(described)) == len(described)


def test_a_view_is_spoken_of_like_its_position(plays: list[Play]) -> None:
    """Whoever sees only a view, and redacted events, reads the same."""
    for state, action in plays[::20]:
        for watcher in (None, *state.seats):
            seen = view(state, watcher)
            assert german.describe_prompt(seen) == german.describe_prompt(state)
            assert german.describe_action(seen, action) == german.describe_action(state, action)
            for event in transition(state, action).events:
                told = german.tell(redact(event, watcher), seen, reader=watcher)
                assert told == german.tell(event, state, reader=watcher)


def probes(state: GameState) -> Iterator[Action]:
    """Run through actions of every kind, most of them illegal."""
    yield DealBuilding(state.cards.buildings[0].code)
    yield Decline()
    yield TakeGoods(Goods(3))
    yield from map(Pay, (Goods(), Goods(1, 1, 1), Goods(9)))
    for good in Good:
        for kind in (RevealBarrel, DraftGood, GiveGood, TakeGood, ReturnGood):
            yield kind(good)
    for character in C:
        yield PlayCard(character)
        yield PlayCard(character, use_effect=False)
        for act in (DrawCard, Dismiss, Hire):
            yield act(character)
    for site in range(len(state.display)):
        yield from (Build(site), Upgrade(site))


def test_every_violation_of_played_games_is_told_from_its_facts(plays: list[Play]) -> None:
    """Whatever the engine refuses is told in German, which shares no word with the message."""
    codes, words, messages = set[Code](), set[str](), set[str]()
    for state, _ in plays[::5]:
        for action in probes(state):
            if violation := check(state, action):
                codes.add(violation.code)
                words |= words_of(german.describe_violation(violation))
                messages |= words_of(violation.message)
    assert len(codes) >= 17
    assert words & messages <= BOTH


# Declension


@pytest.mark.parametrize(
    ("character", "nominative", "dative", "accusative"),
    [
        (C.BUILDER, "der Baumeister", "dem Baumeister", "den Baumeister"),
        (C.MAID, "die Magd", "der Magd", "die Magd"),
        (C.NUN, "die Ordensschwester", "der Ordensschwester", "die Ordensschwester"),
        (C.CARVER, "der Steinmetz", "dem Steinmetzen", "den Steinmetzen"),
        (C.ARCHITECT, "der Architekt", "dem Architekten", "den Architekten"),
        (C.GRAND_BAILIFF, "der Großbailli", "dem Großbailli", "den Großbailli"),
        (C.VALETTE, "Valette", "Valette", "Valette"),
        (C.PHILIP, "König Philipp", "König Philipp", "König Philipp"),
    ],
)
def test_cards_are_declined(
    character: Character, nominative: str, dative: str, accusative: str
) -> None:
    """Articles follow gender and case, weak nouns end in -en, and kings take no article."""
    assert german.title(character) == nominative
    assert [declined(character, case) for case in Case] == [nominative, dative, accusative]


def test_women_are_those_whose_names_are_feminine() -> None:
    """Of the 31 characters five are women: four in -in or -ster, and the Maid."""
    feminine = {C.MAID} | {each for each in C if each.german.endswith(("in", "schwester"))}
    assert set(german.WOMEN) == feminine


@pytest.mark.parametrize(
    ("goods", "words"),
    [
        (Goods(3, 0, 2), "3 Gold und 2 Steine"),
        (Goods(1, 2, 1, 4), "1 Gold, 2 Holz, 1 Stein und 4 Ziegel"),
        (Goods(brick=1), "1 Ziegel"),
        (Goods(), "nichts"),
    ],
)
def test_goods_are_counted(goods: Goods, words: str) -> None:
    """Only stones change after a number, and the last good follows an "und"."""
    assert german.describe_goods(goods) == words


def test_cards_are_counted() -> None:
    """Cards are told kind by kind, and none is told as such."""
    cards = CardBag.of(C.NUN, C.NUN, C.MAID)
    assert german.describe_cards(cards) == "Magd, Ordensschwester (x2)"
    assert german.describe_cards(CardBag()) == "keine"


# Actions and prompts


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
            "C (Steinmetz) auf Bauplatz 7 für 2 Gold bauen: 1 Punkt, Steinsymbol",
        ),
        (
            asked(SitePrompt(0, Goods()), valette=11, built=[7]),
            Upgrade(7),
            "C (Steinmetz) auf Bauplatz 7 für 1 Holz aufwerten: 1 Punkt, von Valette 2",
        ),
        (asked(NunPrompt(0)), TakeGood(Good.WOOD), "3 Holz nehmen, jeder Mitspieler 1 Holz"),
        (asked(ArtisanPrompt(0), built=[7]), TakeGood(Good.STONE), "1 Stein nehmen"),
        (asked(ArtisanPrompt(0)), TakeGood(Good.STONE), "keinen Stein nehmen, da Symbole fehlen"),
        (asked(ArtisanPrompt(0)), TakeGood(Good.GOLD), "kein Gold nehmen, da Symbole fehlen"),
        (asked(TraderPrompt(0)), ReturnGood(Good.WOOD), "1 Holz gegen 3 Gold tauschen"),
        (asked(ArchitectPrompt(0)), ReturnGood(Good.WOOD), "4 Holz für 4 Punkte abgeben"),
        (asked(SitePrompt(0, Goods())), Decline(), "weder bauen noch aufwerten"),
        (asked(ValettePrompt(0)), Decline(), "weder entlassen noch einstellen"),
        (asked(ValettePrompt(0)), Dismiss(C.MONK), "den Bettelmönch entlassen"),
        (
            asked(ValettePrompt(0)),
            Hire(C.KNIGHT),
            "den Ritter einstellen (2 Punkte bekommen)",
        ),
        (asked(BonusPrompt(0, C.MONK)), Decline(), "kein zusätzliches Gut nehmen"),
        (asked(MaidPrompt(0)), Decline(), "darauf verzichten"),
        (
            asked(),
            Build(7),
            "C (Steinmetz) auf Bauplatz 7 für 2 Gold und 1 Holz bauen: 1 Punkt, Steinsymbol",
        ),
        (asked(), Pay(Goods()), "nichts zahlen"),
        (asked(), DrawCard(C.CARVER), "den Steinmetzen ziehen"),
        (asked(), PlayCard(C.APPRENTICE), "den Lehrling ausspielen (nichts zu kopieren)"),
        (
            asked(),
            PlayCard(C.MERCHANT, use_effect=False),
            "den Kaufmann ohne Aktion ausspielen",
        ),
    ],
)
def test_an_action_is_described_by_what_it_brings(
    state: GameState, action: Action, words: str
) -> None:
    """What an action would bring depends on the question it answers."""
    assert german.describe_action(state, action) == words


def test_the_apprentice_is_described_by_what_he_copies() -> None:
    """After a red or green card the Apprentice is described as that card."""
    state = position(seat(), seat(), played=[C.MAID])
    words = "den Lehrling ausspielen (wie die Magd: 1 Gut nach Wahl nehmen)"
    assert german.describe_action(state, PlayCard(C.APPRENTICE)) == words


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (asked(), "Das Spiel ist zu Ende."),
        (
            asked(SitePrompt(0, Goods(brick=2))),
            "Rot, was baust du, oder was wertest du auf? (2 Ziegel Nachlass)",
        ),
        (
            asked(PaymentPrompt(0, 7, Goods(gold=1)), built=[7]),
            "Rot, wie zahlst du 1 Gold für das Aufwerten von C (Steinmetz)?",
        ),
        (
            asked(PaymentPrompt(0, 7, Goods(gold=1))),
            "Rot, wie zahlst du 1 Gold für das Bauen von C (Steinmetz)?",
        ),
        (asked(MonkPrompt(0, 1)), "Rot, welches Gut gibst du dem Bettelmönch von Blau?"),
        (asked(BonusPrompt(0, C.INNKEEPER)), "Rot, welches zusätzliche Gut bringt der Wirt?"),
    ],
)
def test_a_prompt_is_described_with_its_facts(state: GameState, words: str) -> None:
    """A question says what it is about."""
    assert german.describe_prompt(state) == words


# Events


PAYMENT = asked(PaymentPrompt(0, 7, Goods(gold=1)))


@pytest.mark.parametrize(
    ("event", "state", "words"),
    [
        (CardPlayed(0, C.BUILDER), asked(), "Rot spielt den Baumeister aus."),
        (CardPlayed(0, C.CHARLES), asked(), "Rot spielt Kaiser Karl aus."),
        (EffectFizzled(1, C.MONK), asked(), "Blau bekommt nichts vom Bettelmönch."),
        (EffectFizzled(1, C.TRADER), asked(), "Blau bekommt nichts von der Händlerin."),
        (EffectFizzled(1, C.PIUS), asked(), "Blau bekommt nichts von Papst Pius."),
        (CardDrawn(1, C.KNIGHT), asked(), "Blau zieht eine Karte."),
        (CardDrawn(0, C.KNIGHT), asked(), "Rot zieht den Ritter."),
        (GoodsReturned(0, Goods(1), "BLD-19"), PAYMENT, "Rot zahlt 1 Gold."),
        (
            GoodsReturned(0, Goods(wood=3), "BLD-19"),
            PAYMENT,
            "Rot zahlt 3 Holz (Preis: 1 Gold).",
        ),
        (GoodsReturned(0, Goods(1), "BLU-7"), asked(), "Rot legt 1 Gold zurück."),
        (GoodsGiven(0, 1, Goods(1), "BLU-1"), asked(), "Rot gibt 1 Gold an Blau."),
        (PointsScored(1, 2, "BLD-32"), asked(), "Blau bekommt 2 Punkte von Valette."),
        (PointsScored(1, 1, "YEL-10"), asked(), "Blau bekommt 1 Punkt."),
        (EffectDeclined(0, "BLD-2"), asked(), "Rot baut nichts und wertet nichts auf."),
        (EffectDeclined(0, "BLU-8"), asked(), "Rot verzichtet darauf."),
        *(
            (FinalPhaseTriggered(0, condition, "FIN-1"), asked(), words)
            for condition, words in {
                EndCondition.LAST_BARREL: "Rot bringt Valette zum letzten Fass und leitet damit"
                " die Endphase ein.",
                EndCondition.SCORE: "Rot erreicht 25 Punkte und leitet damit die Endphase ein.",
                EndCondition.HOUSES: "Rot baut das letzte von 8 Häusern und leitet damit"
                " die Endphase ein.",
            }.items()
        ),
    ],
)
def test_an_event_is_told_with_its_facts(
    event: RedactedEvent, state: GameState, words: str
) -> None:
    """What happened is a sentence in the present tense."""
    assert str(german.tell(event, state, reader=0)) == words


def test_players_are_called_by_the_names_given() -> None:
    """Names are the caller's choice."""
    given = GoodsGiven(0, 1, Goods(wood=1), "BLU-1")
    assert german.tell(given, asked(), ("Anna", "Jo")) == Sentence("Anna", "gibt 1 Holz an Jo")


# Violations


Facts = Mapping[str, Hashable]

NUN: Facts = {"character": C.NUN}
SITE: dict[str, Hashable] = {"site": 3}
BILL = SITE | {"price": Goods(wood=2)}

VIOLATIONS: list[tuple[Code, str, Facts, str]] = [
    (Code.GAME_OVER, "FIN-16", {}, "das Spiel ist zu Ende"),
    (
        Code.WRONG_KIND,
        "BLD-1",
        {"prompt": "SitePrompt", "action": "PlayCard"},
        "gefragt ist nach dem Bauplatz, und eine Karte auszuspielen ist darauf keine Antwort",
    ),
    (Code.CARD_NOT_IN_HAND, "TRN-3", NUN, "die Ordensschwester ist nicht auf der Hand"),
    (Code.CARD_NOT_IN_SUPPLY, "VAL-12", NUN, "die Ordensschwester liegt nicht im Personenvorrat"),
    (Code.CARD_NOT_IN_PILE, "TRN-17", NUN, "die Ordensschwester liegt nicht im Nachziehstapel"),
    (
        Code.EFFECT_COMPULSORY,
        "TRN-7",
        {"character": C.CARVER},
        "wer den Steinmetzen ausspielt, muss die Aktion ausführen",
    ),
    (
        Code.NO_EFFECT_TO_DECLINE,
        "TRN-14",
        {"character": C.PHILIP},
        "König Philipp kann hier nichts tun, worauf zu verzichten wäre",
    ),
    (
        Code.NO_EFFECT_TO_DECLINE,
        "TRN-10",
        NUN,
        "wer die Ordensschwester ausspielt, kann erst bei der Wahl danach verzichten",
    ),
    (Code.SITE_TAKEN, "BLD-3", SITE | {"owner": 1}, "auf Bauplatz 3 steht ein Haus von Blau"),
    (
        Code.SITE_NOT_OWN,
        "BLD-15",
        SITE | {"owner": 1},
        "das Gebäude auf Bauplatz 3 gehört Blau, und nur eigene sind aufzuwerten",
    ),
    (
        Code.SITE_NOT_OWN,
        "BLD-15",
        SITE | {"owner": None},
        "das Gebäude auf Bauplatz 3 gehört niemandem, und nur eigene sind aufzuwerten",
    ),
    (
        Code.ALREADY_BUILT,
        "BLD-3",
        SITE | {"owner": 0},
        "auf Bauplatz 3 steht schon ein eigenes Haus, es lässt sich nur noch aufwerten",
    ),
    (
        Code.ALREADY_UPGRADED,
        "BLD-16",
        SITE,
        "das Gebäude auf Bauplatz 3 ist schon aufgewertet",
    ),
    (Code.NO_HOUSE_LEFT, "BLD-4", SITE, "alle 8 Häuser sind gebaut"),
    (
        Code.NOT_AFFORDABLE,
        "BLD-26",
        BILL | {"goods": Goods()},
        "Bauplatz 3 kostet abzüglich der Nachlässe 2 Holz; der Spieler hat nichts,"
        " und das reicht nicht",
    ),
    (
        Code.NOT_OWNED,
        "BLD-19",
        {"payment": Goods(2), "goods": Goods(1)},
        "der Spieler hat 1 Gold und kann nicht 2 Gold zahlen",
    ),
    (
        Code.NOT_OWNED,
        "YEL-1",
        {"good": Good.WOOD, "owned": 3},
        "der Spieler hat 3 Holz, also nicht genug davon",
    ),
    (Code.NOT_OWNED, "YEL-1", {"good": Good.WOOD, "owned": 0}, "der Spieler hat kein Holz"),
    (Code.NOT_OWNED, "BLU-7", {"good": Good.BRICK}, "der Spieler hat keinen Ziegel"),
    (
        Code.PAYMENT_SHORT,
        "BLD-19",
        BILL | {"payment": Goods(wood=1), "missing": Goods(wood=1)},
        "Bauplatz 3 kostet abzüglich der Nachlässe 2 Holz; die Zahlung lässt 1 Holz offen",
    ),
    (
        Code.PAYMENT_SHORT,
        "BLD-20",
        BILL | {"payment": Goods(gold=2, wood=1), "missing": Goods(wood=1)},
        "Bauplatz 3 kostet abzüglich der Nachlässe 2 Holz; die Zahlung lässt 1 Holz offen,"
        " und 2 Gold genügt nicht als Ersatz",
    ),
    (
        Code.PAYMENT_SHORT,
        "BLD-20",
        BILL | {"payment": Goods(gold=1, wood=1, brick=1), "missing": Goods(wood=1)},
        "Bauplatz 3 kostet abzüglich der Nachlässe 2 Holz; die Zahlung lässt 1 Holz offen,"
        " und 1 Gold und 1 Ziegel genügen nicht als Ersatz",
    ),
    (
        Code.PAYMENT_EXCESSIVE,
        "BLD-19",
        BILL | {"payment": Goods(stone=7), "missing": Goods()},
        "Bauplatz 3 kostet abzüglich der Nachlässe 2 Holz; 7 Steine sind mehr als das",
    ),
    (
        Code.PAYMENT_EXCESSIVE,
        "BLD-19",
        BILL | {"payment": Goods(wood=3), "missing": Goods()},
        "Bauplatz 3 kostet abzüglich der Nachlässe 2 Holz; 3 Holz ist mehr als das",
    ),
    (
        Code.GOOD_NOT_OFFERED,
        "BLU-7",
        {"good": Good.GOLD},
        "Gold steht hier nicht zur Wahl",
    ),
    (
        Code.WRONG_NUMBER_OF_GOODS,
        "BLU-10",
        {"goods": Goods(3)},
        "die Schneiderin nimmt 2 Güter und nicht 3",
    ),
    (
        Code.BUILDING_NOT_AVAILABLE,
        "SET-8",
        {"building": "B"},
        "für B ist in seiner Farbe kein Platz mehr in der Auslage",
    ),
    (
        Code.BUILDING_NOT_AVAILABLE,
        "SET-9",
        {"building": "B"},
        "alle Karten von B liegen schon aus",
    ),
    (Code.NO_SUCH_BARREL, "VAL-5", {"good": Good.STONE}, "kein Fass mit Stein ist übrig"),
]


def refused(code: Code, clause: str, facts: Facts) -> str:
    """Return how a violation is told that has these facts, and a message of no use."""
    violation = Violation(clause, code, "?", tuple(facts.items()))
    return german.describe_violation(violation)


@pytest.mark.parametrize(("code", "clause", "facts", "words"), VIOLATIONS)
def test_a_violation_is_told_from_code_and_facts(
    code: Code, clause: str, facts: Facts, words: str
) -> None:
    """The message plays no part in what is said."""
    assert refused(code, clause, facts) == words


def test_every_code_of_a_violation_has_words() -> None:
    """The table above leaves out no code."""
    assert {code for code, *_ in VIOLATIONS} == set(Code)


@pytest.mark.parametrize("prompt", get_args(Prompt))
@pytest.mark.parametrize("action", get_args(Action))
def test_no_answer_to_another_question_lacks_words(prompt: type, action: type) -> None:
    """Any action can be told not to answer any prompt."""
    facts = {"prompt": prompt.__name__, "action": action.__name__}
    said = refused(Code.WRONG_KIND, "TRN-1", facts)
    assert re.fullmatch("gefragt ist nach de[mnr] .+, und .*zu.+ ist darauf keine Antwort", said)


# Tables


RED, BLUE = Score(0, 20, 30, 3, 8), Score(1, 23, 28, 2, 7)


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (
            Outcome((RED, BLUE), (0,), "SCO-9"),
            "Rot gewinnt mit 53 Punkten, mehr als alle anderen",
        ),
        (
            Outcome((RED, BLUE), (0,), "SCO-10"),
            "Rot gewinnt den Gleichstand mit 53 Punkten durch die meisten Häuser",
        ),
        (
            Outcome((RED, RED), (0, 1), "SCO-11"),
            "Rot und Blau teilen sich den Sieg mit 53 Punkten und gleich vielen Häusern",
        ),
    ],
)
def test_the_winner_is_told_with_the_tie_break(outcome: Outcome, words: str) -> None:
    """It is said by what the victory was decided."""
    assert german.describe_winner(outcome) == words
    sheet = draw_score_sheet(outcome, language=german).splitlines()
    assert sheet[0].split() == ["Leiste", "Gebäude", "Güter", "Summe", "Häuser"]
    assert sheet[-1] == f"{words} ({outcome.clause})."


def test_holdings_and_standings_are_one_line() -> None:
    """What a player has, and where everybody stands, is told in brief."""
    state = position(seat(goods=Goods(3), upgraded=[7], score=1), seat(), display={7: CARVER})
    holdings = "3 Gold; 1 Haus (1 aufgewertet); 1 Punkt auf der Punkteleiste"
    assert german.describe_holdings(state, 0) == holdings
    nothing = "nichts; 0 Häuser; 0 Punkte auf der Punkteleiste"
    assert german.describe_holdings(state, 1) == nothing
    assert german.describe_standings(state) == "Rot 4 (1 Haus); Blau 0 (0 Häuser)"


def test_the_display_is_drawn_in_german() -> None:
    """Names, icons and owners in the drawing are German."""
    state = position(seat(upgraded=[7]), seat(built=[10]), display={7: CARVER}, valette=12)
    drawn = sketch_display(state, language=german)
    assert " 7 C 1p Stein " in drawn
    assert "   Steinmetz " in drawn
    assert "   Rot+" in drawn


def test_what_is_known_of_a_player_is_told_in_german() -> None:
    """Points, houses, goods, cards and what is in reach have German words."""
    me = seat(hand=[C.MAID], goods=Goods(3, 1, 1, 1), built=[7], score=25)
    other = a_building(cost=Goods(wood=2), icon=Good.BRICK)
    state = position(me, seat(), display={7: CARVER, 5: other}, valette=3)
    said = describe_information(table_information(view(state, 0)), german)
    for line in (
        "Rot",
        "Häuser 1 von 8",
        "C (Steinmetz) auf Bauplatz 7: 1 Punkt, 1 Steinsymbol",
        "Güter Gold 3 (0), Holz 1 (0), Stein 1 (1), Ziegel 1 (0)",
        "Hand Magd",
        "Punkte 25/25 (ERFÜLLT), Häuser 1/8 (noch 7 Häuser)",
        "Möglich Y (Ritter) auf Bauplatz 5 für 2 Holz bauen (Zahlung: 3 Gold und 1 Holz):",
        "Personenvorrat keine",
        "Endphase steht bevor",
    ):
        assert line in " ".join(said.split())
    assert not words_of(said) & words_of(describe_information(table_information(state))) - BOTH


@pytest.mark.parametrize("ending", Ending)
def test_every_ending_is_told(ending: Ending) -> None:
    """Whether the final phase is near is told in German."""
    assert not words_of(german.describe_ending(ending)) & words_of(english.describe_ending(ending))
