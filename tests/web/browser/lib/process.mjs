/** What a browser takes of the machine, on Linux. */
import fs from 'node:fs';

/** The process with the page that takes most: its CPU seconds, and the bytes of memory that it shares with no other process. */
export async function heaviest(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(each => each.type === 'renderer').map(({ id, cpuTime }) => ({ cpu: cpuTime, memory: memoryOf(id) }));
  return pages.reduce((most, each) => each.memory > most.memory ? each : most);
}

function memoryOf(process) {
  const parts = fs.readFileSync(`/proc/${process}/smaps_rollup`, 'utf8').matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm);
  return [...parts].reduce((sum, [, size]) => sum + Number(size) * 1024, 0);
}
