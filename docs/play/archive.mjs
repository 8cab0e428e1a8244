/** How many bytes stand in `memory.bin` before the memory. */
export const HEAD = 4096;

/** The size of a block of a tar file: a header, or a part of what is in a file. */
const BLOCK = 512;

/** Put the files of a tar file into Python's file system, in the folder of the library, and keep it.  (Python itself would take as long as for its start.) */
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
