/** The pickers for a payment, which initially selects the cheapest payment, and for taking several goods. */
/** @import { Draft } from './dom.js' */
/** @import { Good, Goods } from '../../schema/valletta.js' */
/** @import { Game } from './game.js' */
/** @import { Choice, Payment } from './table.js' */
/** @import { Page } from './page.js' */
import { h } from './dom.js';
import { GOODS, same, isSent, total } from './game.js';
import { goodPicture } from './pictures.js';
import { fill, t, words } from './words.js';

/**
 * Return a payment with one more or one less of a good, from zero to the number that the player has.
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
 * Return whether a payment is legal.
 *
 * @param {Game} game
 * @param {Goods} chosen
 */
export function isRight(game, chosen) {
  const legal = game.now?.view.value.legal_actions ?? [];
  return legal.some(action => action.type === 'Pay' && same(action.goods, chosen));
}

/**
 * Return a sentence on a payment: it is legal, or lacks goods, or has too many.  Several goods of other types can replace a missing good.
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
 * Return the picker for a payment: a counter for each good, a sentence on the payment, and a button to pay.
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

/** An amount without goods. @type {Goods} */
const NONE = { gold: 0, wood: 0, stone: 0, brick: 0 };

/**
 * Return the answer that takes exactly these goods, or undefined if it is not one of the choices.
 *
 * @param {readonly Choice[]} choices
 * @param {Goods} goods
 */
export function takingOf(choices, goods) {
  return choices.find(({ action: { value } }) => value.type === 'TakeGoods' && same(value.goods, goods))?.action.value;
}

/** @param {Goods | null} goods @param {Good} good @returns {Goods} */
export function withOne(goods, good) {
  const before = goods ?? NONE;
  return { ...before, [good]: before[good] + 1 };
}

/**
 * Return the picker for taking several goods.  Each press selects one good, and the last press sends the answer.
 *
 * @param {Page} page
 * @param {readonly Choice[]} choices
 * @param {(choice: Choice) => Draft} other returns the button for an answer that takes no goods
 */
export function takingPicker({ game, taken }, choices, other) {
  const names = GOODS.filter(good => taken?.[good]).map(good => words.goods[good]).join(', ');
  const advised = game.word?.action?.type === 'TakeGoods' ? game.word.action.goods : NONE;
  return h('div', { class: 'answers', role: 'group', 'aria-labelledby': 'sentence' },
    taken !== null && h('button', { 'data-do': 'untake', 'data-key': 'untake', 'aria-label': fill(t.untake, names) },
      GOODS.flatMap(good => Array.from({ length: taken[good] }, () => goodPicture(good))), '×'),
    GOODS.map(good => h('button', {
      class: `answer main${advised[good] > (taken?.[good] ?? 0) ? ' advised' : ''}`, 'data-do': 'take', 'data-key': good, 'data-good': good, 'aria-disabled': String(isSent(game)),
    }, goodPicture(good), taken === null ? words.goods[good] : `+ ${words.goods[good]}`)),
    choices.filter(({ action: { value } }) => value.type !== 'TakeGoods').map(other));
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
