#!/usr/bin/env node
/**
 * Checks every page of the built documentation in a browser.  The pages are opened as files, as by a reader with a
 * local copy of the documentation: a page that needs a server or a network is a finding.
 *
 * To limit the running time, every page is checked in light mode in a wide window, and its width is measured in a
 * narrow window.  Dark mode and the narrow window are fully checked on a subset of the pages that together contain
 * every kind of element (see standIns in lib/looks.mjs).
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

Checks the documentation in the folder BUILD (default: docs/_build/html) in Chromium: accessibility (axe-core, WCAG 2.1
A and AA, light and dark, 1280 and 390 px), drawings, horizontal scrolling, links too small to tap, requests, errors on
the console, links, the switch between the languages, sizes, the finder of rules, and the search.
Exit status: 0 without findings, 1 with findings, 2 if the check could not run.

  --only PATTERN    check only pages whose path matches the regular expression
  --sample          check only a page of each kind in the browser; the checks without a browser cover all pages
  --links           run only the checks that need no browser, such as that of the links
  --all             list all places of each finding
  --self-test       check the faulty pages in spec/checks/browser/bad; every fault must be found
  --help            print this text

$CHROMIUM is the path of the browser.  The browser has no network: it resolves no host names.`;

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
    throw new UserError(`${folder} contains no documentation: run "sphinx-build -b html docs docs/_build/html" first`);
  }
  return readSite(folder);
}

/** Pages of every kind, which `--sample` checks in the browser. */
const SAMPLE = [
  'index', 'search', 'learn/index', 'de/learn/first_turn', 'research', 'reference/actions', 'tutorial/first_game', 'howto/draw_a_position', 'howto/settle_an_argument',
  'rule/BLD-20', 'de/rule/BLD-6', 'rulebook/index', 'rulebook/building', 'rulebook/green', 'de/index', 'de/rulebook/green', 'de/rulebook/index_of_rules', 'de/cards/buildings', 'de/cards/each/monk',
  'de/reference/glossary', 'rulebook/disagreements', 'rulebook/index_of_rules', 'cards/characters',
  'cards/buildings', 'cards/each/monk', 'cards/street_and_display', 'cards/score_track', 'code/scoring', 'model/index',
  'model/checks', 'explanation/sources', 'reference/api', 'reference/errors',
  'reference/json_schema', 'reference/command_line', 'reference/glossary', 'source/spec/quint/scoring.qnt',
  'source/src/valletta_rules/rulebook/scoring', 'source/tests/rulebook/test_components',
].map(name => `${name}.html`);

/** Returns a predicate for the pages of the sample.  Throws an error if a page does not exist, for instance because it was renamed. */
function sampleOf(site) {
  const missing = SAMPLE.filter(page => !site.pages.includes(page));
  if (missing.length) throw new UserError(`SAMPLE in pages.mjs contains pages that do not exist: ${missing.join(', ')}`);
  return page => SAMPLE.includes(page);
}

/** Returns the findings of the browser checks on the pages that are `chosen`. */
async function browse(site, chosen) {
  const browser = await launch();
  try {
    if (chosen(LINKED) && site.files.has(LINKED)) console.log(`the heading of a permanent link is visible after ${await arrival(browser, site)} ms`);
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

/** Returns the findings of the checks that need no browser. */
const onDisk = (site, wanted, largest) =>
  [...brokenReferences(site, wanted), ...languages(site, wanted), ...sizes(site, wanted, largest)];

/** Returns the CPU time of the last build, from the output of `times` that the build in spec/checks/table.toml stores. */
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

/** The size limits for the faulty pages, in bytes: one page and one picture exceed them. */
const SMALL = { page: 1_400, picture: 50 };

/** Checks the faulty pages.  The findings on a page must match its <meta name="must-find"> elements, and there must be no others. */
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
  console.log([...new Set(wrong)].join('\n') || `all ${mistakes} faults on ${site.pages.length} pages were found, and there are no other findings`);
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
