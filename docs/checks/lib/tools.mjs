/** What readers look things up with: the filter on the index of rules, and the search.  Both need no server. */
import { visit } from './chromium.mjs';

export const INDEX = 'rulebook/index_of_rules.html', SEARCH = 'search.html';

const RULE = 'BLD-3', OTHER = 'TRN-1', NONSENSE = 'qqxqqzz', WORD = 'building';
const FILTER = '#rule-filter', ROWS = '#rules tr[data-rule]';
const PATIENCE = 5_000; // milliseconds until a page must have answered

const absent = (page, check) => [{ check, what: 'a page is missing', page, where: 'it is not in the build' }];

/** The rules whose rows are shown, those hidden by the attribute, and the text of the count. */
const rows = tab => tab.evaluate(selector => {
  const all = [...document.querySelectorAll(selector)];
  const named = chosen => chosen.map(row => row.dataset.rule);
  return {
    all: named(all),
    shown: named(all.filter(row => row.getClientRects().length > 0)),
    unhidden: named(all.filter(row => !row.hidden)),
    count: document.querySelector('#rule-count[aria-live]')?.textContent.trim() ?? null,
  };
}, ROWS);

/** Type into the filter and wait until `expected` holds of the rows; returns the rows as they are then. */
async function typed(tab, text, expected) {
  await tab.fill(FILTER, text);
  const until = Date.now() + PATIENCE;
  for (;;) {
    const now = await rows(tab);
    if (expected(now) || Date.now() > until) return now;
    await tab.waitForTimeout(50);
  }
}

const SAYS = [
  [RULE, ({ shown }) => shown.includes(RULE) && !shown.includes(OTHER), `typing "${RULE}" does not leave ${RULE} and hide ${OTHER}`],
  [RULE.toLowerCase(), ({ shown }) => shown.includes(RULE) && !shown.includes(OTHER), 'the filter minds capital letters'],
  [NONSENSE, ({ shown }) => shown.length === 0, 'typing nonsense leaves rows'],
  ['', ({ shown, all }) => shown.length === all.length, 'clearing the filter does not show all rows'],
];

async function filterWorks(tab) {
  const problems = [];
  const before = await rows(tab);
  if (await tab.locator(`input[type=search]${FILTER}`).count() !== 1) return [`there is no <input type="search" id="rule-filter">`];
  for (const id of [RULE, OTHER]) if (!before.all.includes(id)) problems.push(`there is no <tr data-rule="${id}"> in #rules`);
  if (new Set(before.all).size !== before.all.length) problems.push('a rule has two rows');
  if (before.count === null) problems.push('there is no #rule-count with aria-live');
  for (const [text, holds, problem] of SAYS) {
    const now = await typed(tab, text, holds);
    if (!holds(now)) problems.push(problem);
    if (String(now.shown) !== String(now.unhidden)) problems.push(`with "${text}" the attribute hidden and what is shown differ`);
    if (text === NONSENSE && before.count !== null && now.count === before.count) problems.push('#rule-count does not change');
  }
  return problems;
}

async function showsAllWithoutScripts(browser, site) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const tab = await context.newPage();
  await tab.goto(site.url(INDEX));
  const { all, shown } = await rows(tab);
  await context.close();
  return all.length > 0 && shown.length === all.length ? [] : ['without JavaScript not all rows are shown'];
}

/** The findings about the filter on the index of rules. */
export async function filter(browser, site) {
  if (!site.files.has(INDEX)) return absent(INDEX, 'filter');
  const tab = await browser.newPage();
  const say = what => ({ check: 'filter', what, page: INDEX, where: FILTER });
  const findings = await visit(tab, site, INDEX, async () =>
    [...await filterWorks(tab), ...await showsAllWithoutScripts(browser, site)].map(say));
  await tab.close();
  return findings;
}

/** The findings about the search: a word of every page must be found. */
export async function search(browser, site) {
  if (!site.files.has(SEARCH)) return absent(SEARCH, 'search');
  const tab = await browser.newPage();
  const findings = await visit(tab, site, SEARCH, async () => {
    const hit = tab.locator('#search-results li a').first();
    const found = await hit.waitFor({ timeout: PATIENCE }).then(() => true, () => false);
    await tab.waitForTimeout(200); // for what the page does about its results afterwards
    return found ? [] : [{ check: 'search', what: 'the search finds nothing', page: SEARCH, where: `for "${WORD}"` }];
  }, `?q=${WORD}`);
  await tab.close();
  return findings;
}
