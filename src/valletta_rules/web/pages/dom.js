/**
 * Elements as values: pages are functions of what is known, and `settle` updates the document to match.
 *
 * What is unchanged keeps its element, and with it the focus, the text typed and the scroll position.  Elements have no listeners of their own: `data-do` names what pressing one does.
 */

/** @typedef {Node | string | number | null | undefined | false} Plain */
/** @typedef {Plain | (() => Plain | Plain[])} Child what a function returns is made only if it is shown */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/** What makes the content of an element, until it is needed. @type {WeakMap<Node, () => Plain | Plain[]>} */
const later = new WeakMap();

/**
 * Make an element.  An attribute that is `true` is written without a value; `false` or nothing leaves it out.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/**
 * Make an element of a drawing.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @template {Element} Made
 * @param {Made} element
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {Made}
 */
function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === 'style') styled(element, String(value));
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (typeof child === 'function') later.set(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * Make the content of an element that has not been made yet.
 *
 * @param {Node} node
 */
function fill(node) {
  const make = later.get(node);
  if (make === undefined || !(node instanceof Element)) return;
  later.delete(node);
  filled(node, {}, [make()].flat());
}

/**
 * An element with all that is in it.
 *
 * @template {Node} Made
 * @param {Made} node
 * @returns {Made}
 */
export function whole(node) {
  fill(node);
  node.childNodes.forEach(whole);
  return node;
}

/**
 * Style an element by its properties: the policy of the page forbids style attributes.
 *
 * @param {Element} element
 * @param {string} rules
 */
function styled(element, rules) {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.style.cssText = rules;
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
  const wanted = filled(document.createElement('div'), {}, children);
  settleChildren(parent, wanted);
}

/**
 * @param {Node} parent
 * @param {Node} wanted
 */
function settleChildren(parent, wanted) {
  let old = parent.firstChild;
  for (const fresh of [...wanted.childNodes]) {
    const found = old === null ? null : match(old, fresh);
    if (found === null) {
      parent.insertBefore(whole(fresh), old);
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
 * The first node from here on that can become the fresh one: by its key, or else the next.
 *
 * @param {ChildNode} from
 * @param {Node} fresh
 * @returns {ChildNode | null}
 */
function match(from, fresh) {
  const key = keyOf(fresh);
  if (key === null) return keyOf(from) === null && from.nodeName === fresh.nodeName ? from : null;
  for (let each = /** @type {ChildNode | null} */ (from); each !== null; each = each.nextSibling) {
    if (keyOf(each) === key && each.nodeName === fresh.nodeName) return each;
  }
  return null;
}

/**
 * @param {Node} node
 * @returns {string | null}
 */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute('data-key') : null;
}

/**
 * Make an element like another; the content is skipped if both have the same `data-same`.
 *
 * @param {Node} old
 * @param {Node} fresh
 */
function settle(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  const same = fresh.getAttribute('data-same');
  const skipped = same !== null && same === old.getAttribute('data-same');
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(old instanceof HTMLDetailsElement && name === 'open')) {
      old.removeAttribute(name);
    }
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === 'style') styled(old, value);
    else old.setAttribute(name, value);
  }
  if (!skipped) {
    fill(fresh);
    settleChildren(old, fresh);
  }
  settleValue(old, fresh);
}

/**
 * The value of a field follows what is known; nothing else sets it.
 *
 * @param {Element} old
 * @param {Element} fresh
 */
function settleValue(old, fresh) {
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    if (old.type === 'checkbox' || old.type === 'radio') old.checked = fresh.checked;
    else if (old.type !== 'file' && old.value !== fresh.value) old.value = fresh.value;
  } else if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement && old.value !== fresh.value) {
    old.value = fresh.value;
  }
}
