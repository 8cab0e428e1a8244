"""Build vectors: questions about a position, with the engine's answers.

The formal model must agree with the answers.  A vector contains its position and its actions.  Its
answers can thus be regenerated without its source, and outdated vectors are detected.
"""

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from string import ascii_uppercase
from typing import Any, Final

import attrs

import valletta_rules as vr
from spec.checks.encoding import as_modelled
from spec.checks.kit.sources import VectorSource, refused_in
from spec.checks.random_games import every_action
from spec.checks.rules import P, Rules
from valletta_rules import agenda
from valletta_rules.actions import sort_key
from valletta_rules.codec import Dialect
from valletta_rules.engine import begin
from valletta_rules.rulebook.setup import lay_table
from valletta_rules.rulings import edition_of, variants_of
from valletta_rules.specification.conformance import form
from valletta_rules.specification.conformance.kit import NEEDS

MOST_FOLLOWED: Final = 16
"""The maximum number of legal actions whose results a vector contains.  If more actions are legal,
a sample is used."""

MOST_IN_VIEWS: Final = 4
"""The maximum number of legal actions whose results a vector about views contains."""

MOST_REFUSED: Final = 6
"""The maximum number of refused actions in a vector."""

CHAPTER: Final = {
    clause.id: chapter.name for chapter in vr.chapters() for clause in chapter.clauses
}
"""The name of the chapter of each clause, keyed by the id of the clause."""

_NAMED: Final[Mapping[type[agenda.Step], str]] = {
    agenda.DrawPrompt: "refill",
    agenda.PlayPrompt: "plays",
    agenda.PaymentPrompt: "payments",
    agenda.EndTurn: "refill",
    agenda.PassTurn: "refill",
}
"""The abilities that an engine needs, keyed by type of step.  For any other type, the ability has
the name of the chapter that contains the step's clause."""


def _part(step: agenda.Step) -> str:
    """Return the ability that an engine needs for a step of the agenda."""
    if type(step) in _NAMED or not isinstance(step, agenda.Prompt):
        return _NAMED[type(step)]
    return CHAPTER[step.clause]


BUILDERS: Final = frozenset(
    {vr.Character.BUILDER, vr.Character.CARPENTER, vr.Character.STONEMASON, vr.Character.BRICKLAYER}
)
"""The cards that let a player build.  They have no effect if the player can afford no site."""


# The engine's answers


def vector_of(source: VectorSource, state: vr.GameState, rules: str, cards: str) -> form.Json:
    """Return the vector for a source, with the engine's answers.

    `state` is the position with the cards of the kit; `rules` and `cards` are the names of the rule
    set and the card set in the kit.
    """
    legal = vr.legal_actions(state)
    followed = _sample(
        legal, source.actions, MOST_IN_VIEWS if source.is_about_views else MOST_FOLLOWED
    )
    refused = [action for action in source.actions if vr.check(state, action) is not None]
    for action in refused_in(state, every_action(state)):
        if len(refused) < MOST_REFUSED and action not in refused:
            refused.append(action)
    kind = "view" if source.is_about_views else _kind(state)
    fields: form.Json = {
        "id": _id(source),
        "kind": kind,
        "clauses": list(source.clauses),
        "rules": rules,
        "cards": cards,
        "needs": needs_of(kind, state, legal),
        "text": source.text,
        "position": form.write_position(
            state, form.VIEW_LINES if source.is_about_views else form.LINES
        ),
        "about": [
            form.write(each) for each in source.actions if each in followed or each in refused
        ],
        **answers(kind, state, followed, refused[:MOST_REFUSED]),
    }
    return fields | {"origin": source.origin}


def answers(
    kind: str, state: vr.GameState, followed: Iterable[vr.Action], refused: Iterable[vr.Action]
) -> form.Json:
    """Return the engine's answers to all questions that a vector asks about a position."""
    if kind == "start":
        return {}
    legal = vr.legal_actions(state)
    followed = list(followed)
    if kind == "view":
        return {
            "views": [
                {"seat": seat, "view": form.write_view(state, seat)} for seat in _viewers(state)
            ],
            "next": [_redacted_successor(state, action) for action in followed],
        }
    fields: form.Json = {
        "legal": [form.write(action) for action in legal],
        "next": [_successor(state, action) for action in followed],
        "complete": len(followed) == len(legal),
        "refused": [_refusal(state, action) for action in refused],
    }
    if kind == "chance":
        fields["chance"] = form.write_chances(state)
    if kind == "final":
        result = vr.outcome(state)
        assert result is not None
        fields["final"] = form.write(result)
    return fields


def _successor(state: vr.GameState, action: vr.Action, dialect: Dialect = form.LINES) -> form.Json:
    after, events = attrs.astuple(vr.transition(state, action), recurse=False)
    position = form.write_position(after, dialect)
    return {"action": form.write(action), "position": position, "events": form.write_events(events)}


def _redacted_successor(state: vr.GameState, action: vr.Action) -> form.Json:
    events = vr.transition(state, action).events
    redacted = [
        {"seat": seat, "events": form.write_redacted_events(events, seat)}
        for seat in _viewers(state)
    ]
    return {**_successor(state, action, form.VIEW_LINES), "seen": redacted}


def _viewers(state: vr.GameState) -> tuple[int | None, ...]:
    return (*range(len(state.players)), None)


def regenerate(vector: form.Json, state: vr.GameState) -> form.Json:
    """Return a copy of a vector with the answers of the current engine."""
    if vector["kind"] == "start":
        state = begin(lay_table(len(state.players), state.rules, state.cards))
        return vector | {"position": form.write_position(state)}
    followed = [form.read_action(step["action"]) for step in vector["next"]]
    refused = [form.read_action(each["action"]) for each in vector.get("refused", ())]
    needs = needs_of(vector["kind"], state, vr.legal_actions(state))
    return vector | {"needs": needs} | answers(vector["kind"], state, followed, refused)


def _kind(state: vr.GameState) -> str:
    if state == begin(lay_table(len(state.players), state.rules, state.cards)):
        return "start"
    if state.prompt is None:
        return "final"
    return "chance" if isinstance(state.prompt, agenda.ChancePrompt) else "turn"


def _sample(
    legal: tuple[vr.Action, ...], wanted: Iterable[vr.Action], most: int
) -> list[vr.Action]:
    """Choose at most `most` legal actions: the wanted ones first, then evenly spaced others."""
    if len(legal) <= most:
        return list(legal)
    chosen = [action for action in wanted if action in legal][:most]
    others = [action for action in legal if action not in chosen]
    step = len(others) / (most - len(chosen)) if len(chosen) < most else 0
    chosen += [others[int(n * step)] for n in range(most - len(chosen))]
    return sorted(chosen, key=sort_key)


def _refusal(state: vr.GameState, action: vr.Action) -> form.Json:
    violation = vr.check(state, action)
    assert violation is not None
    return {
        "action": form.write(action),
        "codes": [violation.code.value],
        "clauses": [violation.clause],
    }


def _id(source: VectorSource) -> str:
    """Return an id: chapter, slug, and digits of a hash of the position, rules and buildings."""
    state = source.state
    position = form.write_position(state, form.VIEW_LINES if source.is_about_views else form.LINES)
    question = f"{position} {form.write(state.rules)} {[*map(repr, state.display)]}"
    letters = hashlib.sha256(question.encode()).hexdigest()[:6]
    return f"{CHAPTER[source.clauses[0]]}/{source.slug}.{letters}"


def needs_of(kind: str, state: vr.GameState, legal: Collection[vr.Action]) -> list[str]:
    """Return the abilities that an engine needs to answer all questions about a position."""
    needs = _needs_of_rules(state, legal) | ({"views"} if kind == "view" else set())
    return [need for need in NEEDS if need in needs]


def _needs_of_rules(state: vr.GameState, legal: Collection[vr.Action]) -> set[str]:
    needs = {_part(step) for step in state.agenda[:1]}
    for action in legal:
        after = vr.apply(state, action)
        steps = len(after.agenda)
        needs |= {_part(step) for step in state.agenda[1 : len(state.agenda) - steps + 1]}
        if isinstance(after.prompt, agenda.DrawPrompt) or after.active != state.active:
            needs.add("refill")
        if vr.Phase.FINAL in (state.phase, after.phase):
            needs.add("final")
        if isinstance(action, vr.PlayCard):
            for card in {action.character, *state.played}:
                needs.add("valette" if card is vr.Character.VALETTE else card.colour.value)
                if card in BUILDERS:
                    needs.add("building")
    if state.phase is vr.Phase.SETUP:
        needs = {"setup"} | (needs & {"refill"})
    if state.prompt is None:
        needs = {"scoring"}
    return {"red" if need == "purple" else need for need in needs}


# The model's answers


def agreed(vector: form.Json, state: vr.GameState, model: Rules[P]) -> list[str]:
    """Return the names of the programs that agree on a vector's answers.

    They are the engine and, where it can answer, the formal model.  Raises `ValueError` if the
    model gives a different answer.
    """
    if vector["kind"] == "view":
        return ["engine"]  # the model has only positions and moves
    position = model.read(state)
    if vector["kind"] == "start":
        laid = model.written(model.new_game(len(state.players), state.rules, state.cards))
        _must_agree(vector, "first position", laid == as_modelled(state))
        return ["engine", "quint"]
    legal = {json.dumps(form.write(action)) for action in model.legal_actions(position)}
    _must_agree(vector, "legal", legal == set(map(json.dumps, vector["legal"])))
    for step in vector["next"]:
        after = model.written(model.apply(position, form.read_action(step["action"])))
        _must_agree(vector, str(step["action"]), form.write_position(after) == step["position"])
    if vector["kind"] == "final":
        _must_agree(vector, "final", model.outcome(position) == vr.outcome(state))
    if vector["kind"] == "chance":
        odds = model.odds(position)
        if odds is None:
            return ["engine"]
        _must_agree(vector, "chance", odds == dict(vr.chance_outcomes(state)))
    return ["engine", "quint"]


def _must_agree(vector: form.Json, subject: str, is_agreed: bool) -> None:
    if not is_agreed:
        raise ValueError(
            f"the answers of the engine and of the model differ for {vector['id']}: {subject}"
        )


# Rules and cards


def name_of_rules(rules: vr.RuleSet) -> str:
    """Return the name by which the kit refers to a rule set."""
    edition = edition_of(rules)
    if edition is None:
        answers = repr(rules.with_answers("Of the house"))
        return f"house-{hashlib.sha256(answers.encode()).hexdigest()[:4]}"
    return "-".join((edition, *variants_of(rules)))


class Workshop:
    """A collection of the buildings that worked examples invent, each with its own code.

    Buildings that already have a code keep it.
    """

    def __init__(self, known: vr.CardSet | None) -> None:
        """Create the workshop with the buildings of an earlier card set, if one is passed."""
        self._codes: dict[tuple[Any, ...], vr.Building] = {}
        for building in known.buildings if known is not None else ():
            self._codes[self._face(building)] = building

    def _face(self, building: vr.Building) -> tuple[Any, ...]:
        return (building.character, building.cost, building.icon, building.points)

    def laid(self, state: vr.GameState) -> vr.GameState:
        """Return a position in which each building has the code that the workshop gives it."""
        display = tuple(self._of(building) for building in state.display)
        return state.replace(display=display)

    def _of(self, building: vr.Building) -> vr.Building:
        face = self._face(building)
        if face not in self._codes:
            letter, design = divmod(len(self._codes), 39)
            self._codes[face] = attrs.evolve(
                building, copies=1, letter=ascii_uppercase[letter], design=design + 1
            )
        return self._codes[face]

    def cards(self) -> vr.CardSet:
        """Return a card set of all buildings in the workshop."""
        return vr.CardSet("Workshop", tuple(self._codes.values()), vr.RECONSTRUCTION.barrels)


def with_cards(state: vr.GameState, cards: vr.CardSet) -> vr.GameState:
    """Return a position with another card set, which must contain the position's buildings."""
    return attrs.evolve(state, cards=cards)


def is_from_workshop(state: vr.GameState) -> bool:
    """Return whether a position needs a card set other than the built-in one."""
    return state.cards != vr.RECONSTRUCTION or not set(state.display) <= set(state.cards.buildings)


def ordered(vectors: Iterable[form.Json]) -> Iterator[form.Json]:
    """Sort vectors by chapter, card set and rule set, so that engines rarely switch them."""
    order = {chapter.name: number for number, chapter in enumerate(vr.chapters())}
    yield from sorted(
        vectors,
        key=lambda each: (
            order[each["id"].partition("/")[0]],
            each["cards"],
            each["rules"],
            each["id"],
        ),
    )
