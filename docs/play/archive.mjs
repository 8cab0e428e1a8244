/** The size of a block of a tar file: a header, or a part of what is in a file. */
const BLOCK = 512;

/** Put the files of a tar file into Python's file system, in the folder of the library.  (Python itself would take as long as for its start.) */
export function putAll(files, tar) {
  const text = (at, length) => new TextDecoder().decode(tar.subarray(at, at + length)).replace(/\0.*/s, '');
  for (let at = 0; tar[at] > 0;) {
    const [name, size, kind] = [`/library/${text(at, 100)}`, parseInt(text(at + 124, 12), 8), text(at + 156, 1)];
    at += BLOCK;
    if (kind === '0') {
      files.mkdirTree(name.replace(/\/[^/]*$/, ''));
      files.writeFile(name, tar.slice(at, at + size), { canOwn: true });
    }
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
}
