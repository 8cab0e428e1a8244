"""The rulebook as text: clauses, chapters, rulings, and `valletta rule`."""

import json
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import valletta_rules
import valletta_rules as vr
from spec import mentions
from tests.specification import CASES
from valletta_rules.cli.main import main
from valletta_rules.specification import clauses as clauses_module
from valletta_rules.specification.clauses import EDITIONS
from valletta_rules.specification.files import CHAPTERS, Specification
from valletta_rules.specification.phrases import LANGUAGES, Phrase
from valletta_rules.specification.sources import Relation, seeds
from valletta_rules.text.layout import WIDTH

PACKAGE = Path(valletta_rules.__file__).parent
ROOT = Path(__file__).resolve().parents[2]
PREFIXES = "|".join(chapter.prefix for chapter in vr.chapters())
MENTION = re.compile(rf"\b(?:{PREFIXES})-[0-9]+\b")
HOUSE = vr.Z_MAN.with_answers(
    "House", barrel_layout="by_players", apprentice_colour="purple"
).with_variants(start_player_variant=True)
FINDERS: dict[str, Callable[[str], object]] = {
    "explain": vr.explain,
    "ruling": vr.ruling,
    "look_up": vr.look_up,
}
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


def in_order(parts: Sequence[str], text: str) -> None:
    """Assert that a text has some parts, one after the other."""
    places = [text.find(part) for part in parts]
    assert -1 not in places, text
    assert places == sorted(places)


# `explain`


def test_a_clause_has_its_texts() -> None:
    """A clause comes with its sentence, title, chapter, revision and sources."""
    clause = vr.explain("BLD-3")
    assert (clause.id, clause.title) == ("BLD-3", "Free site")
    assert clause.text == "A new building is chosen among those on which no house stands."
    assert clause.chapter == "Building and upgrading"
    assert clause.revision == 1
    assert clause.sources[0].section == "Build or Upgrade a Building, Building costs, 1"
    assert clause.editions == (vr.HANS_IM_GLUECK, vr.Z_MAN, vr.REFERENCE_MANUAL)
    assert clause.rulings == ()


def test_a_clause_has_its_rulings() -> None:
    """Each ruling has the answer of each edition."""
    clause = vr.explain("TRN-7")
    assert clause.editions == (vr.HANS_IM_GLUECK, vr.REFERENCE_MANUAL)
    effects = clause.rulings[0]
    assert effects == vr.ruling("effects")
    assert effects.question == "Must the effect of a played card be carried out?"
    assert effects.answer_of(vr.Z_MAN).startswith("No effect is compulsory")
    with_variant = vr.REFERENCE_MANUAL.with_variants(fewer_barrels=True)
    assert effects.answer_of(vr.HANS_IM_GLUECK) == effects.answer_of(with_variant)
    assert (effects.field, effects.default) == ("effects", "compulsory")


def test_every_clause_is_explained() -> None:
    """Each id is explained by the clause of that id; texts are hashable values."""
    texts = [vr.explain(clause) for clause in vr.clause_ids()]
    assert tuple(text.id for text in texts) == vr.clause_ids()
    assert len(set(texts)) == len(texts) > 200
    assert pickle.loads(pickle.dumps(texts)) == texts


@pytest.mark.parametrize("case", CASES["meant"], ids=lambda case: str(case["name"]))
def test_an_unknown_name_suggests_similar_ones(case: dict[str, Any]) -> None:
    """The error lists similar names."""
    name, suggestions = case["name"], tuple(case["suggestions"])
    with pytest.raises(vr.UnknownClauseError) as caught:
        FINDERS[case["by"]](name)
    error = caught.value
    assert (error.name, error.suggestions) == (name, suggestions)
    assert isinstance(error, vr.VallettaError)
    assert isinstance(error, LookupError)
    assert str(error).startswith(f"there is no {error.kind} {name!r}")
    assert str(error).endswith("?") == bool(suggestions)
    assert all(suggestion in str(error) for suggestion in suggestions)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("find", FINDERS.values())
def test_a_malformed_name_is_refused(find: Callable[[str], object]) -> None:
    """A name of any length and any characters is refused at once, with a short message."""
    with pytest.raises(vr.UnknownClauseError) as refused:
        find("\x1b" + "x" * 2_000_000)
    assert len(str(refused.value)) < 120
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_looked_up(language: str) -> None:
    """A clause has its id, a chapter its file or prefix, a ruling its name, in a language."""
    for name in vr.clause_ids():
        assert vr.look_up(name, language) is vr.explain(f" {name.lower()}\n", language)
    for name in vr.ruling_ids():
        assert vr.look_up(name.upper(), language) is vr.ruling(name, language)
    for chapter in vr.chapters(language):
        assert vr.look_up(chapter.name, language) is vr.look_up(chapter.prefix, language) is chapter


def test_a_ruling_has_no_answer_for_other_rule_sets() -> None:
    """A rule set that is no edition is an error."""
    with pytest.raises(LookupError, match="not for Of the house"):
        vr.ruling("effects").answer_of(vr.RuleSet("Of the house"))


# `clauses_in_force`


@pytest.mark.parametrize("table", CASES["table"], ids=str)
def test_the_clauses_in_force_at_a_table(table: dict[str, Any]) -> None:
    """Clauses for other editions, answers, variants or numbers of players are left out."""
    rules = {**EDITIONS, "HOUSE": HOUSE}[table["rules"]]
    found = {clause.id for clause in vr.clauses_in_force(rules, table["players"])}
    assert set(table["in_force"].split()) <= found
    assert not set(table["without"].split()) & found


def test_every_clause_is_in_force_somewhere() -> None:
    """Every condition can be met, and a clause lists the editions that can meet it."""
    tables = [
        (name, edition.with_variants(start_player_variant=first, fewer_barrels=fewer), players)
        for name, edition in EDITIONS.items()
        for first in (False, True)
        for players in (2, 3, 4)
        for fewer in (False, players == 2)
    ]
    holds: dict[str, set[str]] = {clause: set() for clause in vr.clause_ids()}
    for name, rules, players in tables:
        for clause in vr.clauses_in_force(rules, players):
            holds[clause.id].add(name)
    assert holds.pop("RED-14") == set()  # no edition has a purple Apprentice
    for clause_id, names in holds.items():
        assert {EDITIONS[name] for name in names} == set(vr.explain(clause_id).editions), clause_id
    assert vr.explain("RED-14").editions == ()
    three, two = ({c.id for c in vr.clauses_in_force(vr.HANS_IM_GLUECK, n)} for n in (3, 2))
    assert two - three <= {"BLU-5", "BLU-25", "BLU-32"}


def test_an_impossible_table_is_refused() -> None:
    """Numbers of players and variants are refused as in a new game."""
    with pytest.raises(vr.PlayerCountError, match="2, 3 or 4 players, not 5"):
        vr.clauses_in_force(vr.Z_MAN, 5)
    with pytest.raises(vr.VariantError, match="for 2 players"):
        vr.clauses_in_force(vr.Z_MAN.with_variants(fewer_barrels=True), 3)


# Sources


def test_stating_sentences_come_first() -> None:
    """Sentences that state a clause come first, those that contradict it last."""
    for clause in map(vr.explain, vr.clause_ids()):
        places = [[*Relation].index(Relation(str(each.relation))) for each in clause.sources]
        assert places == sorted(places)
    last = vr.explain("SCO-8").sources[-1]
    assert (last.seed, last.relation) == ("003", Relation.CONTRADICTS)


def test_the_german_text_comes_first_in_german() -> None:
    """In German, the sources of a clause or a ruling begin with the German text."""
    for source in (vr.explain("BLD-6", "de").sources[0], vr.ruling("effects", "de").sources[0]):
        assert source.seed == "001"
    assert {*vr.explain("BLD-6", "de").sources} == {*vr.explain("BLD-6").sources}


def test_a_repeated_sentence_has_the_clauses_of_the_original() -> None:
    """A row that repeats another is a source of the same clauses, unless it has its own."""
    relations = {source.seed: source.relation for source in vr.explain("SCO-11").sources}
    assert relations == dict.fromkeys(seeds(), Relation.STATES)
    assert all(source.section.endswith("Spain") for source in vr.explain("YEL-10").sources[:2])


# Clauses, chapters and rulings in a terminal


@pytest.mark.parametrize("text", CASES["text"], ids=lambda text: str(text["name"]))
def test_a_written_text_has_its_parts(text: dict[str, Any]) -> None:
    """The parts are in order, in English and in German."""
    in_order(text["parts"], str(vr.look_up(text["name"], text.get("language", "en"))))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_is_too_long(language: str) -> None:
    """Every text fits a terminal and ends without blanks."""
    for name in (*CHAPTERS, *vr.ruling_ids(), *vr.clause_ids()):
        for line in str(vr.look_up(name, language)).splitlines():
            assert len(line) <= WIDTH
            assert line == line.rstrip()


# The rulebook in German


def test_german_texts_are_complete() -> None:
    """The text about a clause is in German, and its names are the same."""
    clause, english = vr.explain("bld-6", "de"), vr.explain("BLD-6")
    assert clause.title == "Nachlass durch Nachbargebäude"
    assert clause.chapter == "Bauen und aufwerten"
    assert (clause.id, clause.kind, clause.when) == (english.id, english.kind, english.when)
    assert clause.code == english.code
    assert vr.ruling("effects", "de").answer_of(vr.Z_MAN).startswith("Keine Aktion ist Pflicht")
    in_force = vr.clauses_in_force(vr.Z_MAN, 2, "de")
    assert [each.id for each in in_force] == [each.id for each in vr.clauses_in_force(vr.Z_MAN, 2)]
    assert {each.language for each in in_force} == {"de"}


@pytest.mark.parametrize(
    "ask", [vr.explain, vr.look_up, vr.ruling, lambda _, language: vr.chapters(language)]
)
def test_another_language(ask: Callable[[str, str], object]) -> None:
    """For a language that the rulebook lacks, the error names those that it has."""
    with pytest.raises(vr.UnknownLanguageError, match="in en and de, not in 'fr'") as refused:
        ask("BLD-6", "fr")
    assert pickle.loads(pickle.dumps(refused.value)).language == "fr"


# `valletta rule`


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_prints_clauses_chapters_and_rulings(command: Command, language: str) -> None:
    """A clause is printed with its evidence, a chapter and a ruling as they are written."""
    clause = vr.explain("INF-1", language)
    page = f"{Phrase.PAGE.of(language)}: {clause.address}"
    told = (0, f"{clause}\n\n{clause.evidence()}\n\n{page}\n", "")
    assert command("INF-1", "--language", language) == told
    assert Phrase.NOTHING.of(language, clause.why)[:30] in told[1]
    for name in ("building", "BLD"):
        told = (0, f"{vr.look_up(name, language)}\n", "")
        assert command(name, "--language", language) == told


@pytest.mark.parametrize("asked", CASES["command"], ids=lambda asked: asked["rule"])
def test_printed_output_has_its_parts(command: Command, asked: dict[str, Any]) -> None:
    """The parts are in order, at any width, without those of other outputs."""
    status, out, _ = command(*asked["rule"].split())
    told = " ".join(out.split())
    assert status == 0
    in_order(asked["parts"], told)
    assert not [part for part in asked.get("without", ()) if part in told]


def test_the_command_lists_everything(command: Command) -> None:
    """Without a name it lists all clauses by chapter, and its options."""
    status, out, _ = command()
    assert status == 0
    assert MENTION.findall(out)[:-1] == list(vr.clause_ids())
    with pytest.raises(SystemExit):
        command("INF-1", "--language", "xx")


def test_the_command_refuses_an_unknown_name(command: Command) -> None:
    """The message on standard error suggests names, or the way to find them."""
    status, out, err = command("BLD3")
    assert (status, out) == (1, "")
    assert err.endswith("'BLD3'; did you mean BLD-3?\n")
    assert command("xqz")[2].endswith("'xqz'; without a name all clauses are listed\n")


# Code, tests and definitions of a clause


@pytest.fixture
def specification(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder in place of the specification."""
    monkeypatch.setattr(clauses_module, "specification", lambda: Specification(tmp_path))
    clauses_module._matrix.cache_clear()
    yield tmp_path
    clauses_module._matrix.cache_clear()


def test_a_missing_matrix_is_an_error_with_its_remedy(
    specification: Path, command: Command
) -> None:
    """The matrix exists only after an installation or a traceability check."""
    clause = vr.explain("BLD-6")
    missing = re.escape(f"{specification / 'matrix.json'} does not exist; install the package")
    with pytest.raises(FileNotFoundError, match=missing):
        _ = clause.code
    status, told, _ = command("BLD-6")
    assert status == 0
    assert told.startswith(str(clause))
    assert "or run `python spec/traceability.py`" in " ".join(told.split())
    (specification / "matrix.json").write_text(json.dumps(mentions.matrix(ROOT)), "utf-8")
    assert any(place.name == "rulebook.building.building_price" for place in clause.code)


def test_a_clause_names_its_code_tests_and_definitions() -> None:
    """The places are those of the traceability check, each once, in existing files."""
    clause = vr.explain("BLD-6")
    assert "rulebook.building.building_price" in [place.name for place in clause.code]
    assert all("::test_" in each.name or "::BLD-6/" in each.name for each in clause.tests)
    assert "building.qnt::discount" in [place.name for place in clause.formal]
    assert "building.c::building_price" in [place.name for place in clause.native]
    for place in (*clause.code, *clause.native, *clause.tests, *clause.formal):
        lines = (ROOT / place.path).read_text("utf-8").splitlines()
        assert "BLD-6" in lines[place.line - 1]


def test_a_clause_names_its_proved_functions() -> None:
    """In both languages; contracts state a part of BLD-12, and nothing of CMP-1."""
    for place in vr.explain("BLD-11").proved:
        line = (ROOT / place.path).read_text("utf-8").splitlines()[place.line - 1]
        assert "BLD_11_states:" in line
    for language, said in (("en", "Proved for every position"), ("de", "Für jede Stellung bewies")):
        told = vr.explain("BLD-11", language).evidence()
        assert re.search(rf"{said}.*:\n(  - .*\n)*  - building.c::price_of \(src/native", told)
        for clause in ("BLD-12", "CMP-1"):
            assert said not in vr.explain(clause, language).evidence()


def test_every_definition_of_the_model_can_be_read() -> None:
    """A definition begins with its comment and ends with its last line."""
    for id in vr.clause_ids():
        for place in vr.explain(id).formal:
            text = vr.formal_text(place)
            assert re.search(rf"\b{place.name.partition('::')[2]}\b", text)
            assert text.count("{") == text.count("}")
            assert text.count("(") == text.count(")")


@pytest.mark.parametrize("name", ["building.qnt::nothing", "nowhere.qnt::discount", "building"])
def test_an_unknown_definition_is_refused(name: str) -> None:
    """The error names the place."""
    with pytest.raises(LookupError, match=re.escape(repr(name))):
        vr.formal_text(vr.Reference(name, "spec/quint/building.qnt", 1))
