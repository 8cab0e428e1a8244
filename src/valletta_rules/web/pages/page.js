/** The state of a page: the game, unfinished choices, and the parts of the page that are open. */
/** @import { Goods } from '../../schema/valletta.js' */
/** @import { Game } from './game.js' */
/** @import { ClauseSeen } from './table.js' */
import { total } from './game.js';

/**
 * @typedef {object} Page
 * @property {Game} game
 * @property {Goods | null} payment the goods selected for the current payment
 * @property {Goods | null} taken the goods selected so far at a prompt for several goods
 * @property {string | null} picked the key of the selected card, if it can be played in several ways
 * @property {string | null} sheet the id of the open sheet: `site-3`, `row-0`, `card-maid`, `links`, `menu`, `name`, `agree`
 * @property {ClauseSeen | null} rule the clause that is open
 * @property {number | null} focus the last site that was pressed or reached by an arrow key
 * @property {'players' | 'log'} tab the selected tab on a narrow screen
 * @property {boolean} open whether to request all hands at the moments of a finished game
 * @property {{ seat: number, number: number, isSolved: boolean } | null} study the open exercise: a flagged answer, by its seat and its number
 * @property {boolean} playing whether past revisions are being played back
 */

/**
 * Store an unfinished payment with its revision, so that it survives a reload of the page; without a payment, remove the stored one.
 *
 * @param {string} table
 * @param {Page} page
 */
export function storeChoice(table, page) {
  try {
    if (page.payment === null) sessionStorage.removeItem(`valletta.choice.${table}`);
    else sessionStorage.setItem(`valletta.choice.${table}`, JSON.stringify({ revision: page.game.now?.revision, payment: page.payment }));
  } catch { /* without storage, a reload loses the payment */ }
}

/**
 * Return the stored payment for the current prompt, by default the cheapest payment; null if the viewer must not pay now.
 *
 * @param {string} table
 * @param {Game} game
 * @returns {Goods | null}
 */
export function storedPayment(table, game) {
  const payment = game.now?.payment ?? null;
  if (payment === null) return null;
  try {
    const stored = JSON.parse(sessionStorage.getItem(`valletta.choice.${table}`) ?? 'null');
    if (stored?.revision === game.now?.revision && Number.isInteger(total(stored.payment))) return stored.payment;
  } catch { /* use the cheapest payment */ }
  return payment.cheapest;
}
