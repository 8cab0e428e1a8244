"""Notation: actions as short texts that people type, print and read back.

=============================== ======================================================
Action                          Text
=============================== ======================================================
play a card; without its effect ``woodworker``; ``merchant in vain``
choose a site                   ``build 7``, ``upgrade 7``
pay                             ``pay 2g 1w``, ``pay 0``
choose a good                   ``take wood``, ``return brick``, ``give stone``, ``draft gold``
choose two goods                ``take 2g``, ``take 1g 1w``
dismiss or hire                 ``dismiss maid``, ``hire builder``
decline an offer                ``decline``
chance                          ``deal A2``, ``draw maid``, ``barrel gold``
=============================== ======================================================

`format_action` writes these texts with the words of `valletta_rules.text.values`. `read_action`
also accepts other forms. `valletta_rules.parse_action` reads moves that a person types in English
or German.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, assert_never

import attrs

from valletta_rules import actions
from valletta_rules.agenda import PlayPrompt, SeamstressPrompt
from valletta_rules.components import CHARACTERS, GOODS, SITES, Character, Good, Goods, abbreviated
from valletta_rules.engine import check
from valletta_rules.errors import IllegalActionError, VallettaError
from valletta_rules.state import GameState
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import UnfitError, nearest, quoted, read_goods, write_goods

TEXT_LIMIT: Final = 200
"""The maximum number of characters in a move.

The longest text that `format_action` returns has about 30.
"""


@attrs.define(slots=False)
class NotAMoveError(VallettaError, ValueError):
    """A text is not a move in any position of this game."""

    text: str
    """The text that is not a move."""
    reason: str
    """A description of the problem, to be shown after a colon."""
    prompt: str | None = None
    """The type of the current prompt, if the text was typed as an answer to a prompt."""

    def __str__(self) -> str:
        """Return a message with the text and the reason."""
        return f"{quoted(self.text)} is not a move: {self.reason}"


@attrs.define(slots=False)
class AmbiguousMoveError(VallettaError, ValueError):
    """A text can mean several moves."""

    text: str
    """The ambiguous text."""
    candidates: tuple[actions.Action, ...]
    """The moves that the text can mean: the legal ones or, if none is legal, all of them."""

    def __str__(self) -> str:
        """Return a message with the text and its possible moves."""
        meant = ", ".join(map(format_action, self.candidates))
        return f"{quoted(self.text)} is ambiguous: it can mean {meant}"


# Names of characters


def folded(name: str) -> str:
    """Reduce a name to its letters and digits, without case, accents or umlauts.

    ``ä`` and ``ae`` become equal, and so do ``ß`` and ``ss``.
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(each for each in plain if each.isalnum())
    return letters.replace("ae", "a").replace("oe", "o").replace("ue", "u")


ALSO_CALLED: Final[Mapping[Character, tuple[str, ...]]] = MappingProxyType(
    {
        Character.STONE_SCULPTOR: ("Sculptor",),
        Character.TAX_COLLECTOR: ("Collector",),
        Character.GRAND_BAILIFF: ("Bailiff",),
        Character.PHILIP: ("Philipp II.", "King Philip II"),
        Character.CHARLES: ("Charles V", "Karl V."),
        Character.PIUS: ("Pius V.",),
        Character.VALETTE: ("La Valette", "de Valette"),
    }
)
"""Other common names of characters, in addition to the English and German ones."""

_NAMES: Final = tuple(
    (folded(name), character)
    for character in CHARACTERS
    for name in (
        *(character.value, character.english, character.german),
        *ALSO_CALLED.get(character, ()),
    )
)


def characters_called(text: str) -> tuple[Character, ...]:
    """Return the characters that a text can mean, in the order of the rulebook.

    If the text is the English or German name of a character, the result is this character.
    Otherwise it is all characters with a name that begins with the text. Case, spaces, accents and
    umlauts are ignored.
    """
    name = folded(text)
    if not name:
        return ()
    exact = {character for known, character in _NAMES if known == name}
    meant = exact or {character for known, character in _NAMES if known.startswith(name)}
    return tuple(character for character in CHARACTERS if character in meant)


# Goods

_CALLED: Final = (
    *((good.value, good[0]) for good in GOODS),
    *(("stones", "s"), ("bricks", "b"), ("holz", "w"), ("steine", "s"), ("ziegel", "b")),
)
"""Pairs of a lower-case name of a good and its abbreviation in the notation."""


def parse_goods(text: str) -> Goods | None:
    """Return the goods in a text that a person typed, or `None` for any other text.

    ``2g 1w``, ``2 gold and 1 wood``, ``gold gold wood`` and ``2 Gold 1 Holz`` are equivalent;
    ``nothing``, ``-`` and ``0`` mean no goods.
    """
    normalized = text.strip().lower().replace(",", " ")
    written = re.sub(r"[^\W\d_]+", lambda word: _written(word[0]), normalized)
    try:
        goods = read_goods("0" if normalized == "nothing" else written)
    except UnfitError:
        return None
    return goods if min(goods) >= 0 else None


def _written(word: str) -> str:
    """Replace the name of a good, or a prefix of it, with its abbreviation.

    Return other words unchanged.
    """
    if word in {"and", "und"}:
        return "+"
    return next((initial for name, initial in _CALLED if name.startswith(word)), word)


# Writing


def format_action(action: actions.Action) -> str:
    """Return the text of an action, which `read_action` parses.

    Every well-formed action has a text, which does not depend on a position. Raises `TypeError` for
    any value that is not an action.
    """
    if not isinstance(action, actions.ACTION_TYPES):
        raise TypeError(f"expected an action, not {abbreviated(action)}")
    match action:
        case actions.PlayCard(character, use_effect):
            return character.value if use_effect else f"{character.value} in vain"
        case actions.Build(site):
            return f"build {site}"
        case actions.Upgrade(site):
            return f"upgrade {site}"
        case actions.Pay(goods):
            return f"pay {write_goods(goods, ' ')}"
        case actions.TakeGoods(goods):
            return f"take {write_goods(goods, ' ')}"
        case actions.TakeGood(good):
            return f"take {good}"
        case actions.ReturnGood(good):
            return f"return {good}"
        case actions.GiveGood(good):
            return f"give {good}"
        case actions.DraftGood(good):
            return f"draft {good}"
        case actions.RevealBarrel(good):
            return f"barrel {good}"
        case actions.DrawCard(character):
            return f"draw {character.value}"
        case actions.Dismiss(character):
            return f"dismiss {character.value}"
        case actions.Hire(character):
            return f"hire {character.value}"
        case actions.DealBuilding(code):
            return f"deal {code}"
        case actions.Decline():
            return "decline"
        case _:
            assert_never(action)


# Reading


def read_action(state: GameState, text: str) -> actions.Action:
    """Return the legal action that a text describes in a position.

    Characters and goods can be written as their English or German name or a prefix of it. A site
    can also be written as the code or the character of its building. Case is ignored. Legal moves
    are preferred: ``b`` plays the Builder if no other card in the hand has a name with this prefix.

    Raises `NotAMoveError` for a text that is not a move of this game, `AmbiguousMoveError` for a
    text that can mean several moves, and `IllegalActionError`, with the violation, for a move that
    is illegal in this position.

    The text is parsed for the seat that must answer. The caller must ensure that the text comes
    from this seat, since the result can reveal a hand.
    """
    meant = readings(state, text)
    legal = [action for action in meant if check(state, action) is None]
    if len(legal) == 1:
        return legal[0]
    if len(meant) > 1:
        raise AmbiguousMoveError(text, tuple(legal or meant))
    violation = check(state, next(iter(meant)))
    assert violation is not None, "the only reading was found illegal"
    raise IllegalActionError(violation)


_Readings = tuple[actions.Action, ...]

_PLAY: Final = re.compile(r"(play\s+)?(.*?)(\s+(?:in\s+vain|without\s+effect))?", re.IGNORECASE)


def readings(state: GameState, text: str) -> tuple[actions.Action, ...]:
    """Return all moves that a text can mean, legal or not. The result is never empty.

    Raises `NotAMoveError` for a text that is not a move of this game.
    """
    if len(text) > TEXT_LIMIT:
        unfit = UnfitError.of(Misspelling.MOVE_TOO_LONG, most=TEXT_LIMIT)
        raise NotAMoveError(text, str(unfit)) from unfit
    plain = " ".join(text.split())
    verb, _, rest = plain.partition(" ")
    reader = _READERS.get(verb.lower())
    try:
        if reader is None or (not rest and _plays_card(state, verb)):
            return _read_play(plain)
        return reader(state, rest)
    except UnfitError as unfit:
        raise NotAMoveError(text, str(unfit)) from unfit


def _plays_card(state: GameState, verb: str) -> bool:
    """Return whether a verb without arguments means a card, such as ``build`` for the Builder."""
    return isinstance(state.prompt, PlayPrompt) and bool(characters_called(verb))


def _read_play(text: str) -> _Readings:
    match = _PLAY.fullmatch(text)
    assert match is not None, "the pattern fits every text without line breaks"
    plays = actions.PLAY_IN_VAIN if match[3] else actions.PLAY
    if characters := characters_called(match[2]):
        return tuple(plays[character] for character in characters)
    if not match[2].strip():
        raise UnfitError.of(Misspelling.MOVE_EMPTY)
    known = {word: word for word in _READERS} | {name: each.value for name, each in _NAMES}
    meant = known.get(nearest(folded(match[2]), known) or "")
    flaw = Misspelling.CHARACTER_FOLLOWS if match[1] else Misspelling.NO_VERB
    raise UnfitError.of(flaw, meant)


def _about_a_card(ready: Mapping[Character, actions.Action]) -> _Reader:
    def read(state: GameState, rest: str) -> _Readings:
        if characters := characters_called(rest):
            return tuple(ready[character] for character in characters)
        raise UnfitError.of(Misspelling.CHARACTER_FOLLOWS)

    return read


def _about_a_good(ready: Mapping[Good, actions.Action]) -> _Reader:
    def read(state: GameState, rest: str) -> _Readings:
        goods = parse_goods(rest)
        if goods is None or goods.total != 1:
            raise UnfitError.of(Misspelling.GOOD_FOLLOWS)
        return (ready[goods.kinds()[0]],)

    return read


def _about_a_site(ready: tuple[actions.Action, ...]) -> _Reader:
    def read(state: GameState, rest: str) -> _Readings:
        sites = SITES[len(state.players)]
        if re.fullmatch(r"[0-9]{1,3}", rest):
            if int(rest) >= sites:
                raise UnfitError.of(Misspelling.SITE_NUMBER, most=sites - 1)
            return (ready[int(rest)],)
        called = characters_called(rest)
        coded = [site for site, each in enumerate(state.display) if each.code == rest.upper()]
        named = [site for site, each in enumerate(state.display) if each.character in called]
        if not (matches := coded or named):
            raise UnfitError.of(Misspelling.SITE_FOLLOWS)
        return tuple(ready[site] for site in matches)

    return read


def _read_payment(state: GameState, rest: str) -> _Readings:
    goods = parse_goods(rest)
    if goods is None:
        raise UnfitError.of(Misspelling.GOODS_FOLLOW)
    return (actions.Pay(goods),)


def _read_taking(state: GameState, rest: str) -> _Readings:
    goods = parse_goods(rest)
    if goods is None:
        raise UnfitError.of(Misspelling.GAIN_FOLLOWS)
    if goods.total != 1 or isinstance(state.prompt, SeamstressPrompt):
        return (actions.TakeGoods(goods),)
    return (actions.TAKE[goods.kinds()[0]],)


def _read_deal(state: GameState, rest: str) -> _Readings:
    code = rest.upper()
    if all(building.code != code for building in state.cards.buildings):
        raise UnfitError.of(Misspelling.CODE_FOLLOWS)
    return (actions.DealBuilding(code),)


def _read_declining(state: GameState, rest: str) -> _Readings:
    if rest:
        raise UnfitError.of(Misspelling.NOTHING_FOLLOWS)
    return (actions.DECLINE,)


_Reader = Callable[[GameState, str], _Readings]

_READERS: Final[Mapping[str, _Reader]] = MappingProxyType(
    {
        "build": _about_a_site(actions.BUILD),
        "upgrade": _about_a_site(actions.UPGRADE),
        "pay": _read_payment,
        "take": _read_taking,
        "return": _about_a_good(actions.RETURN),
        "give": _about_a_good(actions.GIVE),
        "draft": _about_a_good(actions.DRAFT),
        "dismiss": _about_a_card(actions.DISMISS),
        "hire": _about_a_card(actions.HIRE),
        "decline": _read_declining,
        "deal": _read_deal,
        "draw": _about_a_card(actions.DRAW),
        "barrel": _about_a_good(actions.REVEAL),
    }
)
"""A mapping from verbs to readers for their arguments."""
