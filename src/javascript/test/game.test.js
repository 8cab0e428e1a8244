import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DocumentError, IllegalActionError, byRandom, load, parseAction } from '../index.js';
import * as games from '../game.js';

const { Game } = games;
const packageRoot = new URL('..', import.meta.url).pathname;
const python = process.env.PYTHON ?? 'python3';
const rules = await load();

/** Returns a pseudorandom generator of numbers from 0 up to, but not including, 1; equal seeds give equal numbers. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const draw = byRandom(generator(1));
const GOLD = parseAction('draft gold');
const WOOD = parseAction('draft wood');
const startGame = (players = 2, skipForced = false) => Game.begin(rules, rules.newGame({ players }), { draw: byRandom(generator(1)), skipForced });
const written = game => game.log.map(rules.toJson);

/** Returns the game after a random call: usually an answer, sometimes an undo or a redo. */
function goOn(game, random) {
  const { revision, asked: seat } = game;
  const chance = random();
  if (chance < 0.2 && game.lastChoice) return game.undo({ seat: 0, revision, id: `javascript-${revision}` })[0];
  if (chance < 0.35 && game.canRedo) return game.redo({ seat: 1, revision })[0];
  if (seat === null) return game;
  const actions = rules.legalActions(game.position);
  return game.answer(actions[Math.floor(random() * actions.length)], { seat, revision, draw: byRandom(random) })[0];
}

test('answer returns the next game and its log entry, and does not change the game', () => {
  const first = startGame(3);
  assert.deepEqual([first.asked, first.revision, first.prompt.type, first.lastChoice, first.previous, first.canRedo], [2, 0, 'DraftPrompt', null, null, false]);
  assert.deepEqual(first.done.map(({ action }) => action), first.entry.then);
  const [then, entry] = first.answer({ ...GOLD }, { seat: 2, revision: 0, draw });
  assert.deepEqual(entry, { type: 'Answered', revision: 1, seat: 2, action: GOLD, then: [], id: null });
  assert.deepEqual([first.revision, then.revision, then.asked, then.log], [0, 1, 1, [first.entry, entry]]);
  assert.deepEqual(then.lastChoice, { seat: 2, revision: 1, hasRevealed: false, othersActed: false, players: 3 });
  assert.deepEqual([then.view(1), then.view(null)], [rules.view(then.position, 1), rules.view(then.position, null)]);
  assert.deepEqual(then.done.map(({ events }) => events), [[{ type: 'GoodDrafted', seat: 2, good: 'gold', clause: then.done[0].events[0].clause }]]);
  assert.equal(then.moves, first.moves + 1);
  assert.deepEqual([first.before, then.before, then.done[0].before], [first.start, first.position, first.position]);
});

test('an invalid call throws a specific error, and does not change the game', () => {
  const first = startGame();
  const [one] = first.answer(GOLD, { seat: 1, revision: 0, draw, id: 'a' });
  const call = { seat: 1, revision: 0, draw };
  const refused = [
    [{ seat: 7 }, 'SeatError', 'a game of 2 players has no seat 7', { seat: 7, players: 2 }],
    [{ seat: 0 }, 'NotAskedError', 'seat 0 cannot move now: seat 1 is asked', { seat: 0, asked: 1 }],
    [{ seat: null }, 'NotAskedError', 'a spectator cannot move now: seat 1 is asked', { seat: null, asked: 1 }],
    [{ revision: 5 }, 'FutureRevisionError', 'there is no revision 5 yet: the game is at revision 0', { revision: 5, now: 0 }],
    [{ revision: -1 }, 'StaleError', 'the call is for revision -1, but the game is at revision 0', { revision: -1, now: 0 }],
    [{ id: 'two words' }, 'DocumentError', 'id: must be of the form ^[!-~]{1,100}$, not "two words"'],
    [{ id: 7 }, 'DocumentError', 'id: must be a text, not 7'],
    [{ seat: undefined }, 'TypeError', 'a seat must be a whole number, not undefined'],
    [{ revision: undefined }, 'TypeError', 'a revision must be a whole number, not undefined'],
    [{ more: 1 }, 'TypeError', 'options: has an unknown key more'],
  ];
  for (const [changed, name, message, facts = {}] of refused) assert.throws(() => first.answer(GOLD, { ...call, ...changed }), { name, message, ...facts });
  assert.throws(() => first.answer(parseAction('build 1'), call), IllegalActionError);
  for (const wrong of ['draft gold', null, { type: 'Win' }]) assert.throws(() => first.answer(wrong, call), DocumentError);
  for (const [action, seat] of [[GOLD, 0], [WOOD, 1]]) {
    assert.throws(() => one.answer(action, { ...call, id: 'a', seat }), { name: 'ForeignIdError', code: 'foreign-id', id: 'a', revision: 1 });
  }
  for (const name of ['undo', 'redo']) {
    assert.throws(() => one[name]({ seat: 1, revision: 1, id: 'a' }), games.ForeignIdError);
    assert.throws(() => one[name]({ seat: null, revision: 1 }), TypeError);
    assert.throws(() => one[name]({ seat: 2, revision: 1 }), games.SeatError);
    assert.throws(() => one[name]({ seat: 1, revision: 0 }), games.StaleError);
    assert.throws(() => first[name]({ seat: 1, revision: 0 }), { code: `nothing-to-${name}` });
  }
  assert.throws(() => one.undo({ seat: 1, revision: 1, to: 1 }), { name: 'NothingToUndoError', message: 'an undo to revision 1 would remove no answer' });
  assert.throws(() => one.undo({ seat: 1, revision: 1, to: -1 }), RangeError);
  assert.throws(() => one.since(2, 0), games.FutureRevisionError);
  assert.throws(() => one.since(-1, 0), RangeError);
  for (const seat of [2, -1]) for (const query of [() => one.since(0, seat), () => one.view(seat)]) assert.throws(query, games.SeatError);
  one.expect({ seat: 0, revision: 1 });
  assert.throws(() => one.expect({ seat: 1, revision: 1 }), games.NotAskedError);
  assert.throws(() => Game.begin(rules, rules.newGame({ players: 2 }), { draw: () => GOLD }), { name: 'RangeError', message: /^draw must return an action that it was given, as byRandom/ });
  for (const missing of [undefined, null, 0.5]) {
    assert.throws(() => first.answer(GOLD, { ...call, draw: missing }), { name: 'TypeError', message: `draw must be a function, such as byRandom(Math.random), not ${missing}` });
    assert.throws(() => Game.begin(rules, first.position, { draw: missing }), { name: 'TypeError', message: /^draw must be a function/ });
  }
  assert.throws(() => Game.begin(rules, first.view(0), { draw }), DocumentError);
  assert.throws(() => Game.begin(rules, first.position, { draw, skipforced: true }), TypeError);
});

test('a finished game has an outcome and no prompt, and its last choice can be undone', () => {
  const random = generator(5);
  let game = startGame();
  while (game.asked !== null) {
    const actions = rules.legalActions(game.position);
    [game] = game.answer(actions[Math.floor(random() * actions.length)], { seat: game.asked, revision: game.revision, draw });
  }
  assert.deepEqual([game.prompt, game.view(null).legal_actions, rules.outcome(game.position).scores.length], [null, [], 2]);
  const { seat, revision } = game.lastChoice;
  const [undone] = game.undo({ seat, revision: game.revision });
  assert.deepEqual([undone.asked, undone.entry.to], [seat, revision - 1]);
});

test('a call whose id is already in the log is not executed again', () => {
  const [one, drafted] = startGame().answer(GOLD, { seat: 1, revision: 0, draw, id: 'a' });
  const [two] = one.answer(WOOD, { seat: 0, revision: 1, draw, id: 'b' });
  const [back, undone] = two.undo({ seat: 0, revision: 2, id: 'c' });
  assert.equal(back.position, one.position);
  for (const revision of [2, 3]) {
    assert.deepEqual(back.undo({ seat: 0, revision, id: 'c' }), [back, undone]);
    assert.equal(back.undo({ seat: 0, revision, to: 1, id: 'c' })[0], back);
    assert.throws(() => back.undo({ seat: 0, revision, to: 0, id: 'c' }), games.ForeignIdError);
    assert.deepEqual(back.answer({ ...GOLD }, { seat: 1, revision, draw, id: 'a' }), [back, drafted]);
    assert.deepEqual([back.entryWith('a'), back.entryWith('d')], [drafted, null]);
  }
  assert.throws(() => back.undo({ seat: 0, revision: 2 }), games.StaleError);
  const [again, redone] = back.redo({ seat: 0, revision: 3, id: 'd' });
  assert.equal(again.position, two.position);
  assert.deepEqual(again.redo({ seat: 0, revision: 3, id: 'd' }), [again, redone]);
  assert.throws(() => again.redo({ seat: 0, revision: 4 }), games.NothingToRedoError);
});

test('the undo policies decide by the last choice', () => {
  const choice = { seat: 1, revision: 1, hasRevealed: false, othersActed: false, players: 3 };
  const own = [choice, { ...choice, hasRevealed: true }, { ...choice, othersActed: true }, { ...choice, seat: 0 }, null];
  assert.deepEqual(own.map(each => games.mayUndoOwn(each, 1)), [true, false, false, false, false]);
  assert.deepEqual([[], [0], [0, 2], [0, 1, 2]].map(agreed => games.mayUndoByConsent(choice, 1, agreed)), [false, false, true, true]);
  assert.deepEqual([games.mayUndoByConsent(null, 1, [0, 2]), games.mayUndoFreely(choice), games.mayUndoFreely(null)], [false, true, false]);
});

test('a game is frozen, equals a game with the same log, and keeps its log when it is cloned', () => {
  const [one] = startGame().answer(GOLD, { seat: 1, revision: 0, draw });
  const [other] = startGame().answer(WOOD, { seat: 1, revision: 0, draw });
  assert.notDeepEqual(one, other);
  assert.deepEqual(one, Game.replay(rules, one.log));
  assert.deepEqual(Game.replay(rules, structuredClone(one).log), one);
  assert.throws(() => { one.entry = null; }, TypeError);
});

test('replayed logs give the records and news of the conformance suite, and an error names the faulty entry', () => {
  const { logs, faulty } = JSON.parse(readFileSync(join(packageRoot, '../../spec/conformance/logs.json'), 'utf8'));
  for (const { name, log, news, record } of logs) {
    const game = Game.replay(rules, log);
    assert.deepEqual(written(game), log, name);
    if (record) assert.equal(rules.toJson(game.record()), record, name);
    else assert.throws(() => game.record(), { name: 'RangeError', message: /does not begin with the setup/ }, name);
    for (const { revision, seat, text } of news) assert.equal(rules.toJson(game.since(revision, seat)), text, `${name}, seat ${seat} since ${revision}`);
    const cut = log.slice(0, -1);
    assert.deepEqual(Game.replay(rules, cut).read(log.at(-1)), game);
  }
  for (const { name, of, entries, entry, code } of faulty) {
    const { log } = logs.find(each => each.name === of);
    const texts = entries.map(each => (typeof each === 'number' ? log[each] : each));
    assert.throws(() => Game.replay(rules, texts), error => error instanceof games.LogError && error.entry === entry && [null, error.code].includes(code), name);
  }
});

test('a game resumes at the end of its record, even if that is a chance prompt', () => {
  const record = startGame().record(['Anna', 'Ben']);
  const cut = { ...record, actions: record.actions.slice(0, -1) };
  const opened = Game.resume(rules, cut, { draw: null });
  assert.deepEqual([opened.asked, opened.moves, opened.record(), Game.resume(rules, cut, { draw }).asked], [null, cut.actions.length, { ...cut, names: [] }, 1]);
  const illegal = { ...record, actions: [...record.actions, { type: 'Decline' }] };
  const error = { name: 'RecordError', code: 'record', move: illegal.actions.length, message: /^move \d+: decline: wrong-kind/ };
  assert.throws(() => Game.resume(rules, illegal, { draw }), error);
  assert.throws(() => startGame().record(['Anna']), DocumentError);
});

/** Returns a class that replaces `WebSocket` and simulates a game server, which sometimes crashes before or after executing a call. */
function serverOf(start, random) {
  let game = start;
  const lines = [];
  function restart() {
    game = Game.replay(rules, written(game));
    lines.splice(0).forEach(line => { line.readyState = 3; line.onclose(); });
  }
  function carryOut(seat, { call, action, revision, id }) {
    [game] = call === 'undo' ? game.undo({ seat, revision, id }) : game.answer(rules.fromJson(action), { seat, revision, id, draw });
  }
  return class {
    readyState = 1;
    known = null;

    constructor(seat) {
      this.seat = seat;
      lines.push(this);
      setImmediate(() => this.sendNews());
    }

    sendNews() {
      if (this.known === game.revision || !lines.includes(this)) return;
      const news = game.since(this.known, this.seat);
      this.known = game.revision;
      this.onmessage({ data: rules.toJson(news) });
    }

    send(text) {
      if (random() < 0.2) return setImmediate(restart);
      carryOut(this.seat, JSON.parse(text));
      return setImmediate(random() < 0.2 ? restart : () => lines.forEach(line => line.sendNews()));
    }
  };
}

test('the client in the README repeats calls that were lost when the server crashed', async t => {
  const [, code] = readFileSync(join(packageRoot, 'README.md'), 'utf8').match(/```js client\n(.*?)```/s);
  const page = code.replace("'valletta-rules'", `'${new URL('../index.js', import.meta.url)}'`);
  const client = await import(`data:text/javascript,${encodeURIComponent(page)}`);
  const random = generator(5);
  globalThis.WebSocket = serverOf(startGame(3), random);
  t.mock.method(globalThis, 'setTimeout', setImmediate);
  const received = await Promise.all([0, 1, 2].map(seat => new Promise(resolve => {
    let last = -1;
    const call = client.join(seat, ({ revision, view }, moves, refused) => {
      assert.equal(refused, '');
      if (revision === 60) resolve(moves);
      if (revision === last || revision === 60 || view.prompt.seat !== seat) return;
      last = revision;
      const action = view.legal_actions[Math.floor(random() * view.legal_actions.length)];
      call(random() < 0.2 ? { call: 'undo' } : { call: 'answer', action: rules.toJson(action) });
    });
  })));
  for (const moves of received) assert.equal(moves.length, received[0].length);
});

test('an incomplete log can be replayed read-only with isWhole: false', () => {
  const { entry } = startGame();
  const cut = { ...entry, then: entry.then.slice(0, -1) };
  assert.throws(() => Game.replay(rules, [cut]), { name: 'CutLogError', message: 'entry 0 of the log: its last chance outcomes are missing' });
  const game = Game.replay(rules, [cut], { isWhole: false });
  assert.deepEqual([game.asked, game.moves, game.view(0).seat], [null, cut.then.length, 0]);
  assert.throws(() => game.answer(GOLD, { seat: 1, revision: 0, draw }), games.NotAskedError);
  assert.throws(() => game.read({ type: 'Answered', revision: 1, seat: 1, action: GOLD, then: [], id: null }), games.CutLogError);
});

test('JavaScript and Python continue the same game in turn', () => {
  for (const players of [2, 3, 4]) {
    const random = generator(players);
    let game = startGame(players, players > 2);
    for (let turn = 0; turn < 3; turn++) {
      for (let call = 0; call < 30; call++) game = goOn(game, random);
      const { revision } = game;
      const continued = JSON.parse(execFileSync(python, [join(packageRoot, 'test/continued.py'), String(turn)], {
        encoding: 'utf8', input: written(game).join('\n'), env: { ...process.env, PYTHONPATH: join(packageRoot, '../..') },
      }));
      game = continued.log.slice(revision + 1).reduce((before, entry) => before.read(entry), game);
      assert.deepEqual(written(game), continued.log);
      [...Array(players).keys(), null].forEach((seat, place) => assert.equal(rules.toJson(game.since(revision, seat)), continued.news[place]));
      assert.deepEqual([...game.choices()].map(Object.values), continued.choices);
      const record = rules.fromJson(continued.record);
      assert.deepEqual(game.record(record.names), record);
      assert.deepEqual(written(Game.resume(rules, record, { draw: null, skipForced: players > 2 })), continued.resumed);
    }
    assert.ok(game.log.some(({ type }) => type === 'Redone'));
    assert.deepEqual(Game.replay(rules, written(game)), game);
    if (players > 2) assert.ok(game.log.some(({ then = [] }) => then.some(({ type }) => type.startsWith('Pl') || type === 'Pay')), 'the game has no forced answer');
  }
});
