// The finder of rules on its page, and above what the search of the site finds.
"use strict";

(() => {
  const { said, entries } = INDEX;
  const FEW = 8;
  const top = document.documentElement.dataset.content_root;
  const typed = new URLSearchParams(location.search).get("q") ?? "";

  /** Make an element with a class and what is inside it. */
  function make(name, className, ...inside) {
    const element = document.createElement(name);
    if (className) element.className = className;
    element.append(...inside);
    return element;
  }

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

  /** What words lead to: the few likeliest pages, and all the rules. */
  function lookFor(words) {
    const found = finder.find(words, INDEX), isPage = number => entries[number].kind === "page";
    return { guides: found.filter(isPage).slice(0, 3).map(pageItem), rules: found.filter(number => !isPage(number)) };
  }

  /** An item of the list of pages that were found. */
  function pageItem(number) {
    const { title, url, language } = entries[number];
    const link = make("a", "", title);
    link.href = top + url;
    link.lang = language;
    return make("li", "", link);
  }

  const counted = count => (count === 1 ? said.one : said.many.replace("{}", count));

  /** Show in the list what the words of the field lead to; without words, the table of all rules. */
  function onItsPage(field, pages, list, table, count) {
    function show() {
      const some = field.value.trim() !== "";
      const { guides, rules } = lookFor(field.value);
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
    field.addEventListener("input", show);
    for (const grade of document.getElementsByName("grade")) grade.addEventListener("change", show);
    show();
  }

  /** Show the likeliest pages and rules above the pages that the search finds. */
  function aboveThePages(pages) {
    const { guides, rules } = lookFor(typed), hints = make("ul", "", ...guides);
    hints.id = "found-pages";
    if (guides.length > 0) pages.before(hints);
    if (rules.length === 0) return;
    const all = make("a", "", said.all.replace("{}", counted(rules.length)));
    all.href = `${top}rulebook/index_of_rules.html?q=${encodeURIComponent(typed)}`;
    const list = make("ol", "", ...rules.slice(0, FEW).map(item));
    list.id = "found";
    pages.before(make("h2", "", said.heading), list, make("p", "", all));
  }

  document.addEventListener("DOMContentLoaded", () => {
    const field = document.getElementById("rule-filter"), pages = document.getElementById("search-results");
    const named = ["found-pages", "found", "rules", "rule-count"].map(id => document.getElementById(id));
    if (field) onItsPage(field, ...named);
    else if (pages && typed) aboveThePages(pages);
  });
})();
