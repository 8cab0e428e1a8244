import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { DocumentError, IllegalActionError, cardSets, editions, explain, formatAction, load, loadSync, parseAction, redact } from '../index.js';
import { describeAction, describePrompt, narrate, parseDescription } from '../sentences.js';
import { byCode } from '../documents.js';
import tables from '../dist/tables.js';

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

function* positions(players, random) {
  let state = rules.resolveChance(rules.newGame({ players }), random);
  while (!state.isOver) {
    yield state;
    const actions = rules.legalActions(state);
    state = rules.resolveChance(rules.apply(state, actions[Math.floor(random() * actions.length)]), random);
  }
  yield state;
}

const usedPhrases = new Set();
const watched = phrases => new Proxy(phrases, { get: (_, key) => (Object.hasOwn(phrases, key) && usedPhrases.add(key), phrases[key]) });

const WORDS = Object.fromEntries(await Promise.all(['en', 'de'].map(async code => [code, (await import(`../dist/words-${code}.js`)).default])));

WORDS.en.phrases = Object.fromEntries(Object.entries(WORDS.en.phrases).map(([section, phrases]) => [section, watched(phrases)]));

const spoken = (position, events, language, names, reader) => [
  describePrompt(position, WORDS[language], names), ...events.map(event => narrate(event, position, WORDS[language], reader === undefined ? names : { ...names, reader })),
];

test('newGame accepts and refuses the same players, rules and cards as Python and C', () => {
  for (const { name, players, set, problem } of JSON.parse(readFileSync(new URL('../../../tests/tables.json', import.meta.url), 'utf8'))) {
    const options = structuredClone({ players, rules: Object.values(editions)[0], cards: { ...Object.values(cardSets)[0], name: 'Mine' } });
    for (const [path, value] of set) path.slice(0, -1).reduce((inner, key) => inner[key], options)[path.at(-1)] = value;
    const begin = () => rules.newGame(options);
    if (problem) assert.throws(begin, DocumentError, name);
    else assert.equal(begin().prompt.type, 'DealPrompt', name);
  }
});

test('editions and card sets are frozen and have the names of the Python package, and unknown options are errors', () => {
  const named = execFileSync(python, ['-c', 'import valletta_rules as v; print([n for n in v.__all__ if isinstance(getattr(v, n), (v.RuleSet, v.CardSet))])'], { encoding: 'utf8' });
  const snake = name => name.replace(/[A-Z]/g, '_$&').toUpperCase();
  assert.deepEqual([...Object.keys(editions), ...Object.keys(cardSets)].map(snake).sort(), [...named.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort());
  assert.equal(rules.newGame({ players: 2, rules: editions.zMan }).rules.name, 'Z-Man');
  assert.throws(() => { editions.zMan.name = 'x'; }, TypeError);
  assert.throws(() => { cardSets.reconstruction.buildings[0].points = 9; }, TypeError);
  assert.throws(() => { editions.other = editions.zMan; }, TypeError);
  const state = rules.resolveChance(rules.newGame({ players: 2 }), generator(25));
  const [event] = rules.transition(state, rules.legalActions(state)[0]).events;
  const taking = {
    newGame: [{ players: 2 }, ['rules', 'cards', 'players'], options => rules.newGame(options)],
    narrate: [{}, ['names', 'reader'], options => narrate(event, state, WORDS.de, options)],
    describePrompt: [{}, ['names'], options => describePrompt(state, WORDS.de, options)],
  };
  for (const [name, [least, keys, call]] of Object.entries(taking)) {
    call(least);
    for (const key of keys) assert.throws(() => call({ ...least, [key]: undefined }), { name: 'DocumentError', message: new RegExp(`^${key}: must be .*not undefined`) }, name);
    for (const key of ['rule', 'Players', 'name', 'seed', '__proto__x']) assert.throws(() => call({ ...least, [key]: 1 }), { name: 'DocumentError', message: `options: has an unknown key ${key}` }, name);
    for (const wrong of [null, 7, 'x', [], new Map()]) assert.throws(() => call(wrong), DocumentError, name);
  }
  for (const wrong of [editions.z_man, editions['z-man'], null, 'z-man', {}]) assert.throws(() => rules.newGame({ players: 2, rules: wrong }), DocumentError);
  for (const wrong of [cardSets.other, null, 7, 'reconstruction']) assert.throws(() => rules.newGame({ players: 2, cards: wrong }), DocumentError);
});

function isFrozen(value) {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
}

/** Yields the values at each position of a random game: the position, two views, some legal actions, and the events of the first one. */
function* values(players, random) {
  for (const state of positions(players, random)) {
    const actions = rules.legalActions(state);
    yield [state, rules.view(state, state.active), rules.view(state, null), ...actions.slice(0, 3), ...(actions.length ? rules.transition(state, actions[0]).events : [])];
  }
}

/** Functions that copy or wrap a value as programs do when they store or send it, keyed by name. */
const COPIES = {
  clone: structuredClone,
  spread: value => ({ ...value }),
  proxy: value => new Proxy(value, {}),
  parsed: value => JSON.parse(JSON.stringify(value)),
  turned: value => Object.fromEntries(Object.entries(value).reverse()),
};

test('values are frozen plain objects, which can be compared, printed and copied', () => {
  const all = [...values(2, generator(2))];
  for (const value of all.flat()) {
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.ok(isFrozen(value));
    assert.equal(JSON.stringify(value), JSON.stringify(rules.toDocument(value).value));
    assert.equal(inspect(value), inspect(structuredClone(value)));
    for (const [name, copy] of Object.entries(COPIES)) assert.deepEqual(copy(value), value, name);
  }
  assert.deepEqual(all, [...values(2, generator(2))]);
  const states = all.map(([state]) => state);
  states.forEach((state, place) => place && assert.notDeepEqual(state, states[place - 1]));
  for (const name of ['key', 'toJson']) assert.equal(new Set(states.map(state => state[name] ?? rules[name](state))).size, states.length);
  assert.throws(() => { states[0].valette = 3; }, TypeError);
  const { prompt, asksChance, isOver, key } = new Proxy(states[5], {});
  assert.deepEqual([prompt, asksChance, isOver, key], [states[5].agenda[0], false, false, states[5].key]);
});

test('functions accept copies of positions and views, and detect changes to a copy', () => {
  const random = generator(31);
  const calls = {
    legalActions: rules.legalActions, legalNumbers: rules.legalNumbers, chanceOutcomes: rules.chanceOutcomes, outcome: rules.outcome, toJson: rules.toJson, positionLine: rules.positionLine,
    resolveChance: state => rules.resolveChance(state, generator(3)), view: state => rules.view(state, 1), describePrompt: state => describePrompt(state, WORDS.de),
    check: state => rules.check(state, parseAction('build 1')), redo: state => rules.legalActions(state).slice(0, 1).map(action => [rules.apply(state, action), rules.transition(state, action)]),
  };
  const some = [rules.newGame({ players: 2 }), ...[...positions(2, random)].filter((state, place) => place % 40 === 0 || state.isOver)];
  for (const state of some) {
    const view = rules.view(state, state.active);
    for (const [name, copy] of Object.entries(COPIES)) {
      const copies = [copy(state), copy(view)];
      for (const time of [1, 2]) {
        for (const [called, call] of Object.entries(calls)) assert.deepEqual(call(copies[0]), call(state), `${called} of ${name}, ${time}`);
        assert.deepEqual(rules.determinize(copies[1], generator(4)), rules.determinize(view, generator(4)));
        assert.deepEqual([rules.legalActions(copies[1]), rules.toJson(copies[1])], [view.legal_actions, rules.toJson(view)]);
      }
    }
  }
  const [, state] = some;
  const changing = structuredClone(state);
  assert.deepEqual(rules.view(changing, 0), rules.view(state, 0));
  changing.players[1].goods.gold += 2;
  assert.equal(rules.view(changing, 0).table.players[1].goods.gold, state.players[1].goods.gold + 2);
  changing.players[1].goods.gold = 70_000;
  assert.throws(() => rules.view(changing, 0), { name: 'DocumentError', message: /gold/ });
  for (const wrong of [{ active: 9 }, { active: 1n }, { extra: 1 }, { phase: undefined }, { played: ['ghost'] }, { agenda: [state] }]) {
    assert.throws(() => rules.legalActions({ ...state, ...wrong }), { name: 'DocumentError', message: /^\$\.value/ });
  }
  for (const none of [{}, [], null, undefined, 7, 'x', state.played, state.players, parseAction('pay 0')]) assert.throws(() => rules.legalActions(none), TypeError);
  assert.throws(() => rules.apply(rules.view(state, 0), parseAction('pay 0')), { name: 'TypeError', message: 'expected a position, not a view' });
  assert.throws(() => rules.determinize(structuredClone(state), random), { name: 'TypeError', message: 'expected a view, not a position' });
});

test('the memory of unreachable positions is freed', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc');
  for (const state of positions(4, generator(1))) rules.legalActions(structuredClone(rules.view(state, 0)));
  for (let tries = 0; tries < 100 && process.memoryUsage().arrayBuffers > 100_000; tries++) {
    gc();
    await new Promise(resolve => { setTimeout(resolve, 10); });
  }
  assert.ok(process.memoryUsage().arrayBuffers < 100_000);
});

test('load and loadSync accept bytes or a compiled module, and load resolves before the next event', async () => {
  const bytes = readFileSync(new URL('../dist/valletta.wasm', import.meta.url));
  const module = new WebAssembly.Module(bytes);
  const { key } = rules.newGame({ players: 3 });
  for (const source of [undefined, bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), module]) {
    assert.equal(loadSync(source).newGame({ players: 3 }).key, key);
    assert.equal((await load(source)).newGame({ players: 3 }).key, key);
  }
  for (const wrong of [null, 7, 'x', {}, Promise.resolve(bytes)]) assert.throws(() => loadSync(wrong), TypeError);
  assert.throws(() => loadSync(new Uint8Array(8)), WebAssembly.CompileError);
  await assert.rejects(load(new Uint8Array(8)), WebAssembly.CompileError);
  let events = 0;
  setImmediate(() => { events++; });
  await load();
  assert.equal(events, 0);
  const { Module } = WebAssembly;
  WebAssembly.Module = class { constructor() { throw new RangeError('too much for the main thread'); } };
  try {
    for (const source of [undefined, bytes]) assert.equal((await load(source)).newGame({ players: 3 }).key, key);
  } finally {
    WebAssembly.Module = Module;
  }
});

test('legalNumbers numbers the legal actions, and applyNumber applies the action with a number', () => {
  let played = 0;
  for (const state of positions(3, generator(6))) {
    const numbers = rules.legalNumbers(state);
    const actions = rules.legalActions(state);
    assert.equal(numbers.length, actions.length);
    assert.deepEqual([...numbers], [...numbers].sort((one, other) => one - other));
    if (state.isOver) break;
    const place = played++ % numbers.length;
    const [packed, after] = [rules.applyNumber(state, numbers[place]), rules.apply(state, actions[place])];
    assert.deepEqual(packed.state, after);
    assert.deepEqual([packed.key, packed.prompt, packed.asksChance, packed.isOver], [after.key, after.prompt, after.asksChance, after.isOver]);
    assert.deepEqual(rules.resolveChance(packed, generator(place)).state, rules.resolveChance(after, generator(place)));
    assert.deepEqual([rules.legalActions(packed), rules.toJson(packed)], [rules.legalActions(after), rules.toJson(after)]);
    assert.deepEqual([inspect(packed), structuredClone(packed)], [inspect(after), { key: after.key }]);
    if (numbers.length > 1) assert.notDeepEqual(packed, rules.applyNumber(state, numbers.at(place ? 0 : -1)));
    for (const wrong of [-1, 1.5, NaN, 220, numbers.at(-1) + 1, 65_535]) assert.throws(() => rules.applyNumber(state, wrong), RangeError);
  }
  assert.ok(played > 100);
});

test('each language has words for all characters and for the clauses of prompts', async () => {
  for (const code of ['en', 'de']) {
    const { default: words } = await import(`../dist/words-${code}.js`);
    for (const state of positions(2, generator(7))) {
      if (state.prompt.clause) assert.ok(words.clauses[state.prompt.clause].text);
      if (state.isOver || state.phase === 'final') break;
    }
    assert.deepEqual(Object.keys(words.characters).sort(), readdirSync(join(packageRoot, 'dist/pictures')).map(name => name.slice(0, -4)).filter(name => !(name in words.goods)).sort());
  }
  const free = parseAction('pay 0');
  assert.deepEqual(free, { type: 'Pay', goods: { gold: 0, wood: 0, stone: 0, brick: 0 } });
  assert.equal(formatAction(free), 'pay 0');
  assert.equal(formatAction({ ...parseAction('build 7') }), 'build 7');
  for (const text of ['', 'pay', 'pay 1x', 'build', 'build 99', 'win', 7]) assert.throws(() => parseAction(text), DocumentError);
});

test('narrate refuses malformed and impossible events', () => {
  const state = rules.newGame({ players: 2 });
  const upgraded = { type: 'Upgraded', seat: 0, site: 3, clause: 'BLD-30' };
  for (const event of [null, {}, { type: 'Built' }, { ...upgraded, seat: 4 }, upgraded, { type: 'BuildingDealt', site: 0, building: 'none', clause: 'SET-11' }]) {
    assert.throws(() => narrate(event, state, WORDS.de), DocumentError);
  }
  for (const position of [null, {}, 7, state.players, upgraded]) assert.throws(() => narrate(upgraded, position, WORDS.de), TypeError);
  assert.equal(narrate({ type: 'Reshuffled', seat: 1, clause: 'TRN-19' }, state, WORDS.de, { names: ['Anna'] }), 'Blau mischt den Ablagestapel zu einem neuen Nachziehstapel.');
});

test('describeAction accepts positions, views and copies, and parseDescription finds the action of a description', () => {
  const state = rules.resolveChance(rules.newGame({ players: 2 }), generator(25));
  const view = rules.view(state, 1);
  const [gold] = view.legal_actions;
  for (const copy of [view, state, structuredClone(view), structuredClone(state)]) assert.equal(describeAction(copy, { ...gold }, WORDS.de), '1 Gold nehmen');
  assert.deepEqual(parseDescription(structuredClone(view), '1  GOLD nehmen.', WORDS.de), gold);
  for (const none of ['2 Gold nehmen', 'take 1 gold', 'draft gold', '']) assert.equal(parseDescription(view, none, WORDS.de), null);
  assert.equal(parseDescription(rules.view(state, 0), '1 Gold nehmen', WORDS.de), null);
  for (const wrong of [[state, ''], [structuredClone(state), ''], [null, ''], [{}, ''], [view, null], [view, gold]]) assert.throws(() => parseDescription(...wrong, WORDS.de), TypeError);
  for (const wrong of [{ type: 'Build', site: 29 }, { type: 'DealBuilding', building: 'none' }, { type: 'Win' }, null]) assert.throws(() => describeAction(view, wrong, WORDS.de), DocumentError);
  assert.throws(() => describeAction(null, gold, WORDS.de), TypeError);
});

test('explain returns the text and the address of a clause in each language', async () => {
  const clause = await explain('INF-1');
  for (const code of Object.keys(clause)) {
    const { default: words } = await import(`../dist/words-${code}.js`);
    const address = { en: 'rule/INF-1.html', de: 'de/rule/INF-1.html' }[code];
    assert.deepEqual(clause[code], { ...words.clauses['INF-1'], address });
  }
  assert.deepEqual(Object.keys(clause), ['en', 'de']);
  assert.ok(Object.isFrozen(clause.en));
  for (const wrong of ['INF-99', '__proto__', 7, undefined]) await assert.rejects(explain(wrong), RangeError);
});

test('redact refuses an incomplete event and an invalid seat', () => {
  assert.throws(() => redact({ type: 'CardDrawn', seat: 0 }, 1), DocumentError);
  assert.throws(() => redact({ type: 'TurnBegan', seat: 0, plays: 3, clause: 'TRN-1' }, '1'), RangeError);
});

test('a position line contains custom rules and card sets, and Python reads it', () => {
  const [edition] = Object.values(editions);
  const [cards] = Object.values(cardSets);
  const own = { rules: { ...edition, name: "Ours (new)! ä+b:c", effects: 'optional', fewer_barrels: true }, cards: { ...cards, name: 'Mine: 50%' } };
  const state = rules.resolveChance(rules.newGame({ players: 2, ...own }), generator(9));
  const line = rules.positionLine(state);
  assert.equal(rules.parsePositionLine(` \`${line}\`\n`).key, state.key);
  const result = spawnSync(python, ['-c', 'import sys, valletta_rules as v; line = sys.stdin.read(); print(v.position_line(v.parse_position_line(line)), end="")'], { input: line, encoding: 'utf8' });
  assert.equal(result.stdout, line, result.stderr);
  for (const text of ['', 'valletta/1', line.repeat(20), null, 7, {}]) assert.throws(() => rules.parsePositionLine(text), DocumentError);
  assert.throws(() => rules.positionLine({}), TypeError);
});

/** The maximum number of actions per prompt that are looked up by description; a prompt can have very many payments. */
const MOST_FOUND = 60;

/** Parses a document or a position line and returns it rewritten, or null if the text is refused. */
function reread(kind, text) {
  try {
    return kind === 'line' ? rules.positionLine(rules.parsePositionLine(text)) : rules.toJson(rules.fromJson(text));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return null;
  }
}

test('the documents of the conformance suite are accepted or refused as its table specifies', () => {
  const { texts, cases } = JSON.parse(readFileSync(join(packageRoot, '../../spec/conformance/documents.json'), 'utf8'));
  for (const { name, of, old, new: put, verdict, pad = 0 } of cases) {
    const text = (old ? texts[of].replace(old, () => put) : put).padEnd(pad);
    assert.equal(reread(of, text), verdict === 'read' ? texts[of] : null, name);
  }
  assert.ok(cases.length >= 250);
});

test('impossible arguments throw specific errors', () => {
  const state = rules.newGame({ players: 2 });
  assert.throws(() => rules.newGame({ players: 5 }), { name: 'DocumentError', message: 'players: must be a whole number from 2 to 4, not 5' });
  assert.throws(() => rules.newGame(), DocumentError);
  const [usual] = Object.values(cardSets);
  const design = (building, place, copies) => ({ ...building, code: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[place % 26] + (place < 26 ? '' : Math.floor(place / 26) + 1), copies });
  const inOrder = buildings => buildings.toSorted(byCode);
  const many = Array.from({ length: 256 }, (_, place) => design(usual.buildings[place % usual.buildings.length], place, 1));
  assert.throws(() => rules.newGame({ players: 4, cards: { ...usual, buildings: inOrder(many) } }), { name: 'DocumentError', message: /too many buildings/ });
  const dealt = rules.resolveChance(rules.newGame({ players: 4 }), generator(8));
  const spare = { ...usual, buildings: inOrder([...usual.buildings, ...many.slice(100)].slice(0, 100)) };
  const among = rules.fromDocument({ ...rules.toDocument(dealt), value: { ...dealt, cards: spare } });
  assert.deepEqual(rules.legalActions(among), rules.legalActions(dealt));
  assert.equal(rules.fromJson(rules.toJson(among)).key, among.key);
  assert.throws(() => rules.newGame({ players: 2, cards: 'others@00000000' }), DocumentError);
  assert.throws(() => rules.newGame({ players: 2, cards: { ...usual, buildings: usual.buildings.toReversed() } }), { message: 'cards.buildings: must be ascending' });
  assert.throws(() => rules.view(state, 2), RangeError);
  assert.throws(() => rules.resolveChance(state, () => 1), RangeError);
  assert.throws(() => rules.legalActions({}), TypeError);
  assert.equal(rules.outcome(state), null);
});

test('a position with too many played cards, agenda steps or sites is refused', () => {
  const state = rules.resolveChance(rules.newGame({ players: 2 }), generator(26));
  const changed = change => () => rules.fromDocument({ ...rules.toDocument(state), value: { ...state, ...change } });
  const longer = (name, count) => {
    const entries = state[name];
    const more = Array(count - entries.length).fill(entries.at(-1) ?? 'maid');
    return changed({ [name]: [...entries, ...more] });
  };
  const [first, second] = state.players;
  const players = [{ ...first, draw_pile: { builder: 254, apprentice: 1, valette: 1 } }, second];
  assert.throws(changed({ players }), { message: '$.value.players[0].draw_pile: 256 is more than a position can hold' });
  for (const [name, most] of Object.entries({ played: 8, agenda: 12, display: 30 })) {
    assert.throws(longer(name, most + 1), { message: `$.value.${name}: is too long` });
    if (name === 'display') assert.throws(longer(name, most), { message: /^(?!.*too long)/ });
    else assert.equal(longer(name, most)()[name].length, most);
  }
});

test('a position that determinize draws from a view has the same view', () => {
  const random = generator(4);
  for (const state of positions(3, random)) {
    for (const seat of [null, 0, 1, 2]) {
      const view = rules.view(state, seat);
      const guess = rules.determinize(view, random);
      assert.equal(rules.view(guess, seat).key, view.key);
      assert.equal(rules.determinize(rules.fromJson(rules.toJson(view)), random).players.length, 3);
    }
  }
});

test('the import map of the example page matches the exports of the package', () => {
  const page = new URL('../../../examples/javascript/index.html', import.meta.url);
  const [, map] = readFileSync(page, 'utf8').match(/<script type="importmap">(.*?)<\/script>/s);
  for (const [name, address] of Object.entries(JSON.parse(map).imports)) {
    const file = name.endsWith('/') ? 'maid.svg' : '';
    assert.equal(new URL(address + file, page).href, import.meta.resolve(name + file));
  }
});

test('the compressed files stay within their size limits', () => {
  const compressed = names => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(packageRoot, name)), { level: 9 }).length, 0);
  assert.ok(compressed(['dist/valletta.wasm']) <= 13_000);
  assert.ok(compressed(['index.js', 'documents.js', 'values.js', 'position_line.js', 'dist/tables.js', 'dist/languages.js', 'dist/wasm.js']) <= 41_000);
});

test('values and texts that are not documents are refused', () => {
  const state = rules.newGame({ players: 2 });
  for (const value of [undefined, 7n, Symbol('x'), () => 0, NaN, new Map(), new Date()]) {
    for (const document of [value, { valletta_rules: 2, kind: 'Action', value }, { valletta_rules: 2, kind: 'Action', value: { type: 'Build', site: value } }]) {
      assert.throws(() => rules.fromDocument(document), DocumentError);
    }
    assert.throws(() => rules.check(state, value), DocumentError);
  }
  for (const text of ['', '{', '[]', 'null', '7', '"x"', '['.repeat(100_000), '{"__proto__": {}}']) {
    assert.throws(() => rules.fromJson(text), DocumentError);
  }
});

test('sampleChance draws with exact probabilities, and the same outcomes as resolveChance', () => {
  let most = 0;
  for (const after of [rules.newGame({ players: 2 }), ...positions(3, generator(33))]) {
    const [action] = after.asksChance ? [] : rules.legalActions(after);
    let state = action ? rules.apply(after, action) : after;
    const [one, other] = [generator(34), generator(34)];
    const { key } = rules.resolveChance(state, one);
    while (state.asksChance) {
      const outcomes = rules.chanceOutcomes(state);
      const tickets = outcomes.map(({ denominator }) => denominator).reduce((count, each) => { for (let all = count; ; all += count) if (all % each === 0) return all; }, 1);
      const counts = new Map(outcomes.map(each => [each.action, 0]));
      for (let ticket = 0; ticket < Math.min(tickets, 500); ticket++) {
        const drawn = rules.sampleChance(state, () => (ticket + 0.5) / tickets);
        counts.set(drawn, counts.get(drawn) + 1);
      }
      if (tickets <= 500) for (const { action: each, numerator, denominator } of outcomes) assert.equal(counts.get(each) * denominator, numerator * tickets);
      assert.equal(rules.sampleChance(state, () => 1 - 2 ** -53), outcomes.at(-1).action);
      assert.equal(rules.sampleChance(state, () => 0), outcomes[0].action);
      most = Math.max(most, tickets);
      state = rules.apply(state, rules.sampleChance(state, other));
    }
    assert.equal(state.key, key);
  }
  assert.ok(most > 20);
  const drafting = rules.resolveChance(rules.newGame({ players: 2 }), Math.random);
  assert.throws(() => rules.sampleChance(drafting, Math.random), { name: 'RangeError', message: 'chance is not asked' });
  for (const wrong of [1, -1, NaN, '0', null]) assert.throws(() => rules.sampleChance(rules.newGame({ players: 2 }), () => wrong), RangeError);
  for (const wrong of [null, {}, rules.view(drafting, 0)]) assert.throws(() => rules.sampleChance(wrong, Math.random), TypeError);
});

test('the error of an invalid document names the location and the problem', () => {
  const action = (value, rest = {}) => ({ valletta_rules: 2, kind: 'Action', value, ...rest });
  const wrong = [
    [{}, '$: lacks the key valletta_rules'],
    [null, '$: must be an object, not null'],
    [[], '$: must be an object, not an array'],
    ['x', '$: must be an object, not "x"'],
    [{ kind: 'Action', value: {} }, '$: lacks the key valletta_rules'],
    [{ valletta_rules: 3, kind: 'Other' }, '$.valletta_rules: must be 2, not 3'],
    [action({}, { valletta_rules: '2' }), '$.valletta_rules: must be 2, not "2"'],
    [{ valletta_rules: 2 }, '$: lacks the key kind'],
    [{ valletta_rules: 2, kind: 7 }, /^\$\.kind: must be one of GameState, .*, LogEntry, not 7$/],
    [{ valletta_rules: 2, kind: 'Action' }, '$: lacks the key value'],
    [action({ type: 'Build', site: 1 }, { more: 1 }), '$: has an unknown key more'],
    [action(null), '$.value: must be an object, not null'],
    [action([]), '$.value: must be an object, not an array'],
    [action({}), '$.value: lacks the key type'],
    [action({ type: 'Win' }), /^\$\.value\.type: must be one of DraftGood, .*, RevealBarrel, not "Win"$/],
    [action({ type: 'Build' }), '$.value: lacks the key site'],
    [action({ type: 'Build', site: 1, more: 1 }), '$.value: has an unknown key more'],
    [action({ type: 'Build', site: '1' }), '$.value.site: must be a whole number from 0 to 29, not "1"'],
    [{ valletta_rules: 2, kind: 'GameState', value: {} }, '$.value: lacks the key rules'],
    [{ valletta_rules: 2, kind: 'CardSet', value: 7 }, '$.value: must be a text or an object, not 7'],
  ];
  for (const [document, message] of wrong) assert.throws(() => rules.fromJson(JSON.stringify(document)), { name: 'DocumentError', message });
});

test('an exception in a random generator has no lasting effect', () => {
  const start = rules.newGame({ players: 2 });
  const after = rules.resolveChance(start, generator(24)).key;
  for (let time = 0; time < 20_000; time++) {
    assert.throws(() => rules.resolveChance(start, () => { throw new SyntaxError('theirs'); }), SyntaxError);
  }
  for (const wrong of [1, -1, NaN, '0', null, undefined, 0n, {}, Symbol('x')]) assert.throws(() => rules.resolveChance(start, () => wrong), RangeError);
  assert.equal(rules.resolveChance(start, generator(24)).key, after);
});

test('documents, position lines, notation and sentences of random games are equal to those of Python', () => {
  const games = execFileSync(python, [join(packageRoot, 'test/games.py'), '9'], {
    encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, PYTHONPATH: join(packageRoot, '../..') },
  });
  let state, names;
  let compared = 0;
  for (const line of games.trimEnd().split('\n')) {
    const expected = JSON.parse(line);
    if (!expected.state) {
      state = rules.newGame({ players: expected.players, rules: expected.rules });
      names = expected.names.length ? { names: expected.names } : {};
      continue;
    }
    assert.equal(rules.toJson(state), expected.state);
    const read = rules.fromJson(expected.state);
    assert.equal(read.key, state.key);
    assert.equal(rules.toJson(read), expected.state);
    for (const [language, sentences] of Object.entries(expected.sentences)) {
      assert.deepEqual(spoken(state, JSON.parse(expected.events), language, names, expected.seat), sentences);
    }
    if (expected.outcome) {
      assert.equal(rules.toJson(rules.outcome(state)), expected.outcome);
      continue;
    }
    assert.equal(rules.positionLine(state), expected.line);
    assert.equal(rules.parsePositionLine(expected.line).key, state.key);
    rules.legalActions(state).forEach((action, place) => {
      assert.equal(formatAction(action), expected.notation[place]);
      assert.deepEqual(parseAction(expected.notation[place]), action);
    });
    const askedView = rules.view(state, state.prompt.seat ?? null);
    const actions = rules.legalActions(state);
    for (const [language, described] of Object.entries(expected.described)) {
      const words = WORDS[language];
      actions.forEach((action, place) => assert.equal(describeAction(place % 2 ? state : askedView, action, words), described[place]));
      const parse = place => parseDescription(askedView, ` ${described[place].toUpperCase()}. `, words);
      if (!state.asksChance) for (let place = 0; place < actions.length; place += Math.ceil(actions.length / MOST_FOUND)) assert.equal(parse(place), actions[place]);
    }
    const view = rules.view(state, expected.seat);
    const carried = rules.transition(state, rules.fromJson(expected.action));
    assert.equal(JSON.stringify(carried.events), expected.events);
    assert.equal(JSON.stringify(carried.events.map(event => redact(event, expected.seat))), expected.redacted);
    assert.deepEqual(spoken(view, JSON.parse(expected.redacted), 'de', names, expected.seat), expected.sentences.de);
    state = carried.state;
    compared++;
  }
  assert.ok(compared > 2_000, `${compared} positions`);
  assert.deepEqual(Object.values(WORDS.en.phrases).flatMap(Object.keys).filter(key => !usedPhrases.has(key)), []);
});

test('damaged documents and position lines are accepted or refused as in Python', () => {
  const counts = {};
  const damaged = execFileSync(python, [join(packageRoot, 'test/damaged.py'), '1500', '1'], {
    encoding: 'utf8', maxBuffer: 2 ** 30, env: { ...process.env, PYTHONPATH: join(packageRoot, '../..') },
  });
  for (const line of damaged.trimEnd().split('\n')) {
    const [kind, text, verdict, written] = JSON.parse(line);
    const rewritten = reread(kind, text);
    if (verdict === 'read') assert.equal(rewritten, written, text);
    if (verdict === 'refused') assert.equal(rewritten, null, `${written}: ${text}`);
    counts[`${kind} ${verdict}`] = (counts[`${kind} ${verdict}`] ?? 0) + 1;
  }
  for (const [kind, least] of Object.entries({ 'document read': 20, 'document refused': 1000, 'line read': 200, 'line refused': 800 })) assert.ok(counts[kind] > least, kind);
});

/** Returns a proxy of a copy of a value; it calls `call` before each access to the copy or to a part of it. */
function watchedValue(value, call) {
  if (typeof value !== 'object' || value === null) return value;
  const before = act => (...parts) => {
    call();
    return act(...parts);
  };
  const traps = ['has', 'ownKeys', 'getOwnPropertyDescriptor', 'getPrototypeOf'].map(name => [name, before(Reflect[name])]);
  const get = before((target, key) => watchedValue(target[key], call));
  return new Proxy(Array.isArray(value) ? [...value] : { ...value }, Object.fromEntries([...traps, ['get', get]]));
}

/** Returns calls of all functions of the package, keyed by name. The calls use other games than `everyCallback`, and `refused` makes calls that throw. */
function everyCall() {
  const other = rules.resolveChance(rules.newGame({ players: 4, rules: editions.zMan }), generator(21));
  const dealing = rules.newGame({ players: 3 });
  const view = rules.view(other, 2);
  const [action] = rules.legalActions(other);
  const { events: [event] } = rules.transition(other, action);
  const text = rules.toJson(other);
  const calls = {
    newGame: () => rules.newGame({ players: 4 }),
    legalActions: () => rules.legalActions(other),
    check: () => rules.check(other, parseAction('pay 3g')),
    apply: () => rules.apply(other, action),
    transition: () => rules.transition(other, action),
    legalNumbers: () => rules.legalNumbers(other),
    applyNumber: () => rules.applyNumber(other, rules.legalNumbers(other)[0]),
    chanceOutcomes: () => rules.chanceOutcomes(dealing),
    sampleChance: () => rules.sampleChance(dealing, () => 0.5),
    resolveChance: () => rules.resolveChance(dealing, () => 0.5),
    outcome: () => rules.outcome(other),
    view: () => rules.view(other, 1),
    determinize: () => rules.determinize(view, () => 0.9),
    toDocument: () => rules.toDocument(other),
    toJson: () => rules.toJson(view),
    fromDocument: () => rules.fromDocument(rules.toDocument(view)),
    fromJson: () => rules.fromJson(text),
    positionLine: () => rules.positionLine(other),
    parsePositionLine: () => rules.parsePositionLine(rules.positionLine(other)),
  };
  assert.deepEqual(Object.keys(calls).sort(), Object.keys(rules).sort());
  const refused = () => {
    assert.throws(() => rules.apply(other, parseAction('pay 3g')), IllegalActionError);
    assert.throws(() => rules.resolveChance(dealing, () => { throw new SyntaxError('theirs'); }), SyntaxError);
    assert.throws(() => rules.newGame({ players: 4, cards: { ...cardSets.reconstruction, buildings: [] } }), DocumentError);
  };
  return { ...calls, redact: () => redact(event, 1), formatAction: () => formatAction(action), parseAction: () => parseAction('build 7'),
    narrate: () => narrate(event, other, WORDS.de), describePrompt: () => describePrompt(other, WORDS.de), describeAction: () => describeAction(other, action, WORDS.de),
    parseDescription: () => parseDescription(view, 'x', WORDS.de), refused };
}

/** Returns functions that run `call` within a callback of the package, keyed by name; their results must not depend on `call`. */
function everyCallback() {
  const start = rules.newGame({ players: 2 });
  const games = [...positions(2, generator(22))];
  const paying = games.find(state => state.prompt?.type === 'PaymentPrompt');
  const playing = games.find(state => state.prompt?.type === 'PlayPrompt');
  const [payment] = rules.legalActions(paying);
  const [played] = rules.legalActions(playing);
  const { events } = rules.transition(playing, played);
  const view = rules.view(playing, null);
  const random = call => {
    const draw = generator(23);
    return () => (call(), draw());
  };
  const own = { players: 2, rules: { ...editions.zMan, name: 'Ours' }, cards: { ...cardSets.reconstruction, name: 'Mine' } };
  return {
    resolveChance: call => rules.resolveChance(start, random(call)).key,
    sampleChance: call => rules.sampleChance(start, random(call)),
    determinize: call => rules.determinize(view, random(call)).key,
    newGame: call => rules.newGame(watchedValue(own, call)).key,
    legalActions: call => [rules.legalActions(watchedValue(playing, call)), rules.legalActions(watchedValue(view, call))],
    check: call => [rules.check(paying, watchedValue(payment, call)), rules.check(paying, watchedValue(played, call)), rules.check(playing, watchedValue(payment, call))],
    apply: call => rules.apply(paying, watchedValue(payment, call)).key,
    transition: call => JSON.stringify(rules.transition(playing, watchedValue(played, call))),
    fromDocument: call => rules.fromDocument(watchedValue(rules.toDocument(rules.view(playing, 0)), call)).key,
    redact: call => redact(watchedValue(events[0], call), 1),
    formatAction: call => formatAction(watchedValue(payment, call)),
    narrate: call => narrate(watchedValue(events[0], call), playing, WORDS.de, watchedValue({ names: ['Anna', 'Ben'], reader: 1 }, call)),
    describeAction: call => describeAction(watchedValue(playing, call), watchedValue(played, call), WORDS.de),
    parseDescription: call => parseDescription(watchedValue(rules.view(playing, playing.prompt.seat), call), describeAction(playing, played, WORDS.de), WORDS.de),
    describePrompt: call => describePrompt(playing, WORDS.de, watchedValue({ names: ['Anna', 'Ben'] }, call)),
  };
}

test('calls of the package within a callback do not change the result of the outer function', () => {
  const calls = everyCall();
  for (const [outer, callback] of Object.entries(everyCallback())) {
    const alone = callback(() => {});
    for (const [inner, call] of Object.entries(calls)) {
      let called = 0;
      assert.deepEqual(callback(() => called++ % 5 || call()), alone, `${inner} in ${outer}`);
      assert.ok(called, outer);
    }
  }
  const start = rules.newGame({ players: 2 });
  const nested = depth => rules.resolveChance(start, () => (depth && nested(depth - 1), 0.5));
  const dealt = depth => { let left = depth; return rules.resolveChance(start, function within() { if (left-- > 0) rules.resolveChance(start, within); return 0.5; }).key; };
  assert.equal(nested(1).key, nested(0).key);
  assert.equal(dealt(500), nested(0).key);
});

test('the package passes the whole conformance suite', () => {
  const levels = ['rules', 'chance', 'views', 'events', 'codes', 'clauses'].flatMap(level => ['--level', level]);
  const result = spawnSync(python, ['-m', 'valletta_rules', 'conformance', '--engine', `node ${join(packageRoot, 'test/engine.js')}`, ...levels], { encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  const report = result.stdout.replace(/\s+/g, ' ');
  assert.match(report, /passes all ([\d,]+) vectors sent, out of \1 in .*, about rules, chance, views, events, codes, clauses\. .* Chapters passed: [^:]*, player_information\. ?$/);
});

test('the package agrees with the Python engine step by step', () => {
  const command = ['-m', 'spec.checks.agreement', '--engine', 'javascript', '--steps', '2000', '--seed', '3'];
  const result = spawnSync(python, command, { cwd: join(packageRoot, '../..'), encoding: 'utf8' });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  assert.match(result.stdout, /seed 3: 2,\d\d\d steps/);
});

/** A program that runs the README program in a worker. */
const IN_A_WORKER = "import { Worker } from 'node:worker_threads'; new Worker(new URL('play.js', import.meta.url));";

const IN_COMMON_JS = `
const { newGame, resolveChance, legalActions, apply, outcome } = loadSync();
let state = resolveChance(newGame({ players: 2 }), Math.random);
while (state.prompt) state = resolveChance(apply(state, legalActions(state).at(-1)), Math.random);
console.log(outcome(state));`;

function inAFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), 'valletta-'));
  const npm = (...words) => execFileSync('npm', [...words, '--silent', '--no-audit', '--no-fund'], { cwd: folder, encoding: 'utf8' });
  try {
    act(folder, npm);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the packed archive can be installed, and its README program runs in Node, a worker, CommonJS and Deno', () => inAFolder((folder, npm) => {
  const archive = npm('pack', packageRoot, '--ignore-scripts').trim().split('\n').at(-1);
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  npm('install', '--offline', `./${archive}`);
  const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8');
  const blocks = readme.matchAll(/```js\n(.*?)```/gs);
  writeFileSync(join(folder, 'play.js'), Array.from(blocks, ([, code]) => code).join(''));
  writeFileSync(join(folder, 'worker.js'), IN_A_WORKER);
  writeFileSync(join(folder, 'play.cjs'), `const { loadSync } = require('valletta-rules');\n${IN_COMMON_JS}`);
  copyFileSync(join(packageRoot, '../../examples/javascript/five_minutes.js'), join(folder, 'five_minutes.js'));
  writeFileSync(join(folder, 'game.mjs'), readme.match(/```js game\n(.*?)```/s)[1]);
  const deno = join(packageRoot, 'node_modules/.bin/deno');
  for (const [program, ...words] of [['node', 'play.js'], ['node', 'worker.js'], ['node', 'play.cjs'], [deno, 'run', '--no-remote', '--allow-read', 'play.js']]) {
    const output = execFileSync(program, words, { cwd: folder, encoding: 'utf8', env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } });
    assert.match(output, /winners: \[ \d.*clause: ['"]SCO-\d+/s, program);
  }
  assert.match(execFileSync('node', ['game.mjs'], { cwd: folder, encoding: 'utf8' }), /^\[.*\]\n1\n2 true\n$/s);
  const output = execFileSync('node', ['five_minutes.js'], { cwd: folder, encoding: 'utf8' });
  assert.match(output, /^SET-22 good-not-offered \{ good: 'gold' \}\n.*\n3 0\nnull\n.*winners: \[ \d/s);
}));
