/** A server process with a temporary folder, which can be killed and restarted. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

export class Server {
  /** The folder of the tables, which is the same after a restart. */
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'valletta-table-'));
  port = 0;
  stderr = '';

  /** The seed of the random numbers in all games, so that equal answers lead to equal games; $LUCK sets another seed. */
  luck = process.env.LUCK ?? '1';

  /** Create a server without starting it.  `more` contains further command-line arguments. */
  constructor(more) {
    this.more = more;
  }

  /** Start the server, after a restart on the same port.  `dies` is the moment and the revision at which it crashes, such as `commit:6`. */
  async start(dies = '') {
    const args = ['-m', 'tests.web.served', '--port', String(this.port), '--folder', this.folder, '--luck', this.luck, ...(dies ? ['--dies', dies] : []), ...this.more];
    this.process = spawn(process.env.PYTHON ?? 'python', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    this.process.stderr.on('data', text => { this.stderr += text; });
    this.ended = new Promise(done => this.process.once('exit', (code, signal) => done(signal ?? code)));
    this.port = await new Promise((done, fail) => {
      let stdout = '';
      this.process.stdout.on('data', text => {
        stdout += text;
        const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout)?.[1];
        if (port) done(Number(port));
      });
      this.ended.then(how => fail(new Error(`the server ended before it was ready, with ${how}: ${this.stderr}`)));
    });
    return this;
  }

  /** Kill the process without any cleanup, as in a power failure. */
  async kill() {
    this.process.kill('SIGKILL');
    await this.ended;
  }

  async stop() {
    this.process.kill('SIGTERM');
    const how = await Promise.race([this.ended, new Promise(done => setTimeout(() => done('late'), 120_000).unref())]);
    if (how === 'late') await this.kill();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
