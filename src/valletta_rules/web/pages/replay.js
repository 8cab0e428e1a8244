/** Past moments and exercises, each with a bar of buttons.  At a past moment, no player can act; an exercise repeats the prompt of a flagged answer. */
/** @import { Game } from './game.js' */
/** @import { Page } from './page.js' */
import { h } from './dom.js';
import { isMine, isSent, standing } from './game.js';
import { fill, t } from './words.js';

/**
 * Return the revision before or after the visible one, without undone revisions.
 *
 * @param {Page} page
 * @param {-1 | 1} step
 * @returns {number | null} null if there is none
 */
export function nextStop(page, step) {
  const at = page.game.past?.moment.revision ?? page.game.now?.revision ?? 0;
  const stops = standing(page.game.log).filter(stop => (stop - at) * step > 0);
  return (step < 0 ? stops.at(-1) : stops[0]) ?? null;
}

/**
 * Return the bar of an exercise, of a past moment or of a record, with the controls to move through the game; empty at the current moment.
 *
 * @param {Page} page
 */
export function replayView(page) {
  const { game } = page;
  if (page.study !== null) return studyView(page, page.study);
  if (game.past === null && !game.isReplay) return [];
  const all = standing(page.game.log);
  const at = game.past?.moment.revision ?? all.at(-1) ?? 0;
  const index = Math.max(0, all.findLastIndex(stop => stop <= at));
  return [h('div', { class: 'replay', 'data-key': 'replay', role: 'group', 'aria-label': t.looking_back },
    h('p', { role: 'status' }, page.playing && !game.isReplay ? t.while_away : fill(t.moment_of, index, all.length - 1)),
    step('first', '|◀', t.first, index > 0),
    step('back', '◀', t.back, index > 0),
    h('button', { 'data-do': page.playing ? 'stop' : 'play', 'aria-label': page.playing ? t.stop : t.play }, page.playing ? '❙❙' : '▶▶'),
    step('forward', '▶', t.forward, index < all.length - 1),
    h('input', { type: 'range', 'data-do': 'seek', 'data-same': 'range', min: 0, max: all.length - 1, value: index, 'aria-label': t.moment }),
    game.now?.finish && h('label', { class: 'check' }, h('input', { type: 'checkbox', 'data-do': 'open-hands', checked: page.open }), t.open_hands),
    game.past !== null && !game.isReplay && h('button', { class: 'main', 'data-do': 'now' }, isMine(game) ? t.to_my_turn : t.to_now))];
}

/**
 * Return the flagged answers to the prompt of the visible moment; none at the current moment of a game that is not a record.
 *
 * @param {Page} page
 */
export function judgementsAt({ game }) {
  const at = game.past?.moment.revision ?? (game.isReplay ? standing(game.log).at(-1) : null);
  return game.report?.answers.filter(each => each.revision === at) ?? [];
}

/** Return the answers of a seat that the analysis has flagged, in the order of the game. @param {Game} game @param {number} seat */
export function flagged(game, seat) {
  return game.report?.answers.filter(each => each.seat === seat) ?? [];
}

/** Return the flagged answer of the open exercise; null if no exercise is open. @param {Page} page */
export function studied({ game, study }) {
  return (study && flagged(game, study.seat)[study.number]) ?? null;
}

/**
 * Return the page to show while an exercise is open.  The past moment replaces the current one, and its prompt can be answered until the
 * exercise is solved.  Without an exercise, return the page itself.
 *
 * @param {Page} page
 * @returns {Page}
 */
export function posed(page) {
  const { game, study } = page;
  const { moment, parts } = game.past ?? {};
  if (!moment || !parts || study === null || studied(page)?.revision !== moment.revision) return page;
  const now = study.isSolved ? { ...moment, asked: null, choices: [], payment: null } : moment;
  return { ...page, game: { ...game, now, parts, past: null, own: [study.seat], isReplay: false, log: game.log.filter(each => each.revision <= now.revision) } };
}

/**
 * Return the bar of an exercise.
 *
 * @param {Page} page
 * @param {NonNullable<Page['study']>} study
 */
function studyView({ game }, { seat, number, isSolved }) {
  const all = flagged(game, seat);
  const hasNext = number + 1 < all.length;
  const isBusy = String(isSent(game));
  return [h('div', { class: 'replay study', 'data-key': 'study', role: 'group', 'aria-label': t.study },
    h('p', { role: 'status' }, h('b', {}, fill(t.study_count, number + 1, all.length)), !isSolved && ` · ${all[number]?.question}`),
    !isSolved && h('button', { 'data-do': 'solution', 'data-key': 'solution', 'aria-disabled': isBusy }, t.solution),
    hasNext && h('button', { class: isSolved ? 'main' : '', 'data-do': 'study', 'data-key': 'next', 'data-seat': seat, 'data-number': number + 1, 'aria-disabled': isBusy }, t.next_question),
    h('button', { class: isSolved && !hasNext ? 'main' : '', 'data-do': 'study-end', 'data-key': 'end' }, t.study_end))];
}

/** @param {string} effect @param {string} sign @param {string} label @param {boolean} isPossible */
function step(effect, sign, label, isPossible) {
  return h('button', { 'data-do': effect, 'data-key': effect, 'aria-label': label, title: label, 'aria-disabled': String(!isPossible) }, sign);
}

/** @param {Page} page @param {number} index */
export function stopAt(page, index) {
  return standing(page.game.log)[index] ?? 0;
}
