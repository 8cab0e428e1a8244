/**
 * Compiles the Python files of an archive for Pyodide, whose version of Python need not be the one of the build.
 *
 * usage: node compile.mjs ARCHIVE RESULT
 */
import fs from 'node:fs';
import { loadPyodide } from 'pyodide';

const [archive, result] = process.argv.slice(2);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), 'zip', { extractDir: '/library' });
python.runPython(`
import compileall, shutil
from pathlib import Path

if not compileall.compile_dir("/library", quiet=1, legacy=True):
    raise SystemExit("a file cannot be compiled")
for each in Path("/library").rglob("*.py"):
    each.unlink()
shutil.make_archive("/result", "zip", "/library")
`);
fs.writeFileSync(result, python.FS.readFile('/result.zip'));
