/** The files of the built site: its pages, their ids and references.  These checks need no browser. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Elements whose content is not markup, and comments.  The replacement keeps the opening tags of the elements.
const NO_MARKUP = /<!--[\s\S]*?-->|(<(script|style|textarea|title)\b[^>]*>)[\s\S]*?<\/\2\s*>/gi;
const ATTRIBUTE = String.raw`[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>\u0060]+))?`;
const TAG = new RegExp(String.raw`<([a-zA-Z][\w:-]*)((?:\s+${ATTRIBUTE})*)\s*/?>`, 'g');
const ATTRIBUTES = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
const CSS_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')/g;

const REFERENCES = ['href', 'xlink:href', 'src', 'poster', 'action'];
const FETCHING_RELATIONS = /\b(stylesheet|icon|preload|prefetch|modulepreload|manifest)\b/i;
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = text => text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal, hex, name) =>
  decimal ? String.fromCodePoint(Number(decimal))
    : hex ? String.fromCodePoint(parseInt(hex, 16))
      : ENTITIES[name] ?? all);

/** Returns all files under `folder`, as relative paths with forward slashes. */
function filesUnder(folder) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .map(name => name.split(path.sep).join('/'))
    .sort();
}

/** Yields the opening tags of `html` as {name, attributes}. */
function* tags(html) {
  for (const [, name, rest] of html.replace(NO_MARKUP, '$1').matchAll(TAG)) {
    const attributes = {};
    for (const [, key, ...values] of rest.matchAll(ATTRIBUTES)) {
      attributes[key.toLowerCase()] ??= decoded(values.find(value => value !== undefined) ?? '');
    }
    yield { name: name.toLowerCase(), attributes };
  }
}

/** Returns whether a browser loads the references of the tag automatically, rather than when the reader follows a link. */
function isFetched({ name, attributes }) {
  if (['a', 'area', 'form'].includes(name)) return false;
  return name !== 'link' || FETCHING_RELATIONS.test(attributes.rel ?? '');
}

/** Yields the references of a tag: `to` is the address as written, and `fetched` is the result of `isFetched`. */
function* references(tag) {
  const fetched = isFetched(tag);
  for (const key of REFERENCES) {
    if (tag.attributes[key] !== undefined) yield { to: tag.attributes[key], fetched };
  }
  if (tag.name === 'object' && tag.attributes.data) yield { to: tag.attributes.data, fetched };
  for (const choice of (tag.attributes.srcset ?? '').split(',')) {
    if (choice.trim()) yield { to: choice.trim().split(/\s+/)[0], fetched };
  }
  yield* cssReferences(tag.attributes.style ?? '');
}

/** Returns the contents of the <style> elements of a page. */
const innerStyles = text => [...text.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi)].map(([, css]) => css);

function* cssReferences(css) {
  for (const [, ...urls] of css.matchAll(CSS_URL)) {
    yield { to: urls.find(url => url !== undefined), fetched: true };
  }
}

/** Returns the parts of a document that the checks need: ids, duplicate ids, references, alternates, the language, and expected findings. */
function markup(text) {
  const parsed = { ids: new Set(), twice: new Set(), references: [], expected: [], alternates: [], language: null };
  for (const tag of tags(text)) {
    const { id, name, content } = tag.attributes;
    if (id !== undefined) (parsed.ids.has(id) ? parsed.twice : parsed.ids).add(id);
    if (tag.name === 'a' && name) parsed.ids.add(name);
    if (tag.name === 'meta' && name === 'must-find') parsed.expected.push(content);
    if (tag.name === 'html') parsed.language = tag.attributes.lang ?? null;
    if (tag.name === 'link' && tag.attributes.rel === 'alternate') parsed.alternates.push(tag.attributes);
    parsed.references.push(...references(tag));
  }
  for (const css of innerStyles(text)) parsed.references.push(...cssReferences(css));
  return parsed;
}

/** Returns the number of words in the article of a page, including code. */
function wordsIn(html) {
  const [article = ''] = /<article\b[\s\S]*<\/article>/.exec(html) ?? [];
  const text = article.replace(/<(svg|script|style)\b[\s\S]*?<\/\1>|<(?!\/?(?:span|code|a|em|strong|b)\b)[^>]*>/g, ' ');
  return text.replace(/<[^>]*>/g, '').split(/\s+/).filter(Boolean).length;
}

function read(root, file) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return file.endsWith('.css')
    ? { ids: new Set(), twice: new Set(), references: [...cssReferences(text)], expected: [] }
    : { ...markup(text), words: wordsIn(text) };
}

/** Lists the files under `root`, and parses the HTML, SVG and CSS files. */
export function readSite(root) {
  root = fs.realpathSync(root);
  const files = new Set(filesUnder(root));
  const documents = new Map();
  for (const file of files) {
    if (/\.(html|svg|css)$/.test(file) && !file.startsWith('_downloads/')) documents.set(file, read(root, file));
  }
  const pages = [...files].filter(file => file.endsWith('.html') && !/^(play\/app|_downloads)\//.test(file)); // the playable game has its own checks; downloads are not pages
  return { root, files, documents, pages, url: page => pathToFileURL(path.join(root, page)).href };
}

/** Resolves the address `to` of a reference in `page`.  Returns {external} or {file, anchor}; `file` is null if it is outside the site. */
export function resolve(site, page, to) {
  const url = new URL(to, site.url(page));
  if (url.protocol !== 'file:') return { external: url };
  const target = path.relative(site.root, fileURLToPath(url)).split(path.sep).join('/');
  const file = target === '..' || target.startsWith('../') ? null : target;
  return { file, anchor: decodeURIComponent(url.hash.slice(1)) };
}

/** Returns the problem with a reference, or null. */
function complaint(site, page, { to, fetched }) {
  if (!URL.canParse(to, site.url(page))) return 'is not a valid URL';
  const { external, file, anchor } = resolve(site, page, to);
  if (external) {
    if (external.protocol === 'data:') return null;
    if (fetched) return 'loads a file from another site';
    return ['https:', 'mailto:'].includes(external.protocol) ? null : 'leads to another site without https';
  }
  if (file === null) return 'leads to a file outside the build';
  if (!site.files.has(file)) {
    const folder = file === '' || [...site.files].some(other => other.startsWith(`${file}/`));
    return folder ? 'leads to a folder, which only works on a server' : 'leads to a file that does not exist';
  }
  const target = site.documents.get(file);
  if (!anchor || !target || file.startsWith('play/app/')) return null; // in the game, the fragment names the position or record to open
  if (!target.ids.has(anchor)) return 'leads to an anchor that does not exist';
  return target.twice.has(anchor) ? 'leads to an id that occurs twice on its page' : null;
}

/** Returns the findings about the references of the chosen documents. */
export function brokenReferences(site, chosen) {
  const findings = [];
  for (const [page, { references: written }] of site.documents) {
    if (!chosen(page)) continue;
    for (const reference of written) {
      const problem = complaint(site, page, reference);
      if (problem) findings.push({ check: 'links', problem: `a reference ${problem}`, page, where: reference.to });
    }
  }
  return findings;
}

/** Returns the findings about pages in several languages: each must list itself and its translations as alternates, and each translation must list the page. */
export function languages(site, chosen) {
  const findings = [];
  for (const page of site.pages.filter(chosen)) {
    const { alternates, language } = site.documents.get(page);
    const report = (problem, where) => findings.push({ check: 'languages', problem, page, where });
    const named = new Map(alternates.map(({ hreflang, href }) => [resolve(site, page, href).file, hreflang]));
    if (named.size && named.get(page) !== language) report('a page does not list itself as an alternate in its language', String(language));
    for (const [other, hreflang] of named) {
      const target = site.documents.get(other);
      if (!target) report('an alternate page does not exist', String(other));
      else if (target.language !== hreflang) report('an alternate page is in another language than its hreflang', `${other}: ${target.language}, not ${hreflang}`);
      else if (!target.alternates.some(({ href }) => resolve(site, other, href).file === page)) report('an alternate page does not list the page as its alternate', other);
    }
  }
  return findings;
}

const RULES = /^(de\/)?(rulebook|cards|learn)\/(?!texts\/)/, CLAUSE = /^(de\/)?rule\//, PICTURE = /^_images\/drawn\//;
const LARGEST = { page: 300_000, clause: 30_000, picture: 30_000 }; // bytes

/** Returns the findings about pages of rules, pages of clauses and drawings that exceed their size limits. */
export function sizes(site, chosen, largest = LARGEST) {
  const larger = (limit, problem) => file => {
    const { size } = fs.statSync(path.join(site.root, file));
    return size > limit ? [{ check: 'size', problem, page: file, where: `${Math.ceil(size / 1000)} kB` }] : [];
  };
  return [
    ...site.pages.filter(page => chosen(page) && RULES.test(page))
      .flatMap(larger(largest.page, `a page of rules is larger than ${largest.page / 1000} kB`)),
    ...site.pages.filter(page => chosen(page) && CLAUSE.test(page))
      .flatMap(larger(largest.clause, `the page of a clause is larger than ${largest.clause / 1000} kB`)),
    ...[...site.files].filter(file => chosen(file) && PICTURE.test(file))
      .flatMap(larger(largest.picture, `a picture is larger than ${largest.picture / 1000} kB`)),
  ];
}

const MOST = { clauses: 140_000, others: 480_000 }; // words

/** Returns the total number of words on the pages of clauses, and on all other pages. */
export function volume(site) {
  const words = { clauses: 0, others: 0 };
  for (const page of site.pages) words[CLAUSE.test(page) ? 'clauses' : 'others'] += site.documents.get(page).words;
  return words;
}

/** Returns the findings about totals of words that exceed the limits. */
export const tooWordy = site => Object.entries(volume(site)).filter(([kind, words]) => words > MOST[kind])
  .map(([kind, words]) => ({ check: 'size', problem: `more than ${MOST[kind]} words`, page: kind, where: `${words} words` }));

/** Returns the SVG files that the chosen pages show, as a map from the file to the first page that shows it. */
export function pictureFiles(site, chosen) {
  const firstPages = new Map();
  for (const page of site.pages.filter(chosen)) {
    for (const { to, fetched } of site.documents.get(page).references) {
      const file = fetched && URL.canParse(to, site.url(page)) && resolve(site, page, to).file;
      if (file && file.endsWith('.svg') && site.files.has(file) && !firstPages.has(file)) firstPages.set(file, page);
    }
  }
  return firstPages;
}

const RULE = /([^{}]+)\{([^{}]*)\}/g;
const VISUAL = /(?:color|background|fill|stroke|opacity|filter|overflow|width|white-space)[\w-]*\s*:/;

/** Returns the names of the classes that the style sheets of the site use in rules for colours, widths or overflow. */
export function styledClasses(site) {
  const names = new Set();
  for (const file of site.documents.keys()) {
    const text = fs.readFileSync(path.join(site.root, file), 'utf8');
    for (const [, selectors, declarations] of (file.endsWith('.css') ? [text] : innerStyles(text)).join().matchAll(RULE)) {
      if (!VISUAL.test(declarations)) continue;
      for (const [, name] of selectors.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)) names.add(name);
    }
  }
  return [...names];
}
