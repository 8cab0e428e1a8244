"""The engine: the legal actions in a position, and the positions that they lead to.

The engine contains no rules of the game. For an answer, it calls the rule that handles the prompt.
Then it runs the steps that need no answer, up to the next prompt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NoReturn

import attrs

from valletta_rules import errors
from valletta_rules.actions import ACTION_TYPES, DECLINE, Action, Decline
from valletta_rules.agenda import Agenda, EndTurn, PassTurn, Prompt, Step, Turn
from valletta_rules.components import Value, abbreviated
from valletta_rules.events import Event, Log
from valletta_rules.rulebook import blue, building, red, setup, turn, valette, yellow
from valletta_rules.rulebook.effects import ChanceRule, Rule
from valletta_rules.state import Form, GameState, S, has_another_form, need_position

_ACTIONS: Final = frozenset(ACTION_TYPES)

RULES: Final[Mapping[type[Step], Rule[Any, Any]]] = MappingProxyType(
    {
        **setup.RULES,
        **turn.RULES,
        **red.RULES,
        **building.RULES,
        **valette.RULES,
        **blue.RULES,
        **yellow.RULES,
    }
)
"""The rules of the game that handle the answers to prompts, keyed by the type of prompt."""

CHANCE_RULES: Final[Mapping[type[Step], ChanceRule[Any, Any]]] = MappingProxyType(
    {prompt: rule for prompt, rule in RULES.items() if isinstance(rule, ChanceRule)}
)
"""The part of `RULES` for prompts that chance answers."""

STEP_HANDLERS: Final[Mapping[type[Step], Callable[[GameState, Any, Agenda, Log], GameState]]] = (
    MappingProxyType(
        {
            Turn: turn.begin_turn,
            EndTurn: turn.end_turn,
            PassTurn: turn.pass_turn,
        }
    )
)
"""A mapping from each type of step that is not a prompt to the function that carries it out."""


@attrs.frozen
class Transition(Value):
    """The result of an action: the new position and the events that led to it."""

    state: GameState
    """The new position."""
    events: tuple[Event, ...]
    """The events, in order."""


def legal_actions(state: GameState | Form) -> tuple[Action, ...]:
    """Return every legal answer to the prompt of a position, sorted and without duplicates.

    At a prompt for chance, the answers are the possible outcomes. The result is empty only if the
    game is over. The position must be valid: `valletta_rules.problems_of` must return no problems.
    Raises `BrokenInvariantError` if the prompt has no legal answer, which cannot happen in a game,
    and `TypeError` if `state` is not a position.
    """
    if type(state) is not GameState:
        form: Any = state
        try:
            return form.list_actions() or _nothing_legal(form.prompt)
        except AttributeError:
            if has_another_form(state):
                raise
    prompt = need_position(state).prompt
    return () if prompt is None else legal_answers(state, prompt)


def legal_answers(position: Any, prompt: Prompt) -> tuple[Action, ...]:
    """Return every legal answer to a prompt, sorted and without duplicates.

    If the prompt is for a seat, `position` may also be the `Table` in the view of this seat,
    because the legal answers do not depend on hidden information. Raises `BrokenInvariantError` if
    there is no legal answer.
    """
    return RULES[type(prompt)].legal(position, prompt) or _nothing_legal(prompt)


def _nothing_legal(prompt: Prompt | None) -> tuple[Action, ...]:
    """Return an empty tuple if the game is over, otherwise raise `BrokenInvariantError`."""
    if prompt is not None:
        raise errors.BrokenInvariantError(f"{prompt!r} has no legal answer")
    return ()


def check(state: GameState | Form, action: Action) -> errors.Violation | None:
    """Return the violation of an illegal action, or `None` if the action is legal.

    This function does not enumerate the legal actions. Raises `MalformedActionError` if `action` is
    not an action or contains a site or building that this game does not have, and `TypeError` if
    `state` is not a position.
    """
    if has_another_form(state):
        return None if state.allows(action) else check(state.unpack(), action)
    state = need_position(state)
    if type(action) not in _ACTIONS:
        raise errors.MalformedActionError(f"not an action: {abbreviated(action)}")
    prompt = state.prompt
    if prompt is None:
        return errors.violation("FIN-16", errors.Code.GAME_OVER, "the game is over")
    if type(action) not in prompt.answers:
        rule = RULES[type(prompt)]
        offered = [
            each
            for each in prompt.answers
            if each is not Decline or rule.check(state, prompt, DECLINE) is None
        ]
        wanted = " or ".join(map(_deed, offered))
        return errors.violation(
            prompt.clause,
            errors.Code.WRONG_KIND,
            f"the answer must be {wanted}, not {_deed(type(action))}",
            prompt=type(prompt).__name__,
            action=type(action).__name__,
        )
    return RULES[type(prompt)].check(state, prompt, action)


def _deed(kind: type) -> str:
    """Return the name of a type of action as words: ``to play a card`` for `PlayCard`."""
    verb, *noun = re.findall("[A-Z][a-z]*", kind.__name__)
    article = " a" if noun and not noun[0].endswith("s") else ""
    return " ".join(["to", f"{verb}{article}", *noun]).lower()


def apply(state: S, action: Action) -> S:
    """Return the position after an action. The given position stays unchanged.

    Raises `IllegalActionError`, which contains the violation, if the action is illegal, and
    `MalformedActionError` if it is malformed.
    """
    if type(state) is not GameState:
        form: Any = state
        try:
            after: S = form.position_after(action) or _refused(form, action)
            return after
        except AttributeError:
            if has_another_form(state):
                raise
    position = need_position(state)
    _require_legal(position, action)
    return run(answer(position, action, None), None)  # type: ignore[return-value]  # S is its type


def transition(state: GameState, action: Action) -> Transition:
    """Return the position after an action, and the events that led to it.

    Raises `IllegalActionError` and `MalformedActionError`, as `apply` does.
    """
    need_position(state)
    _require_legal(state, action)
    log: list[Event] = []
    return Transition(run(answer(state, action, log), log), tuple(log))


def _refused(state: Form, action: Action) -> NoReturn:
    """Raise the error for an action that `Form.position_after` has rejected."""
    _require_legal(state.unpack(), action)
    raise errors.BrokenInvariantError(
        f"{abbreviated(action)} is legal according to the rules, but {state!r} rejects it"
    )


def _require_legal(state: GameState, action: Action) -> None:
    if (violation := check(state, action)) is not None:
        raise errors.IllegalActionError(violation)


def answer(state: GameState, action: Action, log: Log) -> GameState:
    """Return the position after an action, before the engine runs steps that need no answer.

    The action must be legal. This function does not check it.
    """
    prompt = state.agenda[0]
    return RULES[type(prompt)].resolve(state, prompt, action, log)


def run(state: GameState, log: Log) -> GameState:
    """Run steps that need no answer until the next step is a prompt or the game is over.

    A prompt that is no longer necessary is skipped.
    """
    agenda = state.agenda
    while agenda:
        step = agenda[0]
        rule = RULES.get(type(step))
        if rule is None:
            state = STEP_HANDLERS[type(step)](state, step, agenda[1:], log)
            agenda = state.agenda
        elif rule.still_stands(state, step):
            break
        else:
            agenda = agenda[1:]
    return state if agenda is state.agenda else state.replace(agenda=agenda)


def begin(state: GameState) -> GameState:
    """Run the steps before the first prompt of a new game, and return the position."""
    return run(state, None)
