'use strict';
/*
 * Evaluates definitions of the Quint specification on given states, and translates between JSON and Quint values.
 * It drives the evaluator inside @informalsystems/quint, whose exact version package.json therefore pins.
 *
 * The JSON encoding
 * -----------------
 * int, bool, str     number, boolean, string
 * enumerated value   the constructor's name in snake_case: "gold", "stone_sculptor", "by_players", "final"
 *                    (Good, Colour, Character, Phase and the three enumerations of a rule set)
 * other sum types    {"tag": "PlayPrompt", "seat": 0, "plays": 3}: the constructor's name and its fields;
 *                    constructors without fields are {"tag": "Decline"}
 * record             an object with the field names of types.qnt
 * bag                an object from snake_case names (or building codes) to counts; counts of zero are left out
 * set                a list, sorted
 * list               a list
 *
 * State  {"display": ["A", ...], "players": [{"hand": {"maid": 1}, "draw_pile": {}, "discard_pile": {},
 *         "goods": {"gold": 1}, "built": [0], "upgraded": [], "score": 0}, ...], "supply": {"builder": 4},
 *         "barrels": {"gold": 7, ...}, "valette": 0, "active": 0, "played": ["maid"], "phase": "main",
 *         "agenda": [{"tag": "PlayPrompt", "seat": 0, "plays": 3}, {"tag": "EndTurn", "seat": 0}]}
 *        `display` holds the codes of the buildings, which are looked up in the configuration.
 * Action {"tag": "PlayCard", "character": "maid", "use_effect": true}, {"tag": "Pay", "goods": {"gold": 2}}, ...
 * Config {"rules": {"effects": "compulsory", "opening": "draft", "barrel_layout": "every_space",
 *         "apprentice_colour": "red", "start_player_variant": false, "fewer_barrels": false}, "players": 2,
 *         "buildings": {"A": {"character": "banker", "cost": {"gold": 1}, "icon": "gold", "points": 1,
 *         "copies": 3}, ...}, "barrels": {"gold": 7, ...}}, and, if they differ from the printed game,
 *         "quotas", "starting_deck", "starting_goods", "draft_goods", "starting_supply", "columns", "area",
 *         "street", "hand_limit", "plays", "houses", "trigger_score".
 *
 * Goods, bags and other objects of counts may contain counts of 0, which are ignored, so that equal bags become
 * equal values.  Object keys are written in a fixed order, so that equal values have equal texts.
 */
const fs = require('fs'), path = require('path');
const Q = '@informalsystems/quint/dist/src/';
const load = name => {
  try { return require(Q + name); } catch (e) {
    throw new UserError(`cannot load ${Q}${name}: run "npm ci" in ${path.resolve(__dirname, '..')} first (${e.message.split('\n')[0]})`);
  }
};
class UserError extends Error {}

const cmds = load('cliCommands'), { toExpr } = load('cliHelpers');
const { Evaluator } = load('runtime/impl/evaluator'), { newTraceRecorder } = load('runtime/trace');
const { newRng } = load('rng'), { buildExpr, buildDef } = load('runtime/impl/builder');
const { parseExpressionOrDeclaration } = load('parsing/quintParserFrontend'), { walkDeclaration } = load('ir/IRVisitor');
const { rv } = load('runtime/impl/runtimeValue');
const { right } = require('@sweet-monads/either');

const SPEC = path.resolve(__dirname, '../quint');

// ------------------------------------------------------------------------------------------- types
// A type is {enc(value) -> json, dec(json, where) -> value}.  The types of the game are derived from types.qnt.

const fail = (where, wanted, got) => {
  throw new UserError(`${where}: expected ${wanted}, got ${JSON.stringify(got) ?? 'nothing'}`);
};
const snake = label => label.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();

const int = {
  enc: v => Number(v.toInt()),
  dec: (j, w) => (Number.isSafeInteger(j) ? rv.mkInt(BigInt(j)) : fail(w, 'an integer', j)),
};
const bool = { enc: v => v.toBool(), dec: (j, w) => (typeof j === 'boolean' ? rv.mkBool(j) : fail(w, 'a boolean', j)) };
const str = { enc: v => v.toStr(), dec: (j, w) => (typeof j === 'string' ? rv.mkStr(j) : fail(w, 'a string', j)) };
const unit = rv.mkTuple([]);

const enumeration = (name, labels) => {
  const values = new Map(labels.map(l => [snake(l), rv.mkVariant(l, unit)]));
  const names = [...values.keys()];
  return {
    names,
    enc: v => snake(v.label),
    dec: (j, w) => values.get(j) ?? fail(w, `${name}, one of ${names.join(', ')}`, j),
  };
};
const list = of => ({
  enc: v => [...v.toList()].map(of.enc),
  dec: (j, w) => (Array.isArray(j) ? rv.mkList(j.map((x, i) => of.dec(x, `${w}[${i}]`))) : fail(w, 'a list', j)),
});
const text = j => JSON.stringify(j);
const compare = (a, b) => (typeof a === 'number' ? a - b : text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0);
const set = of => ({
  enc: v => [...v].map(of.enc).sort(compare),
  dec: (j, w) => (Array.isArray(j) ? rv.mkSet(j.map((x, i) => of.dec(x, `${w}[${i}]`))) : fail(w, 'a list', j)),
});
const isObject = j => typeof j === 'object' && j !== null && !Array.isArray(j);
const record = fields => {
  const names = Object.keys(fields);
  return {
    enc: v => { const m = v.toOrderedMap(); return Object.fromEntries(names.map(n => [n, fields[n].enc(m.get(n))])); },
    dec: (j, w) => {
      if (!isObject(j)) fail(w, 'an object', j);
      for (const n of Object.keys(j)) if (!(n in fields) && n !== 'tag') fail(w, `only the fields ${names.join(', ')}`, { [n]: j[n] });
      return rv.mkRecord(names.map(n => [n, fields[n].dec(j[n], `${w}.${n}`)]));
    },
  };
};
const map = (keys, of, { sparse }) => ({
  enc: v => {
    const entries = [...v.toMap()].map(([k, x]) => [keys.enc(k), of.enc(x)]);
    const rank = keys.names ? k => keys.names.indexOf(k) : k => k;
    entries.sort(([a], [b]) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
    return Object.fromEntries(entries);
  },
  dec: (j, w) => {
    if (!isObject(j)) fail(w, 'an object', j);
    const entries = Object.entries(j).filter(([, x]) => !(sparse && x === 0));
    return rv.mkMap(entries.map(([k, x]) => [keys.dec(k, `a key of ${w}`), of.dec(x, `${w}.${k}`)]));
  },
});
const sum = (name, types) => ({
  enc: v => ({ tag: v.label, ...(types[v.label] ? types[v.label].enc(v.value) : {}) }),
  dec: (j, w) => {
    if (!isObject(j) || !(j.tag in types)) fail(w, `${name}, tagged ${Object.keys(types).join(', ')}`, j);
    return rv.mkVariant(j.tag, types[j.tag] ? types[j.tag].dec(j, w) : unit);
  },
});

/** Return the types of the game, from the definitions in types.qnt.  There, each type is defined after the types that it uses. */
function typesOf(modules) {
  const types = {};
  const isUnit = type => type.kind === 'tup' && type.fields.fields.length === 0;
  const fieldsOf = row => Object.fromEntries(row.fields.map(f => [f.fieldName, isUnit(f.fieldType) ? null : typeOf(f.fieldType)]));
  const sumOf = (name, row) =>
    (row.fields.every(f => isUnit(f.fieldType)) ? enumeration(name, row.fields.map(f => f.fieldName)) : sum(name, fieldsOf(row)));
  const typeOf = (type, name) => {
    switch (type.kind) {
      case 'int': return int;
      case 'bool': return bool;
      case 'str': return str;
      case 'const': return types[type.name];
      case 'list': return list(typeOf(type.elem));
      case 'set': return set(typeOf(type.elem));
      case 'fun': return map(typeOf(type.arg), typeOf(type.res), { sparse: type.res.kind === 'int' });
      case 'rec': return record(fieldsOf(type.fields));
      default: return sumOf(name, type.fields);
    }
  };
  const definitions = modules.find(m => m.name === 'types').declarations.filter(d => d.kind === 'typedef');
  for (const { name, type } of definitions) types[name] = typeOf(type, name);
  return types;
}

const QUOTAS = { 2: [6, 8, 6], 3: [8, 10, 7], 4: [10, 12, 8] };
/** Return the numbers of the printed game, which are the defaults of a configuration. */
const printed = (players, characters) => {
  const [green, blue, yellow] = QUOTAS[players] ?? QUOTAS[4];
  const each = { gold: 1, wood: 1, stone: 1, brick: 1 };
  const deck = Object.fromEntries(characters.slice(0, 8).map(c => [c, 1]));
  return {
    quotas: { green, blue, yellow }, starting_deck: deck, starting_goods: each, draft_goods: each,
    starting_supply: { builder: 4 }, columns: 5, area: 5, street: 25, hand_limit: 5, plays: 3, houses: 8,
    trigger_score: 25,
  };
};
/** Decode a configuration.  Fields that it does not have get the numbers of the printed game. */
const readConfig = ({ Config, Character }, j, where) =>
  (isObject(j) ? Config.dec({ ...printed(j.players, Character.names), ...j }, where) : fail(where, 'an object', j));

/** Return whether chance must answer in a state. */
const isForChance = s => {
  const agenda = [...s.toOrderedMap().get('agenda').toList()];
  return agenda.length > 0 && ['DealPrompt', 'DrawPrompt', 'BarrelPrompt'].includes(agenda[0].label);
};

const Facts = map(str, bool, { sparse: false });

// --------------------------------------------------------------------------------------- evaluating

/** Load a module of the specification, and return an evaluator of its definitions. */
async function open(file, main) {
  const loaded = await cmds.load({ input: path.resolve(SPEC, file), main, verbosity: 0 });
  const parsed = await loaded.asyncChain(cmds.parse);
  if (parsed.isLeft()) {
    const { msg, errors = [] } = parsed.value;
    throw new UserError(`${file}: ${msg}\n${errors.map(e => `  ${e.explanation ?? e}`).join('\n')}`);
  }
  const { resolver, ...rest } = parsed.unwrap();
  const rng = newRng(1n);
  const evaluator = new Evaluator(resolver.table, newTraceRecorder(0, rng), rng);
  const definitions = new Definitions(evaluator.builder, { resolver, ...rest });
  const built = new Map();
  const variables = evaluator.builder.varStorage;
  const compile = name => {
    if (!built.has(name)) {
      const expr = toExpr({ resolver, ...rest }, name);
      if (expr.isLeft()) throw new UserError(`${file}: unknown definition ${name}`);
      built.set(name, buildExpr(evaluator.builder, expr.unwrap()));
      assign(assigned);   // compiling may register further variables
    }
    return built.get(name);
  };
  const assigned = {};
  /** Assign values to the state variables, by name. */
  const assign = values => {
    Object.assign(assigned, values);
    for (const register of variables.vars.values()) {
      const name = register.name.split('::').pop();
      if (name in values) register.value = right(values[name]);
    }
    variables.clearCaches();
  };
  /** Return the value of a definition for the current values of the variables. */
  const value = name => {
    const v = compile(name)(evaluator.ctx);
    if (v.isLeft()) throw new Error(`evaluating ${name}: ${v.value.message ?? text(v.value)}`);
    return v.value;
  };
  return { assign, value, definitions, types: typesOf(rest.modules) };
}

/**
 * The definitions of a loaded specification.  Each definition can be mutated.
 *
 * The evaluator looks up compiled definitions in a memo, by their ids.  This class replaces each entry of the memo by a
 * function that evaluates the current version of the definition, and records that it was evaluated.
 */
class Definitions {
  constructor(builder, parsed) {
    Object.assign(this, { builder, parsed, byName: new Map(), evaluated: null, evaluatedByConstants: new Set(), constants: 0 });
    for (const module of parsed.modules) {
      for (const { id, name } of module.declarations.filter(d => d.kind === 'var')) builder.discoverVar(id, name);
      for (const def of module.declarations.filter(d => d.kind === 'def')) {
        const cell = { name: `${module.name}.qnt::${def.name}`, module: module.name, def, built: null, isConstant: def.qualifier === 'pureval' };
        cell.entry = ctx => (this.evaluated === null && cell.built !== null ? cell.built(ctx) : this.evaluate(cell, ctx));
        this.byName.set(cell.name, cell);
        builder.memo.set(def.id, cell.entry);
      }
    }
  }

  evaluate(cell, ctx) {
    this.evaluated?.add(cell.name);
    if (this.constants > 0) this.evaluatedByConstants.add(cell.name);   // the constant is cached: later uses do not evaluate the definition
    cell.built ??= this.build(cell, cell.def);
    if (!cell.isConstant) return cell.built(ctx);
    this.constants++;
    try { return cell.built(ctx); } finally { this.constants--; }
  }

  build(cell, def) {
    this.builder.memo.delete(cell.def.id);
    try { return buildDef(this.builder, def); } finally { this.builder.memo.set(cell.def.id, cell.entry); }
  }

  /** Clear the cached constants, which may depend on a changed definition. */
  forget() {
    for (const cell of this.byName.values()) if (cell.isConstant) cell.built = null;
  }

  /** Start to record which definitions are evaluated. */
  startRecording() { this.forget(); this.evaluated = new Set(); this.evaluatedByConstants = new Set(); }

  /** Return the names of the definitions that have been evaluated since the last call. */
  takeEvaluated() { const evaluated = this.evaluated; this.evaluated = new Set(); return evaluated; }

  /** Stop recording.  Return the names of the definitions on which constants depend; since constants are cached, these definitions affect all states. */
  stopRecording() { this.evaluated = null; return this.evaluatedByConstants; }

  /** Return the source text of a definition: its first line, and the following lines that are indented deeper, close it or are empty. */
  text({ module, def }) {
    const source = fs.readFileSync(path.join(SPEC, `${module}.qnt`), 'utf8');
    return source.match(new RegExp(`^  (?:pure )?(?:def|val) ${def.name}\\b.*\\n(?:(?:   .*|  [}\\])].*|)\\n)*`, 'm'))[0];
  }

  /**
   * Apply a mutation, {definition: "building.qnt::price", expression, replacement}, and return a function that undoes it.
   * The expression must occur exactly once in the definition; differences in white space are ignored.
   */
  mutate({ definition, expression, replacement }) {
    const cell = this.byName.get(definition);
    if (!cell) throw new UserError(`unknown definition ${definition}`);
    const wanted = new RegExp(expression.trim().split(/\s+/).map(w => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+'), 'g');
    const text = this.text(cell), count = text.match(wanted)?.length ?? 0;
    if (count !== 1) throw new UserError(`${definition} contains this expression ${count} times instead of once: ${expression}`);
    const { resolver, idGen, sourceMap } = this.parsed;
    const parsed = parseExpressionOrDeclaration(text.replace(wanted, () => replacement), '<mutant>', idGen, sourceMap);
    if (parsed.kind !== 'declaration') throw new UserError(`${definition} cannot be parsed with this replacement: ${replacement}`);
    resolver.switchToModule(cell.module);
    resolver.errors.length = 0;
    walkDeclaration(resolver, parsed.decls[0]);
    if (resolver.errors.length > 0) throw new UserError(`${definition}: ${resolver.errors[0].message}`);
    this.forget();
    cell.built = this.build(cell, parsed.decls[0]);
    return () => { this.forget(); cell.built = null; };
  }
}

/** Return the legal actions in the current state as pairs [JSON text, action], sorted by the text. */
const legalActions = spec => [...spec.value('q_legal')].map(act => [text(spec.types.Action.enc(act)), act]).sort(([a], [b]) => (a < b ? -1 : 1));

/** Return the outcome of `s`, which must be the current state, or null if the game is not over. */
const outcomeOf = (spec, s) => (s.toOrderedMap().get('phase').label === 'Over' ? spec.types.Outcome.enc(spec.value('q_outcome')) : null);

/** Run a tool.  A usage error is reported in one line, any other error with its stack; both set exit code 2. */
function tool(main) {
  main().catch(e => {
    const isCallers = e instanceof UserError || e.code?.startsWith('ERR_PARSE_ARGS');
    console.error(isCallers ? `${path.basename(process.argv[1])}: ${e.message}` : e);
    process.exitCode = 2;
  });
}

module.exports = { open, tool, UserError, readConfig, Facts, snake, isForChance, legalActions, outcomeOf, int };
