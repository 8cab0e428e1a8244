/** A TCP relay between a browser and the server, which can cut connections and duplicate messages. */
import net from 'node:net';

export class Relay {
  /** Whether the relay duplicates every WebSocket frame of a page after the first one. */
  doubles = false;
  /** The number of duplicated frames. */
  doubled = 0;
  #pairs = new Set();

  /** Create a relay to a port of this machine.  The property `port` contains the port of the relay. */
  static async to(target) {
    const relay = new Relay();
    relay.server = net.createServer(near => relay.#join(near, target));
    await new Promise(done => relay.server.listen(0, '127.0.0.1', done));
    relay.port = relay.server.address().port;
    return relay;
  }

  #join(near, target) {
    const far = net.connect(target, '127.0.0.1');
    const pair = { near, far, isSocket: false };
    this.#pairs.add(pair);
    const end = () => { near.destroy(); far.destroy(); this.#pairs.delete(pair); };
    for (const side of [near, far]) side.setNoDelay(true).on('error', end).on('close', end);
    near.on('data', data => {
      far.write(data);
      if (pair.isSocket && this.doubles && isWhole(data)) {
        this.doubled += 1;
        far.write(data);
      }
      pair.isSocket ||= /^GET \/ws /.test(data.toString('latin1', 0, 8));
    });
    far.on('data', data => near.write(data));
  }

  /** The number of connected pages. */
  get sockets() {
    return [...this.#pairs].filter(pair => pair.isSocket).length;
  }

  /** Close all connections. */
  cut() {
    for (const { near, far } of this.#pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
    this.#pairs.clear();
  }

  close() {
    this.cut();
    this.server.close();
  }
}

/** Return whether data is exactly one text frame, so that repeating the data repeats the frame. */
function isWhole(data) {
  if (data.length < 6 || data[0] !== 0x81) return false;
  const short = data[1] & 0x7f;
  const length = short < 126 ? short + 6 : short === 126 ? data.readUInt16BE(2) + 8 : NaN;
  return data.length === length;
}
