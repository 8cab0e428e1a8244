#!/usr/bin/env node
/**
 * Looks at every page of the built documentation in a real browser.  The pages are opened as files, as somebody does
 * who has the documentation on disk: what needs a server or a network is a finding.
 *
 * To stay within the time of a gate, every page is seen in light mode in a wide window, and measured in the width of a
 * phone; in dark mode, and in full on the phone, are seen those pages that together show every kind of thing any
 * page shows (see standIns in lib/looks.mjs).
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launch, UserError } from './lib/chromium.mjs';
import { checkPages, pictures } from './lib/looks.mjs';
import { report } from './lib/report.mjs';
import { brokenReferences, languages, readSite, sizes, tooWordy, volume } from './lib/site.mjs';
import { arrival, filter, INDEX, languageSwitch, LINKED, search, SEARCH } from './lib/tools.mjs';

const HELP = `usage: node spec/checks/browser/pages.mjs [options] [BUILD]

Looks at the documentation in the folder BUILD (default: docs/_build/html) in Chromium: accessibility (axe-core, WCAG 2.1
A and AA, light and dark, 1280 and 390 px), drawings, sideways scrolling, links too small for a finger, requests,
console, links, languages and the switch between them, sizes, the finder of rules, the search.  Exit status: 0 if nothing was found, 1 if something was, 2 if it could not be looked at.

  --only PATTERN    only the pages whose path matches the regular expression
  --sample          in the browser only a page of every kind, and the links of all pages
  --links           only the links, without a browser
  --all             list every place of every finding
  --self-test       look at the deliberately bad pages of spec/checks/browser/bad, and demand that each mistake be found
  --help            this text

$CHROMIUM names the browser to use.  The network is not used: no name resolves in the browser.`;

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const BUILD = path.join(FOLDER, '../../../docs/_build/html');
const BAD = path.join(FOLDER, 'bad');

function options() {
  try {
    const flag = { type: 'boolean', default: false };
    return parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string', default: '' }, help: flag, links: flag, all: flag, sample: flag, 'self-test': flag,
      },
    });
  } catch (error) {
    throw new UserError(`${error.message}\n\n${HELP}`);
  }
}

function open(folder) {
  if (!fs.existsSync(path.join(folder, 'index.html'))) {
    throw new UserError(`${folder} holds no documentation: run "sphinx-build -b html docs docs/_build/html" first`);
  }
  return readSite(folder);
}

/** Pages of every kind: what `--sample` looks at in the browser. */
const SAMPLE = [
  'index', 'search', 'learn/index', 'de/learn/first_turn', 'research', 'reference/actions', 'tutorial/first_game', 'howto/draw_a_position', 'howto/settle_an_argument',
  'rule/BLD-20', 'de/rule/BLD-6', 'rulebook/index', 'rulebook/building', 'rulebook/green', 'de/index', 'de/rulebook/green', 'de/rulebook/index_of_rules', 'de/cards/buildings', 'de/cards/each/monk',
  'de/reference/glossary', 'rulebook/disagreements', 'rulebook/index_of_rules', 'cards/characters',
  'cards/buildings', 'cards/each/monk', 'cards/street_and_display', 'cards/score_track', 'code/scoring', 'model/index',
  'model/checks', 'explanation/sources', 'reference/api', 'reference/errors',
  'reference/json_schema', 'reference/command_line', 'reference/glossary', 'source/spec/quint/scoring.qnt',
  'source/src/valletta_rules/rulebook/scoring', 'source/tests/rulebook/test_components',
].map(name => `${name}.html`);

/** The pages of the sample; each must be there, lest a page that was renamed be seen no more. */
function sampleOf(site) {
  const missing = SAMPLE.filter(page => !site.pages.includes(page));
  if (missing.length) throw new UserError(`the sample in pages.mjs names pages that are not there: ${missing.join(', ')}`);
  return page => SAMPLE.includes(page);
}

/** The findings in the browser about the pages that are `chosen`. */
async function browse(site, chosen) {
  const browser = await launch();
  try {
    if (chosen(LINKED) && site.files.has(LINKED)) console.log(`the heading of a permanent link is there after ${await arrival(browser, site)} ms`);
    return [
      ...await checkPages(browser, site, site.pages.filter(chosen)),
      ...await pictures(browser, site, chosen),
      ...await languageSwitch(browser, site, chosen),
      ...chosen(INDEX) ? await filter(browser, site) : [],
      ...chosen(SEARCH) ? await search(browser, site) : [],
    ];
  } finally {
    await browser.close();
  }
}

/** The findings that need no browser. */
const onDisk = (site, wanted, largest) =>
  [...brokenReferences(site, wanted), ...languages(site, wanted), ...sizes(site, wanted, largest)];

/** The CPU time of the last build, as the table of checks has kept it: that of the shell's children. */
function buildTime() {
  const file = path.join(BUILD, '../cpu');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').at(-1) : 'not recorded';
}

async function check(site, wanted, { links, all, sample }) {
  const began = Date.now(), findings = [...onDisk(site, wanted), ...tooWordy(site)], words = volume(site);
  if (!links) findings.push(...await browse(site, sample ? sampleOf(site) : wanted));
  if (findings.length) console.log(report(findings, all));
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  console.log(`\n${words.clauses} words on pages of clauses, ${words.others} on others; CPU time of the build, and of the system for it: ${buildTime()}`);
  console.log(`${site.pages.filter(wanted).length} pages, ${findings.length} findings, ${seconds} s`);
  return findings.length ? 1 : 0;
}

/** What counts as large among the bad pages, in bytes: the finder that finds nothing, and the picture. */
const SMALL = { page: 1_400, picture: 50 };

/** Each bad page says in <meta name="must-find"> what must be found on it; nothing else may be. */
async function selfTest() {
  const site = open(BAD);
  const findings = [...onDisk(site, () => true, SMALL), ...await browse(site, () => true)];
  const wrong = [];
  for (const page of site.pages) {
    const reported = findings.filter(finding => finding.page === page).map(f => `${f.check}: ${f.problem} [${f.mode ?? ''}]`);
    const expected = site.documents.get(page).expected.map(text => new RegExp(text));
    for (const text of expected) if (!reported.some(finding => text.test(finding))) wrong.push(`${page}: not found: ${text.source}`);
    for (const finding of reported) if (!expected.some(text => text.test(finding))) wrong.push(`${page}: found, but not expected: ${finding}`);
  }
  if (!findings.some(({ check, page }) => check === 'size' && page.endsWith('.svg'))) wrong.push('a large picture was not found');
  const mistakes = site.pages.flatMap(page => site.documents.get(page).expected).length;
  console.log([...new Set(wrong)].join('\n') || `each of ${mistakes} mistakes on ${site.pages.length} pages was found, and nothing else`);
  return wrong.length ? 1 : 0;
}

async function main() {
  const { values, positionals } = options();
  if (values.help) return console.log(HELP) ?? 0;
  if (values['self-test']) return selfTest();
  const site = open(positionals[0] ?? BUILD);
  const pattern = new RegExp(values.only);
  return check(site, page => pattern.test(page), values);
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
