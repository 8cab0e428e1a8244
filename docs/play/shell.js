/** Around the pages of the table: it loads their Python, tells how far that is, and shows them. */
import { addressOf, send } from './pages/static/server.js';

/** The phrases of this page, by language: about an address that names nothing that can be opened, and about files that cannot be loaded. */
const PHRASES = {
  en: { wrong: 'This link cannot be opened: ', instead: 'Play another game', lost: 'no connection', cut: 'incomplete' },
  de: { wrong: 'Dieser Link lässt sich nicht öffnen: ', instead: 'Eine andere Partie spielen', lost: 'keine Verbindung', cut: 'unvollständig' },
};

const at = id => document.getElementById(id);
const table = at('table');

/** The name of the cache that has the files: it changes with the version. */
let name = '';

/** In how many steps it is shown how much has come: each one is drawn, while there is much else to do. */
const STEPS = 10;

/** Load a file, and say how much has come.  (A stream would run through this page part by part.) */
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

/** The list of the files with their sizes, which the build writes; it names the cache. @returns {Promise<Record<string, number>>} */
async function listed() {
  const { cache, files } = await (await load('files.json', 0, () => {})).json();
  name = cache;
  return files;
}

/** Load everything once, so that the worker, the table and later visits find it here. */
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

/** Let the service worker answer what this page asks, also after a reload that went around it; go on without it if it cannot be installed. */
async function takeOver({ installing }) {
  const service = navigator.serviceWorker;
  const controlled = new Promise(done => { service.oncontrollerchange = done; });
  const redundant = new Promise(done => installing?.addEventListener('statechange', () => { if (installing.state === 'redundant') done(null); }));
  const ready = await Promise.race([service.ready, redundant]);
  ready?.active.postMessage('claim');
  if (ready && !service.controller) await controlled;
}

/** Start Python in a worker that all tabs share, and that outlives a reload, or in one of this tab where the browser has no such workers. */
function startPython() {
  const Kind = window.SharedWorker ?? Worker;
  const worker = new Kind('worker.js', { type: 'module', name, extendedLifetime: true });
  const failed = message => {
    if (navigator.onLine) void caches.delete(name); // what is kept may be broken: it is loaded again
    fail(message);
  };
  worker.onerror = ({ message }) => failed(message ?? 'worker.js');
  (worker.port ?? worker).onmessage = ({ data }) => failed(data.error);
  new BroadcastChannel('valletta').postMessage({ kind: 'version', version: name });
}

/** What the address names cannot be opened. */
class LinkError extends Error {}

function words() {
  return PHRASES[document.documentElement.lang];
}

/** What is sent for each thing that the address may name: the path, and the body. */
const OPENING = {
  record: text => ['replay', text],
  position: (position, named) => ['trials', JSON.stringify({ position, example: null, against: named.get('against') })],
  lesson: lesson => ['lessons', JSON.stringify({ lesson })],
  example: example => ['trials', JSON.stringify({ position: null, example, against: null })],
};

/** Open what the address names, as in `#position=…`, and return the address of its table; null if it names nothing. */
async function namedPage() {
  const named = new URLSearchParams(location.hash.slice(1));
  const kind = Object.keys(OPENING).find(each => named.has(each));
  if (kind === undefined) return null;
  const [path, body] = OPENING[kind](named.get(kind), named);
  const got = await send(path, document.documentElement.lang, body);
  const content = await got.json();
  if (!got.ok) throw new LinkError(content.value.message);
  history.replaceState(null, '', location.pathname); // a reload shows the same table, and opens no other one
  return addressOf(content.table, content.invitations.map(each => each.token).join(','));
}

/** Show the table of what the address names, or the page that was shown before a reload, or the lobby; keep its address beside ours. */
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
  const files = await listed();
  if (registered) await Promise.all([loadAll(files), takeOver(registered)]);
  else at('progress').removeAttribute('value'); // the network is needed, and nothing tells how far that is
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
