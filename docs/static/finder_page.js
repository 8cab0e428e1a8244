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
    item.dataset.grade = document.querySelector(`#rules [data-rule="${id}"]`)?.dataset.grade ?? "";
    return item;
  }

  const SAYS_NOTHING = new Set(("a an and are as can do does for from how i in is it my of on or over s the to what when where which "
    + "who with you your das den der die ein eine einem einen einer ich im ist mit und von was wer wie wo zu").split(" "));

  /** The few pages of which title and keywords have all the words that say something, the likeliest first. */
  function pagesFor(words) {
    const grades = finder.wordsOf(words).filter(word => !SAYS_NOTHING.has(word)).map(word => finder.gradesOf(word, PAGES));
    const [first, ...others] = grades;
    const found = [...first?.keys() ?? []].filter(number => others.every(each => each.has(number)));
    const score = number => grades.reduce((sum, each) => sum + each.get(number), 0);
    return found.sort((one, other) => score(other) - score(one)).slice(0, 3);
  }

  /** An item of the list of pages that were found. */
  function pageItem(number) {
    const { title, url, language } = PAGES.entries[number];
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
      const found = some ? finder.find(field.value, RULES) : [];
      list.replaceChildren(...found.map(item));
      pages.replaceChildren(...pagesFor(field.value).map(pageItem));
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
    const found = finder.find(typed, RULES), guides = make("ul", "", ...pagesFor(typed).map(pageItem));
    guides.id = "found-pages";
    if (guides.childElementCount > 0) pages.before(guides);
    if (found.length === 0) return;
    const all = make("a", "", said.all.replace("{}", counted(found.length)));
    all.href = `${top}rulebook/index_of_rules.html?q=${encodeURIComponent(typed)}`;
    const list = make("ol", "", ...found.slice(0, FEW).map(item));
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
