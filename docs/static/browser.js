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

// The switch to the other language stays on the rule that is being read.
document.querySelector("p.languages a")?.addEventListener("click", ({ currentTarget: link }) => {
  const rules = [...document.querySelectorAll("section.clause, section.ruling")];
  const read = rules.findLast(rule => rule.getBoundingClientRect().top < innerHeight / 3);
  link.hash = read && scrollY > 0 ? read.id : "";
});

// The search reads the beginning of each page it found, which browsers refuse where no server is.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
