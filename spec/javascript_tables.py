"""Generate JavaScript modules with the data that the JavaScript package shares with Python.

``python -m spec.javascript_tables FOLDER`` writes the tables, the words of each language, and the
pictures.  The build of the package (`src/javascript`) passes its folder ``dist``.  No fact about
the game is therefore duplicated by hand in JavaScript.
"""

import json
import sys
from pathlib import Path
from string import Formatter
from typing import Any, Final

import attrs

import valletta_rules
import valletta_rules as vr
from valletta_rules.card_sets.built_in import name_built_in_cards
from valletta_rules.codec import DEEPEST, DOCUMENT_VERSION, KINDS, LONGEST, MOST_LISTED, to_document
from valletta_rules.codec.schema import json_schema
from valletta_rules.components import (
    AREA_LENGTH,
    CHARACTERS,
    GOODS,
    NAME_LIMIT,
    ONE,
    ROW_LENGTH,
)
from valletta_rules.components.display import NEIGHBOURS
from valletta_rules.native import EVENT_FIELDS, EVENTS, FACTS
from valletta_rules.numeric import layout, numbering
from valletta_rules.numeric.encoding import PHASES, QUESTIONS, STEP_TYPES
from valletta_rules.records import position_line
from valletta_rules.records.record import NOTE_LIMIT
from valletta_rules.rulebook.blue import BONUS_GOODS, NUN_TAKES
from valletta_rules.rulebook.red import COPIED_COLOURS
from valletta_rules.rulebook.yellow import ARCHITECT_PRICE
from valletta_rules.rulings import (
    EDITIONS,
    VARIANTS,
    RuleSet,
)
from valletta_rules.svg import draw_character, draw_good
from valletta_rules.views.forced_actions import PLENTY
from valletta_rules.words import LANGUAGES, Language
from valletta_rules.words.language import CONSTANTS

OMITTED_KEYS: Final = ("title", "description", "$schema", "$id", "examples", "additionalProperties")
"""The keys that are removed from schemas: texts for readers, and keys with equal values in all
objects."""

SENTENCES: Final = ("events", "subjects", "triggers", "winner", "prompts", "actions", "gists")
"""The sections of phrases from which the JavaScript package builds sentences."""


def tables() -> dict[str, Any]:
    """Return all tables, except those that are used to describe actions."""
    return {**_of_rows(), **_of_documents()}


def _of_rows() -> dict[str, Any]:
    """Return the tables that describe packed positions and action numbers."""
    return {
        "places": {name: layout.places_of(name) for name in layout.LAYOUTS},
        "sizes": {name: layout.size_of(name) for name in layout.LAYOUTS},
        "mostDesigns": layout.MAX_DESIGNS,
        "mostPlayers": layout.MAX_PLAYERS,
        "variants": {name: [field] for name, field in VARIANTS.items()},
        "dealt": numbering.MOST_DESIGNS,
        "pay": numbering.NUMBERS[vr.Pay].start,
        "numbers": numbering.COUNT,
        "codes": list(vr.Code),
        "facts": list(FACTS),
        "events": [_event(kind) for kind in EVENTS],
        "actions": [action and to_document(action)["value"] for action in numbering.ACTIONS],
        "notation": [action and vr.format_action(action) for action in numbering.ACTIONS],
        "letters": [vr.format_action(vr.Pay(ONE[good]))[-1] for good in GOODS],
        "goods": list(GOODS),
        "characters": list(CHARACTERS),
        "phases": list(PHASES),
        "steps": [_step(kind) for kind in STEP_TYPES],
    }


def _of_documents() -> dict[str, Any]:
    """Return the tables for reading and writing documents and position lines."""
    return {
        "format": DOCUMENT_VERSION,
        "mostListed": MOST_LISTED,
        "plenty": PLENTY,
        "hidden": {vr.CardDrawn.__name__: vr.HiddenCardDrawn.__name__},
        "line": {
            "format": position_line.LINE_FORMAT,
            "longest": position_line.LINE_LIMIT,
            "seat": {key: entry for key, (entry, *_) in position_line.SEAT_FIELDS.items()},
        },
        "conditions": list(vr.EndCondition),
        "answers": {name: list(answers) for name, answers in QUESTIONS.items()},
        "editions": {name: to_document(rules)["value"] for name, rules in EDITIONS.items()},
        "builtIn": {
            name_built_in_cards(vr.RECONSTRUCTION): to_document(vr.RECONSTRUCTION)["value"]
        },
        "members": _members(),
        "limits": {
            "longest": LONGEST,
            "deepest": DEEPEST,
            "name": NAME_LIMIT,
            "note": NOTE_LIMIT,
        },
        "schema": _bare(json_schema()["$defs"]),
        "kinds": {kind: f"{kind}Document" for kind in KINDS},
    }


def descriptions() -> dict[str, Any]:
    """Return the tables that, together with the phrases from `texts_in`, describe actions."""
    apprentice = vr.Character.APPRENTICE
    copied = [each for each in CHARACTERS if each.colour in COPIED_COLOURS]
    return {
        "neighbours": list(NEIGHBOURS),
        "rowLength": ROW_LENGTH,
        "areaLength": AREA_LENGTH,
        "copied": [each for each in copied if each is not apprentice],
        "counts": {
            "TakeGood-NunPrompt": NUN_TAKES,
            "ReturnGood-ArchitectPrompt": ARCHITECT_PRICE,
        },
    }


def _members() -> dict[str, dict[str, tuple[str, str | None]]]:
    """Return the members of the JavaScript objects `editions` and `cardSets`.

    Each is mapped to the table and the key under which its value is stored.  The name of a member
    is its Python name in camel case: ``zMan`` for `Z_MAN`.
    """
    constants = {id(getattr(valletta_rules, each)): each for each in valletta_rules.__all__}

    def member(value: object) -> str:
        first, *words = constants[id(value)].lower().split("_")
        return first + "".join(map(str.capitalize, words))

    return {
        "editions": {member(rules): ("editions", name) for name, rules in EDITIONS.items()},
        "cardSets": {
            member(vr.RECONSTRUCTION): ("builtIn", name_built_in_cards(vr.RECONSTRUCTION))
        },
    }


def _step(kind: Any) -> list[Any]:
    """Return the name, the fields and the clause of a step type.

    Each field is paired with the packed field that stores it.
    """
    places = {
        **dict.fromkeys(("seat", "player"), "seat"),
        **dict.fromkeys(("goods", "reduction", "price"), "goods"),
        **dict.fromkeys(("site", "plays", "taker"), "value"),
        "character": "character",
    }
    fields = [[field.name, places[field.name]] for field in attrs.fields(kind)]
    if kind is vr.BonusPrompt:
        clause: Any = {each: vr.BonusPrompt(0, each).clause for each in BONUS_GOODS}
    else:
        clause = getattr(kind, "clause", None)
    return [kind.__name__, fields, clause]


def _event(kind: Any) -> list[Any]:
    """Return an event type's name, the types of its fields, and its clause; `None` if it varies."""
    clause = vars(kind)["clause"]
    return [kind.__name__, dict(EVENT_FIELDS[kind]), clause if isinstance(clause, str) else None]


def _bare(schema: Any, *, named: bool = True) -> Any:
    """Return a copy of a schema without the keys in `OMITTED_KEYS`."""
    if isinstance(schema, list):
        return [_bare(each, named=False) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _bare(part, named=key == "properties")
        for key, part in schema.items()
        if named or key not in OMITTED_KEYS
    }


def _phrases(language: Language) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return phrases by section, and the grammatical cases of the characters' names in them.

    Placeholders for constants of the rules have been replaced.
    """
    cases = {"nominative"}

    def filled(text: str, name: str | None, form: str | None) -> str:
        if name == "character" and form:
            cases.add(form)
        if name is None:
            return text
        if name in CONSTANTS:
            return text + language.form(CONSTANTS[name], form or "")
        return f"{text}{{{name}{form and f':{form}'}}}"

    sections = {
        section: {
            key: "".join(filled(*parts[:3]) for parts in Formatter().parse(phrase))
            for key, phrase in language.table(section).items()
        }
        for section in SENTENCES
    }
    return sections, sorted(cases)


def texts_in(language: Language) -> dict[str, Any]:
    """Return all texts in a language: names, phrases, and the texts of clauses."""
    clauses = (clause for chapter in vr.chapters(language.code) for clause in chapter.clauses)
    phrases, cases = _phrases(language)
    amount = language.grammar.amount
    return {
        "characters": dict(language.short_names),
        "goods": dict(language.good_names),
        "phases": dict(language.table("phases")),
        "colours": dict(language.table("card_colours")),
        "seats": list(language.names),
        "and": language.phrases["and"],
        "nothing": language.phrases["nothing"],
        "amounts": {
            good: [amount(count, good, name).removeprefix(f"{count} ") for count in (1, 2)]
            for good, name in language.good_names.items()
        },
        "none": {good: language.form(good, "none") for good in GOODS},
        "cases": {
            case: {character: language.form(character, case) for character in CHARACTERS}
            for case in cases
        },
        "phrases": phrases,
        "clauses": {each.id: {"title": each.title, "text": each.text} for each in clauses},
    }


def main(folder: Path) -> None:
    """Write the modules and the pictures to an existing folder."""
    assert tuple(QUESTIONS) == tuple(attrs.fields_dict(RuleSet))[1:]
    modules = {"tables": tables(), "descriptions": descriptions()}
    modules |= {f"words-{code}": texts_in(language) for code, language in LANGUAGES.items()}
    for name, data in modules.items():
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        module = f"// Written by python -m spec.javascript_tables\nexport default {text};\n"
        (folder / f"{name}.js").write_text(module, "utf-8")
    members = "".join(
        f"  {group}: {' | '.join(map(repr, names))};\n" for group, names in _members().items()
    )
    (folder / "members.d.ts").write_text(f"export interface Members {{\n{members}}}\n", "utf-8")
    loaded = "".join(f"  {code}: () => import('./words-{code}.js'),\n" for code in LANGUAGES)
    (folder / "languages.js").write_text(f"export default {{\n{loaded}}};\n", "utf-8")
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    for character in CHARACTERS:
        (pictures / f"{character}.svg").write_text(draw_character(character).svg, "utf-8")
    for good in GOODS:
        (pictures / f"{good}.svg").write_text(draw_good(good).svg, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
