"""Tests of `valletta bots`, which lists bots and levels, and of the option `--bots`."""

from importlib.metadata import EntryPoint

import pytest

from valletta_rules.bots import registry
from valletta_rules.cli.main import main
from valletta_rules.web.lobby import lobby
from valletta_rules.web.store import Ages


def install(monkeypatch: pytest.MonkeyPatch, **entries: str) -> None:
    """Replace all installed entry points for bots with the given ones."""
    installed = [EntryPoint(name, value, registry.GROUP) for name, value in entries.items()]
    monkeypatch.setattr(registry, "entry_points", lambda *, group: installed)


def list_bots(capsys: pytest.CaptureFixture[str]) -> str:
    """Run `valletta bots`, and return its output on a single line."""
    assert main(["bots"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_the_bots_command_lists_each_bot_with_its_options_and_each_level_with_its_bot(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Options are listed with their defaults. In the test, no other package provides bots."""
    install(monkeypatch)
    text = list_bots(capsys)
    assert "random A bot that chooses uniformly among the legal actions. automatic" in text
    assert "beam=30." in text
    assert all(f"{level} {spec} (" in text for level, spec in registry.LEVELS.items())
    assert "(Regular player, Vielspieler)" in text
    assert "other packages" not in text


def test_reduced_levels_are_marked_as_weaker_in_the_bots_command_and_in_the_lobby(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two levels are reduced if the native backend is missing.

    The lobby is tested in both languages.
    """
    usual = dict.fromkeys(registry.LEVELS, "random")
    for levels, are_reduced in ((usual, False), ({**usual, **registry.REDUCED}, True)):
        monkeypatch.setattr(registry, "LEVELS", levels)
        assert (
            "Meister), in fewer worlds and weaker than usual" in list_bots(capsys)
        ) is are_reduced
        for language, marker in (("en", "Master (weaker"), ("de", "Meister (hier schwächer")):
            *others, master = lobby(language, (), Ages()).levels
            assert (marker in master.name) is are_reduced
            assert "(" not in others[0].name


def test_the_bots_command_shows_the_error_for_a_bot_that_cannot_be_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the test, one bot's module is missing, and another has the name of a built-in bot."""
    home = "tests.bots.test_registry"
    install(monkeypatch, fussy=f"{home}:Fussy", gone="tests.gone:Bot", random=f"{home}:Fussy")
    text = list_bots(capsys)
    assert "Options: worlds=20, noise=0.5, bold=false, policy=most." in text
    assert "tests.gone:Bot: the bot 'gone' cannot be loaded: ModuleNotFoundError" in text
    assert "random tests.bots.test_registry:Fussy: not available, because a bot of this" in text


def test_the_option_bots_assigns_a_list_of_bots_to_the_seats_in_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A single bot plays in all seats. Otherwise there must be one bot for each seat."""

    def sheet(bots: str, code: int = 0) -> str:
        assert main(["--bots", bots, "--quiet", "--seed", "3", "--players", "3"]) == code
        return "".join(capsys.readouterr())

    assert sheet("automatic,random,automatic") != sheet("random,automatic,automatic")
    assert sheet("automatic") == sheet("automatic,automatic,automatic")
    assert "one for each seat, not 2" in sheet("automatic,random", 2)
