/** A simulated person who plays on a page by pressing its elements. */

/** Selectors of the elements that continue the game, in order of preference; playing Valette shortens the game. */
const PRESSABLE = [
  '[data-do=present]', '[data-do=pay]', '#bar .answers:has([data-do=unpick]) [data-do=answer]', '#board button.site.legal', '#hand .card.legal[data-card=valette]', '#hand .card.legal', '#tray .label.legal', '#bar .answers :is([data-do=answer], [data-do=take])',
];

/** The timeout for pressing an element. */
const PATIENCE = { timeout: 120_000 };

/** Let `window.changed` resolve once the page changes after a press; return the name of the element.  Runs in the page. */
function watchChanges(it) {
  window.changed = new Promise(done => {
    const observer = new MutationObserver(changes => { // changes of the preview under the mouse are ignored
      if (changes.every(({ target }) => document.getElementById('peek')?.contains(target))) return;
      observer.disconnect();
      done(true);
    });
    observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener('click', () => setTimeout(() => { observer.disconnect(); done(false); }, 60_000), { capture: true, once: true });
  });
  return `${it.dataset.do} ${it.textContent.trim().slice(0, 40)}`;
}

/** Define `lot`, which returns a number from 0 to 1 for a seed and the current revision, so that choices are reproducible.  Runs in the page. */
export function defineLot() {
  window.lot = seed => {
    const mixed = Math.imul(seed * 7919 + Number(document.body.dataset.revision), 2654435761) >>> 0;
    return (Math.imul(mixed ^ mixed >>> 15, 2246822519) >>> 0) / 2 ** 32;
  };
}

export class Person {
  /** @param seed with the revision, the seed determines the choices, so that they are reproducible */
  constructor(tab, name, seed, hasFinger = false) {
    Object.assign(this, { tab, name, seed, hasFinger, pressed: 0, dead: [] });
  }

  isOver() {
    return this.tab.evaluate(() => document.querySelector('#finish')?.childElementCount > 0);
  }

  bar() {
    return this.tab.locator('#sentence').innerText();
  }

  /** Return the revision that the page shows: the number of answers and takebacks. */
  revision() {
    return this.tab.evaluate(() => Number(document.body.dataset.revision));
  }

  /** Press one element that continues the game; return whether there was one. */
  async act() {
    const target = await this.#choose();
    if (target === null) return false;
    await this.press(target);
    await target.dispose().catch(() => {}); // the handle would keep a removed element in memory
    return true;
  }

  /** Return an element that continues the game, or null. */
  async #choose() {
    const handle = await this.tab.evaluateHandle(([kinds, seed]) => {
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
    return handle.asElement();
  }

  /** Press an element; return false if it has been removed before.  If the press does not change the page, add the element's name to `dead`. */
  async press(target, how = {}) {
    const it = 'elementHandle' in target ? await target.elementHandle() : target;
    const name = await it.evaluate(watchChanges);
    try {
      await this.touch(it, { ...PATIENCE, ...how });
    } catch (error) {
      if (!await it.evaluate(each => each.isConnected).catch(() => false)) return false; // a step of another player has removed the element
      throw new Error(`${this.name} cannot press "${name}": ${error.message}`);
    }
    this.pressed += 1;
    const hasChanged = () => window.changed ?? true; // undefined if the press has led to another page
    if (!await this.tab.evaluate(hasChanged).catch(() => true)) this.dead.push(name);
    return true;
  }

  /** Click or tap an element. */
  touch(it, how) {
    return this.hasFinger ? it.tap(how) : it.click(how);
  }

  /** Wait until a condition holds in the page. */
  until(condition, argument, timeout = 300_000) {
    return this.tab.waitForFunction(condition, argument, { timeout, polling: 50 });
  }

  /** Open the sheet with the links to the seats, unless it is open already. */
  async openLinks() {
    if (await this.tab.locator('dialog[open] .links').count()) return;
    if (!await this.tab.locator('dialog[open]').count()) await this.press(this.tab.locator('[data-do=menu]'));
    await this.press(this.tab.locator('dialog[open] [data-do=links]'));
    await this.tab.locator('dialog[open] .links').waitFor();
  }

  /** Close the open dialog with the Escape key. */
  async close() {
    await this.tab.keyboard.press('Escape');
    await this.until(() => !document.querySelector('dialog[open]'));
  }

  /** Set the pause of bots to zero in the menu.  If the beginning of a turn closes the menu, open it again. */
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

/** A person whose clicks are dispatched by a script, which is faster than moving a mouse. */
export class Clicker extends Person {
  touch(it) {
    return it.evaluate(each => each.click());
  }
}

/** Open the part of the lobby with further options. */
export async function openMore(tab) {
  await tab.locator('.more > summary').click();
  await tab.locator('[data-do=open]').waitFor();
}

/** Wait until a page is connected and shows no element as waiting for a reply of the server. */
export function waitUntilSettled(person) {
  return person.until(() => document.body.dataset.link === 'open' && !document.querySelector('[data-sent], .sending'));
}

/** Let people play until the game is over or they have done `most` actions; `between` is called after each action. */
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
      throw new Error(`no page has shown a new revision for three minutes after ${done} actions; their bars: ${bars.join('; ')}`);
    }
    if (acted) continue;
    if ((await Promise.all(people.map(person => person.isOver()))).every(Boolean)) return done;
    await new Promise(go => setTimeout(go, 60));
  }
  return done;
}

/** Let people play until the page of one of them has an element that matches `selector`; return that person. */
export async function playUntil(people, selector) {
  for (;;) {
    for (const person of people) {
      await waitUntilSettled(person);
      if (await person.tab.locator(selector).count()) return person;
    }
    if (await playOn(people, 1) === 0) throw new Error(`the game is over, but no page has shown an element that matches ${selector}`);
  }
}
