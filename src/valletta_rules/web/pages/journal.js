/** The log: sentences that describe the steps of the game.  Pressing an entry shows the moment after its step. */
/** @import { RedactedEvent } from '../../schema/valletta.js' */
/** @import { Entry } from './table.js' */
/** @import { Page } from './page.js' */
/** @import { Draft } from './dom.js' */
import { create, h, numberOf } from './dom.js';
import { GOODS, standing } from './game.js';
import { nameAt, nameOf } from './hand.js';
import { goodPicture, housePicture, seatDisc } from './pictures.js';
import { fill, t } from './words.js';

/**
 * Return the log as a list, with a heading at the beginning of each turn.
 *
 * @param {Page} page
 */
export function journalView(page) {
  const { log, past } = page.game;
  const stands = new Set(standing(log));
  let turns = 0;
  return [
    h('h2', { 'data-key': 'heading' }, t.log),
    h('ol', { class: 'log', 'data-key': 'log', tabindex: 0, 'aria-label': t.log },
      log.filter(entry => entry.lines.length > 0).flatMap(entry => {
        const isStruck = !stands.has(entry.revision) && entry.back_to === null;
        const began = isStruck ? [] : eventsOf(entry).filter(event => event.type === 'TurnBegan');
        return [
          entryView(page, entry, past?.moment.revision === entry.revision, isStruck),
          ...began.map(({ seat }) => h('li', { class: 'turn', 'data-key': `turn-${++turns}` }, fill(t.turn_of, turns, nameAt(page, seat)))),
        ];
      })),
  ];
}

/**
 * @param {Page} page
 * @param {Entry} entry
 * @param {boolean} isCurrent
 * @param {boolean} isStruck
 */
function entryView(page, entry, isCurrent, isStruck) {
  const seat = entry.seat === null ? undefined : page.game.seats[entry.seat];
  return h('li', {
    class: isStruck ? 'struck' : entry.back_to === null ? null : 'back', 'data-key': `entry-${entry.revision}`,
    'data-same': `${isStruck} ${isCurrent} ${numberOf(page.game.seats.map(each => each.name).join())}`, 'data-revision': entry.revision,
  }, () => [
    seat ? seatDisc(seat.seat, seat.colour) : null,
    h('span', { class: `signs seat-${seat?.colour}`, 'aria-hidden': 'true' }, eventsOf(entry).flatMap(signsOf)),
    h('button', { 'data-do': 'look', 'data-at': entry.revision, 'aria-current': isCurrent ? 'step' : null, title: fill(t.look_at, entry.revision) },
      isStruck && h('span', { class: 'hidden' }, `${t.struck}: `),
      sentencesOf(entry).map(text => h(isStruck ? 's' : 'span', { class: 'line' }, `${text} `))),
  ]);
}

/** @param {Entry} entry @returns {RedactedEvent[]} */
function eventsOf(entry) {
  return entry.events.map(({ value }) => value);
}

/**
 * Return the symbols for an event: goods, houses, points.  Screen readers ignore them.
 *
 * @param {RedactedEvent} event
 * @returns {Draft[]}
 */
function signsOf(event) {
  switch (event.type) {
    case 'GoodDrafted': return [goodPicture(event.good)];
    case 'GoodsTaken':
    case 'GoodsGiven':
    case 'GoodsReturned': return GOODS.filter(good => event.goods[good] > 0)
      .map(good => h('span', {}, `${event.type === 'GoodsTaken' ? '+' : '−'}${event.goods[good]}`, goodPicture(good)));
    case 'Built':
    case 'Upgraded': return [housePicture(true)];
    case 'PointsScored': return [h('b', {}, `+${event.points}`)];
    default: return [];
  }
}

/**
 * Return a sentence that summarises the actions of the other players since a revision.  It is empty if there are none, in a record, and unless
 * exactly one player uses this page.
 *
 * @param {Page} page
 * @param {number} revision
 * @returns {string}
 */
export function since({ game }, revision) {
  if (game.isReplay || game.own.length !== 1) return '';
  const stands = new Set(standing(game.log));
  /** @type {Map<string, string[]>} */
  const deeds = new Map();
  for (const entry of game.log) {
    const name = entry.seat === null || game.own.includes(entry.seat) ? undefined : game.seats[entry.seat]?.name;
    if (name !== undefined && entry.revision > revision && stands.has(entry.revision)) deeds.set(name, [...deeds.get(name) ?? [], ...eventsOf(entry).flatMap(deedOf)]);
  }
  const summaries = [...deeds].filter(([, done]) => done.length > 0).map(([name, done]) => `${name}: ${done.join(', ')}`);
  return summaries.length > 0 ? fill(t.since, summaries.join('; ')) : '';
}

/** @param {RedactedEvent} event */
function deedOf(event) {
  switch (event.type) {
    case 'CardPlayed': return [nameOf(event.character)];
    case 'Built': return [fill(t.house_of, nameOf(event.character))];
    case 'PointsScored': return [fill(t.scored, event.points)];
    default: return [];
  }
}

/**
 * Return the sentences of an entry.  Successive equal sentences become one sentence with a count.
 *
 * @param {Pick<Entry, 'lines'>} entry
 * @returns {string[]}
 */
function sentencesOf(entry) {
  /** @type {{ text: string, times: number }[]} */
  const sentences = [];
  for (const { text } of entry.lines) {
    const last = sentences.at(-1);
    if (last?.text === text) last.times += 1;
    else sentences.push({ text, times: 1 });
  }
  return sentences.map(({ text, times }) => (times === 1 ? text : `${text.replace(/\.$/, '')} (×${times}).`));
}

/** Return the text of the newest entry of the log. @param {readonly Entry[]} log */
export function newestLine(log) {
  return sentencesOf(log.at(-1) ?? { lines: [] }).join(' ');
}

/**
 * Announce entries of the log to screen readers.  Each text is added as a new element, so that a repeated text is announced again.
 *
 * @param {Element} region
 * @param {readonly Entry[]} entries
 */
export function announce(region, entries) {
  for (const entry of entries) {
    const text = sentencesOf(entry).join(' ');
    if (text !== '') region.append(create(h('p', {}, text)));
  }
  while (region.childElementCount > 20) region.firstElementChild?.remove();
}

/**
 * Return a function to call after entries have been added to the log.  If the log was scrolled to its end before, the function scrolls it to
 * the new end, with a whole entry at the top.
 *
 * @param {Element | null} list the log before the update
 * @returns {() => void}
 */
export function following(list) {
  const isAtEnd = list === null || list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  return () => {
    const grown = document.querySelector('.log');
    if (!isAtEnd || !(grown instanceof HTMLElement)) return;
    grown.style.paddingBottom = '';
    const end = grown.scrollHeight - grown.clientHeight;
    const entries = /** @type {HTMLElement[]} */ ([...grown.children]);
    const first = (entries.find(each => each.offsetTop >= end) ?? entries.at(-1))?.offsetTop ?? 0;
    grown.style.paddingBottom = `${Math.max(0, first - end) + 5}px`;
    grown.scrollTop = first;
  };
}

/** Scroll the log to the entry of the visible moment, unless the whole entry is visible. */
export function showEntry() {
  const [list, entry] = ['.log', '.log [aria-current]'].map(each => document.querySelector(each));
  if (!(list instanceof HTMLElement) || !(entry instanceof HTMLElement) || entry.parentElement === null) return;
  const { offsetTop, offsetHeight } = entry.parentElement;
  const isVisible = offsetTop >= list.scrollTop && offsetTop + offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = offsetTop - list.clientHeight / 2;
}
