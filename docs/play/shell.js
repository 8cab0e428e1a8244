/** The outer page of the game.  It loads the files, shows the progress, starts Python, and shows the pages of the table in a frame. */
import { addressOf, send } from './pages/static/server.js';

/** The phrases of this page, by language: for an address with invalid content, and for files that cannot be loaded. */
const PHRASES = {
  en: { wrong: 'This link cannot be opened: ', instead: 'Play another game', lost: 'no connection', cut: 'incomplete' },
  de: { wrong: 'Dieser Link lässt sich nicht öffnen: ', instead: 'Eine andere Partie spielen', lost: 'keine Verbindung', cut: 'unvollständig' },
};

const at = id => document.getElementById(id);
const table = at('table');

/** The name of the cache with the files.  Each version has its own cache. */
let name = '';

/** The number of steps of the progress bar.  It is small, since the browser draws each step while it loads the files. */
const STEPS = 10;

/** Loads a file, and reports the progress.  (It uses no stream, since every chunk would pass through this page.) */
async function load(file, size, onProgress) {
  const got = await new Promise(done => {
    const request = Object.assign(new XMLHttpRequest(), { onloadend: () => done(request), onprogress: ({ loaded }) => onProgress(loaded) });
    request.open('GET', file);
    request.responseType = 'blob';
    request.send();
  });
  if (got.status !== 200) throw new Error(`${file} (${got.status || words().lost})`);
  if (got.response.size < size) throw new Error(`${file} (${words().cut})`);
  onProgress(size);
  return new Response(got.response, { headers: { 'Content-Type': got.getResponseHeader('Content-Type') } });
}

/** Loads the list of the files with their sizes, which the build writes, and sets the name of the cache. @returns {Promise<Record<string, number>>} */
async function loadList() {
  const { cache, files } = await (await load('files.json', 0, () => {})).json();
  name = cache;
  return files;
}

/** Loads all files into the cache, for the worker, the table and later visits. */
async function loadAll(files) {
  const total = Object.values(files).reduce((sum, size) => sum + size, 0);
  const cache = await caches.open(name);
  const cachedUrls = new Set((await cache.keys()).map(({ url }) => url));
  const loadedBytes = {};
  await Promise.all(Object.entries({ ...files, 'files.json': 0 }).map(async ([file, size]) => {
    const showProgress = loaded => {
      loadedBytes[file] = loaded;
      const part = Object.values(loadedBytes).reduce((sum, each) => sum + each, 0) / total;
      at('progress').value = Math.floor(part * STEPS) / STEPS;
    };
    if (cachedUrls.has(new URL(file, location.href).href)) showProgress(size);
    else await cache.put(file, await load(file, size, showProgress));
  }));
}

/** Waits until the service worker handles the requests of this page, also after a reload that bypassed it.  Returns without it if it cannot be installed. */
async function takeOver({ installing }) {
  const service = navigator.serviceWorker;
  const controlled = new Promise(done => { service.oncontrollerchange = done; });
  const redundant = new Promise(done => installing?.addEventListener('statechange', () => { if (installing.state === 'redundant') done(null); }));
  const ready = await Promise.race([service.ready, redundant]);
  ready?.active.postMessage('claim');
  if (ready && !service.controller) await controlled;
}

/**
 * Starts Python in a shared worker, which all tabs use and which outlives a reload if the browser supports this; without
 * shared workers, in a worker of this tab.
 */
function startPython() {
  const Kind = window.SharedWorker ?? Worker;
  const worker = new Kind('worker.js', { type: 'module', name, extendedLifetime: true });
  const failed = message => {
    if (navigator.onLine) void caches.delete(name); // the cached files may be damaged: the next attempt loads them again
    fail(message);
  };
  worker.onerror = ({ message }) => failed(message ?? 'worker.js');
  (worker.port ?? worker).onmessage = ({ data }) => failed(data.error);
  new BroadcastChannel('valletta').postMessage({ kind: 'version', version: name });
}

/** The content of the address cannot be opened. */
class LinkError extends Error {}

function words() {
  return PHRASES[document.documentElement.lang];
}

/** For each kind of content that an address can have, a function that returns the path and the body of the request that opens it. */
const OPENING = {
  record: text => ['replay', text],
  position: (position, named) => ['trials', JSON.stringify({ position, example: null, against: named.get('against') })],
  lesson: lesson => ['lessons', JSON.stringify({ lesson })],
  example: example => ['trials', JSON.stringify({ position: null, example, against: null })],
};

/** Opens the content of the address, as in `#position=…`, and returns the address of its table, or null if the address has no content. */
async function namedPage() {
  const named = new URLSearchParams(location.hash.slice(1));
  const kind = Object.keys(OPENING).find(each => named.has(each));
  if (kind === undefined) return null;
  const [path, body] = OPENING[kind](named.get(kind), named);
  const got = await send(path, document.documentElement.lang, body);
  const content = await got.json();
  if (!got.ok) throw new LinkError(content.value.message);
  history.replaceState(null, '', location.pathname); // a reload shows the same table, and does not open another one
  return addressOf(content.table, content.invitations.map(each => each.token).join(','));
}

/**
 * Shows the table with the content of the address, or else the page that was open before a reload, or else the lobby.
 * Stores the address of the open page in the session.
 */
async function showPages() {
  const opened = await namedPage();
  const was = opened ?? sessionStorage.getItem('valletta.page');
  table.src = was?.startsWith(new URL('pages/', location.href).href) ? was : 'pages/index.html';
  table.hidden = false;
  at('before').hidden = true;
  table.addEventListener('load', () => {
    const { document: inside, location: where } = table.contentWindow;
    sessionStorage.setItem('valletta.page', where.href);
    new MutationObserver(() => { document.title = inside.title; }).observe(inside.querySelector('title'), { childList: true });
    document.title = inside.title;
    document.documentElement.lang = inside.documentElement.lang;
  });
}

async function begin() {
  const wanted = new URLSearchParams(location.search).get('language') ?? '';
  const language = Object.hasOwn(PHRASES, wanted) ? wanted : null;
  document.documentElement.lang = language ?? 'en';
  if (language && !localStorage.getItem('valletta.language')) localStorage.setItem('valletta.language', language);
  const registered = await navigator.serviceWorker?.register('sw.js').catch(() => null);
  const files = await loadList();
  if (registered) await Promise.all([loadAll(files), takeOver(registered)]);
  else at('progress').removeAttribute('value'); // files are loaded over the network when they are needed, so the progress is unknown
  startPython();
  await showPages();
  addEventListener('hashchange', () => location.reload());
}

if (isSecureContext) {
  at('unserved').hidden = true;
  at('loading').hidden = false;
  begin().catch(error => {
    if (!(error instanceof LinkError)) return fail(error.message);
    at('status').textContent = words().wrong + error.message;
    at('progress').hidden = true;
    at('instead').hidden = false;
    at('instead').firstElementChild.textContent = words().instead;
  });
}
