/** Checks the rendering of pages: accessibility with axe-core, the contrast of drawings, and the layout in a narrow window. */
import fs from 'node:fs';
import path from 'node:path';
import { scripts, visit } from './chromium.mjs';
import { pictureFiles, styledClasses } from './site.mjs';

const HEIGHT = 900;
export const WIDE = 1280, NARROW = 390;

/**
 * The modes in which pages are checked.  `system` is the preference of the reader's system, and `theme` the choice of the
 * button at the top of each page.  Every page is checked in the first mode, and also measured at the width NARROW.  The
 * other modes apply only to the pages of `standIns`.  Dark mode is set once by the button and once by the system, since
 * each has its own rules in the style sheets; "light, 390 px" checks that the button overrides the system.
 */
export const MODES = [
  { name: `light, ${WIDE} px`, width: WIDE, system: 'light', theme: 'auto' },
  { name: `dark, ${WIDE} px`, width: WIDE, system: 'light', theme: 'dark' },
  { name: `light, ${NARROW} px`, width: NARROW, system: 'dark', theme: 'light' },
  { name: `dark, ${NARROW} px`, width: NARROW, system: 'dark', theme: 'auto' },
];

const TABS = 2;

/** The options of axe-core: all its rules for WCAG 2.1, levels A and AA. */
const AXE = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },
  resultTypes: ['violations'],
  preload: false, // the pages load no style sheets from other sites
};
const GRAVE = new Set(['serious', 'critical']);

/** Returns the contrast that axe-core measured at one place as text, or an empty text. */
function detail(node) {
  const data = node.any?.[0]?.data ?? {};
  if (data.contrastRatio === undefined) return '';
  return ` (${data.fgColor} on ${data.bgColor}: ${data.contrastRatio}, needed ${data.expectedContrastRatio})`;
}

async function accessibility(tab, page, mode) {
  const { violations } = await tab.evaluate(options => axe.run(document, options), AXE);
  return violations.filter(violation => GRAVE.has(violation.impact)).flatMap(({ id, impact, help, nodes }) =>
    nodes.map(node => ({
      check: 'axe', problem: `${id} (${impact}): ${help}`, page, mode, where: node.target.join(' ') + detail(node),
    })));
}

async function drawings(tab, page, mode) {
  const faint = await tab.evaluate(() => looks.faintDrawings());
  return faint.map(where => ({ check: 'drawing', problem: 'text in a drawing is too faint', page, mode, where }));
}

async function resize(tab, width) {
  await tab.setViewportSize({ width, height: HEIGHT });
  await tab.evaluate(() => looks.settled());
}

/** Measures the width of the page in `mode`. */
async function wide(tab, page, mode) {
  const places = await tab.evaluate(() => looks.sideways());
  return places.map(where => ({ check: 'wide', problem: `the page is wider than its window at ${mode.width} px`, page, where }));
}

/** Measures the page at the width NARROW, and then restores the width of `mode`. */
async function phone(tab, page, mode) {
  await resize(tab, NARROW);
  const measured = await tab.evaluate(() => [
    ['the page scrolls sideways', looks.sideways()],
    ['a table of the rules scrolls sideways', looks.wideTables()],
    ['a link is lower than 24 px', looks.smallLinks()],
  ]);
  await resize(tab, mode.width);
  return measured.flatMap(([problem, places]) =>
    places.map(where => ({ check: 'phone', problem: `${problem} at ${NARROW} px`, page, where })));
}

/** Checks one page in one mode.  The first mode also measures its width, and stores its kinds in `measured`. */
async function checkPage(tab, { site, styled, measured }, page, mode) {
  return visit(tab, site, page, async () => {
    await tab.evaluate(() => looks.prepare());
    const first = mode === MODES[0];
    const widths = first ? [...await wide(tab, page, mode), ...await phone(tab, page, mode)] : [];
    if (first) measured.set(page, await tab.evaluate(names => looks.kinds(names), styled));
    await tab.evaluate(() => looks.thin());
    return [...widths, ...await accessibility(tab, page, mode.name), ...await drawings(tab, page, mode.name)];
  });
}

/** Checks pages in a mode in a new tab.  The tabs share the queue `waiting`. */
async function workThrough(browser, waiting, mode, job) {
  const context = await browser.newContext({ colorScheme: mode.system, viewport: { width: mode.width, height: HEIGHT } });
  await context.addInitScript(job.source);
  await context.addInitScript(theme => localStorage.setItem('theme', theme), mode.theme);
  const tab = await context.newPage(), findings = [];
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) findings.push(...await checkPage(tab, job, page, mode));
  await context.close();
  return findings;
}

/**
 * Returns pages that represent all: together they contain every kind of element, and each folder has at least one.
 * This is a greedy set cover: the next page is the one with the most missing kinds in proportion to its size.
 */
export function standIns(measured) {
  if (measured.size === 0) return [];
  const left = new Map([...measured].map(([page, { kinds }]) => [page, new Set([...kinds, `in ${page.split('/')[0]}`])]));
  const chosen = [];
  const worth = page => left.get(page).size / (measured.get(page).elements + 500);
  for (;;) {
    const best = [...left.keys()].reduce((one, other) => worth(other) > worth(one) ? other : one);
    const missing = [...left.get(best)];
    if (missing.length === 0) return chosen.sort();
    chosen.push(best);
    for (const kinds of left.values()) for (const kind of missing) kinds.delete(kind);
  }
}

/** Returns the findings on all `pages` in the first mode, and on the pages that represent them in the other modes. */
export async function checkPages(browser, site, pages) {
  const job = { site, source: await scripts(), styled: styledClasses(site), measured: new Map() }, findings = [];
  for (const mode of MODES) {
    const waiting = mode === MODES[0] ? [...pages] : standIns(job.measured);
    console.error(`${mode.name}: ${waiting.length} pages`);
    const results = await Promise.all(Array.from({ length: TABS }, () => workThrough(browser, waiting, mode, job)));
    findings.push(...results.flat());
  }
  return findings;
}

const SHEET = 50; // pictures on one page

/**
 * Returns the findings about texts in the SVG files that the chosen pages show as images.  Their elements are not part
 * of the pages, so they are checked on a page of their own.
 */
export async function pictures(browser, site, chosen) {
  const files = [...pictureFiles(site, chosen)], source = await scripts(), findings = [];
  const tab = await browser.newPage();
  for (let at = 0; at < files.length; at += SHEET) {
    const drawn = files.slice(at, at + SHEET).map(([file]) => fs.readFileSync(path.join(site.root, file), 'utf8'));
    await tab.setContent(drawn.map(svg => `<figure>${svg}</figure>`).join(''));
    await tab.evaluate(source);
    const faint = await tab.evaluate(() => [...document.querySelectorAll('figure')].map(each => looks.faintDrawings(each)));
    faint.forEach((places, number) => {
      const [file, page] = files[at + number];
      for (const where of places) findings.push({ check: 'drawing', problem: 'text in a picture is too faint', page, where: `${file}: ${where}` });
    });
  }
  await tab.close();
  return findings;
}
