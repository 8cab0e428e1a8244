import type { Action, Answered, GameEvent, GameRecord, GameState, LogEntry, News, Prompt, Redone, Seat, Undone } from './dist/valletta.d.ts';
import type { Draw, Rules, State, View } from './index.js';

/** A call that cannot be carried out; nothing has changed.  Each has the code that it has in Python. */
export declare class GameError extends Error {
  /** A stable word, such as `not-asked`. */
  get code(): string;
}

/** A seat was given that the game does not have. */
export declare class SeatError extends GameError {
  readonly seat: number;
  readonly players: number;
}

/** A seat answered, or a spectator for null, that is not asked. */
export declare class NotAskedError extends GameError {
  readonly seat: Seat | null;
  readonly asked: Seat | null;
}

/** A call was made for an earlier revision: it was late, or it came twice. */
export declare class StaleError extends GameError {
  readonly revision: number;
  readonly now: number;
}

/** A revision was given that the game does not have yet. */
export declare class FutureRevisionError extends GameError {
  readonly revision: number;
  readonly now: number;
}

/** A call has the id of another call, that of a revision. */
export declare class ForeignIdError extends GameError {
  readonly id: string;
  readonly revision: number;
}

/** No such choice stands that could be taken back. */
export declare class NothingToUndoError extends GameError {
  constructor(message: string);
}

/** Nothing has been undone since the last answer. */
export declare class NothingToRedoError extends GameError {
  constructor(message: string);
}

/** An entry of a log cannot be read, or does not follow from those before it.  Its code is that of its cause. */
export declare class LogError extends GameError {
  /** The number of the entry, from 0. */
  readonly entry: number;
  /** What is wrong with it. */
  readonly reason: string;
}

/** A log was cut: it is empty, an entry is missing, or what chance answered after one is. */
export declare class CutLogError extends LogError {}

/** A move of a record cannot be made; the cause is the error of the move. */
export declare class RecordError extends GameError {
  /** The number of the move, from 1. */
  readonly move: number;
  readonly reason: string;
}

/** A player's answer that stands: what a caller needs to decide who may undo it. */
export interface LastChoice {
  readonly seat: Seat;
  /** The revision that it led to. */
  readonly revision: number;
  /** Whether a card was drawn or a barrel revealed since. */
  readonly hasRevealed: boolean;
  /** Whether another seat has answered since, even if only by a forced answer. */
  readonly othersActed: boolean;
  readonly players: number;
}

/** Whether a seat made the last choice, nothing hidden has come to light since, and no other seat has answered. */
export declare function mayUndoOwn(choice: LastChoice | null, seat: Seat): boolean;

/** Whether all seats but the one that asks have agreed that the last choice is undone. */
export declare function mayUndoByConsent(choice: LastChoice | null, seat: Seat, agreed: readonly Seat[]): boolean;

/** Whether there is a choice to undo: enough for people at one screen. */
export declare function mayUndoFreely(choice: LastChoice | null): boolean;

/** An action that was taken, what happened, and the positions before and after it. */
export interface Move {
  readonly before: State;
  readonly action: Action;
  readonly events: readonly GameEvent[];
  readonly state: State;
}

/** An entry of a log, or the text of its document. */
export type Logged = LogEntry | string;

/** A seat, the revision for which it calls, and an id with which the call can be repeated: 1 to 100 printable ASCII characters without a space. */
export interface Call<Who = Seat> {
  readonly seat: Who;
  readonly revision: number;
  readonly id?: string | null;
}

/**
 * A game in progress as one value, as `Game` of the Python package, with the same log.  A game never changes: `answer`, `undo` and `redo` return the
 * next game and its entry of the log; a call whose id is in the log returns the same game and the entry logged for that id.
 * The log and the position contain hidden information: send a seat only what `since` and `view` return.
 * Calls throw a `TypeError` for a seat or a revision that is no whole number, a `draw` that is no function and an unknown option, and a `DocumentError` for an id of another form.
 */
export declare class Game {
  private constructor();
  /** Begins a game in a position, such as `newGame` returns; chance answers until a player is asked.  With `skipForced`, players are not asked where
   *  all can tell that there is one legal answer.  Throws a `RangeError` if `draw` returns what chance cannot answer. */
  static begin(rules: Rules, start: GameState, options: { draw: Draw; skipForced?: boolean }): Game;
  /** The game of a record, in which every choice can be undone; chance goes on where the record ends, or never if `draw` is null: where it is asked,
   *  the game can only be viewed.  Throws a `RecordError` for an illegal move, and a `DocumentError` for what is no record of a game. */
  static resume(rules: Rules, record: GameRecord, options: { draw: Draw | null; skipForced?: boolean }): Game;
  /** The game of a log, from its first entry on; one that is not whole may end where chance is asked.  Throws a `LogError`, which names the entry. */
  static replay(rules: Rules, log: Iterable<Logged>, options?: { isWhole?: boolean }): Game;
  /** The game after the next entry of its log, to which others append.  Throws as `replay` does. */
  read(entry: Logged): Game;
  /** All entries of the log, in order. */
  get log(): readonly LogEntry[];
  /** The last entry of the log: `toJson(game.entry)` is the document to be appended. */
  readonly entry: LogEntry;
  /** The game before the last entry. */
  readonly previous: Game | null;
  /** How many calls have been carried out: the number of the last entry. */
  get revision(): number;
  /** The position before anything happened. */
  get start(): State;
  get position(): State;
  /** The question, which is a player's; null when the game is over. */
  get prompt(): Prompt | null;
  /** The seat that is asked; null when the game is over. */
  get asked(): Seat | null;
  /** The moves of the last entry: the answer, and what chance answered after it. */
  get done(): readonly Move[];
  /** The position in which the call of the last entry was made; the start if there is none. */
  get before(): State;
  /** How many moves stand, those of chance included. */
  get moves(): number;
  get canRedo(): boolean;
  /** The last answer that stands; null if none does. */
  get lastChoice(): LastChoice | null;
  /** The answers that stand, the last one first. */
  choices(): Generator<LastChoice, void>;
  /** The entry of the call with an id, or null.  Throws a `DocumentError` for an id of another form. */
  entryWith(id: string): LogEntry | null;
  /** Throws what `answer` throws unless this seat is asked at this revision. */
  expect(call: { readonly seat: Seat | null; readonly revision: number }): void;
  /** What a seat, or a spectator for null, may know.  Throws a `SeatError`. */
  view(seat: Seat | null): View;
  /** What a seat, or a spectator for null, has missed since a revision; everything for null.  Bring a list of moves up to date by
   *  `moves.splice(news.kept, Infinity, ...news.steps)`.  Throws a `SeatError`, a `FutureRevisionError`, and a `RangeError` for a negative revision. */
  since(revision: number | null, seat: Seat | null): News & { readonly view: View };
  /** How many moves of a revision still stand, and the transitions after those, each with the position before it, for `narrate`.  Do not send them to players.  Throws as `since` does. */
  transitionsSince(revision: number | null): { readonly kept: number; readonly transitions: ReadonlyArray<{ readonly before: State; readonly state: State; readonly events: readonly GameEvent[] }> };
  /** The record of the answers that stand, which `resume` takes, with the names of the players.  It contains hidden information.
   *  Throws a `DocumentError` for names that no record can hold, and a `RangeError` if the game did not begin with what `newGame` returns. */
  record(names?: readonly string[]): GameRecord;
  /** Lets a seat answer; chance and forced answers follow.  Throws a `SeatError`, a `ForeignIdError`, a `StaleError`, a `FutureRevisionError`,
   *  a `NotAskedError`, an `IllegalActionError`, a `DocumentError` for no action of this game, and a `RangeError` as `begin` does. */
  answer(action: Action, call: Call<Seat | null> & { readonly draw: Draw }): [game: Game, entry: Answered];
  /** Takes the last choice back, or all since the revision `to`, which must still stand.  The caller decides who may do this, by `lastChoice`.
   *  Throws a `NothingToUndoError` if no such choice stands, and the errors of `answer` that are about the call. */
  undo(call: Call & { readonly to?: number | null }): [game: Game, entry: Undone];
  /** Restores what the last undo took back, with the same chance.  Throws a `NothingToRedoError`, and the other errors of `undo`. */
  redo(call: Call): [game: Game, entry: Redone];
}
