/** The only module that converts strings to markup or script URLs: the library's drawings, and the service worker, both from the page's own server. */

/** @typedef {{ createHTML(markup: string): string, createScriptURL(name: string): string }} Policy */
/** @typedef {{ createPolicy(name: string, rules: Policy): Policy }} PolicyFactory */

const SVG = 'http://www.w3.org/2000/svg';

/** The names of the elements in drawings. */
const ELEMENTS = new Set('circle desc ellipse g line path rect svg text title'.split(' '));

/** The names of the attributes in drawings, which only position, paint and identify elements. */
const ATTRIBUTES = new Set((
  'class cx cy d data-building data-card data-part data-seat data-site data-space fill font-family font-size font-style font-weight height lang opacity '
  + 'r role rx ry stroke stroke-dasharray stroke-linejoin stroke-width text-anchor transform viewBox width x x1 x2 xmlns y y1 y2'
).split(' '));

const factory = /** @type {{ trustedTypes?: PolicyFactory }} */ (/** @type {unknown} */ (globalThis)).trustedTypes;

/** The rules of the Trusted Types policy.  They do not change markup, because `parseDrawing` verifies it. @type {Policy} */
const unchanged = { createHTML: markup => markup, createScriptURL: name => new URL(name, import.meta.url).href };
const policy = factory?.createPolicy('valletta', unchanged) ?? unchanged;

/** Return the address of the service worker. */
export function workerAddress() {
  return policy.createScriptURL('notices.js');
}

/**
 * Parse a drawing in an inert document, and verify its elements and attributes.  Its texts, such as the names of players, are not restricted.
 *
 * @param {string} markup
 * @returns {Element}
 * @throws {TypeError} if the markup is not a single SVG element, or contains an element or attribute that drawings do not use
 */
function parseDrawing(markup) {
  const { body } = new DOMParser().parseFromString(policy.createHTML(`<svg>${markup}</svg>`), 'text/html');
  const root = body.firstElementChild?.firstElementChild;
  if (!root || body.childNodes.length > 1) throw new TypeError('the markup of a drawing must be a single SVG element');
  for (const each of [root, ...root.querySelectorAll('*')]) {
    if (each.namespaceURI !== SVG || !ELEMENTS.has(each.localName)) throw new TypeError(`a drawing must not contain the element <${each.localName}>`);
    const name = each.getAttributeNames().find(one => !ATTRIBUTES.has(one));
    if (name !== undefined) throw new TypeError(`a drawing must not contain the attribute ${name}`);
  }
  return root;
}

/**
 * A cache of elements by their markup.  An element is stored at the second request, because most parts of a drawing are requested only once;
 * null means that there has been one request.
 *
 * @type {Map<string, Element | null>}
 */
const parsed = new Map();

/**
 * Return an element for the markup of a drawing or of a part.
 *
 * @param {string} markup
 * @returns {Element} a new element, which the caller may change
 */
export function drawn(markup) {
  const element = parsed.get(markup);
  if (element) return /** @type {Element} */ (element.cloneNode(true));
  const root = document.adoptNode(parseDrawing(markup));
  if (parsed.size > 500) parsed.clear();
  parsed.set(markup, element === undefined ? null : /** @type {Element} */ (root.cloneNode(true)));
  return root;
}
