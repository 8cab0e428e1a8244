// Additions to the scripts of the theme.

// Regions that scroll (code, tables, figures) can be focused, so that the keyboard can scroll them.
// Not all browsers make such regions focusable, so this script does.
"use strict";

const SCROLLING = new Set(["auto", "scroll"]);

/** Returns whether the reader must scroll inside `element` to see all of its content. */
function scrolls(element) {
  const style = getComputedStyle(element);
  const sideways = element.scrollWidth > element.clientWidth && SCROLLING.has(style.overflowX);
  const down = element.scrollHeight > element.clientHeight && SCROLLING.has(style.overflowY);
  return sideways || down;
}

/** Makes the regions of the article that overflow focusable, and undoes this for regions that no longer overflow. */
function markScrolling() {
  for (const drawing of document.querySelectorAll(".valletta-scroll")) drawing.classList.toggle("is-wide", scrolls(drawing));
  for (const element of document.querySelectorAll("article *")) {
    if (element.dataset.scrolls !== undefined && !scrolls(element)) {
      element.removeAttribute("tabindex");
      delete element.dataset.scrolls;
    } else if (!element.hasAttribute("tabindex") && scrolls(element)) {
      element.tabIndex = 0;
      element.dataset.scrolls = "";
    }
  }
}

let waiting = 0;
function markSoon() {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(markScrolling);
}

window.addEventListener("load", markScrolling);
window.addEventListener("resize", markSoon);
document.addEventListener("toggle", markSoon, true); // a <details> was opened or closed

/** Returns whether a part of `element` is in the window. */
function isVisible(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/**
 * Returns the part of the page that is being read: the target of the address if it is visible or the page is at its top,
 * or else the part at the top of the window.
 */
function partRead(parts) {
  const aim = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const aimed = aim ? parts.findLast(part => part.contains(aim)) : undefined;
  if (scrollY === 0 || (aimed && isVisible(aimed))) return aimed;
  const top = part => part.getBoundingClientRect().top;
  const above = part => top(part) < innerHeight / 5;
  return parts.find(part => top(part) > -5 && above(part)) ?? parts.findLast(above) ?? aimed; // -5 allows for rounding by the browser
}

// The switch to the other language leads to the part that is being read.  Rules have the same ids in both languages.  For
// other pages, `data-parts` of the link lists the ids of all parts of the translation, in order.
document.querySelector("p.languages a")?.addEventListener("click", ({ currentTarget: link }) => {
  const otherIds = link.dataset.parts?.split(" ");
  const parts = [...document.querySelectorAll(otherIds ? "article section[id]" : "section.clause, section.ruling")];
  const read = partRead(parts);
  link.hash = (otherIds ? otherIds[parts.indexOf(read)] : read?.id) ?? "";
});

// The browser stores the choices of the reader, which apply to all pages.
const choices = [...document.querySelectorAll(".marks-switch input")];
try {
  for (const choice of choices) {
    const stored = localStorage.getItem(choice.id);
    if (stored !== null) choice.checked = stored === "checked";
    choice.addEventListener("change", () => {
      for (const each of choices) localStorage.setItem(each.id, each.checked ? "checked" : "");
    });
  }
} catch {
  // Without storage, each page starts with the default choices.
}

// A link can choose the edition: building.html?as=z-man
const edition = document.getElementById(`as-${new URLSearchParams(location.search).get("as")}`);
if (edition) edition.checked = true;

// On a narrow screen, the table of contents covers the text, so it closes when the reader chooses an entry.
document.querySelector(".toc-tree")?.addEventListener("click", ({ target }) => {
  if (target.closest("a")) document.getElementById("__toc").checked = false;
});

// For summaries, the search fetches the pages that it finds.  Browsers do not allow this for pages that are opened as files.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
