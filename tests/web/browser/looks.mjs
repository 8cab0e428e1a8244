/**
 * Checks every kind of screen with axe-core, in light and dark colours, in English and German, on a desktop and a phone.  Controls must not
 * overlap.  The font of the board and the hand must have at least ten pixels on a desktop and on a tablet in landscape.
 *
 * usage: node tests/web/browser/looks.mjs [--sample]
 *
 * With --sample, only English on a light desktop and German on a dark phone are checked.  $SHOTS names a folder for screenshots.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { PHONE, TABLET, inHouse } from './lib/house.mjs';
import { openMore, playUntil } from './lib/person.mjs';

const LONG = { timeout: 1_800_000 };
const SAMPLE = process.argv.includes('--sample');
const SCHEMES = ['light', 'dark'];
const WAYS = [
  { name: 'desk, English', language: 'en', options: {} },
  { name: 'phone, German', language: 'de', options: PHONE },
  { name: 'phone, English', language: 'en', options: PHONE },
  { name: 'desk, German', language: 'de', options: {} },
].slice(0, SAMPLE ? 2 : 4);

/** The widths at which no controls may overlap: a phone, a tablet in portrait and in landscape, a desktop. */
const WIDTHS = [390, 768, 1024, 1280];

/** A player's name that looks like code, to check that all screens display it as text, including the analysis. */
const NAME = 'javascript:<b onload={0}>%s</b>';

/** A card set with several validation errors. */
const WRONG = 'name = ""\n[[starting_buildings]]\ncharacter = "nobody"\n[starting_buildings.cost]\ngold = -1\n';

/** Open a table for a person and a bot, let a second bot substitute for the person so that the game is played to its end, and return the table. */
async function aGameThatEnds(house) {
  const table = await house.table([null, 'novice'], { names: [NAME, 'Ben'] });
  const opener = await house.person('the opener');
  await opener.open(table.link(table.opener));
  await opener.openLinks();
  await opener.tab.locator('[data-do=sit-in][data-seat="0"]').selectOption('novice');
  await opener.until(() => document.querySelector('.panel[data-seat="0"] .presence')?.textContent.includes('Novice'));
  await opener.tab.close(); // without a connected page, the bots do not pause
  return table;
}

/** Open the sheet of an element with the key "?". */
async function openExplanation(person, locator) {
  await locator.press('?');
  await person.tab.locator('dialog[open]').waitFor();
}

/** Check the lobby, also with an invalid card set, and a lesson. */
async function lobby(house, person, checkScreen) {
  const { tab } = person;
  await tab.goto(house.origin);
  await tab.locator('[data-do=quick]').first().waitFor();
  await checkScreen('lobby');
  await openMore(tab);
  await checkScreen('lobby, more');
  await tab.locator('label:has([data-do=own])').click();
  await tab.locator('[data-do=cards]').setInputFiles({ name: 'mine.toml', mimeType: 'text/plain', buffer: Buffer.from(WRONG) });
  await tab.locator('.problems li').first().waitFor();
  await checkScreen('lobby, wrong cards');
  await person.press(tab.locator('.quick [href="#lesson=goods"]'));
  await tab.locator('.guide p').waitFor();
  await checkScreen('lesson');
  await person.press(tab.locator('#hand .card.legal[data-card=builder]').first());
  await tab.locator('.word.sure').waitFor();
  assert.equal(await tab.locator('.guide p').count(), 0, 'the guide must have no text while the coach questions an answer');
  await checkScreen('doubt');
}

/** Halve the width of the window, like a zoom of 200 %, but not below 320 px, and check that no content is cut off at the side. */
async function larger(house, person, screen) {
  const size = person.tab.viewportSize();
  await person.tab.setViewportSize({ width: Math.max(320, size.width / 2), height: size.height });
  await house.sideways(person, `${screen}, larger`);
  await house.shoot(person, `${screen}, larger`);
  await person.tab.setViewportSize(size);
}

/** Check a table for two people who share a screen, and its sheets. */
async function table(house, person, checkScreen) {
  const { tab } = person;
  const laid = await house.table([null, null, 'novice']);
  await person.open(laid.link(laid.opener, laid.token(0), laid.token(1)));
  await tab.locator('[data-do=present]').waitFor();
  await checkScreen('curtain');
  await person.press(tab.locator('[data-do=present]'));
  await checkScreen('draft');
  await playUntil([person], '#hand .card.legal');
  await checkScreen('table');
  await person.press(tab.locator('[data-do=menu]'));
  await checkScreen('menu');
  await person.openLinks();
  await checkScreen('links');
  await person.close();
  await openExplanation(person, tab.locator('#hand .card').first());
  await checkScreen('card');
  await person.close();
  await openExplanation(person, tab.locator('button.site').first());
  await checkScreen('site');
  await person.close();
  await person.press(tab.locator('.question .clause'));
  await person.until(() => (document.querySelector('#prose .clause-text')?.textContent ?? '').length > 20);
  await checkScreen('rule');
  await person.press(tab.locator('#prose .rule .close'));
  await person.press(tab.locator('[data-do=hint]'));
  await tab.locator('.word.hint').waitFor();
  await atHand(person);
  await checkScreen('hint');
}

/** Check that the menu button can be pressed; on a phone, check that the head of the page shows a player's goods and name. */
async function atHand(person) {
  const { tab } = person;
  await tab.locator('[data-do=menu]').click({ trial: true });
  const menu = await tab.locator('[data-do=menu]').boundingBox();
  assert.ok(menu.y >= 0 && menu.y + menu.height <= tab.viewportSize().height, 'the menu button must be inside the window');
  if (person.hasFinger) assert.equal(await tab.locator('#head .stock').isVisible(), true);
  if (person.hasFinger) assert.ok(await tab.locator('#head .tag:visible').count(), 'the head of the page must show the name of a player');
}

/** Return messages about texts of the board and the hand below ten pixels, except single letters, and about cards that extend below the window. */
function tooSmall() {
  const texts = [...document.querySelectorAll('#board text, #hand text')].filter(each => each.textContent.length > 1 || /\d/.test(each.textContent));
  const small = texts.filter(each => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a < 10);
  const cards = [...document.querySelectorAll('#hand .holder')].filter(each => each.getBoundingClientRect().bottom > innerHeight);
  return [...new Set(small.map(each => `"${each.textContent}" is too small`)), ...cards.map(each => `${each.dataset.key} is below the window`)];
}

/** Check the screens that appear only later in a game: sites, payments, earlier moments. */
async function later(house, person, checkScreen) {
  const { tab } = person;
  await playUntil([person], 'button.site.legal');
  await checkScreen('sites');
  await openExplanation(person, tab.locator('button.site:not(.legal)').first());
  await tab.locator('dialog[open] .why .clause').waitFor();
  await checkScreen('why not');
  await person.close();
  if (person.hasFinger) {
    await person.press(tab.locator('button.site.legal').first());
    await checkScreen('row');
    await person.close();
  }
  await playUntil([person], '.payment');
  await checkScreen('payment');
  await person.press(tab.locator('[data-do=look-back]'));
  await tab.locator('.replay').waitFor();
  await checkScreen('look back');
  if (person.hasFinger) {
    await person.press(tab.locator('[data-tab=log]'));
    await checkScreen('log');
  }
}

/** Check the result of a game, its analysis, an exercise, and its record. */
async function end(house, person, checkScreen, ended) {
  const { tab } = person;
  await person.open(ended.link());
  await tab.locator('.finish .sheet').waitFor({ timeout: 240_000 });
  await person.open(ended.link(ended.token(0)));
  await tab.locator('.finish .sheet').waitFor();
  await checkScreen('end');
  await person.press(tab.locator('[data-do=analyse]'));
  await tab.locator('.report th', { hasText: NAME }).first().waitFor({ timeout: 120_000 });
  await checkScreen('report');
  await person.press(tab.locator('[data-do=study]'));
  await person.until(() => document.querySelector('.study') && !document.querySelector('.finish'));
  await checkScreen('mistake');
  await person.press(tab.locator('[data-do=solution]'));
  await checkScreen('solution');
  await person.press(tab.locator('[data-do=study-end]'));
  await person.press(tab.locator('.report section:last-of-type [data-do=look]').first());
  await tab.locator('.judged').waitFor();
  await atHand(person);
  await checkScreen('judgement');
  const record = await fetch(`${house.origin}/api/tables/${ended.table}/record`, { headers: { authorization: `Bearer ${ended.token(0)}` } });
  const replay = await fetch(`${house.origin}/api/replay`, { method: 'POST', body: await record.text() });
  await person.open(`${house.origin}/table/${(await replay.json()).table}`);
  await tab.locator('.replay').waitFor();
  await person.press(tab.locator('[data-do=forward]'));
  await checkScreen('record');
}

for (const [number, { name, language, options }] of WAYS.entries()) {
  test(`every kind of screen passes axe-core, and no controls overlap: ${name}`, LONG, () => inHouse(async house => {
    const ended = await aGameThatEnds(house);
    const person = await house.person(name, { language, options, seed: 3 }); // with this seed, the game has a prompt for a payment
    const checkScreen = async screen => {
      for (const colorScheme of SAMPLE ? [SCHEMES[number]] : SCHEMES) {
        await person.tab.emulateMedia({ colorScheme });
        await house.axe(person, `${screen}: ${name}, ${colorScheme}`);
        await house.shoot(person, `${screen}, ${name}, ${colorScheme}`);
      }
      await house.overlaps(person, `${screen}: ${name}`, WIDTHS);
    };
    await lobby(house, person, checkScreen);
    await larger(house, person, `lobby, ${name}`);
    await table(house, person, checkScreen);
    await larger(house, person, `hint, ${name}`);
    await later(house, person, checkScreen);
    await end(house, person, checkScreen, ended);
  }));
}

test('the text of the board and the hand has at least ten pixels in games of two, three and four players', LONG, () => inHouse(async house => {
  for (const count of [2, 3, 4]) {
    const person = await house.person(`${count} players`);
    const laid = await house.table([null, ...Array(count - 1).fill('novice')]);
    await person.open(laid.link(laid.token(0)));
    await playUntil([person], '#hand .card.legal');
    for (const size of [TABLET.viewport, { width: 1280, height: 800 }]) {
      await person.tab.setViewportSize(size);
      house.findings.push(...(await person.tab.evaluate(tooSmall)).map(each => `${count} players, ${size.width} px: ${each}`));
    }
    await house.overlaps(person, `${count} players`, WIDTHS);
    await house.shoot(person, `${count} players`);
  }
}));
