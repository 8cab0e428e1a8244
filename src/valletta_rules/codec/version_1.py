"""Documents of the first version of the format, put into the form of the second.

The first version named the buildings of a display by their codes in the card set, which it always
wrote in full, and prompts did not tell their clauses.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Final, get_args

from valletta_rules.agenda import BONUS_CLAUSES, BonusPrompt, Prompt
from valletta_rules.components.display import MAX_SITES

_CLAUSES: Final = {
    prompt.__name__: prompt.clause for prompt in get_args(Prompt) if prompt is not BonusPrompt
}
"""The clauses of all prompts but one."""

_BONUS_CLAUSES: Final = {card.value: clause for card, clause in BONUS_CLAUSES.items()}
"""The clauses of that one."""


def upgraded(kind: str, value: Any) -> Any:
    """Return the value of a document of the first version as it stands in one of the second.

    What does not have the form that it should have is left as it is: the reader will say so.
    """
    match kind, value:
        case "GameState", {}:
            return _board(_with_agenda(value))
        case "Transition", {"state": state}:
            return _changed(value, state=upgraded("GameState", state))
        case "PlayerView", {"table": table}:
            return _changed(_with_agenda(value), table=_board(table))
        case "Prompt", _:
            return _step(value)
    return value


def _changed(value: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return an object with some entries exchanged, and everything else that is said of it."""
    changed = copy(value)
    changed.update(changes)
    return changed


def _board(value: Any) -> Any:
    """Write out the buildings of the display."""
    match value:
        case {"display": [*codes], "cards": {"buildings": [*buildings]}} if len(codes) <= MAX_SITES:
            designs = {each["code"]: each for each in buildings if _has_code(each)}
            shown = [designs.get(code, code) if isinstance(code, str) else code for code in codes]
            return _changed(value, display=shown)
    return value


def _has_code(building: Any) -> bool:
    return isinstance(building, dict) and isinstance(building.get("code"), str)


def _with_agenda(value: dict[str, Any]) -> dict[str, Any]:
    match value:
        case {"agenda": [*steps]}:
            return _changed(value, agenda=[_step(step) for step in steps])
    return value


def _step(value: Any) -> Any:
    """Add its clause to a prompt."""
    match value:
        case {"type": "BonusPrompt", "character": str(card)} if card in _BONUS_CLAUSES:
            return _changed(value, clause=_BONUS_CLAUSES[card])
        case {"type": str(name)} if name in _CLAUSES:
            return _changed(value, clause=_CLAUSES[name])
    return value
