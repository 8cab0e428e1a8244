/**
 * Where the pages ask and send: Python in a worker of this browser.  It takes the place of the pages' own `server.js`.
 *
 * All pages reach the worker that answers (`worker.js`) by a channel.
 */

export const HOME = new URL('../index.html', import.meta.url).href;

/** The tables are in this browser alone. */
export const INVITES = false;

const channel = new BroadcastChannel('valletta');

/** The number of further attempts without a reply: Python starts, or the tab that had it was closed. */
const AGAIN = 1_000;

/** What waits for an answer, by a number. @type {Map<string, (told: any) => void>} */
const waiting = new Map();

/** The connections of this page. @type {Set<ChannelSocket>} */
const sockets = new Set();

channel.onmessage = ({ data }) => {
  if (data.kind === 'ready') sockets.forEach(socket => socket.close()); // another worker answers: they are opened again
  else waiting.get(data.to)?.(data);
};

function newName() {
  return crypto.randomUUID();
}

export function tableId() {
  return decodeURIComponent(location.search.slice(1));
}

/** @param {string} table @param {string} tokens */
export function addressOf(table, tokens) {
  return `${new URL('../table/index.html', import.meta.url).href}?${table}${tokens && '#'}${tokens}`;
}

/** Put a question until it is answered; it is carried out once, for it keeps its name. */
function put(path, language, body, token) {
  const from = newName();
  return new Promise(done => {
    const post = () => channel.postMessage({ kind: 'ask', from, path, language, body, token });
    const timer = setInterval(post, AGAIN);
    waiting.set(from, reply => {
      clearInterval(timer);
      waiting.delete(from);
      done(new Response(reply.text, { status: reply.status }));
    });
    post();
  });
}

/** @param {string} path @param {string} language @param {string} [token] */
export function request(path, language, token = '') {
  return put(path, language, null, token);
}

/** @param {string} path @param {string} language @param {string} body */
export function send(path, language, body) {
  return put(path, language, body, '');
}

/** A connection by the channel, with what the pages use of a WebSocket. */
class ChannelSocket {
  onopen = null;
  onmessage = null;
  onclose = null;
  readyState = WebSocket.OPEN;

  constructor() {
    this.from = newName();
    sockets.add(this);
    waiting.set(this.from, reply => {
      if (reply.text === null) this.close();
      else this.onmessage?.({ data: reply.text });
    });
    setTimeout(() => this.onopen?.());
    addEventListener('pagehide', () => this.close());
  }

  /** @param {string} text */
  send(text) {
    channel.postMessage({ kind: 'say', from: this.from, text });
  }

  close() {
    if (!sockets.delete(this)) return;
    waiting.delete(this.from);
    this.readyState = WebSocket.CLOSED;
    channel.postMessage({ kind: 'leave', from: this.from });
    this.onclose?.();
  }
}

export function connected() {
  return new ChannelSocket();
}
