/** Finds Chromium, starts it without a network, and visits pages while it records their requests and errors. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolve } from './site.mjs';

export class UserError extends Error {}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const NONE = `No Chromium was found.  Install it (Debian, Ubuntu: apt-get install chromium; Fedora: dnf install chromium),
or set its path: CHROMIUM=/path/to/chromium`;

/** Returns the path of the browser: $CHROMIUM, or the first file with one of the usual names on PATH or in /usr/bin. */
export function findChromium() {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  const candidates = process.env.CHROMIUM
    ? [process.env.CHROMIUM]
    : NAMES.flatMap(name => folders.map(folder => path.join(folder, name)));
  const executable = candidates.find(candidate => fs.existsSync(candidate));
  if (!executable) throw new UserError(NONE);
  return executable;
}

/** Imports a dependency of the checks.  Throws a `UserError` with the command that installs it if it is missing. */
async function need(name) {
  try {
    return await import(name);
  } catch {
    const folder = path.relative('', fileURLToPath(new URL('..', import.meta.url))) || '.';
    throw new UserError(`${name} is missing: run "npm ci" in ${folder} first`);
  }
}

/** Starts the browser.  It can connect only to the hosts in `reachable`: it resolves no other names or addresses. */
export async function launch(reachable = []) {
  const { chromium } = await need('playwright-core');
  const root = process.getuid?.() === 0; // Chromium's sandbox does not work for root
  return chromium.launch({
    executablePath: findChromium(),
    args: [`--host-resolver-rules=${['MAP * ~NOTFOUND', ...reachable.map(each => `EXCLUDE ${each}`)].join(', ')}`, '--disable-quic', ...(root ? ['--no-sandbox'] : [])],
  });
}

/** Returns the source of axe-core and of in_page.js, to be evaluated in each page. */
export async function scripts() {
  const { default: axe } = await need('axe-core');
  return `${axe.source};\n${fs.readFileSync(new URL('in_page.js', import.meta.url), 'utf8')}`;
}

/**
 * Records requests and errors of `tab` while it shows `page`.
 * Returns a function that stops the recording and returns the findings.
 */
function watch(tab, site, page) {
  const findings = [];
  const blamed = new Set(); // addresses that have been reported: their failure is not a second finding
  const report = (problem, where) => findings.push({ check: 'requests', problem, page, where });
  const inside = url => /^(data|blob|about):/.test(url) || url.startsWith(site.url(''));
  const isGivenUp = request => // an image of the site that was still loading when the page was left
    request.failure()?.errorText === 'net::ERR_ABORTED' && request.resourceType() === 'image'
    && site.files.has(resolve(site, page, request.url()).file);
  const listeners = {
    request: request => {
      if (inside(request.url())) return;
      blamed.add(request.url());
      report('a request leaves the build', request.url());
    },
    requestfailed: request => {
      if (blamed.has(request.url()) || isGivenUp(request)) return;
      blamed.add(request.url());
      report('a request fails', `${request.url()} ${request.failure()?.errorText ?? ''}`);
    },
    console: message => {
      if (message.type() !== 'error' || blamed.has(message.location().url)) return;
      report('an error on the console', message.text());
    },
    pageerror: error => report('an error on the console', String(error)),
  };
  for (const [event, listener] of Object.entries(listeners)) tab.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) tab.off(event, listener);
    return findings;
  };
}

/** Opens `page` in `tab`, runs `work` on it, and returns the findings of both. */
export async function visit(tab, site, page, work, query = '') {
  const stop = watch(tab, site, page);
  const findings = [];
  try {
    await tab.goto(site.url(page) + query, { waitUntil: 'load', timeout: 60_000 });
    findings.push(...await work());
  } catch (error) {
    if (tab.isClosed()) throw new UserError(`Chromium terminated on ${page}: ${error.message.split('\n')[0]}`);
    findings.push({ check: 'requests', problem: 'a page cannot be checked', page, where: error.message.split('\n')[0] });
  }
  return [...stop(), ...findings];
}
