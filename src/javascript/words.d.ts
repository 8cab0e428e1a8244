import type { Character, ClauseId, Good, Phase } from './dist/valletta.d.ts';

/** The words of a language: the names of things, phrases for sentences, and the clauses of the rulebook. */
export interface Words {
  readonly characters: Readonly<Record<Character, string>>;
  readonly goods: Readonly<Record<Good, string>>;
  readonly phases: Readonly<Record<Phase, string>>;
  readonly colours: Readonly<Record<string, string>>;
  readonly seats: readonly string[];
  readonly and: string;
  readonly nothing: string;
  /** The names of goods after the number 1, and after any other number. */
  readonly amounts: Readonly<Record<Good, readonly [string, string]>>;
  /** The phrases for no goods of a kind, as the object of a sentence. */
  readonly none: Readonly<Record<Good, string>>;
  /** The names of characters within a sentence, by case. */
  readonly cases: Readonly<Record<string, Readonly<Record<Character, string>>>>;
  /** The phrases of `narrate`, `describePrompt` and `describeAction`, by section and key. */
  readonly phrases: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly clauses: Readonly<Record<ClauseId, { readonly title: string; readonly text: string }>>;
}

declare const words: Words;
export default words;
