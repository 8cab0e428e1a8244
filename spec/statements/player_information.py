"""Formal statements of the clauses about the information that players can see."""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Final

from valletta_rules import CardDrawn, DrawPrompt, GameState, Phase
from valletta_rules.components.bags import EMPTY, CardBag

from . import Glance, Step, always, hides, shows
from .final_phase import TRIGGERS, is_triggered
from .green import icons
from .scoring import of_goods, points_shown, result
from .vocabulary import deck

# Secrets


@hides("INF-1", "INF-6")
def another_hand(glance: Glance) -> Iterator[tuple[GameState, bool]]:
    """Only its owner can detect that a hidden card in hand is swapped with one in the draw pile."""
    me = glance.player
    for card in (me.hand - me.shown).kinds()[:1]:
        for other in [each for each in me.draw_pile.kinds() if each is not card][:1]:
            hand, pile = me.hand.plus(other).minus(card), me.draw_pile.plus(card).minus(other)
            changed = me.replace(hand=hand, draw_pile=pile)
            yield glance.state.with_player(glance.owner, changed), glance.viewer != glance.owner


@always("INF-1", at=DrawPrompt, where=attrgetter("heard"))
def drawn_in_secret(step: Step) -> bool:
    """Only the player who draws a card learns which one it is; all other events are public."""
    public = [each for each in step.events if not isinstance(each, CardDrawn)]
    others = [step.heard(seat) for seat in (None, *step.before.seats) if seat != step.seat]
    return step.heard(step.seat) == step.events and all(
        [each for each in heard if each in step.events] == public for heard in others
    )


@shows("INF-1")
def own_hand(glance: Glance) -> Mapping[str, object]:
    """A player's hand is visible only to that player."""
    is_own = glance.viewer == glance.owner
    return {"hand": glance.player.hand} if is_own else {"hand": None, "known": EMPTY}


@shows("INF-13")
def known_cards(glance: Glance) -> Mapping[str, object]:
    """All players know the revealed cards of a hand, and those that do not fit in the draw pile."""
    me = glance.player
    unseen, most = me.hand + me.draw_pile - me.shown, len(me.draw_pile)
    counted = (card for card, number in unseen.items() for _ in range(number - most))
    return {"known": me.shown + CardBag.of(*counted)}


# What all players may see

SHOWN: Final[Mapping[str, Callable[[Glance], Mapping[str, object]]]] = {
    "INF-2": lambda glance: {"points": glance.player.score},
    "INF-3": lambda glance: {"predicted": result(glance.state, glance.owner)},
    "INF-5": lambda glance: {"houses": len(glance.player.built)},
    "INF-7": lambda glance: {
        "draw_pile": len(glance.player.draw_pile),
        "on_board_or_in_hand": len(glance.player.hand) + len(_played(glance)),
        "discarded": len(glance.player.discard_pile),
    },
    "INF-8": lambda glance: {"goods": glance.player.goods},
    "INF-9": lambda glance: {"icons": icons(glance.state, glance.owner)},
    "INF-10": lambda glance: {"supply": glance.state.supply},
    "INF-14": lambda glance: {
        "discard": glance.player.discard_pile,
        "on_board": _played(glance),
        "display": glance.state.display,
        "built": glance.player.built,
        "upgraded": glance.player.upgraded,
    },
    "INF-15": lambda glance: {"barrels": glance.state.barrels},
}
"""The functions that compute the visible information about a player, keyed by clause.  In this
order, they return the score, the result if the game ended now, the number of houses, the sizes of
the piles, the goods, the icons, the characters for hire, the cards and buildings that lie open, and
the remaining barrels."""


def _played(glance: Glance) -> CardBag:
    """Return the player's open cards that were played in this turn."""
    return CardBag.of(*glance.state.played) if glance.owner == glance.state.active else EMPTY


@shows(*SHOWN)
def in_full_view(glance: Glance, clause: str) -> Mapping[str, object]:
    """All players can see the information that `SHOWN` lists for the clause."""
    return SHOWN[clause](glance)


@shows("INF-4")
def parts(glance: Glance) -> Mapping[str, object]:
    """All players see the points for each building, for all buildings together, and for goods."""
    at = glance.state, glance.owner
    each = points_shown(*at)
    return {"buildings_score": sum(each), "buildings": each, "goods_score": of_goods(*at)}


@shows("INF-6")
def census(glance: Glance) -> Mapping[str, object]:
    """All players know which cards a player owns, but not which of them are in the hand."""
    cards = {"cards": deck(glance.state, glance.owner)}
    return cards if glance.viewer == glance.owner else {**cards, "known": EMPTY}


# The end


@shows("INF-11")
def fulfilled(glance: Glance) -> Mapping[str, object]:
    """All players see which end conditions a player satisfies."""
    found = [end for end, holds in TRIGGERS.values() if holds(glance.state, glance.owner)]
    return {"fulfilled": ", ".join(found)}


@shows("INF-12")
def announced(glance: Glance) -> Mapping[str, object]:
    """All players see that the final phase is coming, from the step that triggers it."""
    coming = "coming" if is_triggered(glance.state) else "not_yet"
    known = {Phase.FINAL: "under_way", Phase.OVER: "over"}
    return {"ending": known.get(glance.state.phase, coming)}
