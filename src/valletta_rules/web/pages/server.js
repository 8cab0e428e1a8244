/**
 * Where the pages ask and send: a server.
 *
 * Where there is none, `docs/play/server.js` takes the place of this file.
 */

/** The address of the lobby. */
export const HOME = '/';

/** Whether others can reach the tables: a seat has a link. */
export const INVITES = true;

/**
 * What a connection to a table needs of a WebSocket.
 *
 * @typedef {Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'readyState' | 'send' | 'close'>} Socket
 */

/** The id of the table of this page. */
export function tableHere() {
  return decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
}

/**
 * The address of a table.
 *
 * @param {string} table
 * @param {string} tokens of the seats, with commas between them
 */
export function addressOf(table, tokens) {
  return `/table/${table}${tokens && '#'}${tokens}`;
}

/**
 * Ask for something, in a language.
 *
 * @param {string} path
 * @param {string} language
 * @param {string} [token] of a seat that may ask
 * @returns {Promise<Response>}
 */
export function ask(path, language, token = '') {
  return fetch(`/api/${path}?language=${language}`, { headers: token && { Authorization: `Bearer ${token}` } || {} });
}

/**
 * Send something; what is wrong with it is answered in a language.
 *
 * @param {string} path
 * @param {string} language
 * @param {string} body
 * @returns {Promise<Response>}
 */
export function send(path, language, body) {
  return fetch(`/api/${path}?language=${language}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
}

/**
 * A new connection to the tables.
 *
 * @returns {Socket}
 */
export function connected() {
  return new WebSocket(`${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/ws`);
}
