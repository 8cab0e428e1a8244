"""Formal statements of the clauses about the final phase."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from valletta_rules import EndCondition, Event, GameState, Phase, Player, actions, agenda, events
from valletta_rules.components import EMPTY, ONE

from . import APPLIES, Applies, Step, always, asks, posts
from .blue import INNKEEPER, MONK, TAKING, TAX_COLLECTOR, must_give, remaining_opponents
from .turn import follower, hand, is_over, refills
from .vocabulary import entered, opponents, played, plays


def during(phase: Phase) -> Callable[[Step], bool]:
    """Return a predicate that is true for a step that begins in the given phase."""
    return lambda step: step.before.phase is phase


# The triggers


TRIGGERS: Final[Mapping[str, tuple[EndCondition, Callable[[GameState, int], bool]]]] = {
    "FIN-1": (EndCondition.LAST_BARREL, lambda state, seat: state.valette == 25),
    "FIN-2": (EndCondition.SCORE, lambda state, seat: state.players[seat].score >= 25),
    "FIN-3": (EndCondition.HOUSES, lambda state, seat: len(state.players[seat].built) >= 8),
}
"""The end conditions, keyed by clause: Valette is on the last space, a player has 25 points, or a
player has built eight houses."""


def fulfilled(state: GameState, clause: str) -> list[int]:
    """Return the seats that satisfy the end condition of a given clause."""
    return [seat for seat in state.seats if TRIGGERS[clause][1](state, seat)]


def is_triggered(state: GameState) -> bool:
    """Return whether any end condition is satisfied."""
    return any(fulfilled(state, clause) for clause in TRIGGERS)


@posts(*TRIGGERS, where=during(Phase.MAIN))
def triggered(step: Step, clause: str) -> Iterator[Event]:
    """The journal records each newly satisfied end condition (FIN-1 only for the active player)."""
    if not fulfilled(step.before, clause):
        for seat in fulfilled(step.after, clause):
            if clause != "FIN-1" or seat == step.seat:
                yield events.FinalPhaseTriggered(seat, TRIGGERS[clause][0], clause)


# How it begins


def begins(step: Step) -> list[tuple[Player, Player]]:
    """Return pairs of each player before and after the final phase begins, if it begins."""
    tables = [table for table, each in step.entries if isinstance(each, events.FinalPhaseBegan)]
    return [*zip(tables[0].players, step.after.players, strict=True)] if tables else []


@posts("FIN-4", where=during(Phase.MAIN))
def after_the_turn(step: Step) -> Iterator[Event]:
    """The final phase begins after the turn that triggered it."""
    if is_over(step) and is_triggered(step.after):
        yield events.FinalPhaseBegan()


@always("FIN-4", where=begins)
def after_the_refill(step: Step) -> bool:
    """The final phase begins only after the hand has been refilled."""
    return is_over(step)


@always("FIN-5", where=begins)
def final_piles(step: Step) -> bool:
    """Every player's discard pile is added to their draw pile."""
    piles = [(new.draw_pile - old.draw_pile, new.discard_pile) for old, new in begins(step)]
    return piles == [(old.discard_pile, EMPTY) for old, _ in begins(step)]


@always("FIN-6", where=begins)
def hands_stay(step: Step) -> bool:
    """No hand changes when the final phase begins."""
    return all(old.hand == new.hand for old, new in begins(step))


@always("FIN-7", where=begins)
def order_goes_on(step: Step) -> bool | None:
    """The next player clockwise takes the first turn of the final phase, if they have a card."""
    seat = (step.before.active + 1) % len(step.before.players)
    return step.after.active == seat if step.after.players[seat].hand else None


# Its turns


@always("FIN-8")
def turns_as_before(step: Step) -> bool | None:
    """A turn of the final phase has three plays, as in the main phase."""
    began = [each for each in entered(step, events.TurnBegan) if step.after.phase is Phase.FINAL]
    first = agenda.PlayPrompt(began[0].seat, 3) if began else None
    return (began[0].plays, step.next_prompt) == (3, first) if began else None


@always("FIN-9", where=during(Phase.FINAL))
def discard_piles_stay(step: Step) -> bool:
    """In the final phase, no card leaves a discard pile, and no pile is shuffled."""
    grow = all((new.discard_pile - old.discard_pile).is_possible() for old, new in step.players)
    kinds = (events.Reshuffled, events.FinalPhaseBegan, events.FinalPhaseTriggered)
    return grow and not entered(step, *kinds)


@asks("FIN-10", last=True, where=during(Phase.FINAL))
def the_rest(step: Step) -> agenda.Prompt | Applies | None:
    """All cards of the draw pile are drawn if there are too few of them to fill the hand."""
    is_left = step.after.players[step.before.active].draw_pile
    due = agenda.DrawPrompt(step.before.active) if is_left else APPLIES
    return due if refills(step) and hand(step) < 5 else None


def ends_in_it(step: Step) -> bool:
    """Return whether a turn of the final phase ends with the step."""
    return step.before.phase is Phase.FINAL and is_over(step)


@posts("FIN-11", where=ends_in_it)
def dropping_out(step: Step) -> Iterator[Event | Applies]:
    """A player without a card drops out at the end of their turn, and is skipped."""
    yield APPLIES
    if not hand(step):
        yield events.PlayerDroppedOut(step.before.active)
    if (seat := follower(step)) is not None:
        yield events.TurnBegan(seat, 3)


@posts("FIN-12", where=ends_in_it)
def playing_alone(step: Step) -> Iterator[Event]:
    """If only one player still has cards, that player also takes the next turn."""
    if follower(step) == step.before.active:
        yield events.TurnBegan(step.before.active, 3)


@always("FIN-13", where=ends_in_it)
def last_card_gains(step: Step) -> bool | None:
    """A player whose hand consists only of gained characters has not dropped out."""
    seat = follower(step)
    if seat is None or step.after.players[seat].hand != step.after.players[seat].shown:
        return None
    out = [step.after.players[each.seat].hand for each in entered(step, events.PlayerDroppedOut)]
    return step.after.phase is Phase.FINAL and step.after.active == seat and not any(out)


def out(step: Step) -> list[int]:
    """Return the opponents of the active player who have dropped out."""
    others = opponents(step.before, step.before.active) if step.before.phase is Phase.FINAL else []
    return [seat for seat in others if not step.before.players[seat].hand]


@always("FIN-14", at=agenda.PlayPrompt, where=played(INNKEEPER, TAX_COLLECTOR))
def gifts_after_dropping_out(step: Step) -> bool | None:
    """The Innkeeper and the Tax Collector also take goods from a player who has dropped out."""
    (card,) = (card for card in TAKING if plays(step, card))
    givers = {seat for seat in out(step) if must_give(step.before, seat, card)}
    return {each.giver for each in entered(step, events.GoodsGiven)} >= givers if givers else None


@always("FIN-14", at=agenda.PlayPrompt | agenda.MonkPrompt)
def prompts_after_dropping_out(step: Step) -> bool | None:
    """The Monk also demands a good from a player who has dropped out."""
    order, prompt = remaining_opponents(step), step.next_prompt
    last = order.index(prompt.seat) if isinstance(prompt, agenda.MonkPrompt) else len(order)
    givers = {seat for seat in out(step) if must_give(step.after, seat, MONK)} & {*order}
    return givers.isdisjoint(order[:last]) if givers else None


@always("FIN-15", at=agenda.NunPrompt, where=out)
def goods_after_dropping_out(step: Step) -> bool | None:
    """The Nun's gift also goes to a player who has dropped out."""
    goods = [ONE[step.action.good]] if isinstance(step.action, actions.TakeGood) else []
    gains = [step.players[seat][1].goods - step.players[seat][0].goods for seat in out(step)]
    return gains == goods * len(gains) if goods else None


# How it ends


@posts("FIN-16", where=ends_in_it)
def game_ended(step: Step) -> Iterator[Event]:
    """The game ends when no player has a card left; other clauses (SCO) determine its outcome."""
    if follower(step) is None:
        yield from entered(step, events.GameEnded)


@always("FIN-16", where=ends_in_it)
def no_player_has_a_card(step: Step) -> bool:
    """The game is over if and only if no player has a card left."""
    is_last = follower(step) is None
    return (step.after.phase is Phase.OVER, step.next_prompt is None) == (is_last, is_last)


@always("FIN-17", where=is_over)
def no_round_is_completed(step: Step) -> bool:
    """The final phase may begin in the middle of a round, and the round is not completed."""
    if step.before.phase is Phase.MAIN:
        return (step.after.phase is Phase.FINAL) == is_triggered(step.after)
    return step.next_prompt is None or follower(step) == step.after.active


def _supplies(state: GameState) -> int:
    """Return an upper bound on the number of plays that are left in the final phase."""
    built = sum(len(each.built) for each in state.players)
    mine = sum(len(each.hand) + len(each.draw_pile) for each in state.players)
    return mine + len(state.supply) + len(state.display) - built


@always("FIN-18", where=during(Phase.FINAL))
def one_card_fewer(step: Step) -> bool:
    """Each play in the final phase lowers the possible number of further plays by one."""
    is_play = isinstance(step.action, actions.PlayCard)
    return _supplies(step.after) == _supplies(step.before) - is_play


@always("FIN-19", where=during(Phase.MAIN))
def nothing_else_ends(step: Step) -> bool | None:
    """The main phase continues as long as no end condition is satisfied."""
    return None if is_triggered(step.after) else step.after.phase is Phase.MAIN
