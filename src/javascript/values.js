/* Positions, views and actions: what they are in memory, and as documents. */

import { DocumentError, checked, definition, freeze, kindOf } from './documents.js';
import tables from './dist/tables.js';

export { kindOf };

const { places, sizes, goods: GOODS, characters: CHARACTERS } = tables;
const PLACE = places.position;
const MOST_KEPT = 64;
export const WORD = Uint32Array.BYTES_PER_ELEMENT;

// ---------------------------------------------------------------------------------------- actions

const sorted = (key, value) => (value && typeof value === 'object' && !Array.isArray(value)
  ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value);
const textOf = action => JSON.stringify(action, sorted);

const ACTIONS = freeze(tables.actions);
const NUMBERS = new Map(ACTIONS.flatMap((action, number) => (action ? [[action, number], [textOf(action), number]] : [])));
const payments = new WeakSet();

function goodsOf(amounts, at = 0) {
  const goods = {};
  for (let place = 0; place < GOODS.length; place++) goods[GOODS[place]] = amounts[at + place];
  return goods;
}

const amountsOf = goods => GOODS.map(good => goods[good]);

const paymentCache = new Map();
const MOST_PAYMENTS = 1 << 14;

/** Returns a payment with these amounts. Small payments are cached. */
export function payment(amounts) {
  let key = 0;
  for (const amount of amounts) key = amount < 64 ? key * 64 + amount : NaN;
  const known = key >= 0 ? paymentCache.get(key) : undefined;
  if (known) return known;
  const action = freeze({ type: 'Pay', goods: goodsOf(amounts) });
  payments.add(action);
  if (paymentCache.size === MOST_PAYMENTS) paymentCache.clear();
  paymentCache.set(key, action);
  return action;
}

export function actionOf(game, number) {
  return ACTIONS[number] ?? game.dealings[number];
}

const isKnown = (game, action) => typeof action === 'object' && (NUMBERS.has(action) || game.numbers.has(action) || payments.has(action));

/** Returns an action that this package created, or a validated copy. The caller cannot change it, or detect when it is read. */
export const ownAction = (game, action) => (isKnown(game, action) ? action : checked('Action', action));

/** Returns the number of such an action and the goods of a payment. For goods that are not a pair, the number is the first unused one. */
export function numberOf(game, own) {
  const known = NUMBERS.get(own) ?? game.numbers.get(own);
  if (known !== undefined) return [known];
  const amounts = own.goods ? amountsOf(own.goods) : [];
  if (own.type === 'Pay') return [tables.pay, ...amounts];
  const text = textOf(own);
  const number = NUMBERS.get(text) ?? game.numbers.get(text) ?? (own.goods && tables.numbers);
  return number === undefined ? refuse(`$: is no action of this game: ${text}`) : [number, ...amounts];
}

/** Formats an action in the notation of the Python package, such as `build 7` or `pay 2g 1w`. */
export function formatAction(action) {
  const read = payments.has(action) ? action : checked('Action', action);
  if (read.type === 'DealBuilding') return `deal ${read.building}`;
  const number = NUMBERS.get(action) ?? NUMBERS.get(textOf(read));
  if (number !== undefined) return tables.notation[number];
  const goods = amountsOf(read.goods).map((amount, good) => `${amount}${tables.letters[good]}`).filter(each => !/^0/.test(each));
  return `${read.type === 'Pay' ? 'pay' : 'take'} ${goods.join(' ') || '0'}`;
}

const NOTED = new Map(tables.notation.flatMap((text, number) => (text ? [[text, ACTIONS[number]]] : [])));

/** Parses an action in the notation of `formatAction`. */
export function parseAction(text) {
  const [verb, ...rest] = String(text).trim().split(/\s+/);
  const known = NOTED.get([verb, ...rest].join(' '));
  if (known) return known;
  if (verb === 'deal' && rest.length === 1) return checked('Action', { type: 'DealBuilding', building: rest[0] });
  const amounts = GOODS.map(() => 0);
  if (verb !== 'pay' || !rest.length) refuse(`no action is written ${JSON.stringify(text)}`);
  for (const each of rest.join(' ') === '0' ? [] : rest) {
    const [, amount, letter] = /^(\d{1,9})([a-z])$/.exec(each) ?? [];
    const good = tables.letters.indexOf(letter);
    if (good < 0) refuse(`no action is written ${JSON.stringify(text)}`);
    amounts[good] += Number(amount);
  }
  return payment(amounts);
}

/** Reads from the memory of the rules why an action is illegal. */
export function violationOf(view, prompt, action) {
  const place = places.refusal;
  const number = name => view.getInt32(place[name], true);
  const code = tables.codes[number('code')] ?? refuse(`$: is no action of this game: ${textOf(action)}`);
  const goods = name => goodsIn(view, place[name]);
  const facts = {
    ...action,
    prompt: prompt?.type,
    action: action.type,
    payment: action.goods,
    character: CHARACTERS[number('character')],
    site: action.site ?? number('site'),
    owner: number('owner') < 0 ? null : number('owner'),
    owned: number('owned'),
    price: goods('price'),
    goods: goods('goods'),
    missing: goods('missing'),
  };
  const names = tables.facts.filter((_, fact) => (number('facts') >> fact) & 1);
  return freeze({ code, clause: clauseOf(number('clause')), facts: Object.fromEntries(names.map(name => [name, facts[name]])) });
}

const goodsIn = (view, at) => goodsOf(GOODS.map((_, good) => view.getInt32(at + 4 * good, true)));

/** Reads the events of an action from the memory of the rules. A function returns the outcome for the event that ends the game. */
export function eventsOf(view, count, game, outcome) {
  return freeze(Array.from({ length: count }, (_, each) => {
    const number = name => view.getInt32(each * sizes.event + places.event[name], true);
    const [type, fields, clause] = tables.events[number('kind')];
    const parts = {
      seat: () => number('seat'),
      value: () => number('value'),
      other: () => number('other'),
      character: () => CHARACTERS[number('value')],
      good: () => GOODS[number('value')],
      condition: () => tables.conditions[number('value')],
      building: () => game.buildings[number('value')].code,
      clause: () => clauseOf(number('clause')),
      goods: () => goodsIn(view, each * sizes.event + places.event.goods),
      outcome,
    };
    const event = { type };
    for (const [name, part] of Object.entries(fields)) event[name] = parts[part]();
    if (clause) event.clause = clause;
    return event;
  }));
}

/** Returns the event without the information that is hidden from a seat or a spectator (null): cards that other players draw. */
export function redact(event, seat) {
  if (seat !== null && !(Number.isInteger(seat) && seat >= 0 && seat < tables.mostPlayers)) throw new RangeError(`there is no seat ${seat}`);
  const copy = checked('GameEvent', event);
  if (!Object.hasOwn(tables.hidden, copy.type) || copy.seat === seat) return copy;
  const type = tables.hidden[copy.type];
  const { properties } = definition(`#/$defs/${type}`);
  return Object.freeze({ ...Object.fromEntries(Object.keys(properties).map(key => [key, copy[key]])), type });
}

/** Returns the id of the clause with this number. */
function clauseOf(number) {
  return `${String.fromCharCode(number >> 24, (number >> 16) & 255, (number >> 8) & 255)}-${number & 255}`;
}

// ------------------------------------------------------------------------------------------ games

const games = new Map();

/** Returns the data that all positions of a game share. */
export function gameOf(players, rules, cards) {
  const named = typeof cards === 'string' ? cards : nameOf(cards);
  const key = JSON.stringify([players, rules, named ?? cards]);
  const game = games.get(key) ?? new Game(players, rules, named, cards, key);
  games.delete(key);
  games.set(key, game);
  if (games.size > MOST_KEPT) games.delete(games.keys().next().value);
  return game;
}

function nameOf(cards) {
  const text = textOf(cards);
  return Object.keys(tables.builtIn).find(name => textOf(tables.builtIn[name]) === text);
}

class Game {
  constructor(players, rules, named, cards, key) {
    const { buildings, barrels } = named ? tables.builtIn[named] ?? refuse(`$.cards: there is no card set ${named}`) : cards;
    if (buildings.length > tables.mostDesigns) refuse('$.cards: has too many buildings');
    Object.assign(this, { players, rules, cards: named ?? cards, key, buildings });
    this.designs = new Map(buildings.map((building, design) => [building.code, design]));
    if (this.designs.size < buildings.length) refuse('$.cards: has two buildings of one code');
    this.size = places.position.player + players * sizes.player;
    this.words = this.size / WORD;
    this.dealings = freeze(buildings.slice(0, tables.dealt).map(({ code }) => ({ type: 'DealBuilding', building: code })));
    this.numbers = new Map(this.dealings.flatMap((action, number) => [[action, number], [textOf(action), number]]));
    this.table = this.#table(barrels);
    Object.freeze(this);
  }

  #table(barrels) {
    const bytes = new Uint8Array(sizes.table);
    const put = (name, ...values) => write(bytes, places.table[name], values, '$.cards');
    put('players', this.players);
    put('designs', this.buildings.length);
    put('character', ...this.buildings.map(each => CHARACTERS.indexOf(each.character)));
    put('icon', ...this.buildings.map(each => GOODS.indexOf(each.icon)));
    put('points', ...this.buildings.map(each => each.points));
    put('copies', ...this.buildings.map(each => each.copies));
    put('cost', ...this.buildings.flatMap(each => amountsOf(each.cost)));
    put('barrels', ...amountsOf(barrels));
    put('answers', ...Object.entries(tables.answers).map(([question, answers]) => answers.indexOf(this.rules[question])));
    return bytes;
  }

  outcome(bits, scores) {
    const seats = [...Array(this.players).keys()];
    return freeze({
      scores: seats.map(seat => {
        const [track, buildings, goods, houses] = scores.subarray(4 * seat, 4 * seat + 4);
        return { seat, track, buildings, goods, houses, total: track + buildings + goods };
      }),
      winners: seats.filter(seat => (bits >> seat) & 1),
      clause: `SCO-${bits >> tables.mostPlayers}`,
    });
  }
}

function refuse(message) {
  throw new DocumentError(message);
}

// ------------------------------------------------------------------------------------- out of rows

const read16 = (row, at) => row[at] | (row[at + 1] << 8);
const read32 = (row, at) => read16(row, at) + read16(row, at + 2) * 2 ** 16;

function bagAt(row, at) {
  const cards = {};
  CHARACTERS.forEach((character, place) => {
    if (row[at + place]) cards[character] = row[at + place];
  });
  return cards;
}

function sitesAt(row, at) {
  const mask = read32(row, at);
  return [...Array(32).keys()].filter(site => (mask >>> site) & 1);
}

const PARTS = {
  seat: (row, at) => row[at + places.step.seat],
  value: (row, at) => row[at + places.step.value],
  character: (row, at) => CHARACTERS[row[at + places.step.value]],
  goods: (row, at) => goodsOf(row, at + places.step.goods),
};

function stepAt(row, at) {
  const [type, fields, clause] = tables.steps[row[at + places.step.kind] - 1];
  const step = { type };
  for (const [name, part] of fields) step[name] = PARTS[part](row, at);
  if (clause) step.clause = typeof clause === 'string' ? clause : clause[step.character];
  return step;
}

function agendaOf(row) {
  const count = row[PLACE.steps];
  return Array.from({ length: count }, (_, place) => stepAt(row, PLACE.agenda + (count - 1 - place) * sizes.step));
}

function publicParts(row, at) {
  const place = places.player;
  return {
    goods: goodsOf(GOODS.map((_, good) => read16(row, at + place.goods + 2 * good))),
    built: sitesAt(row, at + place.built),
    upgraded: sitesAt(row, at + place.upgraded),
    score: read16(row, at + place.score),
  };
}

function playerAt(row, at) {
  const bag = name => bagAt(row, at + places.player[name]);
  return { hand: bag('hand'), draw_pile: bag('draw_pile'), discard_pile: bag('discard_pile'), ...publicParts(row, at), shown: bag('shown') };
}

function seenPlayerAt(row, at, own) {
  const bag = name => bagAt(row, at + places.player[name]);
  const together = row.slice(at + places.player.draw_pile, at + places.player.draw_pile + sizes.bag);
  CHARACTERS.forEach((_, place) => (together[place] += row[at + places.player.hand + place]));
  return {
    ...publicParts(row, at),
    discard_pile: bag('discard_pile'),
    hidden: bagAt(together, 0),
    hand_size: row[at + places.player.hand + places.bag.total],
    shown: bag('shown'),
    hand: own ? bag('hand') : null,
  };
}

function playedAt(row, at) {
  const played = [];
  for (let place = 0; place < row[at + PLACE.plays]; place++) played.push(CHARACTERS[row[at + PLACE.played + place]]);
  return played;
}

function tableOf(game, row, player) {
  return {
    rules: game.rules,
    cards: game.cards,
    display: Array.from(row.subarray(PLACE.display, PLACE.display + row[PLACE.dealt]), design => game.buildings[design]),
    players: Array.from({ length: game.players }, (_, seat) => player(row, PLACE.player + seat * sizes.player, seat)),
    supply: bagAt(row, PLACE.supply),
    barrels: goodsOf(row, PLACE.barrels),
    valette: row[PLACE.valette],
    active: row[PLACE.active],
    played: playedAt(row, 0),
    phase: tables.phases[row[PLACE.phase]],
  };
}

// -------------------------------------------------------------------------------------- into rows

function write(bytes, at, values, path) {
  values.forEach((value, place) => {
    if (!(value >= 0 && value <= 255)) refuse(`${path}: ${value} is more than a position can hold`);
    bytes[at + place] = value;
  });
}

function writeBag(row, at, cards, path) {
  const counts = CHARACTERS.map(character => cards[character] ?? 0);
  write(row, at, counts, path);
  write(row, at + places.bag.total, [counts.reduce((one, other) => one + other, 0)], path);
}

function writeStep(row, at, step, path) {
  const kind = tables.steps.findIndex(([type]) => type === step.type);
  const [, fields] = tables.steps[kind];
  const parts = { seat: 0, value: 0, goods: GOODS.map(() => 0) };
  for (const [name, part] of fields) {
    if (part === 'goods') parts.goods = amountsOf(step[name]);
    else if (part === 'character') parts.value = CHARACTERS.indexOf(step[name]);
    else parts[part] = step[name];
  }
  write(row, at, [kind + 1, parts.seat, parts.value, 0, ...parts.goods], path);
}

function writePlayer(row, at, player, path) {
  const place = places.player;
  const numbers = new DataView(row.buffer, at);
  for (const name of ['hand', 'draw_pile', 'discard_pile', 'shown']) writeBag(row, at + place[name], player[name], `${path}.${name}`);
  for (const name of ['built', 'upgraded']) {
    numbers.setUint32(place[name], player[name].reduce((mask, site) => mask + 2 ** site, 0), true);
  }
  [...amountsOf(player.goods), player.score].forEach((number, each) => {
    numbers.setUint16(each < GOODS.length ? place.goods + 2 * each : place.score, number, true);
  });
}

function designOf(game, building, path) {
  const design = game.designs.get(building.code);
  if (design === undefined || textOf(game.buildings[design]) !== textOf(building)) refuse(`${path}: is not of the card set`);
  return design;
}

/** Returns the row of a validated document. The caller must still check that the position is possible. */
export function readState(given) {
  const game = gameOf(checked('PlayerCount', given.players.length), given.rules, given.cards);
  const row = new Uint8Array(game.size);
  const put = (name, ...values) => write(row, PLACE[name], values, `$.value.${name}`);
  const { agenda, display, played } = given;
  if (agenda.length * sizes.step > PLACE.display - PLACE.agenda) refuse('$.value.agenda: is too long');
  if (display.length > PLACE.dealt - PLACE.display) refuse('$.value.display: is too long');
  if (played.length > PLACE.supply - PLACE.played) refuse('$.value.played: is too long');
  put('dealt', display.length, game.players, given.active, tables.phases.indexOf(given.phase), given.valette, played.length, agenda.length);
  put('barrels', ...amountsOf(given.barrels));
  put('display', ...display.map((building, site) => designOf(game, building, `$.value.display[${site}]`)));
  put('played', ...played.map(character => CHARACTERS.indexOf(character)));
  writeBag(row, PLACE.supply, given.supply, '$.value.supply');
  agenda.forEach((step, place) => writeStep(row, PLACE.agenda + (agenda.length - 1 - place) * sizes.step, step, `$.value.agenda[${place}]`));
  given.players.forEach((player, seat) => writePlayer(row, PLACE.player + seat * sizes.player, player, `$.value.players[${seat}]`));
  return { game, room: { words: new Uint32Array(row.buffer) }, at: 0 };
}

const sum = numbers => numbers.reduce((one, other) => one + other, 0);
const sizeOf = cards => sum(Object.values(cards));

/** Returns how many cards must be drawn to complete a view: the cards of other hands that are not known. */
export const hiddenOf = ({ seat, table }) => sum(table.players.map((player, each) => (each === seat ? 0 : player.hand_size - sizeOf(player.shown))));

/** Returns the row of a position that is consistent with the validated document of a view. */
export function readView({ seat, table, agenda }) {
  const players = table.players.map((player, each) => {
    if ((player.hand !== null) !== (each === seat)) refuse(`$.value.table.players[${each}].hand: is known to its owner alone`);
    const rest = { ...player.hidden };
    const hand = { ...(player.hand ?? player.shown) };
    for (const [character, count] of Object.entries(hand)) {
      rest[character] = (rest[character] ?? 0) - count;
      if (rest[character] < 0) refuse(`$.value.table.players[${each}]: has other cards than those hidden`);
    }
    let left = player.hand_size - sizeOf(hand);
    for (const character of Object.keys(rest)) {
      const count = Math.max(0, Math.min(left, rest[character]));
      hand[character] = (hand[character] ?? 0) + count;
      rest[character] -= count;
      left -= count;
    }
    if (left) refuse(`$.value.table.players[${each}].hand_size: does not fit the cards`);
    return { ...player, hand, draw_pile: rest };
  });
  return readState({ ...table, players, agenda });
}

// ----------------------------------------------------------------------------------------- values

const CHANCE = new Set(tables.schema.ChancePrompt.oneOf.map(each => (
  tables.steps.findIndex(([type]) => type === definition(each.$ref).properties.type.const) + 1)));

const ROWS = 8;
let room = roomFor(0);
let used = 0;

function roomFor(count) {
  const words = new Uint32Array(count);
  return { words, bytes: new Uint8Array(words.buffer) };
}

/** The internal data of a position or a view that this package created: its row, and values that are computed on first use. */
export class Handle {
  #document = null;
  #prompt;
  #key = null;
  #value = null;

  /** Copies a row. Several rows share a buffer, because a buffer for each row would dominate the costs. */
  constructor(game, words, seat, actions) {
    if (used + game.words > room.words.length) {
      room = roomFor(ROWS * game.words);
      used = 0;
    }
    room.words.set(words, used);
    this.game = game;
    this.room = room;
    this.at = used * WORD;
    this.seat = seat;
    this.actions = actions;
    used += game.words;
  }

  get row() {
    return this.room.bytes.subarray(this.at, this.at + this.game.size);
  }

  get kind() {
    return this.actions ? 'PlayerView' : 'GameState';
  }

  get isOver() {
    return !this.room.bytes[this.at + PLACE.steps];
  }

  get asksChance() {
    return !this.isOver && CHANCE.has(this.room.bytes[this.#step + places.step.kind]);
  }

  get prompt() {
    if (this.#prompt === undefined) this.#prompt = this.isOver ? null : freeze(stepAt(this.room.bytes, this.#step));
    return this.#prompt;
  }

  get #step() {
    return this.at + PLACE.agenda + (this.room.bytes[this.at + PLACE.steps] - 1) * sizes.step;
  }

  get key() {
    this.#key ??= `${String.fromCharCode(...this.row)}${this.seat ?? ''} ${this.game.key}`;
    return this.#key;
  }

  get document() {
    this.#document ??= freeze(this.#createDocument());
    return this.#document;
  }

  #createDocument() {
    const { game, row, seat, actions } = this;
    if (!actions) return { ...tableOf(game, row, playerAt), agenda: agendaOf(row) };
    const table = tableOf(game, row, (from, at, each) => seenPlayerAt(from, at, each === seat));
    return { seat, table, agenda: agendaOf(row), legal_actions: listed(actions) };
  }

  get value() {
    this.#value ??= this.actions ? viewOf(this) : stateOf(this);
    return this.#value;
  }
}

function itself(value) {
  return value;
}

/** Returns a class that stores the `Handle` of a value in a private field of the value: a `WeakMap` at a tenth of the cost. */
const laidInto = () => class extends itself {
  #handle;

  constructor(value, handle) {
    super(value);
    this.#handle = handle;
  }

  static of(value) {
    return typeof value === 'object' && value !== null && #handle in value ? value.#handle : null;
  }
};

const Known = laidInto();
const Carrier = laidInto();

/** Returns the `Handle` of a position or a view that this package created, or null. */
export const handleOf = Known.of;

/** Returns the `Handle` for a getter. On a proxy, which lacks the private field, an array of the value finds it. */
const behind = value => handleOf(value) ?? Carrier.of(value.played ?? value.legal_actions);

const entries = (...keys) => keys.map(key => [key, { get() { return behind(this).document[key]; }, enumerable: true }]);
const BEFORE_BARRELS = entries('display', 'players', 'supply');
const AGENDA = entries('agenda');
const TABLE = entries('table');
const UNLISTED = [
  ...['prompt', 'asksChance', 'isOver', 'key'].map(key => [key, { get() { return behind(this)[key]; } }]),
  [Symbol.for('nodejs.util.inspect.custom'), { value() { return behind(this).document; } }],
];

function define(value, properties) {
  for (const [key, property] of properties) Object.defineProperty(value, key, property);
}

function sealed(value, array, handle) {
  define(value, UNLISTED);
  new Carrier(array, handle);
  new Known(value, handle);
  Object.freeze(array);
  return Object.freeze(value);
}

/** Returns a position: a frozen plain object with the entries of its document. Expensive entries are computed on first use. */
function stateOf(handle) {
  const { game, at, room: { bytes } } = handle;
  const value = { rules: game.rules, cards: game.cards };
  define(value, BEFORE_BARRELS);
  value.barrels = Object.freeze(goodsOf(bytes, at + PLACE.barrels));
  value.valette = bytes[at + PLACE.valette];
  value.active = bytes[at + PLACE.active];
  value.played = playedAt(bytes, at);
  value.phase = tables.phases[bytes[at + PLACE.phase]];
  define(value, AGENDA);
  return sealed(value, value.played, handle);
}

/** Returns a view in the same form. */
function viewOf(handle) {
  const value = { seat: handle.seat };
  define(value, TABLE);
  define(value, AGENDA);
  value.legal_actions = handle.actions;
  return sealed(value, value.legal_actions, handle);
}

const KEY = { get() { return handleOf(this).key; }, enumerable: true };

/** A packed position for callers that use action numbers: it has no entries except its key, and costs less. */
export class Packed {
  constructor(handle) {
    new Known(this, handle);
    Object.defineProperty(this, 'key', KEY);
    Object.freeze(this);
  }

  get state() {
    return handleOf(this).value;
  }
}

define(Packed.prototype, UNLISTED);

/** Returns the actions that a document lists. If there are too many payments, only those with the fewest goods. */
function listed(actions) {
  if (actions.length <= tables.mostListed) return actions;
  const total = action => amountsOf(action.goods).reduce((one, other) => one + other, 0);
  const fewest = new Set([...actions].sort((one, other) => total(one) - total(other)).slice(0, tables.mostListed));
  return actions.filter(action => fewest.has(action));
}
