/** Presses sites that cannot be chosen, and checks the reason that the page gives. */
import assert from 'node:assert/strict';
import { waitUntilSettled } from './person.mjs';

/**
 * Press a site that cannot be chosen, on the person's turn; check that the page shows the reason and sends no answer.
 *
 * If the prompt is for a site, the reason cites a clause of the rules, whose text a button opens.  With `wantsRule`, other prompts are ignored.
 * Return the kind of the reason, `rule` or `other`, or `null` if no site was pressed.
 */
export async function checkReason(person, wantsRule = false) {
  await waitUntilSettled(person);
  const { tab } = person;
  const quiet = tab.locator('button.site:not(.legal)').first();
  if (!await tab.locator('.question.mine').count() || !await quiet.count()) return null;
  const isSitePrompt = await tab.locator('button.site.legal').count() > 0;
  if (wantsRule && !isSitePrompt) return null;
  const before = await person.revision();
  await quiet.evaluate(it => it.scrollIntoView({ block: 'center' })); // otherwise the head of the page could cover the site
  if (!await person.press(quiet, { force: true })) return null; // the button handles clicks although it has aria-disabled
  const inRow = tab.locator('dialog[open] [data-do=site-sheet]'); // on a phone the press opens a sheet with the row of sites
  if (await inRow.count()) await person.press(inRow.first());
  await tab.locator('dialog[open] .why').waitFor();
  if (isSitePrompt) {
    await person.press(tab.locator('dialog[open] .why .clause'));
    await person.until(() => (document.querySelector('dialog[open] .clause-text')?.textContent ?? '').length > 20);
  }
  await person.press(tab.locator('dialog[open] [data-do=close]'));
  await person.until(() => !document.querySelector('dialog[open]'));
  assert.equal(await person.revision(), before, 'pressing a site that cannot be chosen must not create a revision');
  return isSitePrompt ? 'rule' : 'other';
}
