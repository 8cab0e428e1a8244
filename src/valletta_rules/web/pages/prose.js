/** The texts next to the table, or on a sheet below it: hints, reasons, news, the coach, and the clause that a button *why?* opens. */
/** @import { Draft } from './dom.js' */
/** @import { Page } from './page.js' */
import { h } from './dom.js';
import { isSent } from './game.js';
import { judgementsAt } from './replay.js';
import { fill, t } from './words.js';

/**
 * All texts about the moment that is shown.
 *
 * @param {Page} page
 * @returns {(Draft | null)[]}
 */
export function proseView(page) {
  return [
    wordView(page),
    page.game.past === null ? guideView(page) : null,
    ...judgementsAt(page).map(each => h('p', { class: 'judged', role: 'status' }, each.sentence)),
    page.sheet === null ? ruleCard(page) : null,
  ];
}

/**
 * The reason why an action is illegal, a hint, or news for the players at this page.
 *
 * @param {Page} page
 */
function wordView(page) {
  const { word } = page.game;
  if (word === null || (word.kind === 'why' && page.sheet !== null)) return null;
  return h('div', { class: `word ${word.kind}`, role: 'status', 'data-key': 'word' },
    h('div', {},
      h('p', {}, word.kind === 'hint' ? h('b', {}, `${t.hint}: `) : null, word.text, ' ', whyButton(page, word.rule?.clause)),
      word.figures && h('details', { 'data-key': 'figures' }, h('summary', {}, t.figures), h('ul', {}, word.figures.map(text => h('li', {}, text)))),
      word.kind === 'sure' && h('button', { 'data-do': 'insist' }, t.insist)),
    h('button', { class: 'close', 'data-do': 'hush', 'aria-label': t.close }, '×'));
}

/** The text of an example or a coach with its answer, unless the coach questions an answer. @param {Page} page */
function guideView(page) {
  const { game } = page;
  const guide = game.now?.guide ?? null;
  if (guide === null) return null;
  const json = JSON.stringify(guide.answer?.action.value);
  return h('section', { class: 'guide', 'data-key': 'guide', 'aria-label': guide.title },
    game.word?.kind !== 'sure' && h('p', { role: 'status' }, h('b', {}, `${guide.title}: `), guide.text, ' ', whyButton(page, guide.rule?.clause)),
    guide.answer && h('button', { 'data-do': 'answer', 'data-key': json, 'data-action': json, 'aria-disabled': String(isSent(game)) }, guide.answer.label));
}

/**
 * The button that opens and closes the clause which is the reason for a fact.
 *
 * @param {Page} page
 * @param {string | null | undefined} clause
 */
export function whyButton(page, clause) {
  return clause ? h('button', { class: 'clause', 'data-do': 'rule', 'data-clause': clause, 'aria-expanded': String(page.rule?.clause === clause) }, t.why) : null;
}

/**
 * The clause that is open, next to the button that opened it.
 *
 * @param {Page} page
 */
export function ruleCard({ rule }) {
  return rule && h('section', { class: 'rule', 'data-key': 'rule', role: 'status' },
    h('h3', {}, rule.title), h('p', { class: 'clause-text' }, rule.text), h('small', {}, fill(t.rule, rule.clause)),
    h('button', { class: 'close', 'data-do': 'rule', 'data-clause': rule.clause, 'aria-label': t.close }, '×'));
}
