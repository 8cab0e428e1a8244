"""Bots by name: a text such as ``rollouts:turns=4,worlds=20`` names a bot and its options.

The options of a bot are the parameters of its *factory*, the callable that makes it, after the
generator.  Each has a default, which determines its type: an integer, a number, ``true`` or
``false``, or a word.

A bot of your own is named by its module and its name there, ``my_module:MyBot``, and options may
follow after another colon.  Other packages add bots by entry points in the group
``valletta_rules.bots``: the entry point has the bot's name and refers to a factory.  It is loaded
only when its bot is named.
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
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import UnfitError, nearest, plain, quoted

GROUP: Final = "valletta_rules.bots"
"""The entry point group for other packages' bots."""

Option = bool | int | float | str
"""The value of an option."""

Factory = Callable[..., protocol.Bot]
"""A callable that makes a bot from a random generator and named options, all with defaults."""

REDUCED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "expert": "rollouts:plans=3,turns=1,worlds=3",
        "master": "rollouts:plans=6,rounds=2,turns=1,worlds=3",
    }
)
"""The bots of the levels that would take too long without the native backend.

They play in fewer worlds, and more weakly; no decision takes more than about two seconds.
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
"""The difficulty levels for people, from the weakest to the strongest, with the bot of each."""


def is_reduced(level: str) -> bool:
    """Return whether a level plays more weakly because the native backend is not available."""
    return LEVELS.get(level) == REDUCED.get(level, "")


def _level(spec: str) -> Factory:
    """Return the factory for the bot of a level, which has no options."""
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
"""The bots of this package.  An entry point cannot override their names."""


class BotSpecError(UnfitError):
    """A text that names no bot, or gives it an unknown option."""


def make_bot(spec: str, rng: random.Random) -> protocol.Bot:
    """Return a new bot from a text such as ``random`` or ``rollouts:worlds=20``.

    `rng` is a generator for the bot alone.  Raises `BotSpecError` if there is no such bot, if an
    option or its value is not allowed, or if it cannot be loaded.
    """
    name, options = _read(spec)
    try:
        bot = factory_of(name)(rng, **options)
    except ValueError as error:
        raise BotSpecError(f"{quoted(spec)}: {error}") from error
    if not isinstance(bot, protocol.Bot):
        raise BotSpecError(f"{quoted(spec)} makes {abbreviated(bot)}, which has no method decide")
    return bot


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots: those of this package, then those of others."""
    return (*BUILT_IN, *sorted(others()))


def normalise(spec: str) -> str:
    """Return the canonical form of a bot's text.

    Options are in alphabetical order, and those with their default value are omitted.  Raises
    `BotSpecError` as `make_bot` does, except for errors that only making the bot reveals.
    """
    name, options = _read(spec)
    usual = options_of(name)
    written = [
        f"{key}={write(options[key])}" for key in sorted(options) if options[key] != usual[key]
    ]
    return f"{name}:{','.join(written)}" if written else name


def split_specs(text: str) -> tuple[str, ...]:
    """Split a comma-separated list of bots: ``rollouts:plans=4,turns=2,random`` has two.

    An item with ``=`` and without ``:`` is an option of the bot before it.
    """
    specs: list[str] = []
    for item in text.split(","):
        if specs and "=" in item and ":" not in item:
            specs[-1] += f",{item}"
        else:
            specs.append(item)
    return tuple(specs)


def others() -> Mapping[str, EntryPoint]:
    """Return the entry points of other packages' bots by name, except names of bots here."""
    return {entry.name: entry for entry in installed() if entry.name not in BUILT_IN}


def installed() -> tuple[EntryPoint, ...]:
    """Return the entry points of all packages with bots, whatever their names."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda entry: entry.name))


def factory_of(name: str) -> Factory:
    """Return a bot's factory; raise `BotSpecError` if there is none, or it cannot be loaded."""
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
    """Return the object that a text such as ``my_module:MyBot`` names; raise `BotSpecError`."""
    module, _, attribute = name.partition(":")
    try:
        factory: Factory = getattr(import_module(module), attribute)
    except Exception as error:
        raise _not_loaded(name, error) from error
    return factory


def _not_loaded(name: str, error: Exception) -> BotSpecError:
    told = f"{type(error).__name__}: {error}"
    return BotSpecError(f"the bot {quoted(name)} cannot be loaded: {told}")


def options_of(name: str) -> Mapping[str, Option]:
    """Return a bot's options with their defaults.

    Raises `BotSpecError` if there is no such bot, if it cannot be loaded, or if a text cannot
    express the values of its options.
    """
    factory = factory_of(name)
    try:
        _, *options = _parameters(factory)
    except (TypeError, ValueError):
        raise BotSpecError(f"the bot {quoted(name)} is made by {factory!r}, no factory") from None
    for option in options:
        if type(option.default) not in (bool, int, float, str):
            raise BotSpecError(f"the bot {quoted(name)} has no default for {option.name}")
    return {option.name: option.default for option in options}


@lru_cache(maxsize=64)
def _parameters(factory: Factory) -> tuple[inspect.Parameter, ...]:
    return tuple(inspect.signature(factory).parameters.values())


# Reading and writing


def _read(spec: str) -> tuple[str, dict[str, Option]]:
    """Return the name in a text, and its options."""
    name, colon, rest = spec.partition(":")
    if (found := _OF_A_MODULE.fullmatch(spec)) and name not in bot_names():
        name, colon, rest = found.groups(default="")
    usual, options = options_of(name), dict[str, Option]()
    for item in rest.split(",") if colon else ():
        key, equals, value = item.partition("=")
        if not equals or not value:
            raise BotSpecError(f"{quoted(spec)}: {quoted(item)} is not of the form option=value")
        if key not in usual:
            known = f"; it has {', '.join(usual)}" if usual else ""
            message = f"{quoted(spec)}: {name} has no option {quoted(key)}{known}"
            raise BotSpecError(message, nearest(key, usual))
        if key in options:
            raise BotSpecError(f"{quoted(spec)}: {key} is given twice")
        try:
            options[key] = _value(value, usual[key])
        except ValueError as error:
            raise BotSpecError(f"{quoted(spec)}: {key} must be {error}") from None
    return name, options


def _value(text: str, usual: Option) -> Option:
    """Return an option's value from a text; raise `ValueError` with the expected form."""
    match usual:
        case bool():
            if text not in _TRUTHS:
                raise ValueError(f"true or false, not {quoted(text)}")
            return _TRUTHS[text]
        case str():
            if set(text) & set(":= \t\n"):
                raise ValueError(f"a word, not {quoted(text)}")
            return text
        case _:
            kind = "a whole number" if isinstance(usual, int) else "a number"
            try:
                number = type(usual)(text)
            except ValueError:
                raise ValueError(f"{kind}, not {quoted(text)}") from None
            if not math.isfinite(number):
                raise ValueError(f"{kind}, not {quoted(text)}")
            return number


def write(value: Option) -> str:
    """Return the text of an option's value."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return repr(value).removesuffix(".0")
        case _:
            return str(value)


_OF_A_MODULE: Final = re.compile(r"([\w.]+:[^\W\d]\w*)(?:(:)(.*))?", re.DOTALL)
"""A bot of a module, the colon after it, and its options."""

_TRUTHS: Final = MappingProxyType({"true": True, "false": False})
