import type { Action, Answered, GameEvent, GameRecord, GameState, LogEntry, News, Prompt, Redone, Seat, Undone } from './dist/valletta.d.ts';
import type { Draw, Rules, State, View } from './index.js';

/** A call failed, and changed nothing. The codes are those of the Python package. */
export declare class GameError extends Error {
  /** A stable identifier of the error, such as `not-asked`. */
  get code(): string;
}

/** The game has no seat with this number. */
export declare class SeatError extends GameError {
  readonly seat: number;
  readonly players: number;
}

/** A seat, or a spectator (null), answered although another seat or none must answer. */
export declare class NotAskedError extends GameError {
  readonly seat: Seat | null;
  readonly asked: Seat | null;
}

/** The call is for an earlier revision: it arrived late or twice. */
export declare class StaleError extends GameError {
  readonly revision: number;
  readonly now: number;
}

/** The game has not reached this revision yet. */
export declare class FutureRevisionError extends GameError {
  readonly revision: number;
  readonly now: number;
}

/** An earlier, different call has the same id. `revision` is that of the earlier call. */
export declare class ForeignIdError extends GameError {
  readonly id: string;
  readonly revision: number;
}

/** There is no such choice to undo. */
export declare class NothingToUndoError extends GameError {
  constructor(message: string);
}

/** There is nothing to redo: no undo since the last answer. */
export declare class NothingToRedoError extends GameError {
  constructor(message: string);
}

/** An entry of a log is invalid, or does not follow from the entries before it. The code is that of the cause. */
export declare class LogError extends GameError {
  /** The number of the entry, from 0. */
  readonly entry: number;
  /** The error in the entry. */
  readonly reason: string;
}

/** The log is incomplete: it is empty, or lacks an entry or the outcomes of chance after an entry. */
export declare class CutLogError extends LogError {}

/** A move of a record is illegal. `cause` is the error of the move. */
export declare class RecordError extends GameError {
  /** The number of the move, from 1. */
  readonly move: number;
  readonly reason: string;
}

/** A player's answer that has not been undone, with the facts that decide who may undo it. */
export interface LastChoice {
  readonly seat: Seat;
  /** The revision that the answer created. */
  readonly revision: number;
  /** Whether a card has been drawn or a barrel revealed since then. */
  readonly hasRevealed: boolean;
  /** Whether another seat has answered since then; forced answers count. */
  readonly othersActed: boolean;
  readonly players: number;
}

/** Returns whether `seat` made the last choice, and since then no hidden information was revealed and no other seat answered. */
export declare function mayUndoOwn(choice: LastChoice | null, seat: Seat): boolean;

/** Returns whether all other seats have agreed to the undo that `seat` requests. */
export declare function mayUndoByConsent(choice: LastChoice | null, seat: Seat, agreed: readonly Seat[]): boolean;

/** Returns whether there is a choice to undo. For players who share one screen. */
export declare function mayUndoFreely(choice: LastChoice | null): boolean;

/** An action, its events, and the positions before and after it. */
export interface Move {
  readonly before: State;
  readonly action: Action;
  readonly events: readonly GameEvent[];
  readonly state: State;
}

/** An entry of a log, or its JSON text. */
export type Logged = LogEntry | string;

/** The seat that calls, the revision to which the call responds, and an optional id that allows a client to repeat the call: 1 to 100 printable ASCII characters without spaces. */
export interface Call<Who = Seat> {
  readonly seat: Who;
  readonly revision: number;
  readonly id?: string | null;
}

/**
 * A game in progress as one immutable value, with the same log as `Game` of the Python package. `answer`, `undo` and `redo` return the
 * next game and its log entry. A call whose id is already in the log returns this game and the existing entry.
 * The log and the position contain hidden information: send a seat only the results of `since` and `view`.
 * All methods throw a `TypeError` for a seat or a revision that is not an integer, for a `draw` that is not a function, and for an unknown option,
 * and a `DocumentError` for an id in a wrong format.
 */
export declare class Game {
  private constructor();
  /** Starts a game from a position such as that of `newGame`, and resolves chance until a player must answer. With `skipForced`, a prompt that
   *  publicly has only one legal answer is answered automatically. Throws a `RangeError` if `draw` returns an impossible outcome. */
  static begin(rules: Rules, start: GameState, options: { draw: Draw; skipForced?: boolean }): Game;
  /** Returns the game that a record describes; every choice in it can be undone. After the end of the record, `draw` resolves chance.
   *  If `draw` is null and the record ends at a chance prompt, the game accepts no answer.
   *  Throws a `RecordError` for an illegal move, and a `DocumentError` for a value that is not a record. */
  static resume(rules: Rules, record: GameRecord, options: { draw: Draw | null; skipForced?: boolean }): Game;
  /** Returns the game that a complete log describes. If `isWhole` is false, the log may end at a chance prompt. Throws a `LogError` that names the entry. */
  static replay(rules: Rules, log: Iterable<Logged>, options?: { isWhole?: boolean }): Game;
  /** Returns the game after one more log entry, for instance one that another process appended. Throws the errors of `replay`. */
  read(entry: Logged): Game;
  /** All entries of the log, in order. */
  get log(): readonly LogEntry[];
  /** The last entry of the log. Append `toJson(game.entry)` to the stored log. */
  readonly entry: LogEntry;
  /** The game before the last entry. */
  readonly previous: Game | null;
  /** The number of successful calls, which is also the number of the last entry. */
  get revision(): number;
  /** The position at the start of the game. */
  get start(): State;
  get position(): State;
  /** The prompt that a player must answer; null if the game is over. */
  get prompt(): Prompt | null;
  /** The seat that must answer; null if the game is over. */
  get asked(): Seat | null;
  /** The moves of the last entry: the answer, and the outcomes of chance after it. */
  get done(): readonly Move[];
  /** The position before the call of the last entry; the start position if there was no call. */
  get before(): State;
  /** The number of moves that have not been undone, including those of chance. */
  get moves(): number;
  get canRedo(): boolean;
  /** The last answer that has not been undone; null if there is none. */
  get lastChoice(): LastChoice | null;
  /** Yields the answers that have not been undone, the last one first. */
  choices(): Generator<LastChoice, void>;
  /** Returns the log entry of the call with this id, or null. Throws a `DocumentError` for an id in a wrong format. */
  entryWith(id: string): LogEntry | null;
  /** Throws the errors of `answer` unless this seat must answer at this revision. */
  expect(call: { readonly seat: Seat | null; readonly revision: number }): void;
  /** Returns the view of a seat, or of a spectator (null). Throws a `SeatError` if the seat does not exist. */
  view(seat: Seat | null): View;
  /** Returns the changes since a revision for a seat, or for a spectator (null); if the revision is null, everything. To update a list of moves, call
   *  `moves.splice(news.kept, Infinity, ...news.steps)`. Throws a `SeatError`, a `FutureRevisionError`, and a `RangeError` for a negative revision. */
  since(revision: number | null, seat: Seat | null): News & { readonly view: View };
  /** Returns how many moves of a revision have not been undone, and the later transitions, each with the position before it, as `narrate` needs it.
   *  They contain hidden information: do not send them to players. Throws the errors of `since`. */
  transitionsSince(revision: number | null): { readonly kept: number; readonly transitions: ReadonlyArray<{ readonly before: State; readonly state: State; readonly events: readonly GameEvent[] }> };
  /** Returns the record of the answers that have not been undone, for `resume`, with the names of the players. It contains hidden information.
   *  Throws a `DocumentError` for names that a record cannot contain, and a `RangeError` if the game did not start from a position of `newGame`. */
  record(names?: readonly string[]): GameRecord;
  /** Applies a seat's answer, then outcomes of chance and forced answers. Throws a `SeatError`, a `ForeignIdError`, a `StaleError`, a `FutureRevisionError`,
   *  a `NotAskedError`, an `IllegalActionError`, a `DocumentError` for a value that is not an action of this game, and the `RangeError` of `begin`. */
  answer(action: Action, call: Call<Seat | null> & { readonly draw: Draw }): [game: Game, entry: Answered];
  /** Undoes the last choice, or all choices after the revision `to`, which must not have been undone itself. The caller decides who may undo; see `lastChoice`.
   *  Throws a `NothingToUndoError` if there is no such choice, and the errors of `answer` that concern the call. */
  undo(call: Call & { readonly to?: number | null }): [game: Game, entry: Undone];
  /** Restores the moves of the last undo, including the outcomes of chance. Throws a `NothingToRedoError`, and the errors of `undo` that concern the call. */
  redo(call: Call): [game: Game, entry: Redone];
}
