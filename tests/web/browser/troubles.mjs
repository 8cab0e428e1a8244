/** Injects single faults into a game in Chromium: server crashes, duplicated messages, second tabs, reloads, revoked links. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { checkReason } from './lib/curious.mjs';
import { inHouse } from './lib/house.mjs';
import { playOn, playUntil, waitUntilSettled } from './lib/person.mjs';

const SHORT = { timeout: 300_000 };

/** Wait until one of the people must answer, and return that person. */
async function waitForTurn(...people) {
  for (;;) {
    for (const person of people) if (await person.tab.evaluate(() => /^●/.test(document.title))) return person;
    await new Promise(done => setTimeout(done, 30));
  }
}

/** Open a table for two people and a page for each of them. */
async function two(house) {
  const table = await house.table();
  const anna = await house.person('Anna');
  const ben = await house.person('Ben');
  await anna.open(table.link(table.token(0)));
  await ben.open(table.link(table.token(1)));
  return { table, anna, ben };
}

for (const [name, dies] of [['between commit and ack', 'commit:6'], ['between ack and step', 'ack:6']]) {
  test(`an answer counts exactly once if the server crashes ${name}`, SHORT, () => inHouse(async house => {
    const { anna, ben } = await two(house);
    let [player, before, isDead] = [anna, 0, false];
    house.server.ended.then(() => { isDead = true; });
    await house.roughly(async () => {
      for (let count = 0; count < 60 && !isDead; count += 1) {
        player = await waitForTurn(anna, ben);
        before = await player.revision();
        await player.act();
        await player.until(() => !document.querySelector('[data-sent], .sending') || document.body.dataset.link === 'lost');
      }
      assert.ok(isDead, 'the server must crash within 60 actions');
      await house.server.start();
      await waitUntilSettled(anna);
      await waitUntilSettled(ben);
    });
    await player.until(count => document.body.dataset.revision === String(count), before + 1);
    await new Promise(done => setTimeout(done, 500));
    assert.equal(await anna.revision(), before + 1, 'the answer must create exactly one revision');
    assert.equal(await ben.revision(), before + 1);
    assert.equal(await playOn([anna, ben], 6), 6, 'the game must continue for six further actions');
  }, { dies }));
}

test('two tabs of a seat show the same revision after both have answered the same prompt', SHORT, () => inHouse(async house => {
  const { table, anna, ben } = await two(house);
  const again = await house.person('Anna in another tab', { companion: anna });
  await again.open(table.link(table.token(0)));
  for (let round = 0; round < 6; round += 1) {
    while (await waitForTurn(anna, ben) === ben) await ben.act();
    await again.until(() => /^●/.test(document.title));
    const before = await anna.revision();
    while (await anna.revision() === before) { // a card that can be played in two ways needs two presses
      await Promise.all([anna.act(), again.act()]);
      await waitUntilSettled(anna);
      await waitUntilSettled(again);
    }
    await new Promise(done => setTimeout(done, 300));
    assert.equal(await anna.revision(), await again.revision(), 'both tabs must show the same revision');
  }
}));

test('a double click on undo and duplicated messages undo exactly one step', SHORT, () => inHouse(async house => {
  const table = await house.table();
  const both = await house.person('both');
  await both.open(table.link(table.token(0), table.token(1)));
  await playOn([both], 8);
  while (!await both.tab.locator('[data-do=undo]').count()) await playOn([both], 1);
  await waitUntilSettled(both);
  const struck = () => both.tab.locator('#journal .struck').count();
  const before = await struck();
  house.relay.doubles = true; // the messages for the answer and for the undo arrive twice
  await both.tab.locator('[data-do=undo]').dblclick();
  if (await both.tab.locator('[data-do=undo-agreed]').count()) await both.tab.locator('[data-do=undo-agreed]').click();
  await both.tab.waitForFunction(count => document.querySelectorAll('#journal .struck').length > count, before);
  await waitUntilSettled(both);
  await new Promise(done => setTimeout(done, 500));
  assert.equal(await struck(), before + 1, 'exactly one step must be undone');
  assert.equal(await playOn([both], 6), 6, 'the game must continue for six further actions');
  assert.ok(house.relay.doubled > 0);
  await waitUntilSettled(both);
  const readLog = () => both.tab.locator('#journal .log > li').evaluateAll(all => all.map(it => `${it.className} ${it.textContent}`));
  const logBefore = await readLog();
  await both.tab.reload();
  await waitUntilSettled(both);
  assert.deepEqual(await readLog(), logBefore, 'a page must show the same log after a reload');
}));

test('a new link for a seat disconnects the page that uses the old link', SHORT, () => inHouse(async house => {
  const table = await house.table();
  const anna = await house.person('Anna');
  const ben = await house.person('Ben');
  await anna.tab.addInitScript(({ name, keys }) => { // the lobby stores this on the device of the person who opened the table
    localStorage.getItem(name) ?? localStorage.setItem(name, keys);
  }, { name: `valletta.table.${table.table}`, keys: JSON.stringify({ opener: table.opener, invitations: table.invitations }) });
  await anna.open(table.link(table.token(0)));
  await ben.open(table.link(table.token(1)));
  await anna.openLinks();
  await anna.press(anna.tab.locator('[data-do=renew][data-seat="1"]'));
  await ben.until(() => document.body.dataset.link === 'ended');
  await anna.until(old => [...document.querySelectorAll('.links input')].some(it => it.value.includes('#') && !it.value.includes(old)), table.token(1));
  const links = await anna.tab.locator('.links input').evaluateAll(all => all.map(it => it.value));
  assert.ok(!links.some(link => link.includes(table.token(1))), 'the page must not show the old link');
  const fresh = links.map(link => new URL(link)).find(link => link.hash && link.hash !== `#${table.token(0)}`);
  assert.ok(fresh, `the page must show a new link, not only ${links}`);
  await ben.tab.reload();
  await ben.until(() => document.body.dataset.link === 'ended');
  await ben.open(`${house.origin}${fresh.pathname}${fresh.hash}`);
  await ben.tab.reload();
  await anna.tab.locator('[data-do=close]').click();
  assert.equal(await playOn([anna, ben], 6), 6, 'the game must continue for six further actions');
}));

test('a changed payment survives a reload, and so does its reset to the cheapest payment', SHORT, () => inHouse(async house => {
  const { anna, ben } = await two(house);
  const payer = await playUntil([anna, ben], '.payment [data-do=more]:not([aria-disabled=true])');
  const chosen = () => payer.tab.locator('.payment .chosen b').allInnerTexts();
  const cheapest = await chosen();
  await payer.press(payer.tab.locator('.payment [data-do=more]:not([aria-disabled=true])').first());
  const changed = await chosen();
  assert.notDeepEqual(changed, cheapest);
  await payer.tab.reload();
  await payer.until(() => document.querySelector('.payment'));
  assert.deepEqual(await chosen(), changed);
  await payer.press(payer.tab.locator('[data-do=cheapest]'));
  await payer.tab.reload();
  await payer.until(() => document.querySelector('.payment'));
  assert.deepEqual(await chosen(), cheapest, 'the changed payment must not be restored after the reset');
  await payer.press(payer.tab.locator('[data-do=pay]'));
  await payer.until(() => !document.querySelector('.payment'));
}));

test('a step of another player does not change the focus, the open dialog or the scroll position', SHORT, () => inHouse(async house => {
  const { anna, ben } = await two(house);
  while (await waitForTurn(anna, ben) === anna) await anna.act();
  const site = anna.tab.locator('button.site').nth(7);
  const step = async () => {
    for (const before = await anna.revision(); await anna.revision() === before;) {
      await ben.act();
      await waitUntilSettled(ben);
    }
  };
  await site.focus();
  await anna.tab.evaluate(() => { scrollTo(0, 60); window.scrolled = scrollY; });
  await step();
  assert.ok(await site.evaluate(it => it === document.activeElement), 'the focus must stay on the same site');
  assert.ok(await anna.tab.evaluate(() => scrollY === window.scrolled), 'the scroll position must not change');
  while (await waitForTurn(anna, ben) === anna) await anna.act();
  await anna.tab.locator('#tray [data-do=hire]').first().focus();
  await anna.tab.keyboard.press('?');
  await step();
  assert.ok(await anna.tab.locator('dialog[open] .description').isVisible(), 'the dialog of the card must stay open');
  await anna.tab.keyboard.press('Escape');
  assert.ok(await anna.tab.evaluate(() => document.activeElement.matches('#tray [data-do=hire]')), 'closing the dialog must return the focus to the button in the supply');
  await anna.tab.keyboard.press('?');
  await anna.tab.locator('dialog[open] .description').waitFor();
  while (await waitForTurn(anna, ben) === ben) await ben.act();
  await anna.until(() => !document.querySelector('dialog[open]') && document.querySelector('link[rel=icon]').href.endsWith('icon-turn.svg'));
}));

test('pressing a site that cannot be chosen shows the reason and the clause of the rules', SHORT, () => inHouse(async house => {
  const { anna, ben } = await two(house);
  assert.equal(await checkReason(await playUntil([anna, ben], 'button.site.legal')), 'rule');
}));
