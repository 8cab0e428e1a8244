/**
 * Checks that names of players and card sets that look like code are displayed as text and have no other effect, also in records.
 *
 * usage: node tests/web/browser/names.mjs
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { inHouse } from './lib/house.mjs';
import { NAMES, PLAIN, REFUSED, TABLES, assertNamesOnlyInTexts, assertOnlyNamesDiffer, atTheEnd, game, recordOf, shape } from './lib/names.mjs';
import { openMore } from './lib/person.mjs';
import { ROOT } from './lib/server.mjs';

const LONG = { timeout: 1_800_000 };
const CARDS = fs.readFileSync(path.join(ROOT, 'src/valletta_rules/card_sets/reconstruction.toml'), 'utf8');

/** The option that removes the server's limits on requests, because these tests open many tables. */
const MANY = { more: ['--plenty'] };

/** Return the built-in card set under another name. */
const cardsCalled = name => CARDS.replace(/^name = .*$/m, () => `name = ${JSON.stringify(name)}`);

/** The widths of the page, assigned to the tables in turn. */
const WIDTHS = [1280, 390, 768, 1024];

/** Check that the page has the same content for plain names and for the names of each table, except the names, and does not scroll sideways. */
async function compare(person, tables, readPage) {
  const plain = [];
  for (const [number, names] of tables.entries()) {
    const at = number % WIDTHS.length;
    await person.tab.setViewportSize({ width: WIDTHS[at], height: 300 });
    if (plain.length === at) {
      plain.push(await readPage(PLAIN));
      plain[at].forEach(assertNamesOnlyInTexts);
    }
    const contents = await readPage(names);
    for (const [each, content] of contents.entries()) assertOnlyNamesDiffer(content, plain[at][each], names);
    const wider = await person.tab.evaluate(({ scrollWidth, clientWidth } = document.documentElement) => scrollWidth - clientWidth);
    assert.equal(wider, 0, `the page scrolls sideways with the names ${names.join(', ')}`);
  }
}

/** Markup that is not a single drawing, or that could run code or refer to other elements. */
const ACTIVE = [
  '', 'text', '<b>x</b>', '<script>ran = 1</script>', '<g onload="ran = 1"></g>', '<g><foreignObject><b>x</b></foreignObject></g>', '<a href="javascript:ran=1"><text>x</text></a>',
  '<g><animate attributeName="x"/></g>', '<image href="//x"/>', '<use href="#board"/>', '<g style="fill: red"></g>', '<g id="board"></g>', '<g data-do="answer"></g>',
  '<g><title><img src="x" onerror="ran = 1"></title></g>', '</svg><img src="x" onerror="ran = 1">', '<g></g></svg><img src="x" onerror="ran = 1">',
];

/** Open a record, go to its last moment, and return the content of the page. */
async function openRecord(house, { tab }, played, names) {
  const record = await (await fetch(`${house.origin}/api/replay`, { method: 'POST', body: recordOf(played, names) })).json();
  await tab.goto(`${house.origin}/table/${record.table}`);
  await atTheEnd(tab);
  return shape(tab);
}

test('names that look like code are displayed as text in opened records', LONG, () => inHouse(async house => {
  const person = await house.person('reader');
  const played = game(false);
  await compare(person, TABLES, async names => [await openRecord(house, person, played, names)]);
}, MANY));

test('names that look like code are displayed as text at the end of games', LONG, () => inHouse(async house => {
  const person = await house.person('reader');
  const played = game(true);
  await compare(person, TABLES.filter((_, number) => number % 10 === 0), async names => [await openRecord(house, person, played, names)]);
}, MANY));

test('names that look like code are displayed as text at tables with custom card sets', LONG, () => inHouse(async house => {
  const person = await house.person('Anna');
  const { tab } = person;
  await compare(person, TABLES, async names => {
    const table = await house.table([null, null, null, null], { names, cards: cardsCalled(names[1]) });
    await person.open(table.link(table.opener, ...[0, 1, 2, 3].map(table.token)));
    await tab.locator('[data-do=present]').click();
    await tab.locator('#bar .answers [data-do=answer]').first().click();
    await tab.locator('body[data-revision="1"] [data-do=present]').waitFor();
    await tab.locator('[data-do=menu]').click();
    const menu = await shape(tab);
    await tab.locator('[data-do=links]').click();
    await tab.locator('.links').waitFor();
    return [menu, await shape(tab)];
  });
}, MANY));

test('all markup except drawings is refused, and the texts of drawings may look like code', LONG, () => inHouse(async house => {
  const { tab } = await house.person('Anna');
  await tab.goto(house.origin);
  await tab.locator('[data-do=quick]').first().waitFor();
  const [results, texts, ran] = await tab.evaluate(async ([active, names]) => {
    const { drawn } = await import('/static/patch.js');
    const attempts = active.map(markup => { try { return drawn(markup).outerHTML; } catch (error) { return error.name; } });
    const escaped = name => Object.assign(document.createElement('p'), { textContent: name }).innerHTML;
    return [attempts, names.map(name => drawn(`<g class="site"><title>${escaped(name)}</title></g>`).textContent), 'ran' in window];
  }, [ACTIVE, NAMES]);
  assert.deepEqual([results, texts, ran], [ACTIVE.map(() => 'TypeError'), NAMES, false]);
  for (const each of house.findings.splice(0)) assert.match(each, /Content Security Policy/); // the content security policy also blocks the code
}));

test('names that look like code are displayed as text in the lobby', LONG, () => inHouse(async house => {
  const { tab } = await house.person('Anna');
  await tab.addInitScript(tables => localStorage.setItem('valletta.tables', JSON.stringify(tables)), TABLES.map((names, id) => ({ id, tokens: '', names, at: 0 })));
  await tab.goto(house.origin);
  await tab.locator('[data-do=quick]').first().waitFor();
  assert.deepEqual(await tab.locator('.tables .known').locator('a').allTextContents(), TABLES.map(names => names.join(', ')));
  await openMore(tab);
  await tab.locator('label:has([data-do=own])').click();
  for (const name of NAMES.slice(0, 20)) {
    const file = (text, suffix) => ({ name: `${name.replaceAll('/', ':')}${suffix}`, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await tab.locator('[data-do=cards]').setInputFiles(file(cardsCalled(name), '.toml'));
    await tab.locator('.own .right', { hasText: name }).waitFor();
    await tab.locator('[data-do=cards]').setInputFiles(file('name = 1', '.txt'));
    await tab.locator('.own .problems p', { hasText: `${name.replaceAll('/', ':')}.txt` }).waitFor();
  }
  for (const name of REFUSED) {
    await assert.rejects(house.table([null, null], { names: [name, 'Ben'] }), /^AssertionError.*400: /, JSON.stringify(name));
  }
}, MANY));
