/** A closer look at what a mouse rests on: the card or the building, large and in words. */
/** @import { Building, Character, RuleSet } from '../../schema/valletta.js' */
/** @import { Parts } from './game.js' */
import { sitePicture } from './board.js';
import { at, h, show } from './dom.js';
import { cardPicture } from './pictures.js';
import { words } from './words.js';

/** How long a mouse rests before something is shown, in milliseconds. */
const REST = 450;

/**
 * Show what a mouse rests on, as long as it does.  What it tells can be had by pressing, too.
 *
 * @param {() => readonly Building[]} display
 * @param {() => Parts} parts
 * @param {() => RuleSet | undefined} rules
 */
export function peeking(display, parts, rules) {
  const box = at('peek');
  let timer = 0;
  const hide = () => {
    clearTimeout(timer);
    box.hidden = true;
  };
  document.addEventListener('pointerover', event => {
    hide();
    const it = event.pointerType === 'mouse' && event.target instanceof Element ? event.target.closest('#board [data-site], #hand [data-card], #tray [data-card], #players [data-card]') : null;
    if (it instanceof HTMLElement) timer = setTimeout(() => { fillIn(box, it, display(), parts(), rules()); lay(box, it); }, REST);
  });
  for (const kind of ['pointerdown', 'scroll', 'keydown', 'wheel']) addEventListener(kind, hide, { capture: true, passive: true });
}

/**
 * @param {HTMLElement} box
 * @param {HTMLElement} it
 * @param {readonly Building[]} display
 * @param {Parts} parts
 * @param {RuleSet | undefined} rules
 */
function fillIn(box, it, display, parts, rules) {
  const site = it.dataset['site'];
  const part = site === undefined ? undefined : parts.get(`site-${site}`);
  const character = /** @type {Character | undefined} */ (it.dataset['card'] ?? display[Number(site)]?.character);
  if (character === undefined) return;
  const card = words.characters[character];
  show(box, part ? sitePicture(part) : cardPicture(character, rules), h('div', {}, h('b', {}, card?.name), h('p', {}, card?.effect)));
  box.hidden = false;
}

/**
 * Lay the box beside something, where there is room for it.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement} it
 */
function lay(box, it) {
  const [by, own] = [it.getBoundingClientRect(), box.getBoundingClientRect()];
  const right = by.right + 10 + own.width < innerWidth ? by.right + 10 : by.left - own.width - 10;
  box.style.left = `${Math.max(8, right)}px`;
  box.style.top = `${Math.max(8, Math.min(by.top, innerHeight - own.height - 8))}px`;
}
