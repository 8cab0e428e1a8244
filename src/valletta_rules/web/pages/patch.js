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

/** @type {Map<string, Element>} */
const parsed = new Map();

/**
 * The element of some markup: a part of a drawing, or a whole one.
 *
 * @param {string} markup
 * @returns {Element} a copy of its own
 */
export function drawn(markup) {
  let element = parsed.get(markup);
  if (element === undefined) {
    const whole = document.createElementNS(SVG, 'svg');
    whole.innerHTML = policy.createHTML(markup);
    const found = whole.firstElementChild;
    if (found === null) throw new TypeError('there is nothing to show');
    element = found;
    if (parsed.size > 500) parsed.clear();
    parsed.set(markup, element);
  }
  return /** @type {Element} */ (element.cloneNode(true));
}
