/**
 * Motion shows what changed: the new position is there at once, and things move into it.
 *
 * Rectangles are measured before and after, within the part of the page that they are in, and the
 * difference is animated for no longer than half a second; what is celebrated takes two.  Nothing waits for it, a press ends it, and there is none with reduced motion.
 */

/** @import { Good, RedactedEvent } from '../../schema/valletta.js' */
/** @import { SeatSeen } from './table.js' */
/** @import { Draft } from './dom.js' */
import { h, made } from './dom.js';
import { GOODS, never } from './game.js';
import { goodPicture, seatDisc } from './pictures.js';
import { kept } from './words.js';

/** How long something moves, in milliseconds. */
const TIME = 450;

/** How many pieces of paper fall for a winner. */
const PAPERS = 30;

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/** @type {Set<Animation>} */
const running = new Set();

/** What can move, each with a key that stays the same from one position to the next. */
const MOVING = '[data-moves]';

/** The parts of the page that the rest of it may push up or down: a place is measured within its own. */
const FRAMES = '#board, #hand, #tray, #players';

/**
 * Where something is, and where the part of the page is that it is in.
 *
 * @typedef {{ left: number, top: number, width: number, frame: Element | null, x: number, y: number }} Place
 */

/** @typedef {Map<string, Place>} Places */

/** @param {Element} element @returns {Place} */
function placeOf(element) {
  const { left, top, width } = element.getBoundingClientRect();
  const frame = element.closest(FRAMES);
  const { left: x, top: y } = frame?.getBoundingClientRect() ?? { left: 0, top: 0 };
  return { left, top, width, frame, x, y };
}

/**
 * Measure where everything that can move is.
 *
 * @returns {Places}
 */
export function places() {
  finish();
  /** @type {Places} */
  const found = new Map();
  if (still()) return found;
  for (const each of document.querySelectorAll(MOVING)) {
    const key = each.getAttribute('data-moves') ?? '';
    const place = placeOf(each);
    if (place.width > 0 && !found.has(key)) found.set(key, place);
  }
  return found;
}

/**
 * Let everything move from where it was to where it is.
 *
 * @param {Places} before
 * @param {(key: string) => string | null} origin where something new comes from: the key of what it leaves
 */
export function moveFrom(before, origin) {
  if (still() || before.size === 0) return;
  for (const each of document.querySelectorAll(MOVING)) {
    const key = each.getAttribute('data-moves') ?? '';
    const from = before.get(key) ?? before.get(origin(key) ?? '');
    const to = placeOf(each);
    if (from !== undefined && to.width > 0) slide(each, from, to);
  }
}

/**
 * @param {Element} element
 * @param {Place} from
 * @param {Place} to
 */
function slide(element, from, to) {
  const moved = from.frame?.getBoundingClientRect(); // where the frame is now that it may have been pushed
  const [x, y] = [from.left - to.left + (moved?.left ?? 0) - from.x, from.top - to.top + (moved?.top ?? 0) - from.y];
  if (Math.hypot(x, y) < 2) return;
  const scale = scaleOf(element);
  run(element, [{ translate: `${x / scale}px ${y / scale}px` }, { translate: '0 0' }]);
}

/**
 * The width in pixels of a unit of the drawing around an element.
 *
 * @param {Element} element
 * @returns {number}
 */
function scaleOf(element) {
  return element instanceof SVGGraphicsElement ? Math.abs(element.getScreenCTM()?.a ?? 1) || 1 : 1;
}

/**
 * A good that goes from one place to another, by the keys of the places.
 *
 * @typedef {{ good: Good, from: string, to: string }} Trip
 */

/**
 * The goods that move in an event, with their ways.
 *
 * @param {RedactedEvent} event
 * @returns {Trip[]}
 */
function tripsOf(event) {
  switch (event.type) {
    case 'GoodsTaken': return GOODS.filter(good => event.goods[good] > 0)
      .map(good => ({ good, from: 'barrels', to: `goods-${event.seat}-${good}` }));
    case 'GoodsReturned': return GOODS.filter(good => event.goods[good] > 0)
      .map(good => ({ good, from: `goods-${event.seat}-${good}`, to: 'barrels' }));
    case 'GoodsGiven': return GOODS.filter(good => event.goods[good] > 0)
      .map(good => ({ good, from: `goods-${event.giver}-${good}`, to: `goods-${event.taker}-${good}` }));
    case 'GoodDrafted': return [{ good: event.good, from: 'barrels', to: `goods-${event.seat}-${event.good}` }];
    case 'BarrelRevealed': return [{ good: event.good, from: 'valette', to: 'barrels' }];
    case 'BuildingDealt':
    case 'Built':
    case 'CardCopied':
    case 'CardDrawn':
    case 'CardPlayed':
    case 'Dismissed':
    case 'EffectDeclined':
    case 'EffectFizzled':
    case 'FinalPhaseBegan':
    case 'FinalPhaseTriggered':
    case 'GameEnded':
    case 'HiddenCardDrawn':
    case 'Hired':
    case 'PlayedCardsDiscarded':
    case 'PlayerDroppedOut':
    case 'PointsScored':
    case 'Reshuffled':
    case 'TurnBegan':
    case 'Upgraded':
    case 'ValetteMoved': return [];
    default: return never(event);
  }
}

/**
 * Move goods on top of everything.
 *
 * @param {readonly RedactedEvent[]} events
 */
export function carry(events) {
  if (still()) return;
  for (const { good, from, to } of events.flatMap(tripsOf).slice(0, 12)) {
    const [start, end] = [from, to].map(key => document.querySelector(`[data-moves="${key}"]`)?.getBoundingClientRect());
    if (!start?.width || !end?.width) continue;
    const token = made(goodPicture(good));
    token.classList.add('flying');
    token.style.left = `${start.left + start.width / 2}px`;
    token.style.top = `${start.top + start.height / 2}px`;
    document.body.append(token);
    const [x, y] = [end.left + 12 - start.left - start.width / 2, end.top + end.height / 2 - start.top - start.height / 2];
    run(token, [{ translate: '0 0', scale: 1.6 }, { translate: `${x}px ${y}px`, scale: 1 }], () => token.remove());
  }
}

/**
 * Mark what a player has waited for: a house rises, the name of who is next passes by, and paper in the colours of the winners falls.
 *
 * @param {readonly RedactedEvent[]} events
 * @param {readonly SeatSeen[]} seats
 */
export function celebrate(events, seats) {
  if (still()) return;
  for (const event of events) {
    if (event.type === 'Built' || event.type === 'Upgraded') {
      const house = document.querySelector(`[data-moves="house-${event.site}"]`);
      if (house) run(house, [{ scale: 0 }, { scale: 1.5, offset: 0.6 }, { scale: 1 }], undefined, 2 * TIME);
    }
    const next = event.type === 'TurnBegan' ? seats[event.seat] : undefined;
    if (next) pass(h('div', { class: `banner seat-${next.colour}`, 'aria-hidden': 'true' }, seatDisc(next.seat, next.colour), next.name),
      [{ opacity: 0, translate: '-30vw 0' }, { opacity: 1, translate: '0 0', offset: 0.3 }, { opacity: 1, translate: '0 0', offset: 0.7 }, { opacity: 0, translate: '30vw 0' }], 2 * TIME);
    if (event.type === 'GameEnded') event.outcome.winners.forEach(seat => shower(seats[seat]?.colour ?? 'red'));
  }
}

/** Let paper of a colour fall. @param {string} colour */
function shower(colour) {
  for (let piece = 0; piece < PAPERS; piece++) {
    const [left, drift, turns] = [Math.random() * 100, Math.random() * 20 - 10, Math.random() * 3];
    pass(h('i', { class: `paper seat-${colour}`, style: `left:${left}vw` }),
      [{ translate: '0 -5vh', rotate: '0turn' }, { translate: `${drift}vw 105vh`, rotate: `${turns}turn` }], TIME * (3 + turns));
  }
}

/**
 * Show something over the table as long as it moves.
 *
 * @param {Draft} draft
 * @param {Keyframe[]} frames
 * @param {number} time
 */
function pass(draft, frames, time) {
  const element = made(draft);
  document.body.append(element);
  run(element, frames, () => element.remove(), time);
}

/**
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {() => void} [then]
 * @param {number} [time]
 */
function run(element, frames, then, time = TIME) {
  const animation = element.animate(frames, { duration: time, easing: 'cubic-bezier(.2, .7, .3, 1)' });
  running.add(animation);
  animation.finished.catch(() => undefined).finally(() => {
    running.delete(animation);
    then?.();
  });
}

/** End all motion. */
export function finish() {
  for (const each of running) each.finish();
}

/**
 * Tell whether motion is off.
 *
 * @returns {boolean}
 */
export function still() {
  return reduced.matches || document.hidden || kept('motion') === 'off';
}

reduced.addEventListener('change', () => {
  if (reduced.matches) finish();
});
