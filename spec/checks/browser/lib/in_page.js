/* Measurements that need the layout of a page.  Evaluated inside each page, after axe-core. */
'use strict';

window.looks = (() => {
  const TEXT = new Set(['text', 'tspan', 'textPath']);
  const LARGE = 24, LARGE_BOLD = 18.66; // CSS pixels; WCAG requires less contrast for large letters

  /** Returns a short path to the element, starting at the nearest ancestor with an id. */
  function nameOf(element) {
    const steps = [];
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      if (at.id) { steps.unshift(`#${at.id}`); break; }
      steps.unshift([at.localName, ...at.classList].join('.'));
    }
    return steps.slice(-4).join(' > ') || 'body';
  }

  /** Waits until the page has been laid out again and its own listeners have run. */
  const settled = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));

  /** Makes all text visible: opens all <details> elements, and disables transitions and animations. */
  async function prepare() {
    const still = document.createElement('style');
    still.textContent = '*, ::before, ::after { transition: none !important; animation: none !important }';
    document.head.append(still);
    for (const folded of document.querySelectorAll('details')) folded.open = true;
    await settled();
  }

  /** Returns whether an ancestor scrolls or clips the overflow of `element`, or the element or an ancestor has a fixed position. */
  function isContained(element) {
    for (let at = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.position === 'fixed' || (at !== element && style.overflowX !== 'visible')) return true;
    }
    return false;
  }

  /** Returns the innermost elements that make the page wider than the window; empty if it does not scroll horizontally. */
  function sideways() {
    const room = document.documentElement.clientWidth, needed = document.documentElement.scrollWidth;
    if (needed <= room) return [];
    const wide = [...document.body.querySelectorAll('*')].filter(element => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right + scrollX > room + 0.5 && !isContained(element);
    });
    const innermost = wide.filter(element => !wide.some(other => other !== element && element.contains(other)));
    const named = (innermost.length ? innermost : [document.body]).slice(0, 3);
    return named.map(element => `${nameOf(element)}: the page is ${needed} px wide, the window ${room} px`);
  }

  const PRESSABLE = 'button, summary, select, input, label:has(input), a[href]';

  /** Returns the part of an element's box that its ancestors do not clip. */
  function unclipped(element) {
    let { left, top, right, bottom } = element.getBoundingClientRect();
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflow === 'visible') continue;
      const by = at.getBoundingClientRect();
      [left, top, right, bottom] = [Math.max(left, by.left), Math.max(top, by.top), Math.min(right, by.right), Math.min(bottom, by.bottom)];
    }
    return { left, top, right, bottom };
  }

  /** Returns the pairs of controls that overlap by more than a pixel.  Sticky elements are measured at their positions without scrolling. */
  function overlaps() {
    const sticky = [...document.body.querySelectorAll('*')].filter(each => getComputedStyle(each).position === 'sticky');
    for (const each of sticky) Object.assign(each.style, { position: 'relative', inset: 'auto' });
    const open = document.querySelector('dialog[open]') ?? document;
    const controls = [...open.querySelectorAll(PRESSABLE)].filter(each => each.checkVisibility({ visibilityProperty: true }))
      .map(element => ({ element, box: unclipped(element) })).sort((one, other) => one.box.left - other.box.left);
    const pairs = controls.flatMap(({ element, box }, number) => controls.slice(number + 1)
      .filter(({ box: other }) => Math.min(box.right, other.right) - other.left > 1 && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1)
      .filter(({ element: other }) => !element.contains(other) && !other.contains(element))
      .map(({ element: other }) => `${nameOf(element)} and ${nameOf(other)}`));
    for (const { style } of sticky) style.position = style.inset = '';
    return pairs;
  }

  /** Returns the tables on pages of rules that scroll horizontally. */
  function wideTables() {
    if (!/\/(rulebook|cards|learn)\//.test(location.pathname)) return [];
    const boxes = [...document.querySelectorAll('article :is(.table-wrapper, table)')];
    return boxes.filter(box => getComputedStyle(box).overflowX !== 'visible' && box.scrollWidth > box.clientWidth + 1)
      .map(box => `${nameOf(box)}: ${box.scrollWidth} px wide in ${box.clientWidth} px`);
  }

  const FINGER = 24; // CSS pixels: the size that WCAG 2.2 requires of targets, except links within text

  /** Returns up to five links that are too low to tap and are not within text. */
  function smallLinks() {
    const alone = link => {
      const line = link.closest('p, li, td, th, dt, dd, div, nav');
      return line && line.textContent.trim() === link.textContent.trim();
    };
    return [...document.querySelectorAll('article a[href], .sidebar-tree a[href]')].filter(link => {
      const { height, width } = link.getBoundingClientRect();
      return width > 0 && link.textContent.trim().length > 1 && height < FINGER - 0.5 && alone(link);
    }).slice(0, 5).map(link => `${nameOf(link)} "${link.textContent.trim().slice(0, 30)}": ${link.getBoundingClientRect().height.toFixed(0)} px`);
  }

  /**
   * Returns the number of elements and their kinds.  The kind of an element consists of its name, its classes that occur in style
   * sheets (`styled`), its own colours, and the classes of the nearest ancestor with such classes.  Pages with the same kinds look
   * alike, so that only one of them needs a full check.
   */
  function kinds(styled) {
    const known = new Set(styled), colours = /(?:color|background|fill|stroke|opacity)[^;]*/g;
    const classes = element => [...element.classList].filter(name => known.has(name)).sort();
    const around = element => {
      while (element && classes(element).length === 0) element = element.parentElement;
      return element ? classes(element).join('.') : '';
    };
    const own = element => [element.localName, ...classes(element),
      ...((element.getAttribute('style') ?? '').match(colours) ?? []),
      element.getAttribute('fill') ?? '', element.getAttribute('stroke') ?? ''].join('.');
    const elements = [...document.body.querySelectorAll('*')];
    return { elements: elements.length, kinds: [...new Set(elements.map(e => `${around(e.parentElement)} ${own(e)}`))] };
  }

  const ENOUGH = 3;

  /**
   * Removes repeated elements, since axe-core would spend most of its time on thousands of elements that differ only in their text.
   * In highlighted code, only the first few words of each class keep their elements; the others become plain text.
   * In the sidebar, each list keeps its first few entries and the current one.
   */
  function thin() {
    const met = new Map();
    for (const word of document.querySelectorAll('.highlight pre span')) {
      const kind = `${word.parentElement.className} ${word.className}`;
      met.set(kind, (met.get(kind) ?? 0) + 1);
      if (met.get(kind) > ENOUGH && !word.childElementCount) word.replaceWith(word.textContent);
    }
    for (const code of document.querySelectorAll('.highlight pre')) code.normalize();
    for (const list of document.querySelectorAll('.sidebar-tree ul')) {
      for (const entry of [...list.children].slice(ENOUGH)) if (!entry.matches('.current')) entry.remove();
    }
  }

  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();

  /** Returns a CSS colour as [red, green, blue, alpha], or null for gradients and patterns. */
  function colour(css) {
    if (css === 'none') return [0, 0, 0, 0];
    if (css.startsWith('url(')) return null;
    if (!known.has(css)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(css, [red, green, blue, alpha / 255]);
    }
    return known.get(css);
  }

  const over = (top, alpha, below) => top.slice(0, 3).map((value, i) => value * alpha + below[i] * (1 - alpha));

  function luminance(rgb) {
    const [r, g, b] = rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  function opacity(element) {
    let product = 1;
    for (let at = element; at; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
    return product;
  }

  /** Returns the fill or background of `element` as [colour, alpha], or null if it is a pattern. */
  function paint(element) {
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement && element.localName !== 'svg';
    const painted = colour(drawn ? style.fill : style.backgroundColor);
    return painted && [painted, painted[3] * (drawn ? Number(style.fillOpacity) : 1) * opacity(element)];
  }

  /** Returns the colour behind a text at a point of the window, or null if it cannot be determined. */
  function backdrop(text, x, y) {
    const layers = [];
    for (const element of document.elementsFromPoint(x, y)) {
      if (TEXT.has(element.localName)) continue;
      const layer = paint(element);
      if (!layer) return null;
      if (layer[1] > 0) layers.unshift(layer);
      if (layer[1] >= 1) break;
    }
    return layers.reduce((below, [rgb, alpha]) => over(rgb, alpha, below), [255, 255, 255]);
  }

  /** Returns the lowest contrast between a text in a drawing and its background, or null if it cannot be determined. */
  function textContrast(text, box) {
    const style = getComputedStyle(text), ink = paint(text);
    if (!ink) return null;
    const halo = style.paintOrder.startsWith('stroke') && parseFloat(style.strokeWidth) >= 2 && colour(style.stroke);
    const points = [0.1, 0.5, 0.9].map(part => [box.left + box.width * part, box.top + box.height / 2]);
    const behind = halo ? [halo.slice(0, 3)] : points.map(([x, y]) => backdrop(text, x, y));
    if (behind.includes(null)) return null;
    return Math.min(...behind.map(rgb => contrast(over(ink[0], ink[1], rgb), rgb)));
  }

  /** Returns the texts in drawings (inline SVG) within `root` whose contrast is too low.  axe-core does not check them. */
  function faintDrawings(root = document) {
    const hit = document.createElement('style');
    hit.textContent = 'svg, svg * { pointer-events: visiblePainted !important }';
    document.head.append(hit);
    const faint = [];
    for (const text of root.querySelectorAll('svg text, svg tspan')) {
      const words = [...text.childNodes].filter(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (!words.length || !text.checkVisibility({ visibilityProperty: true })) continue;
      text.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const range = document.createRange();
      range.selectNodeContents(words[0]);
      const box = range.getBoundingClientRect(), style = getComputedStyle(text);
      if (!box.width || !box.height) continue;
      const shrunk = text.getScreenCTM()?.a ?? 1, size = parseFloat(style.fontSize) * shrunk;
      const needed = size >= LARGE || (size >= LARGE_BOLD && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const ratio = textContrast(text, box);
      if (ratio !== null && ratio < needed) {
        faint.push(`${nameOf(text)} "${words[0].data.trim().slice(0, 30)}": ${ratio.toFixed(2)}, needed ${needed}`);
      }
    }
    hit.remove();
    scrollTo(0, 0);
    return faint;
  }

  return { prepare, settled, sideways, overlaps, wideTables, smallLinks, kinds, thin, faintDrawings };
})();
