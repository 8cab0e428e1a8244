/** Paying: it starts from the cheapest payment, and every good can be exchanged. */
/** @import { Draft } from './dom.js' */
/** @import { Good, Goods } from '../../schema/valletta.js' */
/** @import { Game } from './game.js' */
/** @import { Payment } from './table.js' */
import { h } from './dom.js';
import { GOODS, same, isSent, total } from './game.js';
import { goodPicture } from './pictures.js';
import { fill, t, words } from './words.js';

/**
 * Another payment: one good more or less, if possible.
 *
 * @param {Payment} payment
 * @param {Goods} chosen
 * @param {Good} good
 * @param {1 | -1} step
 * @returns {Goods}
 */
export function exchanged(payment, chosen, good, step) {
  const count = Math.min(payment.owned[good], Math.max(0, chosen[good] + step));
  return { ...chosen, [good]: count };
}

/**
 * Tell whether a payment is one of those that the rules allow.
 *
 * @param {Game} game
 * @param {Goods} chosen
 */
export function isRight(game, chosen) {
  const legal = game.now?.view.value.legal_actions ?? [];
  return legal.some(action => action.type === 'Pay' && same(action.goods, chosen));
}

/**
 * Say what a payment lacks: a missing good is replaced by several others.
 *
 * @param {Game} game
 * @param {Payment} payment
 * @param {Goods} chosen
 * @returns {string}
 */
function verdict(game, payment, chosen) {
  if (isRight(game, chosen)) return t.pay_right;
  const missing = GOODS.reduce((sum, good) => sum + Math.max(0, payment.price[good] - chosen[good]), 0);
  const over = total(chosen) - total(payment.price) + missing;
  const lacking = payment.substitutes * missing - over;
  return lacking > 0 ? fill(t.pay_short, lacking) : fill(t.pay_over, Math.max(1, -lacking));
}

/**
 * The picker of a payment.
 *
 * @param {Game} game
 * @param {Payment} payment
 * @param {Goods} chosen
 * @returns {Draft}
 */
export function paymentPicker(game, payment, chosen) {
  const right = isRight(game, chosen);
  return h('div', { class: 'payment', role: 'group', 'aria-label': t.pay_group },
    GOODS.filter(good => payment.owned[good] > 0 || payment.price[good] > 0).map(good => counter(payment, chosen, good)),
    h('p', { class: right ? 'verdict right' : 'verdict', role: 'status' }, verdict(game, payment, chosen)),
    h('button', { class: 'main', 'data-do': 'pay', 'aria-disabled': String(!right || isSent(game)), 'data-sent': isSent(game, 'pay') }, t.pay),
    !same(chosen, payment.cheapest) && h('button', { 'data-do': 'cheapest' }, t.pay_cheapest),
  );
}

/**
 * @param {Payment} payment
 * @param {Goods} chosen
 * @param {Good} good
 */
function counter(payment, chosen, good) {
  const name = words.goods[good];
  return h('div', { class: 'counter', 'data-key': good, 'data-good': good },
    h('button', { 'data-do': 'less', 'data-good': good, 'aria-label': fill(t.pay_less, name), 'aria-disabled': String(chosen[good] <= 0) }, '−'),
    h('span', { class: 'chosen' }, goodPicture(good), h('b', { 'aria-label': `${chosen[good]} ${name}` }, chosen[good]),
      h('small', {}, fill(t.pay_of, payment.price[good], payment.owned[good]))),
    h('button', { 'data-do': 'more', 'data-good': good, 'aria-label': fill(t.pay_more, name), 'aria-disabled': String(chosen[good] >= payment.owned[good]) }, '+'),
  );
}
