/** The lobby: the options, players and seats of a new table; or a record to open. */
/** @import { BotLevel, CardSetSeen, Lobby, Named, OpenedTable, SeatColour } from './table.js' */
/** @import { RefusalDocument } from '../../schema/valletta.js' */
import { at, h, show } from './dom.js';
import { cardPicture, loadPictures, seatDisc } from './pictures.js';
import { INVITES, addressOf, request, send } from './server.js';
import { preferences } from './sheets.js';
import { applyTheme, fill, forgetTable, knownTables, language, loadWords, store, storeTable, stored, t, words } from './words.js';

/**
 * A player at the new table: a person at this screen, a person with a link, or a bot.
 *
 * @typedef {{ name: string, colour: SeatColour, who: 'here' | 'link' | BotLevel }} Player
 */

/**
 * The user's own card set, with the result of its validation; null until the server has responded.
 *
 * @typedef {{ file: string, text: string, cardSet: CardSetSeen | null }} OwnCards
 */

/** @type {{ lobby: Lobby | null, count: number, players: Player[], edition: string, variants: string[], own: OwnCards | null, usesOwn: boolean, isShuffled: boolean, isCoached: boolean, isSent: boolean, problems: readonly string[] }} */
let wish = {
  lobby: null, count: 2, edition: '', variants: [], own: null, usesOwn: false, isShuffled: true, isCoached: false, isSent: false, problems: [],
  players: [
    { name: '', colour: 'red', who: 'here' }, { name: '', colour: 'blue', who: 'regular' },
    { name: '', colour: 'green', who: 'regular' }, { name: '', colour: 'yellow', who: 'regular' },
  ],
};

/** @param {Partial<typeof wish>} changes */
function change(changes) {
  wish = { ...wish, ...changes };
  render();
}

/** @param {number} seat @param {Partial<Player>} changes */
function changePlayer(seat, changes) {
  change({ players: wish.players.map((player, each) => (each === seat ? { ...player, ...changes } : player)) });
}

function render() {
  document.title = `Valletta – ${t.new_table}`;
  show(at('page'), wish.lobby === null ? h('p', {}, wish.problems.length > 0 ? problemsView() : t.connecting) : [
    h('div', { class: 'scroll' }, header(), quickView(wish.lobby), tablesView(),
      h('details', { class: 'more', 'data-key': 'more' }, h('summary', {}, t.more_games),
        h('div', { class: 'columns' }, h('div', { class: 'wishes' }, playersView(wish.lobby), rulesView(wish.lobby), cardsView(), openView()), sideView()))),
  ]);
}

/** Return the buttons that start a game for two: against the bot level of the last game, by default the weakest, or with a friend. @param {Lobby} lobby */
function quickView(lobby) {
  const level = lobby.levels.find(({ code }) => code === stored('level')) ?? lobby.levels[0];
  return h('section', { class: 'quick', 'data-key': 'quick' },
    h('button', { class: 'main large', 'data-do': 'quick', 'data-who': level?.code, 'aria-disabled': String(wish.isSent), 'data-sent': wish.isSent },
      h('b', {}, t.play_now), h('small', {}, fill(t.play_against, level?.name ?? ''))),
    INVITES && h('button', { class: 'large', 'data-do': 'quick', 'data-who': 'link', 'aria-disabled': String(wish.isSent) },
      h('b', {}, t.play_friend), h('small', {}, t.play_friend_help)),
    h('p', { class: 'hint-text' }, t.play_help, ' ', h('a', { href: `#lesson=${lobby.lessons[0]?.code}` }, t.play_lesson)),
    problemsView());
}

function header() {
  return h('header', { class: 'lobby-head', 'data-key': 'head' },
    h('div', {}, h('h1', {}, 'Valletta'), h('p', {}, t.tagline)),
    h('div', { class: 'fan', 'aria-hidden': 'true', 'data-same': 'fan' }, ['maid', 'monk', 'artisan', 'grand_master', 'knight'].map(card => cardPicture(/** @type {'maid'} */ (card)))),
    h('div', { class: 'menu' }, preferences()));
}

/** @param {Lobby} lobby */
function playersView(lobby) {
  return h('fieldset', { 'data-key': 'players' }, h('legend', {}, t.who_plays),
    h('div', { class: 'choice', role: 'radiogroup', 'aria-label': t.how_many }, [2, 3, 4].map(count => h('label', {},
      h('input', { type: 'radio', name: 'count', 'data-do': 'count', value: count, checked: wish.count === count }), h('span', {}, fill(t.players_count, count))))),
    h('ol', { class: 'seats' }, wish.players.slice(0, wish.count).map((player, seat) => playerView(lobby, player, seat))),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', 'data-do': 'shuffled', checked: wish.isShuffled }), t.shuffle),
    h('label', { class: 'check' }, h('input', { type: 'checkbox', 'data-do': 'coached', checked: wish.isCoached }), h('span', {}, t.coached, h('small', {}, t.coached_help))));
}

/** @param {Lobby} lobby @param {Player} player @param {number} seat */
function playerView(lobby, player, seat) {
  const colours = Object.fromEntries(lobby.colours.map(({ code, name }) => [code, name]));
  const label = fill(t.player_number, seat + 1);
  return h('li', { 'data-key': seat }, seatDisc(seat, player.colour),
    h('input', { type: 'text', 'data-do': 'name', 'data-seat': seat, value: player.name, maxlength: 40, placeholder: colours[player.colour], 'aria-label': `${label}: ${t.name}`, autocomplete: 'off' }),
    h('select', { 'data-do': 'who', 'data-seat': seat, 'aria-label': `${label}: ${t.who}` },
      h('optgroup', { label: t.person }, [['here', t.here_at_screen], ...(INVITES ? [['link', t.by_link]] : [])].map(([code, name]) => option(code, name, player.who))),
      h('optgroup', { label: t.machine }, lobby.levels.map(({ code, name }) => option(code, name, player.who)))),
    h('select', { 'data-do': 'colour', 'data-seat': seat, 'aria-label': `${label}: ${t.colour}` }, lobby.colours.map(({ code, name }) => option(code, name, player.colour))));
}

/** @param {string | undefined} code @param {string | undefined} name @param {string} chosen */
function option(code, name, chosen) {
  return h('option', { value: code, selected: code === chosen }, name);
}

/** @param {Lobby} lobby */
function rulesView(lobby) {
  return h('fieldset', { 'data-key': 'rules' }, h('legend', {}, t.rules),
    h('div', { class: 'editions', role: 'radiogroup', 'aria-label': t.edition }, lobby.editions.map(({ code, name }) => h('label', {},
      h('input', { type: 'radio', name: 'edition', 'data-do': 'edition', value: code, checked: wish.edition === code }),
      h('span', {}, h('b', {}, name), h('small', {}, words.editions[code]))))),
    lobby.variants.map(({ code, name }) => h('label', { class: 'check', 'data-key': code },
      h('input', { type: 'checkbox', 'data-do': 'variant', value: code, checked: variants(lobby.variants).includes(code), disabled: !fits(code) }),
      h('span', {}, name, h('small', {}, words.variants[code])))));
}

/** Return whether a variant is possible with the selected number of players. @param {string} code */
function fits(code) {
  return code !== 'fewer-barrels' || wish.count === 2;
}

/** Return the selected variants that are possible with the selected number of players. @param {readonly Named[]} all */
function variants(all) {
  return all.map(each => each.code).filter(code => wish.variants.includes(code) && fits(code));
}

function cardsView() {
  return h('fieldset', { 'data-key': 'cards' }, h('legend', {}, t.card_set),
    h('div', { class: 'editions' },
      h('label', {}, h('input', { type: 'radio', name: 'cards', 'data-do': 'usual', checked: !wish.usesOwn }), h('span', {}, h('b', {}, t.cards_usual), h('small', {}, t.cards_usual_help))),
      h('label', {}, h('input', { type: 'radio', name: 'cards', 'data-do': 'own', checked: wish.usesOwn }), h('span', {}, h('b', {}, t.cards_own), h('small', {}, t.cards_own_help)))),
    wish.usesOwn && h('div', { class: 'own' }, h('input', { type: 'file', accept: '.toml,text/plain', 'data-do': 'cards', 'aria-label': t.cards_own }), ownView(wish.own)));
}

/** @param {OwnCards | null} own */
function ownView(own) {
  if (own === null || own.cardSet === null) return null;
  if (own.cardSet.problems.length === 0) return h('p', { class: 'right', role: 'status' }, fill(t.cards_right, own.cardSet.name ?? own.file));
  return h('div', { class: 'problems', role: 'alert' }, h('p', {}, fill(t.cards_wrong, own.file, own.cardSet.count)), h('ul', {}, own.cardSet.problems.map(each => h('li', {}, each))));
}

function problemsView() {
  return wish.problems.length === 0 ? null : h('div', { class: 'problems', role: 'alert' }, h('ul', {}, wish.problems.map(each => h('li', {}, each))));
}

function openView() {
  const lacksCards = wish.usesOwn && (wish.own?.cardSet?.problems.length ?? 1) > 0;
  return h('div', { class: 'open', 'data-key': 'open' },
    h('button', { class: 'main large', 'data-do': 'open', 'aria-disabled': String(wish.isSent || lacksCards), 'data-sent': wish.isSent }, t.open_table),
    lacksCards && h('p', { class: 'hint-text' }, t.cards_first));
}

/** Return links to the tables that were opened on this device. */
function tablesView() {
  const tables = knownTables();
  return tables.length > 0 && h('section', { class: 'tables', 'data-key': 'tables' }, h('h2', {}, t.your_tables), h('ul', { class: 'known' }, tables.map(table => h('li', { 'data-key': table.id },
    h('a', { href: addressOf(table.id, table.tokens) }, table.names.join(', ')), h('small', {}, new Date(table.at).toLocaleDateString(language())),
    h('button', { class: 'close', 'data-do': 'forget', 'data-table': table.id, 'aria-label': fill(t.forget, table.names.join(', ')) }, '×')))));
}

function sideView() {
  return h('div', { class: 'side', 'data-key': 'side' },
    h('section', { 'data-key': 'lessons' }, h('h2', {}, t.lessons), h('p', {}, t.lessons_help), h('ol', { class: 'known' }, (wish.lobby?.lessons ?? []).map(each => h('li', { 'data-key': each.code },
      h('a', { href: `#lesson=${each.code}` }, each.name))))),
    h('section', {}, h('h2', {}, t.open_record), h('p', {}, t.open_record_help), h('input', { type: 'file', 'data-do': 'record', 'aria-label': t.open_record })),
    h('section', {}, h('h2', {}, t.about_this), h('p', {}, t.about_cards), h('p', {}, t.about_privacy), (wish.lobby?.kept ?? []).map(each => h('p', {}, each))));
}

// Requests to the server

/**
 * Send a POST request and return the content of the response.  If the request fails, show the error and return null.
 *
 * @param {string} path
 * @param {string} body
 * @returns {Promise<unknown>}
 */
async function post(path, body) {
  const answer = await send(path, language(), body).catch(() => null);
  const content = await answer?.json().catch(() => null);
  if (answer?.ok) return content;
  const refusal = /** @type {RefusalDocument | null} */ (content)?.value;
  const problems = refusal?.problems?.map(problem => (problem.path === '' ? problem.message : `${problem.path}: ${problem.message}`)) ?? [];
  change({ isSent: false, problems: problems.length > 0 ? problems : [refusal?.message ?? t.no_server] });
  return null;
}

/** Open a table for two players with the default rules and cards. @param {Player['who']} who the opponent of the person at this screen */
async function openQuick(who) {
  const [one, other] = wish.players;
  if (one === undefined || other === undefined) return;
  const name = one.name || (stored('name') ?? '');
  // a friend enters their name on their own page
  const players = [{ ...one, name, who: /** @type {const} */ ('here') }, { ...other, name: who === 'link' ? '' : other.name, who }];
  change({ count: 2, players: [...players, ...wish.players.slice(2)], edition: wish.lobby?.editions[0]?.code ?? '', variants: [], usesOwn: false, isShuffled: true, isCoached: false });
  await open();
}

async function open() {
  if (wish.isSent || wish.lobby === null) return;
  change({ isSent: true, problems: [] });
  const players = seated(wish.players.slice(0, wish.count));
  const bot = players.find(({ who }) => who !== 'here' && who !== 'link');
  if (bot) store('level', bot.who);
  const seats = players.map(({ name, colour, who }) => ({ name: name.trim(), colour, level: who === 'here' || who === 'link' ? null : who }));
  const table = { edition: wish.edition, variants: variants(wish.lobby.variants), cards: wish.usesOwn ? wish.own?.text ?? null : null, seats, is_shuffled: false, is_coached: wish.isCoached };
  const opened = /** @type {OpenedTable | null} */ (await post('tables', JSON.stringify(table)));
  if (opened === null) return;
  store('players', JSON.stringify({ count: wish.count, players: wish.players, edition: wish.edition }));
  enter(opened, players);
}

/**
 * Return the players in the order of their seats.  This page shuffles them, because the server does not know which players share this screen.
 *
 * @param {Player[]} players
 * @returns {Player[]}
 */
function seated(players) {
  if (!wish.isShuffled) return players;
  const lots = crypto.getRandomValues(new Uint32Array(players.length));
  return players.map((player, each) => ({ player, lot: lots[each] ?? 0 })).sort((one, other) => one.lot - other.lot).map(each => each.player);
}

/**
 * Store the tokens of a new table on this device, and load the page of the table with the seats at this screen.
 *
 * @param {OpenedTable} opened
 * @param {Player[]} players in the order of their seats
 */
function enter(opened, players) {
  const tokens = opened.invitations.filter(each => players[each.seat]?.who === 'here').map(each => each.token).join(',');
  store(`table.${opened.table}`, JSON.stringify({ opener: opened.opener, invitations: opened.invitations }));
  const names = players.map(player => player.name || (wish.lobby?.colours.find(each => each.code === player.colour)?.name ?? ''));
  storeTable({ id: opened.table, tokens, names, at: Date.now() });
  location.assign(addressOf(opened.table, tokens));
}

/** @param {File | undefined} file */
async function openRecord(file) {
  if (file === undefined) return;
  const opened = /** @type {OpenedTable | null} */ (await post('replay', await file.text()));
  if (opened !== null) location.assign(addressOf(opened.table, ''));
}

/** Open the lesson that the address of the page contains, as in `#lesson=goods`, if there is one. */
async function openLesson() {
  const lesson = new URLSearchParams(location.hash.slice(1)).get('lesson');
  if (lesson === null) return;
  history.replaceState(null, '', location.pathname + location.search); // so that the link to the lesson works again
  const opened = /** @type {OpenedTable | null} */ (await post('lessons', JSON.stringify({ lesson })));
  if (opened !== null) location.assign(addressOf(opened.table, opened.invitations.map(each => each.token).join(',')));
}

/** @param {File | undefined} file */
async function readCards(file) {
  if (file === undefined) return;
  const text = await file.text();
  change({ own: { file: file.name, text, cardSet: null } });
  const cardSet = /** @type {CardSetSeen | null} */ (await post('card-set', JSON.stringify({ text, language: language() })));
  if (cardSet !== null) change({ own: { file: file.name, text, cardSet }, problems: [] });
}

// Event handlers

/** @type {Record<string, (it: HTMLInputElement & HTMLSelectElement, seat: number) => unknown>} */
const CHOOSING = {
  count: it => change({ count: Number(it.value) }),
  name: (it, seat) => changePlayer(seat, { name: it.value }),
  who: (it, seat) => changePlayer(seat, { who: /** @type {Player['who']} */ (it.value) }),
  colour: (it, seat) => exchangeColour(seat, /** @type {SeatColour} */ (it.value)),
  coached: it => change({ isCoached: it.checked }),
  shuffled: it => change({ isShuffled: it.checked }),
  edition: it => change({ edition: it.value }),
  variant: it => change({ variants: it.checked ? [...wish.variants, it.value] : wish.variants.filter(each => each !== it.value) }),
  usual: () => change({ usesOwn: false }),
  own: () => change({ usesOwn: true }),
  cards: it => readCards(it.files?.[0]),
  record: it => openRecord(it.files?.[0]),
  language: it => { store('language', it.value); location.reload(); },
  theme: it => { store('theme', it.value || null); applyTheme(); },
};

/** Assign a colour to a seat; the player who had this colour gets the previous colour of the seat. @param {number} seat @param {SeatColour} colour */
function exchangeColour(seat, colour) {
  const before = wish.players[seat]?.colour;
  change({ players: wish.players.map((player, each) => (each === seat ? { ...player, colour } : player.colour === colour && before ? { ...player, colour: before } : player)) });
}

/** @param {Event} event */
function handleChange(event) {
  const it = /** @type {HTMLInputElement & HTMLSelectElement} */ (event.target);
  CHOOSING[it.dataset['do'] ?? '']?.(it, Number(it.dataset['seat']));
}

function listen() {
  document.addEventListener('change', handleChange);
  document.addEventListener('input', event => {
    if (event.target instanceof HTMLInputElement && event.target.type === 'text') handleChange(event);
  });
  document.addEventListener('click', event => {
    const it = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest('button[data-do]')) : null;
    if (it === null || it.getAttribute('aria-disabled') === 'true') return;
    if (it.dataset['do'] === 'open') void open();
    if (it.dataset['do'] === 'quick') void openQuick(/** @type {Player['who']} */ (it.dataset['who']));
    if (it.dataset['do'] === 'forget') {
      forgetTable(it.dataset['table']);
      render();
    }
  });
}

async function begin() {
  applyTheme();
  await Promise.all([loadWords(), loadPictures()]);
  listen();
  const answer = await request('lobby', language()).catch(() => null);
  if (!answer?.ok) return change({ problems: [t.no_server] });
  const lobby = /** @type {Lobby} */ (await answer.json());
  const before = /** @type {{ count: number, players: Player[], edition: string } | null} */ (JSON.parse(stored('players') ?? 'null'));
  change({ lobby, edition: lobby.editions[0]?.code ?? '', ...before });
  addEventListener('hashchange', () => void openLesson());
  await openLesson();
}

void begin();
