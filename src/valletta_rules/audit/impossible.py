"""What can be impossible about a position, a view or an outcome."""

from __future__ import annotations

from valletta_rules.errors import Flaw


class Impossible(Flaw):
    """What the audit finds, by stable codes; a frontend can translate by them."""

    # Parts that do not fit together

    PLAYER_COUNT = "player-count", "Valletta is for 2, 3 or 4 players, not {players}", "SET-1"
    SITE_COUNT = "site-count", "{players} players have {most} sites, not {found}", "SET-8"
    NO_SUCH_SEAT = "no-such-seat", "there is no seat {seat}", "SET-2"
    NO_SUCH_SPACE = "no-such-space", "the street has no space {space}", "CMP-13"
    NO_SUCH_SITE = "no-such-site", "there is a site that the display does not have", "BLD-29"
    NO_SUCH_CARDS = "no-such-cards", "no cards have the number of this bag", "CMP-7"
    NO_SUCH_BUILDING = "no-such-building", "the card set has no such building {building}", "SET-9"
    VARIANT = "variant", "this variant is for 2 players, not {players}", "SET-7"
    PLAYED_TOO_MANY = "played-too-many", "{most} cards are played in a turn, not {found}", "TRN-2"

    # Display, goods, points, houses, barrels

    TOO_MANY_ALIKE = "too-many-alike", "there are {most} {building} cards, not {found}", "CMP-10"
    COLOUR_QUOTA = "colour-quota", "there are {found} {colour} buildings, not {most}", "SET-8"
    SITES_EMPTY = "sites-empty", "{sites} sites have no building", "SET-8"
    GOODS_NEGATIVE = "goods-negative", "an amount is never negative, and this is {found}", "CMP-1"
    BARRELS_LEFT = "barrels-left", "of {most} barrels there cannot be {found} left", "CMP-18"
    BARRELS_REVEALED = "barrels-revealed", "{reached} must be revealed, and {revealed} are", "VAL-5"
    NO_BARREL_HERE = "no-barrel-here", "space {space} has no barrel to move to", "VAL-3"
    TOO_MANY_HOUSES = "too-many-houses", "a player has {most} houses, not {found}", "CMP-19"
    SITE_SHARED = "site-shared", "site {site} carries a house of seat {owner} as well", "BLD-3"
    NOT_BUILT = "not-built", "the player has no house on site {site}", "BLD-15"
    SCORE = "score", "nothing here can have brought {found} points", "BLD-32"
    SCORE_NEGATIVE = "score-negative", "a score is never negative, and this is {found}", "SET-19"

    # Cards

    HAND_TOO_LARGE = "hand-too-large", "a hand holds {most} cards at most, not {found}", "TRN-22"
    OPENING_HAND = "opening-hand", "this hand cannot hold {found} cards at this point", "SET-15"
    HAND_SIZE = "hand-size", "this hand cannot hold {found} cards at this point", "TRN-17"
    NOT_SHOWN = "not-shown", "{character.english} is known to be in the hand and is not there"
    CARDS_LOST = "cards-lost", "there are {found} {character.english} cards, not {right}", "CMP-7"
    TRADES = "trades", "{found} or more cards were dismissed or hired, and {most} can be", "VAL-8"
    ONE_VALETTE = "one-valette", "every player owns one Valette, and this one {found}", "SET-14"

    # The course of the game

    WRONG_STEP = "wrong-step", "{step} cannot be what is to be done here"
    STEP_MISSING = "step-missing", "something is missing that must be done here"
    IN_VAIN = "in-vain", "{prompt} asks for something that cannot be done here"
    MOVED = "moved", "nobody has moved yet, and this is {found}", "SET-21"
    TOO_EARLY = "too-early", "there has been no turn yet that could have brought this"
    TOO_LATE = "too-late", "the game is over, and no card can be left to play", "FIN-16"
    STARTING_GOODS = "starting-goods", "{found} cannot be what is owned at this point", "SET-20"
    DRAFTED = "drafted", "{found} cannot be what is owned at this point", "SET-22"
    DRAFT_LEFT = "draft-left", "{left} must be left of the set", "SET-22"
    NOT_DISCARDED = "not-discarded", "the played cards have been discarded by now", "TRN-16"
    TRIGGERED = "triggered", "the final phase should have begun with this", "FIN-4"
    NOT_TRIGGERED = "not-triggered", "no end condition is fulfilled, and this is {phase}", "FIN-4"

    # Views and outcomes

    HAND_SEEN = "hand-seen", "players see their own hands, and no others"
    HIDDEN_CARDS = "hidden-cards", "cards of the hand are not among them"
    HAND_COUNTED = "hand-counted", "this hand cannot hold {found} cards"
    LEGAL_ACTIONS = "legal-actions", "these are not the viewer's legal actions"
    SCORE_ORDER = "score-order", "must be {seat}, for this is its line"
    WINNERS = "winners", "these scores make others win, by {clause}"
    DECIDED_BY = "decided-by", "it is {clause} that decides between these scores"
