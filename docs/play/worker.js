/**
 * Python, and in it the tables.
 *
 * All tabs share this worker, and it outlives a reload, where the browser has shared workers and knows `extendedLifetime`.  In other browsers
 * each tab has such a worker; one of them answers, and another one takes over when its tab is closed.
 */
import { HEAD, putAll } from './archive.mjs';
import createPyodideModule from './python/pyodide.asm.mjs';
import { loadPyodide } from './python/pyodide.mjs';

const FILE = '/tables.sqlite';
const channel = new BroadcastChannel('valletta');

/** The pages to tell that Python cannot start: the owner of this worker, or all that share it. */
const pages = [];
const reached = new Promise(done => {
  globalThis.onconnect = ({ ports }) => done(pages.push(...ports));
  if ('postMessage' in globalThis) done(pages.push(globalThis));
});

/** How many bytes of a file are kept together: a page of SQLite, so that a step changes few of them. */
const PAGE = 4096;

/** By how many bytes the memory of Python is made larger until it has room for a snapshot. */
const STEP = 1 << 20;

/** The file of the tables, as this browser keeps it: by pages, of which those are written that have changed. */
class Disk {
  /** The pages as they were written last. @type {Uint8Array[]} */
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

  /** Put the file into Python's file system, if there is one. */
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
        this.written = []; // all of it is written next time
        fail(pages.transaction.error);
      };
    });
  }
}

/** Run through the pages of the file in Python's file system; each is given in the same array. */
function* pagesOf(files) {
  const [file, page] = [files.open(FILE, 'r'), new Uint8Array(PAGE)];
  for (let number = 0; files.read(file, page, 0, PAGE, number * PAGE) > 0; number += 1) yield [number, page];
  files.close(file);
}

function isSame(page, other) {
  for (let at = 0; at < PAGE; at += 1) if (page[at] !== other?.[at]) return false;
  return true;
}

/** What is in a compressed file, as a stream: servers send it as it is. */
async function unpacked(file) {
  return (await fetch(file)).body.pipeThrough(new DecompressionStream('gzip'));
}

/** Fill an array from what is left of a part of a stream, and from the parts that follow; returns what is left of the last one. */
async function fill(array, stream, rest) {
  for (let at = 0; at < array.length;) {
    if (rest.length === 0) {
      rest.buffer.transfer?.(0); // it has been copied: what it takes is given back at once
      rest = (await stream.read()).value;
    }
    const part = rest.subarray(0, array.length - at);
    array.set(part, at);
    at += part.length;
    rest = rest.subarray(part.length);
  }
  return rest;
}

/** Fails as soon as WebAssembly cannot be compiled: Pyodide reports that on the console alone, and waits without end. */
const broken = new Promise((_, fail) => {
  const { instantiateStreaming } = WebAssembly;
  WebAssembly.instantiateStreaming = (...all) => {
    const instance = instantiateStreaming.apply(WebAssembly, all);
    instance.catch(fail);
    return instance;
  };
});

/** Start Python from its memory as it was once all was imported (`snapshot.mjs`); a browser in which that fails starts it anew. */
async function startPython() {
  const usual = { indexURL: new URL('python/', location.href).href };
  try {
    const stream = (await unpacked('python/memory.bin')).getReader();
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

/** Start Python with the package, and the tables of this browser. */
async function start() {
  const library = unpacked('python/library.bin').then(stream => new Response(stream).arrayBuffer()).catch(({ message }) => {
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

/** Answer everybody, until this tab is closed. */
async function serve() {
  const tables = await start();
  const requestIds = new Set();
  const seated = new Set();
  const send = (to, reply) => channel.postMessage({ to, ...reply });
  const handlers = {
    version({ version }) {
      if (version !== name) close(); // a worker of that version takes over
    },
    async ask({ from, path, language, body, token }) {
      if (requestIds.has(from)) return; // it was put again meanwhile
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

/** Tell that Python cannot start, and end, so that a reload tries it again. */
async function fail(error) {
  await reached;
  for (const page of pages) page.postMessage({ error: String(error) });
  close();
}

navigator.locks.request('valletta', () => serve().then(() => new Promise(() => {}), fail));
