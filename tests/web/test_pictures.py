"""Tests of the cache of pictures: a cached part of a board must equal a newly drawn one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import valletta_rules as vr
from valletta_rules.rulings import EDITIONS
from valletta_rules.svg import draw_parts
from valletta_rules.web import pictures
from valletta_rules.web.pictures import Appearance, board
from valletta_rules.words import LANGUAGES

NAMES = ("Anna", "Ben", "Clara", "Doro")
COLOURS = ("blue", "yellow", "red", "green")


def differences(view: vr.PlayerView, appearance: Appearance, *, is_highlighted: bool) -> list[str]:
    """Return the keys of cached parts that differ from newly drawn parts."""
    highlight = view.legal_actions if is_highlighted else ()
    cached = board(view, appearance, highlight)
    drawn = draw_parts(
        view,
        names=appearance.names,
        colours=appearance.colours,
        language=LANGUAGES[appearance.language],
        highlight=highlight,
        keys=list(cached),
    )
    return [key for key, part in drawn.items() if cached[key] != part]


@given(
    players=st.integers(2, 4),
    edition=st.sampled_from(sorted(EDITIONS)),
    language=st.sampled_from(sorted(LANGUAGES)),
    seed=st.integers(0, 1_000),
)
@settings(max_examples=3)
def test_the_cached_parts_of_a_board_equal_newly_drawn_parts(
    players: int, edition: str, language: str, seed: int
) -> None:
    """The boards are from random games, with random viewers, editions and languages."""
    rng, session = random.Random(seed), vr.Session(players, rules=EDITIONS[edition], seed=seed)
    appearance = Appearance(NAMES[:players], COLOURS[:players], language)
    while (prompt := session.prompt) is not None:
        seat = rng.choice([prompt.seat, rng.randrange(players), None])
        view = vr.view(session.state, seat)
        with pytest.MonkeyPatch.context() as patched:
            if rng.random() < 0.02:
                patched.setattr(pictures, "MOST", 0)
            board(view, appearance, view.legal_actions)  # as it would have been shown
        if rng.random() < (0.3 if isinstance(prompt, vr.PaymentPrompt) else 0.06):
            assert differences(view, appearance, is_highlighted=rng.random() < 0.8) == []
        actions = vr.legal_actions(session.state)
        sites = [each for each in actions if isinstance(each, vr.Build | vr.Upgrade)]
        session.play(rng.choice(sites or actions))
    assert differences(vr.view(session.state, None), appearance, is_highlighted=False) == []
