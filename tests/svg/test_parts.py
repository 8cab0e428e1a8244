"""Tests of the parts of a drawing. A page can replace only the parts that have changed."""

import random
import re
import sys
from functools import cache
from itertools import pairwise

import pytest

import valletta_rules as vr
from tests.positions import position, seat
from tests.svg.test_drawings import parsed, visible_text
from valletta_rules import svg
from valletta_rules.bots.automatic import choose
from valletta_rules.components import SITES
from valletta_rules.svg.palette import ACCENT
from valletta_rules.words import LANGUAGES

C = vr.Character
PARTS = re.compile(r'data-part="([^"]+)"')


@cache
def a_game(players: int) -> tuple[vr.GameState, ...]:
    """Return 91 consecutive positions from the start of a game between bots, each with a prompt."""
    rng = random.Random(players)
    states = [vr.resolve_chance(vr.new_game(players), rng)]
    for _ in range(90):
        states.append(vr.resolve_chance(vr.apply(states[-1], choose(states[-1], rng)), rng))
    return tuple(states)


def answering(kind: type) -> tuple[vr.GameState, vr.PlayerView]:
    """Return a position with a prompt of type `kind`, and the view of the seat that must answer."""
    state = next(state for state in a_game(3) if isinstance(state.prompt, kind))
    assert state.prompt is not None
    return state, vr.view(state, state.prompt.seat)


# The whole and its parts


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("viewer", ["whole", None, 1])
def test_the_joined_parts_equal_the_whole_drawing_of_a_position_or_view(
    players: int, viewer: str | int | None
) -> None:
    """A view has a part for the viewer's hand only. A position has one for each hand."""
    state = a_game(players)[60]
    subject = state if isinstance(viewer, str) else vr.view(state, viewer)
    picture, parts = svg.draw(subject).svg, svg.draw_parts(subject)
    assert PARTS.findall(picture) == list(parts)
    body = "".join(part.svg for part in parts.values())
    head, _, tail = picture.partition(body)
    assert tail == "</svg>"
    assert head.count("<g") == 0
    hands = {"whole": list(range(players)), None: [], 1: [1]}[viewer]
    assert set(parts) == {
        *("question", "street", "score-track", "barrels", "played", "supply"),
        *(f"site-{site}" for site in range(SITES[players])),
        *(f"player-{each}" for each in range(players)),
        *(f"hand-{each}" for each in hands),
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_parts_of_a_drawing_are_inside_it_and_do_not_overlap(players: int) -> None:
    """Only the score track may overlap, because its figures are drawn on top of the street."""
    for subject in (a_game(players)[40], vr.view(a_game(players)[40], 0)):
        picture, parts = svg.draw(subject), svg.draw_parts(subject)
        lying = [part for part in parts.values() if part.key != "score-track"]
        for number, one in enumerate(lying):
            assert one.x >= 0 <= one.y
            assert one.x + one.width <= picture.width
            assert one.y + one.height <= picture.height
            assert [other.key for other in lying[:number] if _overlap(one, other)] == []


def _overlap(one: svg.Part, other: svg.Part) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def data_of_parts(view: vr.PlayerView) -> dict[str, object]:
    """Return the data that each part of a drawing shows, keyed by part."""
    table, prompt = view.table, view.prompt
    paid = prompt if isinstance(prompt, vr.PaymentPrompt) else None
    data: dict[str, object] = {
        "question": (prompt, table.phase, table.rules, view.seat),
        "street": (table.valette, any(isinstance(step, vr.BarrelPrompt) for step in view.agenda)),
        "score-track": [player.score for player in table.players],
        "barrels": table.barrels,
        "played": table.played,
        "supply": table.supply,
        f"hand-{view.seat}": view.hand,
    }
    for site, building in enumerate(table.display):
        owner = vr.owner_of(table, site)
        upgraded = owner is not None and site in table.players[owner].upgraded
        price = paid.price if paid is not None and paid.site == site else None
        data[f"site-{site}"] = (building, owner, upgraded, price)
    for each, player in enumerate(table.players):
        must_answer = prompt is not None and prompt.seat == each
        data[f"player-{each}"] = (player, must_answer, table.active == each)
    return data


@pytest.mark.parametrize("players", [2, 4])
def test_a_part_of_a_drawing_changes_only_if_the_data_in_this_part_change(players: int) -> None:
    """The test compares the views of 25 consecutive positions. Different prompts may look equal."""
    views = [vr.view(state, 0) for state in a_game(players)[40:65]]
    for one, other in pairwise(views):
        before, after = svg.draw_parts(one), svg.draw_parts(other)
        data_before, data_after = data_of_parts(one), data_of_parts(other)
        assert list(before) == list(after)
        changed = {key for key in before if before[key] != after[key]}
        expected = {key for key in before if data_before.get(key) != data_after.get(key)}
        assert changed - {"question"} == expected - {"question"}
        assert changed <= expected  # two questions of different plays may have the same text


def test_a_part_drawn_alone_has_the_same_markup_as_in_the_whole_drawing() -> None:
    """The separate drawing has a margin of four units around the part."""
    parts = svg.draw_parts(vr.view(a_game(3)[50], 0), language=LANGUAGES["de"])
    for part in parts.values():
        picture = part.alone()
        assert parsed(picture).get("lang") == "de"
        assert part.markup in picture.svg
        assert (picture.width, picture.height) == (round(part.width) + 8, round(part.height) + 8)
    assert "site-7" in repr(parts["site-7"])
    assert "<g" not in repr(parts["site-7"])


def test_the_function_draw_card_draws_a_card_as_it_looks_in_a_hand() -> None:
    """Its markup is compared with that in the part of the hand."""
    state = a_game(3)[50]
    hand = svg.draw_parts(vr.view(state, 0))["hand-0"].markup
    for card in state.players[0].hand:
        picture = svg.draw_card(card, state.rules)
        assert len(parsed(picture).findall("{http://www.w3.org/2000/svg}g")) == 1
        assert picture.svg.partition('translate(1 1)">')[2][:-10] in hand


# Elements for scripts


def test_sites_cards_seats_and_spaces_of_a_drawing_have_data_attributes() -> None:
    """Scripts select elements by these attributes, because a drawing has no ids and styles."""
    state = a_game(3)[80]
    root = parsed(svg.draw(vr.view(state, 0), language=LANGUAGES["de"]))
    assert root.get("lang") == "de"
    assert not [node for node in root.iter() if node.get("style") or node.get("id")]

    def having(key: str, kind: str) -> list[str]:
        nodes = (node for node in root.iter() if kind in node.get("class", "").split())
        return [value for node in nodes if (value := node.get(f"data-{key}")) is not None]

    assert state.prompt is not None
    assert having("seat", "asked") == [str(state.prompt.seat)]
    assert having("site", "site") == [str(site) for site in range(25)]
    assert having("space", "space") == [str(space) for space in range(1, 26)]
    assert having("space", "valette") == [str(state.valette)]
    assert sorted(map(int, having("space", "barrel"))) == list(range(1, 26))
    assert having("seat", "figure") == having("seat", "player") == ["0", "1", "2"]
    houses = sorted(seat for seat in state.seats for _ in state.players[seat].built)
    assert sorted(map(int, having("seat", "house"))) == houses
    built = [site for player in state.players for site in player.upgraded]
    assert sorted(map(int, having("site", "upgraded"))) == sorted(built)
    hand = svg.draw_parts(vr.view(state, 0))["hand-0"].markup
    assert re.findall('data-card="([^"]+)"', hand) == list(state.players[0].hand)
    assert having("good", "good") == ["gold", "wood", "stone", "brick"] * 3


# Highlights


def ringed(subject: vr.GameState | vr.PlayerView, *actions: vr.Action) -> dict[str, str]:
    """Draw a position or view with `actions` highlighted.

    Return the markup of each part that is marked as legal, keyed by part.
    """
    parts = svg.draw_parts(subject, highlight=actions)
    return {key: part.markup for key, part in parts.items() if "legal" in part.markup}


def test_highlighted_sites_show_the_reduced_price_that_the_player_must_pay() -> None:
    """Only sites of highlighted actions are marked. The test draws a position and a view."""
    me = seat(goods=vr.Goods(gold=9, wood=9, stone=9, brick=9), built=[0])
    step = vr.SitePrompt(0, vr.Goods(brick=2))
    state = position(me, seat(), agenda=(step,))
    legal = vr.legal_actions(state)
    sites = {action.site for action in legal if isinstance(action, vr.Build | vr.Upgrade)}
    for subject in (state, vr.view(state, 0)):
        assert ringed(subject).keys() == set()
        marked = ringed(subject, *legal)
        assert marked.keys() == {f"site-{site}" for site in sites}
        one = next(site for site in sites if state.display[site].cost.brick and site)
        price = vr.building_price(state, 0, one, step.reduction)
        cost = state.display[one].cost
        assert [price.brick, cost.brick] == [max(0, cost.brick - 2), cost.brick]
        assert f">{price.brick}<" in marked[f"site-{one}"]
        assert f'rx="3" fill="{ACCENT}"' in marked[f"site-{one}"]
    assert vr.check(state, vr.Upgrade(0)) is None
    assert ringed(state, vr.Upgrade(0)).keys() == {"site-0"}


def test_only_the_site_that_is_being_paid_for_is_marked_as_chosen() -> None:
    """At a payment prompt, no site is highlighted as a legal choice."""
    state, view = answering(vr.PaymentPrompt)
    assert isinstance(state.prompt, vr.PaymentPrompt)
    chosen = [part for part in svg.draw_parts(view).values() if " chosen" in part.markup]
    assert [part.key for part in chosen] == [f"site-{state.prompt.site}"]
    assert ringed(view, *vr.legal_actions(state)).keys() == set()


def test_cards_that_may_be_played_dismissed_or_hired_are_highlighted() -> None:
    """A card to play or dismiss is in the hand. A card to hire is in the supply."""
    state, view = answering(vr.PlayPrompt)
    me = f"hand-{view.seat}"
    cards = [action for action in vr.legal_actions(state) if isinstance(action, vr.PlayCard)]
    assert ringed(view, *cards).keys() == ringed(state, *cards).keys() == {me}
    [one, *_] = cards
    marked = ringed(view, one)[me]
    assert set(re.findall('class="card legal" data-card="([^"]+)"', marked)) == {one.character}
    state, view = answering(vr.ValettePrompt)
    staff = vr.legal_actions(state)
    kinds = {type(action) for action in staff}
    assert {vr.Hire, vr.Dismiss} <= kinds
    assert ringed(view, *staff).keys() == {"supply", f"hand-{view.seat}"}


# Colours and languages


def test_houses_figures_and_panels_are_drawn_in_the_colours_chosen_for_the_players() -> None:
    """A player without a name is identified by colour. Too few names raise an error."""
    state = a_game(2)[80]
    chosen = svg.draw(state, colours=("black", "orange"))
    for colour in ("black", "orange"):
        assert svg.SEAT_PAINTS[colour].ground in chosen.svg
    assert svg.SEAT_PAINTS["blue"].ground not in chosen.svg
    assert "Black" in visible_text(chosen)
    assert "Black" not in visible_text(
        svg.draw(state, colours=("black", "orange"), names=("Ann", "Bob"))
    )
    plain = svg.draw(state)
    assert plain == svg.draw(
        state, colours=svg.SEAT_COLOURS, names=("Red", "Blue", "Green", "Yellow")
    )
    with pytest.raises(ValueError, match="expected 2 names, one for each player, not 1"):
        svg.draw(state, names=("Ann",))


@pytest.mark.parametrize(
    ("colours", "message"),
    [
        (("red",), "expected 2 colours, one for each player, not 1"),
        (("red", "red"), "two players cannot both have the colour red"),
        (("red", "mauve"), "unknown colour 'mauve'; known: red, blue"),
    ],
)
def test_missing_unknown_or_duplicate_colours_of_players_raise_a_value_error(
    colours: tuple[str, ...], message: str
) -> None:
    """The message states the expected number of colours, or the wrong colour."""
    with pytest.raises(ValueError, match=message):
        svg.draw(a_game(2)[0], colours=colours)


# Output of drawings


def test_a_notebook_shows_a_position_or_view_as_its_drawing() -> None:
    """Jupyter notebooks call the method `_repr_svg_` of a value."""
    state = a_game(2)[10]
    assert state._repr_svg_() == svg.draw(state).svg
    assert vr.view(state, 1)._repr_svg_() == svg.draw(vr.view(state, 1)).svg


def test_the_function_to_png_scales_the_width_and_height_of_a_drawing() -> None:
    """A scale that is zero, negative, NaN, or far too small or large raises a `ValueError`."""
    part = svg.draw_parts(a_game(2)[10])["site-3"].alone()
    for scale in (1.0, 2.0):
        png = svg.to_png(part, scale=scale)
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        assert int.from_bytes(png[16:20], "big") == scale * part.width
        assert int.from_bytes(png[20:24], "big") == scale * part.height
    for wrong in (0.0, -1.0, 1e-9, 1e9, float("nan")):
        with pytest.raises(ValueError, match="width and height would not be 1 to 16384 pixels"):
            svg.to_png(part, scale=wrong)


def test_the_function_to_png_without_resvg_raises_an_error_that_names_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The package `resvg_py` is an optional dependency."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ModuleNotFoundError, match=r"resvg_py is not .* 'valletta-rules\[png\]'"):
        svg.to_png(svg.Drawing(1, 1, "", "", "<svg/>"))


def test_the_function_draw_parts_returns_only_the_parts_with_the_requested_keys() -> None:
    """These parts are the same as in a call without `keys`.

    An empty list of keys gives no parts.
    """
    state = a_game(2)[30]
    drawn = svg.draw_parts(state)
    for keys in (["site-3"], ["street", "played", "player-1", "hand-0"], []):
        assert svg.draw_parts(state, keys=keys) == {key: drawn[key] for key in drawn if key in keys}
