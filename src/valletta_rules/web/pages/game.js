/**
 * The state of the game on a page: the data that the server has sent, and the pending requests.  States are immutable: the functions return new
 * states, and do not use the document.
 */
/** @import { Action, Good, Goods, PlayerPrompt, PlayerView, Site, Character } from '../../schema/valletta.js' */
/** @import { AdvisedAnswer, ClauseSeen, Entry, GameReport, Moment, Part, Patch, SeatSeen, ServerMessage, Choice } from './table.js' */

/** @typedef {'opening' | 'open' | 'lost' | 'ended'} Link */
/** @typedef {ReadonlyMap<string, Part>} Parts */

/**
 * A message for the players at this page: a refusal, the coach's doubt about an answer, the reason why an action is illegal, a hint, or news.
 *
 * @typedef {object} Word
 * @property {'refused' | 'sure' | 'why' | 'hint' | 'news'} kind
 * @property {string} text
 * @property {ClauseSeen | null} rule
 * @property {Action | null} action the recommended action
 * @property {readonly string[]} [figures] the figures for the recommended action, then the other suggestions with their figures
 */

/**
 * A pending request.
 *
 * @typedef {object} Request
 * @property {string} id
 * @property {'answer' | 'undo' | 'present' | 'look' | 'why-not' | 'hint' | 'analyse' | 'reopen' | 'renew' | 'rematch' | 'other'} kind
 * @property {string} about the key of the element that was pressed
 * @property {number} [revision] the revision that the request has created, if it has succeeded and the page has not yet received that revision
 */

/**
 * @typedef {object} Game
 * @property {Link} link
 * @property {string | null} ended the reason why the server has ended the connection permanently
 * @property {string} version
 * @property {string} heading
 * @property {readonly SeatSeen[]} seats
 * @property {readonly number[]} own
 * @property {boolean} isOpener
 * @property {boolean} isReplay
 * @property {boolean} isTrial
 * @property {number} pause
 * @property {number} spectators
 * @property {boolean} hasRematch whether a player has opened a table for a rematch
 * @property {readonly Entry[]} log
 * @property {Moment | null} now
 * @property {Parts} parts
 * @property {{ moment: Moment, parts: Parts } | null} past the moment that the viewer has selected; null for the current one
 * @property {readonly Request[]} pending
 * @property {Word | null} word
 * @property {boolean} isAnalysed whether the server has stored an analysis of the game
 * @property {number} done the progress of the analysis, from 0 to 1
 * @property {GameReport | null} report the finished analysis
 */

/** @type {Game} */
export const NOTHING = {
  link: 'opening', ended: null, version: '', heading: '', seats: [], own: [], isOpener: false, isReplay: false, isTrial: false, pause: 0,
  spectators: 0, hasRematch: false, log: [], now: null, parts: new Map(), past: null, pending: [], word: null, isAnalysed: false, done: 0, report: null,
};

/** @param {never} value @returns {never} */
export function never(value) {
  throw new TypeError(`unknown value: ${JSON.stringify(value)}`);
}

// Messages from the server

/**
 * Return the state after a message.
 *
 * @param {Game} game
 * @param {ServerMessage} message
 * @returns {Game}
 */
export function received(game, message) {
  switch (message.type) {
    case 'welcome': return {
      ...game, link: 'open', ended: null, version: message.version, heading: message.heading, seats: message.seats, own: message.own,
      pending: stillPending(game.pending, message.moment.revision), isOpener: message.is_opener, isReplay: message.is_replay, isTrial: message.is_trial, isAnalysed: message.is_analysed, pause: message.pause,
      log: [...known(game.log, message.since), ...message.log], now: message.moment, parts: patched(new Map(), message.patch), past: null,
    };
    case 'stepped': return {
      ...game, ...withMoment(game, message.moment, message.patch), log: [...game.log, message.entry],
    };
    case 'ack': return acknowledged(game, message.id, message.revision);
    case 'guided': return game.now?.revision !== message.revision ? game : { ...game, now: { ...game.now, guide: message.guide } };
    case 'refused': return {
      ...answered(game, message.id), word: cited(message.refusal.value.code === 'sure' ? 'sure' : 'refused', message.refusal.value.message, message.rule),
    };
    case 'reason': return {
      ...answered(game, message.id), word: message.refusal === null ? null : cited('why', message.refusal.value.message, message.rule),
    };
    case 'hinted': return {
      ...answered(game, message.id), word: hinted(message.answers),
    };
    case 'analysed': return {
      ...(message.report === null ? game : answered(game, message.id)), done: message.done, report: message.report ?? game.report,
    };
    case 'judged': return {
      ...answered(game, message.id), word: game.past && { kind: message.is_right ? 'news' : 'refused', text: message.sentence, rule: null, action: null },
    };
    case 'sight': return withSight(game, message.id, message.moment, message.patch);
    case 'presence': return {
      ...game, seats: message.seats, spectators: message.spectators, pause: message.pause, hasRematch: message.has_rematch,
      word: message.notice === null ? game.word : { kind: 'news', text: message.notice, rule: null, action: null },
    };
    case 'new-link':
    case 'rematched': return answered(game, message.id);
    case 'ended': return { ...game, link: 'ended', ended: message.sentence, pending: [] };
    case 'pong': return game;
    default: return never(message);
  }
}

/**
 * Return a message with its clause.  The id of the clause at the end of the text is removed, because a button opens the clause.
 *
 * @param {'refused' | 'sure' | 'why'} kind
 * @param {string} message
 * @param {ClauseSeen | null} rule
 * @returns {Word}
 */
function cited(kind, message, rule) {
  const named = rule === null ? '' : ` [${rule.clause}]`;
  return { kind, text: message.endsWith(named) ? message.slice(0, message.length - named.length) : message, rule, action: null };
}

/**
 * Return a hint with the suggested answers, the best first; null if there are none.
 *
 * @param {readonly AdvisedAnswer[]} answers
 * @returns {Word | null}
 */
function hinted([best, ...others]) {
  if (best === undefined) return null;
  const figures = [best.figures, ...others.map(each => `${each.sentence} ${each.figures}`)];
  return { kind: 'hint', text: best.sentence, rule: null, action: best.action.value, figures };
}

/**
 * Return the changes of the state for a new moment.  News stay; all other messages are removed, because they concern an earlier moment.
 *
 * @param {Game} game
 * @param {Moment} moment
 * @param {Patch} patch
 */
function withMoment(game, moment, patch) {
  const word = game.word?.kind === 'news' ? game.word : null;
  return { now: moment, parts: patched(game.parts, patch), word, pending: stillPending(game.pending, moment.revision) };
}

/**
 * Record the revision that a request has created.  The request stays pending until the page has received that revision.
 *
 * @param {Game} game
 * @param {string} id
 * @param {number} revision
 * @returns {Game}
 */
function acknowledged(game, id, revision) {
  const pending = game.pending.map(request => (request.id === id ? { ...request, revision } : request));
  return { ...game, pending: stillPending(pending, game.now?.revision ?? 0) };
}

/**
 * Return the requests that have not succeeded yet, or whose revision is later than the given one.
 *
 * @param {readonly Request[]} requests
 * @param {number} revision
 */
function stillPending(requests, revision) {
  return requests.filter(request => request.revision === undefined || request.revision > revision);
}

/**
 * Return the entries of a log that are still valid after reconnecting: those up to the revision `since`, or none if it is null.
 *
 * @param {readonly Entry[]} log
 * @param {number | null} since
 */
function known(log, since) {
  return since === null ? [] : log.filter(entry => entry.revision <= since);
}

/**
 * Return the revisions of a log that have not been undone, in order.  The revisions of takebacks are not included.
 *
 * @param {readonly Entry[]} log
 * @returns {number[]}
 */
export function standing(log) {
  const stands = [];
  let last = Infinity;
  for (const { revision, back_to: to } of [...log].reverse()) {
    if (revision > last) continue;
    if (to === null) stands.unshift(revision);
    else last = to;
  }
  return stands;
}

/**
 * @param {Parts} parts
 * @param {Patch} patch
 * @returns {Parts}
 */
function patched(parts, patch) {
  const after = new Map(parts);
  for (const key of patch.gone) after.delete(key);
  for (const part of patch.changed) after.set(part.key, part);
  return after;
}

/**
 * @param {Game} game
 * @param {string | null} id
 * @returns {Game}
 */
function answered(game, id) {
  return { ...game, pending: game.pending.filter(request => request.id !== id) };
}

/**
 * Return the state after a Sight.  The reply to Present is the current moment for another viewer; the reply to any other request is another
 * moment, which becomes the visible one.  A Sight without a pending request is ignored.
 *
 * @param {Game} game
 * @param {string} id
 * @param {Moment} moment
 * @param {Patch} patch
 * @returns {Game}
 */
function withSight(game, id, moment, patch) {
  const request = game.pending.find(each => each.id === id);
  const after = answered(game, id);
  if (request === undefined) return after;
  const parts = patched(game.parts, patch);
  return request.kind === 'present' ? { ...after, now: moment, parts, word: null } : { ...after, past: { moment, parts } };
}

// Queries

/**
 * Return the visible moment: the moment that the viewer has selected, or else the current one.
 *
 * @param {Game} game
 * @returns {Moment | null}
 */
export function visibleMoment(game) {
  return game.past?.moment ?? game.now;
}

/** @param {Game} game @returns {Parts} */
export function visibleParts(game) {
  return game.past?.parts ?? game.parts;
}

/**
 * Return whether a player at this page can answer now.
 *
 * @param {Game} game
 */
export function isMine(game) {
  const now = game.now;
  return now !== null && now.asked !== null && now.viewer === now.asked && !game.isReplay;
}

/** Return whether a player at this page must answer, or must first confirm that they are in front of the shared screen. @param {Game} game */
export function isAwaited(game) {
  return isMine(game) || (game.now?.waits_for ?? null) !== null;
}

/**
 * Return the prompt of a view that a player must answer, or null.
 *
 * @param {PlayerView} view
 * @returns {PlayerPrompt | null}
 */
export function promptOf(view) {
  const step = view.agenda[0];
  return step !== undefined && 'seat' in step && 'clause' in step ? step : null;
}

/**
 * Return whether an answer or a takeback is pending.  With `about`, consider only requests from the element with this key.
 *
 * @param {Game} game
 * @param {string} [about]
 */
export function isSent(game, about) {
  return game.pending.some(request => ['answer', 'undo'].includes(request.kind) && (about === undefined || request.about === about));
}

/**
 * Return the key of an action, which is also the key of the element that chooses the action.
 *
 * @param {Action} action
 * @returns {string}
 */
export function keyOf(action) {
  switch (action.type) {
    case 'Build':
    case 'Upgrade': return `site-${action.site}`;
    case 'PlayCard': return `hand-${action.character}`;
    case 'Dismiss': return `hand-${action.character}`;
    case 'Hire': return `supply-${action.character}`;
    default: return JSON.stringify(action);
  }
}

/**
 * Return the choices that pressing an element can mean; none at a past moment, or if no player at this page can answer.
 *
 * @param {Game} game
 * @param {string} key
 * @returns {Choice[]}
 */
export function choicesAt(game, key) {
  if (game.past !== null || !isMine(game)) return [];
  return (game.now?.choices ?? []).filter(choice => keyOf(choice.action.value) === key);
}

/**
 * Return whether pressing an element chooses the recommended action.
 *
 * @param {Game} game
 * @param {string} key
 */
export function isAdvised(game, key) {
  const action = game.word?.action ?? null;
  return game.past === null && action !== null && keyOf(action) === key;
}

/**
 * Return the style of the control for an answer: `away` if it removes a card permanently, `idle` if it has no effect, otherwise `main`.
 *
 * @param {Game} game
 * @param {Action} action
 * @returns {'away' | 'idle' | 'main'}
 */
export function appearanceOf({ now }, action) {
  switch (action.type) {
    case 'Dismiss': return 'away';
    case 'Decline': return 'idle';
    case 'PlayCard': return action.use_effect ? 'main' : 'idle';
    case 'TakeGood': {
      const prompt = now === null ? null : promptOf(now.view.value);
      return prompt?.type === 'ArtisanPrompt' && now?.panels[prompt.seat]?.icons[action.good] === 0 ? 'idle' : 'main';
    }
    default: return 'main';
  }
}

/** @type {readonly Good[]} */
export const GOODS = ['gold', 'wood', 'stone', 'brick'];

/** @param {Goods} goods */
export function total(goods) {
  return GOODS.reduce((sum, good) => sum + goods[good], 0);
}

/**
 * Return whether two amounts of goods are equal.
 *
 * @param {Goods} one
 * @param {Goods} other
 */
export function same(one, other) {
  return GOODS.every(good => one[good] === other[good]);
}

/**
 * Return the action that pressing an unavailable element would mean, so that the page can request the reason why it is illegal; null if the
 * element has no such action at the current prompt.
 *
 * @param {PlayerView} view
 * @param {{ site: Site } | { card: Character } | { hire: Character }} about
 * @returns {Action | null}
 */
export function quietAction(view, about) {
  const prompt = promptOf(view)?.type;
  if ('site' in about) {
    if (prompt !== 'SitePrompt') return null;
    const own = view.seat === null ? undefined : view.table.players[view.seat];
    return { type: own?.built.includes(about.site) ? 'Upgrade' : 'Build', site: about.site };
  }
  if ('hire' in about) return prompt === 'ValettePrompt' ? { type: 'Hire', character: about.hire } : null;
  if (prompt === 'ValettePrompt') return { type: 'Dismiss', character: about.card };
  return prompt === 'PlayPrompt' ? { type: 'PlayCard', character: about.card, use_effect: true } : null;
}
