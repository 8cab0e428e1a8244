/* A game in progress as one value: position, log, undo and redo, and what each seat has missed.  Calls, errors and log are those of
 * `Game` in the Python package, byte for byte. */

import { checked, freeze, isEqual, parsed } from './documents.js';
import { formatAction, redact } from './values.js';
import tables from './dist/tables.js';

const codeOf = name => name.replace(/Error$/, '').replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

/** A call failed, and changed nothing. */
export class GameError extends Error {
  constructor(name, message, facts = {}, options = {}) {
    super(message, options);
    Object.assign(this, { name, ...facts });
  }

  get code() {
    return codeOf(this.name);
  }
}

export class SeatError extends GameError {
  constructor(seat, players) {
    super('SeatError', `a game of ${players} players has no seat ${seat}`, { seat, players });
  }
}

export class NotAskedError extends GameError {
  constructor(seat, asked) {
    const who = seat === null ? 'a spectator' : `seat ${seat}`;
    super('NotAskedError', `${who} cannot move now: ${asked === null ? 'no player is' : `seat ${asked} is`} asked`, { seat, asked });
  }
}

export class StaleError extends GameError {
  constructor(revision, now) {
    super('StaleError', `the call is for revision ${revision}, but the game is at revision ${now}`, { revision, now });
  }
}

export class FutureRevisionError extends GameError {
  constructor(revision, now) {
    super('FutureRevisionError', `there is no revision ${revision} yet: the game is at revision ${now}`, { revision, now });
  }
}

export class ForeignIdError extends GameError {
  constructor(id, revision) {
    super('ForeignIdError', `the id '${id}' was used for another call, which led to revision ${revision}`, { id, revision });
  }
}

export class NothingToUndoError extends GameError {
  constructor(message) {
    super('NothingToUndoError', message);
  }
}

export class NothingToRedoError extends GameError {
  constructor(message) {
    super('NothingToRedoError', message);
  }
}

export class LogError extends GameError {
  constructor(entry, reason, cause, name = 'LogError') {
    super(name, `entry ${entry} of the log: ${reason}`, { entry, reason }, cause && { cause });
  }

  get code() {
    const { cause } = this;
    return cause ? (cause.violation ?? cause).code ?? codeOf(cause.name) : super.code;
  }
}

export class CutLogError extends LogError {
  constructor(entry, reason) {
    super(entry, reason, null, 'CutLogError');
  }
}

/** A move of a record is illegal. */
export class RecordError extends GameError {
  constructor(move, reason, cause) {
    super('RecordError', `move ${move}: ${reason}`, { move, reason }, { cause });
  }
}

export const mayUndoOwn = (choice, seat) => choice?.seat === seat && !choice.hasRevealed && !choice.othersActed;
export const mayUndoByConsent = (choice, seat, agreed) => choice !== null && [...Array(choice.players).keys()].every(each => each === seat || agreed.includes(each));
export const mayUndoFreely = choice => choice !== null;

function whole(value, noun) {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${noun} must be a whole number, not ${String(value)}`);
  return value;
}

function refuseMore(options) {
  for (const key of Object.keys(options)) throw new TypeError(`options: has an unknown key ${key}`);
}

// ------------------------------------------------------------------------------------------ moves

const askedIn = ({ prompt }) => prompt?.seat ?? null;

function moveOf(rules, before, action) {
  const { state, events } = rules.transition(before, action);
  return Object.freeze({ before, action, events, state });
}

function drawn(rules, state, draw) {
  const outcomes = rules.chanceOutcomes(state);
  const action = draw(outcomes);
  const known = outcomes.find(each => isEqual(action, each.action));
  if (!known) throw new RangeError(`draw must return an action that it was given, as byRandom(Math.random) does, not ${JSON.stringify(action)}`);
  return known.action;
}

/** Returns whether all players can deduce the cards in a hand: cards that were shown, and cards that the draw pile is too small to contain. */
function isOpen({ hand, draw_pile: pile, shown }) {
  const size = Object.values(pile).reduce((sum, count) => sum + count, 0);
  return Object.entries(hand).every(([character, count]) => {
    const revealed = shown[character] ?? 0;
    return revealed + Math.max(0, count + (pile[character] ?? 0) - revealed - size) === count;
  });
}

/** Returns the only legal action if all players can deduce that it is the only one, else null; equals `public_answer` of the Python package. */
function forced(rules, state) {
  const { prompt } = state;
  if (!prompt) return null;
  const player = state.players[prompt.seat];
  const isPaid = prompt.type === 'PaymentPrompt' && tables.goods.reduce((sum, good) => sum + player.goods[good], 0) > tables.plenty;
  if (isPaid || (prompt.type === 'PlayPrompt' && !isOpen(player))) return null;
  const actions = rules.legalActions(state);
  return actions.length === 1 ? actions[0] : null;
}

/** Returns the moves of chance, and forced moves, until a player must answer. */
function follow(rules, position, draw, skipForced) {
  if (typeof draw !== 'function') throw new TypeError(`draw must be a function, such as byRandom(Math.random), not ${String(draw)}`);
  const moves = [];
  for (let state = position; ; state = moves.at(-1).state) {
    const action = state.asksChance ? drawn(rules, state, draw) : skipForced && forced(rules, state);
    if (!action) return moves;
    moves.push(moveOf(rules, state, action));
  }
}

/** Returns the moves after the start or an answer, as a log entry lists them. The rules for forced answers may have changed since the entry was written. */
function retold(rules, { revision, then }, position, skipForced) {
  const moves = [];
  let state = position;
  for (const action of then) {
    if (!skipForced && !state.asksChance) throw new LogError(revision, `${formatAction(action)} is not a chance outcome`);
    moves.push(moveOf(rules, state, action));
    ({ state } = moves.at(-1));
  }
  return moves;
}

/** Applies move `number` of a record, counted from 1. */
function recorded(rules, state, action, number) {
  try {
    return moveOf(rules, state, action);
  } catch (error) {
    throw new RecordError(number, `${formatAction(action)}: ${error.message}`, error);
  }
}

// -------------------------------------------------------------------------------------- standing

/** A node of the linked list of answers that have not been undone. The first node is the opening. */
function standingOf(entry, before, moves, start) {
  const position = moves.length ? moves.at(-1).state : start;
  return { entry, before, moves, count: (before?.count ?? 0) + moves.length, position };
}

/** Returns the last common node of two lists of answers. */
function shared(one, other) {
  let [later, earlier] = [one, other];
  while (later !== earlier) {
    if (later.count < earlier.count) [later, earlier] = [earlier, later];
    later = later.before;
  }
  return later;
}

/** Yields the nodes that come after the first `count` moves, the last one first. */
function* backTo(standing, count) {
  for (let each = standing; each && each.count > count; each = each.before) yield each;
}

const positionOf = (rules, value) => rules.fromDocument({ valletta_rules: tables.format, kind: 'GameState', value });

export class Game {
  #rules;
  #opened;
  #standing;
  #undone;

  constructor(rules, entry, opened, standing, previous, undone) {
    this.#rules = rules;
    this.#opened = opened;
    this.#standing = standing;
    this.#undone = undone;
    Object.defineProperties(this, { entry: { value: entry }, previous: { value: previous }, log: { get: this.#log, enumerable: true } });
    Object.freeze(this);
  }

  static begin(rules, start, { draw, skipForced = false, ...rest }) {
    refuseMore(rest);
    const position = positionOf(rules, start);
    return Game.#open(rules, position, follow(rules, position, draw, skipForced), skipForced);
  }

  static resume(rules, record, { draw, skipForced = false, ...rest }) {
    refuseMore(rest);
    const { players, rules: edition, cards, actions } = checked('GameRecord', record);
    const start = rules.newGame({ players, rules: edition, cards });
    const groups = [[]];
    let state = start;
    for (const [place, action] of actions.entries()) {
      if (!state.asksChance && !(skipForced && forced(rules, state))) groups.push([]);
      groups.at(-1).push(recorded(rules, state, action, place + 1));
      ({ state } = groups.at(-1).at(-1));
    }
    if (draw !== null) groups.at(-1).push(...follow(rules, state, draw, skipForced));
    const [opening, ...answers] = groups;
    const started = Game.#open(rules, start, opening, skipForced);
    return answers.reduce((game, moves) => game.#afterAnswer(game.#entryOf(moves, null), moves), started);
  }

  static replay(rules, log, { isWhole = true, ...rest } = {}) {
    refuseMore(rest);
    let game = null;
    let number = 0;
    for (const entry of log) game = Game.#read(rules, game, number++, entry);
    if (!game) throw new CutLogError(0, 'it is missing: the log is empty');
    if (isWhole) game.#needEnd();
    return game;
  }

  read(entry) {
    return Game.#read(this.#rules, this, this.revision + 1, entry);
  }

  get revision() {
    return this.entry.revision;
  }

  get start() {
    return this.#opened.start;
  }

  get position() {
    return this.#standing.position;
  }

  get prompt() {
    return this.position.prompt;
  }

  get asked() {
    return askedIn(this.position);
  }

  get done() {
    return Object.freeze(this.entry === this.#standing.entry ? [...this.#standing.moves] : []);
  }

  get before() {
    return this.previous ? this.previous.position : this.start;
  }

  get moves() {
    return this.#standing.count;
  }

  get canRedo() {
    return this.#undone !== null;
  }

  get lastChoice() {
    return this.choices().next().value ?? null;
  }

  * choices() {
    let hasRevealed = false;
    const acted = new Set();
    for (const { entry, moves } of backTo(this.#standing, 0)) {
      if (entry.type === 'Opened') return;
      const { seat, revision } = entry;
      for (const { state } of moves.slice(0, -1)) {
        if (state.asksChance) hasRevealed = true;
        else acted.add(askedIn(state));
      }
      acted.delete(seat);
      yield Object.freeze({ seat, revision, hasRevealed, othersActed: acted.size > 0, players: this.#players });
      acted.add(seat);
    }
  }

  entryWith(id) {
    const own = checked('CallId', id, 'id');
    for (let game = this; game; game = game.previous) if (game.entry.id === own) return game.entry;
    return null;
  }

  expect({ seat, revision }) {
    this.#needRevision(revision);
    this.#needAsked(this.#viewer(seat));
  }

  view(seat) {
    return this.#rules.view(this.position, this.#viewer(seat));
  }

  since(revision, seat) {
    const viewer = this.#viewer(seat);
    const { kept, transitions } = this.transitionsSince(revision);
    const steps = transitions.map(({ events }) => events.map(event => redact(event, viewer)));
    return freeze({ revision: this.revision, kept, steps, view: this.view(viewer) });
  }

  transitionsSince(revision) {
    const kept = revision === null ? 0 : shared(this.#standing, this.#at(whole(revision, 'a revision')).#standing).count;
    const transitions = this.#moves(kept).map(({ before, state, events }) => ({ before, state, events }));
    return freeze({ kept, transitions });
  }

  record(names = []) {
    const { rules, cards, key } = this.start;
    const players = this.#players;
    if (this.#rules.newGame({ players, rules, cards }).key !== key) throw new RangeError('the game does not begin with the setup, as a record does');
    const actions = this.#moves(0).map(({ action }) => action);
    return checked('GameRecord', { players, rules, cards, actions, names, notes: [] });
  }

  answer(action, { seat, revision, draw, id = null, ...rest }) {
    refuseMore(rest);
    const own = checked('Action', action);
    const sent = this.#viewer(seat);
    const logged = this.#logged(id, { type: 'Answered', seat: sent, action: own });
    if (logged) return [this, logged];
    this.expect({ seat: sent, revision });
    const first = moveOf(this.#rules, this.position, own);
    const then = follow(this.#rules, first.state, draw, this.#opened.skip_forced);
    const moves = [first, ...then];
    const entry = this.#entryOf(moves, id);
    return [this.#afterAnswer(entry, moves), entry];
  }

  undo({ seat, revision, to = null, id = null, ...rest }) {
    refuseMore(rest);
    const sent = this.#seat(seat);
    const logged = this.#logged(id, { type: 'Undone', seat: sent, ...(to === null ? {} : { to: whole(to, 'a revision') }) });
    if (logged) return [this, logged];
    this.#needRevision(revision);
    const { before } = this.#standing;
    if (to === null && !before) throw new NothingToUndoError('no player has made a choice yet');
    const entry = Object.freeze({ type: 'Undone', revision: this.revision + 1, seat: sent, to: to ?? before.entry.revision, id });
    return [this.#afterUndo(entry), entry];
  }

  redo({ seat, revision, id = null, ...rest }) {
    refuseMore(rest);
    const sent = this.#seat(seat);
    const logged = this.#logged(id, { type: 'Redone', seat: sent });
    if (logged) return [this, logged];
    this.#needRevision(revision);
    const entry = Object.freeze({ type: 'Redone', revision: this.revision + 1, seat: sent, id });
    return [this.#afterRedo(entry), entry];
  }

  get #players() {
    return this.start.players.length;
  }

  /** Returns the moves after the first `count` moves. */
  #moves(count) {
    return [...backTo(this.#standing, count)].reverse().flatMap(({ moves }) => moves);
  }

  #log() {
    const entries = [];
    for (let game = this; game; game = game.previous) entries.push(game.entry);
    return Object.freeze(entries.reverse());
  }

  #seat(seat) {
    if (whole(seat, 'a seat') < 0 || seat >= this.#players) throw new SeatError(seat, this.#players);
    return seat;
  }

  #viewer(seat) {
    return seat === null ? null : this.#seat(seat);
  }

  #at(revision) {
    if (revision > this.revision) throw new FutureRevisionError(revision, this.revision);
    if (revision < 0) throw new RangeError(`a revision must be 0 or more, not ${revision}`);
    let game = this;
    while (game.revision > revision) game = game.previous;
    return game;
  }

  #needRevision(revision) {
    if (whole(revision, 'a revision') > this.revision) throw new FutureRevisionError(revision, this.revision);
    if (revision < this.revision) throw new StaleError(revision, this.revision);
  }

  #needAsked(seat) {
    if (seat === null || seat !== this.asked) throw new NotAskedError(seat, this.asked);
  }

  #needEnd() {
    if (this.position.asksChance) throw new CutLogError(this.revision, 'its last chance outcomes are missing');
  }

  /** Returns the log entry of the call with this id, or null. Throws a `ForeignIdError` if that call was different. */
  #logged(id, call) {
    const entry = id === null ? null : this.entryWith(id);
    if (entry && !Object.entries(call).every(([name, part]) => isEqual(entry[name], part))) throw new ForeignIdError(id, entry.revision);
    return entry;
  }

  static #open(rules, start, moves, skipForced) {
    const entry = freeze({ type: 'Opened', revision: 0, start, skip_forced: skipForced, then: moves.map(({ action }) => action) });
    return new Game(rules, entry, entry, standingOf(entry, null, moves, start), null, null);
  }

  /** Returns the log entry of an answer to the prompt and of the moves after it. */
  #entryOf(moves, id) {
    const [action, ...then] = moves.map(move => move.action);
    return freeze({ type: 'Answered', revision: this.revision + 1, seat: this.asked, action, then, id });
  }

  #next(entry, standing, undone) {
    return new Game(this.#rules, entry, this.#opened, standing, this, undone);
  }

  #afterAnswer(entry, moves) {
    return this.#next(entry, standingOf(entry, this.#standing, moves), null);
  }

  #afterUndo(entry) {
    const standing = this.#at(entry.to).#standing;
    if (standing === this.#standing || shared(standing, this.#standing) !== standing) {
      throw new NothingToUndoError(`an undo to revision ${entry.to} would remove no answer`);
    }
    return this.#next(entry, standing, this);
  }

  #afterRedo(entry) {
    if (!this.#undone) throw new NothingToRedoError('nothing has been undone since the last answer');
    return this.#next(entry, this.#undone.#standing, this.#undone.#undone);
  }

  /** Returns the game after a log entry, whose revision must be `number`. */
  static #read(rules, game, number, given) {
    try {
      const entry = typeof given === 'string' ? checked('LogEntryDocument', parsed(given)).value : checked('LogEntry', given);
      if (entry.revision !== number || (!game && entry.type !== 'Opened')) {
        throw new CutLogError(number, `it is missing: the next entry is ${entry.revision}`);
      }
      if (entry.type !== 'Opened') {
        game.#needEnd();
        return game.#after(entry);
      }
      if (game) throw new LogError(number, 'only the first entry may open the game');
      const start = positionOf(rules, entry.start);
      return Game.#open(rules, start, retold(rules, entry, start, entry.skip_forced), entry.skip_forced);
    } catch (error) {
      throw error instanceof LogError ? error : new LogError(number, error.message, error);
    }
  }

  #after(entry) {
    const seat = this.#seat(entry.seat);
    const other = entry.id !== null && this.entryWith(entry.id);
    if (other) throw new ForeignIdError(entry.id, other.revision);
    if (entry.type === 'Undone') return this.#afterUndo(entry);
    if (entry.type === 'Redone') return this.#afterRedo(entry);
    this.#needAsked(seat);
    const first = moveOf(this.#rules, this.position, entry.action);
    return this.#afterAnswer(entry, [first, ...retold(this.#rules, entry, first.state, this.#opened.skip_forced)]);
  }
}
