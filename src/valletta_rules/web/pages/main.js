/** The page of a table: it handles messages from the server, renders the table, and sends requests when elements are pressed. */
/** @import { Action, ActionDocument, Good, Goods, Character } from '../../schema/valletta.js' */
/** @import { BotLevel, PageMessage, ServerMessage } from './table.js' */
/** @import { Game, Request } from './game.js' */
/** @import { Page } from './page.js' */
/** @import { Keys } from './sheets.js' */
import { barView, tabTitle, toolsView } from './bar.js';
import { call, showIcon, tryCall } from './calling.js';
import { boardView, neighbour, rowsOf, trayView, updateLeastTextSize } from './board.js';
import { at, show } from './dom.js';
import { NOTHING, choicesAt, isAwaited, isMine, isSent, keyOf, quietAction, received, standing, visibleMoment, visibleParts } from './game.js';
import { handView, updateHiddenCount } from './hand.js';
import { announce, following, journalView, showEntry, since } from './journal.js';
import { carry, celebrate, finish, moveFrom, places, still } from './motion.js';
import { storeChoice, storedPayment } from './page.js';
import { finishView, othersView, panelsView } from './panels.js';
import { exchanged, isRight, takingOf, withOne } from './payment.js';
import { holding, peeking } from './peek.js';
import { loadPictures } from './pictures.js';
import { proseView } from './prose.js';
import { nextStop, posed, replayView, stopAt, studied } from './replay.js';
import { INVITES, addressOf, request, tableId } from './server.js';
import { curtainView, sheetView } from './sheets.js';
import { Connection, PROTOCOL, newId } from './socket.js';
import { applyTheme, language, loadWords, store, storeTable, stored, t } from './words.js';

/** The id of the table. */
const TABLE = tableId();

/** The duration of each moment during playback, in milliseconds. */
const BEAT = 800;

/** The maximum number of steps that are played back to a player who was away. */
const MEMORY = 40;

const narrow = matchMedia('(max-width: 43.75em)');

/** @type {Page} */
let page = { game: NOTHING, payment: null, taken: null, picked: null, sheet: null, rule: null, focus: null, tab: 'players', open: false, study: null, playing: false };

/** @type {readonly string[]} */
let origins = [];

/** @type {Connection} */
let connection;

/** @returns {Keys | null} */
function keys() {
  return JSON.parse(stored(`table.${TABLE}`) ?? 'null');
}

/** Return the tokens in the link, and the opener's token if this device opened the table. */
function tokens() {
  const own = keys()?.opener;
  return [...new Set([...location.hash.slice(1).split(','), ...(own ? [own] : [])])].filter(token => token !== '');
}

// Rendering

/** Update the document to match the state of the page. */
function render() {
  document.title = tabTitle(page);
  showIcon(isAwaited(page.game));
  renderPage(posed(page));
}

/** @param {Page} page */
function renderPage(page) {
  const { game } = page;
  const focused = document.activeElement;
  document.body.dataset['link'] = game.link;
  document.body.dataset['revision'] = String(game.now?.revision ?? '');
  document.body.dataset['looking'] = String(game.past !== null && !game.isReplay);
  document.body.dataset['busy'] = String(game.pending.length > 0);
  document.body.dataset['tab'] = page.tab;
  document.body.dataset['players'] = String(game.seats.length);
  show(at('bar'), barView(page));
  show(at('tools'), toolsView(page));
  show(at('lost'), game.link === 'lost' ? t.lost : game.now === null ? null : game.ended);
  show(at('replay'), replayView(page));
  show(at('prose'), proseView(page));
  show(at('finish'), finishView(page));
  show(at('board'), boardView(page));
  show(at('others'), othersView(page));
  show(at('tray'), trayView(page));
  show(at('hand'), curtainView(page), handView(page));
  show(at('players'), panelsView(page));
  show(at('journal'), journalView(page));
  showTabs();
  showProse();
  showSheet(page);
  updateSizes();
  if (focused !== null && !focused.isConnected && document.activeElement === document.body) at('sentence').focus({ preventScroll: true });
}

/** Update the values that depend on the size of the window. */
function updateSizes() {
  updateHiddenCount();
  updateLeastTextSize();
}

/** The newest text next to the table at the last rendering. @type {object | null} */
let newest = null;

/** Scroll to a new text next to the table. */
function showProse() {
  const news = page.rule ?? page.game.word ?? page.game.now?.guide ?? null;
  if (news !== newest && news !== null) at('prose').scrollIntoView({ block: 'nearest' });
  newest = news;
}

function showTabs() {
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const name = tab.getAttribute('data-tab');
    tab.setAttribute('aria-selected', String(name === page.tab));
    tab.textContent = name === 'log' ? t.log : t.players;
  }
}

/** @param {Page} page */
function showSheet(page) {
  const sheet = /** @type {HTMLDialogElement} */ (at('sheet'));
  if (page.sheet === null) {
    if (sheet.open) sheet.close();
    return show(sheet); // remove the content of the closed sheet
  }
  show(sheet, sheetView(page, keys(), origins));
  if (!sheet.open) sheet.showModal();
}

/** @param {Partial<Page>} changes */
function change(changes) {
  page = { ...page, ...changes };
  render();
}

// Messages from the server

/** @param {ServerMessage} message */
function receive(message) {
  const before = page.game;
  const moves = message.type === 'stepped' || message.type === 'sight';
  const from = moves && before.past === null ? places() : new Map();
  const follow = following(document.querySelector('.log'));
  page = settled({ ...page, game: received(before, message) }, before);
  if (message.type === 'welcome') welcome(before);
  if (message.type === 'new-link') storeLink(message.seat, message.token);
  if (message.type === 'rematched') goOn(message);
  if (message.type === 'judged' && message.is_right) solve(message.sentence);
  render();
  follow();
  if (isMine(page.game) && page.game.now?.revision !== before.now?.revision) at('hand').scrollLeft = 0; // at a new prompt, the hand is scrolled to its first card
  if (message.type === 'sight') showEntry();
  moveFrom(from, origin);
  if (message.type === 'stepped' && page.game.past === null) {
    const events = message.entry.events.map(event => event.value);
    carry(events);
    celebrate(events, page.game.seats);
  }
  notifyPlayer(before);
}

/**
 * Return the page after a message, without the unfinished choices of an earlier prompt.
 *
 * @param {Page} next
 * @param {Game} before
 * @returns {Page}
 */
function settled(next, before) {
  const isNew = next.game.now !== before.now;
  if (!isNew) return next;
  const isOther = next.game.now?.revision !== before.now?.revision || next.game.now?.viewer !== before.now?.viewer;
  const payment = isOther || next.payment === null ? storedPayment(TABLE, next.game) : next.payment;
  const begins = isMine(next.game) && !isMine(before) && next.sheet !== 'links' && !document.activeElement?.matches('#sheet :is(input, select)');
  const sheet = begins || isOther && next.sheet === 'agree' ? null : next.sheet;
  return { ...next, payment, taken: isOther ? null : next.taken, picked: isOther ? null : next.picked, rule: isOther ? null : next.rule, sheet };
}

/** Announce new log entries, signal the beginning of a turn, scroll to the result at the end, and store the last seen revision. @param {Game} before */
function notifyPlayer(before) {
  const { game } = page;
  const last = before.log.at(-1)?.revision ?? (before.now === null ? Infinity : -1);
  announce(at('announcements'), game.log.filter(entry => entry.revision > last));
  if (isAwaited(game) && !isAwaited(before) && before.now !== null) call(`${t.your_turn}. ${game.now?.bar ?? ''}`);
  if (game.now !== before.now && isMine(game) && !isMine(before)) at('alert').textContent = `${t.your_turn}. ${game.now?.bar ?? ''}`;
  if (!isMine(game)) at('alert').textContent = '';
  if (game.now?.finish && before.now && !before.now.finish) scrollTo({ top: 0, behavior: still() ? 'instant' : 'smooth' });
  if (game.now !== null && !document.hidden && !page.playing) store(`seen.${TABLE}`, String(game.now.revision));
}

/** Show a summary of the actions of other players since the page was last visible. */
function recall() {
  const text = since(page, Number(stored(`seen.${TABLE}`) ?? NaN));
  if (text !== '') page = { ...page, game: { ...page.game, word: { kind: 'news', text, rule: null, action: null } } };
}

/** Request a pause of the bots before each answer. @param {number} pause in milliseconds */
function pace(pause) {
  sendRequest({ type: 'pace', id: newId(), pause }, 'other');
}

/** Update the page after a Welcome: for example, show the links to the opener of a new table, or play back missed steps. @param {Game} before */
function welcome(before) {
  const { game } = page = { ...page, study: null };
  if (before.version !== '' && before.version !== game.version) location.reload();
  const [isNewOpener, pause] = [before.now === null && game.isOpener, stored('pause')];
  if (isNewOpener && pause !== null && Number(pause) !== game.pause) pace(Number(pause));
  const isAmongFriends = INVITES && before.now === null && game.log.length <= 1 && game.seats.some(seat => seat.level === null && !game.own.includes(seat.seat));
  if (isAmongFriends && isNewOpener && !keys()?.isRematch) openLinks();
  else if (isAmongFriends && game.seats.some(seat => game.own[0] === seat.seat && !seat.is_named)) page = { ...page, sheet: 'name' };
  const lastRevision = Number(stored(`seen.${TABLE}`) ?? NaN);
  const missed = standing(page.game.log).filter(stop => stop > lastRevision);
  recall();
  if (game.isAnalysed && game.report === null) analyse();
  if (game.isReplay && before.now === null) requestMomentIfAny(standing(page.game.log)[0] ?? null);
  if (missed.length > 1 && game.own.length === 1 && !still() && !game.isReplay) playFrom(missed.slice(-MEMORY)[0] ?? 0);
}

/**
 * Store the token of a new link to a seat.  If the address of this page contains the old token, replace it, which reloads the page.
 *
 * @param {number} seat
 * @param {string} token
 */
function storeLink(seat, token) {
  const known = keys() ?? { opener: '', invitations: [] };
  const old = known.invitations.find(each => each.seat === seat)?.token;
  const invitations = [...known.invitations.filter(each => each.seat !== seat), { seat, token }];
  store(`table.${TABLE}`, JSON.stringify({ ...known, invitations }));
  if (old !== undefined && location.hash.includes(old)) location.hash = location.hash.replace(old, token);
}

/** Load the page of a rematch with the seats of the players at this page. @param {Extract<ServerMessage, { type: 'rematched' }>} message */
function goOn({ table, own, opener, invitations }) {
  if (opener !== '') store(`table.${table}`, JSON.stringify({ opener, invitations, isRematch: true }));
  const tokens = invitations.filter(each => own.includes(each.seat)).map(each => each.token).join(',');
  storeTable({ id: table, tokens, names: page.game.seats.map(each => each.name), at: Date.now() });
  location.assign(addressOf(table, tokens));
}

/** Return the key of the element from which a new element is animated, or null. @param {string} key */
function origin(key) {
  const [kind, ...rest] = key.split('-');
  if (kind === 'played') return `hand-${rest[1]}-0`;
  if (kind === 'hand') return `supply-${rest[0]}`;
  return kind === 'supply' ? `hand-${rest[0]}-0` : null;
}

// Requests to the server

/**
 * Send a request.
 *
 * @param {PageMessage & { id: string }} message
 * @param {Request['kind']} kind
 * @param {string} [about]
 */
function sendRequest(message, kind, about = message.id) {
  page = { ...page, game: { ...page.game, pending: [...page.game.pending, { id: message.id, kind, about }] } };
  connection.send(message);
  render();
}

/** @param {Action} value @returns {ActionDocument} */
function document_of(value) {
  return { valletta_rules: 2, kind: 'Action', value };
}

function revision() {
  return page.game.now?.revision ?? 0;
}

/** The last answer, which is sent again if the coach questions it and the player insists. @type {Action | null} */
let lastAnswer = null;

/** @param {Action} action @param {string} [about] */
function answer(action, about = keyOf(action)) {
  if (isSent(page.game)) return;
  lastAnswer = action;
  page = { ...page, sheet: null, picked: null, game: { ...page.game, word: null } };
  if (page.study !== null) return retry(action, about);
  sendRequest({ type: 'answer', id: newId(), revision: revision(), action: document_of(action) }, 'answer', about);
}

// Exercises

/** Open the exercise for a flagged answer. @param {number} seat @param {number} number */
function pose(seat, number) {
  page = { ...page, study: { seat, number, isSolved: false }, payment: null, taken: null, picked: null, sheet: null, rule: null, focus: null, game: { ...page.game, word: null } };
  sendRequest({ type: 'reopen', id: newId(), at: studied(page)?.revision ?? 0 }, 'reopen');
  scrollTo(0, 0);
}

/** Judge an answer to an exercise: the page knows the best answer and that of the game; the server judges all others. @param {Action} action @param {string} about */
function retry(action, about) {
  const exercise = studied(page);
  if (exercise === null) return;
  page = { ...page, taken: null };
  if (isSame(action, exercise.best)) solve(t.study_best);
  else if (isSame(action, exercise.answer)) change({ game: { ...page.game, word: { kind: 'refused', text: t.study_same, rule: null, action: null } } });
  else sendRequest({ type: 'retry', id: newId(), at: exercise.revision, action: document_of(action) }, 'answer', about);
}

/** @param {Action} action @param {ActionDocument} other */
function isSame(action, other) {
  return JSON.stringify(action) === JSON.stringify(other.value);
}

/** Show the solution of the exercise. @param {string} verdict the verdict on the last answer; empty if none was given */
function solve(verdict) {
  const [study, exercise] = [page.study, studied(page)];
  if (study === null || exercise === null) return;
  change({ study: { ...study, isSolved: true }, game: { ...page.game, word: { kind: 'news', text: `${verdict} ${exercise.sentence}`.trim(), rule: null, action: exercise.best.value } } });
}

/**
 * Handle the press of an element of the table.  If the element has one choice, answer with it; if it has several, select the element.  If it
 * has none, open its sheet, and request the reason why its action is illegal.
 *
 * @param {string} key
 * @param {Action | null} quiet the illegal action, if there is one at the current prompt
 * @param {string} sheet
 */
function choose(key, quiet, sheet) {
  const choices = choicesAt(posed(page).game, key);
  if (choices[0] !== undefined && choices.length === 1) return answer(choices[0].action.value, key);
  if (choices.length > 1) return change({ picked: page.picked === key ? null : key, sheet: null });
  page = { ...page, sheet, rule: null, game: { ...page.game, word: null } };
  if (quiet !== null && isMine(page.game) && page.game.past === null) {
    return sendRequest({ type: 'why-not', id: newId(), revision: revision(), action: document_of(quiet) }, 'why-not');
  }
  render();
}

/** @param {Parameters<typeof quietAction>[1]} about */
function quiet(about) {
  const view = page.game.now?.view.value;
  return view === undefined ? null : quietAction(view, about);
}

/** @param {number} stop */
function requestMoment(stop) {
  page = { ...page, study: null };
  sendRequest({ type: 'look', id: newId(), at: stop, open: page.open }, 'look');
}

/** @param {number | null} stop */
function requestMomentIfAny(stop) {
  if (stop !== null) requestMoment(stop);
}

/** Show the current moment again. */
function now() {
  change({ playing: false, study: null, game: { ...page.game, past: null, word: page.study ? null : page.game.word } });
}

// Playback

let timer = 0;

/** Play back the game from a revision to the end. @param {number} from */
function playFrom(from) {
  page = { ...page, playing: true };
  requestMoment(from);
  clearInterval(timer);
  timer = setInterval(playOn, BEAT);
}

function playOn() {
  if (!page.playing) return clearInterval(timer);
  const next = nextStop(page, 1);
  if (next !== null && (page.game.isReplay || next < revision())) return requestMoment(next);
  if (page.game.isReplay) change({ playing: false });
  else now();
}

// Event handlers

/** @param {string} text */
async function download(text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = `valletta-${TABLE.slice(0, 8)}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function record() {
  const got = await request(`tables/${encodeURIComponent(TABLE)}/record`, language(), tokens()[0]).catch(() => null);
  if (got?.ok) await download(await got.text());
  else change({ sheet: null, game: { ...page.game, word: { kind: 'refused', text: t.no_record, rule: null, action: null } } });
}

/** Open a clause, and load its text in the language of the page; close the clause if it is open already. @param {string} clause */
async function openRule(clause) {
  if (page.rule?.clause === clause) return change({ rule: null });
  const word = page.game.word?.rule;
  const known = word?.clause === clause ? word : null;
  change({ rule: known ?? { clause, title: '…', text: '' } });
  const got = await request(`clauses/${encodeURIComponent(clause)}`, language()).catch(() => null);
  const rule = got?.ok ? await got.json() : known ?? { clause, title: t.no_rule, text: '' };
  if (page.rule?.clause === clause) change({ rule });
}

async function openLinks() {
  change({ sheet: 'links' });
  const got = await request('lobby', language()).catch(() => null);
  if (got?.ok) origins = (await got.json()).links;
  render();
}

/** Return the pending request for the analysis, if there is one. */
function analysing() {
  return page.game.pending.find(each => each.kind === 'analyse');
}

function analyse() {
  if (!analysing()) sendRequest({ type: 'analyse', id: newId() }, 'analyse');
}

/** Cancel the analysis. */
function giveUp() {
  const pending = analysing();
  if (pending) connection.send({ type: 'stop', id: pending.id });
}

/** @param {boolean} agreed */
function undo(agreed) {
  const offer = page.game.now?.undo;
  if (!offer || isSent(page.game)) return;
  if (offer.needs_agreement && !agreed) return change({ sheet: 'agree' });
  page = { ...page, sheet: null };
  sendRequest({ type: 'undo', id: newId(), revision: revision(), to: offer.to, agreed }, 'undo', 'undo');
}

/** @param {Good} good @param {1 | -1} step */
function exchange(good, step) {
  const payment = posed(page).game.now?.payment;
  if (payment) choosePayment(exchanged(payment, page.payment ?? payment.cheapest, good, step));
}

/** @param {Good} good */
function take(good) {
  const taken = withOne(page.taken, good);
  const action = takingOf(posed(page).game.now?.choices ?? [], taken);
  if (action) answer(action);
  else change({ taken });
}

/** @param {Goods | null} payment */
function choosePayment(payment) {
  change({ payment });
  storeChoice(TABLE, page);
}

/** The handlers of clicks, by `data-do`. */
/** @type {Record<string, (it: HTMLElement) => unknown>} */
const DOING = {
  site: it => {
    const site = Number(it.dataset['site']);
    const row = rowsOf(visibleParts(page.game)).findIndex(each => each.some(one => one.site === site));
    page = { ...page, focus: site };
    if (narrow.matches) change({ sheet: `row-${row}` });
    else choose(`site-${site}`, quiet({ site }), `site-${site}`);
  },
  'site-sheet': it => choose('', quiet({ site: Number(it.dataset['site']) }), `site-${it.dataset['site']}`),
  card: it => choose(`hand-${it.dataset['card']}`, quiet({ card: /** @type {Character} */ (it.dataset['card']) }), `card-${it.dataset['card']}`),
  hire: it => choose(`supply-${it.dataset['card']}`, quiet({ hire: /** @type {Character} */ (it.dataset['card']) }), `card-${it.dataset['card']}`),
  'card-sheet': it => choose('', null, `card-${it.dataset['card']}`),
  answer: it => answer(JSON.parse(it.dataset['action'] ?? 'null'), it.dataset['key']),
  insist: () => lastAnswer && answer(lastAnswer),
  unpick: () => change({ picked: null }),
  take: it => take(/** @type {Good} */ (it.dataset['good'])),
  untake: () => change({ taken: null }),
  more: it => exchange(/** @type {Good} */ (it.dataset['good']), 1),
  less: it => exchange(/** @type {Good} */ (it.dataset['good']), -1),
  cheapest: () => choosePayment(posed(page).game.now?.payment?.cheapest ?? null),
  pay: () => {
    const { game } = posed(page);
    const goods = page.payment ?? game.now?.payment?.cheapest;
    if (goods && isRight(game, goods)) answer({ type: 'Pay', goods }, 'pay');
  },
  undo: () => undo(false),
  'undo-agreed': () => undo(true),
  hint: () => sendRequest({ type: 'hint', id: newId(), revision: revision() }, 'hint'),
  analyse,
  'give-up': giveUp,
  study: it => pose(Number(it.dataset['seat']), Number(it.dataset['number'])),
  solution: () => solve(''),
  'study-end': now,
  hush: () => change({ game: { ...page.game, word: null } }),
  present: it => sendRequest({ type: 'present', id: newId(), seat: Number(it.dataset['seat']) }, 'present'),
  hide: () => sendRequest({ type: 'present', id: newId(), seat: null }, 'present'),
  look: it => {
    requestMoment(Number(it.dataset['at']));
    if (it.closest('.finish')) scrollTo(0, 0);
  },
  rematch: () => sendRequest({ type: 'rematch', id: newId() }, 'rematch'),
  'look-back': () => requestMomentIfAny(nextStop(page, -1)),
  first: () => {
    requestMomentIfAny(standing(page.game.log)[0] ?? null);
    scrollTo(0, 0);
  },
  back: () => requestMomentIfAny(nextStop(page, -1)),
  forward: () => requestMomentIfAny(nextStop(page, 1)),
  play: () => playFrom(nextStop(page, 1) ?? standing(page.game.log)[0] ?? 0),
  stop: () => change({ playing: false }),
  now,
  rule: it => openRule(it.dataset['clause'] ?? ''),
  menu: () => change({ sheet: 'menu' }),
  links: openLinks,
  record,
  close: () => change({ sheet: null, rule: null }),
  renew: it => sendRequest({ type: 'renew', id: newId(), seat: Number(it.dataset['seat']) }, 'renew'),
  copy: it => navigator.clipboard.writeText(it.dataset['text'] ?? '').then(() => { it.textContent = t.copied; }),
  select: it => it instanceof HTMLInputElement && it.select(),
  tab: it => change({ tab: it.dataset['tab'] === 'log' ? 'log' : 'players' }),
};

/** The handlers of changed fields, by `data-do`. @type {Record<string, (it: HTMLInputElement | HTMLSelectElement) => unknown>} */
const CHOOSING = {
  language: it => { store('language', it.value); location.reload(); },
  call: it => { store('call', it.value); void tryCall(it.value).then(render); },
  motion: it => { store('motion', it.value); applyTheme(); },
  theme: it => { store('theme', it.value || null); applyTheme(); },
  pause: it => { store('pause', it.value); pace(Number(it.value)); },
  'sit-in': it => sendRequest({ type: 'sit-in', id: newId(), seat: Number(it.dataset['seat']), level: /** @type {BotLevel | ''} */ (it.value) || null }, 'other'),
  seek: it => requestMoment(stopAt(page, Number(it.value))),
  'open-hands': it => {
    page = { ...page, open: it instanceof HTMLInputElement && it.checked };
    requestMoment(page.game.past?.moment.revision ?? revision());
  },
};

/** @param {Event} event @returns {HTMLElement | null} */
function pressedElement(event) {
  return event.target instanceof Element ? event.target.closest('[data-do]') : null;
}

/** Open the sheet of a site or a card without choosing the element. @param {HTMLElement} it */
function openSheetOf(it) {
  const { site, card } = it.dataset;
  if (site !== undefined) choose('', quiet({ site: Number(site) }), `site-${site}`);
  else if (card !== undefined) choose('', null, `card-${card}`);
}

/** @param {KeyboardEvent} event */
function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  const site = event.target instanceof HTMLElement ? event.target.dataset['site'] : undefined;
  const to = site === undefined ? null : neighbour(page, Number(site), event.key);
  if (to !== null) {
    event.preventDefault();
    change({ focus: to });
    /** @type {HTMLElement | null} */ (document.querySelector(`button.site[data-site="${to}"]`))?.focus();
  } else if (/^[1-9]$/.test(event.key) && page.sheet === null) {
    const card = /** @type {HTMLElement | null} */ (document.querySelector(`.held:not(.other) [data-number="${event.key}"]`));
    card?.focus();
    card?.click();
  } else if (event.key === '?' && event.target instanceof HTMLElement) {
    openSheetOf(event.target);
  } else if (event.key === 'Escape' && page.sheet === null) {
    if (page.picked !== null) change({ picked: null });
    else if (page.game.past !== null) now();
    else if (page.game.word !== null) change({ game: { ...page.game, word: null } });
  }
}

function listen() {
  document.addEventListener('click', event => {
    finish();
    const it = pressedElement(event);
    if (it !== null && it.getAttribute('aria-disabled') !== 'true') DOING[it.dataset['do'] ?? '']?.(it);
    else if (it !== null && /^(site|card|hire)$/.test(it.dataset['do'] ?? '')) DOING[it.dataset['do'] ?? '']?.(it);
  });
  document.addEventListener('change', event => {
    const it = event.target;
    if (it instanceof HTMLInputElement || it instanceof HTMLSelectElement) CHOOSING[it.dataset['do'] ?? '']?.(it);
  });
  document.addEventListener('submit', event => {
    event.preventDefault();
    const [field, seat] = [document.querySelector('dialog form input'), page.game.own[0]];
    const name = field instanceof HTMLInputElement ? field.value.trim() : '';
    if (name === '' || seat === undefined) return;
    store('name', name);
    page = { ...page, sheet: page.sheet === 'name' ? null : page.sheet };
    sendRequest({ type: 'rename', id: newId(), seat, name }, 'other');
  });
  document.addEventListener('keydown', handleKey);
  at('hand').addEventListener('scroll', updateHiddenCount, { passive: true });
  addEventListener('resize', updateSizes);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || page.game.now === null) return;
    recall();
    render();
    store(`seen.${TABLE}`, String(revision()));
  });
  const sheet = /** @type {HTMLDialogElement} */ (at('sheet'));
  const closed = () => { if (page.sheet !== null) change({ sheet: null, rule: null }); };
  sheet.addEventListener('cancel', closed); // the event `close` is queued, and another sheet may be open by then
  sheet.addEventListener('close', () => { if (!sheet.open) closed(); });
  addEventListener('hashchange', () => location.reload());
  holding(openSheetOf);
  peeking(() => visibleMoment(page.game)?.view.value.table.display ?? [], () => visibleParts(page.game), () => visibleMoment(page.game)?.view.value.table.rules);
}

async function begin() {
  applyTheme();
  await Promise.all([loadWords(), loadPictures()]);
  listen();
  render();
  connection = new Connection({
    hello: () => ({ type: 'hello', protocol: PROTOCOL, table: TABLE, tokens: tokens(), seen: page.game.log.at(-1)?.revision ?? null, language: language(), viewer: page.game.now?.viewer ?? null }),
    receive,
    lost: () => { if (page.game.link !== 'ended') change({ game: { ...page.game, link: 'lost' } }); },
  });
}

void begin();
