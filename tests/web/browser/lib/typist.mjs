/** A simulated person who plays by keyboard alone. */
import { Person, waitUntilSettled } from './person.mjs';

/** The maximum number of key presses to reach an element. */
const FAR = 120;

export class Typist extends Person {
  /** Descriptions of the presses after which no element had the focus. */
  lost = [];

  /** Press one element that continues the game; return whether there was one. */
  async act() {
    const wish = await this.#wish();
    if (wish === null) return false;
    if (wish.digit) await this.type(wish.digit);
    else {
      await this.go(wish);
      await this.type('Enter');
    }
    this.pressed += 1;
    await waitUntilSettled(this);
    if (await this.has('body')) this.lost.push(`${wish.digit ?? wish.kind} at "${await this.bar()}"`);
    return true;
  }

  /** Describe an element that continues the game, by a digit to press or by a selector with a site or a number; return null if there is none. */
  #wish() {
    return this.tab.evaluate(seed => {
      if (document.body.dataset.link !== 'open' || document.querySelector('[data-sent], .sending')) return null;
      const some = kind => {
        const all = [...document.querySelectorAll(`${kind}:not([aria-disabled=true])`)].filter(it => it.checkVisibility());
        return all[Math.floor(lot(seed) * all.length)];
      };
      if (document.querySelector('dialog[open]')) return { kind: some('dialog[open] [data-do=answer]') ? 'dialog[open] [data-do=answer]' : 'dialog[open] [data-do=close]' }; // on a phone, the dialog with the row of sites
      for (const kind of ['[data-do=present]', '[data-do=pay]']) if (some(kind)) return { kind };
      const answers = [...document.querySelectorAll('#bar .answers :is([data-do=answer], [data-do=take])')];
      const answer = { kind: '#bar .answers :is([data-do=answer], [data-do=take])', number: Math.floor(lot(seed) * answers.length) };
      if (document.querySelector('#bar [data-do=unpick]')) return answer; // the selected card can be played in two ways
      const site = some('#board button.site.legal');
      if (site) return { kind: '#board button.site', site: site.dataset.site };
      const card = some('#hand .card.legal[data-card=valette]') ?? some('#hand .card.legal');
      if (card) return Number(card.dataset.number) <= 9 ? { digit: card.dataset.number } : { kind: `#hand .card[data-number="${card.dataset.number}"]` };
      const hired = some('#tray .label.legal');
      if (hired) return { kind: `#tray .label[data-card="${hired.dataset.card}"]` };
      return answers.length ? answer : null;
    }, this.seed);
  }

  /** Move the focus to an element by the tab key, forwards or backwards, and between sites by the arrow keys. */
  async go({ kind, number = 0, site = null }) {
    for (let count = 0; count < FAR; count += 1) {
      const key = await this.tab.evaluate(([wanted, which, isAny]) => {
        const focus = document.activeElement;
        const target = [...document.querySelectorAll(wanted)].filter(it => it.checkVisibility() && (!isAny || it.tabIndex === 0))[which];
        if (isAny ? focus.matches(wanted) : focus === target) return null;
        return target && focus.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? 'Shift+Tab' : 'Tab';
      }, [kind, number, site !== null]);
      if (key === null) return site === null ? undefined : this.#arrow(site);
      await this.type(key);
    }
    throw new Error(`${this.name} cannot reach ${kind} by ${FAR} presses of the tab key; the bar: ${await this.bar()}`);
  }

  /** Return whether the focused element matches a selector. */
  has(kind) {
    return this.tab.evaluate(it => document.activeElement.matches(it), kind);
  }

  /** Move the focus from one site to another by the arrow keys. */
  async #arrow(site) {
    for (let count = 0; count < FAR; count += 1) {
      const key = await this.tab.evaluate(wanted => {
        const place = each => {
          const row = each.closest('[role=row]');
          return [[...row.parentElement.children].indexOf(row), [...row.children].indexOf(each.closest('[role=gridcell]'))];
        };
        const [down, right] = place(document.activeElement), [toDown, toRight] = place(document.querySelector(`button.site[data-site="${wanted}"]`));
        if (right !== toRight) return right < toRight ? 'ArrowRight' : 'ArrowLeft';
        return down === toDown ? null : down < toDown ? 'ArrowDown' : 'ArrowUp';
      }, site);
      if (key === null) return;
      await this.type(key);
    }
    throw new Error(`${this.name} cannot reach site ${site} by ${FAR} presses of arrow keys`);
  }

  type(key) {
    return this.tab.keyboard.press(key);
  }
}
