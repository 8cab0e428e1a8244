"""The final phase: formal statements of its clauses."""

from __future__ import annotations

from collections.abc import Iterator

from valletta_rules import actions, agenda, events
from valletta_rules.components.goods import ONE
from valletta_rules.events import EndCondition, Event
from valletta_rules.state import GameState, Phase

from . import APPLIES, Applies, Step, always, asks, posts
from .blue import must_give
from .turn import TAKING, entered, follower, hand, is_over, refills
from .vocabulary import opponents, plays

# What triggers it


@posts("FIN-1")
def last_barrel(step: Step) -> Iterator[Event]:
    """Valette arrives on space 25."""
    if step.before.phase is Phase.MAIN and step.before.valette < step.after.valette == 25:
        yield events.FinalPhaseTriggered(step.seat, EndCondition.LAST_BARREL, "FIN-1")


@posts("FIN-2")
def score_of_25(step: Step) -> Iterator[Event]:
    """A player's score reaches 25 points."""
    before = max(each.score for each in step.before.players)
    now = [seat for seat in step.after.seats if before < 25 <= step.after.players[seat].score]
    if step.before.phase is Phase.MAIN:
        yield from (events.FinalPhaseTriggered(n, EndCondition.SCORE, "FIN-2") for n in now)


@posts("FIN-3")
def eighth_house(step: Step) -> Iterator[Event]:
    """A player builds an eighth house, before any points for it."""
    before = max(len(each.built) for each in step.before.players)
    now = [seat for seat in step.after.seats if before < 8 <= len(step.after.players[seat].built)]
    if step.before.phase is Phase.MAIN:
        yield from (events.FinalPhaseTriggered(n, EndCondition.HOUSES, "FIN-3") for n in now)


def is_triggered(state: GameState) -> bool:
    """Tell whether an end condition is fulfilled."""
    highest = max(each.score for each in state.players)
    houses = max(len(each.built) for each in state.players)
    return state.valette == 25 or highest >= 25 or houses >= 8


# How it begins


def _beginning(step: Step) -> GameState | None:
    """Return the table just before the final phase begins."""
    found = [table for table, each in step.entries if isinstance(each, events.FinalPhaseBegan)]
    return found[0] if found else None


@posts("FIN-4")
def after_the_turn(step: Step) -> Iterator[Event]:
    """It begins when the turn is over in which it has been triggered."""
    if step.before.phase is Phase.MAIN and is_over(step) and is_triggered(step.after):
        yield events.FinalPhaseBegan()


@always("FIN-4")
def after_the_refill(step: Step) -> bool | None:
    """It does not begin before the hand has been refilled."""
    return None if _beginning(step) is None else is_over(step)


@always("FIN-5")
def final_piles(step: Step) -> bool | None:
    """Every player's discard pile joins his draw pile."""
    if (table := _beginning(step)) is None:
        return None
    piles = [each.draw_pile + each.discard_pile for each in table.players]
    now = step.after.players
    return [each.draw_pile for each in now] == piles and not any(each.discard_pile for each in now)


@always("FIN-3")
def houses_alone(step: Step) -> bool | None:
    """Without the barrel and the score it begins only by the eighth house."""
    table = _beginning(step)
    if table is None or table.valette == 25 or max(each.score for each in table.players) >= 25:
        return None
    return is_triggered(table)


@always("FIN-6")
def hands_stay(step: Step) -> bool | None:
    """No hand changes."""
    if (table := _beginning(step)) is None:
        return None
    return [each.hand for each in table.players] == [each.hand for each in step.after.players]


@always("FIN-7")
def order_goes_on(step: Step) -> bool | None:
    """The next player clockwise takes the first turn, if he has a card."""
    seat = (step.before.active + 1) % len(step.before.players)
    if _beginning(step) is None or not step.after.players[seat].hand:
        return None
    return step.after.active == seat


# Its turns


@always("FIN-8")
def turns_as_before(step: Step) -> bool | None:
    """A turn has three plays."""
    began = entered(step, events.TurnBegan)
    if not began or step.after.phase is not Phase.FINAL:
        return None
    return began[0].plays == 3 and step.asked == agenda.PlayPrompt(began[0].seat, 3)


@always("FIN-9")
def discard_piles_stay(step: Step) -> bool | None:
    """No card leaves a discard pile, and nothing is shuffled."""
    if step.before.phase is not Phase.FINAL:
        return None
    kinds = (events.Reshuffled, events.FinalPhaseBegan, events.FinalPhaseTriggered)
    players = zip(step.before.players, step.after.players, strict=True)
    grow = all((new.discard_pile - old.discard_pile).is_possible() for old, new in players)
    return grow and not entered(step, *kinds)


@asks("FIN-10", last=True)
def the_rest(step: Step) -> agenda.Prompt | Applies | None:
    """The draw pile is drawn to its last card if there are too few."""
    me = step.after.players[step.before.active]
    if step.before.phase is not Phase.FINAL or not refills(step) or hand(step) >= 5:
        return None
    return agenda.DrawPrompt(step.before.active) if me.draw_pile else APPLIES


def _ends_in_it(step: Step) -> bool:
    """Tell whether a turn of the final phase ends."""
    return step.before.phase is Phase.FINAL and is_over(step)


@posts("FIN-11")
def dropping_out(step: Step) -> Iterator[Event | Applies]:
    """A player without a card drops out at the end of his turn, and is skipped."""
    if _ends_in_it(step):
        yield APPLIES
        if not hand(step):
            yield events.PlayerDroppedOut(step.before.active)
        if (seat := follower(step)) is not None:
            yield events.TurnBegan(seat, 3)


@posts("FIN-12")
def playing_alone(step: Step) -> Iterator[Event]:
    """The last player with cards takes the next turn, too."""
    if _ends_in_it(step) and follower(step) == step.before.active:
        yield events.TurnBegan(step.before.active, 3)


@always("FIN-13")
def last_card_gains(step: Step) -> bool | None:
    """A player who holds only gained characters has a turn, and no player with a card drops out."""
    seat = follower(step) if _ends_in_it(step) else None
    if seat is None or step.after.players[seat].hand != step.after.players[seat].shown:
        return None
    out = [step.after.players[each.seat].hand for each in entered(step, events.PlayerDroppedOut)]
    return step.after.phase is Phase.FINAL and step.after.active == seat and not any(out)


def _out(step: Step) -> list[int]:
    """Return the opponents who have dropped out."""
    others = opponents(step.before, step.seat) if step.before.phase is Phase.FINAL else []
    return [seat for seat in others if not step.before.players[seat].hand]


@always("FIN-14", at=agenda.PlayPrompt)
def out_but_giving(step: Step) -> bool | None:
    """A player who is out is asked, or gives, as any other."""
    card = next((card for card in TAKING if plays(step, card)), None)
    givers = {seat for seat in _out(step) if card and must_give(step.before, seat, card)}
    if not givers:
        return None
    given = {each.giver for each in entered(step, events.GoodsGiven)}
    return given >= givers or isinstance(step.asked, agenda.MonkPrompt)


@always("FIN-15", at=agenda.NunPrompt)
def out_but_receiving(step: Step) -> bool | None:
    """A player who is out receives one of the good."""
    if not (out := _out(step)) or not isinstance(step.action, actions.TakeGood):
        return None
    good = ONE[step.action.good]
    old, new = step.before.players, step.after.players
    return all(new[seat].goods == old[seat].goods + good for seat in out)


# How it ends


@posts("FIN-16")
def game_ended(step: Step) -> Iterator[Event]:
    """The game ends when no player has a card; SCO states the outcome."""
    if _ends_in_it(step) and follower(step) is None:
        yield from entered(step, events.GameEnded)


@always("FIN-16")
def nobody_has_a_card(step: Step) -> bool | None:
    """The game is over exactly if no player has a card left."""
    if not _ends_in_it(step):
        return None
    return (step.after.phase is Phase.OVER, step.asked is None) == (follower(step) is None,) * 2


@always("FIN-17")
def no_round_is_completed(step: Step) -> bool | None:
    """The phase begins in the middle of a round, and no turn is given to make up for another."""
    if not is_over(step):
        return None
    if step.before.phase is Phase.MAIN:
        return (step.after.phase is Phase.FINAL) == is_triggered(step.after)
    return step.asked is None or follower(step) == step.after.active


def _supplies(state: GameState) -> int:
    """Return how many cards could still be played in the final phase at most."""
    built = sum(len(each.built) for each in state.players)
    mine = sum(len(each.hand) + len(each.draw_pile) for each in state.players)
    return mine + len(state.supply) + len(state.display) - built


@always("FIN-18")
def one_card_fewer(step: Step) -> bool | None:
    """Each play uses up a card of those that are in the game, and nothing brings one back."""
    if step.before.phase is not Phase.FINAL:
        return None
    played = isinstance(step.action, actions.PlayCard)
    return _supplies(step.after) == _supplies(step.before) - played


@always("FIN-19")
def nothing_else_ends(step: Step) -> bool | None:
    """Without an end condition the main phase goes on."""
    is_main = step.before.phase is Phase.MAIN and not is_triggered(step.after)
    return step.after.phase is Phase.MAIN if is_main else None
