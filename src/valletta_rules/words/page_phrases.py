"""What a page in a browser says around a game, in a language: a value that every language has."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen(kw_only=True)
class Phrases:
    """The fixed phrases of the page; ``{}`` stands where something is filled in, in order."""

    # The question, and answers to it
    your_turn: str
    waiting_for: str
    connecting: str
    sending: str
    other_card: str
    choose: str
    hint: str
    why_not: str
    why_not_key: str
    not_now: str
    what_is_this: str
    rule: str
    no_rule: str
    close: str
    cancel: str

    # Paying
    pay: str
    pay_group: str
    pay_cheapest: str
    pay_less: str
    pay_more: str
    pay_of: str
    pay_right: str
    pay_short: str
    pay_over: str

    # The table
    board: str
    row: str
    supply: str
    barrels: str
    played: str
    your_hand: str
    hand_of: str
    empty_hand: str
    several: str
    nothing: str
    curtain: str
    curtain_help: str
    i_am: str
    hide_hand: str

    # The players
    players: str
    player: str
    you: str
    here: str
    away: str
    sits_in: str
    spectators: str
    points: str
    points_now: str
    predicted: str
    predicted_long: str
    houses_of: str
    icons: str
    icons_of: str
    piles: str
    more: str
    buildings: str
    goods: str
    track: str
    total: str
    hidden_cards: str
    discard_pile: str
    end: str

    # The log, and looking back
    log: str
    struck: str
    look_at: str
    look_back: str
    looking_back: str
    moment: str
    moment_of: str
    while_away: str
    first: str
    back: str
    forward: str
    play: str
    stop: str
    open_hands: str
    to_now: str
    to_my_turn: str
    undo: str
    undo_what: str
    undo_agree: str
    all_agree: str

    # The end
    score_sheet: str
    winner: str
    course: str
    again: str
    record: str
    no_record: str
    step_through: str

    # The menu, and links
    menu: str
    language: str
    theme: str
    theme_auto: str
    theme_light: str
    theme_dark: str
    pause: str
    pause_none: str
    pause_short: str
    pause_usual: str
    pause_long: str
    to_lobby: str
    keys: str
    keys_digits: str
    keys_arrows: str
    keys_why: str
    keys_escape: str
    lost: str
    links: str
    links_help: str
    link_for: str
    spectator_link: str
    copy: str
    copied: str
    new_link: str
    new_link_help: str
    sit_in: str
    nobody: str

    # The lobby
    new_table: str
    tagline: str
    who_plays: str
    how_many: str
    players_count: str
    player_number: str
    name: str
    who: str
    colour: str
    person: str
    machine: str
    here_at_screen: str
    by_link: str
    shuffle: str
    rules: str
    edition: str
    card_set: str
    cards_usual: str
    cards_usual_help: str
    cards_own: str
    cards_own_help: str
    cards_right: str
    cards_wrong: str
    cards_first: str
    open_table: str
    your_tables: str
    forget: str
    open_record: str
    open_record_help: str
    no_server: str
    about_this: str
    about_cards: str
    about_privacy: str


@attrs.frozen(kw_only=True)
class Page:
    """What a page says that no sentence of the game says."""

    phrases: Phrases
    """The fixed phrases."""
    levels: Mapping[str, str]
    """What the levels of players of the machine are called."""
    editions: Mapping[str, str]
    """In what an edition differs, by its name in text."""
    variants: Mapping[str, str]
    """What a variant changes, by its name in text."""
