"""Tests of `Game`: a game in progress as an immutable value with a log."""

import copy
import json
import pickle
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest.mock import Mock

import attrs
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

import valletta_rules as vr
from spec.checks.random_games import rule_sets, scaled
from valletta_rules.bots.automatic import choose
from valletta_rules.views.forced_actions import public_answer

Draw = Callable[[tuple[tuple[vr.Action, int], ...]], vr.Action]

GOLD, WOOD = vr.DraftGood(vr.Good.GOLD), vr.DraftGood(vr.Good.WOOD)


def by(seed: int) -> Draw:
    """Return a function that draws random outcomes with a generator seeded with `seed`."""
    return vr.by_random(random.Random(seed))


def start_game(players: int = 2, seed: int = 1) -> vr.Game:
    """Return a new game, in which the last player must draft a good."""
    return vr.Game.begin(vr.new_game(players), draw=by(seed))


def played(answers: int, seed: int = 1) -> vr.Game:
    """Return a two-player game after `answers` random answers, or at its end if it is shorter."""
    now, rng = start_game(seed=seed), random.Random(seed)
    for _ in range(answers):
        if now.prompt is None:
            break
        seat = now.prompt.seat
        now, _ = now.answer(
            choose(now.position, rng), seat=seat, revision=now.revision, draw=by(seed)
        )
    return now


# Calls


def test_an_answer_returns_the_next_game_and_its_log_entry() -> None:
    """The previous game does not change."""
    first = start_game(3)
    assert first.prompt == vr.DraftPrompt(2, vr.Goods(1, 1, 1, 1))
    then, entry = first.answer(GOLD, seat=2, revision=0, draw=by(1))
    assert entry == vr.Answered(1, 2, GOLD, (), None)
    assert (first.revision, then.revision, then.log) == (0, 1, (first.entry, entry))
    assert (first.start, first.before, then.before) == (vr.new_game(3), first.start, first.position)
    assert then.record(["A", "B", "C"]).actions == (*first.record().actions, GOLD)
    assert repr(then) == "<Game of 3, revision 1: seat 1 is asked>"
    assert then.view(1) == vr.view(then.position, 1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ({"seat": 7}, vr.SeatError, "has no seat 7"),
        ({"seat": 0}, vr.NotAskedError, "seat 0 cannot move now: seat 1 is asked"),
        ({"seat": None}, vr.NotAskedError, "a spectator cannot move now"),
        ({"revision": 5}, vr.FutureRevisionError, "no revision 5 yet: the game is at revision 0"),
        ({"revision": -1}, vr.StaleError, "for revision -1, but the game is at revision 0"),
        ({"revision": True}, TypeError, "a revision must be a whole number"),
        ({"action": vr.PlayCard(vr.Character.MAID)}, vr.IllegalActionError, "SET-22"),
        ({"action": "draft gold"}, vr.MalformedActionError, "not an action"),
        ({"id": "two words"}, vr.CallIdError, "an id must be 1 to 100 printable ASCII characters"),
        ({"id": 7}, TypeError, "expected an id (.*), not"),
        ({"id": ""}, vr.CallIdError, "an id must be 1 to 100 printable ASCII characters"),
    ],
)
def test_a_call_with_an_invalid_argument_is_refused_with_a_specific_error(
    call: dict[str, Any], error: type[Exception], message: str
) -> None:
    """A call without a seat or a revision is refused, too."""
    first = start_game()
    right: dict[str, Any] = {"action": GOLD, "seat": 1, "revision": 0, "draw": by(1)}
    with pytest.raises(error, match=message):
        first.answer(**(right | call))
    for missing in ("seat", "revision"):
        with pytest.raises(TypeError, match=missing):
            first.answer(**{key: each for key, each in right.items() if key != missing})


def test_a_late_call_is_refused_and_a_repeated_call_has_no_effect() -> None:
    """Calls are repeated with the same id, so a repeated undo does not undo a second answer."""
    first = start_game()
    one, drafted = first.answer(GOLD, seat=1, revision=0, draw=by(1), id="a")
    with pytest.raises(vr.StaleError):
        one.answer(WOOD, seat=0, revision=0, draw=by(1))
    two, _ = one.answer(WOOD, seat=0, revision=1, draw=by(1), id="b")
    back, undone = two.undo(seat=0, revision=2, id="c")
    assert back.position == one.position
    for revision in (2, 3):
        assert back.undo(seat=0, revision=revision, id="c") == (back, undone)
        assert back.answer(GOLD, seat=1, revision=revision, draw=by(1), id="a") == (back, drafted)
    assert [back.entry_with(each) for each in "abcd"] == [*back.log[1:], None]
    with pytest.raises(vr.StaleError):
        back.undo(seat=0, revision=2)
    again, redone = back.redo(seat=0, revision=3, id="d")
    assert (again.position, redone) == (two.position, vr.Redone(4, 0, "d"))
    assert again.redo(seat=0, revision=3, id="d") == (again, redone)
    assert first.answer(WOOD, seat=1, revision=0, draw=by(1), id="a")[1].action == WOOD


@pytest.mark.parametrize("call", [{"seat": 0}, {"action": WOOD}])
def test_an_id_that_belongs_to_another_call_is_refused(call: dict[str, Any]) -> None:
    """The earlier call with this id has a different seat or answer, or is of another type."""
    now, _ = start_game().answer(GOLD, seat=1, revision=0, draw=by(1), id="a")
    right: dict[str, Any] = {"action": GOLD, "seat": 1, "revision": 0, "draw": by(1), "id": "a"}
    with pytest.raises(
        vr.ForeignIdError, match=r"^the id 'a' was used for another call.* revision 1$"
    ) as refused:
        now.answer(**(right | call))
    assert (refused.value.code, refused.value.facts) == ("foreign-id", {"id": "a", "revision": 1})
    for other in (now.undo, now.redo):
        with pytest.raises(vr.ForeignIdError):
            other(seat=1, revision=1, id="a")
    back, _ = now.undo(seat=1, revision=1, to=0, id="b")
    assert back.undo(seat=1, revision=1, id="b")[0] is back
    with pytest.raises(vr.ForeignIdError):
        back.undo(seat=1, revision=2, to=1, id="b")


def test_an_undo_must_remove_an_answer_that_is_part_of_the_game() -> None:
    """An undo to a revision that has been undone, or to the current position, is refused."""
    now = played(5)
    back, entry = now.undo(seat=1, revision=5, to=2)
    assert (entry, back.position) == (vr.Undone(6, 1, 2, None), played(2).position)
    for to in (3, 2):
        with pytest.raises(vr.NothingToUndoError, match=f"to revision {to} would remove no answer"):
            back.undo(seat=1, revision=6, to=to)
    with pytest.raises(ValueError, match="-1"):
        back.undo(seat=1, revision=6, to=-1)
    with pytest.raises(vr.FutureRevisionError):
        back.undo(seat=1, revision=6, to=8)
    again, _ = back.redo(seat=1, revision=6)
    assert again.position == now.position
    with pytest.raises(vr.NothingToRedoError, match="nothing has been undone since"):
        again.redo(seat=1, revision=7)
    with pytest.raises(vr.NothingToUndoError, match="no player has made a choice yet"):
        start_game().undo(seat=1, revision=0)
    for viewer in (2, -1):
        with pytest.raises(vr.SeatError):
            now.undo(seat=viewer, revision=5)


# Chance


def test_the_draw_function_of_the_caller_chooses_all_chance_outcomes() -> None:
    """The function receives the possible outcomes with weights that match `chance_outcomes`."""
    weighted_outcomes = []

    def last(outcomes: tuple[tuple[vr.Action, int], ...]) -> vr.Action:
        total = sum(weight for _, weight in outcomes)
        weighted_outcomes.append(
            tuple((action, Fraction(weight, total)) for action, weight in outcomes)
        )
        return outcomes[-1][0]

    now = vr.Game.begin(vr.new_game(2), draw=last)
    state = vr.new_game(2)
    for outcomes, action in zip(weighted_outcomes, now.record().actions, strict=True):
        assert (outcomes, action) == (vr.chance_outcomes(state), outcomes[-1][0])
        state = vr.apply(state, action)
    assert state == now.position


def test_by_random_draws_the_same_outcomes_as_resolve_chance() -> None:
    """Both consume the random numbers of the generator in the same order."""
    assert start_game(seed=5).position == vr.resolve_chance(vr.new_game(2), random.Random(5))


def test_a_draw_function_that_returns_an_impossible_outcome_is_refused() -> None:
    """The error is a `ValueError`, because the calling program is wrong, not a player."""
    with pytest.raises(ValueError, match="draw must return an action that it was given"):
        vr.Game.begin(vr.new_game(2), draw=lambda outcomes: GOLD)


def test_forced_answers_are_recorded_in_the_entry_of_the_previous_answer() -> None:
    """With `skip_forced`, a game never stops at a prompt whose answer all players can infer."""
    now, rng, forced = (
        vr.Game.begin(vr.new_game(2), draw=by(4), skip_forced=True),
        random.Random(),
        0,
    )
    while now.prompt is not None:
        assert public_answer(now.position) is None
        seat, action = now.prompt.seat, choose(now.position, rng)
        now, entry = now.answer(action, seat=seat, revision=now.revision, draw=by(4))
        forced += any(not isinstance(each, vr.ChanceAction) for each in entry.then)
    assert forced
    assert vr.Game.replay(now.log).position == now.position


# Permission to undo


def test_each_policy_for_undo_checks_its_own_conditions() -> None:
    """No policy permits an undo if no player has made a choice yet."""
    assert start_game().last_choice is None
    drafted = played(1).last_choice
    assert drafted == vr.LastChoice(1, 1, has_revealed=False, others_acted=False, players=2)
    choices = (played(answers).last_choice for answers in range(2, 99))
    revealed = next(each for each in choices if each is not None and each.has_revealed)
    own, free = vr.may_undo_own, vr.may_undo_freely
    assert [own(drafted, 1), own(drafted, 0), own(revealed, revealed.seat)] == [True, False, False]
    agreed = [vr.may_undo_by_consent(revealed, 1, each) for each in ((), (1,), (0,), (0, 1))]
    assert agreed == [False, False, True, True]
    assert free(revealed, 0)
    assert not any([own(None, 0), free(None, 0), vr.may_undo_by_consent(None, 0, (0, 1))])


# Logs


def damaged(log: list[str], number: int, **changes: Any) -> list[str]:
    """Return a copy of a log with changes to the fields of entry `number`."""
    document = json.loads(log[number])
    document["value"] |= changes
    return [*log[:number], json.dumps(document), *log[number + 1 :]]


def log_with_an_undo() -> list[str]:
    """Return a log of JSON documents: the opening, two drafts and an undo."""
    now, _ = start_game().answer(GOLD, seat=1, revision=0, draw=by(1), id="a")
    now, _ = now.answer(WOOD, seat=0, revision=1, draw=by(1), id="b")
    now, _ = now.undo(seat=0, revision=2)
    return [vr.to_json(entry) for entry in now.log]


Log = Callable[[list[str]], list[str]]

FAULTY: list[tuple[Log, str, str]] = [
    (lambda log: [], "cut-log", "entry 0 of the log: it is missing"),
    (lambda log: log[1:], "cut-log", "entry 0 of the log: it is missing: the next entry is 1"),
    (
        lambda log: [log[0], *log[2:]],
        "cut-log",
        "entry 1 of the log: it is missing: the next entry is 2",
    ),
    (lambda log: [*log[:2], log[2][:60]], "no-json", "entry 2 of the log: "),
    (
        lambda log: damaged(log, 0, then=[]),
        "cut-log",
        "entry 0 .* last chance outcomes are missing",
    ),
    (lambda log: [*log[:2], log[2].replace(":2,", ":9,", 1)], "other-version", "entry 2"),
    (lambda log: damaged(log, 1, seat=3), "seat", "entry 1 of the log: a game of 2 .* seat 3"),
    (lambda log: damaged(log, 1, seat=0), "not-asked", "entry 1 of the log: seat 0 cannot"),
    (lambda log: damaged(log, 2, id="a"), "foreign-id", "entry 2 of the log: the id 'a' was used"),
    (lambda log: damaged(log, 3, to=7), "future-revision", "entry 3 .* no revision 7 yet"),
    (lambda log: damaged(log, 3, to=2), "nothing-to-undo", "entry 3 of the log: an undo to"),
    (
        lambda log: damaged(log, 2, action={"type": "DraftGood", "good": "gold"}),
        "good-not-offered",
        "entry 2 of the log: gold has been taken",
    ),
    (
        lambda log: damaged(log, 2, then=[{"type": "Decline"}]),
        "log",
        "entry 2 .* is not a chance outcome",
    ),
    (
        lambda log: [*log, damaged(log, 0, revision=4)[0]],
        "log",
        "entry 4 .* only the first entry may open the game",
    ),
    (lambda log: [vr.to_json(GOLD)], "log", "entry 0 of the log: it must be an entry of a log"),
]
"""Functions that damage the log of `log_with_an_undo`, each with its error code and message."""


@pytest.mark.parametrize(("log", "code", "message"), FAULTY)
def test_a_faulty_log_is_refused_with_the_number_of_the_entry(
    log: Log, code: str, message: str
) -> None:
    """The error also contains a code that identifies the problem."""
    documents = log_with_an_undo()
    assert vr.Game.replay(documents).revision == 3
    with pytest.raises(vr.LogError, match=message) as refused:
        vr.Game.replay(log(documents))
    assert refused.value.code == code
    assert (code == "cut-log") == isinstance(refused.value, vr.CutLogError)


def test_an_incomplete_log_can_be_viewed_but_not_continued() -> None:
    """The log ends at a chance prompt, because its last chance outcome is missing."""
    opened = start_game().entry
    assert isinstance(opened, vr.Opened)
    cut = attrs.evolve(opened, then=opened.then[:-1])
    now = vr.Game.replay([cut], is_whole=False)
    assert (now.asked, now.moves) == (None, len(cut.then))
    with pytest.raises(vr.NotAskedError):
        now.answer(GOLD, seat=1, revision=0, draw=by(1))
    with pytest.raises(
        vr.CutLogError, match="entry 0 of the log: its last chance outcomes are missing"
    ):
        now.read(vr.Answered(1, 1, GOLD, (), None))
    assert start_game().read(vr.Answered(1, 1, GOLD, (), None)).revision == 1


def test_a_game_resumed_from_a_record_has_the_same_log_as_the_original() -> None:
    """If the record ends at a chance prompt, the draw function of the caller resolves it."""
    whole = played(12)
    record = whole.record()
    cut = attrs.evolve(record, actions=record.actions[:25])
    assert vr.Game.resume(cut, draw=by(1)).revision == 0
    unresolved = vr.Game.resume(cut, draw=None)
    assert (unresolved.record(), unresolved.asked) == (cut, None)
    resumed = vr.Game.resume(record, draw=by(2))
    assert (resumed.log, resumed.position) == (whole.log, whole.position)
    with pytest.raises(vr.RecordError, match="move 1"):
        vr.Game.resume(attrs.evolve(record, actions=[GOLD]), draw=by(1))


def test_a_game_that_begins_at_a_later_position_has_a_log_but_no_record() -> None:
    """A record contains no position, so it can only start with the setup of a new game."""
    now = vr.Game.begin(played(9).position, draw=by(1))
    assert now.log == (vr.Opened(0, now.position, skip_forced=False, then=()),)
    assert vr.Game.replay(map(vr.to_json, now.log)) == now
    with pytest.raises(ValueError, match="does not begin with the setup"):
        now.record()


def test_the_cost_of_an_answer_does_not_grow_with_the_length_of_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The test counts how many transitions an answer computes and how many ids it copies."""
    counted = Mock(wraps=vr.transition)
    monkeypatch.setattr("valletta_rules.play.driver.transition", counted)
    now, copies = played(0), 0
    for number in range(256):
        before, calls = now, counted.call_count
        action = GOLD if number % 2 else WOOD
        if number % 2:
            now, _ = now.undo(seat=1, revision=now.revision, id=str(number))
        else:
            now, entry = now.answer(
                action, seat=1, revision=now.revision, draw=by(1), id=str(number)
            )
            assert counted.call_count - calls == 1 + len(entry.then)
        assert now.previous is before
        copies += sum(len(ids) for ids in now._ids if not any(ids is old for old in before._ids))
    assert copies <= 256 * 9
    assert len(now._ids) <= 9
    assert vr.Game.replay(now.log) == now


@pytest.mark.parametrize(
    "twin", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]
)
def test_a_copied_or_pickled_game_is_equal_and_immutable(
    twin: Callable[[vr.Game], vr.Game],
) -> None:
    """Two games are equal if their logs are equal."""
    now = played(6)
    assert (twin(now), hash(twin(now))) == (now, hash(now))
    assert twin(now).since(3, 0) == now.since(3, 0)
    assert now != played(5)
    assert now != now.log
    with pytest.raises(AttributeError):
        now.entry = now.log[0]  # type: ignore[misc]


# Any calls, in any order


class AnyCalls(RuleBasedStateMachine):
    """A state machine that makes random calls, and that checks each of their results."""

    @initialize(data=st.data(), players=st.integers(2, 4), seed=st.integers(0, 99))
    def begin(self, data: Any, players: int, seed: int) -> None:
        """Begin a game, and send its first moves to one client for each viewer."""
        start = vr.new_game(players, rules=data.draw(rule_sets(players)))
        self.rng = random.Random(seed)
        self.draw = vr.by_random(self.rng)
        self.game = vr.Game.begin(start, draw=self.draw, skip_forced=data.draw(st.booleans()))
        self.documents = [vr.to_json(self.game.entry)]
        self.line = [self.game.position]
        self.undone: list[list[vr.GameState]] = []
        self.calls: list[Callable[[], tuple[Any, Any]]] = []
        self.news = {each: self.game.since(None, each) for each in (None, *range(players))}
        self.clients = {each: list(news.steps) for each, news in self.news.items()}

    def _carry_out(self, method: str, **call: Any) -> None:
        """Make a valid call, and store the call and its result."""
        call |= {"revision": self.game.revision, "id": f"call-{self.game.revision}"}
        after, entry = getattr(self.game, method)(**call)
        assert after.revision == self.game.revision + 1
        self.documents.append(vr.to_json(entry))
        self.game = after
        self.calls.append(lambda: (getattr(self.game, method)(**call), (self.game, entry)))

    @precondition(lambda self: self.game.prompt is not None)
    @rule()
    def answer(self) -> None:
        """Answer for the seat that must decide."""
        assert self.game.prompt is not None
        seat, action = self.game.prompt.seat, choose(self.game.position, self.rng)
        self._carry_out("answer", action=action, seat=seat, draw=self.draw)
        self.line.append(self.game.position)
        self.undone = []

    @precondition(lambda self: self.game.last_choice is not None)
    @rule(steps=st.integers(1, 3), viewer=st.integers(0, 1))
    def undo(self, steps: int, viewer: int) -> None:
        """Undo one or more answers."""
        answers = [*self.game._standing.back_to(0)][: steps + 1]
        to = answers[-1].entry.revision if steps > 1 else None
        undone = len(answers) - 1
        self._carry_out("undo", seat=viewer, to=to)
        self.undone.append(self.line)
        self.line = self.line[:-undone]

    @precondition(lambda self: self.undone)
    @rule(viewer=st.integers(0, 1))
    def redo(self, viewer: int) -> None:
        """Redo the last undo."""
        self._carry_out("redo", seat=viewer)
        self.line = self.undone.pop()

    @precondition(lambda self: self.calls)
    @rule(data=st.data())
    def retry(self, data: Any) -> None:
        """Repeat an earlier call, and check that it has no effect."""
        result, expected = data.draw(st.sampled_from(self.calls))()
        assert result == expected
        assert result[0] is self.game

    @rule(late=st.integers(-2, 2))
    def call_for_another_revision(self, late: int) -> None:
        """Check that a call for another revision is refused."""
        if late:
            error = vr.StaleError if late < 0 else vr.FutureRevisionError
            for call in (self.game.undo, self.game.redo):
                with pytest.raises(error):
                    call(seat=0, revision=self.game.revision + late)

    @rule()
    def come_back(self) -> None:
        """Let each client fetch its missing moves, and check that they are redacted."""
        _, steps = self.game.transitions_since()
        start = self.game.record().start
        for viewer, news in self.news.items():
            update = self.game.since(news.revision, viewer)
            self.clients[viewer][update.kept :] = update.steps
            for number, step in enumerate(steps):
                redacted = tuple(vr.redact(event, viewer) for event in step.events)
                assert self.clients[viewer][number] == redacted
            assert len(self.clients[viewer]) == len(steps)
            assert update.view == vr.view(self.game.position, viewer)
            base = steps[update.kept - 1].state if update.kept else start
            table = vr.view(base, viewer).table
            assert (
                vr.fold(table, [each for step in update.steps for each in step])
                == update.view.table
            )
            self.news[viewer] = update

    @rule()
    def restart(self) -> None:
        """Replay the log, and check that the new game is equal to the old one."""
        again = vr.Game.replay(self.documents)
        assert again == self.game
        self.game = again

    @invariant()
    def stands(self) -> None:
        """Check the position and the revision, and that the record leads to this position."""
        assert (self.game.position, self.game.can_redo) == (self.line[-1], bool(self.undone))
        assert self.game.revision == len(self.documents) - 1
        assert vr.position_after(self.game.record()) == self.game.position


TestAnyCalls = AnyCalls.TestCase
TestAnyCalls.settings = scaled(0.3)
