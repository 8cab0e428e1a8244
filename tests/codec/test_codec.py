"""Tests of the codec, which converts values to JSON documents and back."""

import ast
import inspect
import json
import random
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import attrs
import jsonschema
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import valletta_rules
import valletta_rules as vr
from spec.checks import random_games
from spec.checks.corruption import ODD_VALUES, corpus, damaged, judge, samples
from spec.checks.schema import validator
from tests.properties.test_values import rebuilt
from tests.test_malformed import MINE, STATE, changed
from valletta_rules import codec
from valletta_rules.actions import PLAY
from valletta_rules.audit import Impossible
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.codec.schema import json_schema, schema_text
from valletta_rules.codec.text import Unfit, parse, whole_number
from valletta_rules.codec.typescript import typescript_text
from valletta_rules.codec.vocabulary import FACTS
from valletta_rules.components import LARGEST_AMOUNT, is_name
from valletta_rules.errors import Refusal, violation
from valletta_rules.views.view import see

T = TypeVar("T")

OWN = vr.new_game(cards=MINE)
"""A new game with a card set that is not built in."""


PUBLISHED = json.loads(codec.SCHEMA.read_text("utf-8"))

JUDGE = validator(PUBLISHED)


def is_read_as_written(value: Any) -> None:
    """Check that a value survives a round trip through JSON, with and without indentation."""
    text = vr.to_json(value)
    assert "\n" not in text
    again = vr.from_json(text)
    assert again == value
    assert type(again) is type(value)
    assert hash(again) == hash(value)
    assert repr(again) == repr(value)
    assert vr.to_json(again) == text
    assert codec.from_document(codec.to_document(value)) == value
    assert vr.from_json(vr.to_json(value, indent=2)) == value


def fits_the_schema(value: Any) -> None:
    """Check that the document of a value satisfies the published schema."""
    JUDGE.validate(json.loads(vr.to_json(value)))


# Round trips


def values_in(game: random_games.Playthrough) -> Iterator[codec.Value]:
    """Yield values of many types from a game, such as positions, views, actions and a record."""
    moves, start = game.moves, game.start
    names = tuple("ÄŁ日🙂"[: len(start.players)])
    actions = [move.action for move in moves]
    notes = (vr.Note(0, "It begins."),)
    yield vr.Record(len(names), start.rules, start.cards, actions, names=names, notes=notes)
    if (result := vr.outcome(game.end)) is not None:
        yield result
    for number, move in enumerate(reversed(moves)):
        state = move.after
        if number % 30 == 0:
            yield from (state, state.rules, state.cards, vr.Transition(state, move.events))
            yield from (vr.view(state, seat) for seat in (None, *state.seats))
            refused = (vr.check(state, action) for action in PLAY.values())
            yield from (each for each in refused if each is not None)
        if number % 3 == 0:
            yield from (vr.redact(event, seat) for event in move.events for seat in (None, 0))
            yield move.action
            if state.prompt is not None:
                yield state.prompt


@random_games.in_every(random_games.games)
def test_values_of_a_game_survive_a_round_trip_through_json(game: random_games.Playthrough) -> None:
    """The values are positions, views, actions, prompts, events, violations, outcomes and records.

    Equal values have equal texts.
    The documents satisfy the schema.
    """
    unique = set[codec.Value]()
    for value in values_in(game):
        if value not in unique:
            unique.add(value)
            is_read_as_written(value)
        if len(unique) == 150:
            break
    for value in (game.start, vr.view(game.end, 0)):
        fits_the_schema(value)
    assert vr.to_json(rebuilt(game.end)) == vr.to_json(game.end)


@given(
    random_games.positions().flatmap(
        lambda state: st.tuples(st.just(state), random_games.well_formed_actions(state))
    )
)
def test_the_facts_of_a_violation_survive_a_round_trip_through_json(
    drawn: tuple[vr.GameState, vr.Action],
) -> None:
    """The order and the types of the facts are preserved."""
    state, action = drawn
    if (violation := vr.check(state, action)) is not None:
        is_read_as_written(violation)


@given(
    st.integers(min_value=2, max_value=4).flatmap(random_games.rule_sets),
    random_games.card_sets(),
    st.text().filter(is_name),
)
def test_rule_sets_and_card_sets_survive_a_round_trip_through_json(
    rules: vr.RuleSet, cards: vr.CardSet, name: str
) -> None:
    """Hypothesis generates rule sets with any printable name, and valid card sets."""
    is_read_as_written(attrs.evolve(rules, name=name))
    is_read_as_written(cards)


def test_a_json_document_begins_with_its_version_and_kind() -> None:
    """The value with its type follows. The document may be indented by up to 80 spaces."""
    assert vr.to_json(vr.PlayCard(vr.Character.MAID)) == (
        '{"valletta_rules":2,"kind":"Action",'
        '"value":{"type":"PlayCard","character":"maid","use_effect":true}}'
    )
    assert vr.to_json(vr.Pay(vr.Goods(gold=2)), indent=1).splitlines()[1] == ' "valletta_rules": 2,'
    assert vr.from_json(vr.to_json(vr.Pay(vr.Goods(gold=2)), indent=80)) == vr.Pay(vr.Goods(gold=2))
    with pytest.raises(vr.CodecError, match="is 80 spaces at most, not 81"):
        vr.to_json(vr.Pay(vr.Goods(gold=2)), indent=81)


def test_a_json_document_refers_to_cards_by_name_and_to_sites_by_number() -> None:
    """The document refers to buildings by code, and to clauses by id."""
    value = json.loads(vr.to_json(STATE))["value"]
    assert value["supply"] == {"builder": 4}
    assert value["players"][0]["goods"] == {"gold": 1, "wood": 1, "stone": 1, "brick": 1}
    assert value["players"][0]["built"] == []
    assert [each["code"] for each in value["display"]] == [each.code for each in STATE.display]
    assert value["display"][0]["cost"] == attrs.asdict(STATE.display[0].cost)
    assert value["cards"] == name_built_in_cards(vr.RECONSTRUCTION)
    assert value["agenda"][0]["clause"] == "SET-22"
    assert value["rules"]["name"] == "Hans im Glück"


def test_the_document_of_a_position_has_fewer_than_six_thousand_characters() -> None:
    """Most of the characters describe the buildings in the display."""
    assert len(vr.to_json(vr.RECONSTRUCTION)) < 4_000
    assert len(vr.to_json(vr.resolve_chance(vr.new_game(4), random.Random(1)))) < 6_000


def test_json_documents_contain_the_name_of_a_built_in_card_set_but_any_other_set_in_full() -> None:
    """A document of kind `CardSet` contains even a built-in card set in full.

    Documents from other programs may also contain it in full.
    """
    assert json.loads(vr.to_json(vr.RECONSTRUCTION))["value"]["name"] == vr.RECONSTRUCTION.name
    assert json.loads(vr.to_json(OWN))["value"]["cards"] == json.loads(vr.to_json(MINE))["value"]
    cards = json.loads(vr.to_json(vr.RECONSTRUCTION))["value"]
    assert vr.from_json(changed(STATE, "cards", cards)) == STATE
    cards["buildings"][:2] = cards["buildings"][1::-1]
    with pytest.raises(
        vr.CodecError, match=r"^\$\.value\.cards\.buildings\[1\]: must be greater than the"
    ):
        vr.from_json(changed(STATE, "cards", cards))
    name = name_built_in_cards(vr.RECONSTRUCTION)
    assert (
        vr.from_json(f'{{"valletta_rules":2,"kind":"CardSet","value":"{name}"}}')
        == vr.RECONSTRUCTION
    )


def test_the_sample_documents_for_tests_contain_every_kind_of_document() -> None:
    """Other tests damage copies of these samples."""
    assert {json.loads(text)["kind"] for text in corpus()} == set(codec.KINDS)


def test_every_fact_that_the_code_adds_to_a_violation_can_be_written_as_json() -> None:
    """The test searches the source code for the names of such facts."""
    facts = set()
    for path in Path(inspect.getfile(valletta_rules)).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "violation(" in text else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "violation":
                facts |= {keyword.arg for keyword in node.keywords}
    assert facts <= set(FACTS)


# Refused values


@pytest.mark.parametrize("value", [None, 3, "maid", (), vr.Goods(), vr.Character.MAID, vr.PlayCard])
def test_writing_a_value_of_an_unsupported_type_as_json_raises_a_type_error(value: Any) -> None:
    """Goods, for example, can be a part of a document, but not a document by themselves."""
    with pytest.raises(TypeError, match="expected a value that can be converted to a document"):
        vr.to_json(value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (vr.CardSet("half \ud83d of a smile", (), vr.Goods()), "half of a character"),
        (
            vr.Pay(vr.Goods(gold=codec.LARGEST + 1)),
            f"is {codec.LARGEST} at most, not {codec.LARGEST + 1}$",
        ),
        (vr.Pay(vr.Goods(gold=10**19)), f"is {codec.LARGEST} at most, not {10**19}$"),
        *((vr.Pay(vr.Goods(gold=10**zeros)), "not a huge number$") for zeros in (20, 399, 5000)),
        (
            violation("TRN-1", vr.Code.WRONG_KIND, "no", weather="fine"),
            r"\(\('weather', 'fine'\),\)$",
        ),
        (
            vr.Violation("TRN-1", vr.Code.WRONG_KIND, "no", (("site", 1), ("site", 2))),
            r"'site', 2\)\)$",
        ),
    ],
)
def test_a_value_that_json_cannot_express_is_refused_when_it_is_written(
    value: Any, message: str
) -> None:
    """Examples are lone surrogates, numbers beyond the limit, and unknown or repeated facts."""
    with pytest.raises(vr.CodecError, match=message) as refused:
        vr.to_json(value)
    assert len(str(refused.value)) < 200


def test_an_impossible_position_can_be_written_to_json_but_not_read_from_it() -> None:
    """A program can report such a position, but cannot continue a game from it.

    The error on reading lists all problems of the position.
    """
    odd = STATE.with_player(0, STATE.players[0].replace(goods=vr.Goods(7))).replace(active=1)
    with pytest.raises(
        vr.CodecError, match=r"^\$\.value\.active: .* \[SET-21\] \(and 1 more\)$"
    ) as refused:
        vr.from_json(vr.to_json(odd))
    assert [each.code for each in refused.value.problems] == [
        Impossible.MOVED,
        Impossible.STARTING_GOODS,
    ]
    assert refused.value.facts == {"found": 1}


# Refused texts


def refusal(text: Any) -> str:
    """Check that parsing a text raises a `CodecError`, and return its message."""
    with pytest.raises(vr.CodecError) as refused:
        vr.from_json(text)
    return str(refused.value)


@pytest.mark.parametrize("value", [b"{}", None, {"valletta_rules": 2}])
def test_the_function_from_json_refuses_a_value_that_is_not_text(value: Any) -> None:
    """JSON that is already parsed must be passed to `from_document`."""
    assert refusal(value).startswith("$: a document is a text (str), not ")
    assert codec.from_document(json.loads(vr.to_json(STATE))) == STATE


HUGE = 50_000_000


def count_calls(function: Callable[[], T]) -> tuple[T, int]:
    """Return the result of a function, and the number of function calls that it made."""
    count = 0

    def note(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        result = function()
    finally:
        sys.setprofile(before)
    return result, count


@pytest.mark.parametrize(
    "text",
    [
        "[" * HUGE,
        '{"a":' * (HUGE // 5),
        "[" * (codec.LONGEST // 2) + "]" * (codec.LONGEST // 2),
        '"' * codec.LONGEST,
        '"' + '\\"' * (codec.LONGEST // 2 - 1),
        "[" * codec.DEEPEST + '"' + "[" * (codec.LONGEST - 100),
        "9" * codec.LONGEST,
        "-" * codec.LONGEST,
        "1e" + "9" * (codec.LONGEST - 2),
        '{"valletta_rules": 2, "kind": "' + "x" * (codec.LONGEST - 100) + '", "value": 0}',
        '{"valletta_rules": 2, "kind": "Action", "value": {"'
        + "y" * (codec.LONGEST - 100)
        + '": 0}}',
        "[" + "[]," * (codec.LONGEST // 3 - 3) + "0]",
        " " * codec.LONGEST,
    ],
    ids=lambda text: f"{text[:12]}...{text[-3:]}",
)
def test_a_malicious_json_text_is_refused_with_few_function_calls_and_little_memory(
    text: str,
) -> None:
    """The texts consist of up to fifty million brackets, quotation marks or digits."""
    words, count = count_calls(lambda: refusal(text))
    assert count < 10_000
    assert len(words) < 1_000
    if len(text) > codec.LONGEST:
        tracemalloc.start()
        try:
            refusal(text)
            assert tracemalloc.get_traced_memory()[1] < 1_000_000
        finally:
            tracemalloc.stop()


def test_a_json_document_at_a_limit_is_accepted_and_one_beyond_it_is_refused() -> None:
    """The limits concern the length of a document, its numbers and its nesting depth."""
    text = vr.to_json(Refusal("x", "y", details=(("revision", codec.LARGEST),)))
    assert vr.to_json(vr.from_json(text.ljust(codec.LONGEST))) == text
    assert refusal(text.ljust(codec.LONGEST + 1)).startswith(
        "$: a document has 2,000,000 characters at"
    )
    more = text.replace(str(codec.LARGEST), str(codec.LARGEST + 1))
    assert refusal(more).startswith("$.value.facts.revision: must be a whole number from -9")
    assert refusal("[" * codec.DEEPEST + "]" * codec.DEEPEST).startswith(
        "$: must be an object, not an array"
    )
    for deep in ("[" * (codec.DEEPEST + 1), "[[]," + "[" * codec.DEEPEST):
        assert refusal(deep).startswith("$: a document is nested 24 levels deep")
    assert refusal("[" * codec.DEEPEST + "]").startswith("$: this is not JSON")
    numbers = [
        *map(int, ("9" * 20, f"-{'9' * 19}")),
        Unfit("a huge number"),
        Unfit("a huge number"),
    ]
    assert parse(f"[{'9' * 20}, -{'9' * 19}, {'9' * 21}, -{'9' * 20}]") == numbers
    for number, whole in (
        (codec.LARGEST, codec.LARGEST),
        (-codec.LARGEST, -codec.LARGEST),
        (codec.LARGEST + 1, None),
    ):
        assert whole_number(float(number)) == whole


def test_a_view_with_very_many_legal_payments_is_read_with_under_50000_function_calls() -> None:
    """Reading a view does not enumerate the payments."""
    moves = random_games.seeded_moves(vr.new_game(), 1, random_games.Temper.EAGER)
    state = next(move.after for move in moves if isinstance(move.after.prompt, vr.PaymentPrompt))
    prompt, view = state.prompt, vr.view(state, state.active)
    assert isinstance(prompt, vr.PaymentPrompt)
    dear = vr.Goods(4, 4, 4, 4)
    buildings = tuple(attrs.evolve(each, cost=dear) for each in state.cards.buildings)
    cards = attrs.evolve(state.cards, buildings=buildings)
    display = tuple(cards.building(each.code) for each in state.display)
    table = attrs.evolve(view.table, cards=cards, display=display)
    price = dear - vr.Goods(brick={vr.Character.BRICKLAYER: 2}.get(state.played[-1], 0))
    agenda = (attrs.evolve(prompt, price=price), *view.agenda[1:])

    def owning(goods: vr.Goods) -> vr.PlayerView:
        players = tuple(attrs.evolve(each, goods=goods) for each in table.players)
        return see(view.seat, attrs.evolve(table, players=players), agenda)

    rich = attrs.evolve(owning(vr.Goods(*4 * [LARGEST_AMOUNT])), legal_actions=(vr.Pay(price),))
    text = vr.to_json(rich)
    read, count = count_calls(lambda: vr.from_json(text))
    assert read == rich
    assert count < 50_000
    rich_view = owning(vr.Goods(20, 9, 9, 9))
    again = vr.from_json(vr.to_json(rich_view))
    assert isinstance(again, vr.PlayerView)
    listed = json.loads(vr.to_json(rich_view))["value"]["legal_actions"]
    assert len(again.legal_actions) > len(listed) == codec.MOST_LISTED
    assert again.legal_actions == rich_view.legal_actions
    assert {"type": "Pay", "goods": attrs.asdict(price)} in listed
    fits_the_schema(rich_view)


# Random damage


@random_games.scaled(12)
@given(st.data())
def test_a_randomly_damaged_document_is_read_or_refused(data: st.DataObject) -> None:
    """The error begins with a path.

    A document that is accepted satisfies the schema.
    """
    texts = corpus()
    rng = data.draw(st.randoms(use_true_random=False))
    text = damaged(json.loads(texts[rng.randrange(len(texts))]), rng.randrange)
    if judge(text):
        JUDGE.validate(json.loads(text))


@random_games.scaled(4)
@given(st.text() | st.recursive(st.sampled_from(ODD_VALUES), st.lists).map(json.dumps))
@example('{"valletta_rules": 2, "kind": "Action", "value": {"type": "Decline"}}')
def test_any_text_is_read_or_refused_with_a_codec_error(text: str) -> None:
    """The texts are random. Reading them must not raise any other type of error."""
    judge(text)


# The schema


def test_the_published_json_schema_and_typescript_types_are_current() -> None:
    """Update them with `python -m spec.checks accept generated`."""
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert codec.SCHEMA.read_text("utf-8") == schema_text()
    assert codec.TYPESCRIPT.read_text("utf-8") == typescript_text()


def test_documents_of_every_kind_satisfy_the_schema() -> None:
    """The sample documents come from random games."""
    for text in samples(4):
        JUDGE.validate(json.loads(text))


def test_every_object_in_the_json_schema_is_closed_and_has_a_title_and_a_description() -> None:
    """Programs that generate types for a frontend need this."""
    schema = json_schema()
    definitions, text = schema["$defs"], json.dumps(schema)
    objects = [each for each in definitions.values() if each.get("type") == "object"]
    assert text.count('"type": "object"') == len(objects)
    for each in objects:
        assert each["additionalProperties"] is False
        assert each["description"].endswith((".", "?")), each["title"]
    for title, definition in definitions.items():
        assert definition["title"] == title
    assert text.count('"$ref"') == len(re.findall(r'{"\$ref": "[^"]*"}', text))
    assert not {"Document", "Event", "Record"} & {schema["title"], *definitions}
    kinds = [definitions[each["$ref"].rpartition("/")[2]] for each in schema["oneOf"]]
    assert [each["properties"]["kind"]["const"] for each in kinds] == list(codec.KINDS)
    assert {each["properties"]["valletta_rules"]["const"] for each in kinds} == {
        codec.DOCUMENT_VERSION
    }


@pytest.mark.parametrize("inside", ["", "]]]]", "[[[[", "{[", '\\"]', "\\\\"])
def test_brackets_in_json_strings_do_not_count_as_nesting(inside: str) -> None:
    """Whatever the strings contain, the limit of the nesting depth is exact."""
    for depth in (codec.DEEPEST, codec.DEEPEST + 1):
        within = f'["{inside}",' * depth + "0" + f',"{inside}"]' * depth
        if depth == codec.DEEPEST:
            assert isinstance(parse(within), list)
        else:
            with pytest.raises(vr.CodecError) as caught:
                parse(within)
            assert caught.value.code == "too-deep"


def test_a_json_document_with_additional_text_is_refused() -> None:
    """The additional text is inside the document or after its end."""
    text = vr.to_json(vr.resolve_chance(vr.new_game(2), random.Random(1)))
    assert vr.from_json(text)
    for wrong in (text.replace('"value":', '"value":0 '), text + "0", text[:-1] + " 0}"):
        with pytest.raises(vr.CodecError):
            vr.from_json(wrong)


def test_views_read_from_two_documents_of_a_game_share_one_rule_set_object() -> None:
    """Reading caches rule sets, but not whole views."""
    document = vr.to_json(vr.view(STATE, 0))
    one, other = vr.from_json(document), vr.from_json(document)
    assert isinstance(one, vr.PlayerView)
    assert isinstance(other, vr.PlayerView)
    assert one == other
    assert one is not other
    assert one.table.rules is other.table.rules


def test_a_reader_caches_equal_objects_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache distinguishes `1` from `True`. It is emptied when it is full."""
    read = list[str]()

    def note(value: object, _: object) -> object:
        read.append(repr(value))
        return value

    monkeypatch.setattr(codec.reading, "_REMEMBERED", 2)
    reader = codec.reading._remembering(note)
    for value in ([1], [1], [True], [1], [2], [1]):
        reader(value, list)
    assert read == ["[1]", "[True]", "[2]", "[1]"]
