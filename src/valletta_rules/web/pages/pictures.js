/** The library's drawings of cards and goods, and the colours of players and cards. */
/** @import { Draft } from './dom.js' */
/** @import { Character, Good, RuleSet } from '../../schema/valletta.js' */
import { svg, h } from './dom.js';
import { drawn } from './patch.js';
import { fetchJson, language } from './words.js';

/** @typedef {{ ground: string, ink: string }} Paint */
/**
 * @typedef {object} Pictures
 * @property {Record<string, string>} cards
 * @property {Record<Good, string>} goods
 * @property {{ seats: Record<string, Paint>, cards: Record<string, Paint> }} paints
 */

/** @type {Pictures} */
let pictures;

/** Fetch the drawings and the colours, and install style rules for the colours. */
export async function loadPictures() {
  pictures = /** @type {Pictures} */ (await fetchJson(new URL(`pictures.${language()}.json`, import.meta.url)));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...rulesOf('seat', pictures.paints.seats), ...rulesOf('colour', pictures.paints.cards)].join('\n'));
  document.adoptedStyleSheets = [sheet];
}

/** @param {string} kind @param {Record<string, Paint>} paints */
function rulesOf(kind, paints) {
  return Object.entries(paints).map(([name, { ground, ink }]) => `.${kind}-${name}{--ground:${ground};--ink:${ink}}`);
}

/** The letters of the seats, for people who cannot distinguish the colours. */
export const LETTERS = ['α', 'β', 'γ', 'δ'];

/**
 * Return the picture of a card.  Screen readers ignore it, because the page describes the card in words.
 *
 * @param {Character} character
 * @param {RuleSet} [rules]
 * @returns {Draft}
 */
export function cardPicture(character, rules) {
  const name = character === 'apprentice' && rules?.apprentice_colour === 'purple' ? 'apprentice-purple' : character;
  return framed(`card-${name}`, 'face', pictures.cards[name] ?? '');
}

/**
 * @param {Good} good
 * @returns {Draft}
 */
export function goodPicture(good) {
  return framed(`good-${good}`, 'icon', pictures.goods[good]);
}

/**
 * @param {string} key
 * @param {string} kind
 * @param {string} markup
 */
function framed(key, kind, markup) {
  return h('span', { class: kind, 'data-same': key }, () => {
    const picture = drawn(markup);
    picture.setAttribute('aria-hidden', 'true');
    picture.removeAttribute('role');
    for (const description of picture.querySelectorAll(':scope > title, :scope > desc')) description.remove();
    return picture;
  });
}

/**
 * Return the disc of a seat, with its colour and its letter.
 *
 * @param {number} seat
 * @param {string} colour
 */
export function seatDisc(seat, colour) {
  return h('span', { class: `disc seat-${colour}`, 'aria-hidden': 'true' }, LETTERS[seat]);
}

/** Return the disc of a seat with the player's name. @param {import('./table.js').SeatSeen} seat */
export function seatTag({ seat, colour, name }) {
  return h('span', { class: `tag seat-${colour}` }, seatDisc(seat, colour), h('span', { class: 'name' }, name));
}

/** Return the picture of a house, filled if the house has been placed. @param {boolean} isBuilt */
export function housePicture(isBuilt) {
  return svg('svg', { class: isBuilt ? 'home gone' : 'home', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    svg('path', { d: 'M2 10 10 2l8 8v8H2Z' }));
}
