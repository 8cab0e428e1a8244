/** The log: the events of the game in words; each entry links to its position. */
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
 * The log as a list.
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
 * The symbols of an event, which screen readers ignore: goods, houses, points.
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
 * The actions of the other players since a revision, in a sentence; empty for a record, or if several players share the screen.
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
 * The sentences of an entry; a repeated sentence appears once, with its number.
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

/** The newest entry of the log in words. @param {readonly Entry[]} log */
export function newestLine(log) {
  return sentencesOf(log.at(-1) ?? { lines: [] }).join(' ');
}

/**
 * Announce the new entries of the log to screen readers; a text that is equal to the previous one is announced again.
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
 * Keep a list scrolled to its end, so that a whole entry is at the top, unless the viewer has scrolled up.
 *
 * @param {Element | null} list
 * @returns {() => void} what to do once the list has grown
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

/** Scroll the list to the entry of the moment that is shown. */
export function showEntry() {
  const [list, entry] = ['.log', '.log [aria-current]'].map(each => document.querySelector(each));
  if (!(list instanceof HTMLElement) || !(entry instanceof HTMLElement) || entry.parentElement === null) return;
  const { offsetTop, offsetHeight } = entry.parentElement;
  const isVisible = offsetTop >= list.scrollTop && offsetTop + offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = offsetTop - list.clientHeight / 2;
}
