/** The state of a page: the game, and unfinished choices. */
/** @import { Goods } from '../../schema/valletta.js' */
/** @import { Game } from './game.js' */
/** @import { ClauseSeen } from './table.js' */
import { total } from './game.js';

/**
 * @typedef {object} Page
 * @property {Game} game
 * @property {Goods | null} payment the goods chosen to pay with
 * @property {Goods | null} taken the goods chosen so far of several to take
 * @property {string | null} picked the key of a card that can be played in several ways
 * @property {string | null} sheet the sheet that is open: `site-3`, `row-0`, `card-maid`, `links`, `menu`
 * @property {ClauseSeen | null} rule the clause that is open
 * @property {number | null} focus the site that was last visited by keyboard
 * @property {'players' | 'log'} tab what a narrow screen shows below the hand
 * @property {boolean} open whether to show all hands when looking back at a finished game
 * @property {{ seat: number, number: number, isSolved: boolean } | null} study the flagged answer of a seat whose question is asked again
 * @property {{ to: number } | null} playing the revision up to which the game is being played back
 */

/**
 * Store an unfinished payment, so that it is not lost if the page is reloaded; the next prompt removes it.
 *
 * @param {string} table
 * @param {Page} page
 */
export function storeChoice(table, page) {
  try {
    if (page.payment === null) sessionStorage.removeItem(`valletta.choice.${table}`);
    else sessionStorage.setItem(`valletta.choice.${table}`, JSON.stringify({ revision: page.game.now?.revision, payment: page.payment }));
  } catch { /* then a reload loses it */ }
}

/**
 * The stored payment for the current prompt, by default the cheapest payment.
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
  } catch { /* then it begins anew */ }
  return payment.cheapest;
}
