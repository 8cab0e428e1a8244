// Tooltips with the title and the text of a clause, at links to its page.  They appear on hover, on focus, and at the first tap; a second tap follows the link.
"use strict";

(() => {
  const PAGE = /(?:\/(de\/)?rule\/|#(de|en)-whole-)([A-Z]{3}-[0-9]+)(?:\.html)?$/i;
  const DELAY = 200; // milliseconds before the tip changes, so that the pointer can cross other links, or move from the link to the tip
  const scriptUrl = document.currentScript.src, loaded = {};
  const tip = document.createElement("div"), title = document.createElement("b"), sentence = document.createElement("span");
  tip.append(title, " ", sentence);
  Object.assign(tip, { id: "clause-tip", className: "clause-tip", role: "tooltip", hidden: true });
  let activeLink = null, waiting = 0, isTouched = false;

  /** Loads the texts of the clauses in a language.  They are in a script, since pages that are opened as files can load only scripts. */
  const sentences = language => loaded[language] ??= new Promise(done => {
    const script = document.createElement("script");
    script.src = new URL(`sentences_${language}.js`, scriptUrl);
    script.onload = () => done(globalThis.SENTENCES[language]);
    script.onerror = () => done({});
    document.head.append(script);
  });

  /** Returns the link in which an event occurred if it leads to a clause, or null. */
  function linkOf({ target }) {
    const link = target.closest?.("a[title], a[data-title]");
    return link && PAGE.test(link.href) ? link : null;
  }

  /** Places the tip below its link, or above it if there is no room below. */
  function place() {
    const link = activeLink.getClientRects()[0], { width, height } = tip.getBoundingClientRect();
    const below = link.bottom + height <= innerHeight || link.top < height;
    tip.style.top = `${below ? link.bottom : link.top - height}px`;
    tip.style.left = `${Math.max(0, Math.min(link.left, document.documentElement.clientWidth - width))}px`;
  }

  function hide() {
    clearTimeout(waiting);
    activeLink?.removeAttribute("aria-describedby");
    activeLink = null;
    tip.hidden = true;
  }

  async function show(link) {
    hide();
    activeLink = link;
    link.dataset.title ??= link.title;
    link.removeAttribute("title"); // so that the browser does not show it as well
    link.setAttribute("aria-describedby", tip.id);
    const [, german, whole, id] = PAGE.exec(link.href), language = german ? "de" : whole ?? "en";
    const texts = await sentences(language);
    if (activeLink !== link) return;
    title.textContent = link.dataset.title;
    sentence.textContent = texts[id.toUpperCase()] ?? "";
    tip.lang = language;
    tip.hidden = false;
    place();
  }

  document.addEventListener("DOMContentLoaded", () => (document.querySelector("article") ?? document.body).append(tip));
  document.addEventListener("pointerover", event => {
    const link = linkOf(event);
    if (event.pointerType === "touch") return;
    clearTimeout(waiting);
    if (tip.contains(event.target) || (link && link === activeLink)) return;
    waiting = setTimeout(() => (link ? show(link) : activeLink?.matches(":focus-visible") || hide()), DELAY);
  });
  document.addEventListener("pointerdown", event => {
    isTouched = event.pointerType === "touch";
    if (activeLink && linkOf(event) !== activeLink && !tip.contains(event.target)) hide();
  });
  document.addEventListener("click", event => {
    const link = linkOf(event);
    if (!isTouched || !link || link === activeLink) return;
    event.preventDefault();
    show(link);
  });
  document.addEventListener("focusin", event => {
    const link = linkOf(event);
    if (link?.matches(":focus-visible") && link !== activeLink) show(link);
  });
  document.addEventListener("focusout", event => event.target === activeLink && hide());
  document.addEventListener("keydown", event => {
    isTouched = false;
    if (event.key === "Escape") hide();
  });
  addEventListener("scroll", () => activeLink && !tip.hidden && place(), { capture: true, passive: true });
})();
