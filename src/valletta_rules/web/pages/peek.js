/** Previews of the card or building under the mouse pointer, with a large picture and a description; and handlers for long presses. */
/** @import { Building, Character, RuleSet } from '../../schema/valletta.js' */
/** @import { Parts } from './game.js' */
import { sitePicture } from './board.js';
import { at, h, show } from './dom.js';
import { cardPicture } from './pictures.js';
import { words } from './words.js';

/** The time for which the mouse pointer must rest before a preview opens, in milliseconds. */
const REST = 450;

/** The duration of a long press, in milliseconds. */
const HOLD = 500;

/** The selector of the sites and cards that have a preview. */
const PREVIEWED = '#board [data-site], #hand [data-card], #tray [data-card], #players [data-card]';

/** @param {Event} event @returns {HTMLElement | null} */
function previewedElement(event) {
  return event.target instanceof Element ? event.target.closest(PREVIEWED) : null;
}

/**
 * Install event listeners that open the sheet of an element on a long press or a right click, without choosing the element.
 *
 * @param {(it: HTMLElement) => void} open
 */
export function holding(open) {
  let timer = 0;
  let isLongPress = false;
  document.addEventListener('pointerdown', event => {
    const it = previewedElement(event);
    isLongPress = false;
    clearTimeout(timer);
    if (it !== null && event.pointerType !== 'mouse') timer = setTimeout(() => { isLongPress = true; open(it); }, HOLD);
  });
  for (const kind of ['pointerup', 'pointercancel']) document.addEventListener(kind, () => clearTimeout(timer));
  document.addEventListener('click', event => {
    if (isLongPress) event.stopPropagation();
    isLongPress = false;
  }, { capture: true });
  document.addEventListener('contextmenu', event => {
    const it = previewedElement(event);
    if (it === null) return;
    event.preventDefault();
    if (!isLongPress) open(it);
  });
}

/**
 * Install event listeners that show a preview of an element after the mouse pointer has rested on it.
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
    const it = event.pointerType === 'mouse' ? previewedElement(event) : null;
    if (it !== null) timer = setTimeout(() => { fillIn(box, it, display(), parts(), rules()); lay(box, it); }, REST);
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
 * Place the preview next to an element and inside the window.
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
