/**
 * The messages between a table and its pages, protocol version 1.
 *
 * Generated from `web/protocol.py` by `python -m spec.checks accept generated`; do not edit.
 */

import type { ActionDocument, CardBag, EventDocument, Goods, PlayerViewDocument, RefusalDocument, Score, Seat } from '../../schema/valletta.js';

/** A message from a page. */
export type Said = Hello | Present | Answer | Undo | WhyNot | Hint | Look | Analyse | Stop | Reopen | Retry | Renew | SitIn | Rename | Rematch | Pace | Ping;

/** The first message of a connection: which table, and who uses the page. */
export interface Hello {
  readonly type: "hello";
  /** The version of the message format that the page uses. */
  readonly protocol: number;
  /** The id of the table, from the path of the link. */
  readonly table: string;
  /** The tokens from the fragment of the link: none for a spectator, several for one screen. The opener's token may be among them. */
  readonly tokens: readonly string[];
  /** The last revision that the page knows; null for none. */
  readonly seen: number | null;
  /** The language of all texts for the page. */
  readonly language: Speech;
  /** The seat whose hand the page showed before its connection was lost; null for none. */
  readonly viewer: number | null;
}

/** A language. */
export type Speech = "en" | "de";

/**
 * The player of a seat is in front of the screen, so the curtain may rise.
 * With several tokens no hand is sent before this message. It is answered by a Sight.
 */
export interface Present {
  readonly type: "present";
  readonly id: string;
  /** One of the seats of the tokens; null lowers the curtain again. */
  readonly seat: number | null;
}

/** An answer to the present question: answered by Ack or Refused. */
export interface Answer {
  readonly type: "answer";
  readonly id: string;
  /** The revision whose question it answers. */
  readonly revision: number;
  /** The answer. */
  readonly action: ActionDocument;
}

/** A request to take back: answered by Ack or Refused. */
export interface Undo {
  readonly type: "undo";
  readonly id: string;
  /** The revision that the page shows. */
  readonly revision: number;
  /** The revision to go back to, as Moment.undo offers it. */
  readonly to: number;
  /** Whether all at this screen have agreed, if that is needed. */
  readonly agreed: boolean;
}

/** A query why an action is not legal: answered by a Reason. */
export interface WhyNot {
  readonly type: "why-not";
  readonly id: string;
  readonly revision: number;
  readonly action: ActionDocument;
}

/** A request for advice: answered by a Hinted. */
export interface Hint {
  readonly type: "hint";
  readonly id: string;
  readonly revision: number;
}

/** A request to look at another moment: answered by a Sight. */
export interface Look {
  readonly type: "look";
  readonly id: string;
  /** The revision to be shown. */
  readonly at: number;
  /** Whether to show all hands, which is possible once the game is over. */
  readonly open: boolean;
}

/** A request for the analysis of a finished game: answered by one or more Analysed. */
export interface Analyse {
  readonly type: "analyse";
  readonly id: string;
}

/** A request to cancel an analysis: answered by Ack. */
export interface Stop {
  readonly type: "stop";
  /** The id of the request for the analysis. */
  readonly id: string;
}

/** A request to see a question of a finished game as its seat saw it: answered by a Sight. */
export interface Reopen {
  readonly type: "reopen";
  readonly id: string;
  /** The revision of the question. */
  readonly at: number;
}

/** Another answer to a question of a finished game: answered by Judged. */
export interface Retry {
  readonly type: "retry";
  readonly id: string;
  /** The revision of the question. */
  readonly at: number;
  /** The other answer. */
  readonly action: ActionDocument;
}

/** The opener's request for a new link to a seat: answered by a NewLink. */
export interface Renew {
  readonly type: "renew";
  readonly id: string;
  readonly seat: Seat;
}

/**
 * The opener's request that a bot sit in for a person: answered by Ack.
 * The person takes the seat back by opening the link.
 */
export interface SitIn {
  readonly type: "sit-in";
  readonly id: string;
  readonly seat: Seat;
  /** The level of the bot; null gives the seat back. */
  readonly level: BotLevel | null;
}

/** The level of a bot. */
export type BotLevel = "novice" | "casual" | "regular" | "club" | "strong" | "expert" | "master";

/** The name of a player: answered by Ack, and then by a Welcome to all pages. */
export interface Rename {
  readonly type: "rename";
  readonly id: string;
  /** One of the seats of the tokens. */
  readonly seat: Seat;
  readonly name: string;
}

/**
 * A request for another game of the same players: answered by Rematched.
 * The first player who asks for it once a game is over opens its table.
 */
export interface Rematch {
  readonly type: "rematch";
  readonly id: string;
}

/** How long bots wait before they answer: answered by Ack. */
export interface Pace {
  readonly type: "pace";
  readonly id: string;
  /** The pause in milliseconds. */
  readonly pause: number;
}

/** A sign of life, answered by a Pong. A page that is silent for 25 s is disconnected. */
export interface Ping {
  readonly type: "ping";
}

/** A message to a page. */
export type Told = Welcome | Stepped | Ack | Refused | Reason | Hinted | Guided | Analysed | Judged | Sight | Presence | NewLink | Rematched | Ended | Pong;

/** The answer to Hello: all data that the page needs. */
export interface Welcome {
  readonly type: "welcome";
  /** The version of the package; a page of another version reloads itself. */
  readonly version: string;
  /** The edition, the variants and the card set, in words. */
  readonly heading: string;
  readonly seats: readonly SeatSeen[];
  /** The seats whose tokens were sent. */
  readonly own: readonly number[];
  /** Whether the opener's token was sent. */
  readonly is_opener: boolean;
  /** Whether it is an opened record: all is visible, and nothing can be played. */
  readonly is_replay: boolean;
  /** Whether it was opened at a position: it has no record, and hides no hands. */
  readonly is_trial: boolean;
  /** Whether there is a stored analysis of the game, which is sent at once on request. */
  readonly is_analysed: boolean;
  /** How long bots wait, in milliseconds. */
  readonly pause: number;
  /** The revision up to which the page has the log; null if log is all of it. */
  readonly since: number | null;
  /** The entries that the page has missed. */
  readonly log: readonly Entry[];
  readonly moment: Moment;
  readonly patch: Patch;
}

/** A seat and its player. */
export interface SeatSeen {
  readonly seat: number;
  readonly name: string;
  readonly colour: SeatColour;
  /** The level of the bot that has the seat; null for a person. */
  readonly level: BotLevel | null;
  /** The level of a bot that plays for a person who is away; null for none. */
  readonly sitting_in: BotLevel | null;
  /** Whether a page with the seat's token is connected. */
  readonly is_here: boolean;
  /** Whether the player has a name; otherwise the colour is used. */
  readonly is_named: boolean;
}

/** A colour that a player can choose. */
export type SeatColour = "red" | "blue" | "green" | "yellow" | "orange" | "pink" | "black" | "white";

/** The log of one revision, as the seat may know it. */
export interface Entry {
  readonly revision: number;
  /** The time of the step, in seconds since 1970. */
  readonly at: number;
  /** The seat that made the step; null for the setup. */
  readonly seat: number | null;
  /** The revision that a takeback goes back to, which strikes the answers between; else null. */
  readonly back_to: number | null;
  /** The events in words. */
  readonly lines: readonly LogLine[];
  /** The events as documents. */
  readonly events: readonly EventDocument[];
}

/** A sentence of the log. */
export interface LogLine {
  /** The seat that it is about; null for none. */
  readonly seat: number | null;
  readonly text: string;
}

/** How the table looks to a viewer at a revision. */
export interface Moment {
  readonly revision: number;
  /** The seat of the viewer: null for a spectator, and while the curtain is down. */
  readonly viewer: number | null;
  /** The seat that must answer; null if the game is over. */
  readonly asked: number | null;
  /** The seat of this screen that must be present before its hand is shown. */
  readonly waits_for: number | null;
  /** Who must answer and for what, in a sentence. */
  readonly bar: string;
  readonly view: PlayerViewDocument;
  /** The actions of the viewer except payments; none at an earlier revision. */
  readonly choices: readonly Choice[];
  /** The price that the viewer must pay. */
  readonly payment: Payment | null;
  /** The step that the viewer can take back. */
  readonly undo: UndoOffer | null;
  /** The players, seat by seat. */
  readonly panels: readonly Panel[];
  /** How near the final phase is, in words. */
  readonly ending: string;
  /** How the game ended, if it is over. */
  readonly finish: Finish | null;
  /** The text of an example or a coach. */
  readonly guide: Guide | null;
}

/** An action that is possible now. */
export interface Choice {
  readonly action: ActionDocument;
  /** The action as a request: for a button, or for a person who cannot see the board. */
  readonly label: string;
}

/** A price to be paid. The possible payments are the view's legal actions. */
export interface Payment {
  readonly price: Goods;
  /** The payment to start from. */
  readonly cheapest: Goods;
  /** The goods that the player has. */
  readonly owned: Goods;
  /** How many goods replace one that is missing. */
  readonly substitutes: number;
}

/** The step that the viewer can take back now. */
export interface UndoOffer {
  /** The revision to go back to. */
  readonly to: number;
  /** Whether all at this screen must agree: cards were revealed, or another player acted. */
  readonly needs_agreement: boolean;
  /** The action that would be taken back, in words. */
  readonly label: string;
}

/** The public facts about a player. */
export interface Panel {
  readonly seat: number;
  /** Points on the track. */
  readonly points: number;
  /** The final score, if the game ended now. */
  readonly predicted: number;
  readonly goods: Goods;
  /** The icons on the player's buildings. */
  readonly icons: Goods;
  /** The number of houses built. */
  readonly houses: number;
  /** The number of houses that can be built. */
  readonly most_houses: number;
  /** The number of cards in the hand. */
  readonly hand: number;
  /** The number of cards in the draw pile. */
  readonly draw_pile: number;
  readonly discard_pile: CardBag;
  /** The cards in hand and draw pile together. */
  readonly hidden: CardBag;
  /** How near the conditions for the end are, in words. */
  readonly conditions: readonly string[];
  /** The player's buildings, in words. */
  readonly buildings: readonly string[];
}

/** How the game ended. */
export interface Finish {
  /** The winner, and how a tie was broken, in words. */
  readonly sentence: string;
  /** The part of the score in which the winner's lead was largest; null after a tie. */
  readonly decided: string | null;
  /** The moments, at most three, that changed the chance of the winner most. */
  readonly moments: readonly Judgement[];
  /** The clause that decided a tie; null if there was none. */
  readonly rule: ClauseSeen | null;
  /** The score sheet, seat by seat. */
  readonly scores: readonly Score[];
  /** The winning seats; more than one if the victory is shared. */
  readonly winners: readonly number[];
  /** The final scores if the game had ended at each revision that stands, seat by seat. */
  readonly course: readonly (readonly number[])[];
}

/** A sentence of an analysis about a moment. */
export interface Judgement {
  /** The revision of the moment; for an answer, that of its question. */
  readonly revision: number;
  readonly sentence: string;
}

/** A clause of the rulebook. */
export interface ClauseSeen {
  /** Its id. */
  readonly clause: string;
  /** Its subject in a few words. */
  readonly title: string;
  /** Its text. */
  readonly text: string;
}

/** The text of a worked example that is tried at the table, or of the coach of a first game. */
export interface Guide {
  /** Its source. */
  readonly title: string;
  /** The text. */
  readonly text: string;
  /** The clause that it is about. */
  readonly rule: ClauseSeen | null;
  /** The answer in the example, legal or not, or the answer that the coach recommends. */
  readonly answer: Choice | null;
}

/**
 * The changes to the drawing that the page has.
 * A Welcome has the whole drawing, a Sight of another moment its differences from now.
 */
export interface Patch {
  readonly changed: readonly Part[];
  /** The keys of parts that are no longer there. */
  readonly gone: readonly string[];
}

/**
 * A part of a drawing: its place and its content.
 * In the whole drawing it is the element whose data-part is its key.
 */
export interface Part {
  /** Its name within its drawing: site-7. */
  readonly key: string;
  /** The position of its left edge in the whole drawing. */
  readonly x: number;
  /** The position of its upper edge in the whole drawing. */
  readonly y: number;
  /** Its width. */
  readonly width: number;
  /** Its height. */
  readonly height: number;
  /** Its content, in a few words. */
  readonly title: string;
  /** The code of the language of its texts. */
  readonly lang: string;
  /** The SVG element, with its own upper left corner as the origin. */
  readonly markup: string;
}

/** A step of the game: an answer, or a takeback. */
export interface Stepped {
  readonly type: "stepped";
  readonly entry: Entry;
  readonly moment: Moment;
  readonly patch: Patch;
}

/** The step is stored; its effects follow in a Stepped. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  /** The revision of the step, whatever has happened since. */
  readonly revision: number;
}

/** A request was refused. */
export interface Refused {
  readonly type: "refused";
  /** The id of the request; null if it could not be read. */
  readonly id: string | null;
  /** The present revision. */
  readonly revision: number;
  /** The reason; the code is stale if the question had been answered. */
  readonly refusal: RefusalDocument;
  /** The clause that forbids the action. */
  readonly rule: ClauseSeen | null;
}

/** The answer to WhyNot. */
export interface Reason {
  readonly type: "reason";
  readonly id: string;
  /** Why the action is illegal; null if it is legal. */
  readonly refusal: RefusalDocument | null;
  readonly rule: ClauseSeen | null;
}

/** The answer to Hint. */
export interface Hinted {
  readonly type: "hinted";
  readonly id: string;
  /** Two or three answers, the best first; one if there is no choice. */
  readonly answers: readonly AdvisedAnswer[];
}

/** An answer that the adviser names. */
export interface AdvisedAnswer {
  readonly action: ActionDocument;
  /** The lead in points that is expected at the end. */
  readonly lead: number;
  /** The chance to win. */
  readonly chance: number;
  /** How good it is, and why, without figures. */
  readonly sentence: string;
  /** Its value in words and figures; empty if it is as good as the best. */
  readonly figures: string;
}

/** The coach's text, once it is known. */
export interface Guided {
  readonly type: "guided";
  /** The revision of the question. */
  readonly revision: number;
  readonly guide: Guide | null;
}

/** The answer to Analyse. */
export interface Analysed {
  readonly type: "analysed";
  readonly id: string;
  /** The part of the work that is done. */
  readonly done: number;
  /** The analysis; null until it is done. */
  readonly report: GameReport | null;
}

/** The analysis of a game, in words. */
export interface GameReport {
  /** The method of judging answers, and the losses from which on they are graded. */
  readonly limits: string;
  /** The title of a table of decisions and luck. */
  readonly play: string;
  /** Its headings. */
  readonly headings: readonly string[];
  /** Its lines, seat by seat. */
  readonly lines: readonly (readonly string[])[];
  /** The title of the course. */
  readonly chances: string;
  /** The chances to win at the beginning of each turn and at the end, seat by seat. */
  readonly course: readonly (readonly number[])[];
  /** The turning points, and the answers that lost most. */
  readonly sections: readonly Judgements[];
  /** All answers that lost something, in the order of the game. */
  readonly answers: readonly FlaggedAnswer[];
}

/** Some sentences of an analysis, with a title. */
export interface Judgements {
  readonly title: string;
  readonly told: readonly Judgement[];
}

/** An answer that lost something, so that its question can be posed again. */
export interface FlaggedAnswer {
  /** The revision of its question. */
  readonly revision: number;
  /** The seat that gave it. */
  readonly seat: number;
  /** How much it lost, and the better answer with its plan. */
  readonly sentence: string;
  /** The answer and its grade, without the better one, and a request for that. */
  readonly question: string;
  readonly answer: ActionDocument;
  /** The best answer. */
  readonly best: ActionDocument;
}

/** The answer to Retry. */
export interface Judged {
  readonly type: "judged";
  readonly id: string;
  /** Whether it is about as good as the best answer: too good to be flagged. */
  readonly is_right: boolean;
  /** How good it is; without the best answer. */
  readonly sentence: string;
}

/** How the table looks at another moment, or to another player at this screen. */
export interface Sight {
  readonly type: "sight";
  readonly id: string;
  readonly moment: Moment;
  readonly patch: Patch;
}

/** The players and spectators who are here. */
export interface Presence {
  readonly type: "presence";
  readonly seats: readonly SeatSeen[];
  readonly spectators: number;
  readonly pause: number;
  /** Whether the table of a rematch is open. */
  readonly has_rematch: boolean;
  /** A notice to all pages: a new link, a bot that sits in, a person who is back, a rematch. */
  readonly notice: string | null;
}

/** The answer to Renew, for the opener alone: the token of the new link. */
export interface NewLink {
  readonly type: "new-link";
  readonly id: string;
  readonly seat: number;
  readonly token: string;
}

/** The answer to Rematch: the table of the other game. */
export interface Rematched {
  readonly type: "rematched";
  readonly id: string;
  readonly table: string;
  /** The seats in the rematch of the players at this page; none for a spectator. */
  readonly own: readonly number[];
  /** The opener's token, for the page that has opened the table; else empty. */
  readonly opener: string;
  /** The tokens of these seats; for the opener those of all seats. */
  readonly invitations: readonly Invitation[];
}

/** An invitation to a seat. */
export interface Invitation {
  readonly seat: number;
  /** The part of the link after the #. */
  readonly token: string;
}

/** The last message of a connection, which must not be opened again. */
export interface Ended {
  readonly type: "ended";
  readonly code: string;
  readonly sentence: string;
}

/** The answer to Ping. */
export interface Pong {
  readonly type: "pong";
}

/** A table to be opened: POST /api/tables. */
export interface NewTable {
  /** One of Lobby.editions. */
  readonly edition: string;
  /** Some of Lobby.variants. */
  readonly variants: readonly string[];
  /** The text of a card set file; null for the usual cards. */
  readonly cards: string | null;
  /** The players, the start player first: 2 to 4. */
  readonly seats: readonly NewSeat[];
  /** Whether to seat the players at random. */
  readonly is_shuffled: boolean;
  /** Whether a coach helps the persons; coached games share one starting position. */
  readonly is_coached: boolean;
}

/** A seat of a table to be opened. */
export interface NewSeat {
  /** The name of the player; if it is empty, the colour is used. */
  readonly name: string;
  readonly colour: SeatColour;
  /** The level of the bot; null for a person. */
  readonly level: BotLevel | null;
}

/** A table to be opened at a position, or at that of a worked example. */
export interface NewTrial {
  /** The position, in a line of text. */
  readonly position: string | null;
  /** The example, by its clause and its id: BLD-6/two-neighbours. */
  readonly example: string | null;
  /** The level of the bots in all other seats; null for none. */
  readonly against: BotLevel | null;
}

/** A table to be opened at the position of a lesson: POST /api/lessons. */
export interface NewLesson {
  /** One of Lobby.lessons. */
  readonly lesson: string;
}

/** The response to NewTable, NewTrial and NewLesson, and to a record that is opened. */
export interface OpenedTable {
  /** The id of the table: its page is /table/ID. */
  readonly table: string;
  /** The opener's token; empty for a record, which needs none. */
  readonly opener: string;
  /** One invitation for each person. */
  readonly invitations: readonly Invitation[];
}

/** A card set to be checked: POST /api/card-set. */
export interface CardSetText {
  /** The text of the file. */
  readonly text: string;
  readonly language: Speech;
}

/** The result of checking a card set. */
export interface CardSetSeen {
  /** Its name; null if it has problems. */
  readonly name: string | null;
  /** The number of its problems. */
  readonly count: number;
  /** The problems, each as a sentence that names the place. If there are very many, only the first are listed, and a last sentence gives the number of the others. */
  readonly problems: readonly string[];
}

/** The choices for a table: GET /api/lobby?language=en. */
export interface Lobby {
  readonly editions: readonly Named[];
  readonly variants: readonly Named[];
  /** From the weakest to the strongest. */
  readonly levels: readonly Named[];
  /** In the order of the seats. */
  readonly colours: readonly Named[];
  /** The lessons in the recommended order. */
  readonly lessons: readonly Named[];
  /** The addresses at which others reach this machine: http://192.168.1.5:8000. */
  readonly links: readonly string[];
  /** How long tables are kept, in sentences; none if there is no limit. */
  readonly kept: readonly string[];
}

/** A choice, with its name in words. */
export interface Named {
  readonly code: string;
  readonly name: string;
}
