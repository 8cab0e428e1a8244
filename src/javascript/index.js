/* The rules of the board game Valletta: values in, values out.  `load` returns the functions; the rules
 * themselves are the native backend's, compiled to WebAssembly, and every fact comes from tables.js. */

import { DocumentError, checked, freeze, isEqual, likeness, parsed } from './documents.js';
import { readLine, writeLine } from './position_line.js';
import { Handle, Packed, WORD, actionOf, eventsOf, formatAction, gameOf, handleOf, hiddenOf, kindOf, numberOf, ownAction, parseAction, payment, readState, readView, redact, violationOf } from './values.js';
import languages from './dist/languages.js';
import tables from './dist/tables.js';
import wasm from './dist/wasm.js';

export { DocumentError, formatAction, parseAction, redact };

const members = of => freeze(Object.fromEntries(Object.entries(of).map(([member, [group, name]]) => [member, tables[group][name]])));

/** The rule sets of the editions. */
export const editions = members(tables.members.editions);

/** The card sets that come with the package. */
export const cardSets = members(tables.members.cardSets);

/** An action was applied that is not legal. */
export class IllegalActionError extends Error {
  name = 'IllegalActionError';

  constructor(violation) {
    super(`${violation.code} [${violation.clause}]`);
    this.violation = violation;
  }
}

/** Returns a function that draws one of the outcomes of chance with one random number. It computes with integers, so no sum is rounded. */
export function byRandom(random) {
  return outcomes => {
    const tickets = outcomes.reduce((count, { denominator }) => (count / divisor(count, denominator)) * denominator, 1);
    let ticket = Math.floor(drawnFrom(random) * tickets);
    return outcomes.find(({ numerator, denominator }) => (ticket -= numerator * (tickets / denominator)) < 0).action;
  };
}

/** Resolves to the text of a clause in each language. The first call loads the texts. */
export async function explain(clause) {
  const texts = await Promise.all(Object.entries(languages).map(async ([language, words]) => [language, (await words()).default.clauses]));
  if (!texts.every(([, clauses]) => Object.hasOwn(clauses, clause))) throw new RangeError(`there is no clause ${clause}`);
  const address = language => `${language === 'en' ? '' : `${language}/`}rule/${clause}.html`;
  return freeze(Object.fromEntries(texts.map(([language, clauses]) => [language, { ...clauses[clause], address: address(language) }])));
}

/** Compiles the rules and returns their functions. `source` replaces the copy of valletta.wasm in the package. */
export function loadSync(source = wasm()) {
  const { host, imports } = hosted();
  const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
  return functions(new Backend(new WebAssembly.Instance(module, imports), host));
}

/** Does the same asynchronously. Without `source`, resolves before the next event is handled, so a worker that awaits it first misses no message. */
export async function load(source) {
  const given = await source;
  try {
    return loadSync(given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // thrown on the main thread of a browser that limits synchronous compilation
  }
  const { host, imports } = hosted();
  const result = await WebAssembly.instantiate(given ?? wasm(), imports);
  return functions(new Backend(result.instance ?? result, host));
}

function hosted() {
  const host = { draw: null, payment: null };
  return { host, imports: { host: { draw: limit => host.draw(limit), payment: (...goods) => host.payment(goods) } } };
}

/** The WebAssembly instance and its memory, into which each call copies the table and the position.
 *  All calls share this memory, so no code of the caller may run between copying in and copying out: callbacks, getters and traps run before. */
class Backend {
  constructor({ exports }, host) {
    exports._initialize?.();
    Object.assign(this, { exports, host, game: null, laid: null, half: null });
    this.bytes = new Uint8Array(exports.memory.buffer);
    this.table = exports.place_table();
    this.words = new Uint32Array(exports.memory.buffer, exports.place_position(), tables.sizes.position / WORD);
    this.numbers = new Uint16Array(exports.memory.buffer, exports.place_numbers());
    this.weights = new Float64Array(exports.memory.buffer, exports.place_weights());
    this.refusal = new DataView(exports.memory.buffer, exports.place_refusal());
    this.events = new DataView(exports.memory.buffer, exports.place_events());
    this.scores = new Int32Array(exports.memory.buffer, exports.place_scores());
  }

  text(place) {
    if (!place) return null;
    return String.fromCharCode(...this.bytes.subarray(place, this.bytes.indexOf(0, place)));
  }

  seat(game) {
    this.keep();
    if (this.game === game) return;
    this.game = null;
    this.bytes.set(game.table, this.table);
    const problem = this.text(this.exports.complete());
    if (problem) throw new DocumentError(problem);
    this.game = game;
    this.row = this.words.subarray(0, game.words);
  }

  /** Copies the row of a handle into the memory, unless it is the current row. */
  lay(handle) {
    if (this.laid === handle && this.game === handle.game) return;
    const { game, room: { words }, at } = handle;
    this.seat(game);
    this.laid = handle;
    for (let each = 0; each < game.words; each++) this.words[each] = words[at / WORD + each];
    this.words.fill(0, game.words);
  }

  /** Saves the row of an interrupted `resolve` before another row replaces it. */
  keep() {
    if (this.half) this.half.handle = { game: this.game, room: { words: this.words.slice() }, at: 0 };
    this.half = null;
  }

  /** Calls a function of the rules that changes the current row. */
  change(call, ...words) {
    this.laid = null;
    return call(...words);
  }

  /** Resolves chance in a row. The rules return whenever they need another random number, because the generator may itself call the rules. */
  resolve(handle, random) {
    const half = { handle };
    let number, draws;
    const draw = limit => (draws++ ? -1 : Math.floor(number * limit));
    for (;;) {
      number = drawnFrom(random);
      if (half.handle) this.lay(half.handle);
      this.half = this.laid = half.handle = null;
      this.host.draw = draw;
      draws = 0;
      if (this.exports.resolve()) return;
      if (draws < 2) throw new RangeError('chance has no answer');
      this.half = half;
    }
  }
}

/** Returns the next number of the caller's generator. Throws a `RangeError` if it is outside [0, 1). */
function drawnFrom(random) {
  const drawn = random();
  if (!(typeof drawn === 'number' && drawn >= 0 && drawn < 1)) throw new RangeError(`random() must be at least 0 and below 1, not ${String(drawn)}`);
  return drawn;
}

function divisor(one, other) {
  return other ? divisor(other, one % other) : one;
}

const NAMES = { GameState: 'position', PlayerView: 'view' };

function functions(backend) {
  const { exports } = backend;
  const met = new WeakMap();

  /** Returns the `Handle` of a copy, such as a clone. The copy is parsed as a document, and again only if it has changed. */
  function read(value) {
    const kind = likeness(value);
    const known = met.get(value);
    if (known && isEqual(value, known.value)) return known;
    const fresh = handleOf(fromDocument({ valletta_rules: tables.format, kind, value }));
    met.set(value, fresh);
    return fresh;
  }

  function requireHandle(value, kind = 'GameState') {
    const handle = handleOf(value) ?? read(value);
    if (handle.kind !== kind) throw new TypeError(`expected a ${NAMES[kind]}, not a ${NAMES[handle.kind]}`);
    return handle;
  }

  function lay(state) {
    const position = requireHandle(state);
    backend.lay(position);
    return position;
  }

  /** Returns a `Handle` of the current row: of a position, or of the view of a seat or a spectator (null). */
  function next(game, seat, actions) {
    backend.laid = new Handle(game, backend.row, seat, actions);
    return backend.laid;
  }

  /** Returns the current row as a position. Throws a `DocumentError` if the position is invalid. */
  function whole(game) {
    const problem = backend.text(exports.problem());
    if (problem) throw new DocumentError(problem);
    return next(game).value;
  }

  function newGame(options = {}) {
    const { players, rules = Object.values(tables.editions)[0], cards = Object.keys(tables.builtIn)[0] } = checked('GameOptions', options, '');
    const game = gameOf(players, rules, cards);
    backend.seat(game);
    const problem = backend.text(exports.check_start());
    if (problem) throw new DocumentError(problem);
    backend.change(exports.begin);
    return whole(game);
  }

  function listed(game) {
    const count = exports.legal();
    const actions = [];
    for (let place = 0; place < count; place++) actions.push(actionOf(game, backend.numbers[place]));
    backend.host.payment = goods => actions.push(payment(goods));
    if (!count) exports.payments();
    return actions;
  }

  function legalActions(position) {
    const handle = handleOf(position) ?? read(position);
    if (handle.kind === 'PlayerView') return handle.actions;
    backend.lay(handle);
    return Object.freeze(listed(handle.game));
  }

  /** Makes a position the current row. Returns its `Handle`, the action that `ownAction` returns, and the numbers of the action. */
  function laid(state, action) {
    const position = requireHandle(state);
    const own = ownAction(position.game, action);
    const numbers = numberOf(position.game, own);
    backend.lay(position);
    return [position, own, numbers];
  }

  function refusal({ prompt }, own, numbers) {
    return exports.check(...numbers) ? null : violationOf(backend.refusal, prompt, own);
  }

  function check(state, action) {
    return refusal(...laid(state, action));
  }

  function refuseNumber(number) {
    throw new RangeError(`${number} is not the number of a legal action`);
  }

  function legalNumbers(state) {
    lay(state);
    const count = exports.legal();
    if (count) return backend.numbers.slice(0, count);
    return new Uint16Array(exports.count()).map((_, place) => tables.numbers + place);
  }

  function applyNumber(state, number) {
    const position = lay(state);
    if (!Number.isInteger(number) || number < 0) return refuseNumber(number);
    const isPayment = number >= tables.numbers;
    if (!isPayment && (number === tables.pay || !exports.check(number, 0, 0, 0, 0))) return refuseNumber(number);
    const done = isPayment ? backend.change(exports.pay, number - tables.numbers) : backend.change(exports.apply, number, 0, 0, 0, 0) || 1;
    if (!done) return refuseNumber(number);
    if (done < 0) throw new RangeError('there is more than a position can hold');
    return new Packed(next(position.game));
  }

  /** Applies an action. Returns the `Handle` of the position before, and the result of the rules. */
  function carryOut(carry, state, action) {
    const [position, own, numbers] = laid(state, action);
    const violation = refusal(position, own, numbers);
    if (violation) throw new IllegalActionError(violation);
    const done = backend.change(carry, ...numbers);
    if (done < 0) throw new RangeError('there is more than a position can hold');
    return [position, done];
  }

  function apply(state, action) {
    const [position] = carryOut(exports.apply, state, action);
    return next(position.game).value;
  }

  function transition(state, action) {
    const [position, count] = carryOut(exports.transition, state, action);
    const { game } = position;
    const { value } = next(game);
    return Object.freeze({ state: value, events: eventsOf(backend.events, count, game, () => outcome(value)) });
  }

  function chanceOutcomes(state) {
    const { game, asksChance } = lay(state);
    if (!asksChance) return Object.freeze([]);
    const count = exports.chance();
    const weights = Array.from(backend.weights.subarray(0, count));
    const sum = weights.reduce((one, other) => one + other, 0);
    return Object.freeze(weights.map((weight, place) => {
      const common = divisor(weight, sum);
      const action = actionOf(game, backend.numbers[place]);
      return Object.freeze({ action, numerator: weight / common, denominator: sum / common });
    }));
  }

  function sampleChance(state, random) {
    const outcomes = chanceOutcomes(state);
    if (!outcomes.length) throw new RangeError(requireHandle(state).asksChance ? 'chance has no answer' : 'chance is not asked');
    return byRandom(random)(outcomes);
  }

  function resolveChance(state, random) {
    const position = requireHandle(state);
    const isPacked = state instanceof Packed;
    if (!position.asksChance) return isPacked ? state : position.value;
    backend.resolve(position, random);
    const after = next(position.game);
    return isPacked ? new Packed(after) : after.value;
  }

  function outcome(state) {
    const { game, isOver } = lay(state);
    if (!isOver) return null;
    const bits = exports.outcome();
    return game.outcome(bits, backend.scores);
  }

  function view(state, seat) {
    const { game, prompt } = lay(state);
    if (seat !== null && !(Number.isInteger(seat) && seat >= 0 && seat < game.players)) {
      throw new RangeError(`there is no seat ${seat}`);
    }
    const mustAnswer = seat !== null && prompt?.seat === seat;
    const actions = mustAnswer ? listed(game) : [];
    backend.change(exports.redact, seat ?? -1);
    return next(game, seat, Object.freeze(actions)).value;
  }

  function determinize(value, random) {
    const view = requireHandle(value, 'PlayerView');
    const numbers = [];
    for (let left = hiddenOf(view.document); left; left--) numbers.push(drawnFrom(random));
    backend.lay(view);
    let drawn = 0;
    backend.host.draw = limit => Math.floor(numbers[drawn++] * limit);
    backend.change(exports.determinize, view.seat ?? -1);
    return next(view.game).value;
  }

  function fromDocument(document) {
    const { kind, value } = checked('Document', document);
    if (kind === 'News') return freeze({ ...value, view: fromDocument({ ...document, kind: 'PlayerView', value: value.view }) });
    if (kind !== 'GameState' && kind !== 'PlayerView') return value;
    const position = kind === 'GameState' ? readState(value) : readView(value);
    backend.lay(position);
    const state = whole(position.game);
    if (kind === 'GameState') return state;
    backend.change(exports.redact, value.seat ?? -1);
    return next(position.game, value.seat, value.legal_actions).value;
  }

  function fromJson(text) {
    return fromDocument(parsed(text));
  }

  const parsePositionLine = line => fromDocument({ valletta_rules: tables.format, kind: 'GameState', value: readLine(line) });
  const positionLine = state => writeLine(requireHandle(state).document);

  function toDocument(value) {
    const kind = handleOf(value)?.kind ?? kindOf(value);
    const hasHandle = kind === 'GameState' || kind === 'PlayerView';
    return { valletta_rules: tables.format, kind, value: hasHandle ? requireHandle(value, kind).document : value };
  }

  const toJson = value => JSON.stringify(toDocument(value));

  return Object.freeze({
    newGame, legalActions, check, apply, transition, legalNumbers, applyNumber, chanceOutcomes, sampleChance, resolveChance, outcome, view, determinize,
    toDocument, toJson, fromDocument, fromJson, positionLine, parsePositionLine,
  });
}
