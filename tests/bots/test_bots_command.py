"""`valletta bots`."""

from importlib.metadata import EntryPoint

import pytest

from valletta_rules.bots import registry
from valletta_rules.cli.main import main
from valletta_rules.web.lobby import lobby
from valletta_rules.web.store import Ages


def install(monkeypatch: pytest.MonkeyPatch, **entries: str) -> None:
    """Install packages with bots of their own, by name."""
    found = [EntryPoint(name, value, registry.GROUP) for name, value in entries.items()]
    monkeypatch.setattr(registry, "entry_points", lambda *, group: found)


def told(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the output of the command, without line breaks."""
    assert main(["bots"]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_bots_and_levels_are_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every bot has a line with its options and their defaults, every level its bot."""
    install(monkeypatch)
    text = told(capsys)
    assert "random A player that chooses uniformly among the legal actions. automatic" in text
    assert "beam=30." in text
    assert all(f"{level} {spec} (" in text for level, spec in registry.LEVELS.items())
    assert "(Regular player, Vielspieler)" in text
    assert "other packages" not in text


def test_reduced_levels_are_marked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are marked here and in the lobby, in both languages."""
    usual = dict.fromkeys(registry.LEVELS, "random")
    for levels, are_reduced in ((usual, False), ({**usual, **registry.REDUCED}, True)):
        monkeypatch.setattr(registry, "LEVELS", levels)
        assert ("Meister), in fewer worlds and weaker than usual" in told(capsys)) is are_reduced
        for language, said in (("en", "Master (weaker"), ("de", "Meister (hier schwächer")):
            *others, master = lobby(language, (), Ages()).levels
            assert (said in master.name) is are_reduced
            assert "(" not in others[0].name


def test_bots_of_other_packages_are_listed_broken_or_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list shows which of them cannot be loaded, and which have a name that is taken."""
    home = "tests.bots.test_registry"
    install(monkeypatch, fussy=f"{home}:Fussy", gone="tests.gone:Bot", random=f"{home}:Fussy")
    text = told(capsys)
    assert "Options: worlds=20, noise=0.5, bold=false, policy=most." in text
    assert "tests.gone:Bot: the bot 'gone' cannot be loaded: ModuleNotFoundError" in text
    assert "random tests.bots.test_registry:Fussy: the name is that of a bot of this" in text


def test_each_seat_may_have_its_own_bot(capsys: pytest.CaptureFixture[str]) -> None:
    """The bots of a list are seated in turn; another number than one or all is refused."""

    def sheet(bots: str, code: int = 0) -> str:
        assert main(["--bots", bots, "--quiet", "--seed", "3", "--players", "3"]) == code
        return "".join(capsys.readouterr())

    assert sheet("automatic,random,automatic") != sheet("random,automatic,automatic")
    assert sheet("automatic") == sheet("automatic,automatic,automatic")
    assert "each of the 3 seats, not 2" in sheet("automatic,random", 2)
