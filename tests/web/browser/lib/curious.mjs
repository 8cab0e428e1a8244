/** Press items that cannot be chosen. */
import assert from 'node:assert/strict';
import { opened } from './person.mjs';

/**
 * Press a site that cannot be chosen, if it is the turn of the person: the page gives the reason, and sends no answer.
 *
 * If a site must be chosen, the reason cites a rule, which links to the rulebook; with `wantsRule` nothing is pressed elsewhere.
 * Returns the kind of the reason: `rule`, `other`, or nothing.
 */
export async function askWhyNot(person, wantsRule = false) {
  await opened(person);
  const { tab } = person;
  const quiet = tab.locator('button.site:not(.legal)').first();
  if (!await tab.locator('.question.mine').count() || !await quiet.count()) return null;
  const asksForSites = await tab.locator('button.site.legal').count() > 0;
  if (wantsRule && !asksForSites) return null;
  const before = await person.revision();
  await quiet.evaluate(it => it.scrollIntoView({ block: 'center' })); // the head does not lie on it
  if (!await person.press(quiet, { force: true })) return null; // it says that it is disabled, and answers all the same
  const inRow = tab.locator('dialog[open] [data-do=site-sheet]'); // on a phone the row lies open
  if (await inRow.count()) await person.press(inRow.first());
  await tab.locator('dialog[open] .why').waitFor();
  if (asksForSites) {
    await person.press(tab.locator('dialog[open] .why .clause'));
    await person.until(() => (document.querySelector('dialog[open] .clause-text')?.textContent ?? '').length > 20);
  }
  await person.press(tab.locator('dialog[open] [data-do=close]'));
  await person.until(() => !document.querySelector('dialog[open]'));
  assert.equal(await person.revision(), before, 'nothing was answered by it');
  return asksForSites ? 'rule' : 'other';
}
