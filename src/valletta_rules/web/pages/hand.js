/** The hand of the viewer, as large cards. */
/** @import { Draft } from './dom.js' */
/** @import { CardBag, Character } from '../../schema/valletta.js' */
/** @import { Page } from './page.js' */
import { at, h } from './dom.js';
import { appearanceOf, choicesAt, isAdvised, isSent, visibleMoment } from './game.js';
import { cardPicture } from './pictures.js';
import { fill, t, words } from './words.js';

/**
 * Return the cards of a bag as a list.
 *
 * @param {CardBag} bag
 * @returns {Character[]}
 */
export function cardsOf(bag) {
  return Object.entries(bag).flatMap(([card, count]) => Array(count).fill(/** @type {Character} */ (card)));
}

/**
 * Return the hands in the view of the visible moment: the hand of the viewer or, on request, all hands in a record or after the game.
 *
 * @param {Page} page
 * @returns {Draft[]}
 */
export function handView(page) {
  const moment = visibleMoment(page.game);
  if (moment === null) return [];
  const { seat, table } = moment.view.value;
  const hands = table.players.flatMap((player, each) => (player.hand === null ? [] : [{ seat: each, cards: cardsOf(player.hand) }]));
  return hands.map(hand => h('div', { class: hand.seat === seat ? 'held' : 'held other', 'data-key': `hand-${hand.seat}` },
    h('h2', {}, hand.seat === seat ? t.your_hand : fill(t.hand_of, nameAt(page, hand.seat))),
    hand.cards.length === 0 ? h('p', { class: 'nothing' }, t.empty_hand) : h('div', { class: 'cards', role: 'group', 'aria-label': t.your_hand },
      hand.cards.map((card, number) => cardButton(page, card, number, hand.seat === seat)))));
}

/** Update the number of cards that are hidden beyond the right edge of a hand that can be scrolled. */
export function updateHiddenCount() {
  const hand = at('hand');
  const edge = hand.getBoundingClientRect().right;
  const beyond = [...hand.querySelectorAll('.holder')].filter(each => each.getBoundingClientRect().right > edge + 8).length;
  hand.dataset['beyond'] = beyond > 0 ? `+${beyond} ›` : '';
}

/** @param {Page} page @param {number} seat */
export function nameAt(page, seat) {
  return page.game.seats[seat]?.name ?? '';
}

/** @param {string} card */
export function nameOf(card) {
  return words.characters[card]?.name ?? card;
}

/**
 * Return a card of a hand: its picture, covered by a button whose label describes the card for screen readers.
 *
 * @param {Page} page
 * @param {Character} card
 * @param {number} number
 * @param {boolean} isOwn
 */
function cardButton(page, card, number, isOwn) {
  const key = `hand-${card}`;
  const choices = isOwn ? choicesAt(page.game, key) : [];
  const rules = visibleMoment(page.game)?.view.value.table.rules;
  const action = choices[0]?.action.value;
  const appearance = action && (action.type === 'PlayCard' && isVain(page, card) ? 'idle' : appearanceOf(page.game, action));
  return h('div', { class: page.picked === key ? 'holder picked' : 'holder', 'data-key': `${card}-${number}`, 'data-moves': isOwn ? `hand-${card}-${number}` : null },
    cardPicture(card, rules),
    isOwn && number < 9 && h('kbd', { 'aria-hidden': 'true' }, number + 1),
    h('button', {
      class: `card${choices.length > 0 ? ` legal ${appearance}` : ''}${isOwn && isAdvised(page.game, key) ? ' advised' : ''}`,
      'data-do': isOwn ? 'card' : 'card-sheet', 'data-card': card, 'data-number': number + 1, 'data-sent': isSent(page.game, key),
      'aria-label': [choices[0]?.label ?? nameOf(card), words.characters[card]?.effect, ...(appearance === 'idle' ? [t.no_effect] : [])].join('. '),
      'aria-disabled': String(choices.length === 0), 'aria-pressed': page.picked === key ? 'true' : null,
      'aria-keyshortcuts': isOwn && number < 9 ? String(number + 1) : null,
    }, (appearance === 'away' || appearance === 'idle') && h('span', { class: 'verb' }, appearance === 'away' ? t.dismiss : t.no_effect)));
}

/**
 * Return whether a card is an Apprentice that has no red or green card to copy.
 *
 * @param {Page} page
 * @param {Character} card
 */
function isVain({ game }, card) {
  const table = game.now?.view.value.table;
  if (card !== 'apprentice' || table === undefined) return false;
  const before = table.rules.apprentice_colour === 'red' ? table.played.findLast(each => each !== card) : table.played.at(-1);
  return before === undefined || before === card || !['red', 'green'].includes(words.characters[before]?.colour ?? '');
}
