import type { Character, ClauseId, Good, Phase } from './dist/valletta.d.ts';

/** The words of a language: names by what they name, and each clause of the rulebook. */
declare const words: {
  readonly characters: Readonly<Record<Character, string>>;
  readonly goods: Readonly<Record<Good, string>>;
  readonly phases: Readonly<Record<Phase, string>>;
  readonly colours: Readonly<Record<string, string>>;
  readonly seats: readonly string[];
  readonly clauses: Readonly<Record<ClauseId, { readonly title: string; readonly text: string }>>;
};
export default words;
