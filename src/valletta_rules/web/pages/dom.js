/**
 * Elements as values: a page is a function of its state, and `show` updates the document to match the result.
 *
 * `h` and `svg` return descriptions of elements.  An element is created only if the document has no element that can be updated to match.
 * (Most of the memory of a page would otherwise be discarded elements, which the browser collects late.)  An element without changes stays,
 * with its focus, typed text and scroll position.  Elements have no event listeners: `data-do` names the handler for their clicks or changes.
 */

/**
 * A description of an element.
 *
 * @typedef {object} Draft
 * @property {string} name
 * @property {string | null} space the namespace of a drawing
 * @property {Record<string, string>} attributes
 * @property {Child[]} children
 */

/** @typedef {Draft | Element | string | number | null | undefined | false} Plain */
/** @typedef {Plain | (() => Plain | Plain[])} Child a function is called only when the children of its element are created or updated */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Describe an element.  An attribute that is `true` is written without a value; an attribute that is `false`, `null` or `undefined` is
 * omitted.
 *
 * @param {keyof HTMLElementTagNameMap} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {Draft}
 */
export function h(name, attributes = {}, ...children) {
  return describe(name, null, attributes, children);
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
  return describe(name, SVG, attributes, children);
}

/**
 * @param {string} name
 * @param {string | null} space
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {Draft}
 */
function describe(name, space, attributes, children) {
  /** @type {Record<string, string>} */
  const written = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) written[key] = value === true ? '' : String(value);
  }
  return { name, space, attributes: written, children: children.flat() };
}

/** Call the functions among children, and return all children without empty values. @param {Child[]} children @returns {(Draft | Element | string)[]} */
function content(children) {
  const all = children.flatMap(child => typeof child === 'function' ? child() : child);
  return all.flatMap(each => each === null || each === undefined || each === false ? [] : typeof each === 'object' ? each : String(each));
}

/**
 * Create an element from its description, with all its children.
 *
 * @param {Draft} draft
 * @returns {HTMLElement | SVGElement}
 */
export function create({ name, space, attributes, children }) {
  const element = /** @type {HTMLElement | SVGElement} */ (space === null ? document.createElement(name) : document.createElementNS(space, name));
  for (const [key, value] of Object.entries(attributes)) put(element, key, value);
  element.append(...content(children).map(nodeOf));
  return element;
}

/** @param {Draft | Element | string} child @returns {Element | string} */
function nodeOf(child) {
  return typeof child === 'string' || child instanceof Element ? child : create(child);
}

/** The style text that was set on each element, for comparison; browsers return normalised styles. @type {WeakMap<Element, string>} */
const styles = new WeakMap();

/**
 * Set an attribute of an element, unless it already has the value.  Styles are set as properties, because the content security policy forbids
 * style attributes.
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
 * Return the element with an id, which the HTML of the page must contain.
 *
 * @param {string} id
 * @returns {HTMLElement}
 * @throws {TypeError} if the page does not contain it
 */
export function at(id) {
  const element = document.getElementById(id);
  if (element === null) throw new TypeError(`the page has no element with the id ${id}`);
  return element;
}

/**
 * Update the children of an element to match the given children exactly.  Existing elements are reused if possible.
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
    const reused = old === null ? null : match(old, fresh);
    if (reused === null) {
      parent.insertBefore(typeof fresh === 'string' ? document.createTextNode(fresh) : /** @type {Element} */ (nodeOf(fresh)), old);
      continue;
    }
    while (old !== null && old !== reused) old = removeNode(old);
    settle(reused, fresh);
    old = reused.nextSibling;
  }
  while (old !== null) old = removeNode(old);
}

/**
 * @param {ChildNode} node
 * @returns {ChildNode | null} the former next sibling of the node
 */
function removeNode(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/**
 * Return the node that can be updated to match a description, or null.  If the description has a key, search `from` and its following siblings
 * for an element with the same name and key; otherwise, consider only `from`.  A description that is an existing element matches no node.
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

/** @type {Map<string, number>} the number of each text */
const numbered = new Map();

/** Return a unique number for a text, for `data-same`.  The number does not change while the page is open. @param {string} text */
export function numberOf(text) {
  const number = numbered.get(text) ?? numbered.size;
  numbered.set(text, number);
  return number;
}

/**
 * Update a node to match a description.  Skip its children if `data-same` is the same in both.
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
 * Set the current value of a form field, which its attributes no longer determine after user input.
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
