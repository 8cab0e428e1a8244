// The finder of rules on its page, and above what the search of the site finds.
"use strict";

(() => {
  const { said, entries } = RULES;
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
    return item;
  }

  const counted = count => (count === 1 ? said.one : said.many.replace("{}", count));

  /** Show in the list what the words of the field lead to; without words, the table of all rules. */
  function onItsPage(field, list, table, count) {
    function show() {
      const some = field.value.trim() !== "";
      const found = some ? finder.find(field.value, RULES) : [];
      list.replaceChildren(...found.map(item));
      list.hidden = !some;
      table.hidden = some;
      count.textContent = some ? counted(found.length) : "";
      if (location.protocol !== "file:") history.replaceState(null, "", some ? `?q=${encodeURIComponent(field.value)}` : location.pathname);
    }
    field.form.hidden = false;
    field.value = typed;
    field.addEventListener("input", show);
    show();
  }

  /** Show the likeliest rules above the pages that the search finds. */
  function aboveThePages(pages) {
    const found = finder.find(typed, RULES);
    if (found.length === 0) return;
    const all = make("a", "", said.all.replace("{}", counted(found.length)));
    all.href = `${top}rulebook/index_of_rules.html?q=${encodeURIComponent(typed)}`;
    const list = make("ol", "", ...found.slice(0, FEW).map(item));
    list.id = "found";
    pages.before(make("h2", "", said.heading), list, make("p", "", all));
  }

  document.addEventListener("DOMContentLoaded", () => {
    const field = document.getElementById("rule-filter"), pages = document.getElementById("search-results");
    const named = ["found", "rules", "rule-count"].map(id => document.getElementById(id));
    if (field) onItsPage(field, ...named);
    else if (pages && typed) aboveThePages(pages);
  });
})();
