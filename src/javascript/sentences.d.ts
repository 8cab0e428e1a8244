import type { Action, GameEvent, PlayerView, Position, RedactedEvent, Seat } from './index.js';
import type { Words } from './words.js';

export type { Words };

/** How the players are called, seat by seat; who is missing is called by the colour of the seat. */
export interface Called {
  readonly names?: readonly string[];
}

/**
 * Says in a sentence what happened, as `narrate` of the Python package does.  Takes the position in which the action was taken, or a view of it,
 * and the words of a language.  Drawn cards are named to the seat that drew them alone: `reader` is that of the reader, null for a spectator.
 * Throws a `DocumentError` for what is no event of this position, and a `TypeError` for what is no position.
 */
export declare function narrate(event: GameEvent | RedactedEvent, position: Position | PlayerView, words: Words, options?: Called & { readonly reader?: Seat | null }): string;

/** The question that is asked, with the name of the player, as `describe_prompt` of the Python package has it; or that the game is over. */
export declare function describePrompt(position: Position | PlayerView, words: Words, options?: Called): string;

/**
 * Says in the imperative what an action does as the answer to the question of a position or a view, as `describe_action` of the Python package does.
 * The action need not be legal.  Throws a `DocumentError` for what is no action and for a site or a building that is not there.
 */
export declare function describeAction(position: Position | PlayerView, action: Action, words: Words): string;

/**
 * The legal action of a view that `describeAction` describes in these words, or null if there is none; case, repeated spaces and a full stop do not matter.
 * Throws a `TypeError` for what is no view, and for what is no text.
 */
export declare function parseDescription(view: PlayerView, text: string, words: Words): Action | null;
