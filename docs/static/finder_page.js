// The finder of rules: on the index of rules, and above the results of the search of the site.
"use strict";

(() => {
  const FEW = 8;
  const { lang, dataset: { content_root: top } } = document.documentElement;
  let labels, entries, index;
  const typed = new URLSearchParams(location.search).get("q") ?? "";

  function make(name, className, ...inside) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...inside);
    return element;
  }

  /** Loads the index on first use, since it is large.  It is a script, since pages that are opened as files can load only scripts. */
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

  /** Returns a list item for a clause or a ruling. */
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

  /**
   * Returns the results of a query: list items for the three best pages, and the numbers of all clauses and rulings.
   * Without results, the list items suggest other words.
   */
  function searchIndex(words) {
    const matches = finder.find(words, index), isPage = number => entries[number].kind === "page";
    const guides = matches.filter(isPage).slice(0, 3).map(pageItem);
    return { guides: matches.length > 0 ? guides : offers(words), rules: matches.filter(number => !isPage(number)) };
  }

  /** Returns list items that suggest similar words, with links that search for them. */
  function offers(words) {
    return finder.suggestWords(words, index).map(word => {
      const link = make("a", "", `${word}?`);
      link.href = `${location.pathname}?q=${encodeURIComponent(word)}`;
      return make("li", "offer", labels.perhaps, " ", link);
    });
  }

  function pageItem(number) {
    const { title, url, language } = entries[number];
    const link = make("a", "", title);
    link.href = top + url;
    link.lang = language;
    return make("li", "", link);
  }

  const counted = count => (count === 1 ? labels.one : labels.many.replace("{}", count));

  /** Shows the results for the text in the field or, if it is empty, the table of all rules. */
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

  /** Shows the best pages and rules above the pages that the search of the site finds. */
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
