/**
 * The board: the library's drawing of street and display, covered by a grid of buttons, one for each site.  Screen readers ignore the drawing.
 * Replacing parts of the drawing does not affect the buttons or the focus.
 */
/** @import { Draft } from './dom.js' */
/** @import { Character, Goods } from '../../schema/valletta.js' */
/** @import { Part } from './table.js' */
/** @import { Page } from './page.js' */
import { at, h, svg } from './dom.js';
import { GOODS, choicesAt, isAdvised, isSent, visibleMoment, visibleParts } from './game.js';
import { drawn } from './patch.js';
import { goodPicture } from './pictures.js';
import { fill, t, words } from './words.js';

/** The margin above and below the items on the table, in units of the drawing. */
const AIR = 8;

/** The minimum size of text on the board, in pixels. */
const LEAST = 10.1;

/** The width of the current drawing, in the drawing's own units. */
let broad = 0;

/** @type {WeakMap<Part, number>} a unique number for each part, for `data-same` */
const numbers = new WeakMap();
let last = 0;

/**
 * Return the rows of sites from top to bottom, each from left to right.
 *
 * @param {ReadonlyMap<string, Part>} parts
 * @returns {{ site: number, part: Part }[][]}
 */
export function rowsOf(parts) {
  /** @type {Map<number, { site: number, part: Part }[]>} */
  const rows = new Map();
  for (const part of parts.values()) {
    if (!part.key.startsWith('site-')) continue;
    const row = rows.get(part.y) ?? [];
    row.push({ site: Number(part.key.slice(5)), part });
    rows.set(part.y, row);
  }
  return [...rows].sort(([one], [other]) => one - other).map(([, row]) => row.sort((one, other) => one.part.x - other.part.x));
}

/**
 * Return the board of the visible moment.
 *
 * @param {Page} page
 * @returns {Draft[]}
 */
export function boardView(page) {
  const parts = visibleParts(page.game);
  const lying = [...parts.values()].filter(part => /^(street|score-track|site-\d+)$/.test(part.key));
  if (lying.length === 0) return [];
  const top = Math.min(...lying.map(part => part.y)) - AIR;
  const height = Math.max(...lying.map(part => part.y + part.height)) + AIR - top;
  const width = Math.max(...lying.map(part => part.x + part.width)) + AIR;
  document.documentElement.style.setProperty('--ratio', (width / height).toFixed(3));
  broad = width;
  return [
    svg('svg', { class: 'drawing', viewBox: `0 ${top} ${width} ${height}`, 'aria-hidden': 'true' },
      lying.map(part => placed(part))),
    h('div', { class: 'grid', role: 'grid', 'aria-label': t.board, 'data-key': 'grid' },
      rowsOf(parts).map((row, number) => h('div', { role: 'row', 'data-key': `row-${number}` },
        row.map(({ site, part }) => siteButton(page, site, part, { top, width, height }))))),
  ];
}

/** Convert the minimum size of text to units of the drawing, for its current size on the screen, and store the result as `--least`. */
export function updateLeastTextSize() {
  const { style, clientWidth } = at('board');
  style.setProperty('--least', `${(LEAST * broad / Math.max(1, clientWidth)).toFixed(1)}px`);
}

/**
 * Return the SVG group of a part at its position.  The markup of a part that is already in the document is not parsed again.
 *
 * @param {Part} part
 */
function placed(part) {
  const number = numbers.get(part) ?? ++last;
  numbers.set(part, number);
  return svg('g', { 'data-key': part.key, 'data-same': number, transform: `translate(${part.x} ${part.y})` },
    () => markMovable(drawn(part.markup)));
}

/**
 * Mark the elements of a part that can be animated, and return the part.
 *
 * @param {Element} part
 */
function markMovable(part) {
  for (const each of part.querySelectorAll('.figure')) each.setAttribute('data-moves', `figure-${each.getAttribute('data-seat')}`);
  for (const each of part.querySelectorAll('.valette')) each.setAttribute('data-moves', 'valette');
  for (const each of part.querySelectorAll('.house')) each.setAttribute('data-moves', `house-${part.getAttribute('data-site')}`);
  return part;
}

/**
 * @param {Page} page
 * @param {number} site
 * @param {Part} part
 * @param {{ top: number, width: number, height: number }} board
 */
function siteButton(page, site, part, board) {
  const choice = choicesAt(page.game, `site-${site}`)[0];
  const share = (/** @type {number} */ length, /** @type {number} */ whole) => `${(100 * length / whole).toFixed(3)}%`;
  return h('div', {
    role: 'gridcell', 'data-key': `cell-${site}`,
    style: `left:${share(part.x, board.width)};top:${share(part.y - board.top, board.height)};`
      + `width:${share(part.width, board.width)};height:${share(part.height, board.height)}`,
  }, h('button', {
    class: `site${choice ? ' legal' : ''}${choice?.action.value.type === 'Upgrade' ? ' raise' : ''}${isAdvised(page.game, `site-${site}`) ? ' advised' : ''}`, 'data-do': 'site', 'data-site': site,
    'data-sent': isSent(page.game, `site-${site}`), tabindex: site === focusOf(page) ? 0 : -1,
    'aria-label': choice ? `${part.title}. ${choice.label}` : part.title,
    'aria-disabled': String(!choice), 'aria-description': choice ? null : t.why_not_key,
  }));
}

/**
 * Return the site that the tab key focuses: the last site that was pressed or reached by an arrow key, otherwise the first site that can be
 * chosen, otherwise the first site.
 *
 * @param {Page} page
 * @returns {number}
 */
function focusOf(page) {
  if (page.focus !== null) return page.focus;
  const sites = rowsOf(visibleParts(page.game)).flat().map(each => each.site);
  return sites.find(site => choicesAt(page.game, `site-${site}`).length > 0) ?? sites[0] ?? 0;
}

/**
 * Return the site that an arrow key, Home or End reaches from a site.
 *
 * @param {Page} page
 * @param {number} site
 * @param {string} key
 * @returns {number | null} null for any other key
 */
export function neighbour(page, site, key) {
  const rows = rowsOf(visibleParts(page.game));
  const row = rows.findIndex(each => each.some(one => one.site === site));
  const column = rows[row]?.findIndex(one => one.site === site) ?? 0;
  const to = (/** @type {number} */ down, /** @type {number} */ right) => rows[row + down]?.[column + right]?.site ?? site;
  switch (key) {
    case 'ArrowUp': return to(-1, 0);
    case 'ArrowDown': return to(1, 0);
    case 'ArrowLeft': return to(0, -1);
    case 'ArrowRight': return to(0, 1);
    case 'Home': return to(0, -column);
    case 'End': return to(0, (rows[row]?.length ?? 1) - 1 - column);
    default: return null;
  }
}

/**
 * Return the drawing of a site as a separate picture, for previews and sheets.
 *
 * @param {Part} part
 */
export function sitePicture(part) {
  return svg('svg', { class: 'tile', viewBox: `-4 -4 ${part.width + 8} ${part.height + 8}`, 'aria-hidden': 'true' }, drawn(part.markup));
}

/**
 * Return the trays: the cards played in this turn, the supply, and the barrels.
 *
 * @param {Page} page
 * @returns {(Draft | false)[]}
 */
export function trayView(page) {
  const table = visibleMoment(page.game)?.view.value.table;
  if (table === undefined) return [];
  return [
    table.played.length > 0 && h('div', { class: 'tray', 'data-key': 'played' }, h('h2', {}, t.played), playedView(table.played)),
    h('div', { class: 'tray', 'data-key': 'supply' }, h('h2', {}, t.supply), labels(page, 'supply', Object.entries(table.supply))),
    h('div', { class: 'tray', 'data-key': 'barrels', 'data-moves': 'barrels' }, h('h2', {}, t.barrels), goodsList(table.barrels)),
  ];
}

/** Return a list of the cards played in this turn, in order. @param {readonly Character[]} played */
function playedView(played) {
  return h('ol', { class: 'labels' }, played.map((card, number) => h('li', { 'data-key': `${number}-${card}` },
    h('button', { class: `label colour-${words.characters[card]?.colour}`, 'data-do': 'card-sheet', 'data-card': card, 'data-moves': `played-${number}-${card}` },
      words.characters[card]?.name))));
}

/** @param {Goods} goods */
function goodsList(goods) {
  return h('ul', { class: 'goods' }, GOODS.map(good => h('li', {},
    goodPicture(good), h('b', { 'aria-label': `${goods[good]} ${words.goods[good]}` }, goods[good]))));
}

/**
 * Return cards as labels.  Pressing a label opens the sheet of the card, or hires the card if it is in the supply and can be hired now.
 *
 * @param {Page} page
 * @param {'supply' | 'pile'} where
 * @param {[string, number][]} cards
 */
export function labels(page, where, cards) {
  if (cards.length === 0) return h('p', { class: 'nothing' }, t.nothing);
  const rules = visibleMoment(page.game)?.view.value.table.rules;
  return h('ul', { class: 'labels' }, cards.map(([character, count]) => {
    const card = words.characters[character];
    const choice = where === 'supply' ? choicesAt(page.game, `supply-${character}`)[0] : undefined;
    const colour = character === 'apprentice' ? rules?.apprentice_colour : card?.colour;
    const text = count > 1 ? fill(t.several, card?.name ?? character, count) : card?.name;
    return h('li', { 'data-key': character }, h('button', {
      class: `label colour-${colour}${choice ? ' legal' : ''}${choice && isAdvised(page.game, `supply-${character}`) ? ' advised' : ''}`, 'data-do': where === 'supply' ? 'hire' : 'card-sheet', 'data-card': character,
      'data-moves': where === 'supply' ? `supply-${character}` : null, 'aria-label': choice ? `${text}. ${choice.label}` : null,
      'data-sent': where === 'supply' && isSent(page.game, `supply-${character}`),
    }, text));
  }));
}
