/** The bar: a sentence that describes the prompt, and buttons for the answers that are not chosen by pressing a card or a site. */
/** @import { Draft } from './dom.js' */
/** @import { Action, Goods } from '../../schema/valletta.js' */
/** @import { Choice, Moment } from './table.js' */
/** @import { Page } from './page.js' */
import { h } from './dom.js';
import { GOODS, appearanceOf, choicesAt, isAwaited, isMine, isSent, keyOf, never, promptOf, total, visibleMoment } from './game.js';
import { nameAt } from './hand.js';
import { newestLine } from './journal.js';
import { ownedView } from './panels.js';
import { paymentPicker, takingPicker } from './payment.js';
import { goodPicture, seatDisc, seatTag } from './pictures.js';
import { whyButton } from './prose.js';
import { HOME } from './server.js';
import { fill, t } from './words.js';

/**
 * Return the content of the bar for the visible moment.
 *
 * @param {Page} page
 * @returns {(Draft | null | false)[]}
 */
export function barView(page) {
  const { game } = page;
  const moment = visibleMoment(game);
  if (moment === null) return [
    h('div', { class: 'question' }, h('h1', { id: 'sentence', tabindex: -1 }, game.ended ?? game.word?.text ?? t.connecting)),
    game.ended !== null && h('p', { class: 'answers' }, h('a', { class: 'button main', href: HOME }, t.to_lobby)),
  ];
  const activeSeat = moment.asked === null ? undefined : game.seats[moment.asked];
  const isOwn = isMine(game) && game.past === null;
  const isAwaiting = activeSeat !== undefined && game.past === null && game.own.length > 0 && !game.own.includes(activeSeat.seat);
  return [
    h('div', { class: `question${isOwn ? ' mine' : ''}${isAwaiting ? ' awaiting' : ''}` },
      activeSeat ? (isOwn ? seatTag(activeSeat) : seatDisc(activeSeat.seat, activeSeat.colour)) : null,
      h('h1', { id: 'sentence', tabindex: -1 }, isAwaiting && h('b', {}, `${fill(t.waiting_for, activeSeat.name)} · `), moment.finish?.sentence ?? moment.bar),
      whyButton(page, clauseOf(moment.view.value.agenda[0])),
      isSent(game) && h('span', { class: 'sending', role: 'status' }, t.sending),
    ),
    stockView(page, moment),
    game.past === null && (answers(page) ?? rematchView(page) ?? h('p', { class: 'last' }, newestLine(game.log))),
  ];
}

/**
 * Return the goods, houses and points of the viewer, or of the player who must answer if there is no viewer.  The style sheet shows them only
 * in layouts without a side column.  Return null after the game, and during a payment, whose picker shows the goods.
 *
 * @param {Page} page
 * @param {Moment} moment
 */
function stockView({ game }, moment) {
  const panel = moment.panels.find(each => each.seat === (moment.viewer ?? moment.asked));
  return panel && moment.payment === null && moment.finish === null ? ownedView(game.seats[panel.seat], panel) : null;
}

/** @param {object | undefined} step */
function clauseOf(step) {
  return step !== undefined && 'clause' in step ? String(step.clause) : null;
}

/**
 * Return the buttons for the answers: a picker for a payment or for several goods, otherwise a button for each answer that needs one.  Return
 * null if no player at this page must answer, or if no answer needs a button.
 *
 * @param {Page} page
 */
function answers(page) {
  const { game } = page;
  const moment = game.now;
  if (moment === null || !isMine(game)) return null;
  if (moment.payment !== null) return paymentPicker(game, moment.payment, page.payment ?? moment.payment.cheapest);
  if (promptOf(moment.view.value)?.type === 'SeamstressPrompt') return takingPicker(page, moment.choices, choice => answerButton(page, choice));
  const ways = page.picked === null ? [] : choicesAt(game, page.picked);
  const buttons = ways.length > 1 ? ways : moment.choices.filter(choice => !isAimed(choice.action.value));
  if (buttons.length === 0) return null;
  return h('div', { class: 'answers', role: 'group', 'aria-labelledby': 'sentence' },
    buttons.map(choice => answerButton(page, choice)),
    ways.length > 1 && h('button', { 'data-do': 'unpick' }, t.other_card));
}

/** Return the button that opens or joins a rematch, or null if neither is possible.  A spectator can only join. @param {Page} page */
function rematchView({ game }) {
  if (!game.now?.finish || game.isTrial || game.isReplay || game.own.length === 0 && !game.hasRematch) return null;
  return h('p', { class: 'answers' }, h('button', { class: 'main', 'data-do': 'rematch', 'data-key': 'rematch', 'data-sent': game.pending.some(each => each.kind === 'rematch') },
    game.hasRematch ? t.join_rematch : t.rematch));
}

/** Return whether a player chooses an action by pressing a site or a card. @param {Action} action */
function isAimed(action) {
  return /^(site|hand|supply)-/.test(keyOf(action));
}

/** @param {Page} page @param {Choice} choice */
function answerButton(page, choice) {
  const action = choice.action.value;
  const goods = goodsOf(action);
  const json = JSON.stringify(action);
  return h('button', {
    class: `answer ${appearanceOf(page.game, action)}${JSON.stringify(page.game.word?.action) === json ? ' advised' : ''}`, 'data-do': 'answer', 'data-key': json, 'data-action': json,
    'data-sent': isSent(page.game, json), 'aria-disabled': String(isSent(page.game)),
  }, goods && GOODS.flatMap(good => Array.from({ length: Math.min(goods[good], 4) }, () => goodPicture(good))), choice.label);
}

/**
 * Return the goods that the button of an action shows, or null if it shows none.
 *
 * @param {Action} action
 * @returns {Goods | null}
 */
function goodsOf(action) {
  switch (action.type) {
    case 'DraftGood':
    case 'TakeGood':
    case 'ReturnGood':
    case 'GiveGood': return { gold: 0, wood: 0, stone: 0, brick: 0, [action.good]: 1 };
    case 'TakeGoods': return total(action.goods) > 0 ? action.goods : null;
    case 'Pay': return action.goods;
    case 'Build':
    case 'Upgrade':
    case 'PlayCard':
    case 'Dismiss':
    case 'Hire':
    case 'Decline':
    case 'DrawCard':
    case 'DealBuilding':
    case 'RevealBarrel': return null;
    default: return never(action);
  }
}

/**
 * Return the buttons of the tools that can be used now, such as undo, hint and menu.
 *
 * @param {Page} page
 */
export function toolsView(page) {
  const { game } = page;
  const undo = game.now?.undo ?? null;
  const isLive = game.past === null && page.study === null;
  return [
    undo !== null && isLive && h('button', {
      'data-do': 'undo', 'data-key': 'undo', title: undo.label, 'aria-description': undo.label, 'data-sent': isSent(game, 'undo'),
    }, h('span', { 'aria-hidden': 'true' }, '↶'), t.undo),
    isMine(game) && isLive && h('button', { 'data-do': 'hint', 'data-key': 'hint', 'data-sent': game.pending.some(each => each.kind === 'hint') },
      h('span', { 'aria-hidden': 'true' }, '☀'), t.hint),
    game.own.length > 1 && !game.isTrial && (game.now?.viewer ?? null) !== null && isLive && h('button', { 'data-do': 'hide', 'data-key': 'hide' }, h('span', { 'aria-hidden': 'true' }, '▥'), t.hide_hand),
    isLive && !game.isReplay && game.log.length > 1 && h('button', { 'data-do': 'look-back', 'data-key': 'look-back' }, h('span', { 'aria-hidden': 'true' }, '⟲'), t.look_back),
    game.now !== null && h('button', { 'data-do': 'menu', 'data-key': 'menu', 'aria-haspopup': 'dialog' }, h('span', { 'aria-hidden': 'true' }, '☰'), t.menu),
  ];
}

/**
 * Return the title of the browser tab: a mark if a player at this page must answer, otherwise the name of the player who must.
 *
 * @param {Page} page
 */
export function tabTitle(page) {
  const { game } = page;
  if (isAwaited(game)) return `● ${t.your_turn} – Valletta`;
  const seat = game.now?.asked ?? null;
  return seat === null ? 'Valletta' : `${fill(t.waiting_for, nameAt(page, seat))} – Valletta`;
}
