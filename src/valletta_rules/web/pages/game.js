/**
 * The state of a page: the facts that the page has received about a table, and its requests that have not been answered.  States are values;
 * the functions return new states and do not use the document.
 */
/** @import { Action, Good, Goods, PlayerPrompt, PlayerView, Site, Character } from '../../schema/valletta.js' */
/** @import { AdvisedAnswer, ClauseSeen, Entry, GameReport, Moment, Part, Patch, SeatSeen, ServerMessage, Choice } from './table.js' */

/** @typedef {'opening' | 'open' | 'lost' | 'ended'} Link */
/** @typedef {ReadonlyMap<string, Part>} Parts */

/**
 * A text for the players at this page: a refusal, a reason, advice, or news.
 *
 * @typedef {object} Word
 * @property {'refused' | 'sure' | 'why' | 'hint' | 'news'} kind
 * @property {string} text
 * @property {ClauseSeen | null} rule
 * @property {Action | null} action what is advised
 * @property {readonly string[]} [figures] what it is worth, and other answers with what they are
 */

/**
 * A request that has not been answered.
 *
 * @typedef {object} Request
 * @property {string} id
 * @property {'answer' | 'undo' | 'present' | 'look' | 'why-not' | 'hint' | 'analyse' | 'reopen' | 'renew' | 'rematch' | 'other'} kind
 * @property {string} about the key of what was pressed
 * @property {number} [revision] the revision that the request has created, until the page receives it
 */

/**
 * @typedef {object} Game
 * @property {Link} link
 * @property {string | null} ended why the connection has ended for good
 * @property {string} version
 * @property {string} heading
 * @property {readonly SeatSeen[]} seats
 * @property {readonly number[]} own
 * @property {boolean} isOpener
 * @property {boolean} isReplay
 * @property {boolean} isTrial
 * @property {number} pause
 * @property {number} spectators
 * @property {boolean} hasRematch whether the table of a rematch is open
 * @property {readonly Entry[]} log
 * @property {Moment | null} now
 * @property {Parts} parts
 * @property {{ moment: Moment, parts: Parts } | null} past the other moment that is looked at
 * @property {readonly Request[]} pending
 * @property {Word | null} word
 * @property {boolean} isAnalysed whether the table has an analysis of the game
 * @property {number} done the part of the analysis that is done
 * @property {GameReport | null} report the analysis
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

// What the table says

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
 * A message with a clause; the id of the clause at the end of the message is removed, because the clause is shown with it.
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
 * The advice on answers, beginning with the best.
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
 * The state at a new moment, without texts about earlier moments.
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
 * Record that a request has been stored; the request is pending until the page receives the revision that it has created.
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
 * The requests whose revisions have not been received.
 *
 * @param {readonly Request[]} requests
 * @param {number} revision
 */
function stillPending(requests, revision) {
  return requests.filter(request => request.revision === undefined || request.revision > revision);
}

/**
 * The part of a log that is still valid.
 *
 * @param {readonly Entry[]} log
 * @param {number | null} since
 */
function known(log, since) {
  return since === null ? [] : log.filter(entry => entry.revision <= since);
}

/**
 * The revisions of a log that no takeback has undone.
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
 * The state after a sight, which shows either another moment, or the current moment for another player.
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

// What is known

/**
 * The moment that is shown: the current moment, or the earlier moment that the viewer has selected.
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
 * Tell whether a player at this page can answer now.
 *
 * @param {Game} game
 */
export function isMine(game) {
  const now = game.now;
  return now !== null && now.asked !== null && now.viewer === now.asked && !game.isReplay;
}

/** Tell whether the other players wait for a player at this page, who may not be in front of the screen. @param {Game} game */
export function isAwaited(game) {
  return isMine(game) || (game.now?.waits_for ?? null) !== null;
}

/**
 * The prompt of a view, if a player must answer.
 *
 * @param {PlayerView} view
 * @returns {PlayerPrompt | null}
 */
export function promptOf(view) {
  const step = view.agenda[0];
  return step !== undefined && 'seat' in step && 'clause' in step ? step : null;
}

/**
 * Tell whether an answer or a takeback has been sent that is still pending, optionally from a certain element.
 *
 * @param {Game} game
 * @param {string} [about]
 */
export function isSent(game, about) {
  return game.pending.some(request => ['answer', 'undo'].includes(request.kind) && (about === undefined || request.about === about));
}

/**
 * The key of an action, which is also the key of the element that chooses the action.
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
 * The choices that pressing an element can mean.
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
 * Tell whether pressing an element chooses the advised action.
 *
 * @param {Game} game
 * @param {string} key
 */
export function isAdvised(game, key) {
  const action = game.word?.action ?? null;
  return game.past === null && action !== null && keyOf(action) === key;
}

/**
 * The appearance of an answer: `away` removes a card permanently, `idle` has no effect, and `main` is any other answer.
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
 * Tell whether two amounts of goods are equal.
 *
 * @param {Goods} one
 * @param {Goods} other
 */
export function same(one, other) {
  return GOODS.every(good => one[good] === other[good]);
}

/**
 * The action whose illegality is explained if an element that cannot be chosen is pressed.
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
