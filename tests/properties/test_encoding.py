"""Tests of the arrays that encode views. An array contains a view without its card set."""

from hashlib import sha256
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import asks, positions
from tests.positions import PLAIN, seat
from valletta_rules.agenda import PaymentPrompt, Step, Turn
from valletta_rules.components import SITES
from valletta_rules.numeric import encoding
from valletta_rules.numeric.numbering import NUMBERS, numbers_of
from valletta_rules.rulings import APPRENTICE_COLOURS, BarrelLayout, Effects, Opening
from valletta_rules.views.view import SeenPlayer, Table, see


@st.composite
def views(draw: st.DrawFn) -> vr.PlayerView:
    """Draw the view of a seat or of a spectator in a random position."""
    state = draw(positions())
    return vr.view(state, draw(st.sampled_from((None, *state.seats))))


ANSWERS: Any = (
    *(Effects, Opening, BarrelLayout, APPRENTICE_COLOURS),
    *((False, True), (False, True)),
)
"""The possible values of each field of a rule set. An array contains their indices."""


class Reading:
    """A decoder for the array of a view, which reads columns by their names."""

    def __init__(self, view: vr.PlayerView) -> None:
        """Encode a view.

        An array does not contain the card set and the name of the rules, so these are copied from
        the view.
        """
        self.players = len(view.table.players)
        self.numbers = dict(zip(encoding.columns(self.players), encoding.encode(view), strict=True))
        self.cards, self.name = view.table.cards, view.table.rules.name
        self.first = max(0, self.numbers["viewer"] - 1)

    def seat(self, place: int) -> int:
        """Convert a number in the array to a seat. The viewer's seat is encoded as 1."""
        return (self.first + place - 1) % self.players

    def goods(self, name: str) -> vr.Goods:
        """Decode an amount of goods from the four columns whose names begin with `name`."""
        return vr.Goods(
            *(self.numbers[f"{name}.{good}"] for good in ("gold", "wood", "stone", "brick"))
        )

    def bag(self, name: str) -> vr.CardBag:
        """Decode a bag of cards from the columns whose names begin with `name`."""
        cards = (each for each in vr.CHARACTERS for _ in range(self.numbers[f"{name}.{each}"]))
        return vr.CardBag.of(*cards)

    def sites(self, name: str, number: int, *, owner: int) -> vr.SiteSet:
        """Return the sites that belong to `owner` and whose column `name` contains `number`."""
        wanted = number, owner
        sites = (
            site
            for site in range(SITES[self.players])
            if (self.numbers[f"site.{site}.{name}"], self.numbers[f"site.{site}.owner"]) == wanted
        )
        return vr.SiteSet.of(*sites)

    def rules(self) -> vr.RuleSet:
        """Decode the columns of the rule set."""
        names = (field.name for field in attrs.fields(vr.RuleSet)[1:])
        read = (
            tuple(answers)[self.numbers[f"rules.{name}"]]
            for name, answers in zip(names, ANSWERS, strict=True)
        )
        return vr.RuleSet(self.name, *read)

    def player(self, place: int) -> SeenPlayer:
        """Decode a player. The viewer is at place 0, and the next player at place 1."""
        name, own = f"player.{place}", place == 0 and self.numbers["viewer"] > 0
        return SeenPlayer(
            goods=self.goods(f"{name}.goods"),
            built=self.sites("owner", place + 1, owner=place + 1),
            upgraded=self.sites("upgraded", 1, owner=place + 1),
            score=self.numbers[f"{name}.score"],
            discard_pile=self.bag(f"{name}.discard_pile"),
            hidden=self.bag(f"{name}.hidden"),
            hand_size=self.numbers[f"{name}.hand_size"],
            shown=self.bag(f"{name}.shown"),
            hand=self.bag("hand") if own else None,
        )

    def step(self, name: str) -> Step:
        """Decode the step of the agenda in the columns whose names begin with `name`."""
        kind: Any = encoding.STEP_TYPES[self.numbers[f"{name}.kind"] - 1]
        value = self.numbers[f"{name}.value"]
        read: dict[str, Any] = {
            "taker": self.seat(value),
            "plays": value,
            "site": value - 1,
            "character": vr.CHARACTERS[value - 1],
        }
        read |= dict.fromkeys(("seat", "player"), self.seat(self.numbers[f"{name}.place"]))
        goods = dict.fromkeys(("goods", "reduction", "price"), self.goods(f"{name}.goods"))
        read |= goods
        step: Step = kind(**{field.name: read[field.name] for field in attrs.fields(kind)})
        return step

    def view(self) -> vr.PlayerView:
        """Decode the complete view from the array."""
        n = self.numbers
        designs = [n[f"site.{site}.design"] for site in range(SITES[self.players])]
        places = [(place - self.first) % self.players for place in range(self.players)]
        table = Table(
            rules=self.rules(),
            cards=self.cards,
            display=tuple(self.cards.buildings[design - 1] for design in designs if design),
            players=tuple(map(self.player, places)),
            supply=self.bag("supply"),
            barrels=self.goods("barrels"),
            valette=n["valette"],
            active=self.seat(n["active"]),
            played=tuple(
                vr.CHARACTERS[n[f"played.{place}"] - 1]
                for place in range(encoding.MOST_PLAYED)
                if n[f"played.{place}"]
            ),
            phase=encoding.PHASES[n["phase"]],
        )
        steps = (f"step.{place}" for place in range(encoding.MOST_STEPS))
        agenda = tuple(self.step(name) for name in steps if n[f"{name}.kind"])
        return see(n["viewer"] - 1 if n["viewer"] else None, table, agenda)


def test_the_columns_of_the_array_of_a_view_change_only_with_a_new_version() -> None:
    """Trained models depend on the columns.

    The test compares their names with a recorded hash.
    """
    assert encoding.ENCODING_VERSION == 1
    assert [len(encoding.columns(players)) for players in (2, 3, 4)] == [570, 719, 868]
    assert all(
        len(set(encoding.columns(players))) == len(encoding.columns(players))
        for players in (2, 3, 4)
    )
    names = "\n".join(encoding.columns(4))
    assert sha256(names.encode()).hexdigest()[:16] == "1c1c9f71b0ddb0a1"
    with pytest.raises(ValueError, match="2, 3 or 4, not 5"):
        encoding.columns(5)


@given(views())
def test_a_view_can_be_decoded_from_its_array(view: vr.PlayerView) -> None:
    """Decoding also needs the card set and the name of the rule set.

    The test also checks that all numbers in the array are within bounds.
    """
    assert Reading(view).view() == view
    most = encoding.largest(len(view.table.players))
    assert all(
        0 <= number <= limit for number, limit in zip(encoding.encode(view), most, strict=True)
    )


@given(views())
def test_the_array_of_a_view_contains_all_values_of_each_building_in_the_display(
    view: vr.PlayerView,
) -> None:
    """A program that uses the array therefore needs no card set."""
    read = Reading(view)
    for site, building in enumerate(view.table.display):
        assert read.goods(f"site.{site}.cost") == building.cost
        assert vr.CHARACTERS[read.numbers[f"site.{site}.character"] - 1] is building.character
        assert read.numbers[f"site.{site}.icon"] == building.icon.rank + 1
        assert read.numbers[f"site.{site}.points"] == building.points


@given(positions(asks(PaymentPrompt)), st.data())
def test_the_array_for_the_paying_player_contains_the_parts_of_an_unfinished_payment(
    state: vr.GameState, data: st.DataObject
) -> None:
    """The other columns do not change. Impossible parts and other viewers raise an error."""
    action = data.draw(st.sampled_from(vr.legal_actions(state)))
    prefix = numbers_of(action, state.cards)[: data.draw(st.integers(min_value=1, max_value=3))]
    assert state.prompt is not None
    payer = vr.view(state, state.prompt.seat)
    names = encoding.columns(len(state.players))
    plain, encoded = (
        dict(zip(names, encoding.encode(payer, each), strict=True)) for each in ((), prefix)
    )
    amounts = [number - NUMBERS[type(action)].start for number in prefix]
    assert encoded.pop("begun.parts") == len(prefix)
    paid = [encoded.pop(f"begun.{good}") for good in ("gold", "wood", "stone")]
    assert paid == [*amounts, *[0] * (3 - len(amounts))]
    assert encoded.items() <= plain.items()
    for viewer in {None, *state.seats} - {state.prompt.seat}:
        with pytest.raises(ValueError, match="cannot have begun"):
            encoding.encode(vr.view(state, viewer), prefix)
    for wrong in ((331,), (*prefix, 219), numbers_of(action, state.cards)):
        with pytest.raises(ValueError, match="cannot have begun"):
            encoding.encode(payer, wrong)


def test_encoding_an_unfinished_payment_without_a_payment_prompt_raises_an_error() -> None:
    """The test uses a new game, in which nothing has to be paid."""
    with pytest.raises(ValueError, match="cannot have begun"):
        encoding.encode(vr.view(vr.new_game(2), 0), (220,))


def test_an_amount_above_the_maximum_of_a_column_is_encoded_as_the_maximum() -> None:
    """The test uses goods and a score."""
    rich = seat(
        goods=vr.Goods(gold=encoding.MOST + 1, wood=encoding.MOST, stone=10**9), score=10**6
    )
    state = vr.new_game(2).replace(players=(rich, seat()))
    numbers = dict(zip(encoding.columns(2), encoding.encode(vr.view(state, 0)), strict=True))
    amounts = [numbers[f"player.0.{name}"] for name in ("goods.gold", "goods.wood", "goods.stone")]
    assert [*amounts, numbers["player.0.score"]] == [encoding.MOST] * 4


def test_encoding_a_view_that_does_not_fit_into_the_columns_raises_an_error() -> None:
    """For example, the agenda is too long, or a building is not in the card set."""
    state = vr.new_game(2)
    for wrong in (
        state.replace(agenda=(Turn(0, 1),) * (encoding.MOST_STEPS + 1)),
        state.replace(played=(vr.Character.MAID,) * (encoding.MOST_PLAYED + 1)),
    ):
        with pytest.raises(ValueError, match="an array has columns for"):
            encoding.encode(vr.view(wrong, 0))
    with pytest.raises(ValueError, match=r"building Z .* is not in the card set"):
        encoding.encode(vr.view(state.replace(display=(PLAIN,)), 0))
    value: Any
    for value in (state, None, vr.view(state, 0).table):
        with pytest.raises(TypeError, match="a view"):
            encoding.encode(value)
