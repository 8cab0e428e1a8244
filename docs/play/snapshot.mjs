/**
 * Starts Python, imports the library, and writes the memory as it is then: in a browser Python goes on from there.
 *
 * usage: node snapshot.mjs FOLDER
 *
 * FOLDER has Pyodide and the compiled archives; `memory.bin` is written there, compressed.
 */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { putAll } from './archive.mjs';

const folder = path.resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, 'pyodide.mjs')).href);
const python = await loadPyodide({ _makeSnapshot: true, indexURL: folder, env: { HOME: '/home/pyodide', PYTHONHASHSEED: '0' } });
putAll(python.FS, zlib.gunzipSync(fs.readFileSync(path.join(folder, 'library.bin'))));
python.runPython(fs.readFileSync(new URL('warm.py', import.meta.url), 'utf8'));
await python.runPythonAsync('await warm()');
python.runPython('import gc; gc.collect()');
fs.writeFileSync(path.join(folder, 'memory.bin'), zlib.gzipSync(python.makeMemorySnapshot(), { level: 9 }));
