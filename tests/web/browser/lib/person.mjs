/** Somebody at a page: sees what can be clicked, and clicks it, or does all that by keyboard. */

/** What can be pressed to go on with the game, in the order in which it is liked. */
const PRESSABLE = [
  '[data-do=present]', '[data-do=pay]', '#board button.site.legal', '#hand .card.legal', '#tray .label.legal', '#bar .answers [data-do=answer]',
];

export class Person {
  /** @param rng a function that gives numbers from 0 to 1 */
  constructor(tab, name, rng) {
    Object.assign(this, { tab, name, rng, pressed: 0, dead: [] });
  }

  /** Whether the connection stands and nothing is on its way. */
  isSettled() {
    return this.tab.evaluate(() => document.body.dataset.link === 'open' && !document.querySelector('[data-sent=true]'));
  }

  isOver() {
    return this.tab.evaluate(() => document.querySelector('#finish')?.childElementCount > 0);
  }

  bar() {
    return this.tab.locator('#sentence').innerText();
  }

  /** How many entries the log has. */
  entries() {
    return this.tab.locator('#journal .log > li').count();
  }

  /** Do one thing for the game; return whether there was anything to do. */
  async act() {
    const target = await this.#choose();
    if (target === null) return false;
    await this.press(target);
    return true;
  }

  /** A locator of something to press now, or null. */
  async #choose() {
    const found = await this.tab.evaluate(kinds => {
      if (document.body.dataset.link !== 'open' || document.querySelector('[data-sent=true]')) return null;
      const dialog = document.querySelector('dialog[open]');
      const good = it => it.checkVisibility() && it.getAttribute('aria-disabled') !== 'true';
      if (dialog) {
        const ways = [...dialog.querySelectorAll('[data-do=answer]')].filter(good).length;
        return ways ? { kind: 'dialog[open] [data-do=answer]', ways } : { kind: 'dialog[open] [data-do=close]', ways: 1 };
      }
      if (document.body.dataset.looking === 'true') return { kind: '[data-do=now]', ways: 1 };
      for (const kind of kinds) {
        const ways = [...document.querySelectorAll(`${kind}:not([aria-disabled=true])`)].filter(good).length;
        if (ways) return { kind: `${kind}:not([aria-disabled=true])`, ways };
      }
      return null;
    }, PRESSABLE);
    return found && this.tab.locator(found.kind).nth(Math.floor(this.rng() * found.ways));
  }

  /** Press something, with the mouse or a finger; a press that changes nothing at all is noted. */
  async press(target, how = {}) {
    const name = await target.evaluate(it => `${it.dataset.do} ${it.textContent.trim().slice(0, 40)}`).catch(() => '(gone)');
    await this.tab.evaluate(() => {
      window.changed = new Promise(done => {
        const observer = new MutationObserver(changes => { // a closer look at what the mouse rests on is no answer
          if (changes.every(({ target }) => document.getElementById('peek')?.contains(target))) return;
          observer.disconnect();
          done(true);
        });
        observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
        setTimeout(() => { observer.disconnect(); done(false); }, 3000);
      });
    });
    try {
      await target.click({ timeout: 5000, ...how });
    } catch (error) {
      if (await target.count().catch(() => 0)) throw new Error(`${this.name} cannot press "${name}": ${error.message}`);
      return; // somebody else's step has taken it away
    }
    this.pressed += 1;
    if (!await this.tab.evaluate(() => window.changed).catch(() => true)) this.dead.push(name);
  }

  /** Wait until a condition holds in the page. */
  until(condition, argument, timeout = 60_000) {
    return this.tab.waitForFunction(condition, argument, { timeout, polling: 50 });
  }

  async open(url) {
    await this.tab.goto(url);
    await this.until(() => document.body.dataset.link === 'open');
  }
}

/** Numbers from 0 to 1 that are the same each time. */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Let all play until the game is over or enough has been done; `between` is called after each thing that was done. */
export async function playOn(people, most = Infinity, between = async () => {}) {
  let done = 0;
  let idle = Date.now();
  while (done < most) {
    let acted = false;
    for (const person of people) {
      if (done < most && await person.act()) {
        acted = true;
        done += 1;
        await between(done);
      }
    }
    if (acted) idle = Date.now();
    else {
      if ((await Promise.all(people.map(person => person.isOver()))).every(Boolean)) return done;
      if (Date.now() - idle > 60_000) {
        const bars = await Promise.all(people.map(async person => `${person.name}: ${await person.bar().catch(() => '?')}`));
        throw new Error(`nobody can go on after ${done} things: ${bars.join('; ')}`);
      }
      await new Promise(go => setTimeout(go, 30));
    }
  }
  return done;
}
