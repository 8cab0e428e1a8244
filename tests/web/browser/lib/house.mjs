/** The fixture of a test: a server, a relay that can cut connections, a browser, and the people with their pages. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { launch, scripts } from '../../../../spec/checks/browser/lib/chromium.mjs';
import { Person, defineLot } from './person.mjs';
import { Relay } from './relay.mjs';
import { Server } from './server.mjs';
import { watch } from './watch.mjs';

export const COLOURS = ['red', 'blue', 'green', 'yellow'];
const DESK = { width: 1280, height: 900 };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export const TABLET = { viewport: { width: 1024, height: 768 }, hasTouch: true };

/** The impacts of axe-core findings that fail a test. */
const SERIOUS = ['serious', 'critical'];

export class House {
  findings = [];
  people = [];
  /** Whether a test is breaking connections, so that errors of connections are expected. */
  isRough = false;

  static async build({ dies = '', more = [] }) {
    const house = new House();
    house.browser = await launch(['127.0.0.1']); // launched before the server: if the launch fails, there is no process to stop
    house.server = await new Server(more).start(dies);
    house.relay = await Relay.to(house.server.port);
    house.origin = `http://127.0.0.1:${house.relay.port}`;
    return house;
  }

  /** Open a table; `levels` contains the level of the bot at each seat, or null for a person. */
  async table(levels = [null, null], { names = ['Anna', 'Ben', 'Carla', 'Dora'], cards = null } = {}) {
    const seats = levels.map((level, seat) => ({ name: names[seat], colour: COLOURS[seat], level }));
    const body = { edition: 'hans-im-glueck', variants: [], cards, seats, is_shuffled: false, is_coached: false };
    const answer = await fetch(`${this.origin}/api/tables`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
    const text = await answer.text();
    assert.ok(answer.ok, `the server does not open the table, status ${answer.status}: ${text}`);
    const opened = JSON.parse(text);
    const token = seat => opened.invitations.find(each => each.seat === seat).token;
    return { ...opened, token, link: (...tokens) => `${this.origin}/table/${opened.table}${tokens.length ? `#${tokens.join(',')}` : ''}` };
  }

  /** Open a tab for a person in a new browser context, or in the context of the person `companion`. */
  async person(name, { options = {}, language = 'en', seed = this.people.length + 1, companion = null, Kind = Person } = {}) {
    const context = companion?.tab.context() ?? await this.browser.newContext({
      viewport: DESK, locale: language === 'de' ? 'de-DE' : 'en-GB', reducedMotion: 'reduce', ...options,
    });
    context.setDefaultTimeout(300_000); // the machine may be busy
    const tab = await context.newPage();
    await tab.addInitScript(defineLot);
    watch(tab, name, this.origin, this.findings, () => this.isRough);
    const person = new Kind(tab, name, seed, Boolean(options.hasTouch));
    this.people.push(person);
    return person;
  }

  /** Run `work` without adding errors of connections to the findings. */
  async roughly(work) {
    this.isRough = true;
    try {
      return await work();
    } finally {
      await new Promise(done => setTimeout(done, 200));
      this.isRough = false;
    }
  }

  /** Check a page with axe-core, and add serious violations and elements that are too wide to the findings. */
  async axe(person, screen) {
    await this.#prepare(person);
    const results = await person.tab.evaluate(() => axe.run({ exclude: ['svg[aria-hidden=true]'] }, { // decorative drawings
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
    }));
    for (const { id, impact, help, nodes } of results.violations) {
      if (!SERIOUS.includes(impact)) continue;
      const where = nodes.slice(0, 3).map(node => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`).join(' | ');
      this.findings.push(`${screen}: ${id} (${impact}): ${help}: ${nodes.length} × ${where}`);
    }
    await this.sideways(person, screen);
  }

  /** Add axe-core and the functions of these tests to a page that does not have them yet. */
  async #prepare({ tab }) {
    this.script ??= await scripts();
    if (!await tab.evaluate(() => 'looks' in window)) await tab.evaluate(this.script);
  }

  /** Add the elements that are wider than the page to the findings. */
  async sideways(person, screen) {
    await this.#prepare(person);
    const wide = await person.tab.evaluate(() => looks.sideways());
    this.findings.push(...wide.map(each => `${screen}: the page scrolls sideways because of ${each}`));
  }

  /** Add controls that overlap at one of the widths to the findings, and restore the width. */
  async overlaps(person, screen, widths) {
    await this.#prepare(person);
    const size = person.tab.viewportSize();
    for (const width of widths) {
      await person.tab.setViewportSize({ ...size, width });
      const pairs = await person.tab.evaluate(() => looks.settled().then(looks.overlaps));
      this.findings.push(...pairs.map(each => `${screen}, ${width} px: ${each} overlap`));
    }
    await person.tab.setViewportSize(size);
  }

  /** Save a screenshot of a page if $SHOTS names a folder. */
  async shoot({ tab }, screen) {
    if (process.env.SHOTS && !tab.isClosed()) await tab.screenshot({ path: path.join(process.env.SHOTS, `${screen}.png`) });
  }

  /** Close browser, relay and server; fail if there are findings. */
  async leave() {
    await this.browser.close();
    this.relay.close();
    await this.server.stop();
    for (const person of this.people) this.findings.push(...person.dead.map(element => `${person.name}: pressing "${element}" has no effect`));
    if (/Traceback|ERROR/.test(this.server.stderr)) this.findings.push(`the server printed an error: ${this.server.stderr}`);
    assert.deepEqual([...new Set(this.findings)], []);
  }
}

/** Run a test with a new `House`, and close it at the end.  If the test fails, save screenshots and print the findings. */
export async function inHouse(work, how = {}) {
  const house = await House.build(how);
  let failed = true;
  try {
    await work(house);
    failed = false;
  } catch (error) {
    console.error(`failed: ${error.message.split('\n', 4).join(' | ')}`);
    throw error;
  } finally {
    if (failed) {
      for (const person of house.people) await house.shoot(person, `failed, ${person.name}`).catch(() => {});
      if (house.findings.length || house.server.stderr) console.error([...house.findings, house.server.stderr].join('\n'));
    }
    await house.leave().catch(error => { if (!failed) throw error; });
  }
}
