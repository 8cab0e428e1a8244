/**
 * Plays whole games in Chromium by mouse, touch and keyboard, while connections break, pages are reloaded and the server is killed.
 *
 * usage: node tests/web/browser/games.mjs [--sample]
 *
 * With --sample, the games of two to four people with a page each are omitted, and the game on a shared phone ends after 40 actions.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { checkReason } from './lib/curious.mjs';
import { PHONE, TABLET, inHouse } from './lib/house.mjs';
import { Clicker, openMore, playOn, playUntil, waitUntilSettled } from './lib/person.mjs';
import { Typist } from './lib/typist.mjs';

const LONG = { timeout: 1_800_000 };
const SAMPLE = process.argv.includes('--sample');

/** The number of actions after which all faults in `mishaps` have occurred. */
const AFTER_FAULTS = 40;

/** The devices and languages of the players, assigned in turn in games of two, three and four people. */
const PAGES = [
  { options: {}, language: 'en' }, { options: PHONE, language: 'de' }, { options: TABLET, language: 'en' },
  { options: {}, language: 'de' }, { options: PHONE, language: 'en' }, { options: TABLET, language: 'de' },
];

/** Open a table for two people and a bot with the form of the lobby; return the link for the second person. */
async function openTable(anna) {
  const { tab } = anna;
  await openMore(tab);
  await tab.locator('label:has([data-do=count][value="3"])').click();
  for (const [seat, name, who] of [[0, 'Anna', 'here'], [1, 'Ben <b>', 'link'], [2, '', 'novice']]) {
    await tab.locator(`[data-do=name][data-seat="${seat}"]`).fill(name);
    await tab.locator(`[data-do=who][data-seat="${seat}"]`).selectOption(who);
  }
  await anna.press(tab.locator('[data-do=open]'));
  await waitUntilSettled(anna);
  const field = tab.locator('dialog[open] .links li', { hasText: 'Ben <b>' }).locator('input');
  const link = new URL(await field.inputValue());
  await anna.close();
  await anna.hurry();
  return link.pathname + link.hash;
}

/** Return faults to inject into a game, each with the number of actions after which it occurs. */
function mishaps(house, people) {
  const all = () => Promise.all(people.map(waitUntilSettled));
  const [one] = people, other = people.at(-1);
  return [
    [12, () => house.roughly(async () => {
      house.relay.cut();
      while (house.relay.sockets < people.length) await new Promise(go => setTimeout(go, 50));
      await all();
    })],
    [20, async () => { await one.tab.reload(); await waitUntilSettled(one); }],
    [28, async () => { await other.tab.goBack(); await other.tab.goForward(); await waitUntilSettled(other); }],
    [36, () => house.roughly(async () => { await house.server.kill(); await house.server.start(); await all(); })],
  ];
}

/** Play a game to its end, or at most `most` actions, and inject the faults. */
async function playThrough(house, people, most = Infinity) {
  const coming = mishaps(house, people);
  const reasons = new Map(); // for each person, the kind of reason that the page has shown for a site that cannot be chosen
  const done = await playOn(people, most, async count => {
    for (const person of people) {
      if (reasons.get(person) !== 'rule') reasons.set(person, await checkReason(person, Boolean(reasons.get(person))) ?? reasons.get(person));
    }
    if (coming[0] && count >= coming[0][0]) await coming.shift()[1]();
    if (SAMPLE && count === AFTER_FAULTS) for (const person of people) person.touch = Clicker.prototype.touch; // clicks by script are faster than moving the mouse
  });
  assert.deepEqual(coming, [], 'every fault must have been injected before the game is over');
  assert.ok(people.every(person => reasons.get(person)), 'every person must have pressed a site that cannot be chosen');
  if (most === Infinity) await end(house, people, done);
}

/** Check that all pages show the same result; check earlier moments, the analysis, the exercises and the record on the first page. */
async function end(house, people, done) {
  const sheets = await Promise.all(people.map(sheet));
  assert.ok(sheets[0].length > 0 && done > 40);
  for (const each of sheets) assert.deepEqual(each, sheets[0], 'all pages must show the same score sheet');
  await viewEarlierMoment(people[0], people[0].tab.locator('.finish [data-do=first]'));
  await analyse(house, people[0]);
  await study(people[0]);
  await openRecord(house, people[0], sheets[0]);
}

/** View an earlier moment of the game by a button, check that no action is possible there, and return to the present. */
async function viewEarlierMoment(person, button) {
  await person.press(button);
  await person.until(() => document.body.dataset.looking === 'true');
  assert.equal(await person.tab.locator('button.legal').count(), 0);
  await person.press(person.tab.locator('[data-do=now]'));
  await person.until(() => document.body.dataset.looking === 'false');
}

/** Request the analysis of the game; check that it is stored across a reload, and that its sentences link to moments. */
async function analyse(house, person) {
  await person.press(person.tab.locator('.finish [data-do=analyse]'));
  await person.tab.locator('.report').waitFor();
  const report = await person.tab.locator('.report').innerText();
  await person.tab.reload();
  await person.tab.locator('.report').waitFor();
  assert.equal(await person.tab.locator('.report').innerText(), report, 'a reloaded page must show the stored analysis');
  await house.axe(person, 'the analysis');
  await house.shoot(person, 'the analysis');
  const links = person.tab.locator('.report [data-do=look]');
  if (await links.count()) await viewEarlierMoment(person, links.first());
}

/** Do up to two exercises; check that each answer is judged, that the solution names a better answer, and that the result is shown afterwards. */
async function study(person) {
  const { tab } = person;
  await person.press(tab.locator('.finish [data-do=study]').first());
  await person.until(() => document.querySelector('.study') && !document.querySelector('.finish'));
  for (const number of [1, 2]) {
    assert.match(await tab.locator('.study p').innerText(), new RegExp(`^${number} `));
    assert.equal(await tab.locator('.held.other').count(), 0, 'an exercise must show only one hand');
    await playUntil([person], '.word');
    if (await tab.locator('[data-do=solution]').count()) await person.press(tab.locator('[data-do=solution]'));
    assert.match(await tab.locator('.word').innerText(), /Be(tter|sser): /);
    assert.equal(await tab.locator('button.legal').count(), 0, 'no action may be possible after the solution');
    if (!await tab.locator('.study [data-key=next]').count()) break;
    await person.press(tab.locator('.study [data-key=next]'));
    await person.until(() => !document.querySelector('.word') && document.body.dataset.looking === 'false');
  }
  await person.press(tab.locator('[data-do=study-end]'));
  await tab.locator('.finish .report').waitFor();
}

/** Download the record of a finished game, open it in the lobby, and check that it ends with the same score sheet. */
async function openRecord(house, person, end) {
  const { tab } = person;
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.locator('.finish [data-do=record]').click()]); // a download does not change the page, as `press` requires
  const file = path.join(house.server.folder, 'record.txt');
  await download.saveAs(file);
  await tab.goto(house.origin);
  await tab.locator('[data-do=record]').setInputFiles(file);
  await person.until(() => document.querySelector('[data-do=seek]'));
  await tab.locator('[data-do=seek]').press('End');
  await person.until(() => document.querySelector('.finish .sheet'));
  assert.deepEqual(await sheet(person), end);
}

/** Return the rows of the score sheet, without the words that mark the winner and the player at the page. */
function sheet(person) {
  return person.tab.locator('.finish .sheet tbody tr').evaluateAll(rows => rows.map(row => [...row.cells].map(
    cell => [...cell.childNodes].filter(each => each.nodeName !== 'SMALL').map(each => each.textContent).join('').replace(/(?<=★).*/, ''))));
}

test('two people and a bot can play a game that was opened in the lobby', LONG, () => inHouse(async house => {
  const anna = await house.person('Anna');
  const ben = await house.person('Ben');
  await anna.tab.goto(house.origin);
  await ben.tab.goto(house.origin);
  await ben.open(house.origin + await openTable(anna));
  await playThrough(house, [anna, ben]);
}));

test('two people who share a phone can play a game with a bot', LONG, () => inHouse(async house => {
  const table = await house.table([null, null, 'novice']);
  const both = await house.person('both', { options: PHONE, language: 'de' });
  await both.tab.goto(house.origin);
  await both.open(table.link(table.opener, table.token(0), table.token(1)));
  if (await both.tab.locator('dialog[open]').count()) await both.press(both.tab.locator('dialog[open] [data-do=close]'));
  await both.hurry();
  await playThrough(house, [both], SAMPLE ? AFTER_FAULTS : Infinity);
}));

for (const [count, first] of SAMPLE ? [] : [[2, 0], [3, 2], [4, 5]]) {
  test(`${count} people, each with their own page, can play a game`, LONG, () => inHouse(async house => {
    const table = await house.table(Array(count).fill(null));
    const people = [];
    for (let seat = 0; seat < count; seat += 1) {
      const person = await house.person(`seat ${seat}`, PAGES[(first + seat) % PAGES.length]);
      await person.tab.goto(house.origin);
      await person.open(table.link(table.token(seat)));
      people.push(person);
    }
    await playThrough(house, people);
  }));
}

test('a second player joins, is replaced by a bot while away, returns, and joins the rematch', LONG, () => inHouse(async house => {
  const [host, friend] = await Promise.all([['the host', {}], ['the friend', { options: PHONE, language: 'de' }]].map(([name, how]) => house.person(name, { Kind: Clicker, ...how })));
  const named = async (person, name) => {
    await person.tab.locator('dialog form input').fill(name);
    await house.axe(person, `the name of ${person.name}`);
    await person.press(person.tab.locator('dialog form button'));
    await host.tab.locator('.panel .name', { hasText: name }).waitFor();
  };
  await host.tab.goto(house.origin);
  await host.press(host.tab.locator('[data-do=quick][data-who=link]'));
  await host.tab.locator('dialog form input').waitFor();
  await named(host, 'Ann');
  const seat = host.tab.locator('.links li', { has: host.tab.locator('[data-do=sit-in]') });
  const link = await seat.locator('input').inputValue();
  await friend.open(link);
  await named(friend, 'Ben');
  await friend.tab.goto('about:blank');
  await seat.getByText('away').waitFor(); // a bot can replace only a player who is away
  await host.tab.locator('[data-do=sit-in]').selectOption('novice');
  await host.close();
  await host.hurry();
  await playOn([host]);
  await friend.open(link);
  for (const person of [host, friend]) {
    await person.tab.locator('.finish').waitFor();
    await person.press(person.tab.locator('[data-do=rematch]'));
    await person.until(() => document.body.dataset.link === 'open' && !document.querySelector('.finish'));
    await house.shoot(person, `rematch, ${person.name}`);
  }
  assert.equal(new URL(host.tab.url()).pathname, new URL(friend.tab.url()).pathname);
  const names = ({ tab }) => tab.locator('.panel .name').allInnerTexts();
  assert.deepEqual(await names(friend), await names(host));
}));

test('a game can be played to its end by keyboard alone', LONG, () => inHouse(async house => {
  const table = await house.table([null, 'novice']);
  const anna = await house.person('Anna', { Kind: Typist });
  await anna.open(table.link(table.opener, table.token(0)));
  await anna.tab.locator('.question.mine').waitFor(); // the page closes the menu when a turn begins
  await anna.go({ kind: '[data-do=menu]' });
  await anna.type('Enter');
  await anna.go({ kind: '[data-do=pause]' });
  for (const key of ['ArrowUp', 'ArrowUp', 'Escape']) await anna.type(key); // the default pause, a short pause, no pause
  await anna.until(() => !document.querySelector('dialog[open]'));
  assert.ok(await anna.has('[data-do=menu]'), 'closing the dialog must return the focus to the menu button');
  await end(house, [anna], await playOn([anna]));
  assert.deepEqual(anna.lost, [], 'an element must have the focus after each press');
}));
