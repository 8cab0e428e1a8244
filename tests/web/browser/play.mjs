/**
 * The game in the documentation, which needs no server: in Chromium, cut off from the network once it has been loaded.
 *
 * usage: node tests/web/browser/play.mjs FOLDER [--sample | --games N]
 *
 * FOLDER is the documentation as built.  With --sample no game is played to the end, with --games so many are.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { launch } from '../../../docs/checks/lib/chromium.mjs';
import { House, PHONE } from './lib/house.mjs';
import { Person, lots, opened, playOn } from './lib/person.mjs';

const folder = process.argv[2];
const isSample = process.argv.includes('--sample');
const games = process.argv.includes('--games') ? Number(process.argv.at(-1)) : 0;
/** The beginning of a record, before anything is dealt. */
const RECORD = 'valletta: 2\nplayers: 2\nrules: hans-im-glueck\n';
/** How many bytes the heaps of a page and of its Python may take: twice of what they do. */
const MEMORY = 150e6;
const LONG = { timeout: 36_000_000 };
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json', '.wasm': 'application/wasm' };

/** Serve the folder; note what is asked for. */
async function served() {
  const asked = [];
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, 'http://x').pathname).replace(/\/$/, '/index.html');
    asked.push(name);
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': KINDS[path.extname(name)] ?? 'application/octet-stream', 'Cache-Control': 'no-cache' });
    fs.createReadStream(file).pipe(response);
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return { server, asked, origin: `http://127.0.0.1:${server.address().port}` };
}

/** The pages of the table within a tab, with what else of the tab somebody needs. */
async function inner(tab) {
  const frame = await (await tab.waitForSelector('#table:not([hidden])', { timeout: 120_000 })).contentFrame();
  return Object.assign(frame, { keyboard: tab.keyboard });
}

/** Let somebody open a table against a strong bot in a browser of his own, and cut him off from the network. */
async function seated(at, browser, language, options, house) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options });
  const tab = await context.newPage();
  const errors = [];
  tab.on('pageerror', error => errors.push(String(error)));
  tab.on('console', said => { if (said.type() === 'error') errors.push(said.text()); });
  await context.addInitScript(lots);
  await tab.goto(`${at.origin}/play/app/index.html?language=${language}`);
  const person = new Person(await inner(tab), language, 1, Boolean(options?.hasTouch));
  await person.tab.locator('[data-do=open]').waitFor({ timeout: 120_000 });
  await tab.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await new Promise(done => at.server.close(done) && at.server.closeAllConnections());
  await house.axe(person, 'the lobby');
  await newTable(person);
  return { context, tab, person, errors };
}

/** Open a table: a person and a strong bot, who does not wait. */
async function newTable(person) {
  await person.tab.locator('[data-do=who]').nth(1).selectOption('strong');
  await person.press(person.tab.locator('[data-do=open]'));
  await person.until(() => document.body.dataset.link === 'open', null, 120_000);
  await person.press(person.tab.locator('[data-do=menu]'));
  await person.tab.locator('[data-do=pause]').selectOption('0');
  await person.press(person.tab.locator('dialog[open] [data-do=close]'));
}

/** Reload: the game stands as before. */
async function reloaded({ tab, person }) {
  await opened(person);
  const before = await person.revision();
  await tab.reload();
  person.tab = await inner(tab);
  await person.until(() => document.body.dataset.link === 'open', null, 120_000);
  assert.ok(await person.revision() >= before, 'the game goes on');
}

/** A second tab at the same table; it goes on when the first one is closed. */
async function secondTab({ context, tab, person }) {
  const address = person.tab.url();
  const other = await context.newPage();
  await other.addInitScript(page => sessionStorage.setItem('valletta.page', page), address);
  await other.goto(tab.url());
  const second = new Person(await inner(other), 'second', 2, person.hasFinger);
  await opened(second);
  const before = await second.revision();
  await tab.close();
  await playOn([second], 4); // what is pressed before another worker answers is sent again
  await opened(second);
  assert.ok(await second.revision() > before);
}

/** Python has compiled nothing that it loaded, which would take most of the time of a start, and the heaps are not larger than they may be. */
async function isLight(tab) {
  const [compiled, memory] = await tab.workers()[0].evaluate(() => [
    python.runPython('import sys\n" ".join(name for name, each in sys.modules.items() if str(getattr(each.__spec__, "origin", "")).endswith(".py"))'),
    python._module.HEAP8.length,
  ]);
  assert.equal(compiled, '');
  assert.ok(memory + await tab.evaluate(() => performance.memory.usedJSHeapSize) < MEMORY, `it takes ${memory} bytes`);
}

async function inPage(language, options, work) {
  const at = await served();
  const browser = await launch(['127.0.0.1']);
  const house = new House();
  try {
    const all = await seated(at, browser, language, options, house);
    await work(all);
    if (!all.tab.isClosed()) {
      await isLight(all.tab);
      await house.axe(all.person, 'the table');
    }
    assert.deepEqual([all.errors, all.person.dead, house.findings], [[], [], []]);
  } finally {
    await browser.close();
    at.server.close();
  }
}

test('a visitor who does not play loads nothing of it', LONG, async () => {
  const at = await served();
  const browser = await launch(['127.0.0.1']);
  const tab = await browser.newPage();
  for (const page of ['index.html', 'play/index.html', 'de/play/index.html']) await tab.goto(`${at.origin}/${page}`, { waitUntil: 'networkidle' });
  await browser.close();
  at.server.close();
  assert.deepEqual(at.asked.filter(name => name.includes('/play/app/')), []);
});

test('a page from disk says how to serve it', LONG, async () => {
  const browser = await launch();
  const tab = await browser.newPage();
  await tab.goto(`file://${path.resolve(folder)}/play/app/index.html`);
  assert.match(await tab.locator('#unserved').innerText(), /http\.server/);
  await browser.close();
});

for (const [language, options] of [['en', {}], ['de', PHONE]]) {
  test(`a game in ${language}, without a network`, LONG, () => inPage(language, options, async all => {
    await playOn([all.person], 10);
    await reloaded(all);
    await playOn([all.person], isSample ? 6 : Infinity);
    if (isSample && language === 'en') await secondTab(all);
  }));
}

test('what the address names is opened, or it is said what is wrong with it', LONG, async () => {
  const at = await served();
  const browser = await launch(['127.0.0.1']);
  const tab = await browser.newPage();
  const show = async (named, language = 'en') => {
    await tab.goto('about:blank');
    await tab.goto(`${at.origin}/play/app/index.html?language=${language}#${named}`);
  };
  const refused = words => tab.waitForFunction(said => document.getElementById('said').textContent.includes(said), words, { timeout: 120_000 });
  await show(`record=${encodeURIComponent(RECORD)}`);
  await (await inner(tab)).locator('[data-do=seek]').waitFor({ timeout: 120_000 });
  await show('record=nothing');
  await refused('line 1');
  await show('position=valletta/2+rules=hans-im-glueck');
  await refused('seats');
  await show('example=BLD-20/two-will-not-do', 'de');
  const page = await inner(tab);
  await page.locator('.guide button.clause', { hasText: 'BLD-20' }).waitFor({ timeout: 120_000 });
  for (let played = 0; played < 2; played += 1) {
    await page.locator(`body[data-revision="${played}"] .guide [data-do=answer]`).click();
    await page.locator(`body[data-revision="${played + 1}"]`).waitFor();
  }
  await page.locator('.guide [data-do=answer]').click();
  await page.locator('.word.refused .clause', { hasText: 'BLD-20' }).waitFor();
  await page.locator('[data-do=pay]').click(); // another answer: the cheapest payment, which is right
  await page.locator('body[data-revision="3"]').waitFor();
  assert.equal(await page.locator('.guide [data-do=answer]').count(), 0);
  await browser.close();
  at.server.close();
});

test('a first game with a coach', LONG, async () => {
  const at = await served();
  const browser = await launch(['127.0.0.1']);
  const house = new House();
  const tab = await browser.newPage();
  await tab.goto(`${at.origin}/play/app/index.html?language=de`);
  const page = await inner(tab);
  await page.locator('[data-do=coached]').check({ timeout: 120_000 });
  await page.locator('[data-do=open]').click();
  for (let led = 0; led < 3; led += 1) {
    await page.locator('.guide [data-do=answer]').waitFor({ timeout: 120_000 });
    const before = await page.evaluate(() => document.body.dataset.revision);
    if (led === 0) await house.axe({ tab: page }, 'the coach');
    await page.locator('.guide [data-do=answer]').click();
    await page.waitForFunction(revision => document.body.dataset.revision !== revision, before, { timeout: 120_000 });
  }
  await tab.goto('about:blank');
  await tab.goto(`${at.origin}/play/app/index.html?language=de#lesson=site`);
  const lesson = await inner(tab);
  await lesson.locator('.guide button.clause', { hasText: 'BLD-1' }).waitFor({ timeout: 120_000 });
  await lesson.locator('.guide [data-do=answer]').click({ timeout: 120_000 });
  await lesson.locator('body[data-revision="1"]').waitFor({ timeout: 120_000 });
  await browser.close();
  at.server.close();
  assert.deepEqual(house.findings, []);
});

if (games > 0) {
  test(`${games} games`, LONG, () => inPage('en', {}, async ({ person }) => {
    for (let game = 1; game <= games; game += 1) {
      person.seed = game;
      await playOn([person]);
      console.log(`# game ${game}`);
      if (game === games) return;
      await person.press(person.tab.locator('.finish a'));
      await person.tab.locator('[data-do=who]').first().waitFor();
      await newTable(person);
    }
  }));
}
