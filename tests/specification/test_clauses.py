"""Tests of clauses, chapters and rulings as values, as text, and in the command `valletta rule`."""

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
    """Return a function that runs `valletta rule`.

    It returns the exit status, standard output and standard error.
    """

    def run(*argv: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(["rule", *argv])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def in_order(parts: Sequence[str], text: str) -> None:
    """Fail unless a text contains all `parts` in this order."""
    places = [text.find(part) for part in parts]
    assert -1 not in places, text
    assert places == sorted(places)


# `explain`


def test_explain_returns_the_text_of_a_clause_with_title_chapter_and_sources() -> None:
    """The clause is BLD-3, which has no ruling."""
    clause = vr.explain("BLD-3")
    assert (clause.id, clause.title) == ("BLD-3", "Free site")
    assert clause.text == "A new building is chosen among those on which no house stands."
    assert clause.chapter == "Building and upgrading"
    assert clause.revision == 1
    assert clause.sources[0].section == "Build or Upgrade a Building, Building costs, 1"
    assert clause.editions == (vr.HANS_IM_GLUECK, vr.Z_MAN, vr.REFERENCE_MANUAL)
    assert clause.rulings == ()


def test_a_clause_has_its_rulings_with_the_answer_of_each_edition() -> None:
    """A rule set with variants has the same answers as its edition."""
    clause = vr.explain("TRN-7")
    assert clause.editions == (vr.HANS_IM_GLUECK, vr.REFERENCE_MANUAL)
    effects = clause.rulings[0]
    assert effects == vr.ruling("effects")
    assert effects.question == "Must the effect of a played card be carried out?"
    assert effects.answer_of(vr.Z_MAN).startswith("No effect is compulsory")
    with_variant = vr.REFERENCE_MANUAL.with_variants(fewer_barrels=True)
    assert effects.answer_of(vr.HANS_IM_GLUECK) == effects.answer_of(with_variant)
    assert (effects.field, effects.default) == ("effects", "compulsory")


def test_explain_accepts_every_clause_id() -> None:
    """The returned clauses are hashable and can be pickled."""
    texts = [vr.explain(clause) for clause in vr.clause_ids()]
    assert tuple(text.id for text in texts) == vr.clause_ids()
    assert len(set(texts)) == len(texts) > 200
    assert pickle.loads(pickle.dumps(texts)) == texts


@pytest.mark.parametrize("case", CASES["meant"], ids=lambda case: str(case["name"]))
def test_the_error_for_an_unknown_name_suggests_similar_names(case: dict[str, Any]) -> None:
    """Names of clauses, chapters and rulings are tested. The error can be pickled."""
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
def test_an_extremely_long_unprintable_name_is_refused_with_a_short_message(
    find: Callable[[str], object],
) -> None:
    """The name has two million characters. The message contains only printable ones."""
    with pytest.raises(vr.UnknownClauseError) as refused:
        find("\x1b" + "x" * 2_000_000)
    assert len(str(refused.value)) < 120
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("language", LANGUAGES)
def test_look_up_returns_clauses_chapters_and_rulings_by_name(language: str) -> None:
    """A clause is named by its id, and a chapter by its file name or prefix.

    Case and surrounding spaces are ignored.
    """
    for name in vr.clause_ids():
        assert vr.look_up(name, language) is vr.explain(f" {name.lower()}\n", language)
    for name in vr.ruling_ids():
        assert vr.look_up(name.upper(), language) is vr.ruling(name, language)
    for chapter in vr.chapters(language):
        assert vr.look_up(chapter.name, language) is vr.look_up(chapter.prefix, language) is chapter


def test_asking_a_ruling_for_its_answer_in_a_custom_rule_set_raises_an_error() -> None:
    """Only editions have answers. The error names the rule set."""
    with pytest.raises(LookupError, match="not Of the house"):
        vr.ruling("effects").answer_of(vr.RuleSet("Of the house"))


# `clauses_in_force`


@pytest.mark.parametrize("table", CASES["table"], ids=str)
def test_only_clauses_for_the_rules_and_players_of_a_table_are_in_force(
    table: dict[str, Any],
) -> None:
    """Other clauses apply to other editions, rulings, variants or numbers of players."""
    rules = {**EDITIONS, "HOUSE": HOUSE}[table["rules"]]
    in_force = {clause.id for clause in vr.clauses_in_force(rules, table["players"])}
    assert set(table["in_force"].split()) <= in_force
    assert not set(table["without"].split()) & in_force


def test_every_clause_is_in_force_in_exactly_the_editions_that_it_lists() -> None:
    """RED-14 lists no edition, because no edition has a purple Apprentice."""
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


def test_clauses_in_force_refuses_an_impossible_number_of_players_or_variant() -> None:
    """The errors are those that `new_game` raises."""
    with pytest.raises(vr.PlayerCountError, match="2, 3 or 4 players, not 5"):
        vr.clauses_in_force(vr.Z_MAN, 5)
    with pytest.raises(vr.VariantError, match="for 2 players"):
        vr.clauses_in_force(vr.Z_MAN.with_variants(fewer_barrels=True), 3)


# Sources


def test_the_sources_of_a_clause_are_ordered_by_their_relation_to_it() -> None:
    """Sentences that state the clause are first. Sentences that contradict it are last."""
    for clause in map(vr.explain, vr.clause_ids()):
        places = [[*Relation].index(Relation(str(each.relation))) for each in clause.sources]
        assert places == sorted(places)
    last = vr.explain("SCO-8").sources[-1]
    assert (last.seed, last.relation) == ("003", Relation.CONTRADICTS)


def test_in_german_the_first_source_of_a_clause_is_the_german_rulebook() -> None:
    """The English and the German list contain the same sources."""
    for source in (vr.explain("BLD-6", "de").sources[0], vr.ruling("effects", "de").sources[0]):
        assert source.seed == "001"
    assert {*vr.explain("BLD-6", "de").sources} == {*vr.explain("BLD-6").sources}


def test_repeated_sentences_in_a_text_are_sources_of_the_same_clauses() -> None:
    """The test uses the sources of SCO-11 and YEL-10."""
    relations = {source.seed: source.relation for source in vr.explain("SCO-11").sources}
    assert relations == dict.fromkeys(seeds(), Relation.STATES)
    assert all(source.section.endswith("Spain") for source in vr.explain("YEL-10").sources[:2])


# Clauses, chapters and rulings in a terminal


@pytest.mark.parametrize("text", CASES["text"], ids=lambda text: str(text["name"]))
def test_the_text_of_a_clause_chapter_or_ruling_contains_the_expected_parts_in_order(
    text: dict[str, Any],
) -> None:
    """The test cases are English and German."""
    in_order(text["parts"], str(vr.look_up(text["name"], text.get("language", "en"))))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_line_of_a_text_is_wider_than_a_terminal_or_ends_in_a_space(language: str) -> None:
    """The test formats all clauses, chapters and rulings."""
    for name in (*CHAPTERS, *vr.ruling_ids(), *vr.clause_ids()):
        for line in str(vr.look_up(name, language)).splitlines():
            assert len(line) <= WIDTH
            assert line == line.rstrip()


# The rulebook in German


def test_a_clause_in_german_has_german_texts_and_the_same_id() -> None:
    """The answers of rulings and the list of clauses in force are also in German."""
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
    "query", [vr.explain, vr.look_up, vr.ruling, lambda _, language: vr.chapters(language)]
)
def test_the_error_for_an_unknown_language_names_the_known_languages(
    query: Callable[[str, str], object],
) -> None:
    """The error can be pickled."""
    with pytest.raises(vr.UnknownLanguageError, match="in en and de, not in 'fr'") as refused:
        query("BLD-6", "fr")
    assert pickle.loads(pickle.dumps(refused.value)).language == "fr"


# `valletta rule`


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rule_command_prints_a_clause_with_its_evidence_and_the_address_of_its_page(
    command: Command, language: str
) -> None:
    """A chapter is printed without them."""
    clause = vr.explain("INF-1", language)
    page = f"{Phrase.PAGE.of(language)}: {clause.address}"
    expected = (0, f"{clause}\n\n{clause.evidence()}\n\n{page}\n", "")
    assert command("INF-1", "--language", language) == expected
    assert Phrase.NOTHING.of(language, clause.why)[:30] in expected[1]
    for name in ("building", "BLD"):
        expected = (0, f"{vr.look_up(name, language)}\n", "")
        assert command(name, "--language", language) == expected


@pytest.mark.parametrize("case", CASES["command"], ids=lambda case: case["rule"])
def test_the_output_of_the_rule_command_has_the_expected_parts(
    command: Command, case: dict[str, Any]
) -> None:
    """The test ignores line breaks. `cases.toml` lists the arguments and the parts."""
    status, out, _ = command(*case["rule"].split())
    text = " ".join(out.split())
    assert status == 0
    in_order(case["parts"], text)
    assert not [part for part in case.get("without", ()) if part in text]


def test_the_rule_command_without_a_name_lists_all_clauses_by_chapter(command: Command) -> None:
    """The test also checks that an unknown language is a usage error."""
    status, out, _ = command()
    assert status == 0
    assert MENTION.findall(out)[:-1] == list(vr.clause_ids())
    with pytest.raises(SystemExit):
        command("INF-1", "--language", "xx")


def test_the_rule_command_suggests_a_similar_name_for_an_unknown_one(command: Command) -> None:
    """If no name is similar, the message explains how to list all clauses."""
    status, out, err = command("BLD3")
    assert (status, out) == (1, "")
    assert err.endswith("'BLD3'; did you mean BLD-3?\n")
    assert command("xqz")[2].endswith("'xqz'; valletta rule without a name lists all clauses\n")


# Code, tests and definitions of a clause


@pytest.fixture
def specification(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Replace the installed specification with an empty folder, and return the folder."""
    monkeypatch.setattr(clauses_module, "specification", lambda: Specification(tmp_path))
    clauses_module._matrix.cache_clear()
    yield tmp_path
    clauses_module._matrix.cache_clear()


def test_the_error_for_a_missing_matrix_of_clauses_explains_how_to_create_it(
    specification: Path, command: Command
) -> None:
    """The matrix lists the code and tests of each clause. An installation creates it."""
    clause = vr.explain("BLD-6")
    missing = re.escape(f"{specification / 'matrix.json'} does not exist; install the package")
    with pytest.raises(FileNotFoundError, match=missing):
        _ = clause.code
    status, output, _ = command("BLD-6")
    assert status == 0
    assert output.startswith(str(clause))
    assert "or run `python spec/traceability.py`" in " ".join(output.split())
    (specification / "matrix.json").write_text(json.dumps(mentions.matrix(ROOT)), "utf-8")
    assert any(place.name == "rulebook.building.building_price" for place in clause.code)


def test_a_clause_lists_its_code_tests_and_formal_definitions() -> None:
    """Each entry has a file and a line. The line must exist and mention the clause."""
    clause = vr.explain("BLD-6")
    assert "rulebook.building.building_price" in [place.name for place in clause.code]
    assert all("::test_" in each.name or "::BLD-6/" in each.name for each in clause.tests)
    assert "building.qnt::discount" in [place.name for place in clause.formal]
    assert "building.c::building_price" in [place.name for place in clause.native]
    for place in (*clause.code, *clause.native, *clause.tests, *clause.formal):
        lines = (ROOT / place.path).read_text("utf-8").splitlines()
        assert "BLD-6" in lines[place.line - 1]


def test_a_clause_lists_proved_functions_only_if_it_is_proved_completely() -> None:
    """Contracts prove BLD-11 completely, a part of BLD-12, and nothing about CMP-1."""
    for place in vr.explain("BLD-11").proved:
        line = (ROOT / place.path).read_text("utf-8").splitlines()[place.line - 1]
        assert "BLD_11_states:" in line
    for language, heading in (
        ("en", "Proved for every position"),
        ("de", "Für jede Stellung bewies"),
    ):
        evidence = vr.explain("BLD-11", language).evidence()
        assert re.search(
            rf"{heading}.*:\n(  - .*\n)*  - building.c::price_of \(src/native", evidence
        )
        for clause in ("BLD-12", "CMP-1"):
            assert heading not in vr.explain(clause, language).evidence()


def test_formal_text_returns_complete_definitions() -> None:
    """The test checks, for all definitions of clauses, that the brackets are balanced."""
    for id in vr.clause_ids():
        for place in vr.explain(id).formal:
            text = vr.formal_text(place)
            assert re.search(rf"\b{place.name.partition('::')[2]}\b", text)
            assert text.count("{") == text.count("}")
            assert text.count("(") == text.count(")")


@pytest.mark.parametrize("name", ["building.qnt::nothing", "nowhere.qnt::discount", "building"])
def test_formal_text_refuses_an_unknown_definition(name: str) -> None:
    """The error names the definition."""
    with pytest.raises(LookupError, match=re.escape(repr(name))):
        vr.formal_text(vr.Reference(name, "spec/quint/building.qnt", 1))
