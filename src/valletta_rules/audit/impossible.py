"""The kinds of problem in impossible positions, views and outcomes."""

from __future__ import annotations

from valletta_rules.errors import Flaw


class Impossible(Flaw):
    """The kinds of problem that the audit reports, with stable codes for translations."""

    # Parts that do not exist, or contradict each other

    PLAYER_COUNT = "player-count", "Valletta is for 2, 3 or 4 players, not {players}", "SET-1"
    SITE_COUNT = "site-count", "{players} players have {most} sites, not {found}", "SET-8"
    NO_SUCH_SEAT = "no-such-seat", "there is no seat {seat}", "SET-2"
    NO_SUCH_SPACE = "no-such-space", "the street has no space {space}", "CMP-13"
    NO_SUCH_SITE = "no-such-site", "the set contains a site that is not in the display", "BLD-29"
    NO_SUCH_CARDS = "no-such-cards", "this number encodes no bag of cards", "CMP-7"
    NO_SUCH_BUILDING = "no-such-building", "the card set has no such building {building}", "SET-9"
    VARIANT = "variant", "this variant is for 2 players, not {players}", "SET-7"
    PLAYED_TOO_MANY = "played-too-many", "at most {most} cards per turn, not {found}", "TRN-2"

    # Display, goods, points, houses, barrels

    TOO_MANY_ALIKE = "too-many-alike", "there are {most} {building} cards, not {found}", "CMP-10"
    COLOUR_QUOTA = "colour-quota", "the display has {most} {colour} buildings, not {found}", "SET-8"
    SITES_EMPTY = "sites-empty", "{sites} sites have no building", "SET-8"
    GOODS_NEGATIVE = "goods-negative", "an amount must be 0 or more, not {found}", "CMP-1"
    BARRELS_LEFT = "barrels-left", "0 to {most} barrels can be left, not {found}", "CMP-18"
    BARRELS_REVEALED = (
        "barrels-revealed",
        "{reached} barrels must be revealed, not {revealed}",
        "VAL-5",
    )
    NO_BARREL_HERE = "no-barrel-here", "space {space} has no barrel to move to", "VAL-3"
    TOO_MANY_HOUSES = "too-many-houses", "a player has {most} houses, not {found}", "CMP-19"
    SITE_SHARED = "site-shared", "site {site} also has a house of seat {owner}", "BLD-3"
    NOT_BUILT = "not-built", "the player has no house on site {site}", "BLD-15"
    SCORE = "score", "{found} points are not possible with these buildings", "BLD-32"
    SCORE_NEGATIVE = "score-negative", "a score must be 0 or more, not {found}", "SET-19"

    # Cards

    HAND_TOO_LARGE = "hand-too-large", "a hand holds {most} cards at most, not {found}", "TRN-22"
    OPENING_HAND = "opening-hand", "this hand cannot hold {found} cards at this point", "SET-15"
    HAND_SIZE = "hand-size", "this hand cannot hold {found} cards at this point", "TRN-17"
    NOT_SHOWN = "not-shown", "{character.english} must be in the hand, but is not"
    CARDS_LOST = "cards-lost", "{found} {character.english} cards in total, not {right}", "CMP-7"
    TRADES = "trades", "at most {most} cards can be dismissed or hired, not {found}", "VAL-8"
    ONE_VALETTE = "one-valette", "every player owns one Valette card, not {found}", "SET-14"

    # The course of the game

    WRONG_STEP = "wrong-step", "the step {step} is not possible at this point"
    STEP_MISSING = "step-missing", "a required step is missing"
    IN_VAIN = "in-vain", "{prompt} cannot be the prompt here, because the engine skips it"
    MOVED = "moved", "must be 0 before the first turn, not {found}", "SET-21"
    TOO_EARLY = "too-early", "must be empty or 0 before the player's first turn"
    TOO_LATE = "too-late", "no card can be left when the game is over", "FIN-16"
    STARTING_GOODS = "starting-goods", "{found} are not possible at this point", "SET-20"
    DRAFTED = "drafted", "{found} are not possible at this point", "SET-22"
    DRAFT_LEFT = "draft-left", "{left} must be left in the set", "SET-22"
    NOT_DISCARDED = "not-discarded", "the played cards must have been discarded", "TRN-16"
    TRIGGERED = "triggered", "the final phase must have begun with this value", "FIN-4"
    NOT_TRIGGERED = (
        "not-triggered",
        "no end condition is fulfilled, so the phase cannot be {phase}",
        "FIN-4",
    )

    # Views and outcomes

    HAND_SEEN = "hand-seen", "a view shows the viewer's hand, and no other hand"
    HIDDEN_CARDS = "hidden-cards", "must include the cards of the hand"
    HAND_COUNTED = "hand-counted", "this hand cannot hold {found} cards"
    LEGAL_ACTIONS = "legal-actions", "these are not the viewer's legal actions"
    SCORE_ORDER = "score-order", "must be {seat}: scores are in the order of seats"
    WINNERS = "winners", "these scores have other winners, according to {clause}"
    DECIDED_BY = "decided-by", "must be {clause}, which decides between these scores"
