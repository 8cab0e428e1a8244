"""Bots: players that receive views of a game and return actions."""

from valletta_rules.bots.protocol import Bot as Bot
from valletta_rules.bots.protocol import Explains as Explains
from valletta_rules.bots.protocol import Plan as Plan
from valletta_rules.bots.protocol import Remembers as Remembers
from valletta_rules.bots.registry import LEVELS as LEVELS
from valletta_rules.bots.registry import BotSpecError as BotSpecError
from valletta_rules.bots.registry import bot_names as bot_names
from valletta_rules.bots.registry import make_bot as make_bot
from valletta_rules.bots.registry import normalise as normalise
from valletta_rules.bots.value import expected_points as expected_points
