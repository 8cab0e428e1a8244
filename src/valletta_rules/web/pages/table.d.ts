/**
 * The messages between a table and its pages, protocol version 1.
 *
 * Generated from `web/protocol.py` by `python -m spec.checks accept generated`; do not edit.
 */

import type { ActionDocument, CardBag, EventDocument, Goods, PlayerViewDocument, RefusalDocument, Score, Seat } from '../../schema/valletta.js';

/** The union of the messages from a page. */
export type PageMessage = Hello | Present | Answer | Undo | WhyNot | Hint | Look | Analyse | Stop | Reopen | Retry | Renew | SitIn | Rename | Rematch | Pace | Ping;

/**
 * The first message on a connection, which names the table and contains the page's tokens.
 * A token is a secret that gives access to a seat, or grants the rights of the table's opener.
 */
export interface Hello {
  readonly type: "hello";
  /** The version of the message format that the page uses, which must be PROTOCOL. */
  readonly protocol: number;
  /** The id of the table, from the path of the link. */
  readonly table: string;
  /** The tokens from the fragment of the link. A spectator has none. A screen that several players share has one for each of their seats. One of the tokens may be that of the opener, the person who opened the table. */
  readonly tokens: readonly string[];
  /** The last revision that the page has received; null if it has received none. */
  readonly seen: number | null;
  /** The code of the language for all texts that the page receives. */
  readonly language: Speech;
  /** The seat whose hand the page showed before the connection was lost; null for no hand. */
  readonly viewer: number | null;
}

/** The code of a language, such as en. */
export type Speech = "en" | "de";

/**
 * A confirmation that a seat's player is in front of a shared screen; the reply is a Sight.
 * A page with several seats receives a hand only after this message.
 */
export interface Present {
  readonly type: "present";
  readonly id: string;
  /** The player's seat, which must be one of the page's own seats; null hides all hands. */
  readonly seat: number | null;
}

/** A player's action at the current prompt; the reply is Ack or Refused. */
export interface Answer {
  readonly type: "answer";
  readonly id: string;
  /** The revision of the prompt. */
  readonly revision: number;
  /** The action that the player chose. */
  readonly action: ActionDocument;
}

/** A request to take back answers; the reply is Ack or Refused. */
export interface Undo {
  readonly type: "undo";
  readonly id: string;
  /** The revision that the page shows. */
  readonly revision: number;
  /** The revision to which the game returns, which must be to of the current UndoOffer. */
  readonly to: number;
  /** Whether all players at this screen have agreed; see UndoOffer.needs_agreement. */
  readonly agreed: boolean;
}

/** A request for the reason why an action is illegal; the reply is a Reason. */
export interface WhyNot {
  readonly type: "why-not";
  readonly id: string;
  readonly revision: number;
  readonly action: ActionDocument;
}

/** A request for advice on the current prompt; the reply is a Hinted. */
export interface Hint {
  readonly type: "hint";
  readonly id: string;
  readonly revision: number;
}

/** A request to show the table at another revision; the reply is a Sight. */
export interface Look {
  readonly type: "look";
  readonly id: string;
  /** The revision to show. */
  readonly at: number;
  /** Whether to show all hands, which is allowed only after the end of the game. */
  readonly open: boolean;
}

/** A request for the analysis of a finished game; the replies are Analysed messages. */
export interface Analyse {
  readonly type: "analyse";
  readonly id: string;
}

/** A request to cancel an analysis; the reply is Ack. */
export interface Stop {
  readonly type: "stop";
  /** The id of the Analyse request to cancel. */
  readonly id: string;
}

/**
 * A request to show a past prompt of a finished game; the reply is a Sight.
 * The Sight contains the view of the seat that answered the prompt, and the actions that it could choose.
 */
export interface Reopen {
  readonly type: "reopen";
  readonly id: string;
  /** The revision of the prompt. */
  readonly at: number;
}

/**
 * A request to judge a different answer to a past prompt of a finished game.
 * The reply is a Judged.
 */
export interface Retry {
  readonly type: "retry";
  readonly id: string;
  /** The revision of the prompt. */
  readonly at: number;
  /** The answer to judge. */
  readonly action: ActionDocument;
}

/** The opener's request for a new link to a seat; the reply is a NewLink. */
export interface Renew {
  readonly type: "renew";
  readonly id: string;
  readonly seat: Seat;
}

/**
 * The opener's request to let a bot substitute for an absent person; the reply is Ack.
 * When the person opens the link to the seat, the substitution ends.
 */
export interface SitIn {
  readonly type: "sit-in";
  readonly id: string;
  readonly seat: Seat;
  /** The level of the bot; null ends the substitution. */
  readonly level: BotLevel | null;
}

/** The name of a bot level, such as club. */
export type BotLevel = "novice" | "casual" | "regular" | "club" | "strong" | "expert" | "master";

/** A request to rename a player; the reply is Ack, followed by a Welcome to every page. */
export interface Rename {
  readonly type: "rename";
  readonly id: string;
  /** The player's seat, which must be one of the page's own seats. */
  readonly seat: Seat;
  readonly name: string;
}

/**
 * A request for a new game with the same players; the reply is Rematched.
 * The first request must come from a player, after the end of the game; it opens the new table.
 */
export interface Rematch {
  readonly type: "rematch";
  readonly id: string;
}

/** A request to set the time that bots wait before they answer; the reply is Ack. */
export interface Pace {
  readonly type: "pace";
  readonly id: string;
  /** The pause in milliseconds. */
  readonly pause: number;
}

/**
 * A keepalive message; the reply is a Pong.
 * The server disconnects a page that sends no message for 25 seconds.
 */
export interface Ping {
  readonly type: "ping";
}

/** The union of the messages to a page. */
export type ServerMessage = Welcome | Stepped | Ack | Refused | Reason | Hinted | Guided | Analysed | Judged | Sight | Presence | NewLink | Rematched | Ended | Pong;

/** The answer to Hello: all data that the page needs to show the table. */
export interface Welcome {
  readonly type: "welcome";
  /** The version of the server's package. A page from another version reloads itself. */
  readonly version: string;
  /** A heading that names the edition, the variants and the card set. */
  readonly heading: string;
  readonly seats: readonly SeatSeen[];
  /** The page's own seats, to which its tokens give access. */
  readonly own: readonly number[];
  /** Whether the page has sent the opener's token. */
  readonly is_opener: boolean;
  /** Whether the table is an opened record, which shows all hands and cannot be played. */
  readonly is_replay: boolean;
  /** Whether the table was opened at a given position. Its game has no record, and a page with several seats shows hands without a Present. */
  readonly is_trial: boolean;
  /** Whether the server has stored an analysis of the game, and can send it without delay. */
  readonly is_analysed: boolean;
  /** The time that bots wait before they answer, in milliseconds. */
  readonly pause: number;
  /** The last revision that the page had already received; null if it must replace its log. */
  readonly since: number | null;
  /** The log entries after the revision since; all entries if since is null. */
  readonly log: readonly Entry[];
  readonly moment: Moment;
  readonly patch: Patch;
}

/** A seat at the table and its player, as shown to all pages. */
export interface SeatSeen {
  readonly seat: number;
  readonly name: string;
  readonly colour: SeatColour;
  /** The level of the bot that owns the seat; null for a person, and in an opened record. */
  readonly level: BotLevel | null;
  /** The level of the bot that substitutes for an absent person; null if no bot does. */
  readonly sitting_in: BotLevel | null;
  /** Whether a page with the seat's token is connected. */
  readonly is_here: boolean;
  /** Whether the player has a name; if not, name contains the name of the colour. */
  readonly is_named: boolean;
}

/** A colour that a player can choose. */
export type SeatColour = "red" | "blue" | "green" | "yellow" | "orange" | "pink" | "black" | "white";

/** The log entry for a revision, without the information that is hidden from the viewer. */
export interface Entry {
  readonly revision: number;
  /** The time of the step, in seconds since 1970. */
  readonly at: number;
  /** The seat that answered, or took an answer back; null for the setup of the game. */
  readonly seat: number | null;
  /** For a takeback, the revision to which the game returned; null for any other step. */
  readonly back_to: number | null;
  /** Sentences that describe the step. */
  readonly lines: readonly LogLine[];
  /** The events of the step. */
  readonly events: readonly EventDocument[];
}

/** A sentence in the log of the game. */
export interface LogLine {
  /** The seat that the sentence is about; null if it is about no seat. */
  readonly seat: number | null;
  readonly text: string;
}

/** The state of the game at a revision, prepared for a page to show to its viewer. */
export interface Moment {
  readonly revision: number;
  /** The seat of the viewer; null for a spectator, and while a shared screen hides all hands. */
  readonly viewer: number | null;
  /** The seat that must answer; null if the game is over. */
  readonly asked: number | null;
  /** The seat for which a shared screen must send Present to show the hand; else null. */
  readonly waits_for: number | null;
  /** A sentence that describes the prompt, for the page's action bar. */
  readonly bar: string;
  readonly view: PlayerViewDocument;
  /** The actions that the viewer can choose at the prompt, except payments. Empty in the answer to a Look at an earlier revision. */
  readonly choices: readonly Choice[];
  /** The price that the viewer must pay now; null if there is none. */
  readonly payment: Payment | null;
  /** The takeback that the viewer can request; null if none is possible. */
  readonly undo: UndoOffer | null;
  /** The public information about the players, one panel for each seat. */
  readonly panels: readonly Panel[];
  /** A text on the progress towards the final phase of the game. */
  readonly ending: string;
  /** The result of the game; null if it is not over. */
  readonly finish: Finish | null;
  /** The text from the coach or the worked example; null if there is none. */
  readonly guide: Guide | null;
}

/** An action that the viewer can choose, or that the coach or an example proposes. */
export interface Choice {
  readonly action: ActionDocument;
  /** The action as an imperative, for a button and for screen readers. */
  readonly label: string;
}

/**
 * A price to be paid.
 * The possible payments are the legal actions in the view of the Moment.
 */
export interface Payment {
  readonly price: Goods;
  /** The cheapest payment; the page selects it at first. */
  readonly cheapest: Goods;
  /** The goods that the player has. */
  readonly owned: Goods;
  /** The number of goods of other types that replace one missing good. */
  readonly substitutes: number;
}

/** A takeback that the viewer can request now. */
export interface UndoOffer {
  /** The revision to which the takeback returns. */
  readonly to: number;
  /** Whether all players at this screen must agree. Agreement is required if, after the answer to be taken back, a card was drawn, a barrel was revealed or another seat answered. It is never required in a trial. */
  readonly needs_agreement: boolean;
  /** A description of the action that the takeback undoes. */
  readonly label: string;
}

/** The information about a player that all viewers may know. */
export interface Panel {
  readonly seat: number;
  /** The points on the score track. */
  readonly points: number;
  /** The final score if the game ended now. */
  readonly predicted: number;
  readonly goods: Goods;
  /** The number of icons of each type on the player's buildings. */
  readonly icons: Goods;
  /** The number of houses that the player has placed. */
  readonly houses: number;
  /** The maximum number of houses that a player can place. */
  readonly most_houses: number;
  /** The number of cards in the player's hand. */
  readonly hand: number;
  /** The number of cards in the player's draw pile. */
  readonly draw_pile: number;
  readonly discard_pile: CardBag;
  /** The cards in the hand and draw pile together; which of them are in the hand is not public. */
  readonly hidden: CardBag;
  /** Descriptions of the player's progress towards the conditions that end the game. */
  readonly conditions: readonly string[];
  /** The descriptions of the player's buildings. */
  readonly buildings: readonly string[];
}

/** The result of a game that is over. */
export interface Finish {
  /** A sentence that names the winner, and the reason if a tie was broken. */
  readonly sentence: string;
  /** A sentence on the part of the score that decided the game; null after a tie. */
  readonly decided: string | null;
  /** The moments at which the winner's chance to win changed most; there are at most three. */
  readonly moments: readonly Judgement[];
  /** The clause that decided a tie; null if the game had no tie. */
  readonly rule: ClauseSeen | null;
  /** The score of each seat, with its parts. */
  readonly scores: readonly Score[];
  /** The seats that have won; more than one if the victory is shared. */
  readonly winners: readonly number[];
  /** For each revision that was not undone, each seat's final score if the game ended there. */
  readonly course: readonly (readonly number[])[];
}

/** A sentence about one moment of the game, such as an answer or a stroke of luck. */
export interface Judgement {
  /** The revision that the sentence describes. If the sentence judges an answer in an analysis, this is the revision of the answer's prompt. */
  readonly revision: number;
  readonly sentence: string;
}

/** A clause of the rulebook. */
export interface ClauseSeen {
  /** The id of the clause. */
  readonly clause: string;
  /** The title of the clause, in the language of the page. */
  readonly title: string;
  /** The text of the clause, in the language of the page. */
  readonly text: string;
}

/** A text that guides the player: from the coach, or from the worked example at this table. */
export interface Guide {
  /** The title, which names the source of the text: the worked example or the coach. */
  readonly title: string;
  /** The text without its title. */
  readonly text: string;
  /** The clause that the text explains; null for no clause. */
  readonly rule: ClauseSeen | null;
  /** The next answer in the worked example, or the one that the coach recommends; may be null. The next answer in an example may be illegal. */
  readonly answer: Choice | null;
}

/**
 * The changes that a page must make to its drawing of the board.
 * The patch in a Welcome contains all parts of the drawing. The patch in a Sight of another moment contains the differences from the drawing of the current moment.
 */
export interface Patch {
  readonly changed: readonly Part[];
  /** The keys of the parts that must be removed from the drawing. */
  readonly gone: readonly string[];
}

/**
 * A part of a drawing with its place and its content.
 * The attribute data-part of the part's SVG element contains the key.
 */
export interface Part {
  /** The name of the part within its drawing, such as site-7. */
  readonly key: string;
  /** The x coordinate of the left edge in the whole drawing. */
  readonly x: number;
  /** The y coordinate of the upper edge in the whole drawing. */
  readonly y: number;
  /** The width of the part. */
  readonly width: number;
  /** The height of the part. */
  readonly height: number;
  /** A title of a few words, which describes the content of the part. */
  readonly title: string;
  /** The code of the language in which the texts of the part are written. */
  readonly lang: string;
  /** The SVG element of the part. Its origin is the upper left corner of the part. */
  readonly markup: string;
}

/** A step of the game: an answer, or a takeback. */
export interface Stepped {
  readonly type: "stepped";
  readonly entry: Entry;
  readonly moment: Moment;
  readonly patch: Patch;
}

/**
 * A confirmation that a request has succeeded.
 * After an Answer or Undo, a Stepped with the effects follows.
 */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  /** The revision that the request produced; the current revision if it produced none. If the page repeats a request, this may be an earlier revision. */
  readonly revision: number;
}

/** The answer to a request that the server refuses. */
export interface Refused {
  readonly type: "refused";
  /** The id of the request; null if the request could not be parsed. */
  readonly id: string | null;
  /** The current revision of the game. */
  readonly revision: number;
  /** The reason for the refusal. Its code is stale if the request was not for the current revision. */
  readonly refusal: RefusalDocument;
  /** The clause that forbids the action; null if the reason is not a rule of the game. */
  readonly rule: ClauseSeen | null;
}

/** The answer to WhyNot: the reason why an action is illegal. */
export interface Reason {
  readonly type: "reason";
  readonly id: string;
  /** The reason why the action is illegal; null if it is legal. */
  readonly refusal: RefusalDocument | null;
  readonly rule: ClauseSeen | null;
}

/** The answer to Hint: the adviser's suggestions. */
export interface Hinted {
  readonly type: "hinted";
  readonly id: string;
  /** Two or three answers, the best first; a single answer if there is no choice. */
  readonly answers: readonly AdvisedAnswer[];
}

/** A possible answer to a prompt, with the adviser's judgement. */
export interface AdvisedAnswer {
  readonly action: ActionDocument;
  /** The player's expected lead, in points, at the end of the game. */
  readonly lead: number;
  /** The player's chance to win, from 0 to 1. */
  readonly chance: number;
  /** A sentence on the quality of the answer, without figures. */
  readonly sentence: string;
  /** The expected lead, or the loss compared to the best answer, and the chance to win, as text. Empty for an answer that is not the best, but about as good. */
  readonly figures: string;
}

/** The coach's text for the current prompt, sent as soon as it has been computed. */
export interface Guided {
  readonly type: "guided";
  /** The revision of the prompt. */
  readonly revision: number;
  readonly guide: Guide | null;
}

/** The answer to Analyse: the progress, or the finished analysis. */
export interface Analysed {
  readonly type: "analysed";
  readonly id: string;
  /** The progress of the analysis, from 0 to 1. */
  readonly done: number;
  /** The analysis; null while it is being computed. */
  readonly report: GameReport | null;
}

/** The analysis of a finished game, as texts and numbers that a page can show. */
export interface GameReport {
  /** A text that explains how answers are judged, and which loss leads to which grade. */
  readonly limits: string;
  /** The title of a table of each player's decisions and luck. headings and lines are the content of this table. */
  readonly play: string;
  /** The headings of the columns in the table of decisions and luck. */
  readonly headings: readonly string[];
  /** The rows of the table of decisions and luck, one for each seat. */
  readonly lines: readonly (readonly string[])[];
  /** The title of the chart that shows course. */
  readonly chances: string;
  /** Each seat's chance to win, at the beginning of each turn and at the end of the game. */
  readonly course: readonly (readonly number[])[];
  /** The sections on the turning points and on the costliest answers. */
  readonly sections: readonly Judgements[];
  /** All answers that were not good, in the order of the game. */
  readonly answers: readonly FlaggedAnswer[];
}

/** A section of an analysis: a title and its sentences. */
export interface Judgements {
  readonly title: string;
  readonly told: readonly Judgement[];
}

/**
 * An answer that the analysis grades as worse than good.
 * A page offers its prompt as an exercise, in which the viewer looks for a better answer.
 */
export interface FlaggedAnswer {
  /** The revision at which the player was prompted. */
  readonly revision: number;
  /** The seat that gave the answer. */
  readonly seat: number;
  /** A sentence that describes the loss caused by the answer, and the better answer. */
  readonly sentence: string;
  /** A sentence that names the answer and its grade, and asks for a better answer. */
  readonly question: string;
  readonly answer: ActionDocument;
  /** The best answer to the prompt. */
  readonly best: ActionDocument;
}

/** The answer to Retry: a comparison of the new answer with the best answer. */
export interface Judged {
  readonly type: "judged";
  readonly id: string;
  /** Whether the new answer is about as good as the best answer. */
  readonly is_right: boolean;
  /** A sentence on the quality of the new answer. It does not reveal the best answer. */
  readonly sentence: string;
}

/** The answer to Present, Look and Reopen: the requested moment of the game. */
export interface Sight {
  readonly type: "sight";
  readonly id: string;
  readonly moment: Moment;
  readonly patch: Patch;
}

/** A message to all pages about the seats, their players and the number of spectators. */
export interface Presence {
  readonly type: "presence";
  readonly seats: readonly SeatSeen[];
  readonly spectators: number;
  readonly pause: number;
  /** Whether a player has opened a table for a rematch. */
  readonly has_rematch: boolean;
  /** A sentence about the change that caused this message, such as a new link; may be null. */
  readonly notice: string | null;
}

/** The answer to Renew: the token of the new link. Only the opener receives it. */
export interface NewLink {
  readonly type: "new-link";
  readonly id: string;
  readonly seat: number;
  readonly token: string;
}

/** The answer to Rematch: the id of the new table, and access to it. */
export interface Rematched {
  readonly type: "rematched";
  readonly id: string;
  readonly table: string;
  /** The seats that this page's players have in the rematch; empty for a spectator. */
  readonly own: readonly number[];
  /** The opener's token for the new table; empty unless this page has opened the table. */
  readonly opener: string;
  /** The tokens for the seats in own, or for all persons if this page has opened the table. */
  readonly invitations: readonly Invitation[];
}

/** An invitation for a person to take a seat. */
export interface Invitation {
  readonly seat: number;
  /** The token of the seat; in the link, it follows the #. */
  readonly token: string;
}

/** The last message on a connection; the page must not reconnect. */
export interface Ended {
  readonly type: "ended";
  readonly code: string;
  readonly sentence: string;
}

/** The answer to Ping, without content. */
export interface Pong {
  readonly type: "pong";
}

/** A request to open a table: POST /api/tables. */
export interface NewTable {
  /** The code of the edition; Lobby.editions lists all codes. */
  readonly edition: string;
  /** The codes of the variants to play with; Lobby.variants lists all codes. */
  readonly variants: readonly string[];
  /** The text of a card set file; null for the built-in card set. */
  readonly cards: string | null;
  /** The 2 to 4 players in turn order, with the start player first. */
  readonly seats: readonly NewSeat[];
  /** Whether to seat the players at random. */
  readonly is_shuffled: boolean;
  /** Whether a coach helps the persons; if so, the game uses a fixed random seed. */
  readonly is_coached: boolean;
}

/** A seat at the table that a NewTable requests. */
export interface NewSeat {
  /** The name of the player; if it is empty, the colour is shown instead. */
  readonly name: string;
  readonly colour: SeatColour;
  /** The level of the bot; null for a person. */
  readonly level: BotLevel | null;
}

/**
 * A request to open a table at a given position, or at that of a worked example.
 * Only the service that runs in a browser accepts this request.
 */
export interface NewTrial {
  /** The position as a position line; null if example is given. */
  readonly position: string | null;
  /** The full id of a worked example, such as BLD-6/two-neighbours; null for a position. */
  readonly example: string | null;
  /** The level of the bots in all seats but the one that must answer; null for persons. */
  readonly against: BotLevel | null;
}

/** A request to open a table at the position of a lesson: POST /api/lessons. */
export interface NewLesson {
  /** The code of the lesson; Lobby.lessons lists all codes. */
  readonly lesson: string;
}

/** The response to NewTable, NewTrial and NewLesson, and to a request to open a record. */
export interface OpenedTable {
  /** The id of the table; the path of its page is /table/ID. */
  readonly table: string;
  /** The opener's token; empty for a record. */
  readonly opener: string;
  /** An invitation for each seat of a person, but none for the seats of bots. */
  readonly invitations: readonly Invitation[];
}

/** A request to check a card set: POST /api/card-set. */
export interface CardSetText {
  /** The text of the card set file. */
  readonly text: string;
  readonly language: Speech;
}

/** The result of checking a card set. */
export interface CardSetSeen {
  /** The name of the card set; null if it has problems. */
  readonly name: string | null;
  /** The number of problems in the card set. */
  readonly count: number;
  /** Sentences that describe the problems and their positions in the file. If there are too many problems, only the first are described, and the last sentence states how many are omitted. */
  readonly problems: readonly string[];
}

/** The options for a new table: GET /api/lobby?language=en. */
export interface Lobby {
  readonly editions: readonly Named[];
  readonly variants: readonly Named[];
  /** The levels of bots, from the weakest to the strongest. */
  readonly levels: readonly Named[];
  /** The colours of the players, in the order of the seats. */
  readonly colours: readonly Named[];
  /** The lessons in the recommended order. */
  readonly lessons: readonly Named[];
  /** The addresses of the server for other machines, such as http://192.168.1.5:8000. */
  readonly links: readonly string[];
  /** Sentences that state when unused tables are removed; empty if they are never removed. */
  readonly kept: readonly string[];
}

/** An option in the lobby: its code, and its name in the language of the page. */
export interface Named {
  readonly code: string;
  readonly name: string;
}
