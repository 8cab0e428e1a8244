/**
 * Python, and in it the tables.  Each tab has such a worker; one of them answers, and another one takes over when its tab is closed.
 */
import { loadPyodide } from './python/pyodide.mjs';

const FILE = '/tables.sqlite';
const channel = new BroadcastChannel('valletta');

/** The file of the tables, as this browser keeps it. */
class Disk {
  static open() {
    return new Promise((done, fail) => {
      const opening = indexedDB.open('valletta', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('files');
      opening.onsuccess = () => done(Object.assign(new Disk(), { database: opening.result }));
      opening.onerror = () => fail(opening.error);
    });
  }

  files(mode) {
    return this.database.transaction('files', mode, { durability: 'strict' }).objectStore('files');
  }

  read() {
    return new Promise((done, fail) => {
      const reading = this.files('readonly').get(FILE);
      reading.onsuccess = () => done(reading.result);
      reading.onerror = () => fail(reading.error);
    });
  }

  write(bytes) {
    return new Promise((done, fail) => {
      const writing = this.files('readwrite').put(bytes, FILE).transaction;
      writing.oncomplete = () => done();
      writing.onabort = writing.onerror = () => fail(writing.error);
    });
  }
}

/** Start Python with the package, and the tables of this browser. */
async function start() {
  const [python, library, disk] = await Promise.all([
    loadPyodide({ indexURL: new URL('python/', location.href).href }),
    fetch('python/library.zip').then(got => got.arrayBuffer()),
    Disk.open(),
  ]);
  globalThis.python = python; // for tests
  python.unpackArchive(library, 'zip', { extractDir: '/library' });
  const bytes = await disk.read();
  if (bytes) python.FS.writeFile(FILE, bytes);
  python.globals.set('keep', () => disk.write(python.FS.readFile(FILE)));
  return python.runPython(`
import sys
sys.path.insert(0, "/library")
from pathlib import Path
from valletta_rules.web.embedded import Embedded
Embedded(Path("${FILE}"), keep)
`);
}

/** Answer everybody, until this tab is closed. */
async function serve() {
  const tables = await start();
  const asked = new Set();
  const seated = new Set();
  const send = (to, told) => channel.postMessage({ to, ...told });
  const hear = {
    async ask({ from, path, language, body, token }) {
      if (asked.has(from)) return; // it was put again meanwhile
      asked.add(from);
      const answer = await tables.answer(path, language, body ?? undefined, token);
      const [status, text] = answer.toJs();
      answer.destroy();
      send(from, { status, text });
    },
    say({ from, text }) {
      if (seated.has(from)) return tables.hear(from, text);
      seated.add(from);
      tables.open(from, text, told => send(from, { text: told ?? null }));
    },
    leave({ from }) {
      if (seated.delete(from)) tables.hear(from, undefined);
    },
  };
  channel.onmessage = ({ data }) => hear[data.kind]?.(data);
  channel.postMessage({ to: 'everybody', kind: 'ready' });
  postMessage('ready');
}

navigator.locks.request('valletta', () => serve().then(() => new Promise(() => {}), error => postMessage({ error: String(error) })));
