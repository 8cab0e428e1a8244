/** The size of the header of `memory.bin` in bytes. */
export const HEAD = 4096;

/** The size of a block of a tar file in bytes.  A block contains a header or a part of a file. */
const BLOCK = 512;

/**
 * Extracts a tar file to /library in Python's file system, which keeps the array `tar` without a copy.  (Extraction in
 * Python would take as long as the start of Python.)
 */
export function putAll(files, tar) {
  const decoder = new TextDecoder();
  const text = (at, length) => decoder.decode(tar.subarray(at, at + length)).replace(/\0.*/s, '');
  for (let at = 0; tar[at] > 0;) {
    const [name, size, kind] = [`/library/${text(at, 100)}`, parseInt(text(at + 124, 12), 8), text(at + 156, 1)];
    at += BLOCK;
    if (kind === '5') files.mkdirTree(name);
    if (kind === '0') files.writeFile(name, tar.subarray(at, at + size), { canOwn: true });
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
}
