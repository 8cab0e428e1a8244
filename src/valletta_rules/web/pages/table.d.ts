/**
 * What a table and its pages say to one another, version 1 of the messages.
 *
 * Made by `python -m spec.checks accept generated` out of `web/protocol.py`; not to be edited.
 */

import type { ActionDocument, CardBag, EventDocument, Goods, PlayerViewDocument, RefusalDocument, Seat } from '../../schema/valletta.js';

/** What a page says. */
export type Said = Hello | Present | Answer | Undo | WhyNot | Hint | Look | Renew | SitIn | Pace | Ping;

/** The first message of a connection: which table, and who sits in front of the page. */
export interface Hello {
  readonly type: "hello";
  /** The version of the messages that the page speaks. */
  readonly protocol: number;
  /** The id of the table, from the path of the link. */
  readonly table: string;
  /** The tokens from the fragment of the link: none for a spectator, several for one screen. The opener's token may be among them. */
  readonly tokens: readonly string[];
  /** The last revision that the page knows; null for none. */
  readonly seen: number | null;
  /** In which language it wants to be told. */
  readonly language: Speech;
}

/** A language. */
export type Speech = "en" | "de";

/**
 * The player of a seat says that they sit in front of the screen: the curtain may rise.
 * With several tokens no hand is sent before. It is answered by a Sight.
 */
export interface Present {
  readonly type: "present";
  readonly id: string;
  /** One of the seats of the tokens; null lowers the curtain again. */
  readonly seat: number | null;
}

/** An answer to the question that is asked: answered by Ack or Refused. */
export interface Answer {
  readonly type: "answer";
  readonly id: string;
  /** The revision that asks the question. */
  readonly revision: number;
  /** The answer. */
  readonly action: ActionDocument;
}

/** A wish to take back: answered by Ack or Refused. */
export interface Undo {
  readonly type: "undo";
  readonly id: string;
  /** The revision that the page shows. */
  readonly revision: number;
  /** The revision whose position shall stand again, as Moment.undo offers it. */
  readonly to: number;
  /** Whether all have agreed at this screen, where that is needed. */
  readonly agreed: boolean;
}

/** The question why an action is not legal: answered by a Reason. */
export interface WhyNot {
  readonly type: "why-not";
  readonly id: string;
  readonly revision: number;
  readonly action: ActionDocument;
}

/** The wish for advice: answered by an Advice. */
export interface Hint {
  readonly type: "hint";
  readonly id: string;
  readonly revision: number;
}

/** The wish to look at another moment: answered by a Sight. */
export interface Look {
  readonly type: "look";
  readonly id: string;
  /** The revision that shall be shown. */
  readonly at: number;
  /** Whether all hands shall be shown, which is possible once the game is over. */
  readonly open: boolean;
}

/** The opener's wish for a new link for a seat: answered by a NewLink. */
export interface Renew {
  readonly type: "renew";
  readonly id: string;
  readonly seat: Seat;
}

/**
 * The opener lets a bot sit in for somebody: answered by Ack.
 * The person takes the seat back by opening the link.
 */
export interface SitIn {
  readonly type: "sit-in";
  readonly id: string;
  readonly seat: Seat;
  /** How well the machine plays; null gives the seat back. */
  readonly level: BotLevel | null;
}

/** How well a bot plays. */
export type BotLevel = "novice" | "club" | "strong" | "master";

/** How long bots wait before they answer: answered by Ack. */
export interface Pace {
  readonly type: "pace";
  readonly id: string;
  /** The pause in milliseconds. */
  readonly pause: number;
}

/** A sign of life: answered by a Pong. A page that is silent for 25 s is given up. */
export interface Ping {
  readonly type: "ping";
}

/** What a table says. */
export type Told = Welcome | Stepped | Ack | Refused | Reason | Advice | Sight | Presence | NewLink | Ended | Pong;

/** The answer to Hello: everything that the page needs. */
export interface Welcome {
  readonly type: "welcome";
  /** The version of the package; a page made by another one loads itself anew. */
  readonly version: string;
  /** What is played: edition, variants, card set. */
  readonly heading: string;
  readonly seats: readonly SeatSeen[];
  /** The seats whose tokens were shown. */
  readonly own: readonly number[];
  /** Whether the opener's token was shown. */
  readonly is_opener: boolean;
  /** Whether it is a record that was opened: everything can be seen, nothing played. */
  readonly is_replay: boolean;
  /** How long bots wait, in milliseconds. */
  readonly pause: number;
  /** Up to which revision the page's own log still holds; null: log is all of it. */
  readonly since: number | null;
  /** What the page has missed. */
  readonly log: readonly Entry[];
  readonly moment: Moment;
  readonly patch: Patch;
}

/** Who has a seat. */
export interface SeatSeen {
  readonly seat: number;
  readonly name: string;
  readonly colour: SeatColour;
  /** How well the bot plays that has the seat; null for a person. */
  readonly level: BotLevel | null;
  /** The bot that plays for a person who is away; null for none. */
  readonly sitting_in: BotLevel | null;
  /** Whether a page with the seat's token is connected. */
  readonly is_here: boolean;
}

/** A colour that a player can choose. */
export type SeatColour = "red" | "blue" | "green" | "yellow" | "orange" | "pink" | "black" | "white";

/** What happened in one revision, as the seat may know it. */
export interface Entry {
  readonly revision: number;
  /** When, in seconds since 1970. */
  readonly at: number;
  /** Who made the step; null for the beginning of the game. */
  readonly seat: number | null;
  /** The revision whose position stands again, if it is a takeback; null if it is an answer. */
  readonly back_to: number | null;
  /** Whether it has been taken back since. */
  readonly is_struck: boolean;
  /** What happened, in words. */
  readonly lines: readonly LogLine[];
  /** What happened, as documents. */
  readonly events: readonly EventDocument[];
}

/** A sentence of the log. */
export interface LogLine {
  /** Whose it is; null for nobody's. */
  readonly seat: number | null;
  readonly text: string;
}

/** How the table looks to somebody at a revision. */
export interface Moment {
  readonly revision: number;
  /** Whose audience these are: null for a spectator, and while the curtain is down. */
  readonly viewer: number | null;
  /** The seat that is asked; null when the game is over. */
  readonly asked: number | null;
  /** The seat of this screen that must say that it is present before it is shown anything. */
  readonly waits_for: number | null;
  /** Who is asked and for what, in a sentence. */
  readonly bar: string;
  readonly view: PlayerViewDocument;
  /** What the viewer can answer, payments apart; none unless it is now. */
  readonly choices: readonly Choice[];
  /** What the viewer has to pay. */
  readonly payment: Payment | null;
  /** What the viewer can take back. */
  readonly undo: UndoOffer | null;
  /** The players, seat by seat. */
  readonly panels: readonly Panel[];
  /** Whether the final phase is near, in words. */
  readonly ending: string;
  /** How the game ended, if it is over. */
  readonly finish: Finish | null;
}

/** Something that can be answered now. */
export interface Choice {
  readonly action: ActionDocument;
  /** The answer as a request: for a button, or for whoever cannot see the board. */
  readonly label: string;
}

/** A price that is to be paid. The payments that are right are the view's legal actions. */
export interface Payment {
  readonly price: Goods;
  /** The payment to start from. */
  readonly cheapest: Goods;
  /** The goods that the player has. */
  readonly owned: Goods;
  /** How many goods replace one that is missing. */
  readonly substitutes: number;
}

/** What the viewer could take back now. */
export interface UndoOffer {
  /** The revision whose position would stand again. */
  readonly to: number;
  /** Whether all at this screen must agree, since something hidden was seen or somebody acted. */
  readonly needs_agreement: boolean;
  /** What would be taken back, in words. */
  readonly label: string;
}

/** What everybody may know about a player. */
export interface Panel {
  readonly seat: number;
  /** Points on the track. */
  readonly points: number;
  /** The result, if the game ended now. */
  readonly predicted: number;
  readonly goods: Goods;
  /** The icons on the player's buildings. */
  readonly icons: Goods;
  /** How many houses are built. */
  readonly houses: number;
  /** How many there can be. */
  readonly most_houses: number;
  /** How many cards are in the hand. */
  readonly hand: number;
  /** How many cards are in the draw pile. */
  readonly draw_pile: number;
  readonly discard_pile: CardBag;
  /** The cards in hand and draw pile together. */
  readonly hidden: CardBag;
  /** How near the conditions for the end are, in words. */
  readonly conditions: readonly string[];
  /** The player's buildings, in words. */
  readonly buildings: readonly string[];
}

/** The end of the game. */
export interface Finish {
  /** Who has won, and how a tie was broken. */
  readonly sentence: string;
  /** The clause that decided a tie; null if there was none. */
  readonly rule: ClauseSeen | null;
  /** The score sheet, seat by seat. */
  readonly rows: readonly Row[];
  /** The points that each revision that stands would have given, seat by seat. */
  readonly course: readonly (readonly number[])[];
}

/** A clause of the rulebook. */
export interface ClauseSeen {
  /** Its id. */
  readonly clause: string;
  /** What it says. */
  readonly text: string;
}

/** A line of the score sheet. */
export interface Row {
  readonly seat: number;
  readonly track: number;
  readonly buildings: number;
  /** Points of goods. */
  readonly goods: number;
  readonly total: number;
  readonly is_winner: boolean;
}

/**
 * What has changed in the drawing since the page was sent it.
 * In a Welcome it is all of it. In a Sight of another moment it is what differs from now.
 */
export interface Patch {
  readonly changed: readonly Part[];
  /** The keys of parts that are not there any more. */
  readonly gone: readonly string[];
}

/**
 * A part of a drawing: its place and its content.
 * In the whole drawing it is the element whose data-part is its key.
 */
export interface Part {
  /** What names it within its drawing: site-7. */
  readonly key: string;
  /** The position of its left edge in the whole drawing. */
  readonly x: number;
  /** The position of its upper edge in the whole drawing. */
  readonly y: number;
  /** How broad it is. */
  readonly width: number;
  /** How high it is. */
  readonly height: number;
  /** What it shows, in a few words. */
  readonly title: string;
  /** The language of its texts, by its code. */
  readonly lang: string;
  /** The SVG element, from its own upper left corner on. */
  readonly markup: string;
}

/** A step of the game: an answer, or a takeback that strikes the entries it goes back over. */
export interface Stepped {
  readonly type: "stepped";
  readonly entry: Entry;
  readonly moment: Moment;
  readonly patch: Patch;
}

/** A step was made, and is kept; what it led to comes by Stepped. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  /** The revision that it made, however much has happened since. */
  readonly revision: number;
}

/** Something was not done. */
export interface Refused {
  readonly type: "refused";
  /** What is refused; null if it could not be read. */
  readonly id: string | null;
  /** The revision now. */
  readonly revision: number;
  /** Why; the code stale if the question had passed. */
  readonly refusal: RefusalDocument;
  /** The clause that forbids it. */
  readonly rule: ClauseSeen | null;
}

/** The answer to WhyNot. */
export interface Reason {
  readonly type: "reason";
  readonly id: string;
  /** Why it is illegal; null if it is legal. */
  readonly refusal: RefusalDocument | null;
  readonly rule: ClauseSeen | null;
}

/** The answer to Hint. */
export interface Advice {
  readonly type: "advice";
  readonly id: string;
  readonly action: ActionDocument;
  /** What is advised, and why. */
  readonly sentence: string;
}

/** How the table looks at another moment, or to somebody else in front of the screen. */
export interface Sight {
  readonly type: "sight";
  readonly id: string;
  readonly moment: Moment;
  readonly patch: Patch;
}

/** Who is here. */
export interface Presence {
  readonly type: "presence";
  readonly seats: readonly SeatSeen[];
  readonly spectators: number;
  readonly pause: number;
  /** What everybody is to be told: a new link, a machine that sits in, somebody who is back. */
  readonly notice: string | null;
}

/** The answer to Renew, for the opener's audience: the token of the new link. */
export interface NewLink {
  readonly type: "new-link";
  readonly id: string;
  readonly seat: number;
  readonly token: string;
}

/** The last message of a connection, which shall not come back: its link is worth nothing. */
export interface Ended {
  readonly type: "ended";
  readonly code: string;
  readonly sentence: string;
}

/** The answer to Ping. */
export interface Pong {
  readonly type: "pong";
}

/** The wish for a table: POST /api/tables. */
export interface NewTable {
  /** One of Lobby.editions. */
  readonly edition: string;
  /** Some of Lobby.variants. */
  readonly variants: readonly string[];
  /** The text of a card set file; null for the usual cards. */
  readonly cards: string | null;
  /** Who plays, the start player first: 2 to 4. */
  readonly seats: readonly NewSeat[];
  /** Whether chance seats the players. */
  readonly is_shuffled: boolean;
}

/** A seat of a table that shall be opened. */
export interface NewSeat {
  /** What the player is called; by the colour if it is empty. */
  readonly name: string;
  readonly colour: SeatColour;
  /** How well the machine plays; null for a person. */
  readonly level: BotLevel | null;
}

/** The answer to NewTable and to an opened record. */
export interface OpenedTable {
  /** The id of the table: its page is /table/ID. */
  readonly table: string;
  /** The opener's token; empty for a record, which needs none. */
  readonly opener: string;
  /** One for each person. */
  readonly invitations: readonly Invitation[];
}

/** What lets somebody take a seat. */
export interface Invitation {
  readonly seat: number;
  /** What the link to the seat has after the #. */
  readonly token: string;
}

/** A card set to be looked at: POST /api/card-set. */
export interface CardSetText {
  /** The text of the file. */
  readonly text: string;
  readonly language: Speech;
}

/** What there is to say of a card set. */
export interface CardSetSeen {
  /** What it is called; null if something is wrong with it. */
  readonly name: string | null;
  /** Everything that is wrong with it, each as a sentence with its place. */
  readonly problems: readonly string[];
}

/** What can be chosen for a table: GET /api/lobby?language=en. */
export interface Lobby {
  readonly editions: readonly Named[];
  readonly variants: readonly Named[];
  /** From the weakest to the strongest. */
  readonly levels: readonly Named[];
  /** In the order of the seats. */
  readonly colours: readonly Named[];
  /** The addresses under which others reach this machine: http://192.168.1.5:8000. */
  readonly links: readonly string[];
}

/** Something that can be chosen. */
export interface Named {
  readonly code: string;
  readonly name: string;
}
