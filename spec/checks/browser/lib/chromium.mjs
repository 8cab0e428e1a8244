/** Finding Chromium, starting it without a network, and visiting pages with an eye on what they ask for. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolve } from './site.mjs';

export class UserError extends Error {}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const NONE = `No Chromium was found.  Install it (Debian, Ubuntu: apt-get install chromium; Fedora: dnf install chromium),
or name the one to use: CHROMIUM=/path/to/chromium`;

/** The browser to use: $CHROMIUM, or the first of the usual names on PATH and in /usr/bin. */
export function findChromium() {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), '/usr/bin'];
  const candidates = process.env.CHROMIUM
    ? [process.env.CHROMIUM]
    : NAMES.flatMap(name => folders.map(folder => path.join(folder, name)));
  const executable = candidates.find(candidate => fs.existsSync(candidate));
  if (!executable) throw new UserError(NONE);
  return executable;
}

/** A packet of ours, or a word on how to install it. */
async function need(name) {
  try {
    return await import(name);
  } catch {
    const folder = path.relative('', fileURLToPath(new URL('..', import.meta.url))) || '.';
    throw new UserError(`${name} is missing: run "npm ci" in ${folder} first`);
  }
}

/** Start the browser.  No name resolves in it, nor any address but those of `reachable`: nothing can leave this machine. */
export async function launch(reachable = []) {
  const { chromium } = await need('playwright-core');
  const root = process.getuid?.() === 0; // Chromium's sandbox does not work for root
  return chromium.launch({
    executablePath: findChromium(),
    args: [`--host-resolver-rules=${['MAP * ~NOTFOUND', ...reachable.map(each => `EXCLUDE ${each}`)].join(', ')}`, '--disable-quic', ...(root ? ['--no-sandbox'] : [])],
  });
}

/** The text of axe-core and of our own functions, to be evaluated in each page. */
export async function scripts() {
  const { default: axe } = await need('axe-core');
  return `${axe.source};\n${fs.readFileSync(new URL('in_page.js', import.meta.url), 'utf8')}`;
}

/**
 * Watch what `tab` asks for and complains about from now on, while it shows `page`.
 * Returns a function that ends the watch and gives the findings.
 */
function watch(tab, site, page) {
  const findings = [];
  const blamed = new Set(); // addresses already reported, whose failure is no second finding
  const report = (problem, where) => findings.push({ check: 'requests', problem, page, where });
  const inside = url => /^(data|blob|about):/.test(url) || url.startsWith(site.url(''));
  const isGivenUp = request => // a picture below, which had not come when the page was left
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

/** Show `page` in `tab`, do `work` there, and return the findings of both. */
export async function visit(tab, site, page, work, query = '') {
  const stop = watch(tab, site, page);
  const findings = [];
  try {
    await tab.goto(site.url(page) + query, { waitUntil: 'load', timeout: 60_000 });
    findings.push(...await work());
  } catch (error) {
    if (tab.isClosed()) throw new UserError(`Chromium ended while it showed ${page}: ${error.message.split('\n')[0]}`);
    findings.push({ check: 'requests', problem: 'a page cannot be looked at', page, where: error.message.split('\n')[0] });
  }
  return [...stop(), ...findings];
}
