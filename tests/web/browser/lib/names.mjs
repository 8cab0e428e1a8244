/** Names that look like code, and functions that check that a page displays them as text. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { COLOURS } from './house.mjs';
import { ROOT } from './server.mjs';

/** Texts that a program might interpret as markup, code, a key, a format, a path or a number. */
const CORES = [
  'javascript:alert(1)', 'onload=alert(1)', '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<svg onload=alert(1)>', '</title><b>b', '</svg><i>', '<foreignObject>',
  '<!--', '-->', '<![CDATA[', ']]>', '<?xml?>', '<a href="//x">', '"><input autofocus>', "' onclick='x", '&lt;b&gt;', '&#60;b&#62;', '&amp;amp;', '&nbsp', '{}', '{0.__class__}', '{name}', '{{7*7}}', '${7*7}',
  '#{7}', '<%= 7 %>', '%s%n%d', '%(name)s', '\\u003cb\\n', '$&$1$`', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'NaN', '0', '-1e9', '[BLD-3]', '[data-do=answer]', '* { display: none }',
  '</style>', 'url(//x)', '../../etc/passwd', 'C:\\con', "'; DROP TABLE seat;--", '"log":[]', 'seat red: x', '# note ; x', 'deal V, draw maid', 'ﷺ ﷺ ﷺ', 'עברית', 'مرحبا', '漢字漢字漢字', 'W̷̛͔i̸̛̱d̵̰̈́e̴̗̎', '🏰🧱🪵🪙🏰🧱🪵🪙',
  'M'.repeat(40), 'i.'.repeat(20), 'data-seat="0"', '● Your turn', 'Traceback ERROR',
];

/** Functions that return variants of a text in `CORES`. */
const WAYS = [core => core, core => `Ann ${core}`, core => `${core} x=1`, core => core.toUpperCase()];

/** 200 different names that a table accepts. */
export const NAMES = [...new Set(WAYS.flatMap(way => CORES.map(core => way(core).slice(0, 40).trim())))].slice(0, 200);

/** The names of the players, table by table. */
export const TABLES = Array.from({ length: NAMES.length / 4 }, (_, table) => NAMES.slice(4 * table, 4 * table + 4));

/** Names that the server refuses. */
export const REFUSED = ['a\u202eb', 'a\u2066b', 'a\u200bb', 'a\u2060b', 'a\u0000b', 'a\nb', 'a\u2028b', '\ud800', 'a\u00adb', '\ufeffa', 'x'.repeat(41)];

/** Names without special characters, for comparison. */
export const PLAIN = ['Qanna', 'Qben', 'Qcarla', 'Qdora'];
const ANY_PLAIN = new RegExp(PLAIN.join('|'), 'g');

/** Matches attributes that may contain a name. */
const LABELS = /^(aria-label|aria-description|title|value|placeholder)=/;

/** Return the record, without names, of a game of four bots: to its end, or until all players have a house. */
export function game(isWhole) {
  const program = `
import random
from valletta_rules import Session
from valletta_rules.bots.automatic import choose
from valletta_rules.records.files import format_record
session, rng = Session(4, seed=7), random.Random(7)
while session.prompt is not None and (${isWhole ? 'True' : 'False'} or not all(player.built for player in session.state.players)):
    session.play(choose(session.state, rng))
print(format_record(session.record))`;
  const { stdout, stderr, status } = spawnSync(process.env.PYTHON ?? 'python', ['-c', program], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Return the record of a game with the given names and a note. */
export function recordOf(played, names) {
  const seats = COLOURS.map((seat, each) => `seat ${seat}: ${JSON.stringify(names[each])}\n`).join('');
  return `${played.replace(/^seat .*\n/gm, '').replace(/^cards: .*\n/m, cards => cards + seats).trimEnd()} # ${names[0]}\n`;
}

/** Go to the last moment of an opened record. */
export async function atTheEnd(page) {
  await page.locator('[data-do=forward][aria-disabled=false]').waitFor({ timeout: 120_000 }); // a record opens at its first moment
  await page.locator('[data-do=seek]').press('End');
  await page.locator('[data-do=forward][aria-disabled=true]').waitFor();
}

/** Return the content of a page in document order: elements with their attributes, and texts. */
export function shape(tab) {
  return tab.evaluate(() => {
    const [content, table] = [[], location.pathname.split('/').at(-1)];
    const walk = node => {
      if (node instanceof Text) content.push(node.data);
      if (!(node instanceof Element) || node.id === 'peek') return; // this element follows the mouse
      content.push(`<${node.localName}>`, ...[...node.attributes].map(({ name, value }) => `${name}=${value.replaceAll(table, 'TABLE')}`).sort());
      node.childNodes.forEach(walk);
    };
    walk(document.documentElement);
    return content;
  });
}

/** Check that a page differs from the page with plain names only in the names; case is ignored, since a name may begin a sentence. */
export function assertOnlyNamesDiffer(actual, plain, names) {
  const wanted = plain.map(each => each.replace(ANY_PLAIN, name => names[PLAIN.indexOf(name)]));
  const other = wanted.findIndex((each, at) => each.toLowerCase() !== actual[at]?.toLowerCase());
  assert.ok(other >= 0 || actual.length === wanted.length, `the page has further content with the names ${names.join(', ')}`);
  assert.deepEqual(other < 0 ? [] : actual.slice(other - 3, other + 3), other < 0 ? [] : wanted.slice(other - 3, other + 3), `the page differs from the one with plain names, with ${names.join(', ')}`);
}

/** Check that names occur only in texts and in labels for screen readers, and in no other attribute. */
export function assertNamesOnlyInTexts(plain) {
  for (const each of plain) if (ANY_PLAIN.test(each)) assert.ok(!/^[\w-]+=/.test(each) || LABELS.test(each), `an attribute other than a label contains a name: ${each}`);
}
