#!/usr/bin/env node
/**
 * Takes the pictures of the table in a browser that the README and the pages in each language show: plays into a game
 * of its own, by the hints that the table gives, until a site can be chosen, and writes docs/static/table.jpg and
 * table-de.jpg.  $LUCK decides what is on them.
 *
 * usage: node spec/checks/browser/pictures.mjs      ($PYTHON: the Python that has the package with the extra web)
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inHouse } from '../../../tests/web/browser/lib/house.mjs';
import { opened } from '../../../tests/web/browser/lib/person.mjs';

const PICTURES = { en: 'table.jpg', de: 'table-de.jpg' };
const SIZE = { width: 1280, height: 860 };
const NAMES = ['Anna', 'Ben', 'Cleo'];
const ENOUGH = 30; // answers, before the picture may be taken

/** Sit down at a table with players of the machine who do not wait. */
async function sitDown(house, language) {
  const table = await house.table([null, 'strong', 'strong'], { names: NAMES });
  const person = await house.person(NAMES[0], { language, options: { viewport: SIZE } });
  await person.open(table.link(table.opener, table.token(0)));
  if (await person.tab.locator('dialog[open]').count()) await person.close();
  await person.hurry();
  return person;
}

/** Answer as the table advises, once it is for the person to answer; tells whether a site is to be chosen. */
async function answer(person, isEnough) {
  const { tab } = person;
  await tab.locator('.question.mine').waitFor();
  if (isEnough && await tab.locator('button.site.legal').count() > 1) return true;
  const payment = tab.locator('[data-do=pay]');
  if (await payment.count()) await person.press(payment);
  else {
    await person.press(tab.locator('[data-do=hint]'));
    await tab.locator('.advised').first().waitFor();
    await person.press(tab.locator('.advised').first()); // the bar comes first: a card that can be played in two ways asks in the bar
  }
  await opened(person);
  return false;
}

/** Play into a game in a language, and take its picture. */
async function picture(house, language) {
  const person = await sitDown(house, language);
  for (let answers = 0; !await answer(person, answers >= ENOUGH); answers++) {
    if (answers > 4 * ENOUGH) throw new Error(`nothing can be built: ${await person.bar()}`);
  }
  await person.tab.mouse.move(0, 0);
  const file = fileURLToPath(new URL(`../../../docs/static/${PICTURES[language]}`, import.meta.url));
  await person.tab.screenshot({ path: file, type: 'jpeg', quality: 60 });
  console.log(`${path.relative('', file)}: ${fs.statSync(file).size} bytes`);
}

await inHouse(async house => {
  for (const language of Object.keys(PICTURES)) await picture(house, language);
});
