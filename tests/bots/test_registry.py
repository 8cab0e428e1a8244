"""Bots by name."""

import random
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from valletta_rules import Action, PlayerView, native, new_game, resolve_chance, view
from valletta_rules.bots import (
    Bot,
    BotSpecError,
    bot_names,
    make_bot,
    normalise,
    registry,
    rollouts,
)
from valletta_rules.bots.automatic import AutomaticBot
from valletta_rules.bots.random_bot import RandomBot
from valletta_rules.bots.turns import Line, lines

RNG = random.Random(0)

SPECS = tomllib.loads(Path(__file__).with_name("specs.toml").read_text("utf-8"))


class Fussy(RandomBot):
    """A bot of another package, with an option of every type."""

    def __init__(
        self,
        rng: random.Random,
        worlds: int = 20,
        noise: float = 0.5,
        bold: bool = False,
        policy: str = "most",
    ) -> None:
        """Set options of every type."""
        super().__init__(rng)
        if worlds < 1:
            raise ValueError("worlds must be 1 or more")
        self.given = worlds, noise, bold, policy


def without_default(rng: random.Random, worlds: int) -> Bot:
    """Make a bot with an option that has no default."""
    return Fussy(rng, worlds)


NO_FACTORY = 3

HERE = "tests.bots.test_registry"
ENTRIES = {
    "fussy": f"{HERE}:Fussy",
    "gone": "tests.bots.gone:Bot",
    "automatic": f"{HERE}:Fussy",
    "undecided": f"{HERE}:without_default",
    "number": f"{HERE}:NO_FACTORY",
}


@pytest.fixture(autouse=True)
def _entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install packages with bots of their own, some of them broken."""

    def found(*, group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in ENTRIES.items()]

    monkeypatch.setattr(registry, "entry_points", found)


def test_bots_of_the_package_come_first_and_once() -> None:
    """No entry point can override a built-in name."""
    names = bot_names()
    assert names[:2] == ("random", "automatic")
    assert len(set(names)) == len(names)
    assert {"fussy", "gone"} <= set(names)
    assert isinstance(make_bot("automatic", RNG), AutomaticBot)


def test_options_have_the_types_of_their_defaults() -> None:
    """Integers, numbers, booleans and words are parsed for the factory."""
    bot = make_bot("fussy:bold=true,noise=2,policy=least,worlds=3", RNG)
    assert isinstance(bot, Fussy)
    assert bot.given == (3, 2.0, True, "least")
    assert isinstance(bot.given[1], float)
    assert dict(registry.options_of("random")) == {}


@pytest.mark.parametrize(("spec", "message"), SPECS["refused"])
def test_errors_in_a_spec_are_explained(spec: str, message: str) -> None:
    """Unknown names and options are refused with the nearest one, and values by their type."""
    with pytest.raises(BotSpecError) as refused:
        make_bot(spec, RNG)
    assert message in str(refused.value)
    assert refused.value.code == "bot-spec"


OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "worlds": st.integers(1, 10**6),
    "noise": st.floats(allow_nan=False, allow_infinity=False),
    "bold": st.booleans(),
    "policy": st.text("abcxyz_-.", min_size=1),
}


@given(st.fixed_dictionaries({}, optional=OPTIONS), st.randoms(use_true_random=False))
def test_the_normal_form_makes_the_same_bot(
    options: dict[str, Any], shuffler: random.Random
) -> None:
    """The order of the options does not matter."""
    items = [f"{key}={str(value).lower()}" for key, value in options.items()]
    shuffled = shuffler.sample(items, len(items))
    spec, other = (f"fussy:{','.join(each)}".removesuffix(":") for each in (items, shuffled))
    normal = normalise(spec)
    assert normal == normalise(other) == normalise(normal)
    bots = [make_bot(each, RNG) for each in (spec, normal)]
    assert len({bot.given for bot in bots if isinstance(bot, Fussy)}) == 1


@pytest.mark.parametrize(("spec", "normal"), SPECS["normal"])
def test_defaults_are_left_out_and_options_sorted(spec: str, normal: str) -> None:
    """The normal form is the shortest."""
    assert normalise(spec) == normal


@pytest.mark.parametrize(("text", "specs"), SPECS["split"])
def test_a_list_with_commas_is_split_between_bots(text: str, specs: list[str]) -> None:
    """An item with = and no : belongs to the bot before it."""
    assert registry.split_specs(text) == tuple(specs)


def test_a_bot_may_be_any_object_that_decides() -> None:
    """An object with the method is a bot, without inheritance."""

    class Mine:
        def decide(self, view: PlayerView) -> Action:
            return view.legal_actions[0]

    assert isinstance(Mine(), Bot)
    assert not isinstance(object(), Bot)


def test_levels_that_take_long_are_reduced_without_the_native_backend() -> None:
    """Only those are reduced; a reduced level names a bot, too."""
    reduced = {level for level in registry.LEVELS if registry.is_reduced(level)}
    assert reduced == (set() if native.available else set(registry.REDUCED))
    assert registry.REDUCED.keys() == {"expert", "master"}
    assert all(normalise(spec) == spec for spec in registry.REDUCED.values())


@pytest.mark.parametrize("level", registry.REDUCED)
def test_a_reduced_level_searches_few_turns(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision takes about a second of Python: 200 turns at 2 to 5 ms each."""
    searched = list[int]()

    def count(*given: Any, **options: Any) -> list[Line]:
        searched.append(1)
        return lines(*given, **options)

    monkeypatch.setattr(native, "available", False)
    monkeypatch.setattr(rollouts, "lines", count)
    state = resolve_chance(new_game(4), random.Random(1))
    assert state.prompt is not None
    make_bot(registry.REDUCED[level], random.Random(1)).decide(view(state, state.prompt.seat))
    assert 0 < len(searched) <= 200
