/**
 * The connection to a table, which reconnects automatically and repeats every request that has not been answered.
 */
/** @import { PageMessage, ServerMessage } from './table.js' */
import { connect } from './server.js';

/** The version of the message format. */
export const PROTOCOL = 1;

/** The time without a message from the server after which a connection counts as lost, in milliseconds. */
const SILENCE = 25_000;

/** The time between two pings, in milliseconds. */
const BEAT = 10_000;

/**
 * @typedef {object} Handlers
 * @property {() => PageMessage} hello returns the first message of a connection
 * @property {(message: ServerMessage) => void} receive
 * @property {(isLost: boolean) => void} lost
 */

/**
 * A connection that reconnects whenever it is lost, until it is ended.  A request is stored until it is answered, and sent again with the same
 * id after reconnecting.
 */
export class Connection {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {import('./server.js').Socket | null} */
    this.socket = null;
    /** @type {Map<string, PageMessage>} */
    this.unanswered = new Map();
    this.failures = 0;
    this.lastReceived = 0;
    this.isWelcome = false;
    this.isOver = false;
    this.timer = 0;
    setInterval(() => this.beat(), BEAT);
    addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => this.hurry());
    this.open();
  }

  open() {
    const socket = connect();
    this.socket = socket;
    this.lastReceived = Date.now();
    this.isWelcome = false;
    socket.onopen = () => this.write(this.handlers.hello());
    socket.onmessage = event => { if (socket === this.socket) this.receive(String(event.data)); };
    socket.onclose = () => { if (socket === this.socket) this.lose(); };
  }

  /** @param {string} text */
  receive(text) {
    this.lastReceived = Date.now();
    const message = /** @type {ServerMessage} */ (JSON.parse(text));
    const isUnfinished = message.type === 'analysed' && message.report === null;
    if ('id' in message && message.id !== null && !isUnfinished) this.unanswered.delete(message.id);
    if (message.type === 'ended') this.end();
    this.handlers.receive(message);
    if (message.type === 'welcome') {
      this.failures = 0;
      this.isWelcome = true;
      for (const request of this.unanswered.values()) this.write(request);
    }
  }

  /**
   * Send a message; a message with an id is repeated until it is answered.
   *
   * @param {PageMessage} message
   */
  send(message) {
    if ('id' in message) this.unanswered.set(message.id, message);
    if (this.isWelcome) this.write(message);
  }

  /** @param {PageMessage} message */
  write(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  beat() {
    if (this.isOver || this.socket === null) return;
    if (Date.now() - this.lastReceived > SILENCE) this.lose();
    else if (this.isWelcome) this.write({ type: 'ping' });
  }

  /** Close the connection, and reconnect after a random delay, which grows with each failure. */
  lose() {
    const socket = this.socket;
    this.socket = null;
    this.isWelcome = false;
    socket?.close();
    if (this.isOver) return;
    this.handlers.lost(true);
    const wait = Math.min(15_000, 500 * 2 ** this.failures++) * (0.5 + Math.random());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** Reconnect immediately instead of after the delay, because a connection is likely to succeed now. */
  hurry() {
    if (this.isOver || this.socket !== null || document.hidden) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** End the connection permanently. */
  end() {
    this.isOver = true;
  }
}

/**
 * Return a unique id.  (`crypto.randomUUID` is not available on pages that are served without encryption.)
 *
 * @returns {string}
 */
export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
