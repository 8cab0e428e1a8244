// The finder of rules on its page, and above what the search of the site finds.
"use strict";

(() => {
  const FEW = 8;
  const { lang, dataset: { content_root: top } } = document.documentElement;
  let labels, entries, index;
  const typed = new URLSearchParams(location.search).get("q") ?? "";

  /** Make an element with a class and what is inside it. */
  function make(name, className, ...inside) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...inside);
    return element;
  }

  /** Load the index, which is large, when it is first needed; from a disk a script is all that can be loaded. */
  const load = () => load.done ??= new Promise((done, failed) => {
    const script = make("script");
    script.onload = () => {
      index = finder.opened(INDEX);
      ({ labels, entries } = INDEX);
      done();
    };
    script.onerror = failed;
    script.src = `${top}_static/found_${lang}.js`;
    document.head.append(script);
  });

  /** An item of the list of what was found. */
  function item(number) {
    const { id, kind, title, text, url } = entries[number];
    const name = kind === "clause" ? [make("span", "clause-id", id), " "] : [];
    const link = make("a", "", ...name, title);
    link.href = top + url;
    const item = make("li", kind, link, make("p", "", text));
    item.dataset.rule = id;
    item.dataset.grade = document.querySelector(`#rules [data-rule="${id}"]`)?.dataset.grade ?? "";
    return item;
  }

  /** What words lead to: the few likeliest pages, and all the rules; if nothing, other words. */
  function searchIndex(words) {
    const matches = finder.find(words, index), isPage = number => entries[number].kind === "page";
    const guides = matches.filter(isPage).slice(0, 3).map(pageItem);
    return { guides: matches.length > 0 ? guides : offers(words), rules: matches.filter(number => !isPage(number)) };
  }

  /** Words that may be meant where nothing was found, each of which is looked for when it is chosen. */
  function offers(words) {
    return finder.suggestWords(words, index).map(word => {
      const link = make("a", "", `${word}?`);
      link.href = `${location.pathname}?q=${encodeURIComponent(word)}`;
      return make("li", "offer", labels.perhaps, " ", link);
    });
  }

  /** An item of the list of pages that were found. */
  function pageItem(number) {
    const { title, url, language } = entries[number];
    const link = make("a", "", title);
    link.href = top + url;
    link.lang = language;
    return make("li", "", link);
  }

  const counted = count => (count === 1 ? labels.one : labels.many.replace("{}", count));

  /** Show in the list what the words of the field lead to; without words, the table of all rules. */
  function onItsPage(field, pages, list, table, count) {
    async function show() {
      const some = field.value.trim() !== "";
      if (some) await load();
      if (some !== (field.value.trim() !== "")) return;
      const { guides, rules } = some ? searchIndex(field.value) : { guides: [], rules: [] };
      list.replaceChildren(...rules.map(item));
      pages.replaceChildren(...guides);
      pages.hidden = pages.childElementCount === 0;
      list.hidden = !some;
      table.hidden = some;
      count.textContent = some ? counted([...list.children].filter(each => each.getClientRects().length).length) : "";
      if (location.protocol !== "file:") history.replaceState(null, "", some ? `?q=${encodeURIComponent(field.value)}` : location.pathname);
    }
    field.form.hidden = false;
    field.value = typed;
    field.addEventListener("focus", load, { once: true });
    field.addEventListener("input", show);
    for (const grade of document.getElementsByName("grade")) grade.addEventListener("change", show);
    show();
  }

  /** Show the likeliest pages and rules above the pages that the search finds. */
  async function aboveThePages(pages) {
    await load();
    const { guides, rules } = searchIndex(typed), hints = make("ul", "", ...guides);
    hints.id = "found-pages";
    if (guides.length > 0) pages.before(hints);
    if (rules.length === 0) return;
    const all = make("a", "", labels.all.replace("{}", counted(rules.length)));
    all.href = `${top}rulebook/index_of_rules.html?q=${encodeURIComponent(typed)}`;
    const list = make("ol", "", ...rules.slice(0, FEW).map(item));
    list.id = "found";
    pages.before(make("h2", "", labels.heading), list, make("p", "", all));
  }

  document.addEventListener("DOMContentLoaded", () => {
    const field = document.getElementById("rule-filter"), pages = document.getElementById("search-results");
    const named = ["found-pages", "found", "rules", "rule-count"].map(id => document.getElementById(id));
    if (field) onItsPage(field, ...named);
    else if (pages && typed) aboveThePages(pages);
  });
})();
