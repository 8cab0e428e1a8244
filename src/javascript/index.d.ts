import type {
  Action, CardSet, Cards, ClauseId, GameEvent, GameState, News, Outcome, PlayerCount, PlayerView, Prompt, RedactedEvent, RuleSet, Seat, VallettaDocument, Violation,
} from './dist/valletta.d.ts';
import type { Members } from './dist/members.d.ts';

export type * from './dist/valletta.d.ts';

/** Computed properties of a position or a view. Spread syntax and clones do not copy them. */
declare abstract class Known {
  /** The prompt that must be answered next, or null if the game is over. */
  get prompt(): Prompt | null;
  /** Whether chance must answer the prompt. */
  get asksChance(): boolean;
  get isOver(): boolean;
  /** A string key: two positions have equal keys if and only if they are equal. */
  get key(): string;
}

/** A position: a frozen plain object with the entries of its JSON document. */
export interface State extends GameState, Known {}

/** A view of a position: a frozen plain object that contains only what a seat, or a spectator (null), may know. */
export interface View extends PlayerView, Known {}

/** A packed position, returned by `applyNumber`. It has no entries, and is therefore faster to create. */
export declare class Packed {
  private constructor();
  readonly key: string;
  /** The same position with its entries. */
  get state(): State;
  get prompt(): Prompt | null;
  get asksChance(): boolean;
  get isOver(): boolean;
}

/** A position: returned by a function of this package, copied by `postMessage`, `structuredClone` or spread syntax, or packed. */
export type Position = GameState | Packed;

/** A document is malformed, has another version, or describes an impossible value. */
export declare class DocumentError extends Error {}

/** Why an action is illegal: a stable code, the clause, and the facts by name. It contains no sentence for players. */
export type Reason = Readonly<Omit<Violation, 'message'>>;

/** An illegal action was applied. */
export declare class IllegalActionError extends Error {
  readonly violation: Reason;
}

/** The rule sets of the published editions, with the names of the Python package. */
export declare const editions: { readonly [member in Members['editions']]: RuleSet };

/** The built-in card sets, with the names of the Python package. */
export declare const cardSets: { readonly [member in Members['cardSets']]: CardSet };

/** Formats an action in the notation of the Python package, such as `build 7` or `pay 2g 1w`. */
export declare function formatAction(action: Action): string;

/** Parses an action in the notation of `formatAction`. Throws a `DocumentError` for any other text. */
export declare function parseAction(text: string): Action;

/** Returns the event without the information that is hidden from a seat, or from a spectator (null): cards that other players draw. */
export declare function redact(event: GameEvent, seat: Seat | null): RedactedEvent;

/** The text of a clause in one language. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** The path of the clause's page in the documentation, such as `rule/BLD-6.html`. */
  readonly address: string;
}

/** Resolves to the text of a clause in each language. The first call loads the texts. Rejects with a `RangeError` if the clause does not exist. */
export declare function explain(clause: ClauseId): Promise<{ readonly [language in 'en' | 'de']: Explanation }>;

/** A random number generator that returns numbers in [0, 1): `Math.random`, or a seeded generator. */
export type Random = () => number;

/** A possible outcome of a chance prompt, and its probability as a fraction. */
export interface ChanceOutcome {
  readonly action: Action;
  readonly numerator: number;
  readonly denominator: number;
}

/** A function that answers chance prompts: it receives all outcomes, and returns the action of one of them. */
export type Draw = (outcomes: readonly ChanceOutcome[]) => Action;

/** Returns a `Draw` that draws outcomes with their exact probabilities. Each draw uses one random number.
 *  The `Draw` throws a `RangeError` if `random` returns a number outside [0, 1). */
export declare function byRandom(random: Random): Draw;

/** A value that a document can describe. */
export type Value = State | View | (News & { readonly view: View }) | Exclude<VallettaDocument['value'], GameState | PlayerView | News>;

/** Each function accepts positions and views that the package returned, and copies of them.
 *  A copy is checked like a document on first use, and again only after a change.
 *  Throws a `DocumentError` that says where a copy is invalid,
 *  and a `TypeError` for a value that lacks an entry of a position or a view. */
export interface Rules {
  /** Returns the first position of a game; chance must answer its prompt. The defaults are the first of `editions` and the first of `cardSets`.
   *  Throws a `DocumentError` for an option that is unknown or undefined, for an impossible combination of options, and for cards from which no display can be dealt. */
  newGame(game: { players: PlayerCount; rules?: RuleSet; cards?: Cards }): State;
  /** Returns all legal answers to the prompt, also to prompts of chance. For a view, returns those of its seat. Empty if the game is over. */
  legalActions(position: Position | PlayerView): readonly Action[];
  /** Returns the reason why an action is illegal, or null if it is legal. Throws a `DocumentError` for a value that is not an action of this game. */
  check(position: Position, action: Action): Reason | null;
  /** Returns the position after an action. Throws an `IllegalActionError` if the action is illegal. */
  apply(position: Position, action: Action): State;
  /** Returns the position after an action, and the events in their order. Throws the errors of `apply`. */
  transition(position: Position, action: Action): { readonly state: State; readonly events: readonly GameEvent[] };
  /** Returns the numbers of the legal actions, in the order of `legalActions`. An action has the same number in every game; payments are numbered within their prompt. */
  legalNumbers(position: Position): Uint16Array;
  /** Returns the position after the action with this number. Throws a `RangeError` if no legal action has this number. */
  applyNumber(position: Position, number: number): Packed;
  /** Returns the possible outcomes of a chance prompt. Empty if a player must answer, or if the game is over. */
  chanceOutcomes(position: Position): readonly ChanceOutcome[];
  /** Draws one outcome of a chance prompt with its exact probability; calls `random` once.
   *  Throws a `RangeError` if the prompt is not one of chance or has no outcome, or if `random` returns a number outside [0, 1). */
  sampleChance(position: Position, random: Random): Action;
  /** Draws outcomes until a player must answer or the game is over, and returns this position. */
  resolveChance<Given extends Position>(position: Given, random: Random): Given extends Packed ? Packed : State;
  /** Returns the scores and the winners, or null if the game is not over. */
  outcome(position: Position): Outcome | null;
  /** Returns the view of a seat, or of a spectator (null). */
  view(position: Position, seat: Seat | null): View;
  /** Returns a position that is consistent with a view. Hidden cards are drawn at random. */
  determinize(view: PlayerView, random: Random): State;
  /** Returns the JSON document of a value, equal to that of the Python package. */
  toDocument(value: VallettaDocument['value'] | Packed): VallettaDocument;
  toJson(value: VallettaDocument['value'] | Packed): string;
  /** Returns the value that a document describes. Throws a `DocumentError` with the location of the first error if the document is invalid. */
  fromDocument(document: unknown): Value;
  fromJson(text: string): Value;
  /** Formats a position as one line of text, equal to that of the Python package. The line includes hidden cards. */
  positionLine(position: Position): string;
  /** Parses a line in the format of `positionLine`. Throws a `DocumentError` for any other text. */
  parsePositionLine(line: string): State;
}

/** The type `WebAssembly.Module` if the project's type libraries declare it (those of Node alone do not), else `never`. */
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/** The bytes of valletta.wasm, or the compiled module. */
export type Source = ArrayBuffer | ArrayBufferView | (Module & object);

/** Compiles the rules and resolves to their functions. `source` replaces the copy of valletta.wasm in the package.
 *  Without `source`, the promise resolves before the next event is handled, so a worker that awaits it first misses no message. */
export declare function load(source?: Source | Promise<Source>): Promise<Rules>;

/** Does the same synchronously. Throws a `RangeError` on the main thread of browsers that limit synchronous compilation; use `load` there. */
export declare function loadSync(source?: Source): Rules;
