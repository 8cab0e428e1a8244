#!/usr/bin/env node
/**
 * Takes screenshots of the table in a browser, for the README and the documentation: docs/static/table.jpg in English and
 * table-de.jpg in German.  For each of them, the program starts a game and follows the hints until the player can choose
 * a site.  $LUCK is the seed of the games.
 *
 * usage: node spec/checks/browser/pictures.mjs      ($PYTHON: a Python with the package and its extra "web")
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inHouse } from '../../../tests/web/browser/lib/house.mjs';
import { waitUntilSettled } from '../../../tests/web/browser/lib/person.mjs';

const PICTURES = { en: 'table.jpg', de: 'table-de.jpg' };
const SIZE = { width: 1280, height: 860 };
const NAMES = ['Anna', 'Ben', 'Cleo'];
const ENOUGH = 30; // the minimum number of answers before a screenshot

/** Opens a table with two bots that answer without delay, and joins it. */
async function sitDown(house, language) {
  const table = await house.table([null, 'strong', 'strong'], { names: NAMES });
  const person = await house.person(NAMES[0], { language, options: { viewport: SIZE } });
  await person.open(table.link(table.opener, table.token(0)));
  if (await person.tab.locator('dialog[open]').count()) await person.close();
  await person.hurry();
  return person;
}

/**
 * Waits for the next prompt.  Returns true if it is time for a screenshot: `isEnough`, and the player can choose a site.
 * Otherwise follows the hint, and returns false.
 */
async function answer(person, isEnough) {
  const { tab } = person;
  await tab.locator('.question.mine').waitFor();
  if (isEnough && await tab.locator('button.site.legal').count() > 1) return true;
  const payment = tab.locator('[data-do=pay]');
  if (await payment.count()) await person.press(payment);
  else {
    await person.press(tab.locator('[data-do=hint]'));
    await tab.locator('.advised').first().waitFor();
    await person.press(tab.locator('.advised').first()); // the bar comes first: for a card that can be played in two ways, the choice is in the bar
  }
  await waitUntilSettled(person);
  return false;
}

/** Plays the beginning of a game in a language, and takes a screenshot. */
async function picture(house, language) {
  const person = await sitDown(house, language);
  for (let answers = 0; !await answer(person, answers >= ENOUGH); answers++) {
    if (answers > 4 * ENOUGH) throw new Error(`no site to choose after ${answers} answers; the bar shows: ${await person.bar()}`);
  }
  await person.tab.mouse.move(0, 0);
  const file = fileURLToPath(new URL(`../../../docs/static/${PICTURES[language]}`, import.meta.url));
  await person.tab.screenshot({ path: file, type: 'jpeg', quality: 60 });
  console.log(`${path.relative('', file)}: ${fs.statSync(file).size} bytes`);
}

await inHouse(async house => {
  for (const language of Object.keys(PICTURES)) await picture(house, language);
});
