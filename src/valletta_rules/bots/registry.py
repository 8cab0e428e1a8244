"""The registry of bots, which creates a bot from a string such as ``rollouts:turns=4,worlds=20``.

The string contains the name of the bot and its options.  A bot is created by its *factory*, a
callable.  The first parameter of the factory is the random generator, and all other parameters are
options.  Each option has a default, which determines its type: an integer, a number, ``true`` or
``false``, or a word.

The name of your own bot consists of its module and its name in the module: ``my_module:MyBot``.
Options follow after a second colon.  Other packages add bots with entry points in the group
``valletta_rules.bots``.  An entry point has the name of the bot and refers to its factory, which is
loaded only when the bot is used.
"""

from __future__ import annotations

import inspect
import math
import random
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final

import attrs

from valletta_rules import native
from valletta_rules.bots import amateur, automatic, planner, protocol, random_bot, rollouts
from valletta_rules.components.names import abbreviated
from valletta_rules.components.values import need
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import UnfitError, nearest, plain, quoted

GROUP: Final = "valletta_rules.bots"
"""The group of entry points for the bots of other packages."""

Option = bool | int | float | str
"""The type of an option's value."""

Factory = Callable[..., protocol.Bot]
"""A callable that creates a bot from a random generator and from options with defaults."""

REDUCED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "expert": "rollouts:plans=3,turns=1,worlds=3",
        "master": "rollouts:plans=6,rounds=2,turns=1,worlds=3",
    }
)
"""Weaker bots for the two highest levels, used if the native backend is not available.

The usual bots of these levels would be too slow.  The weaker bots use fewer rollouts, and need at
most about two seconds for a decision.
"""

LEVELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "novice": "amateur:overlook=0.4,hoard=0.35,solo=1",
        "casual": "amateur:overlook=0.27,rush=2,solo=0.8",
        "regular": "amateur:overlook=0.13,hoard=0.15,solo=0.5",
        "club": "amateur:overlook=0.07,solo=0.2",
        "strong": "rollouts:plans=2,turns=1,worlds=1",
        "expert": "rollouts:plans=6,rounds=2,worlds=4",
        "master": "rollouts:plans=12,rounds=4,worlds=8",
        **({} if native.available else REDUCED),
    }
)
"""The difficulty levels that people can choose, and their bots, from weakest to strongest."""


def is_reduced(level: str) -> bool:
    """Return whether the bot of a level is weaker because the native backend is not available."""
    return LEVELS.get(level) == REDUCED.get(level, "")


def _level(spec: str) -> Factory:
    """Return a factory for the bot that `spec` describes. The factory itself has no options."""
    return lambda rng: make_bot(spec, rng)


BUILT_IN: Final[Mapping[str, Factory]] = MappingProxyType(
    {
        "random": random_bot.RandomBot,
        "automatic": automatic.AutomaticBot,
        "amateur": amateur.AmateurBot,
        "planner": planner.PlannerBot,
        "rollouts": rollouts.RolloutsBot,
        **{level: _level(spec) for level, spec in LEVELS.items()},
    }
)
"""The factories of this package's bots, keyed by name.  Other packages cannot use these names."""


class BotSpecError(UnfitError):
    """Raised for a text that does not name an available bot, or contains an invalid option."""


def make_bot(spec: str, rng: random.Random) -> protocol.Bot:
    """Return a new bot from a string such as ``random`` or ``rollouts:worlds=20``.

    `rng` is the random generator of this bot.  Raises `BotSpecError` if the bot does not exist or
    cannot be loaded, or if an option or its value is invalid, and `TypeError` if `rng` is not a
    ``random.Random``.
    """
    need(rng, random.Random, "a random generator")
    name, options = _read(spec)
    try:
        bot = factory_of(name)(rng, **options)
    except ValueError as error:
        raise BotSpecError(f"{quoted(spec)}: {error}") from error
    if not isinstance(bot, protocol.Bot):
        raise BotSpecError(
            f"the factory of the bot {quoted(spec)} returned {abbreviated(bot)}, "
            "which has no method decide"
        )
    return bot


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots; the bots of this package come first."""
    return (*BUILT_IN, *sorted(others()))


def normalise(spec: str) -> str:
    """Return the canonical form of a string such as ``rollouts:worlds=20``.

    Options are sorted by name, and options with their default value are omitted.  Raises
    `BotSpecError` like `make_bot`, except for errors that only the factory detects.
    """
    name, options = _read(spec)
    usual = options_of(name)
    written = [
        f"{key}={write(options[key])}" for key in sorted(options) if options[key] != usual[key]
    ]
    return f"{name}:{','.join(written)}" if written else name


def split_specs(text: str) -> tuple[str, ...]:
    """Split a comma-separated list of bots: ``rollouts:plans=4,turns=2,random`` has two bots.

    An item with ``=`` and without ``:`` is an option of the preceding bot.
    """
    specs: list[str] = []
    for item in text.split(","):
        if specs and "=" in item and ":" not in item:
            specs[-1] += f",{item}"
        else:
            specs.append(item)
    return tuple(specs)


def others() -> Mapping[str, EntryPoint]:
    """Return the entry points of other packages' bots, keyed by name, without any in `BUILT_IN`."""
    return {entry.name: entry for entry in installed() if entry.name not in BUILT_IN}


def installed() -> tuple[EntryPoint, ...]:
    """Return the entry points for bots in all installed packages, sorted by name."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def factory_of(name: str) -> Factory:
    """Return the factory of the bot called `name`.

    Raises `BotSpecError` if the bot does not exist or cannot be loaded.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    if ":" in name:
        return _imported(name)
    if (entry := others().get(name)) is None:
        meant = nearest(name, bot_names())
        error = BotSpecError.of(Misspelling.NO_BOT, meant, word=plain(name))
        raise error if meant else attrs.evolve(error, known=bot_names())
    try:
        factory: Factory = entry.load()
    except Exception as error:
        raise _not_loaded(name, error) from error
    return factory


def _imported(name: str) -> Factory:
    """Import and return the factory that a string such as ``my_module:MyBot`` names.

    Raises `BotSpecError` if the import fails.
    """
    module, _, attribute = name.partition(":")
    try:
        factory: Factory = getattr(import_module(module), attribute)
    except Exception as error:
        raise _not_loaded(name, error) from error
    return factory


def _not_loaded(name: str, error: Exception) -> BotSpecError:
    reason = f"{type(error).__name__}: {error}"
    return BotSpecError(f"the bot {quoted(name)} cannot be loaded: {reason}")


def options_of(name: str) -> Mapping[str, Option]:
    """Return the defaults of a bot's options, keyed by the name of the option.

    Raises `BotSpecError` if the bot does not exist or cannot be loaded, or if an option has no
    default of a supported type.
    """
    factory = factory_of(name)
    try:
        _, *options = _parameters(factory)
    except (TypeError, ValueError):
        raise BotSpecError(
            f"the bot {quoted(name)} refers to {factory!r}, "
            "not to a function or class that creates a bot"
        ) from None
    for option in options:
        if type(option.default) not in (bool, int, float, str):
            raise BotSpecError(
                f"the option {option.name} of the bot {quoted(name)} needs a default "
                "that is a number, a string, True or False"
            )
    return {option.name: option.default for option in options}


@lru_cache(maxsize=64)
def _parameters(factory: Factory) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(factory).parameters.values())


# Reading and writing


def _read(spec: str) -> tuple[str, dict[str, Option]]:
    """Parse a string such as ``rollouts:worlds=20`` into the bot's name and its options."""
    need(spec, str, "the name of a bot")
    name, colon, rest = spec.partition(":")
    if (match := _OF_A_MODULE.fullmatch(spec)) and name not in bot_names():
        name, colon, rest = match.groups(default="")
    usual, options = options_of(name), dict[str, Option]()
    for item in rest.split(",") if colon else ():
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise BotSpecError(f"{quoted(spec)}: {quoted(item)} is not of the form option=value")
        if key not in usual:
            known = f"; its options are {', '.join(usual)}" if usual else ""
            message = f"{quoted(spec)}: {name} has no option {quoted(key)}{known}"
            raise BotSpecError(message, nearest(key, usual))
        if key in options:
            raise BotSpecError(f"{quoted(spec)}: the option {key} occurs twice")
        try:
            options[key] = _value(value, usual[key])
        except ValueError as error:
            raise BotSpecError(f"{quoted(spec)}: {key} {error}") from None
    return name, options


def _value(text: str, usual: Option) -> Option:
    """Parse the value of an option; `usual` is the option's default, which determines the type.

    Raises `ValueError`, with the expected form in its message, if the text is not a valid value.
    """
    match usual:
        case bool():
            if text not in _TRUTHS:
                raise ValueError(f"must be true or false, not {quoted(text)}")
            return _TRUTHS[text]
        case str():
            if set(text) & set(":= \t\n"):
                raise ValueError(f"must be a word without spaces, ':' or '=', not {quoted(text)}")
            return text
        case _:
            kind = "a whole number" if isinstance(usual, int) else "a number"
            try:
                number = type(usual)(text)
            except ValueError:
                raise ValueError(f"must be {kind}, not {quoted(text)}") from None
            if not math.isfinite(number):
                raise ValueError(f"must be {kind}, not {quoted(text)}")
            return number


def write(value: Option) -> str:
    """Format the value of an option as it follows ``=`` in ``rollouts:worlds=20``."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value).removesuffix(".0")
        case _:
            return str(value)


_OF_A_MODULE: Final = re.compile(r"([\w.]+:[^\W\d]\w*)(?:(:)(.*))?", re.DOTALL)
"""A pattern for a string such as ``my_module:MyBot:depth=2``.  Groups: name, colon, options."""

_TRUTHS: Final = MappingProxyType({"true": True, "false": False})
