/** Around the pages of the table: it loads their Python, tells how far that is, and shows them. */
import { addressOf, send } from './pages/static/server.js';

const at = id => document.getElementById(id);
const table = at('table');

/** What is loaded, and how much of it there is; the build writes it. @type {Record<string, number>} */
const { files } = await (await fetch('files.json')).json();

/** Load a file into the browser's cache, and say how much has come. */
async function load(name, come) {
  const got = await fetch(name);
  if (!got.ok) throw new Error(`${name}: ${got.status}`);
  for await (const part of chunks(got.body.getReader())) come(part.length);
}

async function* chunks(reader) {
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) yield value;
}

/** Load everything, so that the worker and later visits find it here. */
async function loadAll() {
  const total = Object.values(files).reduce((sum, size) => sum + size, 0);
  let come = 0;
  await Promise.all(Object.keys(files).map(name => load(name, size => {
    come += size;
    at('progress').value = come / total;
  })));
}

/** Open the record of a game that the address has, as in `#record=…`; return the address of its table. */
async function recordPage() {
  const text = new URLSearchParams(location.hash.slice(1)).get('record');
  if (text === null) return null;
  const got = await send('replay', document.documentElement.lang, text);
  const said = await got.json();
  if (!got.ok) throw new Error(said.value.message);
  history.replaceState(null, '', location.pathname); // a reload shows the same table, and opens no other one
  return addressOf(said.table, '');
}

/** Show the table of a record, or the page that was shown before a reload, or the lobby; keep its address beside ours. */
async function showPages() {
  const opened = await recordPage();
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
  const language = new URLSearchParams(location.search).get('language');
  document.documentElement.lang = language ?? 'en';
  if (language && !localStorage.getItem('valletta.language')) localStorage.setItem('valletta.language', language);
  await navigator.serviceWorker?.register('sw.js').catch(() => null); // without it, the network is needed
  await loadAll();
  const worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => {
    if (!data.error) return;
    table.hidden = true;
    at('before').hidden = false;
    at('said').textContent = data.error;
  };
  worker.onerror = event => worker.onmessage({ data: { error: event.message } });
  await showPages();
}

if (isSecureContext) {
  at('unserved').hidden = true;
  at('loading').hidden = false;
  begin().catch(error => { at('said').textContent = String(error); });
}
