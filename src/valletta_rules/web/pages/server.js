/**
 * The requests of pages to a server.  In the game of the documentation, which has no server, `docs/play/server.js` replaces this file.
 */

/** The address of the lobby. */
export const HOME = '/';

/** Whether other devices can reach the tables, so that seats have links. */
export const INVITES = true;

/**
 * The properties of a WebSocket that a connection to a table uses.
 *
 * @typedef {Pick<WebSocket, 'onopen' | 'onmessage' | 'onclose' | 'readyState' | 'send' | 'close'>} Socket
 */

/** Return the id of the table of this page. */
export function tableId() {
  return decodeURIComponent(location.pathname.split('/').at(-1) ?? '');
}

/**
 * Return the address of a table.
 *
 * @param {string} table
 * @param {string} tokens the tokens of the seats, separated by commas
 */
export function addressOf(table, tokens) {
  return `/table/${table}${tokens && '#'}${tokens}`;
}

/**
 * Send a GET request for a response in the given language.
 *
 * @param {string} path
 * @param {string} language
 * @param {string} [token] the token of a seat, if the request requires one
 * @returns {Promise<Response>}
 */
export function request(path, language, token = '') {
  return fetch(`/api/${path}?language=${language}`, { headers: token && { Authorization: `Bearer ${token}` } || {} });
}

/**
 * Send a POST request; errors are described in the given language.
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
 * Open a connection to the server.
 *
 * @returns {Socket}
 */
export function connect() {
  return new WebSocket(`${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/ws`);
}
