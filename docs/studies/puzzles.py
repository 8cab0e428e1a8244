"""Collect puzzles from games between weak bots: `python docs/studies/puzzles.py FILE`.

A puzzle is a position in which a bot answered badly.  The bot's answer loses at least `LEAST`
points, and reduces the chance of victory by at least `LEAST_CHANCE`.  The lost points are at least
the error of the measurement.
Rollouts select the position.  Rollouts with another seed confirm it and measure all answers.  An
answer is right if the best one is not better by more than the error.

The program writes one puzzle per line to FILE, in the order of the games.  After an interruption,
the same command continues.  The options set the number of puzzles, the number of the first game,
and the number of processes.  The documentation shows the puzzles in `PUZZLES`.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import count, islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

sys.path.append(str(Path(__file__).parents[2]))

import valletta_rules as valletta
from docs.studies.common import parse
from valletta_rules import Action, GameState, PlayerView, format_action
from valletta_rules.agenda import PaymentPrompt, PlayerPrompt
from valletta_rules.analysis import adviser
from valletta_rules.analysis.settling import FOR_ONE, WORLDS, Trials
from valletta_rules.analysis.words import describe_loss, describe_plan
from valletta_rules.studies import Job, play_game
from valletta_rules.words import LANGUAGES

PUZZLES: Final = Path(__file__).parents[1] / "learn/puzzles.jsonl"
"""The file with the puzzles that the documentation shows."""

PUZZLES_A_PAGE: Final = 33
"""The maximum number of puzzles on a page of the documentation."""

LINE_UPS: Final = (
    ("casual", "regular"),
    ("regular", "club"),
    ("casual", "regular", "club"),
    ("novice", "club"),
    ("regular", "club", "regular", "club"),
)
"""The combinations of bots in the games that are searched. The games use them in turn."""

LEAST: Final = 3.0
"""The minimum number of points that the bot's answer must lose."""

LEAST_CHANCE: Final = 0.08
"""The minimum by which the bot's answer must reduce the chance of victory."""

KINDS: Final = MappingProxyType({"PlayPrompt": "play", "SitePrompt": "site"})
"""The chapter for each type of prompt; other types belong to the chapter `other`."""

SEARCHED: Final = 1.5
"""The minimum number of points that the bot's answer must lose in the search of the turn. Only then
are rollouts made."""

RIGHT: Final = 2
"""The maximum number of right answers to a puzzle."""

BARRELS: Final = 12
"""The number of random seeds with which a plan is tried, if it depends on the goods in barrels."""

BATCH: Final = 20
"""The number of games after which progress is reported."""

PER_GAME: Final = 4
"""The maximum number of puzzles from one game."""

SHARE: Final = 0.12
"""The maximum share of puzzles whose solution begins with the same word, such as ``build``."""


def settle(
    view: PlayerView, given: Action, seed: int, worlds: tuple[int, int], *others: Action
) -> tuple[adviser.Weighed, tuple[adviser.Weighed, ...]]:
    """Measure answers by rollouts; return the given answer, and all measured ones, best first."""
    weighed = adviser.weigh(view, given)
    trials, wanted = Trials(view, seed=seed, worlds=worlds), (weighed[0].action, given, *others)
    answers = adviser.settle(weighed, trials, *wanted, force=True)
    return next(each for each in answers if each.action == given), answers


def is_lost(given: adviser.Weighed, best: adviser.Weighed) -> bool:
    """Return whether an answer is so much worse than the best one that it makes a puzzle."""
    lost = best.lead - given.lead
    return lost >= max(LEAST, given.error or lost) and best.chance - given.chance >= LEAST_CHANCE


def puzzle_of(view: PlayerView, state: GameState, given: Action) -> dict[str, Any] | None:
    """Return a puzzle about a bot's answer, or `None` if rollouts do not confirm an error."""
    weighed = adviser.weigh(view, given)
    if weighed[0].lead - next(e.lead for e in weighed if e.action == given) < SEARCHED:
        return None
    own, answers = settle(view, given, 1, WORLDS[len(state.players)])
    if not is_lost(own, answers[0]):
        return None
    own, answers = settle(view, given, 2, FOR_ONE, *(each.action for each in weighed))
    best = answers[0]
    right = [each for each in answers if best.lead - each.lead <= (each.error or 0.0)]
    declines = any(isinstance(each.action, valletta.Decline) for each in right)
    if not is_lost(own, best) or own in right or len(right) > RIGHT or declines:
        return None
    plan = [format_action(each) for each in (best.action, *best.plan)]
    return {
        "position": valletta.position_line(state),
        "given": format_action(given),
        "right": [format_action(each.action) for each in right],
        "plan": plan[: len(steps_of(state, plan))],
        "lost": round(best.lead - own.lead, 1),
        "error": round(own.error or 0.0, 1),
        "clauses": clauses_of(state, plan),
    }


def steps_of(state: GameState, plan: Sequence[str]) -> list[tuple[Action, list[str]]]:
    """Return the legal actions of a plan, each with the clauses of its prompt and its events.

    `plan` contains the notation of each action.  If it depends on the goods in barrels, several
    random choices are tried, and the one with which most of the plan is legal is used.
    """
    longest = list[tuple[Action, list[str]]]()
    for seed in range(BARRELS):
        longest = max(longest, steps_with(state, plan, random.Random(seed)), key=len)
        if len(longest) == len(plan):
            break
    return longest


def steps_with(
    state: GameState, plan: Sequence[str], rng: random.Random
) -> list[tuple[Action, list[str]]]:
    """Return the legal first steps of a plan; `rng` determines the goods in barrels."""
    steps = list[tuple[Action, list[str]]]()
    for text in plan:
        state = valletta.resolve_chance(state, rng)
        try:
            action = valletta.parse_action(state, text)
        except valletta.VallettaError:
            break
        step = valletta.transition(state, action)
        assert isinstance(state.prompt, PlayerPrompt), "a player answers"
        steps.append((action, [state.prompt.clause, *(each.clause for each in step.events)]))
        state = step.state
    return steps


def clauses_of(state: GameState, plan: Sequence[str]) -> list[str]:
    """Return the clauses of the prompts and events in a plan, without duplicates."""
    return [*dict.fromkeys(clause for _, own in steps_of(state, plan) for clause in own)]


def search(job: Job) -> Iterator[dict[str, Any]]:
    """Play a game between bots, and yield its puzzles in the order of the moves."""
    record = play_game(job).record
    state = record.start
    for given, step in zip(record.actions, valletta.replay(record), strict=True):
        prompt = state.prompt
        if isinstance(prompt, PlayerPrompt) and not isinstance(prompt, PaymentPrompt):
            view = valletta.view(state, prompt.seat)
            if len(view.legal_actions) > RIGHT and (entry := puzzle_of(view, state, given)):
                yield {"players": record.players, "seed": job.seed} | entry
        state = step.state


def puzzles(number: int) -> list[dict[str, Any]]:
    """Return the puzzles from a game. The number of the game is also its seed."""
    job = Job(LINE_UPS[number % len(LINE_UPS)], number)
    return [*islice(search(job), PER_GAME)]


@attrs.frozen
class Puzzle:
    """A puzzle with its descriptions in one language."""

    number: int
    position: str
    """The position in the notation of a position line."""
    kind: str
    """The chapter: `play` for playing a card, `site` for building and upgrading, or `other`."""
    question: str
    hand: str
    holdings: tuple[str, ...]
    """The goods, houses and points of each player, starting with the player who must answer."""
    solution: str
    """A description of the best turn."""
    also: str
    """The other right answer; empty if there is only one."""
    given: str
    """The answer that the bot gave."""
    lost: str
    """The description of the points that the bot's answer loses, with the error."""
    clauses: tuple[str, ...]


@cache
def read_puzzles(code: str) -> tuple[Puzzle, ...]:
    """Return the puzzles that the documentation shows, in the language with the given code."""
    lines = PUZZLES.read_text("utf-8").splitlines()
    return tuple([puzzle(number, json.loads(line), code) for number, line in enumerate(lines, 1)])


def puzzle(number: int, line: Mapping[str, Any], code: str) -> Puzzle:
    """Return the puzzle that a line of the file encodes, with descriptions in a language."""
    language, state = LANGUAGES[code], valletta.parse_position_line(line["position"])
    prompt = state.prompt
    assert isinstance(prompt, PlayerPrompt), "a player must answer"
    view, seat = valletta.view(state, prompt.seat), prompt.seat
    right = [valletta.parse_action(view, each) for each in line["right"]]
    also = [language.describe_action(view, each) for each in right[1:]]
    players = len(state.players)
    return Puzzle(
        number=number,
        position=line["position"],
        kind=KINDS.get(type(prompt).__name__, "other"),
        question=language.describe_prompt(view),
        hand=language.describe_cards(state.players[seat].hand),
        holdings=tuple(
            f"{language.names[each]}: {language.describe_holdings(view, each)}"
            for each in ((seat + place) % players for place in range(players))
        ),
        solution=describe_plan(
            language, view, right[0], [action for action, _ in steps_of(state, line["plan"])][1:]
        ),
        also=also[0] if also else "",
        given=language.describe_action(view, valletta.parse_action(view, line["given"])),
        lost=describe_loss(language, line["lost"], line["error"]),
        clauses=tuple(line["clauses"]),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Play and search games until enough puzzles are found."""
    options = parse(__doc__, argv, "file", puzzles=200, first=700_000)
    known = options.file.read_text("utf-8").splitlines() if options.file.exists() else []
    stored = [json.loads(line) for line in known]
    kinds = Counter(each["right"][0].split()[0] for each in stored)
    first = max([options.first, *(each["seed"] + 1 for each in stored)])
    with (
        ProcessPoolExecutor(options.jobs) as pool,
        options.file.open("a", encoding="utf-8") as file,
    ):
        for number in count(first, BATCH):
            for results in pool.map(puzzles, range(number, number + BATCH)):
                for each in results:
                    kind = each["right"][0].split()[0]
                    if kinds[kind] < SHARE * options.puzzles and kinds.total() < options.puzzles:
                        kinds[kind] += 1
                        file.write(json.dumps(each) + "\n")
                file.flush()
            if kinds.total() >= options.puzzles:
                break
            print(
                f"{kinds.total()} puzzles in {number + BATCH - options.first} games",
                file=sys.stderr,
            )


if __name__ == "__main__":
    main()
