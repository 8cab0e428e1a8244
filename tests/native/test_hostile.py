"""The native backend under attack, and for a long time: the programs that look for faults."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import attrs
import pytest

from spec.checks import endurance, hostile, reached
from tests.native.uses import PLAYING
from valletta_rules import GameState, Goods, native
from valletta_rules.agenda import MonkPrompt, PaymentPrompt, PlayPrompt, SitePrompt
from valletta_rules.components.display import SiteSet
from valletta_rules.numeric import numbering

NATIVE = reached.NATIVE


@pytest.mark.usefixtures("backend")
def test_what_nobody_should_give_it_is_refused(figures: Path) -> None:
    """Every kind of attack is answered with an error or a position.

    For more, under sanitizers: ``bash tests/native/sanitize.sh hostile 600``.
    """
    fuzzer = hostile.Fuzzer(seed=3)
    for _ in range(400):
        fuzzer.once()
    assert len(fuzzer.tried) == 8
    assert 0 < fuzzer.refused.total() < fuzzer.tried.total() == 400
    assert hostile.main(["--seconds", "0.1"]) == 0
    assert json.loads(figures.read_text("utf-8"))["tried"]


@pytest.mark.usefixtures("backend")
def test_it_accepts_and_refuses_as_the_engine_does() -> None:
    """Actions near those that are legal, and amounts that are legal if they are cut off."""
    fuzzer = hostile.Fuzzer(seed=4)
    for _ in range(60):
        fuzzer.agreement()


@pytest.mark.usefixtures("backend")
def test_prompts_that_differ_in_goods_alone_are_told_apart() -> None:
    """More of them than there are slots to keep them in without two of them in one."""
    for counts in product(range(6), repeat=4):
        prompt = SitePrompt(PLAYING.active, Goods(*counts))
        assert native.pack(PLAYING.replace(agenda=(prompt,))).prompt == prompt


@pytest.mark.usefixtures("backend")
def test_as_many_of_a_good_as_can_be_paid_are_offered() -> None:
    """A building of sixteen goods, all replaced by gold, costs 48 gold; by number, too."""
    for gold in (47, 48, 49):
        player = attrs.evolve(PLAYING.players[PLAYING.active], goods=Goods(gold, 1, 0, 0))
        paying = PLAYING.with_player(PLAYING.active, player).replace(
            agenda=(PaymentPrompt(PLAYING.active, 0, Goods(0, 6, 5, 5)),)
        )
        batch = native.Batch(native.pack(paying), 1)
        legal = numbering.legal_mask(paying)
        assert batch.legal_mask().tobytes() == legal == numbering.legal_mask(native.pack(paying))


def _with(**parts: Any) -> GameState:
    """Return a position in which one player is changed."""
    return PLAYING.with_player(0, attrs.evolve(PLAYING.players[0], **parts))


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    ("make", "last"),
    [
        (
            lambda n: PLAYING.replace(agenda=(PaymentPrompt(0, n, Goods()),)),
            len(PLAYING.display) - 1,
        ),
        (lambda n: PLAYING.replace(agenda=(PaymentPrompt(n, 0, Goods()),)), 2),
        (lambda n: PLAYING.replace(agenda=(PlayPrompt(n, 1),)), 2),
        (lambda n: PLAYING.replace(agenda=(MonkPrompt(0, n),)), 2),
        (lambda n: PLAYING.replace(agenda=(MonkPrompt(n, 0),)), 2),
        (lambda n: PLAYING.replace(agenda=(SitePrompt(0, Goods(n)),)), 255),
        (lambda n: PLAYING.replace(agenda=(PlayPrompt(0, 1),) * n), native.LIMITS["MAX_STEPS"]),
        (lambda n: PLAYING.replace(valette=n), 25),
        (lambda n: PLAYING.replace(active=n), 2),
        (lambda n: PLAYING.replace(barrels=Goods(n)), 255),
        (lambda n: _with(goods=Goods(wood=n)), native.LIMITS["MOST_GOODS"]),
        (lambda n: _with(goods=Goods(brick=n)), native.LIMITS["MOST_GOODS"]),
        (lambda n: _with(score=n), native.LIMITS["MOST_SCORE"]),
        (lambda n: _with(built=SiteSet(1 << n)), len(PLAYING.display) - 1),
        (lambda n: _with(upgraded=SiteSet(1 << n)), len(PLAYING.display) - 1),
    ],
)
def test_a_row_goes_as_far_as_its_bounds(make: Callable[[int], GameState], last: int) -> None:
    """What is at a bound is packed and unpacked, and what is a step beyond it is refused."""
    assert native.pack(make(last)).unpack() == make(last)
    for beyond in (last + 1, *(last + (1 << width) for width in hostile.WIDTHS[:2])):
        with pytest.raises(native.RowError):
            native.pack(make(beyond))


@pytest.mark.usefixtures("backend")
def test_games_do_not_take_ever_more_memory(monkeypatch: pytest.MonkeyPatch, figures: Path) -> None:
    """Memory is looked at after half of the games and after all.

    For more: ``python -m spec.checks.endurance --games 1000000``.
    """
    monkeypatch.setattr(endurance, "SIDE_BY_SIDE", 20)
    assert endurance.main(["--games", "60"]) == 0
    assert json.loads(figures.read_text("utf-8"))["games"] >= 60
    sizes = iter((1, 2 * endurance.SLACK))
    monkeypatch.setattr(endurance, "in_use", lambda: next(sizes))
    assert endurance.main(["--games", "20"]) == 1


def test_without_a_backend_there_is_nothing_to_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs say so."""
    monkeypatch.setattr(native, "why_not", "it is not there")
    assert (hostile.main([]), endurance.main([])) == (2, 2)


def test_what_is_not_reached_is_named_by_its_text() -> None:
    """A line that was never run is told, and one that went on in one direction only."""
    text = (NATIVE / "ledger.c").read_text("utf-8").split("\n")
    line = text.index("    if (player->score > MOST_SCORE - points) {")
    one_way, both = [{"count": 3}, {"count": 0}], [{"count": 3}, {"count": 1}]
    lines = [
        {"line_number": line, "count": 3, "function_name": "score", "branches": both},
        {"line_number": line + 1, "count": 3, "function_name": "score", "branches": one_way},
        {"line_number": line + 2, "count": 0, "function_name": "score", "branches": []},
    ]
    files = [{"file": str(NATIVE / "ledger.c"), "lines": lines}, {"file": "/usr/include/stdio.h"}]
    assert list(reached.unreached({"files": files})) == [
        ("ledger.c::score", "if (player->score > MOST_SCORE - points) {"),
        ("ledger.c::score", "row->fault = 1;"),
    ]


def test_what_is_excused_is_there() -> None:
    """Each excuse is for a function, and for a line of one of those that it names."""
    for each in tomllib.loads(reached.EXCUSED.read_text("utf-8"))["unreached"]:
        texts = [
            (NATIVE / name.partition("::")[0]).read_text("utf-8") for name in each["functions"]
        ]
        for name, text in zip(each["functions"], texts, strict=True):
            assert re.search(rf"\b{name.partition('::')[2]}\(", text)
        for code in each["code"]:
            assert any(code in text for text in texts), code
