/** The fixed phrases of the page and the names of characters and goods, in the selected language; and the data stored on this device. */
/** @import { Good } from '../../schema/valletta.js' */
/** @import { Phrases } from './phrases.js' */

/**
 * The words of the page in one language, as `valletta_rules.words.page_words` returns them.
 *
 * @typedef {object} PageWords
 * @property {Phrases} phrases
 * @property {Record<string, string>} levels
 * @property {Record<string, string>} editions
 * @property {Record<string, string>} variants
 * @property {Record<Good, string>} goods
 * @property {Record<string, { name: string, effect: string, colour: string }>} characters
 */

const KNOWN = ['en', 'de'];

/**
 * Return the language that is selected on this device; by default, the first supported language of the browser.
 *
 * @returns {'en' | 'de'}
 */
export function language() {
  const wanted = [stored('language') ?? '', ...navigator.languages].map(code => code.slice(0, 2).toLowerCase());
  return /** @type {'en' | 'de'} */ (wanted.find(code => KNOWN.includes(code)) ?? 'en');
}

/** @type {PageWords} */
export let words;

/** @type {Phrases} the phrases in `words` */
export let t;

/** Fetch a JSON file that the page requires, and retry until the request succeeds. @param {URL} path */
export async function fetchJson(path) {
  for (let wait = 500; ; wait = Math.min(2 * wait, 15_000)) {
    const answer = await fetch(path).catch(() => null);
    if (answer?.ok) return answer.json();
    await new Promise(go => setTimeout(go, wait));
  }
}

/** Fetch the words of the language. */
export async function loadWords() {
  const code = language();
  words = /** @type {PageWords} */ (await fetchJson(new URL(`words.${code}.json`, import.meta.url)));
  t = words.phrases;
  document.documentElement.lang = code;
}

/**
 * Replace each `{}` in a phrase by a value, in order.
 *
 * @param {string} phrase
 * @param {...(string | number)} parts
 * @returns {string}
 */
export function fill(phrase, ...parts) {
  let next = 0;
  return phrase.replaceAll('{}', () => String(parts[next++] ?? ''));
}

// Data on this device; if the browser denies access to the storage, nothing is stored

/** @param {string} key @returns {string | null} */
export function stored(key) {
  try {
    return localStorage.getItem(`valletta.${key}`);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value */
export function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(`valletta.${key}`);
    else localStorage.setItem(`valletta.${key}`, value);
  } catch { /* the value is not stored */ }
}

/**
 * A table that was opened on this device.
 *
 * @typedef {{ id: string, tokens: string, names: string[], at: number }} KnownTable
 */

/** The maximum number of tables that are stored on this device. */
const REMEMBERED = 8;

/** @returns {KnownTable[]} */
export function knownTables() {
  return JSON.parse(stored('tables') ?? '[]');
}

/** Store a table on this device, or replace its stored data. @param {KnownTable} table */
export function storeTable(table) {
  forgetTable(table.id);
  store('tables', JSON.stringify([table, ...knownTables()].slice(0, REMEMBERED)));
}

/** @param {string | undefined} id */
export function forgetTable(id) {
  store('tables', JSON.stringify(knownTables().filter(table => table.id !== id)));
}

/** Apply the theme and the motion preference of this device. */
export function applyTheme() {
  const theme = stored('theme');
  if (theme === null) document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
  document.documentElement.setAttribute('data-motion', stored('motion') ?? '');
}
