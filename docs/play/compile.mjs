/**
 * Compiles the Python files of an archive for Pyodide, whose version of Python need not be the one of the build.
 *
 * Python compiles what it imports from sources anew in each visit: that took most of the time until a page was ready.
 *
 * usage: node compile.mjs ARCHIVE RESULT [NAMES]
 *
 * RESULT is a zip file if it is called so, and else a compressed tar file.  NAMES, with commas between them, are files and folders that are left out.
 */
import fs from 'node:fs';
import { loadPyodide } from 'pyodide';

const [archive, result, names = ''] = process.argv.slice(2);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), 'zip', { extractDir: '/library' });
python.globals.set('names', names);
python.globals.set('kind', result.endsWith('.zip') ? 'zip' : 'gztar');
python.runPython(`
import compileall, shutil
from pathlib import Path

for name in filter(None, names.split(",")):
    for each in Path("/library").glob(f"{name}*"):
        shutil.rmtree(each) if each.is_dir() else each.unlink()
if not compileall.compile_dir("/library", quiet=1, legacy=True, optimize=2):
    raise SystemExit("a file cannot be compiled")
for each in Path("/library").rglob("*.py"):
    each.unlink()
made = shutil.make_archive("/result", kind, "/library")
`);
fs.writeFileSync(result, python.FS.readFile(python.globals.get('made')));
