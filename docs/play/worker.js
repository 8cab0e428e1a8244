/**
 * Runs Python with the tables.
 *
 * If the browser has shared workers, all tabs share this worker, and with `extendedLifetime` it outlives a reload.  In other browsers, each
 * tab has its own worker; only one of them is active, and another one takes over when its tab is closed.
 */
import { HEAD, putAll } from './archive.mjs';
import createPyodideModule from './python/pyodide.asm.mjs';
import { loadPyodide } from './python/pyodide.mjs';

const FILE = '/tables.sqlite';
const channel = new BroadcastChannel('valletta');

/** The ports to which a failure of Python is reported: that of the page that owns this worker, or those of the pages that share it. */
const pages = [];
const reached = new Promise(done => {
  globalThis.onconnect = ({ ports }) => done(pages.push(...ports));
  if ('postMessage' in globalThis) done(pages.push(globalThis));
});

/** The size of a block in the storage in bytes.  It equals the size of a page of SQLite, so that a write changes few blocks. */
const PAGE = 4096;

/** The size in bytes of each allocation that enlarges the memory of Python until a snapshot fits. */
const STEP = 1 << 20;

/** The storage of the database file with the tables, in blocks (pages).  Only changed pages are written. */
class Disk {
  /** The pages as of the last write. @type {Uint8Array[]} */
  written = [];

  static open() {
    return new Promise((done, fail) => {
      const opening = indexedDB.open('valletta', 2);
      opening.onupgradeneeded = () => opening.result.createObjectStore('pages');
      opening.onsuccess = () => done(Object.assign(new Disk(), { database: opening.result }));
      opening.onerror = () => fail(opening.error);
    });
  }

  pages(mode) {
    return this.database.transaction('pages', mode, { durability: 'strict' }).objectStore('pages');
  }

  /** Copies the stored pages to the file in Python's file system.  The file is empty if there are none. */
  read(files) {
    return new Promise((done, fail) => {
      const reading = this.pages('readonly').getAll();
      reading.onsuccess = () => {
        this.written = reading.result;
        const file = files.open(FILE, 'w');
        this.written.forEach((page, number) => files.write(file, page, 0, page.length, number * PAGE));
        files.close(file);
        done();
      };
      reading.onerror = () => fail(reading.error);
    });
  }

  write(files) {
    return new Promise((done, fail) => {
      const pages = this.pages('readwrite');
      for (const [number, page] of pagesOf(files)) {
        if (isSame(page, this.written[number])) continue;
        this.written[number] = page.slice();
        pages.put(this.written[number], number);
      }
      pages.transaction.oncomplete = () => done();
      pages.transaction.onabort = pages.transaction.onerror = () => {
        this.written = []; // the next call writes all pages
        fail(pages.transaction.error);
      };
    });
  }
}

/** Yields the number and the content of each page of the file in Python's file system.  The array is the same for all pages. */
function* pagesOf(files) {
  const [file, page] = [files.open(FILE, 'r'), new Uint8Array(PAGE)];
  for (let number = 0; files.read(file, page, 0, PAGE, number * PAGE) > 0; number += 1) yield [number, page];
  files.close(file);
}

function isSame(page, other) {
  for (let at = 0; at < PAGE; at += 1) if (page[at] !== other?.[at]) return false;
  return true;
}

/** Fetches a gzip file, and returns its decompressed content as a stream. */
async function unpack(file) {
  return (await fetch(file)).body.pipeThrough(new DecompressionStream('gzip'));
}

/** Fills an array from `rest`, the unread part of a chunk, and from the next chunks of a stream.  Returns the unread part of the last chunk. */
async function fill(array, stream, rest) {
  for (let at = 0; at < array.length;) {
    if (rest.length === 0) {
      rest.buffer.transfer?.(0); // the chunk has been copied: free its memory at once
      rest = (await stream.read()).value;
    }
    const part = rest.subarray(0, array.length - at);
    array.set(part, at);
    at += part.length;
    rest = rest.subarray(part.length);
  }
  return rest;
}

/** A promise that rejects if WebAssembly cannot be compiled.  Pyodide itself only logs this error to the console, and then waits forever. */
const broken = new Promise((_, fail) => {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = (...all) => {
    const instance = instantiateStreaming.apply(WebAssembly, all);
    instance.catch(fail);
    return instance;
  };
});

/** Starts Python from the snapshot of the memory after all imports (see `snapshot.mjs`).  If that fails, starts Python without a snapshot. */
async function startPython() {
  const usual = { indexURL: new URL('python/', location.href).href };
  try {
    const stream = (await unpack('python/memory.bin')).getReader();
    const head = new Uint8Array(HEAD);
    const rest = await fill(head, stream, new Uint8Array());
    const [low, high, end, size] = new Uint32Array(head.buffer, HEAD - 16);
    const restored = async settings => {
      const module = await createPyodideModule(settings);
      while (module.HEAPU8.length < size) module._malloc(STEP);
      const memory = module.HEAPU8.fill(0, low, high).fill(0, end);
      await fill(memory.subarray(high, end), stream, await fill(memory.subarray(0, low), stream, rest));
      return module;
    };
    return await loadPyodide({ ...usual, _loadSnapshot: head, createPyodideModule: restored });
  } catch (error) {
    console.warn(error);
    return loadPyodide(usual);
  }
}

/** Starts Python with the package, and returns the tables of this browser, an object of the class `Embedded`. */
async function start() {
  const library = unpack('python/library.bin').then(stream => new Response(stream).arrayBuffer()).catch(({ message }) => {
    throw new Error(`python/library.bin: ${message}`);
  });
  const [python, tar, disk] = await Promise.all([Promise.race([startPython(), broken]), library, Disk.open()]);
  globalThis.python = python; // for tests
  putAll(python.FS, new Uint8Array(tar));
  await disk.read(python.FS);
  python.globals.set('keep', () => disk.write(python.FS));
  return python.runPython(`
import sys
if "/library" not in sys.path:
    sys.path.insert(0, "/library")
from pathlib import Path
from valletta_rules.web.embedded import Embedded
file = Path("${FILE}")
if not file.stat().st_size:
    file.write_bytes(globals().get("EMPTY", b""))
Embedded(file, keep)
`);
}

/** Handles the requests of all pages until this worker ends. */
async function serve() {
  const tables = await start();
  const requestIds = new Set();
  const seated = new Set();
  const send = (to, reply) => channel.postMessage({ to, ...reply });
  const handlers = {
    version({ version }) {
      if (version !== name) close(); // a worker of the other version takes over
    },
    async ask({ from, path, language, body, token }) {
      if (requestIds.has(from)) return; // a repeated request
      requestIds.add(from);
      const answer = await tables.answer(path, language, body ?? undefined, token);
      const [status, text] = answer.toJs();
      answer.destroy();
      send(from, { status, text });
    },
    say({ from, text }) {
      if (seated.has(from)) return tables.receive(from, text);
      seated.add(from);
      tables.open(from, text, message => send(from, { text: message ?? null }));
    },
    leave({ from }) {
      if (seated.delete(from)) tables.receive(from, undefined);
    },
  };
  channel.onmessage = ({ data }) => handlers[data.kind]?.(data);
  channel.postMessage({ to: 'everybody', kind: 'ready' });
}

/** Reports that Python cannot start, and ends this worker, so that a reload starts a new one. */
async function fail(error) {
  await reached;
  for (const page of pages) page.postMessage({ error: String(error) });
  close();
}

navigator.locks.request('valletta', () => serve().then(() => new Promise(() => {}), fail));
