/** The only place that turns texts into what runs or is shown: drawings of the library, and the service worker, from our own server. */

/** @typedef {{ createHTML(markup: string): string, createScriptURL(name: string): string }} Policy */
/** @typedef {{ createPolicy(name: string, rules: Policy): Policy }} PolicyFactory */

const SVG = 'http://www.w3.org/2000/svg';

/** The elements that the library draws with. */
const ELEMENTS = new Set('circle desc ellipse g line path rect svg text title'.split(' '));

/** The attributes of these elements: they place, paint and name, and do nothing. */
const ATTRIBUTES = new Set((
  'class cx cy d data-building data-card data-part data-seat data-site data-space fill font-family font-size font-style font-weight height lang opacity '
  + 'r role rx ry stroke stroke-dasharray stroke-linejoin stroke-width text-anchor transform viewBox width x x1 x2 xmlns y y1 y2'
).split(' '));

const factory = /** @type {{ trustedTypes?: PolicyFactory }} */ (/** @type {unknown} */ (globalThis)).trustedTypes;

/** The policy under which markup is parsed, where the browser has such policies: it may change nothing, since elements decide. @type {Policy} */
const unchanged = { createHTML: markup => markup, createScriptURL: name => new URL(name, import.meta.url).href };
const policy = factory?.createPolicy('valletta', unchanged) ?? unchanged;

/** The address of the service worker. */
export function workerAddress() {
  return policy.createScriptURL('notices.js');
}

/**
 * Parse a drawing in a document of its own, where nothing runs, and refuse it if any of its elements or attributes is unknown.
 * Texts, such as the names of players, decide nothing.
 *
 * @param {string} markup
 * @returns {Element}
 * @throws {TypeError} naming the element or attribute that no drawing has
 */
function checked(markup) {
  const { body } = new DOMParser().parseFromString(policy.createHTML(`<svg>${markup}</svg>`), 'text/html');
  const found = body.firstElementChild?.firstElementChild;
  if (!found || body.childNodes.length > 1) throw new TypeError('this is no drawing');
  for (const each of [found, ...found.querySelectorAll('*')]) {
    if (each.namespaceURI !== SVG || !ELEMENTS.has(each.localName)) throw new TypeError(`no drawing has <${each.localName}>`);
    const name = each.getAttributeNames().find(one => !ATTRIBUTES.has(one));
    if (name !== undefined) throw new TypeError(`no drawing has ${name}="…"`);
  }
  return found;
}

/** The elements of markup that was asked for again; most parts of a drawing are not. @type {Map<string, Element | null>} */
const parsed = new Map();

/**
 * The element of some markup: a part of a drawing, or a whole one.
 *
 * @param {string} markup
 * @returns {Element} a copy of its own
 */
export function drawn(markup) {
  const element = parsed.get(markup);
  if (element) return /** @type {Element} */ (element.cloneNode(true));
  const found = document.adoptNode(checked(markup));
  if (parsed.size > 500) parsed.clear();
  parsed.set(markup, element === undefined ? null : /** @type {Element} */ (found.cloneNode(true)));
  return found;
}
