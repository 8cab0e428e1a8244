/** Checks of the finder of rules, the search and the switch between the languages.  They must work without a server. */
import { scripts, visit } from './chromium.mjs';
import { NARROW, WIDE } from './looks.mjs';

export const INDEX = 'rulebook/index_of_rules.html', SEARCH = 'search.html';

const RULE = 'BLD-3', OTHER = 'TRN-1', NONSENSE = 'qqxqqzz', WORD = 'building';
const GUIDED = 'one player\'s view over a websocket', GUIDE = 'howto/embed_in_a_server.html';
const FIELD = '#rule-filter', ROWS = '#rules tr[data-rule]', MATCHES = '#found [data-rule]';
const PATIENCE = 5_000; // milliseconds within which a page must respond

const absent = (page, check) => [{ check, problem: 'a page is missing', page, where: 'it is not in the build' }];

/** Returns the ids of all rows of the table of rules, of the visible `rows`, and of the visible `matches`; and the text of the count. */
const readRules = tab => tab.evaluate(([rows, matches]) => {
  const all = selector => [...document.querySelectorAll(selector)], named = chosen => chosen.map(element => element.dataset.rule);
  const visible = selector => named(all(selector).filter(element => element.getClientRects().length > 0));
  return {
    all: named(all(rows)), rows: visible(rows), matches: visible(matches),
    count: document.querySelector('#rule-count[aria-live]')?.textContent.trim() ?? null,
  };
}, [ROWS, MATCHES]);

/** Waits until `expected` holds for the result of `readRules`, or PATIENCE has passed; returns the last result. */
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
  [RULE.toLowerCase(), begins(RULE), 'the finder is case-sensitive'],
  ['monk', begins('BLU-1'), 'typing "monk" does not find BLU-1 first'],
  ['Mönch', begins('BLU-1'), 'typing "Mönch" does not find BLU-1 first'],
  [NONSENSE, ({ rows, matches }) => rows.length + matches.length === 0, 'typing nonsense does not hide all rules'],
  ['', isTable, 'clearing the field does not show all rows'],
];

const GRADE = 'contract';

/** Checks that choosing a grade of evidence shows only clauses of that grade, in the table and among the matches. */
async function gradesWork(tab) {
  if (await tab.locator(`#grade-${GRADE}`).count() !== 1) return ['there is no choice of the grade of evidence'];
  const left = selector => tab.evaluate(each => [...document.querySelectorAll(each)]
    .filter(element => element.getClientRects().length > 0).map(element => element.dataset.grade), selector);
  const problems = [], isChosen = grades => grades.length > 0 && grades.every(grade => grade === GRADE);
  await tab.evaluate(id => { document.getElementById(id).closest('details').open = true; }, `grade-${GRADE}`);
  await tab.check(`#grade-${GRADE}`);
  if (!isChosen(await left(ROWS))) problems.push('choosing a grade of evidence does not show exactly its clauses in the table');
  await tab.fill(FIELD, 'price');
  if (!isChosen(await left(MATCHES))) problems.push('choosing a grade of evidence does not show exactly its clauses among the matches');
  await tab.fill(FIELD, '');
  await tab.check('#grade-all');
  return problems;
}

async function finderWorks(tab) {
  if (await tab.locator(`input[type=search]${FIELD}`).count() !== 1) return [`there is no <input type="search" id="rule-filter">`];
  const problems = [], before = await readRules(tab);
  for (const id of [RULE, OTHER]) if (!before.all.includes(id)) problems.push(`there is no <tr data-rule="${id}"> in #rules`);
  if (new Set(before.all).size !== before.all.length) problems.push('a rule has two rows');
  if (!isTable(before)) problems.push('the page does not show all rows at first');
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

/** Checks that the page searches for the query in its address. */
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

/** Opens a page in a new tab, and returns the findings of the visit and of `work`, which returns a list of problems. */
async function onPage(browser, site, page, check, where, work, query) {
  if (!site.files.has(page)) return absent(page, check);
  const tab = await browser.newPage();
  const findings = await visit(tab, site, page, async () => (await work(tab)).map(problem => ({ check, problem, page, where })), query);
  await tab.close();
  return findings;
}

/** Returns the findings about the finder of rules. */
export const filter = (browser, site) => onPage(browser, site, INDEX, 'finder', FIELD, async tab => [
  ...await finderWorks(tab), ...await gradesWork(tab), ...await finderIsLinked(tab, site), ...await showsAllWithoutScripts(browser, site),
]);

/** Returns the findings about the search: a common word must have results. */
export const search = (browser, site) => onPage(browser, site, SEARCH, 'search', `for "${WORD}"`, async tab => {
  const hit = tab.locator('#search-results li a').first();
  const hasResult = await hit.waitFor({ timeout: PATIENCE }).then(() => true, () => false);
  await tab.waitForTimeout(200); // for errors in the scripts that run after the results appear
  return hasResult ? [] : ['the search finds nothing'];
}, `?q=${WORD}`);

export const LINKED = 'rulebook/building.html', LAST = 'BLD-35';

/** Measures a permanent link to the last rule of a long page: returns the milliseconds from the end of parsing until the rule is in the window. */
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

/**
 * Cases for the switch between the languages: a description, the page, the index of the part that the reader sees,
 * whether the address points to it, and the last action of the reader.
 */
const WAYS = [
  ['a rule to which the reader has scrolled', CHAPTER, 2, false, scrollToPart],
  ['the rule of the address, at the end of the page', CHAPTER, -1, true, scrollToPart],
  ['the rule of the address, after the reader has scrolled to the top', CHAPTER, -1, true, () => scrollTo({ top: 0, behavior: 'instant' })],
  ['the part of the book to which the reader has scrolled', BOOK, 6, false, scrollToPart],
];

/** Runs a case: opens the page, scrolls and changes the language.  Returns whether the translation opens at the same part. */
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

/** Returns the findings about the switch between the languages on the chosen pages: it must lead to the same part of the translation. */
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
