"""Scenes: the content of drawings of positions, without the layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import attrs

from valletta_rules.actions import Action, Build, Dismiss, PlayCard, Upgrade
from valletta_rules.agenda import PaymentPrompt, SitePrompt
from valletta_rules.components import CardBag, Character, Goods
from valletta_rules.rulebook.building import building_price, upgrade_price
from valletta_rules.rulebook.scoring import score_sheet, winners
from valletta_rules.state import GameState, Phase
from valletta_rules.svg.palette import Paint, paints_of
from valletta_rules.views.view import PlayerView, SeenPlayer, Table, need_view, view
from valletta_rules.words.language import Language


@attrs.frozen
class Scene:
    """The content of a drawing: a view, hands, names, colours, language and highlighted actions."""

    view: PlayerView
    """The view that is drawn.  If a position is drawn, this is the view of a spectator."""
    hands: tuple[CardBag | None, ...]
    """The cards in each seat's hand; `None` for a hidden hand."""
    is_whole: bool
    """Whether the scene shows a position with all hands, not a view."""
    names: Sequence[str]
    """The names of the players, seat by seat."""
    paints: tuple[Paint, ...]
    """The paints of the players, seat by seat."""
    language: Language
    """The language of all texts in the drawing."""
    picked: frozenset[Action]
    """The highlighted actions."""

    @property
    def table(self) -> Table:
        """The table as the viewer sees it."""
        return self.view.table

    @property
    def players(self) -> tuple[SeenPlayer, ...]:
        """The players as the view shows them."""
        return self.view.table.players

    @property
    def phrase(self) -> Callable[..., str]:
        """A function that returns a phrase in the language of the drawing."""
        return self.language.phrase

    def hand(self, seat: int) -> CardBag:
        """Return the cards in a seat's hand, which must not be hidden."""
        cards = self.hands[seat]
        assert cards is not None, f"the hand of seat {seat} is hidden"
        return cards

    # Highlights

    def price(self, site: int) -> Goods | None:
        """Return the price of a site that is highlighted or must be paid for; otherwise `None`."""
        prompt, board = self.view.prompt, self.table
        if isinstance(prompt, PaymentPrompt):
            return prompt.price if prompt.site == site else None
        if not isinstance(prompt, SitePrompt) or not self.is_site_picked(site):
            return None
        if Build(site) in self.picked:
            return building_price(board, prompt.seat, site, prompt.reduction)
        return upgrade_price(board, site, prompt.reduction)

    def is_site_picked(self, site: int) -> bool:
        """Return whether building on a site, or upgrading its building, is highlighted."""
        return Build(site) in self.picked or Upgrade(site) in self.picked

    def is_site_chosen(self, site: int) -> bool:
        """Return whether the player who must answer has to pay for a site now."""
        prompt = self.view.prompt
        return isinstance(prompt, PaymentPrompt) and prompt.site == site

    def is_card_picked(self, seat: int, card: Character) -> bool:
        """Return whether playing or dismissing a card of a seat's hand is highlighted."""
        prompt = self.view.prompt
        uses = (PlayCard(card), PlayCard(card, use_effect=False), Dismiss(card))
        has_prompt = prompt is not None and prompt.seat == seat
        return has_prompt and any(use in self.picked for use in uses)

    # Texts

    def status(self) -> str:
        """Describe the rules, the phase of the game, and the viewer."""
        table, phrase = self.table, self.phrase
        status = phrase("captions.status", table.rules, len(table.players), table.phase)
        if self.is_whole:
            return status
        seat = self.view.seat
        watcher = phrase("captions.spectator") if seat is None else self.names[seat]
        return status + phrase("captions.seen_by", watcher)

    def whereabouts(self) -> str:
        """Describe the place of Valette."""
        space, phrase = self.table.valette, self.phrase
        return phrase("captions.valette", space) if space else phrase("captions.tower")

    def question(self) -> str:
        """Describe the prompt or, at the end of the game, the winners."""
        if self.table.phase is not Phase.OVER:
            return self.language.describe_prompt(self.view, self.names)
        result = winners(score_sheet(self.table))
        return self.phrase("captions.over", self.language.describe_winner(result, self.names))

    def points(self, seat: int) -> str:
        """Describe the points that a player would have if the game ended now."""
        score, phrase = score_sheet(self.table)[seat], self.phrase
        parts = (("track", score.track), ("buildings", score.buildings), ("goods", score.goods))
        added = " + ".join(f"{phrase(f'headings.{part}')} {points}" for part, points in parts)
        return f"{phrase('headings.points')}: {added} = {score.total}"

    def pile_sizes(self, seat: int) -> str:
        """Describe the sizes of a player's hand and piles."""
        player = self.players[seat]
        return self.phrase(
            "captions.piles", player.hand_size, player.draw_pile_size, len(player.discard_pile)
        )

    def role(self, seat: int) -> str:
        """Describe whether a player must answer, and whether it is the player's turn."""
        table, phrase = self.table, self.phrase
        is_on_turn = table.phase in (Phase.MAIN, Phase.FINAL) and table.active == seat
        parts = (
            phrase("captions.asked") * self.is_asked(seat),
            phrase("captions.on_turn") * is_on_turn,
        )
        return ", ".join(filter(None, parts))

    def is_asked(self, seat: int) -> bool:
        """Return whether a player must answer."""
        prompt = self.view.prompt
        return prompt is not None and prompt.seat == seat

    def describe_seat(self, seat: int) -> str:
        """Describe the possessions of a player, and the sites of the player's houses."""
        player, display = self.players[seat], self.table.display
        houses = "; ".join(
            f"{self.language.label(display[site])}, {self.phrase('captions.site', site)}"
            + f", {self.phrase('captions.upgraded')}" * (site in player.upgraded)
            for site in player.built
        )
        return (
            f"{self.names[seat]}: {self.language.describe_holdings(self.view, seat)};"
            f" {self.points(seat)}; {self.pile_sizes(seat)}. {houses}{'.' * bool(houses)}"
        ).strip()


def scene_of(
    position: GameState | PlayerView,
    *,
    names: Sequence[str] | None,
    colours: Sequence[str],
    language: Language,
    highlight: Collection[Action],
) -> Scene:
    """Return the scene for a position or a view.

    The default names of players are their colours.  Raises `ValueError` for too few names, and the
    errors of `paints_of`.
    """
    is_whole = isinstance(position, GameState)
    drawn_view = view(position, None) if isinstance(position, GameState) else position
    need_view(drawn_view)
    if isinstance(position, GameState):
        hands: tuple[CardBag | None, ...] = tuple(player.hand for player in position.players)
    else:
        hands = tuple(player.hand for player in position.table.players)
    paints = paints_of(colours, len(hands))
    called = names or [language.phrase(f"seat_colours.{colour}") for colour in colours]
    if len(called) < len(hands):
        raise ValueError(f"expected {len(hands)} names, one for each player, not {len(called)}")
    return Scene(drawn_view, hands, is_whole, called, paints, language, frozenset(highlight))
