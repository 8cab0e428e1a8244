"""What remains to be done: an agenda that fits the part of the game and the cards played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from valletta_rules.actions import DECLINE
from valletta_rules.agenda import (
    BONUS_CLAUSES,
    BarrelPrompt,
    BonusPrompt,
    DealPrompt,
    DraftPrompt,
    DrawPrompt,
    EndTurn,
    MonkPrompt,
    PassTurn,
    PaymentPrompt,
    PlayPrompt,
    Prompt,
    SitePrompt,
    Step,
    Turn,
    ValettePrompt,
)
from valletta_rules.audit.codes import Impossible
from valletta_rules.components.buildings import HOUSES_PER_PLAYER
from valletta_rules.components.characters import Character
from valletta_rules.components.display import SITES
from valletta_rules.components.goods import NOTHING, ONE_OF_EACH, Goods
from valletta_rules.components.street import LAST_SPACE
from valletta_rules.engine import RULES
from valletta_rules.errors import Problem, problem
from valletta_rules.rulebook.building import (
    building_price,
    can_pay,
    upgrade_price,
)
from valletta_rules.rulebook.characters import EFFECTS, REDUCTIONS
from valletta_rules.rulebook.effects import Effect
from valletta_rules.rulebook.final_phase import TRIGGERING_SCORE, end_conditions
from valletta_rules.rulebook.holdings import owner_of
from valletta_rules.rulebook.red import stands_for
from valletta_rules.rulebook.setup import (
    STAGGERED_PLAYS,
    first_turns,
)
from valletta_rules.rulebook.turn import HAND_SIZE, PLAYS_PER_TURN
from valletta_rules.rulebook.valette import barrel_spaces
from valletta_rules.state import GameState, Phase, Player


def problems_of_the_course(state: GameState) -> Iterator[Problem]:
    """Find what does not go with the part of the game, and an agenda that cannot be."""
    match state.phase:
        case Phase.SETUP:
            yield from _setup(state)
        case Phase.MAIN:
            yield from _turn(state)
            yield from _refilled(state)
            yield from _not_yet_triggered(state)
        case Phase.FINAL:
            yield from _turn(state)
            yield from _refilled(state)
            yield from _triggered(state)
        case Phase.OVER:
            yield from _over(state)
            yield from _triggered(state)
        case _:
            assert_never(state.phase)


def _compare(state: GameState, possible: Iterable[tuple[Step, ...]]) -> Iterator[Problem]:
    """Find the first step that makes an agenda differ from every possible one."""
    right = 0
    for agenda in possible:
        if agenda == state.agenda:
            return
        common = zip(agenda, state.agenda, strict=False)
        first = next((at for at, (one, other) in enumerate(common) if one != other), None)
        right = max(right, min(len(agenda), len(state.agenda)) if first is None else first)
    if right < len(state.agenda):
        message = f"{type(state.agenda[right]).__name__} cannot be what is to be done here"
        yield problem(
            f"agenda[{right}]",
            Impossible.WRONG_STEP,
            message,
            step=type(state.agenda[right]).__name__,
        )
    else:
        yield problem(
            "agenda", Impossible.STEP_MISSING, "something is missing that must be done here"
        )


def _agendas_of_the_setup(state: GameState) -> Iterator[tuple[Step, ...]]:
    """Run through every agenda that is possible before the first turn."""
    top, seats, turns = state.prompt, state.seats, first_turns(state.rules)
    left = top.goods if isinstance(top, DraftPrompt) else NOTHING
    drafts: tuple[Step, ...] = ()
    if state.rules.has_draft:
        drafts = (DraftPrompt(seats[-1], ONE_OF_EACH),)
        for seat in seats:
            yield (DraftPrompt(seat, left), *turns)
    draws = tuple(DrawPrompt(seat) for seat in seats)
    yield (DealPrompt(), *draws, *drafts, *turns)
    yield from ((*draws[seat:], *drafts, *turns) for seat in seats)


def _setup(state: GameState) -> Iterator[Problem]:
    top = state.prompt
    yield from _compare(state, _agendas_of_the_setup(state))
    missing = SITES[len(state.players)] - len(state.display)
    if (missing > 0) is not isinstance(top, DealPrompt):
        yield problem(
            "display",
            Impossible.SITES_EMPTY,
            f"{missing} sites have no building at this point",
            "SET-25",
            sites=missing,
        )
    for path, is_there in (("active", state.active), ("valette", state.valette)):
        if is_there:
            yield problem(
                path,
                Impossible.TOO_EARLY,
                f"nobody has moved yet, and this is {is_there}",
                "SET-21",
                found=is_there,
            )
    if state.played:
        yield problem("played", Impossible.TOO_EARLY, "nobody has played a card yet", "SET-1")
    for seat, player in enumerate(state.players):
        yield from _fresh(seat, player)
        yield from _opening_hand(top, seat, player)
    yield from _drafted(state, top)


def _fresh(seat: int, player: Player) -> Iterator[Problem]:
    """Find what a player cannot have before his first turn."""
    for name, thing in (
        ("discard_pile", player.discard_pile),
        ("built", player.built),
        ("upgraded", player.upgraded),
        ("score", player.score),
        ("shown", player.shown),
    ):
        if thing:
            yield problem(
                f"players[{seat}].{name}",
                Impossible.TOO_EARLY,
                "this player has had no turn yet",
                "SET-18",
            )


def _opening_hand(top: Prompt | None, seat: int, player: Player) -> Iterator[Problem]:
    """Find an opening hand with too few or too many cards: they are drawn seat by seat."""
    match top:
        case DealPrompt():
            sizes = range(1)
        case DrawPrompt(drawing) if drawing < seat:
            sizes = range(1)
        case DrawPrompt(drawing) if drawing == seat:
            sizes = range(HAND_SIZE)
        case _:
            sizes = range(HAND_SIZE, HAND_SIZE + 1)
    if len(player.hand) not in sizes:
        message = f"this hand cannot hold {len(player.hand)} cards at this point"
        yield problem(
            f"players[{seat}].hand", Impossible.HAND_SIZE, message, "SET-15", found=len(player.hand)
        )


def _drafted(state: GameState, top: Prompt | None) -> Iterator[Problem]:
    """Find goods that do not come out of the set of one good each that goes round."""
    left = ONE_OF_EACH
    for seat in reversed(state.seats):
        extra = state.players[seat].goods - ONE_OF_EACH
        took = isinstance(top, DraftPrompt) and seat > top.seat
        if extra.total != took or min(extra) < 0 or not left.covers(extra):
            message = f"{state.players[seat].goods} cannot be what is owned at this point"
            yield problem(
                f"players[{seat}].goods",
                Impossible.DRAFTED,
                message,
                "SET-22" if took else "SET-20",
                found=state.players[seat].goods,
            )
        else:
            left -= extra
    if isinstance(top, DraftPrompt) and top.goods != left:
        yield problem(
            "agenda[0].goods",
            Impossible.DRAFTED,
            f"{left} must be left of the set",
            "SET-22",
            left=left,
        )


def _over(state: GameState) -> Iterator[Problem]:
    yield from _compare(state, [()])
    if state.played:
        yield problem("played", Impossible.TOO_LATE, "the game is over", "FIN-16")
    for seat, player in enumerate(state.players):
        for name, cards in (("hand", player.hand), ("draw_pile", player.draw_pile)):
            if cards:
                message = "the game is over, and no card can be left to play"
                yield problem(f"players[{seat}].{name}", Impossible.TOO_LATE, message, "FIN-16")


def _triggered(state: GameState) -> Iterator[Problem]:
    if not end_conditions(state):
        message = f"no condition for the final phase is fulfilled, and this is {state.phase}"
        yield problem("phase", Impossible.NOT_TRIGGERED, message, "FIN-4")


def _not_yet_triggered(state: GameState) -> Iterator[Problem]:
    """Find a final phase that should have begun: only this turn can have triggered it."""
    for seat, player in enumerate(state.players):
        if seat != state.active or _is_fresh_turn(state):
            if player.score >= TRIGGERING_SCORE:
                message = "the final phase should have begun with this score"
                yield problem(
                    f"players[{seat}].score",
                    Impossible.TRIGGERED,
                    message,
                    "FIN-2",
                    found=player.score,
                )
            if len(player.built) >= HOUSES_PER_PLAYER:
                message = "the final phase should have begun with the eighth house"
                yield problem(
                    f"players[{seat}].built",
                    Impossible.TRIGGERED,
                    message,
                    "FIN-3",
                    found=len(player.built),
                )
    moved = Character.VALETTE in state.played or isinstance(state.prompt, DrawPrompt)
    if state.valette == LAST_SPACE and not moved:
        yield problem(
            "valette",
            Impossible.TRIGGERED,
            "the final phase should have begun on this space",
            "FIN-1",
            space=state.valette,
        )


def _is_fresh_turn(state: GameState) -> bool:
    return isinstance(state.prompt, PlayPrompt) and not state.played


def _refilled(state: GameState) -> Iterator[Problem]:
    """Find hands that have not been refilled as far as they could be.

    During a turn the hand of its player has as many cards as he held at first, less those played
    and dismissed, and those gained on top.
    """
    for seat, player in enumerate(state.players):
        final = state.phase is Phase.FINAL
        was_full = bool(player.draw_pile or (player.discard_pile and not final))
        fewest = HAND_SIZE if was_full else 0
        most = HAND_SIZE
        if seat == state.active:
            if isinstance(state.prompt, DrawPrompt):
                continue
            gains, losses = _gains_and_losses(state)
            fewest -= len(state.played) + losses
            most += gains - len(state.played)
        if not fewest <= len(player.hand) <= most:
            message = f"this hand cannot hold {len(player.hand)} cards at this point"
            yield problem(
                f"players[{seat}].hand",
                Impossible.HAND_SIZE,
                message,
                "TRN-17",
                found=len(player.hand),
            )


def _gains_and_losses(state: GameState) -> tuple[int, int]:
    """Return how many cards the player may have gained and dismissed this turn, at most."""
    played = state.played
    copied = [stands_for(state.rules, played[:at], card) for at, card in enumerate(played)]
    pending = [type(step) for step in state.agenda]
    gains = sum(card in REDUCTIONS or card is Character.VALETTE for card in copied)
    gains -= any(each in pending for each in (SitePrompt, PaymentPrompt, ValettePrompt))
    losses = copied.count(Character.VALETTE) - (ValettePrompt in pending)
    return gains, losses


def _turn(state: GameState) -> Iterator[Problem]:
    if len(state.played) > PLAYS_PER_TURN:
        message = f"{PLAYS_PER_TURN} cards are played in a turn, not {len(state.played)}"
        yield problem(
            "played",
            Impossible.TOO_MANY_PLAYED,
            message,
            "TRN-2",
            found=len(state.played),
            most=PLAYS_PER_TURN,
        )
    elif state.played and isinstance(state.prompt, DrawPrompt):
        yield problem(
            "played",
            Impossible.NOT_DISCARDED,
            "the played cards have been discarded at this point",
            "TRN-16",
        )
    yield from _compare(state, _agendas_of_a_turn(state))
    if _is_first_turn(state):
        for seat in range(state.active + 1, len(state.players)):
            yield from _fresh(seat, state.players[seat])


def _is_first_turn(state: GameState) -> bool:
    """Tell whether the agenda shows that this is one of the staggered first turns."""
    if Turn(1, STAGGERED_PLAYS[1]) in state.agenda:
        return True
    plays = sum(step.plays for step in state.agenda if isinstance(step, PlayPrompt))
    return state.active == 1 and plays > 0 and len(state.played) + plays < PLAYS_PER_TURN


def _agendas_of_a_turn(state: GameState) -> Iterator[tuple[Step, ...]]:
    """Run through every agenda that is possible during a turn, as far as the cards played tell."""
    active = state.active
    staggered = state.rules.has_staggered_start and state.phase is Phase.MAIN
    refill = (DrawPrompt(active), PassTurn(active))
    yield refill
    if staggered and active == 0:
        yield (*refill, Turn(1, STAGGERED_PLAYS[1]))
    for plays in range(PLAYS_PER_TURN - len(state.played) + 1):
        total = len(state.played) + plays
        rest: tuple[Step, ...] = (EndTurn(active),)
        if plays:
            rest = (PlayPrompt(active, plays), *rest)
        if staggered and (active, total) == (0, STAGGERED_PLAYS[0]):
            rest = (*rest, Turn(1, STAGGERED_PLAYS[1]))
        elif total != PLAYS_PER_TURN and not (
            staggered and (active, total) == (1, STAGGERED_PLAYS[1])
        ):
            continue
        for effect in _effects_under_way(state):
            if effect or plays:
                yield (*effect, *rest)


def _effects_under_way(state: GameState) -> Iterator[tuple[Step, ...]]:
    """Run through what may be left to be done of the effect of the card played last."""
    yield ()
    if not state.played:
        return
    seat = state.active
    two_players = len(state.players) == 2
    card = stands_for(state.rules, state.played[:-1], state.played[-1])
    if card is None:
        return
    effect = EFFECTS[card]
    if effect.reduction is not None:
        yield (SitePrompt(seat, effect.reduction),)
        yield from _payments_under_way(state, effect.reduction)
    elif effect.asks is not None:
        yield (effect.asks(seat),)
    elif card is Character.VALETTE:
        yield (ValettePrompt(seat),)
        if state.valette in barrel_spaces(state.rules, len(state.players)):
            yield BarrelPrompt(seat), ValettePrompt(seat)
    elif card in BONUS_CLAUSES:
        asked = state.opponents_of(seat) if card is Character.MONK else ()
        gifts = tuple(MonkPrompt(opponent, seat) for opponent in asked)
        bonus = (BonusPrompt(seat, card),) if two_players else ()
        for given in range(len(gifts) + 1):
            yield (*gifts[given:], *bonus)


def _payments_under_way(state: GameState, reduction: Goods) -> Iterator[tuple[Step, ...]]:
    """Find the question for payment, if one is asked and its site and price are right."""
    top, seat = state.prompt, state.active
    if not isinstance(top, PaymentPrompt) or not 0 <= top.site < len(state.display):
        return
    player, owner = state.players[seat], owner_of(state, top.site)
    if owner is None and len(player.built) < HOUSES_PER_PLAYER:
        price = building_price(state, seat, top.site, reduction)
        yield (PaymentPrompt(seat, top.site, price),)
    elif owner == seat and top.site not in player.upgraded:
        yield (PaymentPrompt(seat, top.site, upgrade_price(state, top.site, reduction)),)


def problems_of_the_question(state: GameState) -> Iterator[Problem]:
    """Find a question to which there is no answer, or none but to decline; it is never asked."""
    prompt = state.prompt
    if prompt is None:
        return
    rule, asking = RULES[type(prompt)], _asking(prompt)
    if isinstance(prompt, PaymentPrompt):  # the answers are not counted: there may be many
        in_vain = not can_pay(state.players[prompt.seat].goods, prompt.price)
    elif asking is not None:
        in_vain = not asking.can_do_something(state, state.active)
    else:
        stands = rule.still_stands(state, prompt)
        in_vain = not stands or rule.legal(state, prompt) in ((), (DECLINE,))
    if in_vain:
        message = f"{type(prompt).__name__} asks for something that cannot be done here"
        yield problem("agenda[0]", Impossible.IN_VAIN, message, prompt=type(prompt).__name__)


def _asking(prompt: Prompt) -> Effect | None:
    """Return the effect that does nothing but ask a question, if there is one."""
    effects = (effect for effect in EFFECTS.values() if effect.reduction is None)
    return next((effect for effect in effects if effect.asks is type(prompt)), None)
