/**
 * Elements as values: pages are functions of what is known, and `show` updates the document to match.
 *
 * What `h` and `svg` return describes an element; one is made only where the document has none yet that can become it.  (Elements that are made
 * and thrown away at once would be most of the memory of a page: the browser collects them late.)
 * What is unchanged keeps its element, and with it the focus, the text typed and the scroll position.  Elements have no listeners of their own: `data-do` names what pressing one does.
 */

/**
 * An element as it is to be.
 *
 * @typedef {object} Draft
 * @property {string} name
 * @property {string | null} space the namespace of a drawing
 * @property {Record<string, string>} attributes
 * @property {Child[]} children
 */

/** @typedef {Draft | Element | string | number | null | undefined | false} Plain */
/** @typedef {Plain | (() => Plain | Plain[])} Child what a function returns is made only if it is shown */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Describe an element.  An attribute that is `true` is written without a value; `false` or nothing leaves it out.
 *
 * @param {keyof HTMLElementTagNameMap} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {Draft}
 */
export function h(name, attributes = {}, ...children) {
  return drafted(name, null, attributes, children);
}

/**
 * Describe an element of a drawing.
 *
 * @param {keyof SVGElementTagNameMap} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {Draft}
 */
export function svg(name, attributes = {}, ...children) {
  return drafted(name, SVG, attributes, children);
}

/**
 * @param {string} name
 * @param {string | null} space
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {Draft}
 */
function drafted(name, space, attributes, children) {
  /** @type {Record<string, string>} */
  const written = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) written[key] = value === true ? '' : String(value);
  }
  return { name, space, attributes: written, children: children.flat() };
}

/** What is in an element that is described. @param {Child[]} children @returns {(Draft | Element | string)[]} */
function content(children) {
  const all = children.flatMap(child => typeof child === 'function' ? child() : child);
  return all.flatMap(each => each === null || each === undefined || each === false ? [] : typeof each === 'object' ? each : String(each));
}

/**
 * Make an element as it is described, with all that is in it.
 *
 * @param {Draft} draft
 * @returns {HTMLElement | SVGElement}
 */
export function made({ name, space, attributes, children }) {
  const element = /** @type {HTMLElement | SVGElement} */ (space === null ? document.createElement(name) : document.createElementNS(space, name));
  for (const [key, value] of Object.entries(attributes)) put(element, key, value);
  element.append(...content(children).map(nodeOf));
  return element;
}

/** @param {Draft | Element | string} child @returns {Element | string} */
function nodeOf(child) {
  return typeof child === 'string' || child instanceof Element ? child : made(child);
}

/** The styles of elements as they were written: an element tells them in other words. @type {WeakMap<Element, string>} */
const styles = new WeakMap();

/**
 * Give an element an attribute, unless it has it.  Styles are set by their properties: the policy of the page forbids style attributes.
 *
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
function put(element, name, value) {
  if (name !== 'style') {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  } else if (styles.get(element) !== value) {
    styles.set(element, value);
    /** @type {HTMLElement | SVGElement} */ (element).style.cssText = value;
  }
}

/**
 * The element with an id, which the HTML of the page has.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function at(id) {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`the page has no ${id}`);
  return found;
}

/**
 * Give an element exactly these children, keeping the ones it has already.
 *
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function show(parent, ...children) {
  settleChildren(parent, content(children.flat()));
}

/**
 * @param {Element} parent
 * @param {(Draft | Element | string)[]} wanted
 */
function settleChildren(parent, wanted) {
  let old = parent.firstChild;
  for (const fresh of wanted) {
    const found = old === null ? null : match(old, fresh);
    if (found === null) {
      parent.insertBefore(typeof fresh === 'string' ? document.createTextNode(fresh) : /** @type {Element} */ (nodeOf(fresh)), old);
      continue;
    }
    while (old !== null && old !== found) old = removed(old);
    settle(found, fresh);
    old = found.nextSibling;
  }
  while (old !== null) old = removed(old);
}

/**
 * @param {ChildNode} node
 * @returns {ChildNode | null} what came after it
 */
function removed(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * The first node from here on that can become what is described: by its key, or else the next.  An element that is there already becomes no other one.
 *
 * @param {ChildNode} from
 * @param {Draft | Element | string} fresh
 * @returns {ChildNode | null}
 */
function match(from, fresh) {
  if (typeof fresh === 'string') return from instanceof Text ? from : null;
  if (fresh instanceof Element) return null;
  const key = fresh.attributes['data-key'] ?? null;
  for (let each = /** @type {ChildNode | null} */ (from); each !== null; each = key === null ? null : each.nextSibling) {
    if (each instanceof Element && each.localName === fresh.name && each.getAttribute('data-key') === key) return each;
  }
  return null;
}

/** @type {Map<string, number>} the texts that have a number, in order */
const numbered = new Map();

/** A number for a text, for `data-same`: the same while the page is open, and free of names. @param {string} text */
export function numberOf(text) {
  const number = numbered.get(text) ?? numbered.size;
  numbered.set(text, number);
  return number;
}

/**
 * Make a node as it is described; the content is skipped if it has the same `data-same` already.
 *
 * @param {ChildNode} old
 * @param {Draft | Element | string} fresh
 */
function settle(old, fresh) {
  if (typeof fresh === 'string') {
    if (old.nodeValue !== fresh) old.nodeValue = fresh;
  } else if (old instanceof Element && !(fresh instanceof Element)) {
    const { attributes, children } = fresh;
    const skipped = attributes['data-same'] !== undefined && attributes['data-same'] === old.getAttribute('data-same');
    for (const name of old.getAttributeNames()) {
      if (name in attributes || old instanceof HTMLDetailsElement && name === 'open') continue;
      old.removeAttribute(name);
      styles.delete(old);
    }
    for (const name in attributes) put(old, name, attributes[name] ?? '');
    if (!skipped) settleChildren(old, content(children));
    settleValue(old, attributes);
  }
}

/**
 * The value of a field follows what is known; nothing else sets it.
 *
 * @param {Element} old
 * @param {Record<string, string>} attributes
 */
function settleValue(old, attributes) {
  if (old instanceof HTMLInputElement) {
    const { checked, value = '' } = attributes;
    if (old.type === 'checkbox' || old.type === 'radio') old.checked = checked !== undefined;
    else if (old.type !== 'file' && old.value !== value) old.value = value;
  } else if (old instanceof HTMLSelectElement) {
    const index = Math.max(0, [...old.options].findIndex(each => each.hasAttribute('selected')));
    if (old.selectedIndex !== index) old.selectedIndex = index;
  }
}
