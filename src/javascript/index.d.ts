import type {
  Action, CardSet, Cards, ClauseId, GameEvent, GameState, News, Outcome, PlayerCount, PlayerView, Prompt, RedactedEvent, RuleSet, Seat, VallettaDocument, Violation,
} from './dist/valletta.d.ts';
import type { Members } from './dist/members.d.ts';

export type * from './dist/valletta.d.ts';

/** Properties of a position or a view that are not entries: spread and clones leave them out. */
declare abstract class Known {
  /** The question to be answered next, or null when the game is over. */
  get prompt(): Prompt | null;
  /** Whether chance is asked. */
  get asksChance(): boolean;
  get isOver(): boolean;
  /** A text that is the same for equal positions, and for no others. */
  get key(): string;
}

/** A position: a frozen plain object with the entries of its document. */
export interface State extends GameState, Known {}

/** What a seat, or for null a spectator, may know of a position: a frozen plain object that holds nothing else. */
export interface View extends PlayerView, Known {}

/** A position for those who play by numbers: without entries, as it costs less. */
export declare class Packed {
  private constructor();
  readonly key: string;
  /** The same as a position with entries. */
  get state(): State;
  get prompt(): Prompt | null;
  get asksChance(): boolean;
  get isOver(): boolean;
}

/** A position, however it came here: by a function of the package, by `postMessage`, `structuredClone` or spread, or packed. */
export type Position = GameState | Packed;

/** A document is not one, or not of this version, or of something that there cannot be. */
export declare class DocumentError extends Error {}

/** Why an action is illegal: a stable code, the clause, and the facts by name; the sentence is left to the page. */
export type Reason = Readonly<Omit<Violation, 'message'>>;

/** An action was applied that is not legal. */
export declare class IllegalActionError extends Error {
  readonly violation: Reason;
}

/** The rule sets of the editions, named as in Python. */
export declare const editions: { readonly [member in Members['editions']]: RuleSet };

/** The card sets that come with the package, named as in Python. */
export declare const cardSets: { readonly [member in Members['cardSets']]: CardSet };

/** Writes an action in the notation of the Python package: `build 7`, `pay 2g 1w`. */
export declare function formatAction(action: Action): string;

/** Reads what `formatAction` writes.  Throws a `DocumentError` for anything else. */
export declare function parseAction(text: string): Action;

/** Returns an event as a seat may see it, or a spectator for null: the card that another draws is hidden. */
export declare function redact(event: GameEvent, seat: Seat | null): RedactedEvent;

/** What a clause says in a language. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** The address of its page below that of the built documentation: `rule/BLD-6.html`. */
  readonly address: string;
}

/** Resolves to what a clause says in each language; the words are loaded when it is first called.  Rejects with a `RangeError` if there is no such clause. */
export declare function explain(clause: ClauseId): Promise<{ readonly [language in 'en' | 'de']: Explanation }>;

/** Returns a number from 0 up to, but not including, 1: `Math.random`, or one that can be repeated. */
export type Random = () => number;

/** An answer of chance, and its probability. */
export interface ChanceOutcome {
  readonly action: Action;
  readonly numerator: number;
  readonly denominator: number;
}

/** Answers for chance: takes what it may answer, and returns one of the actions. */
export type Draw = (outcomes: readonly ChanceOutcome[]) => Action;

/** Returns a function that answers for chance with exact probabilities, by one number of a generator each time.  What it returns throws a `RangeError` for a number that is not from 0 up to 1. */
export declare function byRandom(random: Random): Draw;

/** The value of a document. */
export type Value = State | View | (News & { readonly view: View }) | Exclude<VallettaDocument['value'], GameState | PlayerView | News>;

/** Each function accepts positions and views that the package returned, and copies of them.
 *  A copy is checked like a document on first use, and again only after a change.
 *  Throws a `DocumentError` that says where a copy is invalid,
 *  and a `TypeError` for a value that lacks an entry of a position or a view. */
export interface Rules {
  /** The first position of a game, in which chance is asked; by default with the first of `editions` and `cardSets`.  Throws a `DocumentError` for an unknown option or one that is undefined, for a table that there cannot be, and for cards of which no display can be dealt. */
  newGame(game: { players: PlayerCount; rules?: RuleSet; cards?: Cards }): State;
  /** What may be answered to the prompt, by chance too; of a view, by its seat.  Empty if the game is over. */
  legalActions(position: Position | PlayerView): readonly Action[];
  /** Why an action is illegal, or null.  Throws a `DocumentError` for what is no action of this game. */
  check(position: Position, action: Action): Reason | null;
  /** The position after an action.  Throws an `IllegalActionError` if it is not legal. */
  apply(position: Position, action: Action): State;
  /** The position after an action together with what happened, in order.  Throws as `apply` does. */
  transition(position: Position, action: Action): { readonly state: State; readonly events: readonly GameEvent[] };
  /** The numbers of the legal actions, in their order: the same in every game, but payments are numbered through each time. */
  legalNumbers(position: Position): Uint16Array;
  /** The position after the action with a number.  Throws a `RangeError` if no legal action has it. */
  applyNumber(position: Position, number: number): Packed;
  /** What chance may answer, with the probabilities; empty if a player is asked. */
  chanceOutcomes(position: Position): readonly ChanceOutcome[];
  /** One answer of chance, drawn with exact probabilities by one number of `random`.  Throws a `RangeError` if chance is not asked or has no answer, and for a number that is not from 0 up to 1. */
  sampleChance(position: Position, random: Random): Action;
  /** The position after chance has answered until a player is asked, or the game is over. */
  resolveChance<Given extends Position>(position: Given, random: Random): Given extends Packed ? Packed : State;
  /** The scores and the winners, or null as long as the game goes on. */
  outcome(position: Position): Outcome | null;
  /** What a seat may know, or a spectator for null. */
  view(position: Position, seat: Seat | null): View;
  /** A position that agrees with a view: what is hidden is drawn at random. */
  determinize(view: PlayerView, random: Random): State;
  /** The document of a value, as the Python package writes it. */
  toDocument(value: VallettaDocument['value'] | Packed): VallettaDocument;
  toJson(value: VallettaDocument['value'] | Packed): string;
  /** The value of a document.  Throws a `DocumentError`, which says where it is wrong, for anything else. */
  fromDocument(document: unknown): Value;
  fromJson(text: string): Value;
  /** A position in one line of text, hidden cards included, as the Python package writes it. */
  positionLine(position: Position): string;
  /** Reads what `positionLine` writes.  Throws a `DocumentError` for anything else. */
  parsePositionLine(line: string): State;
}

/** A compiled module, where the library of types knows of WebAssembly: that of Node alone does not. */
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/** The bytes of valletta.wasm, or its module. */
export type Source = ArrayBuffer | ArrayBufferView | (Module & object);

/** Resolves to the functions.  Takes the bytes or the module of valletta.wasm, or a promise of them, if they are not to be those in the package.
 *  Without a source it is done before the next event: a worker that awaits it at its beginning misses no message. */
export declare function load(source?: Source | Promise<Source>): Promise<Rules>;

/** Returns the functions.  Throws a `RangeError` on the main thread of a browser that limits synchronous compilation: use `load` there. */
export declare function loadSync(source?: Source): Rules;
