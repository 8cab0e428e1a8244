/**
 * Starts Python, imports the library, and writes a snapshot of the memory, from which Python starts in a browser.
 *
 * usage: node snapshot.mjs FOLDER
 *
 * FOLDER contains Pyodide and the compiled archives.  The snapshot is written to `memory.bin` in this folder, and compressed.  It consists
 * of a block of HEAD bytes, the memory before its longest run of zeros, and the memory after this run, without the zeros at the end.
 * The block begins with the header of Pyodide's own snapshot.  Its last four words are the end of the first part, the start and the end
 * of the second part, and the size of the memory, in bytes.
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { HEAD, putAll } from './archive.mjs';

const folder = path.resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);
const python = await loadPyodide({ _makeSnapshot: true, indexURL: folder, env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } });
putAll(python.FS, zlib.gunzipSync(fs.readFileSync(path.join(folder, 'library.bin'))));
python.runPython(fs.readFileSync(new URL('warm.py', import.meta.url), 'utf8'));
await python.runPythonAsync('await warm()');
python.runPython('import gc; gc.collect(); gc.freeze()');
const memory = python.makeMemorySnapshot();
const words = new Uint32Array(memory.buffer), begin = words[1] / 4;
let [low, high, end] = [begin, begin, begin];
for (let at = begin; at < words.length; at += 1) {
  if (words[at] === 0) continue;
  if (at - end > high - low) [low, high] = [end, at];
  end = at + 1;
}
const head = new Uint32Array(HEAD / 4);
head.set(words.subarray(0, begin));
head[1] = HEAD;
head.set([low, high, end, words.length].map(at => 4 * (at - begin)), HEAD / 4 - 4);
const parts = [head, words.subarray(begin, low), words.subarray(high, end)].map(each => Buffer.from(each.buffer, each.byteOffset, each.byteLength));
fs.writeFileSync(path.join(folder, 'memory.bin'), zlib.gzipSync(Buffer.concat(parts), { level: 9 }));
