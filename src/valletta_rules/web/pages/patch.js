/** The only place that turns markup into elements: drawings of the library, from our own server. */

/** @typedef {{ createHTML(markup: string): string }} Policy */
/** @typedef {{ createPolicy(name: string, rules: { createHTML(markup: string): string }): Policy }} PolicyFactory */

const SVG = 'http://www.w3.org/2000/svg';

const factory = /** @type {{ trustedTypes?: PolicyFactory }} */ (/** @type {unknown} */ (globalThis)).trustedTypes;

/** The policy under which markup may be parsed, if the browser has such policies. */
const policy = factory?.createPolicy('valletta', { createHTML: checked }) ?? { createHTML: checked };

/**
 * Allow drawings, and nothing active: the library draws neither scripts nor handlers.
 *
 * @param {string} markup
 * @returns {string}
 */
function checked(markup) {
  if (/<script|<foreignObject|\son\w+=|javascript:/i.test(markup)) throw new TypeError('this is no drawing');
  return markup;
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
  const whole = document.createElementNS(SVG, 'svg');
  whole.innerHTML = policy.createHTML(markup);
  const found = whole.firstElementChild;
  if (found === null) throw new TypeError('there is nothing to show');
  if (parsed.size > 500) parsed.clear();
  parsed.set(markup, element === undefined ? null : /** @type {Element} */ (found.cloneNode(true)));
  return found;
}
