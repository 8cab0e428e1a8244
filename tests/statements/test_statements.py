"""Tests that the formal statements are true in games, and that a judge reports violations."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from random import Random
from typing import Any, Final

import attrs
import pytest
from hypothesis import event, given, target

import valletta_rules as vr
from spec import traceability
from spec.checks import random_games
from spec.checks.engines import ENGINES
from spec.checks.mutants.table import read_mutants
from spec.checks.rules import Engine
from spec.checks.statements import Trial, main
from spec.statements import APPLIES, Perspective, Statement, Step, posted
from spec.statements.judge import NO_STATEMENT, Failure, Judge, clauses, load
from spec.statements.symmetries import image, turned
from valletta_rules.card_sets import built_in
from valletta_rules.specification.worked_examples import position_of, variants, work


@pytest.mark.rule("SET-7", "GRN-1", "GRN-2", "BLU-5", "BLD-26")
def test_the_formal_statements_are_true_in_every_worked_example() -> None:
    """Every clause that needs a formal statement has one that applies at least once."""
    trial = Trial(ENGINES["python"](), secrets_of=20)
    for clause in vr.clause_ids():
        for example in vr.explain(clause).examples:
            trial.judge_example(next(iter(variants(example))))
    for rules, players in product({each for each, _ in random_games.every_table()}, range(7)):
        trial.lay(players, rules)
    assert not trial.findings, "\n".join(map(str, trial.findings[:3]))
    silent = {each for each in owed() if not any(c == each for c, _, _ in trial.judge.applied)}
    assert not silent, "the statements of these clauses never applied"


def has_only_goods_of_the_setup(state: vr.GameState) -> bool:
    """Return false if players have more goods before the first turn than the setup gives them.

    The result is true for all positions after the start of the first turn.
    """
    is_prepared = any(isinstance(each, vr.Turn) for each in state.agenda)
    return not is_prepared or all(each.goods.total <= 8 for each in state.players)


@random_games.scaled(10)
@given(random_games.positions(has_only_goods_of_the_setup))
def test_the_formal_statements_are_true_in_random_games(state: vr.GameState) -> None:
    """The test tries up to thirty legal actions in each position."""
    trial = Trial(ENGINES["python"](), secrets_of=20)
    for action in trial.position(state, state)[:30]:
        trial.step(state, state, action)
    spoken = {clause for clause, _, _ in trial.judge.applied}
    target(float(len(spoken)))
    for clause in sorted(spoken):
        event(clause)
    assert not trial.findings, "\n".join(map(str, trial.findings[:3]))


def owed() -> set[str]:
    """Return the ids of all clauses that need a formal statement."""
    known = [clause for clause in clauses().values() if not clause.unstated]
    return {clause.id for clause in known if clause.kind in traceability.BINDING_KINDS}


# The journal


def failures_of(step: Step, judge: Judge | None = None) -> list[Failure]:
    """Return the failures that a judge reports for a step.

    The default judge has no statements, so it checks only that events explain all changes.
    """
    return stated((judge or Judge([])).step(step))


def stated(failures: Iterable[Failure]) -> list[Failure]:
    """Remove the failures that report a missing statement."""
    return [each for each in failures if each.due != NO_STATEMENT]


@random_games.in_every(random_games.playthroughs)
def test_the_judge_reports_a_missing_or_repeated_event(game: random_games.Playthrough) -> None:
    """The test removes or repeats each event that changes the position in a random game."""
    for move in game.moves[::17]:
        step = Step(move.before, move.action, move.after, move.events)
        assert not failures_of(step)
        for number, (table, entry) in enumerate(step.entries):
            if posted(table, entry) != table:
                before, after = move.events[:number], move.events[number + 1 :]
                lacking = Step(move.before, move.action, move.after, (*before, *after))
                assert failures_of(lacking), entry
            if posted(posted(table, entry), entry) != posted(table, entry):
                twice = (*move.events[: number + 1], *move.events[number:])
                assert failures_of(Step(move.before, move.action, move.after, twice)), entry


def nun(clause: str = "BLU-26") -> Step:
    """Return the last step of the first example for a clause.

    The default clause is about the Nun.
    """
    worked = work(vr.explain(clause).examples[0])
    *_, (before, action) = worked.steps()
    transition = vr.transition(before, action)
    return Step(before, action, transition.state, transition.events)


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("valette", lambda state: state.replace(valette=7)),
        ("display", lambda state: state.replace(display=state.display[::-1])),
        ("barrels", lambda state: state.replace(barrels=vr.Goods(1))),
        ("supply", lambda state: state.replace(supply=state.players[0].hand)),
        ("active", lambda state: state.replace(active=1)),
        ("played", lambda state: state.replace(played=())),
        ("players[1].score", lambda state: player(state, score=1)),
        ("players[1].goods", lambda state: player(state, goods=vr.Goods())),
        ("players[1].hand", lambda state: player(state, hand=state.players[0].hand)),
        ("players[1].shown", lambda state: player(state, shown=state.players[0].hand)),
        ("players[1].draw_pile", lambda state: player(state, draw_pile=state.players[0].hand)),
        ("players[1].discard_pile", lambda state: player(state, discard_pile=state.supply)),
    ],
)
def test_the_judge_reports_a_changed_field_without_an_event(
    name: str, changed: Callable[[vr.GameState], vr.GameState]
) -> None:
    """The failure names the field."""
    step = nun()
    failures = failures_of(Step(step.before, step.action, changed(step.after), step.events))
    assert [each.due.split()[0] for each in failures] == [name]


def player(state: vr.GameState, **parts: Any) -> vr.GameState:
    """Return a copy of a position with changed fields of the second player."""
    return state.with_player(1, state.players[1].replace(**parts))


def test_the_judge_reports_an_event_whose_clause_is_not_in_force() -> None:
    """The game has three players, and BLU-5 is only for two players."""
    step, entries = nun(), tuple(attrs.evolve(each, clause="BLU-5") for each in (GIVEN, *OTHERS))
    failures = failures_of(Step(step.before, step.action, step.after, entries))
    assert {each.clauses for each in failures} == {("BLU-5",)}


def test_the_judge_reports_the_clause_of_an_event_with_an_impossible_seat() -> None:
    """An event with an impossible seat changes nothing, so the judge must not overlook it."""
    step, wrong = nun(), vr.GoodsTaken(7, GIVEN.goods, "BLU-26")
    failures = Judge().step(Step(step.before, step.action, step.after, (wrong, *OTHERS)))
    assert "BLU-26" in {clause for each in failures for clause in each.clauses}


# The statements


def stub(
    kind: str, clause: str, result: object, *, last: bool = False, of: type = Step
) -> Statement:
    """Return a statement whose result is always `result`. If `result` is an error, it is raised."""

    def says(subject: Any) -> Any:
        if isinstance(result, Exception):
            raise result
        return result

    says.__annotations__["subject"] = of
    return Statement(kind, (clause,), says, last=last)


NEXT = vr.PlayPrompt(0, 2)
GIVEN = vr.GoodsTaken(0, vr.Goods(stone=3), "BLU-26")
OTHERS = [vr.GoodsTaken(seat, vr.Goods(stone=1), "BLU-27") for seat in (1, 2)]


@pytest.mark.parametrize(
    ("statements", "violated"),
    [
        # entries
        ([stub("posts", "BLU-26", [GIVEN]), stub("posts", "BLU-27", OTHERS)], []),
        ([stub("posts", "BLU-26", [GIVEN])], ["BLU-27", "BLU-27"]),
        ([stub("posts", "BLU-26", [GIVEN]), stub("posts", "BLU-27", OTHERS[::-1])], ["BLU-27"]),
        ([stub("posts", "BLU-26", [GIVEN, GIVEN]), stub("posts", "BLU-27", OTHERS)], ["BLU-26"]),
        ([stub("posts", "BLU-26", [GIVEN, *OTHERS]), stub("posts", "BLU-27", OTHERS)], []),
        # an exception that applies overrides its own clauses, and no others
        ([stub("posts", "VAL-7", [APPLIES, GIVEN, *OTHERS]), stub("posts", "VAL-1", [GIVEN])], []),
        (
            [stub("posts", "VAL-7", [APPLIES]), stub("posts", "VAL-1", [GIVEN, *OTHERS])],
            ["BLU-26", "BLU-27", "BLU-27"],
        ),
        (
            [stub("posts", "VAL-7", [GIVEN, *OTHERS]), stub("posts", "VAL-4", [GIVEN, GIVEN])],
            ["VAL-4"],
        ),
        # the next prompt
        ([stub("asks", "TRN-2", NEXT)], []),
        ([stub("asks", "TRN-2", vr.PlayPrompt(0, 3))], ["TRN-2"]),
        ([stub("asks", "TRN-2", NEXT), stub("asks", "TRN-3", vr.NunPrompt(0))], ["TRN-3"]),
        ([stub("asks", "TRN-2", vr.NunPrompt(0), last=True), stub("asks", "TRN-3", NEXT)], []),
        ([stub("asks", "TRN-2", vr.NunPrompt(0)), stub("asks", "TRN-6", APPLIES)], []),
        # conditions
        ([stub("always", "TRN-4", True)], []),
        ([stub("always", "TRN-4", None)], []),
        ([stub("always", "TRN-4", False)], ["TRN-4"]),
        ([stub("always", "TRN-4", KeyError("hand"))], ["TRN-4"]),
    ],
)
def test_the_judge_reports_the_clause_of_a_statement_that_a_step_contradicts(
    statements: Sequence[Statement], violated: Sequence[str]
) -> None:
    """A statement describes events, an exception, the next prompt, or a condition."""
    failures = Judge(statements).step(nun())
    if statements[0].kind != "posts":
        failures = stated(failures)
    failures = [each for each in failures if (each.kind, each.due) != ("asks", NO_STATEMENT)]
    assert [each.clauses for each in failures] == [(clause,) for clause in violated]


TAKING = [(vr.TakeGood(good), True) for good in vr.Good]
NO_GOLD = [(vr.TakeGood(vr.Good.GOLD), False)]


@pytest.mark.parametrize(
    ("statements", "violated"),
    [
        ([stub("allows", "BLU-26", TAKING)], []),
        ([stub("allows", "BLU-26", TAKING[1:])], ["BLU-26"]),
        ([stub("allows", "BLU-26", [*TAKING, (vr.Decline(), True)])], ["BLU-26"]),
        ([stub("allows", "BLU-26", [*TAKING, (vr.Decline(), False)])], []),
        ([stub("allows", "BLU-26", TAKING), stub("allows", "BLU-27", NO_GOLD)], ["BLU-27"]),
        ([stub("allows", "TRN-9", TAKING), stub("allows", "TRN-7", NO_GOLD)], []),
        (
            [stub("always", "BLU-26", False, of=vr.GameState), stub("allows", "BLU-26", TAKING)],
            ["BLU-26"],
        ),
        ([stub("odds", "BLU-26", {})], ["BLU-26"] * 5),
    ],
)
def test_the_judge_reports_the_clause_of_a_statement_that_legal_actions_contradict(
    statements: Sequence[Statement], violated: Sequence[str]
) -> None:
    """A statement lists legal actions, describes the position, or gives probabilities."""
    before = nun().before
    failures = Judge(statements).position(before, vr.legal_actions(before))
    assert [each.clauses for each in failures] == [(clause,) for clause in violated]


@pytest.mark.parametrize(
    ("players", "fewer", "laid", "violated"),
    [
        (2, True, (2, True), []),
        (5, False, None, []),
        (3, True, None, []),
        (5, False, (4, False), []),
        (3, False, None, ["SET-1"]),
        (3, False, (2, False), ["SET-1"]),
        (2, True, (2, False), ["SET-1", "SET-7"]),
        (3, True, (3, True), ["SET-7"]),
    ],
)
def test_an_engine_that_accepts_a_forbidden_table_or_refuses_an_allowed_one_is_reported(
    players: int, fewer: bool, laid: tuple[int, bool] | None, violated: Sequence[str]
) -> None:
    """A table is a rule set with a number of players.

    The rules allow fewer barrels only for two players.
    """

    def table(players: int, fewer: bool) -> vr.GameState:
        rules = vr.HANS_IM_GLUECK.with_variants(fewer_barrels=fewer)
        first = vr.new_game(players, rules=rules if players == 2 else vr.HANS_IM_GLUECK)
        return attrs.evolve(first, rules=rules)

    class Laying(Engine):
        def new_game(self, players: int, rules: vr.RuleSet, cards: vr.CardSet) -> vr.GameState:
            if laid is None:
                raise vr.VariantError("refused")
            return table(*laid)

    trial = Trial(Laying())
    trial.lay(players, vr.HANS_IM_GLUECK.with_variants(fewer_barrels=fewer))
    reported = [each.failure.clauses for each in trial.findings]
    assert reported == [(clause,) for clause in violated]


def test_an_engine_that_accepts_an_action_that_it_does_not_list_as_legal_is_reported() -> None:
    """An engine that refuses an action under a wrong clause is reported, too."""
    before, statement = nun().before, stub("allows", "BLU-26", [*TAKING, (vr.Decline(), False)])
    judge, legal = Judge([statement]), vr.legal_actions(before)
    checks: list[tuple[Callable[[vr.Action], bool | str], int]] = [
        (legal.__contains__, 0),
        (lambda _: True, 1),
        (lambda _: False, 4),
        (lambda _: "KeyError()", 5),
        (lambda each: each in legal or "BLU-26", 0),
        (lambda each: each in legal or "BLU-27", 1),
        (lambda each: each in legal or "BLU-5", 1),
        (lambda _: "BLU-26", 4),
    ]
    for check, count in checks:
        assert len(stated(judge.position(before, legal, check=check))) == count


class Lenient(Engine):
    """An engine that accepts building on all sites, or cites the same clause in every refusal."""

    def __init__(self, clause: str) -> None:
        """Create an engine that cites `clause` in all refusals.

        If `clause` is empty, the engine accepts every site.
        """
        self.clause = clause

    def is_legal(self, position: vr.GameState, action: vr.Action) -> bool:
        """Accept building if `clause` is empty; otherwise return the result of `Engine`."""
        is_accepted = isinstance(action, vr.Build) and not self.clause
        return is_accepted or super().is_legal(position, action)

    def reason(self, position: vr.GameState, action: vr.Action) -> vr.Violation | None:
        """Return the violation that `Engine` reports, with its clause replaced."""
        why = super().reason(position, action)
        return why and attrs.evolve(why, clause=self.clause)


@pytest.mark.parametrize(("clause", "fails"), [("", True), ("BLD-9", True), ("BLD-3", False)])
def test_an_engine_that_cites_a_clause_that_does_not_forbid_the_action_is_reported(
    clause: str, fails: bool
) -> None:
    """An engine that accepts sites that do not exist is reported, too."""
    trial, state = Trial(Lenient(clause)), playing()
    trial.position(state, state)
    assert bool(trial.findings) is fails


@pytest.mark.parametrize(("is_same", "fails"), [(True, True), (False, False)])
def test_views_that_contradict_a_statement_about_hidden_information_are_reported(
    is_same: bool, fails: bool
) -> None:
    """The statement says whether the views of two positions must be equal."""
    before = nun().before
    other = player(before, goods=vr.Goods(9))
    statement = stub("hides", "INF-8", [(other, is_same)])
    perspective = Perspective(before, 0, 1, lambda state: vr.view(state, 0))
    assert bool([*Judge([statement]).view(perspective, {})]) is fails


class Overdrawing(Engine):
    """An engine that draws one card too many when it resolves random events."""

    def resolved(self, position: vr.GameState, rng: Random) -> vr.GameState:
        """Resolve random events, then draw one more card from a player's draw pile."""
        after = super().resolved(position, rng)
        *_, seat = [seat for seat in after.seats if after.players[seat].draw_pile]
        player = after.players[seat]
        (card, *_) = player.draw_pile.kinds()
        drawn = player.replace(hand=player.hand.plus(card), draw_pile=player.draw_pile.minus(card))
        return after.with_player(seat, drawn)


@pytest.mark.parametrize(
    ("engine", "violated"),
    [(Engine(), set()), (Overdrawing(), {"SET-32", "TRN-17", "TRN-22"})],
)
def test_an_engine_that_resolves_chance_to_an_impossible_position_is_reported(
    engine: Engine, violated: set[str]
) -> None:
    """A position is possible if legal random outcomes lead to it."""
    first = vr.new_game(2)
    trial = Trial(engine)
    trial.resolved(first, first)
    assert {clause for each in trial.findings for clause in each.failure.clauses} == violated


class Failing(Engine):
    """An engine that raises an error instead of applying or listing actions."""

    def apply(self, position: vr.GameState, action: vr.Action) -> vr.GameState:
        """Raise an error."""
        raise KeyError(action)

    def legal_actions(self, position: vr.GameState) -> Sequence[vr.Action]:
        """Raise an error."""
        raise KeyError(position)


class Silent(Engine):
    """An engine that raises an error instead of returning a view or events."""

    def view(self, position: vr.GameState, seat: int | None) -> vr.PlayerView:
        """Raise an error."""
        raise KeyError(seat)

    def events(self, position: vr.GameState, action: vr.Action) -> Sequence[vr.Event]:
        """Raise an error."""
        raise KeyError(action)


def test_errors_that_an_engine_raises_for_views_and_chance_are_reported() -> None:
    """The judge reports the clauses that require a view or an outcome."""
    before = nun().before
    judge = Judge([stub("shows", "INF-2", {"points": 0})])
    trial = Trial(Silent(), judge=judge)
    trial.position(before, before)
    failures = stated(each.failure for each in trial.findings)
    assert [each.clauses for each in failures] == [("INF-2",)]
    trial, first = Trial(Silent()), vr.new_game(2)
    with pytest.raises(KeyError):
        trial.resolved(first, first)
    assert {("SET-9",), ("SET-10",)} <= {each.failure.clauses for each in trial.findings}


def test_an_error_that_an_engine_raises_for_a_legal_action_is_reported() -> None:
    """The report names the clauses that allow the action."""
    before, allowing = nun().before, {("BLU-26",), ("TRN-9",)}
    statements = [stub("allows", "BLU-26", TAKING), stub("allows", "TRN-9", [(vr.Decline(), True)])]
    statements.append(stub("allows", "TRN-7", [(vr.Decline(), False)]))
    trial = Trial(Failing(), judge=Judge(statements))
    with pytest.raises(KeyError):
        trial.step(before, before, vr.TakeGood(vr.Good.GOLD))
    assert [each.failure.clauses for each in trial.findings] == [("BLU-26",)]
    with pytest.raises(KeyError):
        trial.position(before, before)
    assert {each.failure.clauses for each in trial.findings[1:]} == allowing


def test_an_error_that_an_engine_raises_ends_the_run_with_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report contains the position and the name of the engine. The exit status is 1."""

    class Oddless(Engine):
        def odds(self, position: vr.GameState) -> Mapping[vr.Action, Fraction] | None:
            raise IndexError(position)

    monkeypatch.setitem(ENGINES, "packed", Oddless)
    assert main(["--engine", "packed", "--steps", "10"]) == 1
    output = capsys.readouterr().out
    assert "raise IndexError(position)" in output
    assert "\n  at: valletta/" in output
    assert output.splitlines()[-1].startswith("packed, seed 0: ")


@pytest.mark.parametrize(
    ("below", "above", "failures", "needed"),
    [
        (NEXT, NEXT, 0, 0),
        (NEXT, APPLIES, 0, 0),
        (NEXT, vr.NunPrompt(0), 1, 0),
        (vr.NunPrompt(0), NEXT, 0, 1),
        (vr.NunPrompt(0), APPLIES, 0, 1),
    ],
)
def test_an_exception_is_counted_only_if_the_overridden_clause_would_fail(
    below: object, above: object, failures: int, needed: int
) -> None:
    """An exception is needed only if the clause that it overrides would otherwise fail."""
    judge = Judge([stub("asks", "TRN-2", below), stub("asks", "TRN-6", above)])
    assert len(failures_of(nun(), judge)) == failures
    assert judge.overruled.total() == judge.overruled["TRN-6", "TRN-2"] == needed
    assert sum(judge.applied.values()) == 2


def test_exceptions_to_clauses_about_events_and_legal_actions_are_counted() -> None:
    """For example, the overridden clause requires an event that the exception does not require."""
    judge = Judge([stub("posts", "VAL-1", [GIVEN, GIVEN]), stub("posts", "VAL-7", [APPLIES])])
    judge.step(nun())
    pairs = [stub("allows", "TRN-7", TAKING), stub("allows", "TRN-9", NO_GOLD)]
    for legal in (TAKING, TAKING[1:]):
        again = Judge(pairs, overruled=judge.overruled)
        again.position(nun().before, [each for each, _ in legal])
    assert judge.overruled == {("VAL-7", "VAL-1"): 1, ("TRN-9", "TRN-7"): 1}


def test_the_text_of_a_failure_contains_the_clause_and_the_expected_and_actual_values() -> None:
    """The clause is shown with its text."""
    (failure,) = failures_of(nun(), Judge([stub("asks", "TRN-2", vr.MonkPrompt(1, 0))]))
    sentence, due, actual = str(failure).split("\n")
    assert sentence == f"TRN-2: {vr.explain('TRN-2').text}"
    assert due.endswith(repr(vr.MonkPrompt(1, 0)))
    assert actual.endswith(repr(NEXT))
    (missed,) = Judge([stub("posts", "BLU-26", [GIVEN])]).step(nun())[:1]
    assert missed.due == NO_STATEMENT


# Statements that no mutant of their clause tests


def emptied(name: str, value: Any) -> Any:
    """Return an empty bag instead of a bag, and any other value unchanged."""
    return vr.CardBag() if isinstance(value, vr.CardBag) else value


def doubled(name: str, value: Any) -> Any:
    """Return cards or goods with doubled counts, and any other value unchanged."""
    return sum([value], value) if isinstance(value, vr.CardBag | vr.Goods) else value


@attrs.define
class Doubting(Judge):
    """A judge that checks deliberately wrong variants of steps, positions and views.

    A test uses it to show that the formal statements detect errors.
    """

    failed: set[str] = attrs.field(factory=set)
    """The ids of the clauses whose statements have failed."""

    def doubt(self, failures: Iterable[Failure]) -> None:
        """Record the clauses of failures.

        Failures about changes without events and about errors in statements are ignored.
        """
        wrong = (each for each in stated(failures) if each.kind != "journal")
        judged = (each for each in wrong if each.due != "a verdict")
        self.failed.update(clause for each in judged for clause in each.clauses)

    def step(self, step: Step) -> list[Failure]:
        """Judge variants of a step that have wrong events, cards, seats, phase or agenda."""
        whole, before, action = step.after, step.before, step.action
        turn = partial(turned, len(before.players))
        tables = [image(each, whole) for each in (emptied, doubled, turn)]
        over = whole.replace(phase=vr.Phase.OVER, agenda=())
        for after in (over, whole.replace(agenda=before.agenda), *tables):
            self.doubt(super().step(Step(before, action, after, step.events)))
        for entries in ((), image(turn, step.events)):
            self.doubt(super().step(Step(before, action, whole, entries)))
        return []

    def position(
        self, state: vr.GameState, legal: Sequence[vr.Action], *more: Any
    ) -> list[Failure]:
        """Judge a position as if no action, or as if every action, were legal."""
        for actions in ((), random_games.every_action(state)):
            self.doubt(super().position(state, actions))
        self.doubt(super().position(state, legal))
        return []

    def view(self, perspective: Perspective, visible: Mapping[str, object]) -> Iterator[Failure]:
        """Judge a view in which every part is `None`."""
        self.doubt(super().view(perspective, dict.fromkeys(visible)))
        return iter(())


PROVED: Final = {each.clause for each in read_mutants() if each.engine or each.native}
BELOW: Final = {f"CMP-{number}" for number in (*range(4, 12), 18, 19, *range(23, 28), 33)}
JUDGED: Final = {c for each in load() if each.kind != "defines" for c in each.clauses}


@pytest.mark.parametrize("clause", sorted(JUDGED - PROVED - BELOW - {"SET-1", "SET-7"}))
def test_every_formal_statement_fails_for_some_wrong_step(clause: str) -> None:
    """Otherwise, the statement could be trivially true.

    Clauses that mutants or other tests in this module cover are omitted.
    """
    judge = Doubting([each for each in load() if clause in each.clauses])
    trial = Trial(Engine(), judge=judge)
    for named in (clause, "TRN-24", "TRN-2"):
        for example in vr.explain(named).examples:
            trial.judge_example(next(iter(variants(example))))
    assert clause in judge.failed


# Cards and tokens


def start(**parts: Any) -> vr.GameState:
    """Return the initial position of a game with changed fields in its card set."""
    return attrs.evolve(vr.new_game(2), cards=attrs.evolve(vr.RECONSTRUCTION, **parts))


def with_buildings(**changes: Callable[[vr.Building], Any]) -> vr.GameState:
    """Return the initial position of a game with changed fields in all of its buildings."""
    parts = [
        (each, {key: of(each) for key, of in changes.items()})
        for each in vr.RECONSTRUCTION.buildings
    ]
    return start(buildings=[attrs.evolve(each, **changed) for each, changed in parts])


def with_hand(state: vr.GameState, card: vr.Character) -> vr.GameState:
    """Return a copy of a position with `card` added to the second player's hand."""
    return player(state, hand=state.players[1].hand.plus(card))


@pytest.mark.parametrize(
    ("violated", "state"),
    [
        ("", start()),
        ("CMP-4 CMP-6 CMP-7 CMP-8", start(buildings=vr.RECONSTRUCTION.buildings[:-1])),
        ("CMP-5 CMP-7 SET-14", with_hand(start(), vr.Character.KNIGHT)),
        ("CMP-7 CMP-8 CMP-23", with_buildings(copies=lambda building: 1)),
        ("CMP-7 CMP-8 CMP-23", with_buildings(copies=lambda building: 3)),
        (
            "CMP-9 CMP-26",
            with_buildings(letter=lambda each: "B", design=lambda each: ord(each.code[0])),
        ),
        ("CMP-26", with_buildings(letter=lambda each: chr(155 - ord(each.letter)))),
        ("CMP-11", with_buildings(cost=lambda each: each.cost - vr.Goods(9))),
        ("CMP-24", with_buildings(cost=lambda each: each.cost.less(vr.Goods(9)))),
        ("CMP-25", with_buildings(icon=lambda each: vr.Good.GOLD)),
        ("CMP-18 SET-3", start(barrels=vr.Goods(9, 9, 9, 9))),
        ("CMP-27 SET-3", start(barrels=vr.Goods(25))),
        ("CMP-19 SET-13 SET-18", player(start(), built=vr.SiteSet.of(*range(9)))),
    ],
)
def test_an_initial_position_with_wrong_cards_or_tokens_is_reported(
    violated: str, state: vr.GameState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge checks clauses about cards and tokens in the initial position of a game."""
    monkeypatch.setattr(built_in, "BUILT_IN", {"wrong": state.cards})
    failures = [each for each in Judge().position(state, ()) if each.kind == "always"]
    assert {name for each in failures for name in each.clauses} == {*violated.split()}


def test_a_building_that_is_dealt_too_often_and_an_additional_card_are_reported() -> None:
    """A building can be dealt as often as it has copies."""
    deal, code = vr.new_game(2), vr.RECONSTRUCTION.buildings[-1].code
    twice = [vr.BuildingDealt(site, code) for site in range(2)]
    dealt = posted(posted(deal, twice[0]), twice[1])
    step = Step(deal, vr.DealBuilding(code), dealt, tuple(twice))
    assert ("CMP-10",) in {each.clauses for each in Judge().step(step)}
    valid = nun("RED-1")
    step = attrs.evolve(valid, after=with_hand(valid.after, vr.Character.KNIGHT))
    assert ("CMP-33",) in {each.clauses for each in Judge().step(step)}


# Symmetries


class Refusing(Engine):
    """An engine that refuses building on some sites."""

    def __init__(self, refused: Callable[[vr.GameState, int], bool]) -> None:
        """Create the engine; `refused` returns whether to refuse a site in a position."""
        self.refused = refused

    def legal_actions(self, position: vr.GameState) -> Sequence[vr.Action]:
        """Return the legal actions, except for building on refused sites."""
        sites = (site for site in range(len(position.display)) if self.refused(position, site))
        refused = {*map(vr.Build, sites)}
        return [each for each in super().legal_actions(position) if each not in refused]


@pytest.mark.parametrize(
    ("refused", "kinds"),
    [
        (lambda state, site: False, set()),
        (lambda state, site: state.display[site].icon is vr.Good.BRICK, {"renamed"}),
        (lambda state, site: state.prompt.seat == 1, {"turned"}),
        (lambda state, site: site // 5 == 1, {"mirrored"}),
        (lambda state, site: state.players[0].goods.brick > 9, {"one brick more"}),
        (lambda state, site: state.rules.effects is vr.Effects.OPTIONAL, {"optional effects"}),
    ],
)
def test_an_engine_that_treats_symmetric_positions_differently_is_reported(
    refused: Callable[[vr.GameState, int], bool], kinds: set[str]
) -> None:
    """Positions are symmetric if, for example, goods are renamed or seats are rotated."""
    state, action = playing(), vr.Decline()
    trial = Trial(Refusing(refused))
    trial.step(state, state, action)
    assert {each.failure.kind for each in trial.findings} == kinds


def playing() -> vr.GameState:
    """Return a two-player position in which the first player may build on any site."""
    red = {"hand": "builder, maid", "goods": "9 gold, 9 wood, 9 stone, 9 brick"}
    return vr.transition(position_of({"red": red}), vr.PlayCard(vr.Character.BUILDER)).state


@pytest.mark.parametrize(("least", "code"), [(0, 0), (10**6, 1)])
def test_a_run_of_the_judge_fails_if_a_clause_applies_too_seldom(
    least: int, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Clauses that apply in a worked example are exempt from this limit."""
    assert main(["--steps", "100", "--least", str(least)]) == code
    lines = capsys.readouterr().out.splitlines()
    assert ("CMP-4 applied less than 1000000 times" in lines) is bool(code)
    assert ("FIN-11 overrides TRN-23, which never fails without it" in lines) is bool(code)
    assert not any(line.startswith(f"{vr.clause_ids()[0]} applied less") for line in lines)
