"""Tests of the SVG drawings of cards, boards and positions."""

import copy
import pickle
import random
import re
from collections.abc import Callable, Sequence
from functools import partial
from xml.etree import ElementTree

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

import valletta_rules as vr
from spec.checks.random_games import card_sets, positions, rule_sets, scaled
from tests.positions import EDITIONS, position, seat
from valletta_rules import svg
from valletta_rules.components import SITES
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.svg import palette as palette
from valletta_rules.svg.board import COLUMN
from valletta_rules.svg.drawing import drawing, text_line, width_of
from valletta_rules.svg.effects import EFFECT_ROWS, SYMBOLS
from valletta_rules.svg.symbols import symbol, valette
from valletta_rules.words import GERMAN, LANGUAGES, Language, describe_effect

C = vr.Character
SVG = "{http://www.w3.org/2000/svg}"
CLOSED, EMPTY = symbol("barrel"), symbol("gone")
FIGURE = f"{SVG}g[@class='figure']"
LINK = f'stroke="{palette.ACCENT}" stroke-width="9"'


def parsed(picture: svg.Drawing) -> ElementTree.Element:
    """Parse a drawing, check that it refers to no other file, and return the root element."""
    root = ElementTree.fromstring(str(picture))
    assert root.tag == f"{SVG}svg"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert (root[0].text or "", root[1].text or "") == (picture.title, picture.description)
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {picture.width} {picture.height}"
    for node in root.iter():
        assert node.tag not in {f"{SVG}script", f"{SVG}style", f"{SVG}image", f"{SVG}use"}
        assert not [key for key in node.attrib if key == "id" or key.endswith("href")]
        assert not [value for value in node.attrib.values() if "url(" in value]
    return root


def visible_text(picture: svg.Drawing) -> str:
    """Return the visible text in a drawing, without its title and description."""
    return " ".join(node.text or "" for node in parsed(picture).iter(f"{SVG}text"))


# Drawings


def test_drawings_with_equal_arguments_are_equal_hashable_and_immutable() -> None:
    """A pickled drawing is equal, too. `str` returns the same SVG as Jupyter notebooks show."""
    one, other = svg.draw_character(C.MONK), svg.draw_character(C.MONK)
    assert str(one) == one.svg == one._repr_svg_()
    assert one == other == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(other)
    assert copy.deepcopy([one])[0] is copy.copy(one) is one
    assert "<svg" not in repr(one)


@given(st.text())
def test_a_drawing_is_valid_xml_whatever_text_it_contains(text: str) -> None:
    """Markup is escaped, and characters that XML forbids are replaced."""
    root = parsed(drawing(1, 1, text, text, text_line(text, 0, 0, lang=text or None)))
    assert root[2].tag == f"{SVG}text"


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as defined by the guidelines WCAG."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_text_colours_have_a_contrast_ratio_of_at_least_4_5_with_their_background() -> None:
    """The accessibility guidelines WCAG require this ratio for text of normal size."""
    pairs = [(paint.ground, paint.ink) for paint in palette.PAINTS.values()]
    pairs += [(paint.ground, paint.ink) for paint in palette.SEAT_PAINTS.values()]
    pairs += [(palette.PAPER, palette.ACCENT), (palette.ACCENT, palette.WHITE)]
    grounds = (palette.PAPER, palette.TABLE, palette.WHITE)
    pairs += [(ground, ink) for ground in grounds for ink in (palette.INK, palette.FADED)]
    pairs.append((palette.STONE, palette.INK))
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


# Characters


@pytest.mark.parametrize("character", C)
def test_a_drawn_character_card_shows_name_effect_colour_and_number_of_copies(
    character: vr.Character,
) -> None:
    """Name and effect are in English and German. No text extends beyond the edge of the card."""
    picture, german = svg.draw_character(character), GERMAN.describe_effect(character)
    english, text = describe_effect(character), visible_text(picture)
    for each in (character.english, character.german, english, german):
        assert set(each.split()) <= set(text.split())
    assert f"{character.colour} · {GERMAN.form(character.colour)}" in text
    assert picture.description == f"{english} {german}"
    foot = picture.height - 12
    assert overrun(picture, foot) == []
    heights = [float(node.get("y", "0")) for node in parsed(picture).findall(f"{SVG}text")]
    assert sorted(heights)[-3] <= foot - 12  # the last line has two texts: colour and copies


def overrun(picture: svg.Drawing, foot: float) -> list[str]:
    """Return the lines of text that extend beyond the right edge of a card or below y=`foot`."""
    return [
        node.text or ""
        for node in parsed(picture).findall(f"{SVG}text")
        if node.get("text-anchor") is None
        if float(node.get("y", "0")) > foot
        or float(node.get("x", "0"))
        + width_of(
            node.text or "",
            float(node.get("font-size", "0")),
            bold=node.get("font-weight") == "bold",
        )
        > picture.width
    ]


def test_effects_are_drawn_with_symbols_signs_and_numbers_only() -> None:
    """Each character has a row of symbols for its effect. Each symbol occurs in a row."""
    used = {word for row in EFFECT_ROWS.values() for word in row.split()}
    assert set(EFFECT_ROWS) == set(C)
    assert all(not re.search("[a-z]", word) for word in used - set(SYMBOLS))
    assert set(SYMBOLS) <= used


@pytest.mark.rule("CMP-7", "CMP-9")
def test_a_drawn_character_card_shows_the_letter_and_number_of_copies_from_the_card_set() -> None:
    """Cards of the starting decks have no letter."""
    banker = visible_text(svg.draw_character(C.BANKER))
    assert banker.startswith("A Banker")
    assert banker.endswith("3 cards")
    assert visible_text(svg.draw_character(C.MAID)).startswith("Maid")
    assert visible_text(svg.draw_character(C.MAID)).endswith("4 cards")
    assert visible_text(svg.draw_character(C.BUILDER)).endswith("8 cards")
    total = sum(int(visible_text(svg.draw_character(each)).split()[-2]) for each in C)
    assert total == 73


@pytest.mark.rule("CMP-5")
def test_the_apprentice_is_drawn_in_the_colour_that_the_rule_set_specifies() -> None:
    """By default, the card is red. It is purple if the field `apprentice_colour` is purple."""
    purple = attrs.evolve(vr.HANS_IM_GLUECK, apprentice_colour=vr.Colour.PURPLE)
    assert "red · rot" in visible_text(svg.draw_character(C.APPRENTICE))
    assert "purple · lila" in visible_text(svg.draw_character(C.APPRENTICE, rules=purple))


# Buildings


@pytest.mark.parametrize("code", [building.code for building in vr.RECONSTRUCTION.buildings])
def test_both_sides_of_a_building_are_drawn_in_every_language_and_their_text_fits(
    code: str,
) -> None:
    """Both sides show the name of the character. Only the back has a mark for an upgrade."""
    building = vr.RECONSTRUCTION.building(code)
    for language in LANGUAGES.values():
        for upgraded in (False, True):
            picture = svg.draw_building(building, upgraded=upgraded, language=language)
            assert picture.description == language.describe_building(building, upgraded=upgraded)
            assert language.short_names[building.character].split()[0] in visible_text(picture)
            assert (language.phrase("captions.upgraded") in visible_text(picture)) == upgraded
            assert building.character.german.split()[0] in visible_text(picture)
            assert overrun(picture, picture.height - 8) == []


@scaled(0.2)
@given(card_sets())
def test_buildings_and_characters_of_any_valid_card_set_can_be_drawn(cards: vr.CardSet) -> None:
    """Costs, icons, points and copies may differ from those of the built-in cards."""
    for building in cards.buildings:
        parsed(svg.draw_building(building))
        parsed(svg.draw_building(building, upgraded=True))
        parsed(svg.draw_character(building.character, cards))


# The street


@pytest.mark.parametrize("rules", EDITIONS, ids=str)
@pytest.mark.parametrize("players", SITES)
def test_the_street_is_drawn_with_a_barrel_on_each_barrel_space_of_the_edition(
    players: int, rules: vr.RuleSet
) -> None:
    """At the start, all barrels are full, and the figure of Valette is drawn once."""
    street, barrels = svg.draw_street(players, rules), len(barrel_spaces(rules, players))
    parsed(street)
    assert street.svg.count(CLOSED) == barrels
    assert street.svg.count(valette()) == 1
    assert f"Barrels: {barrels}, on " in street.description
    assert EMPTY not in street.svg


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (partial(svg.draw_street, 1), "not 1"),
        (partial(svg.draw_display, True), "not True"),
        (partial(svg.draw_score_track, (0,)), "2, 3 or 4 players"),
        (partial(svg.draw_score_track, (0, -1)), "0 or more"),
        (partial(svg.draw_display, 2, site=20), "site 20 does not exist"),
        (partial(svg.draw_display, 2, [vr.RECONSTRUCTION.building("A")] * 21), "20 sites, not 21"),
    ],
)
def test_drawing_a_board_with_an_invalid_argument_raises_a_value_error(
    wrong: Callable[[], svg.Drawing], message: str
) -> None:
    """Examples are one player, a negative score, too many buildings, or an unknown site."""
    with pytest.raises(ValueError, match=message):
        wrong()


# The score track


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_the_name_of_an_area_of_the_street_is_not_wider_than_its_five_spaces(
    language: Language,
) -> None:
    """Otherwise, the names of adjacent areas could overlap. The test covers all languages."""
    names = [language.phrase("captions.area", n, 5 * n - 4, 5 * n) for n in range(1, 6)]
    assert all(name in visible_text(svg.draw_street(language=language)) for name in names)
    assert max(width_of(name, 12) for name in names) < COLUMN


def test_figures_on_the_same_space_of_the_score_track_are_drawn_at_different_positions() -> None:
    """In the test, all four players have 7 points."""
    root = parsed(svg.draw_score_track((7, 7, 7, 7)))
    spots = [
        node.get("transform") for node in root.iter(f"{SVG}g") if node.find(FIGURE) is not None
    ]
    assert len(spots) == len(set(spots)) == 4


# The display


@pytest.mark.rule("BLD-7", "BLD-8", "BLD-9", "CMP-17")
@pytest.mark.parametrize(("players", "rows", "pairs"), [(2, 4, 2), (3, 5, 3), (4, 6, 4)])
def test_the_drawing_of_the_display_has_a_link_between_each_pair_of_adjacent_sites(
    players: int, rows: int, pairs: int
) -> None:
    """The five sites of a row have four links. Five links connect two rows."""
    picture = svg.draw_display(players)
    parsed(picture)
    assert picture.svg.count(LINK) == 4 * rows + 5 * pairs
    assert svg.draw_display(players, site=0).svg.count(LINK) == 2


# Positions


def test_sites_that_have_no_building_yet_are_drawn_empty_during_setup() -> None:
    """Each dealt building fills one more site of the drawing."""
    state = vr.new_game(2)
    for dealt in range(SITES[2]):
        assert svg.draw(state).svg.count('stroke-dasharray="4 3"') == SITES[2] - dealt
        state = vr.apply(state, vr.legal_actions(state)[0])


@pytest.mark.rule("VAL-5")
def test_barrels_that_valette_has_passed_are_drawn_empty() -> None:
    """If Valette has just reached a barrel, it is drawn closed until it is revealed."""
    standing = position(seat(), seat(), valette=3).replace(active=0)
    arrived = position(seat(), seat(), valette=3, agenda=(vr.BarrelPrompt(0), vr.EndTurn(0)))
    assert svg.draw(standing).svg.count(EMPTY) == 3
    assert svg.draw(standing).svg.count(CLOSED) == 22 + 1  # one in the tray, as a symbol
    assert svg.draw(arrived).svg.count(EMPTY) == 2
    assert svg.draw(arrived).svg.count(CLOSED) == 23 + 1


# Hidden cards


def with_hand(hand: Sequence[vr.Character], pile: Sequence[vr.Character]) -> vr.GameState:
    """Return a position in which seat 1 has the given cards in hand and draw pile."""
    return position(seat(hand=[C.MAID]), seat(hand=hand, draw_pile=pile))


@pytest.mark.rule("INF-1", "INF-6")
def test_the_drawing_of_a_view_does_not_reveal_the_hand_of_another_player() -> None:
    """If two positions differ only in one player's hidden cards, only that player's view looks
    different.
    """
    one = with_hand([C.KNIGHT, C.NUN], [C.PIUS, C.MONK])
    other = with_hand([C.PIUS, C.MONK], [C.KNIGHT, C.NUN])
    for watcher in (0, None):
        assert svg.draw(vr.view(one, watcher)) == svg.draw(vr.view(other, watcher))
    assert svg.draw(vr.view(one, 1)) != svg.draw(vr.view(other, 1))
    assert svg.draw(one) != svg.draw(other)
    assert "Red: Hand Maid" in visible_text(svg.draw(vr.view(one, 0)))
    assert "Blue: Hand" not in visible_text(svg.draw(vr.view(one, 0)))
    assert "Hand and draw pile: Monk, Nun, Pius V, Knight" in visible_text(
        svg.draw(vr.view(one, 0))
    )
    assert "Blue: Hand Nun" in visible_text(svg.draw(vr.view(one, 1)))


def test_player_names_are_escaped_and_truncated_in_a_drawing() -> None:
    """The names in the test contain markup, forbidden characters, or 200 letters."""
    state = with_hand([C.NUN], [])
    text = visible_text(svg.draw(state, names=("<b>&\x00\ud800", "M" * 200)))
    assert "<b>&\ufffd\ufffd" in text
    assert "M" * 200 not in text


@scaled(0.5)
@given(positions(), st.integers(min_value=0, max_value=2**32))
def test_equal_views_of_different_positions_have_equal_drawings(
    state: vr.GameState, seed: int
) -> None:
    """The second position is sampled at random from those with the same view."""
    watcher = (None, *state.seats)[seed % (len(state.players) + 1)]
    own_view = vr.view(state, watcher)
    picture = svg.draw(own_view)
    assert picture == svg.draw(vr.view(vr.determinize(own_view, random.Random(seed)), watcher))
    parsed(picture)
    parsed(svg.draw(state))


@given(st.data())
def test_the_street_of_any_rule_set_can_be_drawn(data: st.DataObject) -> None:
    """Hypothesis generates rule sets, including combinations that no edition uses."""
    players = data.draw(st.integers(min_value=2, max_value=4))
    parsed(svg.draw_street(players, data.draw(rule_sets(players))))


def test_the_function_draw_table_draws_only_the_buildings_on_the_requested_sites() -> None:
    """If the argument `sites` is missing, it draws all buildings. It never draws hands."""
    state = position(seat(built=[2], hand=[vr.Character.NUN]), seat(upgraded=[7]), valette=3)
    whole, part = svg.draw_table(state), svg.draw_table(vr.view(state, 1), sites=[7])
    for picture, count in ((whole, SITES[2]), (part, 1)):
        buildings = [key for node in parsed(picture).iter() if (key := node.get("data-building"))]
        assert len(buildings) == count
        assert picture.svg.count(valette()) == 1
    assert "Nun" not in visible_text(whole)
    assert "Valette stands on space 3" in whole.description
    assert "Valette stands on the tower" in svg.draw_table(position(seat(), seat())).description
