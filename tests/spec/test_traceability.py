"""The traceability check: the repository passes it, and no kind of damage escapes it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from spec import traceability
from tests.sources import repository

ROOT = Path(__file__).resolve().parents[2]

CLAUSES = """\
chapter = "building"
prefix = "BLD"
title = "Building"

[[clause]]
id = "BLD-1"
title = "Free site"
kind = "rule"
text = "A site is free."
sentence_de = "Ein Platz ist frei."
revision = 1
sources = []
rulings = ["houses"]

[[clause]]
id = "BLD-2"
title = "A price"
kind = "rule"
text = "A site has a price."
sentence_de = "Ein Platz hat einen Preis."
revision = 1
sources = []
rulings = []
"""

RULINGS = """\
[[ruling]]
id = "houses"
clauses = ["BLD-1"]
"""

TEXT = """\
[text]
id = "000"
title = "rules"
title_de = "Regeln"
language = "en"
edition = "Z_MAN"
sha256 = "00"

[[sentence]]
id = "000-1"
section = "Building"
print = "a1"
says = "Sites are free and cost something."
level = "rule"
clauses = [{ id = "BLD-1", relation = "states" }, { id = "BLD-2", relation = "implies" }]

[[sentence]]
id = "000-2"
section = "Houses"
print = "a2"
says = "Houses are made of wood."
level = "rule"
none = "physical"
why = "It is wood."

[[sentence]]
id = "000-3"
section = "Again"
print = "a1"
repeats = "000-1"
clauses = [{ id = "BLD-1", relation = "contradicts" }]
ruling = "houses"
"""

CODE = '''\
"""Building.

Rules: BLD-1
"""

LIMIT = 8
"""How many.

Rules: BLD-1,
    BLD-2
"""
'''

TESTS = """\
import pytest

pytestmark = pytest.mark.rule("BLD-1")

class TestPrice:
    @pytest.mark.rule("BLD-2")
    def test_price(self):
        pass
"""

QUINT = """\
module building {
  // [BLD-1] a site is free
  pure def free(s: int): bool = true  // [BLD-2]
}
"""


NATIVE = """\
/* What it is about. */

/* Tell whether a site is free.
 *
 * Rules: BLD-1
 */
static bool is_free(int site)
{
    return true; /* always */
}
"""

MISTAKES = """\
[[mistake]]
id = "taken"
clause = "BLD-1"
misreading = "A site may be taken."
engine = { function = "rulebook.building.LIMIT", expression = "8", replacement = "9" }
native = { function = "building.c::is_free", expression = "true", replacement = "false" }

[[mistake]]
id = "free"
clause = "BLD-2"
misreading = "A site is free of charge."
engine = { function = "rulebook.building.LIMIT", expression = "8", replacement = "0" }
equivalent = "Nobody is ever asked for a price."
"""

VERDICTS = """\
{"clauses": {
  "BLD-1": {"taken": {"engine": {"of": "38138158", "verdict": "killed"},
                      "native": {"of": "935d56ba", "verdict": "killed"}}},
  "BLD-2": {"free": {"engine": {"of": "24690dd3", "verdict": "equivalent"}}}
}}
"""


@dataclass(frozen=True)
class Tree:
    """A small repository."""

    root: Path

    def __getitem__(self, path: str) -> str:
        """Read a file."""
        return (self.root / path).read_text(encoding="utf-8")

    def __setitem__(self, path: str, text: str) -> None:
        """Write a file."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def change(self, path: str, old: str, new: str) -> None:
        """Replace text that occurs once in a file."""
        assert self[path].count(old) == 1
        self[path] = self[path].replace(old, new)

    def run(self, *arguments: str) -> int:
        """Run the command line on this repository."""
        return traceability.main(["--root", str(self.root), *arguments])

    def accept(self) -> int:
        """Accept the texts of this repository."""
        return traceability.accept(self.root)

    def places(self) -> dict[str, dict[str, list[list[str | int]]]]:
        """Return where each clause of this repository is met."""
        return traceability.places(traceability.read_repository(self.root))

    def problems(self) -> list[str]:
        """List the problems of this repository."""
        found = traceability.problems(traceability.read_repository(self.root))
        return [str(problem) for problem in found]


BUILDING = "spec/clauses/building.toml"
RULES = "spec/rulings.toml"
REGISTER = "spec/texts/000.toml"
MODULE = "src/valletta_rules/rulebook/building.py"
TEST = "tests/rulebook/test_building.py"
MODEL = "spec/quint/building.qnt"
TWIN = "src/native/building.c"
OWN = "spec/mistakes/building.toml"
NOTICED = "spec/mistakes.json"
LOCK = "spec/clauses.lock"

SOUND = {
    BUILDING: CLAUSES,
    RULES: RULINGS,
    REGISTER: TEXT,
    MODULE: CODE,
    TEST: TESTS,
    MODEL: QUINT,
    TWIN: NATIVE,
    OWN: MISTAKES,
    NOTICED: VERDICTS,
}


@pytest.fixture
def tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Tree:
    """A small repository without a fault."""
    tree = Tree(tmp_path)
    for path, text in SOUND.items():
        tree[path] = text
    assert tree.accept() == 0
    capsys.readouterr()
    return tree


def test_this_repository() -> None:
    """Every clause of this repository is implemented, tested and specified, or says why not."""
    assert traceability.problems(repository()) == []


def test_sound_repository(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    """A repository without a fault passes."""
    assert tree.run() == 0
    assert capsys.readouterr().out == "2 clauses, 0 problems\n"


DAMAGES = {
    "not implemented": (
        MODULE,
        "Rules: BLD-1,\n    BLD-2",
        "Rules: BLD-1",
        f"{BUILDING}:15: BLD-2 (A price) is not implemented",
    ),
    "not tested": (
        TEST,
        '    @pytest.mark.rule("BLD-2")\n',
        "",
        f"{BUILDING}:15: BLD-2 (A price) is not tested",
    ),
    "not specified": (
        MODEL,
        "  // [BLD-2]",
        "",
        f"{BUILDING}:15: BLD-2 (A price) is not specified",
    ),
    "excused without a reason": (
        BUILDING,
        "rulings = []",
        "rulings = []\nspecified = false",
        f"{BUILDING}:15: BLD-2 is excused without a reason (why)",
    ),
    "excused and yet done": (
        BUILDING,
        "rulings = []",
        'rulings = []\ntested = false\nwhy = "No."',
        f"{BUILDING}:15: BLD-2 says tested = false, but see {TEST}::TestPrice::test_price",
    ),
    "unknown in code": (
        MODULE,
        "Rules: BLD-1\n",
        "Rules: BLD-9\n",
        f"{MODULE}:3: rulebook.building names BLD-9, which is no clause",
    ),
    "unknown in tests": (
        TEST,
        "BLD-1",
        "BLD-9",
        f"{TEST}:3: {TEST} names BLD-9, which is no clause",
    ),
    "unknown in Quint": (
        MODEL,
        "[BLD-1]",
        "[BLD-1, BLD-9]",
        f"{MODEL}:2: building.qnt::free names BLD-9, which is no clause",
    ),
    "unknown in a ruling": (
        RULES,
        '"BLD-1"',
        '"BLD-1", "BLD-9"',
        f"{RULES}:1: the ruling houses names BLD-9, which is no clause",
    ),
    "clause given twice": (
        BUILDING,
        'id = "BLD-2"',
        'id = "BLD-1"',
        f"{BUILDING}:15: the clause BLD-1 is there twice",
    ),
    "ruling given twice": (
        RULES,
        "[[ruling]]",
        '[[ruling]]\nid = "houses"\nclauses = ["BLD-1"]\n[[ruling]]',
        f"{RULES}:4: the ruling houses is there twice",
    ),
    "named twice": (
        MODULE,
        "Rules: BLD-1,",
        "Rules: BLD-1, BLD-1,",
        f"{MODULE}:9: BLD-1 is named twice",
    ),
    "malformed clause id": (
        BUILDING,
        'id = "BLD-2"',
        'id = "BLD-02"',
        f"{BUILDING}:15: 'BLD-02' is no clause id",
    ),
    "malformed list": (
        MODULE,
        "Rules: BLD-1,\n    BLD-2",
        "Rules: BLD-1 and BLD-2",
        f"{MODULE}:9: 'BLD-1 and BLD-2' is no clause id",
    ),
    "consequence of nothing": (
        BUILDING,
        'kind = "rule"\ntext = "A site has',
        'kind = "consequence"\ntext = "A site has',
        f"{BUILDING}:15: BLD-2 is of kind consequence and lacks follows_from",
    ),
    "rule that overrides": (
        BUILDING,
        "rulings = []",
        'rulings = []\noverrides = ["BLD-1"]',
        f"{BUILDING}:15: BLD-2 is of kind rule and has overrides",
    ),
    "exception to no clause": (
        BUILDING,
        'kind = "rule"\ntext = "A site has',
        'kind = "exception"\noverrides = ["BLD-9"]\ntext = "A site has',
        f"{BUILDING}:15: BLD-2 names BLD-9, which is no clause",
    ),
    "circle of consequences": (
        BUILDING,
        'kind = "rule"\ntext = "A site has',
        'kind = "consequence"\nfollows_from = ["BLD-1", "BLD-2"]\ntext = "A site has',
        f"{BUILDING}:15: BLD-2 follows from itself",
    ),
    "unknown ruling": (
        BUILDING,
        "rulings = []",
        'rulings = ["streets"]',
        f"{BUILDING}:15: BLD-2 depends on streets, which is no ruling",
    ),
    "one-sided clause": (
        BUILDING,
        "rulings = []",
        'rulings = ["houses"]',
        f"{BUILDING}:15: BLD-2 names the ruling houses, not the reverse",
    ),
    "one-sided ruling": (
        RULES,
        '"BLD-1"',
        '"BLD-1", "BLD-2"',
        f"{RULES}:1: the ruling houses names BLD-2, not the reverse",
    ),
    "idle ruling": (
        RULES,
        '"BLD-1"',
        "",
        f"{RULES}:1: the ruling houses touches no clause",
    ),
    "rule without a mistake": (
        OWN,
        'clause = "BLD-1"\n',
        'clause = "BLD-2"\n',
        f"{BUILDING}:5: BLD-1 has no deliberate mistake (spec/mistakes/*.toml)",
    ),
    "native function without a mistake": (
        OWN,
        "building.c::is_free",
        "building.c::is_taken",
        f"{TWIN}:5: building.c::is_free has no deliberate mistake (spec/mistakes/*.toml)",
    ),
    "mistake in no clause": (
        OWN,
        'clause = "BLD-1"\n',
        'clause = "BLD-9"\n',
        f"{OWN}:1: BLD-9 taken names BLD-9, which is no clause",
    ),
    "mistake given twice": (
        OWN,
        'id = "free"\nclause = "BLD-2"',
        'id = "taken"\nclause = "BLD-1"',
        f"{OWN}:8: BLD-1 taken is there twice",
    ),
    "mistake changed in silence": (
        OWN,
        'replacement = "9"',
        'replacement = "7"',
        f"{OWN}:1: BLD-1 taken has no verdict for the engine (python -m",
    ),
    "mistake that survived": (
        NOTICED,
        '"38138158", "verdict": "killed"',
        '"38138158", "verdict": "survived"',
        f"{OWN}:1: BLD-1 taken has the verdict survived",
    ),
    "mistake that is not equivalent": (
        NOTICED,
        '"equivalent"',
        '"killed"',
        f"{OWN}:8: BLD-2 free is said to be equivalent, and is not",
    ),
    "text changed in silence": (
        BUILDING,
        "A site has a price.",
        "A site has its price.",
        f"{BUILDING}:15: BLD-2 changed, its revision did not",
    ),
    "condition changed in silence": (
        BUILDING,
        "rulings = []",
        "rulings = []\nwhen = { players = [2, 3] }",
        f"{BUILDING}:15: BLD-2 changed, its revision did not",
    ),
    "German changed": (
        BUILDING,
        "hat einen",
        "hat seinen",
        f"{BUILDING}:15: BLD-2 is not in {LOCK} ({traceability.REMEDY})",
    ),
    "German not revisited": (
        BUILDING,
        'Preis."\nrevision = 1',
        'Preis."\nrevision = 2',
        f"{BUILDING}:15: BLD-2 changed, its German did not "
        "(if it says the same, --german-holds BLD-2)",
    ),
    "no German": (
        BUILDING,
        'sentence_de = "Ein Platz hat einen Preis."\n',
        "",
        f"{BUILDING}:15: the clause lacks 'sentence_de'",
    ),
    "revision not accepted": (
        BUILDING,
        'einen Preis."\nrevision = 1',
        'seinen Preis."\nrevision = 2',
        f"{BUILDING}:15: BLD-2 is not in {LOCK} ({traceability.REMEDY})",
    ),
    "revision lowered": (
        LOCK,
        "BLD-2 1",
        "BLD-2 3",
        f"{BUILDING}:15: the revision of BLD-2 went down",
    ),
    "id disappeared": (
        BUILDING,
        'id = "BLD-2"',
        'id = "BLD-3"',
        f"{LOCK}:5: BLD-2 has disappeared and is not retired",
    ),
    "malformed lock": (
        LOCK,
        "BLD-2 1",
        "BLD-2 one",
        f"{LOCK}:5: 'BLD-2 one",
    ),
    "clause without text": (
        BUILDING,
        'text = "A site has a price."\n',
        "",
        f"{BUILDING}:15: the clause lacks 'text'",
    ),
    "ruling without id": (
        RULES,
        'id = "houses"\n',
        "",
        f"{RULES}:1: the ruling lacks 'id'",
    ),
    "unknown sentence against a ruling": (
        RULES,
        'clauses = ["BLD-1"]',
        'clauses = ["BLD-1"]\nagainst = [{ sentence = "001-1" }]',
        f"{RULES}:1: against the ruling houses stands 001-1, which is no sentence",
    ),
    "unreadable chapter": (
        BUILDING,
        'chapter = "building"',
        "chapter = building",
        f"{BUILDING}:1: cannot be read: ",
    ),
    "unreadable module": (
        MODULE,
        "LIMIT = 8",
        "LIMIT = = 8",
        f"{MODULE}:6: cannot be read: ",
    ),
    "mark without a literal": (
        TEST,
        '@pytest.mark.rule("BLD-2")',
        "@pytest.mark.rule(BLD_2)",
        f"{TEST}:6: a rule mark names its clauses by string literals",
    ),
    "mark on what is no test": (
        TEST,
        "def test_price",
        "def price",
        f"{TEST}:6: price is marked with a rule but is no test",
    ),
    "sentence given twice": (
        REGISTER,
        'id = "000-2"',
        'id = "000-1"',
        f"{REGISTER}:17: the sentence 000-1 is there twice",
    ),
    "sentence of another text": (
        REGISTER,
        'id = "000-2"',
        'id = "001-2"',
        f"{REGISTER}:17: the sentence 001-2 is there twice, or is none of the text 000",
    ),
    "same words, unsaid": (
        REGISTER,
        'repeats = "000-1"',
        'says = "Sites are free."\nlevel = "rule"',
        f"{REGISTER}:26: the sentence 000-3 has the words of another",
    ),
    "repeats nothing": (
        REGISTER,
        'repeats = "000-1"',
        'repeats = "000-9"',
        f"{REGISTER}:26: 000-3 repeats what is no sentence of its own",
    ),
    "repeats what repeats": (
        REGISTER,
        'says = "Houses are made of wood."',
        'repeats = "000-3"',
        f"{REGISTER}:17: 000-2 repeats what is no sentence of its own",
    ),
    "unknown clause of a sentence": (
        REGISTER,
        'id = "BLD-2"',
        'id = "BLD-9"',
        f"{REGISTER}:9: the sentence 000-1 names BLD-9, which is no clause",
    ),
    "unknown ruling of a sentence": (
        REGISTER,
        'ruling = "houses"',
        'ruling = "streets"',
        f"{REGISTER}:26: the sentence 000-3 names streets, which is no ruling",
    ),
    "contradiction without a ruling": (
        REGISTER,
        'ruling = "houses"',
        "",
        f"{REGISTER}:26: the sentence 000-3 contradicts BLD-1, and names no ruling on it",
    ),
    "contradiction under another ruling": (
        REGISTER,
        '"BLD-1", relation = "contradicts"',
        '"BLD-2", relation = "contradicts"',
        f"{REGISTER}:26: the sentence 000-3 contradicts BLD-2, and names no ruling on it",
    ),
    "sentence about nothing": (
        REGISTER,
        'none = "physical"\nwhy = "It is wood."\n',
        "",
        f"{REGISTER}:17: the sentence 000-2 has to name clauses, or to say why it has none",
    ),
    "sentence with clauses and a reason": (
        REGISTER,
        'none = "physical"',
        'none = "physical"\nclauses = [{ id = "BLD-1", relation = "states" }]',
        f"{REGISTER}:17: the sentence 000-2 has to name clauses, or to say why it has none",
    ),
    "rule that nothing carries": (
        REGISTER,
        'none = "physical"\nwhy = "It is wood."',
        'clauses = [{ id = "BLD-1", relation = "weaker" }]',
        f"{REGISTER}:17: the sentence 000-2 is stated and implied by no clause, and no ruling",
    ),
    "clause that rests on nothing": (
        REGISTER,
        '{ id = "BLD-2", relation = "implies" }',
        '{ id = "BLD-2", relation = "weaker" }',
        "spec/texts:1: no sentence states or implies BLD-2, and no ruling carries it",
    ),
    "unreadable text": (
        REGISTER,
        '[text]\nid = "000"',
        "[text]\nid = 000",
        f"{REGISTER}:1: cannot be read: ",
    ),
    "comment without a definition": (
        MODEL,
        "}",
        "// [BLD-1]\n}",
        f"{MODEL}:4: no definition follows [BLD-1]",
    ),
}


@pytest.mark.parametrize(("path", "old", "new", "problem"), DAMAGES.values(), ids=DAMAGES.keys())
def test_damage(
    tree: Tree,
    capsys: pytest.CaptureFixture[str],
    path: str,
    old: str,
    new: str,
    problem: str,
) -> None:
    """Every kind of damage is reported with its file and line, and fails the check."""
    tree.change(path, old, new)
    assert tree.run() == 1
    assert any(line.startswith(problem) for line in capsys.readouterr().out.splitlines())


def test_all_problems_at_once(tree: Tree) -> None:
    """The check reports everything that is wrong, not only the first thing."""
    (tree.root / MODEL).unlink()
    (tree.root / TEST).unlink()
    assert tree.problems() == [
        f"{BUILDING}:{line}: {clause} is not {duty}"
        for line, clause in ((5, "BLD-1 (Free site)"), (15, "BLD-2 (A price)"))
        for duty in ("specified", "tested")
    ]


def test_no_quint_folder(tree: Tree) -> None:
    """Without a Quint specification no clause is specified."""
    (tree.root / MODEL).unlink()
    (tree.root / MODEL).parent.rmdir()
    assert len(tree.problems()) == 2
    assert all("is not specified" in problem for problem in tree.problems())


def test_no_clauses(tmp_path: Path) -> None:
    """An empty repository does not pass for a sound one."""
    assert "spec/clauses:1: there are no clauses" in Tree(tmp_path).problems()


def test_excuse(tree: Tree) -> None:
    """A clause that says why it is not specified need not be."""
    tree.change(MODEL, "  // [BLD-2]", "")
    tree.change(BUILDING, "rulings = []", 'rulings = []\nspecified = false\nwhy = "It is wood."')
    assert tree.problems() == []


@pytest.mark.parametrize(
    ("docstring", "names"),
    [
        ('class Price:\n    """Price.\n\n    Rules: BLD-2\n    """', ["rulebook.building.Price"]),
        ('def price():\n    """Rules: BLD-2"""', ["rulebook.building.price"]),
        (
            'class Price:\n    async def pay(self):\n        """Rules: BLD-2"""',
            ["rulebook.building.Price.pay"],
        ),
        (
            'class Price:\n    gold: int = 0\n    """Rules: BLD-2"""',
            ["rulebook.building.Price.gold"],
        ),
        ('def price():\n    pass\n    """Rules: BLD-2"""', []),
        ('# Rules: BLD-2\nPRICE = "Rules: BLD-2"', []),
        ('def price():\n    """The rules: BLD-2 is one of them."""', []),
    ],
)
def test_docstrings(tree: Tree, docstring: str, names: list[str]) -> None:
    """A docstring of a module, class, function or attribute names clauses; other text does not."""
    tree.change(MODULE, "Rules: BLD-1,\n    BLD-2", "Rules: BLD-1")
    tree[MODULE] += docstring
    repository = traceability.read_repository(tree.root)
    assert list(repository.names("code", "BLD-2")) == names


@pytest.mark.parametrize(
    ("source", "definition"),
    [
        ("// [BLD-2]\npure val a: int = 1", "a"),
        ("  /* about\n     [BLD-2] */\n  type A = int", "A"),
        ("  val a = 1\n  // [BLD-2]\n  def b = 2", "b"),
        ("  def a =\n    // [BLD-2]\n    1\n  def b = 2", "a"),
        ("  def a =\n    // [BLD-2]\n    1\n", "a"),
        ("  def a =\n    1 + // [BLD-2]\n    1\n  def b = 2", "a"),
        ("  /// [BLD-1, BLD-2]\n  action step = true", "step"),
    ],
)
def test_quint_comments(tree: Tree, source: str, definition: str) -> None:
    """A comment belongs to the definition that follows it or in whose body it stands."""
    tree[MODEL] = source
    repository = traceability.read_repository(tree.root)
    assert repository.names("quint", "BLD-2") == (f"building.qnt::{definition}",)


def test_chapter_order(tree: Tree) -> None:
    """Clauses come in the order of the rulebook, not of the alphabet."""
    tree["spec/clauses/turn.toml"] = CLAUSES.replace("BLD-", "TRN-")
    repository = traceability.read_repository(tree.root)
    assert [clause.id for clause in repository.clauses] == ["TRN-1", "TRN-2", "BLD-1", "BLD-2"]


def test_accepting_a_revision(tree: Tree) -> None:
    """A changed text is accepted once its revision has been raised."""
    tree.change(BUILDING, "has a price", "has its price")
    tree.change(BUILDING, 'einen Preis."\nrevision = 1', 'seinen Preis."\nrevision = 2')
    assert tree.problems() != []
    assert tree.accept() == 0
    assert tree.problems() == []


def test_accepting_a_revision_that_leaves_the_german_as_it_is(tree: Tree) -> None:
    """A text is accepted without a change of its German once it is told that this still holds."""
    tree.change(BUILDING, "has a price", "has some price")
    tree.change(BUILDING, 'Preis."\nrevision = 1', 'Preis."\nrevision = 2')
    assert tree.accept() == 1
    assert tree.run("--german-holds", "BLD-2") == 0
    assert tree.accept() == 0
    assert tree.problems() == []


def test_accepting_a_change_of_the_german(tree: Tree) -> None:
    """The German may be improved without a revision, and is accepted like the English."""
    tree.change(BUILDING, "hat einen", "hat seinen")
    assert tree.accept() == 0
    assert tree.problems() == []


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (BUILDING, "has a price", "has its price"),
        (BUILDING, 'id = "BLD-2"', 'id = "BLD-3"'),
        (BUILDING, 'id = "BLD-2"', 'id = "BLD-1"'),
        (BUILDING, 'text = "A site has a price."\n', ""),
        (BUILDING, 'chapter = "building"', "chapter = building"),
        (LOCK, "BLD-2 1", "BLD-2 2"),
        (LOCK, "BLD-2 1", "BLD-2 one"),
    ],
)
def test_refusing_to_accept(
    tree: Tree, capsys: pytest.CaptureFixture[str], path: str, old: str, new: str
) -> None:
    """Texts changed in silence and ids that disappeared are refused, and nothing is written."""
    tree.change(path, old, new)
    lock = tree[LOCK]
    assert tree.accept() == 1
    assert capsys.readouterr().out.endswith("nothing accepted\n")
    assert tree[LOCK] == lock


def without_second_clause(tree: Tree) -> None:
    """Remove BLD-2 and everything that names it."""
    tree[BUILDING] = CLAUSES[: CLAUSES.rindex("[[clause]]")]
    tree.change(REGISTER, ', { id = "BLD-2", relation = "implies" }', "")
    tree.change(MODULE, ",\n    BLD-2", "")
    tree.change(TEST, '    @pytest.mark.rule("BLD-2")\n', "")
    tree.change(MODEL, "  // [BLD-2]", "")
    tree[OWN] = MISTAKES[: MISTAKES.rindex("[[mistake]]")]


def test_retiring(tree: Tree) -> None:
    """A removed clause is retired, and its id stays retired through later acceptances."""
    without_second_clause(tree)
    assert tree.problems() == [f"{LOCK}:5: BLD-2 has disappeared and is not retired"]
    assert tree.run("--retire", "BLD-2") == 0
    assert tree.problems() == []
    assert tree.accept() == 0
    assert "retired BLD-2" in tree[LOCK].splitlines()


def test_what_became_of_a_retired_clause(tree: Tree) -> None:
    """The lock says which clauses say what a retired one said, and they must exist."""
    tree.change(BUILDING, 'id = "BLD-2"', 'id = "BLD-3"')
    tree.change(MODULE, "BLD-2", "BLD-3")
    tree.change(TEST, "BLD-2", "BLD-3")
    tree.change(MODEL, "BLD-2", "BLD-3")
    tree.change(REGISTER, "BLD-2", "BLD-3")
    tree.change(OWN, "BLD-2", "BLD-3")
    tree.change(NOTICED, "BLD-2", "BLD-3")
    assert tree.run("--retire", "BLD-2", "--into", "BLD-3") == 0
    assert tree.accept() == 0
    assert "retired BLD-2 into BLD-3" in tree[LOCK].splitlines()
    assert tree.problems() == []
    tree.change(LOCK, "into BLD-3", "into BLD-4")
    line = tree[LOCK].splitlines().index("retired BLD-2 into BLD-4") + 1
    assert tree.problems() == [
        f"{LOCK}:{line}: retired BLD-2 into BLD-4 names BLD-4, which is no clause"
    ]


def test_what_became_of_a_split_clause(tree: Tree) -> None:
    """The lock says for good which clauses say a part of what another said before."""
    assert tree.run("--split", "BLD-1", "--into", "BLD-2") == 0
    assert tree.accept() == 0
    assert "split BLD-1 into BLD-2" in tree[LOCK].splitlines()
    assert tree.problems() == []


@pytest.mark.parametrize("arguments", [("BLD-1",), ("BLD-1", "--into", "BLD-9")])
def test_refusing_to_split(tree: Tree, arguments: tuple[str, ...]) -> None:
    """A clause is split into clauses that exist."""
    before = tree[LOCK]
    assert tree.run("--split", *arguments) == 1
    assert tree[LOCK] == before


def test_reusing_a_retired_id(tree: Tree) -> None:
    """A retired id is neither used again nor named, and nobody accepts it."""
    without_second_clause(tree)
    assert tree.run("--retire", "BLD-2") == 0
    tree[MODULE] = CODE
    assert tree.problems() == [f"{MODULE}:9: rulebook.building.LIMIT names BLD-2, which is retired"]
    tree[BUILDING] = CLAUSES
    assert f"{BUILDING}:15: BLD-2 is retired and must not be used again" in tree.problems()
    assert tree.accept() == 1


@pytest.mark.parametrize(
    ("clause", "problem"), [("BLD-1", "is still a clause"), ("BLD-7", "was never accepted")]
)
def test_refusing_to_retire(
    tree: Tree, capsys: pytest.CaptureFixture[str], clause: str, problem: str
) -> None:
    """Only a clause that was accepted and has been removed is retired."""
    assert tree.run("--retire", clause) == 1
    assert problem in capsys.readouterr().out


def test_the_matrix_is_written_anew_when_a_source_is_younger(tree: Tree) -> None:
    """What the package reads is written by a check without problems, and when it is out of date."""
    matrix = tree.root / traceability.MATRIX
    assert not matrix.exists()
    assert tree.run() == 0
    assert json.loads(matrix.read_text("utf-8")) == traceability.places(
        traceability.read_repository(tree.root)
    )
    traceability.refresh_matrix(tree.root)
    old = matrix.stat()
    tree.change(MODULE, "BLD-1,\n    BLD-2", "BLD-1")
    os.utime(tree.root / MODULE, ns=(old.st_atime_ns, old.st_mtime_ns + 1_000_000_000))
    assert tree.run() == 1
    assert matrix.stat().st_mtime_ns == old.st_mtime_ns
    traceability.refresh_matrix(tree.root)
    assert json.loads(matrix.read_text("utf-8")) == traceability.places(
        traceability.read_repository(tree.root)
    )
    assert [path.name for path in matrix.parent.glob("matrix*")] == ["matrix.json"]


def test_matrix(tree: Tree, capsys: pytest.CaptureFixture[str]) -> None:
    """The matrix leads from each clause to its code, its tests and its definition."""
    tree.change(MODEL, "[BLD-1]", "")
    assert tree.run("--matrix") == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        f"| BLD-1 Free site | `rulebook.building`, `rulebook.building.LIMIT` "
        f"| `{TEST}` | **missing** | `building.c::is_free` |",
        f"| BLD-2 A price | `rulebook.building.LIMIT` "
        f"| `{TEST}::TestPrice::test_price` | `building.qnt::free` |  |",
    ]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("BLD-1", "BLD-1,\n *     BLD-9", "5: building.c::is_free names BLD-9, which is no clause"),
        ("BLD-1", "the first", "5: 'the first' is no clause id"),
        ("\n{", ";", "5: no function follows its rules"),
        (
            "about.",
            "about.\n *\n * Rules: BLD-7\n",
            "3: building.c names BLD-7, which is no clause",
        ),
    ],
)
def test_the_native_twin_names_clauses(tree: Tree, old: str, new: str, problem: str) -> None:
    """A function in C names clauses that there are; it need not name any."""
    tree.change(TWIN, old, new)
    assert f"{TWIN}:{problem}" in tree.problems()
    tree[TWIN] = "/* Nothing yet. */\n"
    assert tree.problems() == []


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    """The command explains itself."""
    with pytest.raises(SystemExit) as exit_:
        traceability.main(["--help"])
    assert exit_.value.code == 0
    assert "--matrix" in capsys.readouterr().out
