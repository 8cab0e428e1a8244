/**
 * Compiles the Python files of an archive with Pyodide, whose version of Python can differ from that of the build.
 *
 * Without compiled files, Python would compile each imported module in every visit, which took most of the time until a
 * page was ready.
 *
 * usage: node compile.mjs ARCHIVE RESULT [NAMES]
 *
 * RESULT is a zip file if its name ends in .zip, or else a compressed tar file.  NAMES is a comma-separated list of prefixes;
 * files and folders whose paths begin with one of them are left out.
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
