/** The texts next to or below the table: hints, reasons, news, texts of the coach, judgements, and the clause that a button *why?* opens. */
/** @import { Draft } from './dom.js' */
/** @import { Page } from './page.js' */
import { h } from './dom.js';
import { isSent } from './game.js';
import { judgementsAt } from './replay.js';
import { fill, t } from './words.js';

/**
 * Return all texts about the visible moment.
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
 * Return the message for the players at this page; null if there is none, or if it is a reason that an open sheet shows.
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

/** Return the text of the worked example or the coach, and the answer that it proposes.  Omit the text while the coach questions an answer. @param {Page} page */
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
 * Return the button *why?*, which opens and closes a clause; null without a clause.
 *
 * @param {Page} page
 * @param {string | null | undefined} clause
 */
export function whyButton(page, clause) {
  return clause ? h('button', { class: 'clause', 'data-do': 'rule', 'data-clause': clause, 'aria-expanded': String(page.rule?.clause === clause) }, t.why) : null;
}

/**
 * Return the text of the open clause, with a button that closes it; null if no clause is open.
 *
 * @param {Page} page
 */
export function ruleCard({ rule }) {
  return rule && h('section', { class: 'rule', 'data-key': 'rule', role: 'status' },
    h('h3', {}, rule.title), h('p', { class: 'clause-text' }, rule.text), h('small', {}, fill(t.rule, rule.clause)),
    h('button', { class: 'close', 'data-do': 'rule', 'data-clause': rule.clause, 'aria-label': t.close }, '×'));
}
