/**
 * Animations of changes.  The document shows the new position immediately, and elements move to their new places.  Their rectangles are
 * measured before and after a change, relative to the part of the page that contains them, and the difference is animated for less than half
 * a second.  Celebrations take up to three seconds.  No code waits for the end of an animation.  A click ends all animations, and the
 * preference for reduced motion disables them.
 */

/** @import { Good, RedactedEvent } from '../../schema/valletta.js' */
/** @import { SeatSeen } from './table.js' */
/** @import { Draft } from './dom.js' */
import { create, h } from './dom.js';
import { GOODS, never } from './game.js';
import { goodPicture, seatDisc } from './pictures.js';
import { stored } from './words.js';

/** The duration of a movement, in milliseconds. */
const TIME = 450;

/** The number of pieces of paper that fall for a winner. */
const PAPERS = 30;

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/** @type {Set<Animation>} */
const running = new Set();

/** The selector of elements that can move.  The attribute contains a key that identifies the element before and after a change. */
const MOVING = '[data-moves]';

/** The selector of the parts of the page that other content can shift.  Places are measured relative to such a part. */
const FRAMES = '#board, #hand, #tray, #players';

/**
 * The place of an element, and its frame: the part of the page that contains it, with the coordinates of that part.
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
 * End all animations, and measure the places of all elements that can move; return none if animations are disabled.
 *
 * @returns {Places}
 */
export function places() {
  finish();
  /** @type {Places} */
  const measured = new Map();
  if (still()) return measured;
  for (const each of document.querySelectorAll(MOVING)) {
    const key = each.getAttribute('data-moves') ?? '';
    const place = placeOf(each);
    if (place.width > 0 && !measured.has(key)) measured.set(key, place);
  }
  return measured;
}

/**
 * Animate all elements from their former places to their current places.
 *
 * @param {Places} before
 * @param {(key: string) => string | null} origin returns the key of the element from which a new element moves, or null
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
  const moved = from.frame?.getBoundingClientRect(); // the current place of the frame, which other content may have shifted
  const [x, y] = [from.left - to.left + (moved?.left ?? 0) - from.x, from.top - to.top + (moved?.top ?? 0) - from.y];
  if (Math.hypot(x, y) < 2) return;
  const scale = scaleOf(element);
  run(element, [{ translate: `${x / scale}px ${y / scale}px` }, { translate: '0 0' }]);
}

/**
 * Return the size in pixels of a unit of the drawing around an element; 1 for an element that is not part of a drawing.
 *
 * @param {Element} element
 * @returns {number}
 */
function scaleOf(element) {
  return element instanceof SVGGraphicsElement ? Math.abs(element.getScreenCTM()?.a ?? 1) || 1 : 1;
}

/**
 * A good that moves from one place to another, with the keys of the places.
 *
 * @typedef {{ good: Good, from: string, to: string }} Trip
 */

/**
 * Return the goods that move in an event, with their places.
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
 * Animate the first 12 movements of goods in events, above all other elements.
 *
 * @param {readonly RedactedEvent[]} events
 */
export function carry(events) {
  if (still()) return;
  for (const { good, from, to } of events.flatMap(tripsOf).slice(0, 12)) {
    const [start, end] = [from, to].map(key => document.querySelector(`[data-moves="${key}"]`)?.getBoundingClientRect());
    if (!start?.width || !end?.width) continue;
    const token = create(goodPicture(good));
    token.classList.add('flying');
    token.style.left = `${start.left + start.width / 2}px`;
    token.style.top = `${start.top + start.height / 2}px`;
    document.body.append(token);
    const [x, y] = [end.left + 12 - start.left - start.width / 2, end.top + end.height / 2 - start.top - start.height / 2];
    run(token, [{ translate: '0 0', scale: 1.6 }, { translate: `${x}px ${y}px`, scale: 1 }], () => token.remove());
  }
}

/**
 * Celebrate events: the house of a built or upgraded building grows, the name of the next player appears briefly, and paper in the colours of
 * the winners falls.
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

/** Let pieces of paper in a colour fall. @param {string} colour */
function shower(colour) {
  for (let piece = 0; piece < PAPERS; piece++) {
    const [left, drift, turns] = [Math.random() * 100, Math.random() * 20 - 10, Math.random() * 3];
    pass(h('i', { class: `paper seat-${colour}`, style: `left:${left}vw` }),
      [{ translate: '0 -5vh', rotate: '0turn' }, { translate: `${drift}vw 105vh`, rotate: `${turns}turn` }], TIME * (3 + turns));
  }
}

/**
 * Show an element above the table during its animation.
 *
 * @param {Draft} draft
 * @param {Keyframe[]} frames
 * @param {number} time
 */
function pass(draft, frames, time) {
  const element = create(draft);
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

/** End all animations. */
export function finish() {
  for (const each of running) each.finish();
}

/**
 * Return whether animations are disabled: by a preference, or because the page is hidden.
 *
 * @returns {boolean}
 */
export function still() {
  return reduced.matches || document.hidden || stored('motion') === 'off';
}

reduced.addEventListener('change', () => {
  if (reduced.matches) finish();
});
