/**
 * The connection of the pages to their server, which is Python in a worker of this browser.  This file replaces the
 * `server.js` of the web table.
 *
 * All pages communicate with the active worker (`worker.js`) over a broadcast channel.
 */

export const HOME = new URL('../index.html', import.meta.url).href;

/** Players cannot be invited: the tables exist only in this browser. */
export const INVITES = false;

const channel = new BroadcastChannel('valletta');

/** The interval in milliseconds at which a request without a reply is repeated.  There is no reply while Python starts, or after the tab with Python was closed. */
const AGAIN = 1_000;

/** The handlers of replies, keyed by the id of the request or connection. @type {Map<string, (told: any) => void>} */
const waiting = new Map();

/** The connections of this page. @type {Set<ChannelSocket>} */
const sockets = new Set();

channel.onmessage = ({ data }) => {
  if (data.kind === 'ready') sockets.forEach(socket => socket.close()); // another worker is active: the pages reconnect
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

/** Sends a request repeatedly until there is a reply.  All attempts have the same id, so the worker executes the request once. */
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

/** A connection over the channel, with the members of a WebSocket that the pages use. */
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

export function connect() {
  return new ChannelSocket();
}
