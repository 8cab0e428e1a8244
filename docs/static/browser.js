// What the theme leaves out.

// What scrolls sideways inside a page (code, tables, figures) can be reached and scrolled with the keyboard.
// Browsers differ in giving such regions focus by themselves, so each that overflows is given it here.
"use strict";

const SCROLLING = new Set(["auto", "scroll"]);

/** Whether the reader has to scroll inside `element` to see all of it. */
function scrolls(element) {
  const style = getComputedStyle(element);
  const sideways = element.scrollWidth > element.clientWidth && SCROLLING.has(style.overflowX);
  const down = element.scrollHeight > element.clientHeight && SCROLLING.has(style.overflowY);
  return sideways || down;
}

/** Give focus to the regions of the article that overflow now, and take it from those that no longer do. */
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
document.addEventListener("toggle", markSoon, true); // a <details> was opened

/** Whether something of `element` is in the window. */
function isVisible(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Which of the parts of the page is being read: that at which the address aims while it is seen, or else one scrolled to. */
function partRead(parts) {
  const aim = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const aimed = aim ? parts.findLast(part => part.contains(aim)) : undefined;
  if (scrollY === 0 || (aimed && isVisible(aimed))) return aimed;
  const top = part => part.getBoundingClientRect().top;
  const above = part => top(part) < innerHeight / 5;
  return parts.find(part => top(part) > -5 && above(part)) ?? parts.findLast(above) ?? aimed; // -5: rounded by the browser
}

// The switch to the other language stays on what is being read.  Rules are called the same in both languages; what the
// parts of other pages are called there, one after the other, the link knows.
document.querySelector("p.languages a")?.addEventListener("click", ({ currentTarget: link }) => {
  const otherIds = link.dataset.parts?.split(" ");
  const parts = [...document.querySelectorAll(otherIds ? "article section[id]" : "section.clause, section.ruling")];
  const read = partRead(parts);
  link.hash = (otherIds ? otherIds[parts.indexOf(read)] : read?.id) ?? "";
});

// What a reader chooses on one page stays chosen on the others, where the browser keeps such choices.
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
  // Such a browser shows each page as it is written.
}

// A link can choose the edition: building.html?as=z-man
const edition = document.getElementById(`as-${new URLSearchParams(location.search).get("as")}`);
if (edition) edition.checked = true;

// On a narrow screen the contents lie over the text: whoever has chosen a part of it wants to read it.
document.querySelector(".toc-tree")?.addEventListener("click", ({ target }) => {
  if (target.closest("a")) document.getElementById("__toc").checked = false;
});

// The search reads the beginning of each page it found, which browsers refuse where no server is.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
