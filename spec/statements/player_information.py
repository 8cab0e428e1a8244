"""Formal statements of the clauses about the information that players can see."""

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Final

from valletta_rules import CardDrawn, DrawPrompt, GameState, Phase
from valletta_rules.components.bags import EMPTY, CardBag

from . import Perspective, Step, always, hides, shows
from .final_phase import TRIGGERS, is_triggered
from .green import icons
from .scoring import building_points, of_goods, result
from .vocabulary import deck

# Secrets


@hides("INF-1", "INF-6")
def another_hand(perspective: Perspective) -> Iterator[tuple[GameState, bool]]:
    """If a hidden card in hand is swapped with one in the draw pile, only the owner detects it."""
    me = perspective.player
    for card in (me.hand - me.shown).kinds()[:1]:
        for other in [each for each in me.draw_pile.kinds() if each is not card][:1]:
            hand, pile = me.hand.plus(other).minus(card), me.draw_pile.plus(card).minus(other)
            changed = me.replace(hand=hand, draw_pile=pile)
            yield (
                perspective.state.with_player(perspective.owner, changed),
                perspective.viewer != perspective.owner,
            )


@always("INF-1", at=DrawPrompt, where=attrgetter("events_for"))
def drawn_in_secret(step: Step) -> bool:
    """Only the player who draws a card learns which one it is; all other events are public."""
    public = [each for each in step.events if not isinstance(each, CardDrawn)]
    others = [step.events_for(seat) for seat in (None, *step.before.seats) if seat != step.seat]
    return step.events_for(step.seat) == step.events and all(
        [each for each in events if each in step.events] == public for events in others
    )


@shows("INF-1")
def own_hand(perspective: Perspective) -> Mapping[str, object]:
    """A player's hand is visible only to that player."""
    is_own = perspective.viewer == perspective.owner
    return {"hand": perspective.player.hand} if is_own else {"hand": None, "known": EMPTY}


@shows("INF-13")
def known_cards(perspective: Perspective) -> Mapping[str, object]:
    """All players know the cards in a hand that were revealed or that must be there by counting."""
    me = perspective.player
    unseen, most = me.hand + me.draw_pile - me.shown, len(me.draw_pile)
    counted = (card for card, number in unseen.items() for _ in range(number - most))
    return {"known": me.shown + CardBag.of(*counted)}


# What all players may see

PUBLIC_INFORMATION: Final[Mapping[str, Callable[[Perspective], Mapping[str, object]]]] = {
    "INF-2": lambda perspective: {"points": perspective.player.score},
    "INF-3": lambda perspective: {"predicted": result(perspective.state, perspective.owner)},
    "INF-5": lambda perspective: {"houses": len(perspective.player.built)},
    "INF-7": lambda perspective: {
        "draw_pile": len(perspective.player.draw_pile),
        "on_board_or_in_hand": len(perspective.player.hand) + len(_played(perspective)),
        "discarded": len(perspective.player.discard_pile),
    },
    "INF-8": lambda perspective: {"goods": perspective.player.goods},
    "INF-9": lambda perspective: {"icons": icons(perspective.state, perspective.owner)},
    "INF-10": lambda perspective: {"supply": perspective.state.supply},
    "INF-14": lambda perspective: {
        "discard": perspective.player.discard_pile,
        "on_board": _played(perspective),
        "display": perspective.state.display,
        "built": perspective.player.built,
        "upgraded": perspective.player.upgraded,
    },
    "INF-15": lambda perspective: {"barrels": perspective.state.barrels},
}
"""The functions that compute the visible information about a player, keyed by clause.  In this
order, they return the score, the result if the game ended now, the number of houses, the sizes of
the piles, the goods, the icons, the characters for hire, the cards and buildings that lie open, and
the remaining barrels."""


def _played(perspective: Perspective) -> CardBag:
    """Return the player's open cards that were played in this turn."""
    is_active = perspective.owner == perspective.state.active
    return CardBag.of(*perspective.state.played) if is_active else EMPTY


@shows(*PUBLIC_INFORMATION)
def in_full_view(perspective: Perspective, clause: str) -> Mapping[str, object]:
    """All players can see the information that `PUBLIC_INFORMATION` lists for the clause."""
    return PUBLIC_INFORMATION[clause](perspective)


@shows("INF-4")
def parts(perspective: Perspective) -> Mapping[str, object]:
    """All players see the points for each building, for all buildings together, and for goods."""
    at = perspective.state, perspective.owner
    each = building_points(*at)
    return {"buildings_score": sum(each), "buildings": each, "goods_score": of_goods(*at)}


@shows("INF-6")
def census(perspective: Perspective) -> Mapping[str, object]:
    """All players know which cards a player owns, but not which of them are in the hand."""
    cards = {"cards": deck(perspective.state, perspective.owner)}
    return cards if perspective.viewer == perspective.owner else {**cards, "known": EMPTY}


# The end


@shows("INF-11")
def fulfilled(perspective: Perspective) -> Mapping[str, object]:
    """All players see which end conditions a player satisfies."""
    ends = [end for end, holds in TRIGGERS.values() if holds(perspective.state, perspective.owner)]
    return {"fulfilled": ", ".join(ends)}


@shows("INF-12")
def announced(perspective: Perspective) -> Mapping[str, object]:
    """From the step that triggers the final phase, all players see that it is coming."""
    coming = "coming" if is_triggered(perspective.state) else "not_yet"
    known = {Phase.FINAL: "under_way", Phase.OVER: "over"}
    return {"ending": known.get(perspective.state.phase, coming)}
