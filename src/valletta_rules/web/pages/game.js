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
 * @property {number} [made] the revision that it has made, until the page is told of that
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
 * @property {{ moment: Moment, parts: Parts } | null} look the other moment that is looked at
 * @property {readonly Request[]} asked
 * @property {Word | null} word
 * @property {boolean} isAnalysed whether the table has an analysis of the game
 * @property {number} done the part of the analysis that is done
 * @property {GameReport | null} report the analysis
 */

/** @type {Game} */
export const NOTHING = {
  link: 'opening', ended: null, version: '', heading: '', seats: [], own: [], isOpener: false, isReplay: false, isTrial: false, pause: 0,
  spectators: 0, hasRematch: false, log: [], now: null, parts: new Map(), look: null, asked: [], word: null, isAnalysed: false, done: 0, report: null,
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
 * @param {ServerMessage} told
 * @returns {Game}
 */
export function received(game, told) {
  switch (told.type) {
    case 'welcome': return {
      ...game, link: 'open', ended: null, version: told.version, heading: told.heading, seats: told.seats, own: told.own,
      asked: untold(game.asked, told.moment.revision), isOpener: told.is_opener, isReplay: told.is_replay, isTrial: told.is_trial, isAnalysed: told.is_analysed, pause: told.pause,
      log: [...known(game.log, told.since), ...told.log], now: told.moment, parts: patched(new Map(), told.patch), look: null,
    };
    case 'stepped': return {
      ...game, ...stood(game, told.moment, told.patch), log: [...game.log, told.entry],
    };
    case 'ack': return kept(game, told.id, told.revision);
    case 'guided': return game.now?.revision !== told.revision ? game : { ...game, now: { ...game.now, guide: told.guide } };
    case 'refused': return {
      ...answered(game, told.id), word: cited(told.refusal.value.code === 'sure' ? 'sure' : 'refused', told.refusal.value.message, told.rule),
    };
    case 'reason': return {
      ...answered(game, told.id), word: told.refusal === null ? null : cited('why', told.refusal.value.message, told.rule),
    };
    case 'hinted': return {
      ...answered(game, told.id), word: hinted(told.answers),
    };
    case 'analysed': return {
      ...(told.report === null ? game : answered(game, told.id)), done: told.done, report: told.report ?? game.report,
    };
    case 'judged': return {
      ...answered(game, told.id), word: game.look && { kind: told.is_right ? 'news' : 'refused', text: told.sentence, rule: null, action: null },
    };
    case 'sight': return seen(game, told.id, told.moment, told.patch);
    case 'presence': return {
      ...game, seats: told.seats, spectators: told.spectators, pause: told.pause, hasRematch: told.has_rematch,
      word: told.notice === null ? game.word : { kind: 'news', text: told.notice, rule: null, action: null },
    };
    case 'new-link':
    case 'rematched': return answered(game, told.id);
    case 'ended': return { ...game, link: 'ended', ended: told.sentence, asked: [] };
    case 'pong': return game;
    default: return never(told);
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
function stood(game, moment, patch) {
  const word = game.word?.kind === 'news' ? game.word : null;
  return { now: moment, parts: patched(game.parts, patch), word, asked: untold(game.asked, moment.revision) };
}

/**
 * Record that a request has been stored; the request is pending until the page receives the revision that it has created.
 *
 * @param {Game} game
 * @param {string} id
 * @param {number} made
 * @returns {Game}
 */
function kept(game, id, made) {
  const asked = game.asked.map(request => (request.id === id ? { ...request, made } : request));
  return { ...game, asked: untold(asked, game.now?.revision ?? 0) };
}

/**
 * The requests whose revisions have not been received.
 *
 * @param {readonly Request[]} asked
 * @param {number} revision
 */
function untold(asked, revision) {
  return asked.filter(request => request.made === undefined || request.made > revision);
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
  return { ...game, asked: game.asked.filter(request => request.id !== id) };
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
function seen(game, id, moment, patch) {
  const request = game.asked.find(each => each.id === id);
  const after = answered(game, id);
  if (request === undefined) return after;
  const parts = patched(game.parts, patch);
  return request.kind === 'present' ? { ...after, now: moment, parts, word: null } : { ...after, look: { moment, parts } };
}

// What is known

/**
 * The moment that is shown: the current moment, or the earlier moment that the viewer has selected.
 *
 * @param {Game} game
 * @returns {Moment | null}
 */
export function shown(game) {
  return game.look?.moment ?? game.now;
}

/** @param {Game} game @returns {Parts} */
export function shownParts(game) {
  return game.look?.parts ?? game.parts;
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
  return game.asked.some(request => ['answer', 'undo'].includes(request.kind) && (about === undefined || request.about === about));
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
  if (game.look !== null || !isMine(game)) return [];
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
  return game.look === null && action !== null && keyOf(action) === key;
}

/**
 * The appearance of an answer: `away` removes a card permanently, `idle` has no effect, and `main` is any other answer.
 *
 * @param {Game} game
 * @param {Action} action
 * @returns {'away' | 'idle' | 'main'}
 */
export function looksOf({ now }, action) {
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
  const asked = promptOf(view)?.type;
  if ('site' in about) {
    if (asked !== 'SitePrompt') return null;
    const own = view.seat === null ? undefined : view.table.players[view.seat];
    return { type: own?.built.includes(about.site) ? 'Upgrade' : 'Build', site: about.site };
  }
  if ('hire' in about) return asked === 'ValettePrompt' ? { type: 'Hire', character: about.hire } : null;
  if (asked === 'ValettePrompt') return { type: 'Dismiss', character: about.card };
  return asked === 'PlayPrompt' ? { type: 'PlayCard', character: about.card, use_effect: true } : null;
}
