/** A person at a page: finds the elements that can be clicked, and clicks them, or does so by keyboard. */

/** Elements to press to go on with the game, in order of preference: Valette brings the end nearer. */
const PRESSABLE = [
  '[data-do=present]', '[data-do=pay]', '#bar .answers:has([data-do=unpick]) [data-do=answer]', '#board button.site.legal', '#hand .card.legal[data-card=valette]', '#hand .card.legal', '#tray .label.legal', '#bar .answers :is([data-do=answer], [data-do=take])',
];

/** The time within which an element must accept a press. */
const PATIENCE = { timeout: 120_000 };

/** In the page: wait for a press of an element, and then for any change; return the name of the change. */
function watched(it) {
  window.changed = new Promise(done => {
    const observer = new MutationObserver(changes => { // a closer look at what the mouse rests on is no answer
      if (changes.every(({ target }) => document.getElementById('peek')?.contains(target))) return;
      observer.disconnect();
      done(true);
    });
    observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener('click', () => setTimeout(() => { observer.disconnect(); done(false); }, 60_000), { capture: true, once: true });
  });
  return `${it.dataset.do} ${it.textContent.trim().slice(0, 40)}`;
}

/** In every page: a number from 0 to 1 that follows from a seed and the revision, so that choices can be repeated. */
export function lots() {
  window.lot = seed => {
    const mixed = Math.imul(seed * 7919 + Number(document.body.dataset.revision), 2654435761) >>> 0;
    return (Math.imul(mixed ^ mixed >>> 15, 2246822519) >>> 0) / 2 ** 32;
  };
}

export class Person {
  /** @param seed choices follow from it and from the revision, and so can be repeated, however long they take */
  constructor(tab, name, seed, hasFinger = false) {
    Object.assign(this, { tab, name, seed, hasFinger, pressed: 0, dead: [] });
  }

  isOver() {
    return this.tab.evaluate(() => document.querySelector('#finish')?.childElementCount > 0);
  }

  bar() {
    return this.tab.locator('#sentence').innerText();
  }

  /** The revision that the page shows: the number of answers, those taken back included. */
  revision() {
    return this.tab.evaluate(() => Number(document.body.dataset.revision));
  }

  /** Do one thing for the game; return whether there was one to do. */
  async act() {
    const target = await this.#choose();
    if (target === null) return false;
    await this.press(target);
    await target.dispose().catch(() => {}); // it would keep what the page has replaced
    return true;
  }

  /** An element to press now, or null. */
  async #choose() {
    const found = await this.tab.evaluateHandle(([kinds, seed]) => {
      if (document.body.dataset.link !== 'open' || document.querySelector('[data-sent], .sending')) return null;
      const dialog = document.querySelector('dialog[open]');
      const wanted = dialog ? ['dialog[open] [data-do=answer]', 'dialog[open] [data-do=close]']
        : document.body.dataset.looking === 'true' ? ['[data-do=now]'] : kinds;
      for (const kind of wanted) {
        const all = [...document.querySelectorAll(`${kind}:not([aria-disabled=true])`)].filter(it => it.checkVisibility());
        if (all.length > 0) return all[Math.floor(lot(seed) * all.length)];
      }
      return null;
    }, [PRESSABLE, this.seed]);
    return found.asElement();
  }

  /** Press an element, with the mouse or a finger, and return whether it was still there; a press without any effect is recorded. */
  async press(target, how = {}) {
    const it = 'elementHandle' in target ? await target.elementHandle() : target;
    const name = await it.evaluate(watched);
    try {
      await this.touch(it, { ...PATIENCE, ...how });
    } catch (error) {
      if (!await it.evaluate(each => each.isConnected).catch(() => false)) return false; // another player's step has removed it
      throw new Error(`${this.name} cannot press "${name}": ${error.message}`);
    }
    this.pressed += 1;
    const hasChanged = () => window.changed ?? true; // it is not there on a page to which the press has led
    if (!await this.tab.evaluate(hasChanged).catch(() => true)) this.dead.push(name);
    return true;
  }

  /** Touch an element with the mouse or a finger. */
  touch(it, how) {
    return this.hasFinger ? it.tap(how) : it.click(how);
  }

  /** Wait until a condition holds in the page. */
  until(condition, argument, timeout = 300_000) {
    return this.tab.waitForFunction(condition, argument, { timeout, polling: 50 });
  }

  /** Open the sheet with the links to the seats, unless it is open, as at the beginning. */
  async openLinks() {
    if (await this.tab.locator('dialog[open] .links').count()) return;
    if (!await this.tab.locator('dialog[open]').count()) await this.press(this.tab.locator('[data-do=menu]'));
    await this.press(this.tab.locator('dialog[open] [data-do=links]'));
    await this.tab.locator('dialog[open] .links').waitFor();
  }

  /** Close what is open, by keyboard. */
  async close() {
    await this.tab.keyboard.press('Escape');
    await this.until(() => !document.querySelector('dialog[open]'));
  }

  /** Let the computer players answer without a pause.  The menu closes by itself when a turn begins, and is opened again then. */
  async hurry() {
    const isHurried = () => localStorage.getItem('valletta.pause') === '0';
    while (!await this.tab.evaluate(isHurried)) {
      if (!await this.tab.locator('dialog[open]').count()) await this.press(this.tab.locator('[data-do=menu]'));
      await this.tab.locator('[data-do=pause]').selectOption('0', { timeout: 10_000 }).catch(() => {});
    }
    await this.close();
  }

  async open(url) {
    await this.tab.goto(url);
    await this.until(() => document.body.dataset.link === 'open');
  }
}

/** A person who clicks without moving a mouse or a finger there. */
export class Clicker extends Person {
  touch(it) {
    return it.evaluate(each => each.click());
  }
}

/** Open the part of the lobby beyond a game for two. */
export async function openMore(tab) {
  await tab.locator('.more > summary').click();
  await tab.locator('[data-do=open]').waitFor();
}

/** Wait until a page is connected, and no message is on its way. */
export function opened(person) {
  return person.until(() => document.body.dataset.link === 'open' && !document.querySelector('[data-sent], .sending'));
}

/** Let all play until the game is over or enough has been done; `between` is called after each action. */
export async function playOn(people, most = Infinity, between = async () => {}) {
  let [done, known, news] = [0, -1, Date.now()];
  while (done < most) {
    let acted = false;
    for (const person of people) {
      if (done < most && await person.act()) {
        acted = true;
        done += 1;
        await between(done);
      }
    }
    const revision = Math.max(...await Promise.all(people.map(person => person.revision().catch(() => -1))));
    if (revision > known) [known, news] = [revision, Date.now()];
    if (Date.now() - news > 180_000) {
      const bars = await Promise.all(people.map(async person => `${person.name}: ${await person.bar().catch(() => '?')}`));
      throw new Error(`the game does not go on after ${done} things: ${bars.join('; ')}`);
    }
    if (acted) continue;
    if ((await Promise.all(people.map(person => person.isOver()))).every(Boolean)) return done;
    await new Promise(go => setTimeout(go, 60));
  }
  return done;
}

/** Let all play until one of them, at their turn, sees an element; return that person. */
export async function playUntil(people, selector) {
  for (;;) {
    for (const person of people) {
      await opened(person);
      if (await person.tab.locator(selector).count()) return person;
    }
    if (await playOn(people, 1) === 0) throw new Error(`the game is over, and nobody has seen ${selector}`);
  }
}
