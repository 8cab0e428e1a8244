/** What readers look things up with: the finder on the index of rules, the search, and the switch between languages.  None needs a server. */
import { scripts, visit } from './chromium.mjs';
import { NARROW, WIDE } from './looks.mjs';

export const INDEX = 'rulebook/index_of_rules.html', SEARCH = 'search.html';

const RULE = 'BLD-3', OTHER = 'TRN-1', NONSENSE = 'qqxqqzz', WORD = 'building';
const GUIDED = 'one player\'s view over a websocket', GUIDE = 'howto/embed_in_a_server.html';
const FIELD = '#rule-filter', ROWS = '#rules tr[data-rule]', MATCHES = '#found [data-rule]';
const PATIENCE = 5_000; // milliseconds until a page must have answered

const absent = (page, check) => [{ check, problem: 'a page is missing', page, where: 'it is not in the build' }];

/** What readers see of the rules: the rows of the table, what was found, in its order, and how much. */
const readRules = tab => tab.evaluate(([rows, matches]) => {
  const all = selector => [...document.querySelectorAll(selector)], named = chosen => chosen.map(element => element.dataset.rule);
  const visible = selector => named(all(selector).filter(element => element.getClientRects().length > 0));
  return {
    all: named(all(rows)), rows: visible(rows), matches: visible(matches),
    count: document.querySelector('#rule-count[aria-live]')?.textContent.trim() ?? null,
  };
}, [ROWS, MATCHES]);

/** Wait until `expected` holds of what readers see; returns what is shown then. */
async function eventually(tab, expected) {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const now = await readRules(tab);
    if (expected(now) || Date.now() > until) return now;
    await tab.waitForTimeout(50);
  }
}

const isTable = ({ all, rows, matches }) => rows.length === all.length && matches.length === 0;
const begins = (...ids) => ({ rows, matches }) => rows.length === 0 && String(matches.slice(0, ids.length)) === String(ids);

const SEARCHES = [
  [RULE, now => begins(RULE)(now) && !now.matches.includes(OTHER), `typing "${RULE}" does not find ${RULE} and leave out ${OTHER}`],
  [RULE.toLowerCase(), begins(RULE), 'the finder minds capital letters'],
  ['monk', begins('BLU-1'), 'typing "monk" does not find BLU-1 first'],
  ['Mönch', begins('BLU-1'), 'typing "Mönch" does not find BLU-1 first'],
  [NONSENSE, ({ rows, matches }) => rows.length + matches.length === 0, 'typing nonsense leaves rules'],
  ['', isTable, 'clearing the field does not show all rows'],
];

const GRADE = 'contract';

/** Choosing a grade of evidence leaves clauses of that grade alone, in the table and among what is found. */
async function gradesWork(tab) {
  if (await tab.locator(`#grade-${GRADE}`).count() !== 1) return ['there is no choice of evidence'];
  const left = selector => tab.evaluate(each => [...document.querySelectorAll(each)]
    .filter(element => element.getClientRects().length > 0).map(element => element.dataset.grade), selector);
  const problems = [], isChosen = grades => grades.length > 0 && grades.every(grade => grade === GRADE);
  await tab.evaluate(id => { document.getElementById(id).closest('details').open = true; }, `grade-${GRADE}`);
  await tab.check(`#grade-${GRADE}`);
  if (!isChosen(await left(ROWS))) problems.push('choosing a grade of evidence does not leave its clauses alone');
  await tab.fill(FIELD, 'price');
  if (!isChosen(await left(MATCHES))) problems.push('choosing a grade of evidence does not leave its clauses alone among those found');
  await tab.fill(FIELD, '');
  await tab.check('#grade-all');
  return problems;
}

async function finderWorks(tab) {
  if (await tab.locator(`input[type=search]${FIELD}`).count() !== 1) return [`there is no <input type="search" id="rule-filter">`];
  const problems = [], before = await readRules(tab);
  for (const id of [RULE, OTHER]) if (!before.all.includes(id)) problems.push(`there is no <tr data-rule="${id}"> in #rules`);
  if (new Set(before.all).size !== before.all.length) problems.push('a rule has two rows');
  if (!isTable(before)) problems.push('the page does not begin with all rows');
  if (before.count === null) problems.push('there is no #rule-count with aria-live');
  for (const [text, holds, problem] of SEARCHES) {
    await tab.fill(FIELD, text);
    const now = await eventually(tab, holds);
    if (!holds(now)) problems.push(problem);
    if (text === NONSENSE && before.count !== null && now.count === before.count) problems.push('#rule-count does not change');
  }
  await tab.fill(FIELD, GUIDED);
  const guides = await tab.locator(`#found-pages a[href$="${GUIDE}"]`).count();
  if (guides !== 1) problems.push(`typing "${GUIDED}" does not find ${GUIDE}`);
  await tab.fill(FIELD, '');
  return problems;
}

/** What the address asks for is found at once. */
async function finderIsLinked(tab, site) {
  await tab.goto(`${site.url(INDEX)}?q=tie`);
  const holds = begins('SCO-10');
  return holds(await eventually(tab, holds)) ? [] : ['an address with ?q=tie does not find SCO-10 first'];
}

async function showsAllWithoutScripts(browser, site) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const tab = await context.newPage();
  await tab.goto(site.url(INDEX));
  const now = await readRules(tab);
  await context.close();
  return now.all.length > 0 && isTable(now) ? [] : ['without JavaScript not all rows are shown'];
}

/** The findings on a page in a tab of its own: `work` gives what is wrong there. */
async function onPage(browser, site, page, check, where, work, query) {
  if (!site.files.has(page)) return absent(page, check);
  const tab = await browser.newPage();
  const findings = await visit(tab, site, page, async () => (await work(tab)).map(problem => ({ check, problem, page, where })), query);
  await tab.close();
  return findings;
}

/** The findings about the finder of rules. */
export const filter = (browser, site) => onPage(browser, site, INDEX, 'finder', FIELD, async tab => [
  ...await finderWorks(tab), ...await gradesWork(tab), ...await finderIsLinked(tab, site), ...await showsAllWithoutScripts(browser, site),
]);

/** The findings about the search: a word of every page must be found. */
export const search = (browser, site) => onPage(browser, site, SEARCH, 'search', `for "${WORD}"`, async tab => {
  const hit = tab.locator('#search-results li a').first();
  const hasResult = await hit.waitFor({ timeout: PATIENCE }).then(() => true, () => false);
  await tab.waitForTimeout(200); // for what the page does about its results afterwards
  return hasResult ? [] : ['the search finds nothing'];
}, `?q=${WORD}`);

export const LINKED = 'rulebook/building.html', LAST = 'BLD-35';

/** After how many milliseconds the window shows the rule of an address at the end of a long page, once the page is read. */
export async function arrival(browser, site) {
  const tab = await browser.newPage();
  await tab.goto(`${site.url(LINKED)}#${LAST}`, { waitUntil: 'commit' });
  const arrived = await tab.evaluate(id => new Promise(done => {
    const measure = () => {
      const top = document.getElementById(id)?.getBoundingClientRect().top ?? -1;
      const { domContentLoadedEventEnd: read } = performance.getEntriesByType('navigation')[0];
      if (read > 0 && top >= 0 && top < innerHeight) done(Math.max(0, performance.now() - read));
      else requestAnimationFrame(measure);
    };
    measure();
  }), LAST);
  await tab.close();
  return Math.round(arrived);
}

const CHAPTER = 'rulebook/green.html', BOOK = 'learn/index.html';

const scrollToPart = element => element.scrollIntoView({ behavior: 'instant' });

/** How a reader comes to what he reads: its page, its number there, whether the address aims at it, what he does then. */
const WAYS = [
  ['a rule that one has scrolled to', CHAPTER, 2, false, scrollToPart],
  ['the rule of the address, at the end of the page', CHAPTER, -1, true, scrollToPart],
  ['the rule of the address, once one is back at the top', CHAPTER, -1, true, () => scrollTo({ top: 0, behavior: 'instant' })],
  ['the part of the book that one has scrolled to', BOOK, 6, false, scrollToPart],
];

/** Read in a page as a reader does, and change the language; tells whether he is where he was. */
async function keepsPlace(tab, site, [, page, number, isAddressed, done]) {
  const parts = tab.locator(page === BOOK ? 'article section[id]' : 'section.clause');
  await tab.goto(site.url(page));
  await tab.addStyleTag({ content: 'html { scroll-behavior: auto !important }' });
  const id = await parts.nth(number).getAttribute('id'), at = await parts.count();
  if (isAddressed) await tab.goto(`${site.url(page)}#${id}`);
  await tab.evaluate(() => looks.settled());
  await parts.nth(number).evaluate(done);
  await tab.evaluate(() => looks.settled());
  await tab.click('p.languages a');
  await tab.waitForURL(url => !url.href.startsWith(site.url(page)), { timeout: PATIENCE });
  const aimed = await tab.evaluate(() => decodeURIComponent(location.hash.slice(1)));
  return aimed !== '' && await parts.count() === at && await parts.nth(number).getAttribute('id') === aimed;
}

/** The findings about the switches between the languages on the chosen pages: what is read stays. */
export async function languageSwitch(browser, site, chosen) {
  const findings = [CHAPTER, BOOK].filter(page => chosen(page) && !site.files.has(page)).flatMap(page => absent(page, 'switch'));
  for (const width of [WIDE, NARROW]) {
    const tab = await browser.newPage({ viewport: { width, height: 900 } });
    await tab.addInitScript(await scripts());
    for (const way of WAYS) {
      const [place, page] = way;
      if (!chosen(page) || !site.files.has(page) || await keepsPlace(tab, site, way)) continue;
      findings.push({ check: 'switch', problem: `changing the language loses ${place}`, page, where: `${width} px` });
    }
    await tab.close();
  }
  return findings;
}
