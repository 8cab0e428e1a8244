"""The rulebook to read: clauses, chapters, rulings, and `valletta rule`."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import valletta_rules
from spec import mentions
from tests.sources import repository
from valletta_rules import (
    HANS_IM_GLUECK,
    REFERENCE_MANUAL,
    Z_MAN,
    Chapter,
    ClauseText,
    Confidence,
    PlayerCountError,
    Reference,
    RuleSet,
    RulingText,
    UnknownClauseError,
    UnknownLanguageError,
    VallettaError,
    VariantError,
    chapters,
    clause_ids,
    clauses_in_force,
    explain,
    formal_text,
    look_up,
    ruling,
    ruling_ids,
)
from valletta_rules.cli.main import main
from valletta_rules.specification import clauses as clauses_module
from valletta_rules.specification.clauses import EDITIONS
from valletta_rules.specification.files import CHAPTERS, Specification
from valletta_rules.specification.phrases import LANGUAGES
from valletta_rules.specification.sources import Relation, seeds
from valletta_rules.text.layout import WIDTH

PACKAGE = Path(valletta_rules.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
CLAUSE_ID = re.compile(r"[A-Z]{3}-[1-9][0-9]*")
PREFIXES = "|".join(chapter.prefix for chapter in chapters())
MENTION = re.compile(rf"\b(?:{PREFIXES})-[0-9]+\b")
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `valletta rule`: its status, output and error output."""

    def run(*argv: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["rule", *argv])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def clauses_named() -> Iterator[tuple[str, str]]:
    """Run through every clause that the package names in a text, and the module that does."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                is_id = CLAUSE_ID.fullmatch(node.value) and node.value != "UTF-8"
                for clause in [node.value] if is_id else MENTION.findall(node.value):
                    yield clause, path.relative_to(PACKAGE).as_posix()


class TestExplain:
    """`explain`."""

    def test_says_the_sentence(self) -> None:
        """A clause comes with its sentence, title, chapter, revision and sources."""
        clause = explain("BLD-3")
        assert (clause.id, clause.title) == ("BLD-3", "Free site")
        assert clause.text == "A new building is chosen among those on which no house stands."
        assert clause.chapter == "Building and upgrading"
        assert clause.revision == 1
        assert clause.sources[0].section == "Build or Upgrade a Building, Building costs, 1"
        assert clause.editions == (HANS_IM_GLUECK, Z_MAN, REFERENCE_MANUAL)
        assert clause.rulings == ()

    def test_says_what_was_decided(self) -> None:
        """A clause brings along the rulings it depends on, with the answer of each edition."""
        clause = explain("TRN-7")
        assert clause.editions == (HANS_IM_GLUECK, REFERENCE_MANUAL)
        effects = clause.rulings[0]
        assert effects == ruling("effects")
        assert effects.question == "Must the effect of a played card be carried out?"
        assert effects.answer_of(Z_MAN).startswith("No effect is compulsory")
        assert effects.answer_of(HANS_IM_GLUECK) == effects.answer_of(REFERENCE_MANUAL)
        assert (effects.field, effects.default) == ("effects", "compulsory")

    def test_takes_ids_as_people_type_them(self) -> None:
        """Capitals and blanks around do not matter."""
        assert explain(" bld-3\n") is explain("BLD-3")

    def test_explains_every_clause(self) -> None:
        """Each id is explained by the clause of that id; texts are hashable values."""
        texts = [explain(clause) for clause in clause_ids()]
        assert tuple(text.id for text in texts) == clause_ids()
        assert len(set(texts)) == len(texts) > 200
        assert pickle.loads(pickle.dumps(texts)) == texts

    def test_explains_every_clause_that_the_package_names(self) -> None:
        """Whatever clause a violation, a prompt, an event or a docstring names can be explained."""
        named = list(clauses_named())
        assert len(named) > 500
        assert not [each for each in named if each[0] not in clause_ids()]

    @pytest.mark.parametrize(
        ("name", "suggestions"),
        [
            ("BLD3", ("BLD-3",)),
            ("bld 3", ("BLD-3",)),
            ("BDL-3", ("BLD-3",)),
            ("BLD-99", ("BLD-9", "BLD-29", "BLD-19")),
            ("the ninth house", ()),
            ("", ()),
        ],
    )
    def test_suggests_what_was_meant(self, name: str, suggestions: tuple[str, ...]) -> None:
        """An unknown id is a clear error that names ids like it."""
        with pytest.raises(UnknownClauseError) as caught:
            explain(name)
        error = caught.value
        assert (error.kind, error.name, error.suggestions) == ("clause", name, suggestions)
        assert isinstance(error, VallettaError)
        assert isinstance(error, LookupError)
        assert str(error).startswith(f"there is no clause {name!r}")
        assert str(error).endswith("?") == bool(suggestions)
        assert all(suggestion in str(error) for suggestion in suggestions)
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


class TestRulebook:
    """The rulebook as a whole."""

    def test_has_the_chapters_of_the_specification(self) -> None:
        """The chapters are those of the specification, in its order."""
        assert tuple(chapter.name for chapter in chapters()) == CHAPTERS
        files = {path.stem for path in (ROOT / "spec" / "clauses").glob("*.toml")}
        assert files == set(CHAPTERS)

    def test_has_the_clauses_of_the_specification(self) -> None:
        """The clauses are those that the traceability check reads, in its order."""
        read = repository().clauses
        assert clause_ids() == tuple(clause.id for clause in read)
        for clause in read:
            text = explain(clause.id)
            assert (text.title, text.text, text.revision) == (
                clause.title,
                clause.text,
                clause.revision,
            )
            assert tuple(ruling.id for ruling in text.rulings) == clause.rulings

    def test_numbers_clauses_by_chapter(self) -> None:
        """The ids of a chapter begin with its prefix."""
        for chapter in chapters():
            assert {clause.id.split("-")[0] for clause in chapter.clauses} == {chapter.prefix}
            assert {clause.chapter for clause in chapter.clauses} == {chapter.title}

    def test_cites_known_texts_only(self) -> None:
        """Every source of a clause or a ruling says which text it is in."""
        cited = [source for clause in clause_ids() for source in explain(clause).sources]
        cited += [source for name in ruling_ids() for source in ruling(name).sources]
        assert {source.seed for source in cited} == set(seeds())
        assert all(source.text for source in cited)

    def test_fits_the_rule_sets(self) -> None:
        """A ruling that can be chosen names a field of `RuleSet`, whose default it states."""
        chosen = [ruling(name) for name in ruling_ids() if ruling(name).field]
        assert len(chosen) >= 5
        for each in chosen:
            assert getattr(HANS_IM_GLUECK, str(each.field)) == each.default

    def test_every_edition_has_an_answer(self) -> None:
        """Each ruling answers for each edition, whichever variants are switched on."""
        for each in map(ruling, ruling_ids()):
            for edition in EDITIONS.values():
                answer = each.answer_of(edition)
                assert answer.endswith(".")
                assert each.answer_of(edition.with_variants(fewer_barrels=True)) == answer

    def test_other_rule_sets_have_answers_of_their_own(self) -> None:
        """A rule set that is no edition is not answered for."""
        with pytest.raises(LookupError, match="Of the house is none of the editions"):
            ruling("effects").answer_of(RuleSet("Of the house"))


class TestClausesInForce:
    """`clauses_in_force`."""

    def test_an_edition(self) -> None:
        """What an edition leaves to other editions, variants or numbers of players is left out."""
        german = {clause.id for clause in clauses_in_force(HANS_IM_GLUECK, 3)}
        assert {"TRN-7", "YEL-3", "SET-3", "SET-22", "VAL-1", "RED-13"} <= german
        assert not {"TRN-8", "RED-5", "SET-4", "SET-26", "VAL-3", "RED-14", "BLU-5"} & german
        assert {"BLU-5"} == {c.id for c in clauses_in_force(HANS_IM_GLUECK, 2)} - german - {
            "BLU-25",
            "BLU-32",
        }

    def test_answers_of_its_own(self) -> None:
        """A rule set that is no edition has what its own answers bring."""
        house = Z_MAN.with_answers("House", barrel_layout="by_players", apprentice_colour="purple")
        found = clauses_in_force(house.with_variants(start_player_variant=True), 2)
        assert {"TRN-8", "SET-4", "VAL-6", "RED-14", "SET-27"} <= {clause.id for clause in found}
        assert not {"TRN-7", "SET-3", "RED-13", "SET-22"} & {clause.id for clause in found}

    def test_every_clause_is_in_force_somewhere(self) -> None:
        """No condition is beyond every table, and the editions are those in which it can hold."""
        tables = [
            (name, edition.with_variants(start_player_variant=first, fewer_barrels=fewer), players)
            for name, edition in EDITIONS.items()
            for first in (False, True)
            for players in (2, 3, 4)
            for fewer in (False, players == 2)
        ]
        holds: dict[str, set[str]] = {clause: set() for clause in clause_ids()}
        for name, rules, players in tables:
            for clause in clauses_in_force(rules, players):
                holds[clause.id].add(name)
        assert holds.pop("RED-14") == set()  # no edition has a purple Apprentice
        for clause_id, names in holds.items():
            assert {EDITIONS[name] for name in names} == set(explain(clause_id).editions), clause_id
        assert explain("RED-14").editions == ()

    def test_no_such_table(self) -> None:
        """Numbers of players and variants are refused as by a new game."""
        with pytest.raises(PlayerCountError, match="2, 3 or 4 players, not 5"):
            clauses_in_force(Z_MAN, 5)
        with pytest.raises(VariantError, match="for 2 players"):
            clauses_in_force(Z_MAN.with_variants(fewer_barrels=True), 3)


class TestSources:
    """Which sentences of the texts a clause comes from."""

    def test_what_a_text_states_comes_first(self) -> None:
        """Sentences that state a clause come first, those that contradict it last."""
        for clause in map(explain, clause_ids()):
            order = [*Relation]
            places = [order.index(Relation(str(source.relation))) for source in clause.sources]
            assert places == sorted(places)

    def test_a_contradiction_is_told(self) -> None:
        """What a text says against a clause is among its sources, and marked."""
        *_, last = explain("SCO-8").sources
        assert (last.seed, last.relation) == ("003", Relation.CONTRADICTS)
        assert f"- contradicts: {last.section} [{last.sentence}, " in str(explain("SCO-8"))

    def test_a_permission_of_one_translation(self) -> None:
        """The German text permits what the English text of the same edition commands."""
        for clause in ("BLU-8", "BLU-13", "YEL-8"):
            found = {(source.seed, source.relation) for source in explain(clause).sources}
            assert ("001", Relation.STATES) in found
            assert ("000", Relation.CONTRADICTS) in found

    def test_a_repeated_sentence_has_what_it_repeats(self) -> None:
        """A row that repeats another is a source of the same clauses, unless it has its own."""
        relations = {source.seed: source.relation for source in explain("SCO-11").sources}
        assert relations == dict.fromkeys(seeds(), Relation.STATES)
        assert all(source.section.endswith("Spain") for source in explain("YEL-10").sources[:2])

    def test_a_clause_that_no_sentence_is_about(self) -> None:
        """What only follows may have no source, and then no list of them."""
        without = [id for id in clause_ids() if not explain(id).sources]
        assert without
        assert all("\n\nSources:" not in str(explain(id)) for id in without)

    def test_the_sources_of_a_ruling_are_sections(self) -> None:
        """A ruling cites whole sections."""
        source = ruling("tie").sources[0]
        assert (source.sentence, source.relation) == ("", None)
        assert str(source) == f"{source.section} [{source.seed}, {source.text}]"


class TestLookUp:
    """`look_up`, for whatever has a name."""

    def test_finds_clauses_chapters_and_rulings(self) -> None:
        """A clause by its id, a chapter by file or prefix, a ruling by its name."""
        assert isinstance(look_up("bld-3"), ClauseText)
        assert isinstance(look_up("building"), Chapter)
        assert look_up("BLD") is look_up("building") is look_up(" Bld ")
        assert isinstance(look_up("substitution"), RulingText)

    def test_no_two_things_share_a_name(self) -> None:
        """Whatever has a name is found by it."""
        assert [look_up(name) for name in clause_ids()] == [explain(name) for name in clause_ids()]
        assert [look_up(name) for name in ruling_ids()] == [ruling(name) for name in ruling_ids()]
        for chapter in chapters():
            assert look_up(chapter.name) is look_up(chapter.prefix) is chapter

    @pytest.mark.parametrize(
        ("name", "suggestion"),
        [("buildng", "building"), ("subst", "substitution"), ("final phase", "final_phase")],
    )
    def test_suggests_what_was_meant(self, name: str, suggestion: str) -> None:
        """A name that nothing has is an error that names what is like it."""
        with pytest.raises(UnknownClauseError, match=f"no clause, chapter or .*{suggestion}"):
            look_up(name)

    @pytest.mark.parametrize("find", [look_up, explain, ruling])
    def test_a_name_that_is_no_name(self, find: Callable[[str], object]) -> None:
        """A name of any length, and of any characters, is refused at once and in few words."""
        with pytest.raises(UnknownClauseError) as refused:
            find("\x1b" + "x" * 2_000_000)
        assert len(str(refused.value)) < 120
        assert str(refused.value).isprintable()

    def test_an_unknown_ruling(self) -> None:
        """A ruling that does not exist is the same error."""
        with pytest.raises(UnknownClauseError, match="no ruling 'efects'; did you mean effects"):
            ruling("efects")


class TestWriting:
    """Clauses, chapters and rulings in a terminal."""

    def test_a_clause(self) -> None:
        """The heading is followed by sentence, standing, rulings and sources."""
        assert str(explain("TRN-8")).startswith(
            "TRN-8  Optional effects  (A player's turn)\n\n  A player may decline the effect"
        )
        text = str(explain("TRN-7"))
        parts = [
            "\n\n  The effect of a played card",
            "\n\nRule; gives way to TRN-9; in force only if effects = compulsory (Hans im Glück,",
            "\n\nRuling effects: Must the effect",
            "\n  Hans im Glück and Reference manual: Yes",
            "\n  Z-Man: No effect",
            "\n\nSources:\n  - states: A Player's Turn [000-",
            ", rules on Yucata, in English]\n  - states: Der Zug eines Spielers [001-",
            "\n  - implies: Valletta [000-",
        ]
        places = [text.index(part) for part in parts]
        assert places == sorted(places)

    def test_an_answer_of_all_editions(self) -> None:
        """An answer that all editions give is written once, and nothing is said of editions."""
        text = str(explain("INF-3"))
        assert text.count("The result that the final scoring would give him") == 1
        assert "\n\nDefinition.\n\n" in text
        assert "Z-Man" not in text

    @pytest.mark.parametrize(
        ("clause", "standing"),
        [
            ("VAL-1", "Rule; gives way to VAL-7; in force only if fewer_barrels = false."),
            ("VAL-7", "Exception to VAL-1 and VAL-3."),
            (
                "CMP-22",
                "Exception to CMP-5; in force only if apprentice_colour = purple (in no edition).",
            ),
            (
                "BLU-11",
                "Consequence of TRN-8, TRN-10 and TRN-12; in force only if effects = optional "
                "(Z-Man).",
            ),
            (
                "VAL-6",
                "Consequence of VAL-4; in force only if barrel_layout = by_players, "
                "fewer_barrels = false, players = 2 or 3 (Reference manual).",
            ),
        ],
    )
    def test_how_a_clause_stands(self, clause: str, standing: str) -> None:
        """Its kind, the clauses to which it stands in relation, and its condition."""
        assert explain(clause).standing == standing

    def test_a_ruling(self) -> None:
        """A ruling says how it can be chosen, and which clauses depend on it."""
        text = str(ruling("effects"))
        assert text.startswith("effects: Must the effect of a played card be carried out?\n\n")
        assert "Chosen by RuleSet.effects." in text
        assert "Clauses: TRN-7, TRN-8," in text
        assert "Chosen by" not in str(ruling("substitution"))

    def test_the_reasons_of_a_ruling(self) -> None:
        """A ruling says why, what speaks against it and what would differ; a clause says why."""
        refill = ruling("refill")
        assert refill.confidence is Confidence.OPEN
        assert [each.sentence for each in refill.against] == ["001-102", "000-94", "003-47"]
        assert refill.against[0].text == seeds()["001"]
        parts = [
            f"\n\nBecause (open): {refill.because[:20]}",
            f"\nAgainst (001-102, {seeds()['001']}): {refill.against[0].says[:20]}",
            f"\nIn play: {refill.in_play[:20]}",
        ]
        places = [str(refill).index(part) for part in parts]
        assert places == sorted(places)
        assert "\n  Because (open): " in str(explain("TRN-19"))
        assert "In play:" not in str(explain("TRN-19"))

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_no_line_is_too_long(self, language: str) -> None:
        """Every text fits a terminal and ends without blanks."""
        rulings = [ruling(name, language) for name in ruling_ids()]
        rulebook = chapters(language)
        for text in (*rulebook, *rulings, *(each for part in rulebook for each in part.clauses)):
            for line in str(text).splitlines():
                assert len(line) <= WIDTH
                assert line == line.rstrip()


class TestGerman:
    """The rulebook in German."""

    def test_a_clause(self) -> None:
        """What is said about a clause is in German, and what it is called is the same."""
        clause, english = explain("bld-6", "de"), explain("BLD-6")
        assert (clause.title, clause.chapter) == ("Nachlass für Nachbarn", "Bauen und aufwerten")
        assert clause.language == "de"
        assert (clause.id, clause.kind, clause.when) == (english.id, english.kind, english.when)
        assert clause.code == english.code
        text = str(clause)
        for part in (
            "BLD-6  Nachlass für Nachbarn  (Bauen und aufwerten)\n\n  ",
            "\n\nRegel",
            "\n\nEntscheidung discount-order: Wie wirken",
            "\n  Begründung (sicher): ",
            "\n  Dagegen (001-235, Regel auf Yucata, deutsch): ",
            "\n\nQuellen:\n  - sagt es: ",
            "[003-59, Handbuch",
        ):
            assert part in text

    def test_a_ruling(self) -> None:
        """A ruling is told in German to its end."""
        effects = ruling("effects", "de")
        assert effects.answer_of(Z_MAN).startswith("Keine Aktion ist Pflicht")
        text = str(effects)
        assert "\n  Hans im Glück und Reference manual: Ja" in text
        assert "\nAm Tisch: " in text
        assert "\n\nWählbar durch RuleSet.effects.\n" in text
        assert "\n\nKlauseln: TRN-7, " in text

    def test_standing(self) -> None:
        """Kinds and conditions are told in German."""
        assert explain("VAL-6", "de").standing.endswith(
            "gilt nur, wenn die Zahl der Fässer von der der Spieler abhängt und ohne die Variante "
            "„weniger Fässer“ gespielt wird und zu zweit gespielt wird oder zu dritt gespielt wird "
            "(Reference manual)."
        )
        for clause in clause_ids():
            assert " = " not in explain(clause, "de").standing
        assert str(explain("TRN-8").when) == "effects = optional"
        assert explain("TRN-8", "de").standing.startswith("Regel; tritt hinter ")

    def test_everything_is_told(self) -> None:
        """Chapters, clauses in force and whatever is looked up are told in the language."""
        assert {"Spielmaterial", "Spielaufbau"} < {chapter.title for chapter in chapters("de")}
        in_force = clauses_in_force(Z_MAN, 2, "de")
        assert [each.id for each in in_force] == [each.id for each in clauses_in_force(Z_MAN, 2)]
        assert {each.language for each in in_force} == {"de"}
        assert look_up("BLD-6", "de") == explain("BLD-6", "de")
        assert look_up("BLD", "de") == look_up("building", "de")
        assert look_up("effects", "de") == ruling("effects", "de")

    @pytest.mark.parametrize("ask", [explain, look_up])
    def test_another_language(self, ask: Callable[[str, str], object]) -> None:
        """A language in which the rulebook is not told is an error that names those it is."""
        with pytest.raises(UnknownLanguageError, match="told in en and de, not in 'fr'") as refused:
            ask("BLD-6", "fr")
        assert refused.value.language == "fr"
        assert pickle.loads(pickle.dumps(refused.value)).language == "fr"
        with pytest.raises(UnknownLanguageError):
            chapters("DE")
        with pytest.raises(UnknownLanguageError):
            ruling("effects", "")

    def test_the_command(self, command: Command) -> None:
        """`valletta rule --language de` prints it in German, and says which languages there are."""
        clause = explain("INF-1", "de")
        assert command("INF-1", "--language", "de") == (0, f"{clause}\n\n{clause.evidence()}\n", "")
        assert f"nichts. {clause.why[:20]}" in command("INF-1", "--language", "de")[1]
        listed = command("--language", "de")[1]
        assert "BLD-6   Nachlass für Nachbarn\n" in listed
        assert "valletta rule substitution  eine Entscheidung, nach ihrem Namen\n" in listed
        with pytest.raises(SystemExit):
            command("INF-1", "--language", "xx")


class TestCommand:
    """`valletta rule`."""

    def test_shows_a_clause(self, command: Command) -> None:
        """`valletta rule BLD-3` prints the clause."""
        clause = explain("BLD-3")
        assert command("BLD-3") == (0, f"{clause}\n\n{clause.evidence()}\n", "")

    def test_shows_a_chapter(self, command: Command) -> None:
        """`valletta rule building` lists the ids and titles of the chapter."""
        status, out, _ = command("building")
        assert status == 0
        assert out.startswith("Building and upgrading (building)\n\n  BLD-1   One construction\n")
        assert command("BLD")[1] == out

    def test_shows_a_ruling(self, command: Command) -> None:
        """`valletta rule substitution` prints the ruling."""
        assert command("substitution") == (0, f"{ruling('substitution')}\n", "")

    def test_lists_everything(self, command: Command) -> None:
        """Without a name it lists all clauses by chapter, and says what it can show."""
        status, out, _ = command()
        assert status == 0
        assert MENTION.findall(out)[:-1] == list(clause_ids())
        assert "valletta rule substitution" in out

    def test_a_name_that_nothing_has(self, command: Command) -> None:
        """An unknown name is said on standard error, with what was meant or how to find out."""
        status, out, err = command("BLD3")
        assert (status, out) == (1, "")
        assert err.endswith("'BLD3'; did you mean BLD-3?\n")
        assert command("xqz")[2].endswith("'xqz'; without a name all clauses are listed\n")


def test_an_installed_package_brings_the_rulebook_along(tmp_path: Path) -> None:
    """With no repository around, the files that the wheel includes are read."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    site = tmp_path / "lib" / "site-packages"
    left_out = shutil.ignore_patterns("_spec")
    shutil.copytree(PACKAGE, site / "valletta_rules", ignore=left_out)  # compiled, to save time
    for source, target in included.items():
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        (site / target).parent.mkdir(exist_ok=True)
        copy(ROOT / source, site / target)
    matrix = site / "valletta_rules" / "_spec" / "matrix.json"  # as hatch_build.py adds it
    matrix.write_text(json.dumps(mentions.matrix(ROOT)), encoding="utf-8")
    shown = subprocess.run(
        [sys.executable, "-m", "valletta_rules", "rule", "TRN-7"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert shown.stdout == f"{explain('TRN-7')}\n\n{explain('TRN-7').evidence()}\n"
    asked = (
        "from valletta_rules.specification import files\n"
        "print(files.__file__, files.specification().folder)"
    )
    told = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    package = site / "valletta_rules"
    assert told.stdout.split() == [
        str(package / "specification" / "files.py"),
        str(package / "_spec"),
    ]


# Where a clause is met


@pytest.fixture
def specification(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Return an empty folder that the package takes for the specification."""
    monkeypatch.setattr(clauses_module, "specification", lambda: Specification(tmp_path))
    clauses_module._matrix.cache_clear()
    yield tmp_path
    clauses_module._matrix.cache_clear()


def test_without_the_matrix_it_is_said_how_to_come_by_it(
    specification: Path, command: Command
) -> None:
    """Where clauses are met is not known before an installation or the check has written it."""
    clause = explain("BLD-6")
    missing = re.escape(f"there is no {specification / 'matrix.json'}; installing the package")
    with pytest.raises(FileNotFoundError, match=missing):
        _ = clause.code
    status, told, _ = command("BLD-6")
    assert status == 0
    assert told.startswith(str(clause))
    assert "so does `python spec/traceability.py`" in " ".join(told.split())
    (specification / "matrix.json").write_text(json.dumps(mentions.matrix(ROOT)), "utf-8")
    assert any(place.name == "rulebook.building.building_price" for place in clause.code)


def test_the_package_runs_no_program_of_the_repository() -> None:
    """Nothing in the package executes a file outside it, but an engine that is to be judged."""
    for path in set(PACKAGE.rglob("*.py")) - {
        PACKAGE / "specification" / "conformance" / "peer.py"
    }:
        assert not re.search(
            r"\b(runpy|subprocess|exec|importlib\.util)\b", path.read_text("utf-8")
        ), path


def test_a_clause_names_its_code_tests_and_definitions() -> None:
    """The places are those that the traceability check finds, each once, in files that exist."""
    clause = explain("BLD-6")
    assert "rulebook.building.building_price" in [place.name for place in clause.code]
    assert all("::test_" in each.name or "::BLD-6/" in each.name for each in clause.tests)
    assert "building.qnt::discount" in [place.name for place in clause.formal]
    assert [place.name for place in clause.native] == ["building.c::building_price"]
    for place in (*clause.code, *clause.native, *clause.tests, *clause.formal):
        lines = (ROOT / place.path).read_text("utf-8").splitlines()
        assert "BLD-6" in lines[place.line - 1]


def test_every_definition_of_the_model_can_be_read() -> None:
    """What is named of the model begins with its comment and holds the definition to its end."""
    for id in clause_ids():
        for place in explain(id).formal:
            text = formal_text(place)
            assert re.search(rf"\b{place.name.partition('::')[2]}\b", text)
            assert text.count("{") == text.count("}")
            assert text.count("(") == text.count(")")


@pytest.mark.parametrize("name", ["building.qnt::nothing", "nowhere.qnt::discount", "building"])
def test_what_is_no_definition_is_named(name: str) -> None:
    """A place that is none of the model's is refused."""
    with pytest.raises(LookupError, match=re.escape(repr(name))):
        formal_text(Reference(name, "spec/quint/building.qnt", 1))


def test_the_command_tells_where_a_clause_is_met(command: Command) -> None:
    """`valletta rule` adds code, tests and definitions, and with `--formal` the definitions."""
    status, told, _ = command("BLD-6")
    assert status == 0
    assert told.startswith(str(explain("BLD-6")))
    for place in (*explain("BLD-6").code, *explain("BLD-6").native, *explain("BLD-6").formal):
        assert str(place) in " ".join(told.split())
    assert "pure def discount" not in told
    assert "pure def discount" in command("BLD-6", "--formal")[1]


def test_the_command_says_why_a_clause_is_met_nowhere(command: Command) -> None:
    """A clause that constrains no play says so."""
    told = " ".join(command("CMP-3")[1].split())
    assert f"Carried out by: - nothing. {explain('CMP-3').why}" in told
