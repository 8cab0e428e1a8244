"""Bots: players that take views and return actions."""

from valletta_rules.bots.protocol import Bot, Explains, Plan, Remembers
from valletta_rules.bots.registry import LEVELS, BotSpecError, bot_names, make_bot, normalise
from valletta_rules.bots.value import expected_points

__all__ = [
    "LEVELS",
    "Bot",
    "BotSpecError",
    "Explains",
    "Plan",
    "Remembers",
    "bot_names",
    "expected_points",
    "make_bot",
    "normalise",
]
