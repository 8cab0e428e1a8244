"""Tests of the documentation that `sphinx-build -b html docs docs/_build/html` has written."""

import asyncio
import json
import re
import tomllib
from collections import Counter
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_plus

from spec.mentions import ensured
from tests.docs import extension
from valletta_rules import ChanceAction, Code, clause_ids, explain
from valletta_rules.cli.main import build_parser
from valletta_rules.rulings import EDITIONS
from valletta_rules.specification.clauses import Example, chapters
from valletta_rules.specification.files import specification
from valletta_rules.specification.worked_examples import work
from valletta_rules.web.embedded import Embedded

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs" / "_build" / "html"
EXPECTED: Final = tomllib.loads(Path(__file__).with_name("shown.toml").read_text("utf-8"))
"""The content of `shown.toml`: HTML fragments that the page about a clause must contain."""

UNSTATED = {each.id for each in specification().clauses if each.unstated}


@cache
def page(name: str) -> str:
    """Return the HTML of the page with the given name."""
    return (SITE / f"{name}.html").read_text("utf-8")


def test_the_page_about_a_clause_shows_its_question_sources_rulings_code_tests_and_model() -> None:
    """The clause is BLD-20. `shown.toml` lists the HTML fragments that its page must contain."""
    for expected in EXPECTED["BLD-20"]:
        assert expected in page("rule/BLD-20")


def test_the_page_about_a_clause_shows_its_proved_contracts_with_links_to_their_lines() -> None:
    """The contracts are in C files.

    The page states whether they prove the whole clause or a part.
    """
    grade_of = "<h2>Proved for every position</h2>"
    for clause, grade, german in (
        ("BLD-11", "Proved for every position", "Für jede Stellung bewiesen"),
        ("BLD-12", "A part of the clause, proved", "Ein Teil der Regel"),
    ):
        english = page(f"rule/{clause}")
        line = next(each.place.line for each in ensured(ROOT) if each.clause == clause)
        assert f'href="../source/src/native/building.c.html#L-{line}"' in english
        assert "reading-a-contract" in english
        assert (grade_of in english) is (clause == "BLD-11")
        for html, heading in ((english, grade), (page(f"de/rule/{clause}"), german)):
            assert re.search(f"{heading},? in C( bewiesen)?: <a", html)
            assert "<pre><span></span>ensures" in html
    assert "successor by successor and byte for byte" in page("explanation/proved_and_tested")


def test_the_page_about_each_clause_links_to_an_explanation_of_its_evidence() -> None:
    """The page also has a line on the tests of the clause.

    The alternative texts of its pictures contain no numbers of sites.
    """
    tests = re.compile(r'>Tests: (<a href="[^"]*#examples">(the|die) |[0-9]|none|keine)')
    for name in clause_ids():
        for place in (f"rule/{name}", f"de/rule/{name}"):
            assert "explanation/proved_and_tested.html#" in page(place)
            assert tests.search(page(place))
            assert not re.search(r'alt="[^"]*(site|Bauplatz) [0-9]', page(place))


def test_the_page_about_each_clause_shows_its_formal_statement_or_why_it_has_none() -> None:
    """The test checks the English and German pages. No page has more than 30,000 bytes."""
    for language, heading, lacking in (
        ("en", "Formal statement", "No formal statement"),
        ("de", "Formale Aussage", "Ohne formale Aussage"),
    ):
        for clause in clause_ids():
            html = page(explain(clause, language).address.removesuffix(".html"))
            is_stated = clause not in UNSTATED
            named = rf'"stated"><a [^>]*>{heading}</a>: .*?<pre>'
            assert (re.search(named, html, re.DOTALL) is not None) is is_stated, clause
            assert (f"{lacking}: " in html) is not is_stated, clause
            assert len(html.encode()) <= 30_000, clause
            assert "sidebar-tree" not in html
    assert "diese Frage ist als nächste fällig" in page("de/rule/BLD-30")
    anchor = "source/spec/statements/building.html#without_houses"
    assert f'href="../../{anchor}"' in page("de/rule/BLD-30")
    assert 'id="without_houses"' in page(anchor.partition(".html")[0])


NAMED: Final = re.compile(r"<a\b([^>]*)>(?:<[^/>]+>)*([A-Z]{3}-\d+)(?:</\w+>)*</a>")
"""Matches a link whose text is the id of a clause. The groups are the attributes and the id."""


def test_every_link_whose_text_is_a_clause_id_shows_the_title_of_the_clause_as_a_tooltip() -> None:
    """Readers who do not know the ids can read the title by pointing at the link."""
    titles = {
        clause: {explain(clause, language).title for language in ("en", "de")}
        for clause in clause_ids()
    }
    counts = Counter[bool]()
    for path in SITE.rglob("*.html"):
        for attributes, clause in NAMED.findall(path.read_text("utf-8")):
            title = re.search(r'\btitle="([^"]*)"', attributes)
            counts[title is not None and unescape(title[1]) in titles[clause]] += 1
    assert counts[True] > 5_000
    assert counts[False] == 0


def test_the_script_for_tooltips_contains_the_text_of_every_clause() -> None:
    """English and German pages load scripts with the texts in their own language."""
    texts: dict[str, dict[str, str]] = {}
    for language, name in (("en", "rule/BLD-6"), ("de", "de/cards/each/monk")):
        assert "_static/clause_tips.js" in page(name)
        script = (SITE / f"_static/sentences_{language}.js").read_text("utf-8")
        texts |= json.loads(script[script.index("...{") + 3 : -4])
        assert texts[language] == {each: explain(each, language).text for each in clause_ids()}


def test_the_page_about_a_clause_and_the_source_code_of_its_tests_link_to_each_other() -> None:
    """The clause is BLD-6. The page with the source code has an anchor for each test."""
    tests = re.findall(r'href="\.\./(source/tests/[^"]+)\.html#(\w+)"', page("rule/BLD-6"))
    assert tests
    for path, anchor in tests:
        assert f'<span class="defined" id="{anchor}">' in page(path)
        assert "../rule/BLD-6.html" in page(path)


def test_the_english_and_german_index_of_rules_have_a_row_for_every_clause() -> None:
    """Readers can filter the rows by the grade of the evidence for the clause."""
    grades = {clause: grade.key for clause, grade in extension("strength").grades().items()}
    assert {"contract", "explored", "read"} <= {*grades.values()}
    for index in ("rulebook/index_of_rules", "de/rulebook/index_of_rules"):
        rows = re.findall(r'<tr [^>]*data-grade="(\w+)" data-rule="([^"]+)"', page(index))
        assert rows == [(grades[clause], clause) for clause in clause_ids()]


def classes_of(clause: str) -> list[str]:
    """Return the CSS classes that name the editions in which a clause is not in force."""
    marks = [f"not-{key}" for key, each in EDITIONS.items() if each not in explain(clause).editions]
    return ["apart", *marks] if marks else []


def test_a_chapter_marks_the_editions_in_which_a_clause_is_not_in_force() -> None:
    """After readers have selected an edition, a style sheet greys out the marked clauses."""
    for folder in ("", "de/"):
        for chapter in chapters():
            html = page(f"{folder}rulebook/{chapter.name}")
            sections = re.findall(r'<section class="clause ?([^"]*)" id="([a-z]+-\d+)"', html)
            assert [id.upper() for _, id in sections] == [each.id for each in chapter.clauses]
            for classes, id in sections:
                assert classes.split() == classes_of(id.upper())
                assert f'id="{id.upper()}"' in html
                assert f'rule/{id.upper()}.html"><span class="clause-id">' in html
            if any(classes for classes, _ in sections):
                assert html.count('<input type="radio" name="edition"') == len(EDITIONS) + 1
    for answers in (page("rulebook/disagreements"), page("rulebook/whole")):
        assert '<p class="answer for-z-man"><strong>Z-Man Games:</strong>' in answers


def test_the_page_with_the_whole_rulebook_contains_each_clause_once_and_in_order() -> None:
    """Each clause is marked with the editions in which it is not in force."""
    for language, folder in (("en", ""), ("de", "de/")):
        html = page(f"{folder}rulebook/whole")
        entries = re.findall(
            rf'<p class="whole-clause ?([^"]*)" id="{language}-whole-([^"]*)">', html
        )
        assert [id.upper() for _, id in entries] == [*clause_ids()]
        for classes, id in entries:
            assert classes.split() == classes_of(id.upper())
        assert "@page whole { @bottom-left { content: " in html
        assert len(html) < 300_000


def test_galleries_load_small_pictures_lazily_and_describe_them_in_words() -> None:
    """For example, the gallery of characters has 31 cards of at most 30,000 bytes."""
    for folder in ("cards", "de/cards"):
        gallery = page(f"{folder}/characters")
        cards = re.findall(r'<img src="([^"]*)" alt="[^":]+: [^"]+" loading="lazy"', gallery)
        assert len(set(cards)) == 31
        assert max((SITE / folder / card).stat().st_size for card in cards) <= 30_000
    assert '<p lang="de">Bankier</p>' in page("cards/characters")
    assert '<span class="provenance reconstructed">reconstructed</span>' in page("cards/buildings")
    assert page("cards/street_and_display").count("<svg ") > 5


def test_the_page_about_the_command_line_lists_all_options_and_exit_statuses() -> None:
    """Each command has a section for its usage and a section for its exit statuses."""
    html = page("reference/command_line")
    commands: dict[str, Any] = dict(build_parser()._actions[-1].choices or {})
    for parser in (build_parser(), *commands.values()):
        assert f"usage: {parser.prog} " in html
        assert {each for action in parser._actions for each in action.option_strings} <= {
            *re.findall(r"-[\w-]+", html)
        }
    assert html.count("Exit statuses") == 1 + len(commands)


def test_the_page_about_errors_lists_every_error_code() -> None:
    """The error codes are the members of the enumeration `Code`."""
    for code in Code:
        assert f'<span class="pre">{code}</span>' in page("reference/errors")


def test_the_page_with_a_quint_module_has_anchors_and_links_to_the_rulebook() -> None:
    """The formal model is written in Quint. The test checks the page of the module `types`."""
    html = page("source/spec/quint/types.qnt")
    assert '<span class="defined" id="Good">' in html
    assert "rulebook/" in html


TRY: Final = re.compile(r'<p class="try"><a href="[^"#]*language=(\w+)#(\w+)=([^"]+)">')


def tried(name: str) -> list[tuple[str, str, str]]:
    """Return the language, kind and text of the item that each *Try it* link on a page opens."""
    links = TRY.findall(page(name))
    return [(code, kind, unquote_plus(unescape(text))) for code, kind, text in links]


def everything_tried(code: str) -> Counter[tuple[str, str]]:
    """Count the items that the *Try it* links of a language open.

    An item is a kind, such as `position`, and a text.
    """
    names = [str(path.relative_to(SITE).with_suffix("")) for path in SITE.rglob("*.html")]
    of = [name for name in names if name.startswith("de/") is (code == "de")]
    links = [link for name in of for link in tried(name)]
    assert {each for each, _, _ in links} == {code}
    return Counter((kind, text) for _, kind, text in links)


def can_be_tried(example: Example) -> bool:
    """Return whether a player must act in an example. Only then can a reader try it."""
    worked = work(example)
    is_chance = worked.violation is not None and isinstance(worked.actions[-1], ChanceAction)
    return worked.before.prompt is not None and not is_chance


def test_the_page_about_a_clause_has_a_try_it_link_for_each_playable_example() -> None:
    """On other pages, scenes, drawn positions and a record also have such links."""
    for folder in ("", "de/"):
        for chapter in chapters():
            for clause in chapter.clauses:
                links = tried(f"{folder}rule/{clause.id}")
                playable = [str(each) for each in clause.examples if can_be_tried(each)]
                assert [text for _, kind, text in links if kind == "example"] == playable
        scenes = page(f"{folder}learn/first_turn").count('<figure class="pictures scene">')
        assert len(tried(f"{folder}learn/first_turn")) >= scenes > 5
        for name in ("index", "learn/index", "rulebook/whole"):
            assert "position" in [kind for _, kind, _ in tried(f"{folder}{name}")]
    english, german = map(everything_tried, ("en", "de"))
    assert {kind for kind, _ in english} == {"example", "position", "record"}
    assert {each for each in english if each[0] == "example"} <= german.keys() <= english.keys()


def test_the_playable_game_opens_the_target_of_every_try_it_link(tmp_path: Path) -> None:
    """The game's service in the browser must respond with status 200."""

    async def keep() -> None:
        """Do nothing, because the tables of this test need not be saved."""

    async def opened() -> None:
        tables = Embedded(tmp_path / "tables", keep)
        for kind, text in everything_tried("en"):
            named = {"position": None, "example": None, "against": None} | {kind: text}
            path, body = ("replay", text) if kind == "record" else ("trials", json.dumps(named))
            status, response = await tables.answer(path, "en", body, "")
            assert status == 200, (kind, text, response)

    asyncio.run(opened())
