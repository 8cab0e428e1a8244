#!/usr/bin/env node
/**
 * Takes the pictures of the table in a browser that the README and the pages in each language show: plays into a game
 * of its own, by the hints that the table gives, until a site can be chosen, and writes docs/static/table.jpg and
 * table-de.jpg.  Chance decides what is on them.
 *
 * usage: node docs/checks/table.mjs      ($PYTHON: the Python that has the package with the extra web)
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './lib/chromium.mjs';

const PICTURES = { 'en-GB': 'table.jpg', 'de-DE': 'table-de.jpg' };
const SIZE = { width: 1280, height: 860 };
const NAMES = ['Anna', 'Ben', 'Cleo'];
const ENOUGH = 30; // answers, before the picture may be taken

/** Serve tables in a folder; gives the address once they are there. */
function serve(folder) {
  const server = spawn(process.env.PYTHON ?? 'python3',
    ['-m', 'valletta_rules', 'serve', '--no-browser', '--port', '0', '--folder', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    server.on('exit', code => reject(new Error(`the server ended: ${code}`)));
    server.stdout.on('data', said => {
      const address = /http:\S+/.exec(String(said));
      if (address) resolve({ server, address: address[0] });
    });
  });
}

/** Open a table for a person and players of the machine who do not wait. */
async function sitDown(tab, address) {
  await tab.goto(address);
  await tab.check('[data-do=count][value="3"]', { force: true });
  for (const [seat, name] of NAMES.entries()) await tab.fill(`[data-do=name][data-seat="${seat}"]`, name);
  for (const seat of [1, 2]) await tab.selectOption(`[data-do=who][data-seat="${seat}"]`, 'strong');
  await tab.click('[data-do=open]');
  await tab.click('[data-do=menu]');
  await tab.selectOption('[data-do=pause]', '0');
  await tab.keyboard.press('Escape');
}

/** Answer as the table advises, once it is for the person to answer; tells whether a site is to be chosen. */
async function answer(tab, isEnough) {
  await tab.waitForSelector('.question.mine', { timeout: 60_000 });
  if (isEnough && await tab.locator('button.site.legal').count() > 1) return true;
  const sentence = await tab.textContent('#sentence');
  const payment = tab.locator('[data-do=pay]');
  if (await payment.count()) await payment.click();
  else {
    await tab.click('[data-do=hint]');
    await tab.waitForSelector('.advised', { timeout: 60_000 });
    await tab.locator('.advised').first().click(); // the bar comes first: a card that can be played in two ways asks in the bar
  }
  await tab.waitForFunction(before => document.querySelector('#sentence')?.textContent !== before || !document.querySelector('.sending'), sentence);
  await tab.waitForTimeout(300);
  return false;
}

/** Play into a game in a language, and take its picture. */
async function picture(browser, address, locale) {
  const tab = await browser.newPage({ viewport: SIZE, locale, reducedMotion: 'reduce' });
  await sitDown(tab, address);
  for (let answers = 0; !await answer(tab, answers >= ENOUGH); answers++) {
    if (answers > 4 * ENOUGH) throw new Error(`nothing can be built: ${await tab.textContent('#sentence')}`);
  }
  await tab.mouse.move(0, 0);
  const file = fileURLToPath(new URL(`../static/${PICTURES[locale]}`, import.meta.url));
  await tab.screenshot({ path: file, type: 'jpeg', quality: 60 });
  console.log(`${path.relative('', file)}: ${fs.statSync(file).size} bytes`);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'valletta-'));
const { server, address } = await serve(folder);
const browser = await launch([new URL(address).hostname]);
try {
  for (const locale of Object.keys(PICTURES)) await picture(browser, address, locale);
} finally {
  await browser.close();
  server.removeAllListeners('exit');
  server.kill();
  fs.rmSync(folder, { recursive: true, force: true });
}
