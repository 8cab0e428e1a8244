/* The rules of the board game Valletta: values in, values out.  `load` returns the functions; the rules
 * themselves are the native backend's, compiled to WebAssembly, and every fact comes from tables.js. */

import { DocumentError, checked, freeze, parsed } from './documents.js';
import { readLine, writeLine } from './position_line.js';
import { State, View, formatAction, parseAction, gameOf, hiddenOf, instanceOf, kindOf, numberOf, ownAction, readState, readView, actionOf, payment, violationOf, eventsOf, redact } from './values.js';
import languages from './dist/languages.js';
import tables from './dist/tables.js';
import wasm from './dist/wasm.js';

export { DocumentError, State, View, formatAction, parseAction, redact };

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

/** Resolves to what a clause of the rulebook says, in each language: they are loaded when they are first asked for. */
export async function explain(clause) {
  const said = await Promise.all(Object.entries(languages).map(async ([language, words]) => [language, (await words()).default.clauses]));
  if (!said.every(([, clauses]) => Object.hasOwn(clauses, clause))) throw new RangeError(`there is no clause ${clause}`);
  return freeze(Object.fromEntries(said.map(([language, clauses]) => [language, { ...clauses[clause] }])));
}

/** Resolves to the bytes that are compressed in a text. */
function unpacked(text) {
  const packed = new Blob([Uint8Array.from(atob(text), each => each.charCodeAt(0))]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
}

/** Resolves to the functions.  Takes the bytes or the module of valletta.wasm, if they are not to be unpacked from the package. */
export async function load(source = unpacked(wasm)) {
  const host = { draw: null, found: null };
  const imports = { host: { draw: limit => host.draw(limit), found: (...goods) => host.found(goods) } };
  const made = await WebAssembly.instantiate(await source, imports);
  return Object.freeze(functions(new Backend(made.instance ?? made, host)));
}

/** The memory of the rules, into which tables and positions are copied for each call.
 *  All calls share it, so no code of the caller runs between copying in and copying out: callbacks, getters and traps are called before. */
class Backend {
  constructor({ exports }, host) {
    exports._initialize?.();
    Object.assign(this, { exports, host, game: null, laid: null, half: null });
    this.bytes = new Uint8Array(exports.memory.buffer);
    this.table = exports.place_table();
    this.position = exports.place_position();
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
  }

  /** Lays a row, unless it is there already. */
  lay(game, row) {
    if (this.laid === row && this.game === game) return;
    this.seat(game);
    this.laid = row;
    this.bytes.fill(0, this.position + row.length, this.position + tables.sizes.position);
    this.bytes.set(row, this.position);
  }

  /** Copies what is half done, before something else is laid. */
  keep() {
    if (this.half) this.half.row = this.row(this.game);
    this.half = null;
  }

  /** Calls what changes the row that is laid. */
  change(call, ...words) {
    this.laid = null;
    return call(...words);
  }

  /** Returns a copy of the row that is laid. */
  row(game) {
    this.laid = this.bytes.slice(this.position, this.position + game.size);
    return this.laid;
  }

  /** Lets chance answer a row: the rules stop where they want another number, and the generator may call them meanwhile. */
  resolve(game, row, random) {
    const half = { row };
    let number, asked;
    const draw = limit => (asked++ ? -1 : Math.floor(number * limit));
    for (;;) {
      number = drawnFrom(random);
      if (half.row) this.lay(game, half.row);
      this.half = this.laid = half.row = null;
      this.host.draw = draw;
      asked = 0;
      if (this.exports.resolve()) return;
      if (asked < 2) throw new RangeError('chance has no answer');
      this.half = half;
    }
  }
}

/** Returns the next number of a generator of the caller. */
function drawnFrom(random) {
  const drawn = random();
  if (!(typeof drawn === 'number' && drawn >= 0 && drawn < 1)) throw new RangeError(`random() must be at least 0 and below 1, not ${String(drawn)}`);
  return drawn;
}

function divisor(one, other) {
  return other ? divisor(other, one % other) : one;
}

function functions(backend) {
  const { exports } = backend;

  const lay = state => {
    const { game, row } = instanceOf(state);
    backend.lay(game, row);
    return game;
  };

  const next = game => new State(game, backend.row(game));

  function newGame(options = {}) {
    const { players, rules = Object.values(tables.editions)[0], cards = Object.keys(tables.builtIn)[0] } = checked('GameOptions', options, '');
    const game = gameOf(players, rules, cards);
    backend.seat(game);
    const problem = backend.text(exports.check_start());
    if (problem) throw new DocumentError(problem);
    backend.change(exports.begin);
    return whole(next(game));
  }

  function listed(game) {
    const count = exports.legal();
    if (count) return Array.from(backend.numbers.subarray(0, count), number => actionOf(game, number));
    const payments = [];
    backend.host.found = goods => payments.push(payment(goods));
    exports.payments();
    return payments;
  }

  function legalActions(state) {
    if (state instanceof View) return state.legal_actions;
    return Object.freeze(listed(lay(state)));
  }

  /** Lays a position; returns the action, without anything of the caller's, and its numbers. */
  function laid(state, action) {
    const { game, row } = instanceOf(state);
    const own = ownAction(game, action);
    const numbers = numberOf(game, own);
    backend.lay(game, row);
    return [own, numbers];
  }

  function refusal(state, own, numbers) {
    return exports.check(...numbers) ? null : violationOf(backend.refusal, state.prompt, own);
  }

  function check(state, action) {
    return refusal(state, ...laid(state, action));
  }

  function refuseNumber(number) {
    throw new RangeError(`${number} is not the number of a legal action`);
  }

  function legalNumbers(state) {
    lay(state);
    const count = exports.legal();
    if (count) return backend.numbers.slice(0, count);
    return Uint16Array.from({ length: exports.count() }, (_, place) => tables.numbers + place);
  }

  function applyNumber(state, number) {
    const game = lay(state);
    if (!Number.isInteger(number) || number < 0) return refuseNumber(number);
    const isPayment = number >= tables.numbers;
    if (!isPayment && (number === tables.pay || !exports.check(number, 0, 0, 0, 0))) return refuseNumber(number);
    const done = isPayment ? backend.change(exports.pay, number - tables.numbers) : backend.change(exports.apply, number, 0, 0, 0, 0) || 1;
    if (!done) return refuseNumber(number);
    if (done < 0) throw new RangeError('there is more than a position can hold');
    return next(game);
  }

  function carryOut(carry, state, action) {
    const [own, numbers] = laid(state, action);
    const violation = refusal(state, own, numbers);
    if (violation) throw new IllegalActionError(violation);
    const done = backend.change(carry, ...numbers);
    if (done < 0) throw new RangeError('there is more than a position can hold');
    return done;
  }

  function apply(state, action) {
    carryOut(exports.apply, state, action);
    return next(instanceOf(state).game);
  }

  function transition(state, action) {
    const count = carryOut(exports.transition, state, action);
    const { game } = instanceOf(state);
    const after = next(game);
    return Object.freeze({ state: after, events: eventsOf(backend.events, count, game, () => outcome(after)) });
  }

  function chanceOutcomes(state) {
    const game = lay(state);
    if (!state.asksChance) return Object.freeze([]);
    const count = exports.chance();
    const weights = Array.from(backend.weights.subarray(0, count));
    const sum = weights.reduce((one, other) => one + other, 0);
    return Object.freeze(weights.map((weight, place) => {
      const common = divisor(weight, sum);
      const action = actionOf(game, backend.numbers[place]);
      return Object.freeze({ action, numerator: weight / common, denominator: sum / common });
    }));
  }

  function resolveChance(state, random) {
    const { game, row } = instanceOf(state);
    if (!state.asksChance) return state;
    backend.resolve(game, row, random);
    return next(game);
  }

  function outcome(state) {
    const game = lay(state);
    if (!state.isOver) return null;
    const told = exports.outcome();
    return game.outcome(told, backend.scores);
  }

  function view(state, seat) {
    const game = lay(state);
    if (seat !== null && !(Number.isInteger(seat) && seat >= 0 && seat < game.players)) {
      throw new RangeError(`there is no seat ${seat}`);
    }
    const asked = seat !== null && state.prompt?.seat === seat;
    const actions = asked ? listed(game) : [];
    backend.change(exports.redact, seat ?? -1);
    return new View(game, backend.row(game), seat, actions);
  }

  function determinize(seen, random) {
    const { game, row, seat } = instanceOf(seen, View);
    const numbers = [];
    for (let left = hiddenOf(game, row, seat); left; left--) numbers.push(drawnFrom(random));
    backend.lay(game, row);
    let drawn = 0;
    backend.host.draw = limit => Math.floor(numbers[drawn++] * limit);
    backend.change(exports.determinize, seat ?? -1);
    return next(game);
  }

  function fromDocument(document) {
    const { kind, value } = checked('Document', document);
    if (kind === 'PlayerView') {
      const view = readView(value, document => whole(readState(document)));
      return view;
    }
    return kind === 'GameState' ? whole(readState(value)) : value;
  }

  function whole(state) {
    lay(state);
    const problem = backend.text(exports.problem());
    if (problem) throw new DocumentError(problem);
    return state;
  }

  function fromJson(text) {
    return fromDocument(parsed(text));
  }

  const parsePositionLine = line => fromDocument({ valletta_rules: tables.format, kind: 'GameState', value: readLine(line) });

  return {
    newGame, legalActions, check, apply, transition, legalNumbers, applyNumber, chanceOutcomes, resolveChance, outcome, view, determinize,
    toDocument, toJson, fromDocument, fromJson, positionLine, parsePositionLine,
  };
}

function toDocument(value) {
  const plain = value instanceof State || value instanceof View ? value.toJSON() : value;
  return { valletta_rules: tables.format, kind: kindOf(value), value: plain };
}

function toJson(value) {
  return JSON.stringify(toDocument(value));
}

function positionLine(state) {
  instanceOf(state);
  return writeLine(state.toJSON());
}
