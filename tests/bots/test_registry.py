"""Tests of the registry, which creates bots from specifications such as "planner:beam=30"."""

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
    """A bot of another package, with an option of each supported type."""

    def __init__(
        self,
        rng: random.Random,
        worlds: int = 20,
        noise: float = 0.5,
        bold: bool = False,
        policy: str = "most",
    ) -> None:
        """Store the values of the options. `worlds` must be at least 1."""
        super().__init__(rng)
        if worlds < 1:
            raise ValueError("worlds must be 1 or more")
        self.given = worlds, noise, bold, policy


def without_default(rng: random.Random, worlds: int) -> Bot:
    """Create a bot. The registry rejects this factory, because its option has no default."""
    return Fussy(rng, worlds)


NO_FACTORY = 3

MODULE = "tests.bots.test_registry"
ENTRIES = {
    "fussy": f"{MODULE}:Fussy",
    "gone": "tests.bots.gone:Bot",
    "automatic": f"{MODULE}:Fussy",
    "undecided": f"{MODULE}:without_default",
    "number": f"{MODULE}:NO_FACTORY",
}


@pytest.fixture(autouse=True)
def _entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate entry points of installed packages. Some of them are broken."""

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in ENTRIES.items()]

    monkeypatch.setattr(registry, "entry_points", entry_points)


def test_built_in_bots_are_listed_first_and_other_packages_cannot_override_their_names() -> None:
    """In the test, another package has an entry point with the name `automatic`."""
    names = bot_names()
    assert names[:2] == ("random", "automatic")
    assert len(set(names)) == len(names)
    assert {"fussy", "gone"} <= set(names)
    assert isinstance(make_bot("automatic", RNG), AutomaticBot)


def test_the_options_in_a_bot_specification_are_converted_to_the_types_of_their_defaults() -> None:
    """The types are integer, float, boolean and string."""
    bot = make_bot("fussy:bold=true,noise=2,policy=least,worlds=3", RNG)
    assert isinstance(bot, Fussy)
    assert bot.given == (3, 2.0, True, "least")
    assert isinstance(bot.given[1], float)
    assert dict(registry.options_of("random")) == {}


@pytest.mark.parametrize(("spec", "message"), SPECS["refused"])
def test_an_invalid_bot_specification_raises_an_error_that_names_the_mistake(
    spec: str, message: str
) -> None:
    """The message suggests the most similar name, or states the type of a valid value."""
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
def test_a_bot_specification_and_its_normal_form_create_bots_with_equal_options(
    options: dict[str, Any], shuffler: random.Random
) -> None:
    """The normal form does not depend on the order in which options are written."""
    items = [f"{key}={str(value).lower()}" for key, value in options.items()]
    shuffled = shuffler.sample(items, len(items))
    spec, other = (f"fussy:{','.join(each)}".removesuffix(":") for each in (items, shuffled))
    normal = normalise(spec)
    assert normal == normalise(other) == normalise(normal)
    bots = [make_bot(each, RNG) for each in (spec, normal)]
    assert len({bot.given for bot in bots if isinstance(bot, Fussy)}) == 1


@pytest.mark.parametrize(("spec", "normal"), SPECS["normal"])
def test_the_normal_form_of_a_bot_specification_omits_defaults_and_sorts_options(
    spec: str, normal: str
) -> None:
    """Specifications of a bot with equal options therefore have equal normal forms."""
    assert normalise(spec) == normal


@pytest.mark.parametrize(("text", "specs"), SPECS["split"])
def test_a_list_of_bot_specifications_is_split_only_at_commas_between_bots(
    text: str, specs: list[str]
) -> None:
    """Commas also separate the options of a bot.

    An item with "=" but without ":" is such an option.
    """
    assert registry.split_specs(text) == tuple(specs)


def test_any_object_with_a_method_decide_is_a_bot() -> None:
    """The class of the object need not inherit from the protocol `Bot`."""

    class Mine:
        def decide(self, view: PlayerView) -> Action:
            return view.legal_actions[0]

    assert isinstance(Mine(), Bot)
    assert not isinstance(object(), Bot)


def test_without_the_native_backend_only_expert_and_master_search_less() -> None:
    """These levels would be too slow otherwise. With the backend, every level searches fully."""
    reduced = {level for level in registry.LEVELS if registry.is_reduced(level)}
    assert reduced == (set() if native.available else set(registry.REDUCED))
    assert registry.REDUCED.keys() == {"expert", "master"}
    assert all(normalise(spec) == spec for spec in registry.REDUCED.values())


@pytest.mark.parametrize("level", registry.REDUCED)
def test_a_reduced_level_searches_at_most_200_turns_for_a_decision(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python searches a turn in 2 to 5 ms, so a decision takes about one second."""
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
