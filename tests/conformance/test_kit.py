"""Tests that the conformance suite is current, complete, and no larger than its size limits."""

import json
import random
import re
from itertools import chain
from pathlib import Path

import jsonschema  # type: ignore[import-untyped, unused-ignore]  # stubs come with [lint]
import pytest

from spec.checks.kit import files
from spec.checks.kit import schema as lines
from spec.checks.kit.files import FOLDER, dated, problems
from spec.checks.kit.vectors import agreed
from spec.checks.model import Oracle
from spec.checks.node import why_unavailable
from tests.conformance import miniatures
from tests.sources import ROOT
from valletta_rules.specification.conformance.form import read_cards, read_position, read_rules
from valletta_rules.specification.conformance.kit import NEEDS, PROTOCOL, Kit
from valletta_rules.specification.conformance.peer import OPS

KIT = Kit.load(str(FOLDER))
UNAVAILABLE = why_unavailable()


def test_the_conformance_suite_contains_the_current_answers_of_the_engine() -> None:
    """If an answer of the engine changes, the suite must be generated again."""
    assert list(problems()) == []


def test_the_guide_lists_all_engine_features_and_those_that_can_be_tested_alone() -> None:
    """The guide is `docs/howto/check_an_engine`. Other features are tested in combination only."""
    page = (ROOT / "docs/howto/check_an_engine.rst").read_text("utf-8")
    listed = page.split("The features are ")[1].split(";")[0]
    single = page.split("begin small: ")[1].split(" each have vectors")[0]
    needs = {vector.needs for vector in KIT.vectors()}
    alone = {*chain(*(each for each in needs if len(each) == 1))}
    assert re.findall(r"``(\w+)``", listed) == [*NEEDS]
    assert {*re.findall(r"``(\w+)``", single)} == alone
    assert {"plays", "building"} in needs
    assert {"building"} not in needs


def test_a_damaged_conformance_suite_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Examples of damage are a wrong position, a clause not in force, and a repeated vector."""
    for path in FOLDER.rglob("*"):
        if path.is_file():
            copy = tmp_path / path.relative_to(FOLDER)
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(path.read_bytes())
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    vectors = [each for each in KIT.vectors() if each.kind == "turn" and each.content["next"]][:2]
    wrong, foreign = (json.loads(json.dumps(each.content)) for each in vectors)
    wrong["next"][0]["position"]["players"][0]["score"] += 1
    foreign["clauses"].append("SET-99")
    lines = [wrong, foreign, foreign]
    entry = files._written("smoke.jsonl", lines)
    manifest["files"] = [entry]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    (tmp_path / "conformance.schema.json").write_text("{}", "utf-8")
    output = "\n".join(problems())
    for message in (
        f"{wrong['id']}: the engine answers differently: next",
        f"{foreign['id']}: SET-99 is not in force there",
        f"{foreign['id']} occurs 2 times",
        "conformance.schema.json does not match the types",
        "the manifest has wrong numbers of vectors for clauses",
        "no vector shows ",
    ):
        assert message in output


@pytest.mark.skipif(
    UNAVAILABLE is not None, reason=f"the kit is not compared with the model: {UNAVAILABLE}"
)
def test_the_formal_model_gives_the_answers_of_the_conformance_suite() -> None:
    """A different sample of 25 test vectors is compared for each version of the suite."""
    rng = random.Random(KIT.manifest["files"][0]["sha256"])
    vectors = [each for each in KIT.vectors() if len(each.content.get("legal", ())) < 12]
    with Oracle() as model:
        for vector in rng.sample(vectors, 25):
            rules, cards = read_rules(KIT.rules(vector.rules)), read_cards(KIT.cards(vector.cards))
            state = read_position(vector.content["position"], rules, cards)
            assert agreed(vector.content, state, model) == vector.content["agreed"]


def test_a_changed_test_vector_keeps_its_id_and_gets_the_next_revision() -> None:
    """The vector has been released before. A new vector has revision 1."""
    vector = {"id": "red/x.000000", "text": "Now."}
    assert dated(vector, {}) == vector | {"since": files.VERSION, "revision": 1}
    before = vector | {"since": "0.9.0", "revision": 2}
    assert dated(vector, {vector["id"]: before}) == before
    mended = dated(vector | {"text": "Then."}, {vector["id"]: before})
    assert mended == before | {"text": "Then.", "revision": 3}


def test_messages_between_runner_and_engine_satisfy_their_schema() -> None:
    """The conformance suite includes a JSON Schema for the messages."""
    schema = jsonschema.Draft202012Validator(lines.schema())
    position = next(each for each in KIT.vectors() if each.kind == "turn").content["position"]
    for message in (
        {"command": "start", "protocol": 1, "kit": "1.0.0"},
        {"command": "ask", "seq": 1, "op": "legal", "position": position},
        {"command": "stop"},
        miniatures.DECLARED,
        {"seq": 1, "refused": {"code": "site-taken"}},
        {"seq": 1, "result": []},
    ):
        schema.validate(message)
    assert not schema.is_valid({"seq": 1, "result": [], "refused": {}})


def test_the_schema_of_messages_has_the_operations_features_and_protocol_of_the_runner() -> None:
    """If the runner gets a new operation or feature, the schema must be extended."""
    definitions = lines.schema()["$defs"]
    declared, vector = (definitions[name]["properties"] for name in ("Declared", "TurnVector"))
    assert declared["protocol"]["const"] == PROTOCOL
    assert declared["ops"]["items"]["enum"] == [*OPS]
    assert vector["needs"]["items"]["enum"] == [*NEEDS]
