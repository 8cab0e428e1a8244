'use strict';
/*
 * The files in which the checks of the model remember what they established.  Each holds the day, a stamp of the
 * model's text, and the figures; the documentation shows them.
 *
 * The fingerprint leaves comments out; tests/established.py computes the same.
 */
const fs = require('fs'), path = require('path'), crypto = require('crypto');
const { UserError } = require('./qspec');

const MODEL = path.resolve(__dirname, '../quint');
const sha256 = data => crypto.createHash('sha256').update(data).digest('hex');

/** The text of a module without comments and empty lines. */
const essence = text => text.split('\n').map(line => line.replace(/\s*\/\/.*/, '')).filter(line => line.trim()).join('\n');

/** The stamp of the model as it is now: a fingerprint of lines like those of sha256sum. */
function stamp() {
  const names = fs.readdirSync(MODEL).filter(name => name.endsWith('.qnt')).sort();
  const lines = names.map(name => `${sha256(essence(fs.readFileSync(path.join(MODEL, name), 'utf8')))}  spec/quint/${name}\n`);
  return { files: ['spec/quint/*.qnt'], sha256: sha256(lines.join('')) };
}

/** The stamp of the model as this process found it. */
const STAMP = stamp();

/** What a file remembers; an empty object if there is no such file. */
function read(file) {
  try { return JSON.parse(fs.readFileSync(file, 'utf8')); } catch (e) {
    if (e.code === 'ENOENT') return {};
    throw new UserError(`${file}: ${e.message}`);
  }
}

/** Do the figures in a file belong to the model as it is now? */
const isPresent = written => written.sources?.model?.sha256 === STAMP.sha256;

/** Write what a complete run established. */
function write(file, figures) {
  const date = new Date().toISOString().slice(0, 10);
  fs.writeFileSync(file, JSON.stringify({ date, sources: { model: STAMP }, ...figures }, null, 1) + '\n');
  console.log(`wrote ${file}`);
}

module.exports = { isPresent, read, write };
